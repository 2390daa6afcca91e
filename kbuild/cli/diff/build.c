// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A build is a single file, or the directory of one:
 *
 *	vmlinux, *.ko	what was linked: its functions are those of the build
 *	*.o		where they were compiled. If nothing was linked, they are the build
 *	*.su		-fstack-usage
 *	.*.o.kiln	records
 *	.config
 *
 * Directories of programs for the machine that builds are not looked into.
 */
#include "diff.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

/* At the root of a build; what is in them is no part of the kernel. */
static const char *const foreign[] = {"debian", "scripts", "tools"};

/* Objects that repeat what others have, or that have no code of the source. */
static const char *const derived[] = {"vmlinux.o", "built-in.o"};

#define RECORD_END ".o.kiln"

struct paths {
	char **paths;
	size_t count;
};

struct tree {
	struct diff *diff;
	enum diff_side side;
	const char *root;
	struct paths objects, linked, frames, records;
	struct diff_origins origins;
};

/* ---- paths ---- */

static bool add_path(struct paths *paths, const char *path)
{
	char **grown = (char **)realloc(paths->paths, (paths->count + 1) * sizeof(*grown));
	char *copy = strdup(path);

	if (grown)
		paths->paths = grown;
	if (!grown || !copy) {
		free(copy);
		return false;
	}
	paths->paths[paths->count++] = copy;
	return true;
}

static void release_paths(struct paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->paths[i]);
	free(paths->paths);
}

/* The path without the root of its build. */
static const char *below(const struct tree *tree, const char *path)
{
	size_t length = strlen(tree->root);

	if (strncmp(path, tree->root, length))
		return path;
	path += length;
	return path + strspn(path, "/");
}

/* "fs/" of "fs/namei.o", "./" of "a.o". */
static bool add_directory(struct kiln_strbuf *sb, const struct tree *tree, const char *path)
{
	const char *name = below(tree, path), *slash = strrchr(name, '/');

	kiln_strbuf_reset(sb);
	if (slash)
		kiln_strbuf_add(sb, name, (size_t)(slash - name) + 1);
	else
		kiln_strbuf_adds(sb, "./");
	return !sb->failed;
}

/* The object that the record PATH is of: "fs/open.o" for "fs/.open.o.kiln". */
static void add_object(struct kiln_strbuf *sb, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	kiln_strbuf_add(sb, path, (size_t)(name - path));
	kiln_strbuf_add(sb, name + 1, strlen(name + 1) - (sizeof(RECORD_END) - sizeof(".o")));
}

/* ---- files ---- */

static enum cli_status read_file(struct diff *diff, const char *path,
				 const struct diff_place *place)
{
	struct elf_file file;
	enum cli_status status = elf_file_open(&file, path);

	if (status != CLI_OK)
		return status;
	status = diff_identity_read(&diff->identities[place->side], &file);
	if (status == CLI_OK)
		status = diff_read_functions(diff, &file, place);
	elf_file_close(&file);
	return status;
}

/* What is none, such as intermediate code of another compiler, is passed over. */
static bool is_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char magic[SELFMAG];
	bool has =
		fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	return has;
}

/* RET_IS_UNIT: the object is one unit's, and its functions are new. */
static enum cli_status read_origins(struct tree *tree, const char *path, bool *ret_is_unit)
{
	struct kiln_strbuf directory;
	enum cli_status status;
	struct elf_file file;
	GElf_Shdr header;

	*ret_is_unit = false;
	if (!is_elf(path))
		return CLI_OK;
	status = elf_file_open(&file, path);
	if (status != CLI_OK)
		return status;
	kiln_strbuf_init(&directory);
	if (!add_directory(&directory, tree, path))
		status = cli_no_memory();
	else if (elf_next_section(&file, ".symtab", NULL, &header))
		status = diff_origins_read(&tree->origins, &file, directory.data, ret_is_unit);
	kiln_strbuf_release(&directory);
	elf_file_close(&file);
	return status;
}

/* ---- frames ---- */

struct diff_frame *diff_add_frame(struct diff *diff, const char *unit, const char *name)
{
	struct diff_frame *frame = NULL;
	struct kiln_strbuf key;

	kiln_strbuf_init(&key);
	kiln_strbuf_addf(&key, "%s%s%s", unit, *unit ? " " : "", name);
	if (key.failed)
		diff->frames.failed = true;
	else
		frame = (struct diff_frame *)keep_table_add(&diff->frames, key.data, key.length);
	kiln_strbuf_release(&key);
	return frame;
}

/* "fs/namei.c:12:5:do_open	48	static": one line of unit NAME's. */
static void read_frame(struct tree *tree, const char *name, char *line)
{
	char *tab = strchr(line, '\t'), *function;
	struct diff_frame *frame;

	if (!tab)
		return;
	*tab = '\0';
	function = strrchr(line, ':');
	if (!function)
		return;
	frame = diff_add_frame(tree->diff, name, function + 1);
	if (!frame)
		return;
	frame->is_known[tree->side] = true;
	frame->bytes[tree->side] = strtoul(tab + 1, NULL, 10);
}

