// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An object is built again when its record and the policy of today disagree. To
 * make that happen it is removed: kbuild builds what is not there.
 */
#include "make.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kiln/record.h"

struct refresh {
	struct make_walker walker;
	const struct kiln_policy *policy;
	const char *digest;
	bool verbose;
	struct make_refreshed *done;
	struct kiln_strbuf path; /* of a file beside the one that was found */
	struct kiln_strbuf text;
};

static enum cli_status remove_file(const char *path)
{
	if (!unlink(path) || errno == ENOENT)
		return CLI_OK;
	return cli_trouble("'%s' cannot be removed, so that it would not be built again: %s", path,
			   strerror(errno));
}

/* The object NAME.o, or the assembly NAME.s where that is what was made. END: after NAME. */
static enum cli_status remove_object(struct refresh *refresh, const FTSENT *entry, const char *end,
				     const char *why)
{
	size_t length = strlen(end);
	enum cli_status status = remove_file(make_beside(&refresh->path, entry, "", length, ".o"));

	if (refresh->verbose)
		cli_note("%s: %s", refresh->path.data, why);
	if (status == CLI_OK &&
	    !access(make_beside(&refresh->path, entry, ".", length, ".s.cmd"), F_OK))
		status = remove_file(make_beside(&refresh->path, entry, "", length, ".s"));
	return refresh->path.failed ? cli_no_memory() : status;
}

/* .NAME.o.kiln */
static enum cli_status see_record(struct refresh *refresh, const FTSENT *entry)
{
	enum kiln_record_state state = KILN_RECORD_BAD;

	if (!make_has_object(&refresh->path, entry))
		return remove_file(entry->fts_accpath);
	refresh->done->units++;
	if (make_read_file(entry->fts_accpath, &refresh->text) &&
	    kiln_record_compare(refresh->text.data, refresh->text.length, refresh->policy,
				refresh->digest, &state))
		return cli_no_memory();
	switch (state) {
	case KILN_RECORD_HOLDS:
		return CLI_OK;
	case KILN_RECORD_STALE:
		refresh->done->stale++;
		return remove_object(refresh, entry, MAKE_RECORD_END, "the policy says otherwise now");
	case KILN_RECORD_BAD:
		refresh->done->bad++;
		return remove_object(refresh, entry, MAKE_RECORD_END, "its record cannot be read");
	}
	return CLI_OK;
}

/* Was the object compiled by a command that asks for a record? */
static bool asks_for_record(const char *path)
{
	static const char flag[] = "-record";
	char *line = make_command(path);
	bool asks = line && strstr(line, "-fplugin-arg-") && strstr(line, flag);

	free(line);
	return asks;
}

/* A link counts as one, which is not read. */
static bool is_record(const char *path)
{
	struct stat there;

	return !lstat(path, &there) && !S_ISDIR(there.st_mode);
}

/* .NAME.o.cmd: after a hit in a compiler cache, or a full disk, there may be no record. */
static enum cli_status see_command(struct refresh *refresh, const FTSENT *entry)
{
	static const char end[] = MAKE_COMMAND_END;
	size_t length = sizeof(end) - 1;

	if (is_record(make_beside(&refresh->path, entry, ".", length, MAKE_RECORD_END)) ||
	    access(make_beside(&refresh->path, entry, "", length, ".o"), F_OK) ||
	    !asks_for_record(entry->fts_accpath))
		return CLI_OK;
	refresh->done->missing++;
	return remove_object(refresh, entry, end, "its record is missing");
}

static enum cli_status see_file(struct make_walker *walker, const FTSENT *entry)
{
	struct refresh *refresh = (struct refresh *)(void *)walker;

	if (make_ends_with(entry, MAKE_RECORD_END))
		return see_record(refresh, entry);
	if (make_ends_with(entry, MAKE_COMMAND_END))
		return see_command(refresh, entry);
	return CLI_OK;
}

enum cli_status make_refresh(const char *directory, const struct kiln_policy *policy,
			     const char *digest, bool verbose,
			     struct make_refreshed *ret_refreshed)
{
	struct refresh refresh = {
		.walker = {see_file},
		.policy = policy,
		.digest = digest,
		.verbose = verbose,
		.done = ret_refreshed,
	};
	enum cli_status status;

	*ret_refreshed = (struct make_refreshed){0};
	kiln_strbuf_init(&refresh.path);
	kiln_strbuf_init(&refresh.text);
	status = make_walk(directory, &refresh.walker);
	kiln_strbuf_release(&refresh.path);
	kiln_strbuf_release(&refresh.text);
	return status;
}
