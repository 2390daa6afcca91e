// SPDX-License-Identifier: GPL-2.0-or-later
#include "make.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool make_ends_with(const FTSENT *entry, const char *end)
{
	size_t length = strlen(end);

	/* A dot and a name before it. */
	return entry->fts_namelen > length + 1 &&
	       !strcmp(entry->fts_name + entry->fts_namelen - length, end);
}

const char *make_beside(struct kiln_strbuf *sb, const FTSENT *entry, const char *before,
			size_t end, const char *after)
{
	int directory = (int)(entry->fts_pathlen - entry->fts_namelen);
	int length = (int)(entry->fts_namelen - 1 - end);

	kiln_strbuf_reset(sb);
	kiln_strbuf_addf(sb, "%.*s%s%.*s%s", directory, entry->fts_path, before, length,
			 entry->fts_name + 1, after);
	return sb->data;
}

bool make_has_object(struct kiln_strbuf *sb, const FTSENT *entry)
{
	static const size_t end = sizeof(MAKE_RECORD_END) - 1;

	return !access(make_beside(sb, entry, "", end, ".o"), F_OK) ||
	       !access(make_beside(sb, entry, "", end, ".s"), F_OK) || sb->failed;
}

bool make_read_file(const char *path, struct kiln_strbuf *ret_text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool read;

	if (fd < 0)
		return false;
	kiln_strbuf_reset(ret_text);
	read = !kiln_strbuf_read_fd(ret_text, fd);
	close(fd);
	return read;
}

char *make_command(const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getline(&line, &size, file) <= 0) {
		free(line);
		line = NULL;
	}
	fclose(file);
	return line;
}

/* The root of an O= directory is no part of another build. */
static bool is_other_build(const FTSENT *entry)
{
	struct kiln_strbuf config;
	bool other;

	if (entry->fts_level == FTS_ROOTLEVEL)
		return false;
	kiln_strbuf_init(&config);
	kiln_strbuf_addf(&config, "%s/.config", entry->fts_path);
	other = !access(config.data, F_OK);
	kiln_strbuf_release(&config);
	return other;
}

static enum cli_status see(struct make_walker *walker, FTS *tree, FTSENT *entry)
{
	switch (entry->fts_info) {
	case FTS_D:
		if (!strcmp(entry->fts_name, ".git") || is_other_build(entry))
			fts_set(tree, entry, FTS_SKIP);
		return CLI_OK;
	case FTS_DNR:
		return cli_trouble("'%s' cannot be read: %s", entry->fts_path,
				   strerror(entry->fts_errno));
	case FTS_F:
	case FTS_NSOK:
		return entry->fts_name[0] == '.' ? walker->see(walker, entry) : CLI_OK;
	default:
		return CLI_OK;
	}
}

static enum cli_status walk(struct make_walker *walker, FTS *tree)
{
	enum cli_status status = CLI_OK;
	FTSENT *entry;

	while (status == CLI_OK && (errno = 0, entry = fts_read(tree)))
		status = see(walker, tree, entry);
	if (status == CLI_OK && errno)
		status = cli_trouble("the objects cannot be looked at: %s", strerror(errno));
	return status;
}

enum cli_status make_walk(const char *directory, struct make_walker *walker)
{
	char *root = strdup(directory);
	char *roots[] = {root, NULL};
	FTS *tree = root ? fts_open(roots, FTS_PHYSICAL | FTS_NOSTAT | FTS_NOCHDIR, NULL) : NULL;
	enum cli_status status;

	if (!tree) {
		free(root);
		return cli_trouble("'%s' cannot be looked at: %s", directory, strerror(errno));
	}
	status = walk(walker, tree);
	fts_close(tree);
	free(root);
	return status;
}