static void read_frames(struct tree *tree, const char *path, const char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct kiln_strbuf text;

	if (fd < 0)
		return;
	kiln_strbuf_init(&text);
	if (!kiln_strbuf_read_fd(&text, fd)) {
		char *line = text.data, *end;

		for (; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			read_frame(tree, name, line);
		}
	}
	kiln_strbuf_release(&text);
	close(fd);
}

/* ---- directories ---- */

static bool ends_in(const FTSENT *entry, const char *end)
{
	size_t length = strlen(end);

	return entry->fts_namelen > length &&
	       !strcmp(entry->fts_name + entry->fts_namelen - length, end);
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static bool exists(const char *path, size_t length, const char *end)
{
	struct kiln_strbuf sb;
	bool exists;

	kiln_strbuf_init(&sb);
	kiln_strbuf_addf(&sb, "%.*s%s", (int)length, path, end);
	exists = !access(sb.data, F_OK);
	kiln_strbuf_release(&sb);
	return exists;
}

static bool is_foreign(const FTSENT *entry)
{
	if (entry->fts_level == FTS_ROOTLEVEL)
		return false;
	return entry->fts_name[0] == '.' ||
	       exists(entry->fts_path, entry->fts_pathlen, "/.config") ||
	       (entry->fts_level == 1 &&
		is_one_of(entry->fts_name, foreign, sizeof(foreign) / sizeof(foreign[0])));
}

/* Of an object that is there. */
static bool is_record(const FTSENT *entry)
{
	struct kiln_strbuf object;
	bool is_there;

	if (!ends_in(entry, RECORD_END))
		return false;
	kiln_strbuf_init(&object);
	add_object(&object, entry->fts_path);
	is_there = !access(object.data, F_OK);
	kiln_strbuf_release(&object);
	return is_there;
}

static bool see_file(struct tree *tree, const FTSENT *entry)
{
	if (entry->fts_name[0] == '.')
		return !is_record(entry) || add_path(&tree->records, entry->fts_path);
	if (ends_in(entry, ".su"))
		return add_path(&tree->frames, entry->fts_path);
	/* A copy that was installed has no object beside it. */
	if (ends_in(entry, ".ko"))
		return !exists(entry->fts_path, entry->fts_pathlen - 2, "o") ||
		       add_path(&tree->linked, entry->fts_path);
	if (ends_in(entry, ".o") && !ends_in(entry, ".mod.o") &&
	    !is_one_of(entry->fts_name, derived, sizeof(derived) / sizeof(derived[0])))
		return add_path(&tree->objects, entry->fts_path);
	if (!strcmp(entry->fts_name, "vmlinux") && entry->fts_level == 1)
		return add_path(&tree->linked, entry->fts_path);
	return true;
}

static enum cli_status see(struct tree *tree, FTS *fts, FTSENT *entry)
{
	switch (entry->fts_info) {
	case FTS_D:
		if (is_foreign(entry))
			fts_set(fts, entry, FTS_SKIP);
		return CLI_OK;
	case FTS_DNR:
		return cli_trouble("'%s' cannot be read: %s", entry->fts_path,
				   strerror(entry->fts_errno));
	case FTS_F:
	case FTS_NSOK:
		return see_file(tree, entry) ? CLI_OK : cli_no_memory();
	default:
		return CLI_OK;
	}
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static enum cli_status walk(struct tree *tree)
{
	char *root = strdup(tree->root);
	char *roots[] = {root, NULL};
	FTS *fts = root ? fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOSTAT | FTS_NOCHDIR,
				   by_name)
			: NULL;
	enum cli_status status = CLI_OK;
	FTSENT *entry;

	if (!fts) {
		free(root);
		return cli_trouble("'%s' cannot be looked at: %s", tree->root, strerror(errno));
	}
	while (status == CLI_OK && (errno = 0, entry = fts_read(fts)))
		status = see(tree, fts, entry);
	fts_close(fts);
	free(root);
	return status;
}

/* The objects that are units, in place of all. */
static enum cli_status read_all_origins(struct tree *tree)
{
	enum cli_status status = CLI_OK;
	size_t left = 0;

	for (size_t i = 0; i < tree->objects.count; i++) {
		char *path = tree->objects.paths[i];
		bool is_unit = false;

		if (status == CLI_OK)
			status = read_origins(tree, path, &is_unit);
		if (is_unit)
			tree->objects.paths[left++] = path;
		else
			free(path);
	}
	tree->objects.count = left;
	return status;
}

static enum cli_status read_functions(struct tree *tree, const char *path)
{
	struct diff_place place = {.side = tree->side, .origins = &tree->origins};
	struct kiln_strbuf directory;
	enum cli_status status;

	kiln_strbuf_init(&directory);
	if (strcmp(below(tree, path), "vmlinux") && add_directory(&directory, tree, path))
		place.directory = directory.data;
	status = read_file(tree->diff, path, &place);
	kiln_strbuf_release(&directory);
	return status;
}

static void read_all_frames(struct tree *tree)
{
	struct kiln_strbuf name;

	kiln_strbuf_init(&name);
	for (size_t i = 0; i < tree->frames.count; i++) {
		const char *path = below(tree, tree->frames.paths[i]);

		kiln_strbuf_reset(&name);
		kiln_strbuf_addf(&name, "%.*so", (int)strlen(path) - 2, path);
		read_frames(tree, tree->frames.paths[i], name.data);
	}
	kiln_strbuf_release(&name);
}

static enum cli_status read_all_records(struct tree *tree)
{
	enum cli_status status = CLI_OK;
	struct kiln_strbuf unit;

	kiln_strbuf_init(&unit);
	for (size_t i = 0; status == CLI_OK && i < tree->records.count; i++) {
		kiln_strbuf_reset(&unit);
		add_object(&unit, below(tree, tree->records.paths[i]));
		status =
			diff_read_record(tree->diff, tree->side, tree->records.paths[i], unit.data);
	}
	kiln_strbuf_release(&unit);
	return status;
}

static enum cli_status read_directory(struct tree *tree)
{
	enum cli_status status = walk(tree);
	const struct paths *built;

	if (status == CLI_OK)
		status = read_all_origins(tree);
	built = tree->linked.count ? &tree->linked : &tree->objects;
	if (status == CLI_OK && !built->count)
		return cli_trouble("'%s' has no kernel, module or object file in it", tree->root);
	for (size_t i = 0; status == CLI_OK && i < built->count; i++)
		status = read_functions(tree, built->paths[i]);
	if (status == CLI_OK)
		read_all_frames(tree);
	if (status == CLI_OK)
		status = read_all_records(tree);
	tree->diff->has_origins[tree->side] = true;
	return status;
}

/* ---- builds ---- */

/* The configuration beside PATH, a file, or in it. */
static void read_config(struct diff_identity *identity, const char *path, bool is_directory)
{
	const char *slash = strrchr(path, '/');
	struct kiln_strbuf name;
	int fd;

	kiln_strbuf_init(&name);
	if (is_directory)
		kiln_strbuf_addf(&name, "%s/", path);
	else if (slash)
		kiln_strbuf_add(&name, path, (size_t)(slash - path) + 1);
	kiln_strbuf_adds(&name, ".config");
	fd = open(name.data, O_RDONLY | O_CLOEXEC);
	kiln_strbuf_release(&name);
	if (fd < 0)
		return;
	if (kiln_strbuf_read_fd(&identity->config, fd))
		kiln_strbuf_truncate(&identity->config, 0);
	close(fd);
}

static bool is_kernel(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, "vmlinux");
}

/* A single object's frames are in NAME.su beside it. */
static void read_frames_beside(struct tree *tree)
{
	size_t length = strlen(tree->root);
	struct kiln_strbuf path;

	if (length < 2 || strcmp(tree->root + length - 2, ".o"))
		return;
	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "%.*ssu", (int)length - 1, tree->root);
	read_frames(tree, path.data, "");
	kiln_strbuf_release(&path);
}

/* And its record in .NAME.o.kiln. */
static enum cli_status read_record_beside(struct tree *tree)
{
	const char *slash = strrchr(tree->root, '/'), *name = slash ? slash + 1 : tree->root;
	enum cli_status status = CLI_OK;
	struct kiln_strbuf path;

	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "%.*s.%s.kiln", (int)(name - tree->root), tree->root, name);
	if (!access(path.data, F_OK))
		status = diff_read_record(tree->diff, tree->side, path.data, "");
	kiln_strbuf_release(&path);
	return status;
}

static enum cli_status read_single(struct tree *tree)
{
	const struct diff_place place = {.side = tree->side};
	struct diff_identity *identity = &tree->diff->identities[tree->side];
	enum cli_status status = read_file(tree->diff, tree->root, &place);

	if (status != CLI_OK)
		return status;
	read_frames_beside(tree);
	if (is_kernel(tree->root) && !identity->config.length)
		read_config(identity, tree->root, false);
	return read_record_beside(tree);
}

enum cli_status diff_read_build(struct diff *diff, enum diff_side side)
{
	struct tree tree = {.diff = diff, .side = side, .root = diff->paths[side]};
	enum cli_status status;
	struct stat stat_of;

	if (stat(tree.root, &stat_of))
		return cli_trouble("'%s' cannot be read: %s", tree.root, strerror(errno));
	if (!S_ISDIR(stat_of.st_mode))
		return read_single(&tree);
	diff_origins_init(&tree.origins);
	read_config(&diff->identities[side], tree.root, true);
	status = read_directory(&tree);
	diff_origins_release(&tree.origins);
	release_paths(&tree.objects);
	release_paths(&tree.linked);
	release_paths(&tree.frames);
	release_paths(&tree.records);
	return status;
}
