// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "cpplib.h"
#include "args.h"
#include "diag.h"
#include "mark.h"
#include "unit.h"
#include "kiln/glob.h"
#include "kiln/sha256.h"

#define BEFORE "# 1 \"<kiln "
#define AFTER  ">\"\n"

/* NULL: no mark is asked for. */
static const struct kiln_policy *policy;

/* GCC closes stdout before PLUGIN_FINISH; -1: the output is a file. */
static int own_stdout = -1;

void mark_begin(const struct kiln_policy *policy_read)
{
	policy = policy_read;
	if (!args_output_file())
		own_stdout = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* ---- which rules concern the unit ---------------------------------------------- */

/* A file of the unit; that functions may be defined in it is all that is asked. */
static bool some_file_is(const char *glob)
{
	if (unit_can_be(glob))
		return true;
	for (unsigned i = 0; i < LINEMAPS_ORDINARY_USED(line_table); i++) {
		const char *file = LINEMAP_FILE(LINEMAPS_ORDINARY_MAP_AT(line_table, i));

		if (file && file[0] != '<' && kiln_glob_match(glob, unit_tree_path(file)))
			return true;
	}
	return false;
}

struct search {
	const char *glob;
	size_t prefix;
	bool found;
};

static int see_identifier(cpp_reader *, cpp_hashnode *node, void *data)
{
	struct search *search = (struct search *)data;
	const char *name = (const char *)NODE_NAME(node);

	search->found = !strncmp(name, search->glob, search->prefix) &&
			kiln_glob_match(search->glob, name);
	return !search->found;
}

/*
 * A function's name is an identifier of the text, however it was put together. All
 * that were seen are in the table, macros and GCC's built-in functions among them: one
 * of those too many costs a compile, one too few would cost an object.
 */
static bool some_name_is(const char *glob)
{
	struct cpp_options *options = cpp_get_options(parse_in);
	struct search search = { glob, kiln_glob_prefix(glob), false };

	/* There the text is not split into words. */
	if (options->directives_only || options->traditional)
		return true;
	if (!glob[search.prefix])
		return maybe_get_identifier(glob) != NULL_TREE;
	cpp_forall_identifiers(parse_in, see_identifier, &search);
	return search.found;
}

static bool place_can_hold(const struct kiln_place *place)
{
	switch (place->kind) {
	case KILN_FILE:
		return some_file_is(place->glob);
	case KILN_FUNC:
	case KILN_CALL:
		return some_name_is(place->glob);
	case KILN_ALL:
	case KILN_ON:		/* was asked before */
	case KILN_SECTION:	/* an attribute's string, or several of them */
		break;
	}
	return true;
}

static bool concerns_unit(const struct kiln_rule *rule, const struct kiln_arch *arch)
{
	if (!kiln_rule_is_for(rule, arch))
		return false;
	for (unsigned i = 0; i < rule->nr_places; i++)
		if (!place_can_hold(&rule->places[i]))
			return false;
	return true;
}

/* ---- the text ------------------------------------------------------------------- */

static void add_file(struct kiln_strbuf *text, const char *name)
{
	kiln_strbuf_adds(text, "# 1 \"");
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			kiln_strbuf_adds(text, "\\");
		if (*name == '\n')
			kiln_strbuf_adds(text, "\\n");
		else
			kiln_strbuf_add(text, name, 1);
	}
	kiln_strbuf_adds(text, "\"\n");
}

static void add_digest(struct kiln_strbuf *text, const struct kiln_arch *arch)
{
	char digest[KILN_SHA256_SIZE] = "";
	struct kiln_strbuf rules;

	kiln_strbuf_init(&rules);
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++)
		if (concerns_unit(kiln_policy_rule(policy, i), arch))
			kiln_rule_write(kiln_policy_rule(policy, i), &rules);
	text->failed |= rules.failed;
	if (!rules.failed)
		kiln_sha256(rules.length ? rules.data : "", rules.length, digest);
	kiln_strbuf_release(&rules);
	kiln_strbuf_adds(text, digest);
}

/* What can stand in a linemarker as it is, and be found in it again. */
static bool is_plain(const char *name)
{
	for (; *name; name++)
		if (*name <= ' ' || strchr("\"\\<>", *name))
			return false;
	return true;
}

static void write_text(const struct kiln_strbuf *text)
{
	const char *file = args_output_file();
	int fd = file ? open(file, O_WRONLY | O_APPEND | O_CLOEXEC) : own_stdout;
	bool written = fd >= 0 && !kiln_strbuf_write_fd(text, fd);

	if (fd >= 0)
		written = !close(fd) && written;
	if (!written)
		fatal_error(UNKNOWN_LOCATION, "kiln: the mark cannot be written to %s: %s",
			    file ? file : "the standard output", xstrerror(errno));
}

void mark_end(void)
{
	const struct kiln_unit *unit = unit_get();
	const char *srctree = unit_srctree();
	struct kiln_strbuf text;

	if (!policy || !parse_in || seen_error() || diag_errors())
		return;
	kiln_strbuf_init(&text);
	for (size_t i = 0; i < kiln_policy_nr_files(policy); i++)
		add_file(&text, kiln_policy_file(policy, i));
	kiln_strbuf_adds(&text, BEFORE);
	add_digest(&text, unit->arch);
	if (unit_object_is_known() && unit->object && is_plain(unit->object) && srctree && is_plain(srctree))
		kiln_strbuf_addf(&text, " %s %s", unit->object, srctree);
	kiln_strbuf_adds(&text, AFTER);
	if (text.failed)
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	write_text(&text);
	kiln_strbuf_release(&text);
}

/* ---- reading it ----------------------------------------------------------------- */

/* The two words after the digest, in a text that ends in AFTER. */
static void split_mark(char *line, char **ret_object, char **ret_srctree)
{
	char *object = strchr(line, ' ');
	char *srctree = object ? strchr(object + 1, ' ') : NULL;
	char *end = srctree ? strchr(srctree, '>') : NULL;

	if (!end || strcmp(end, AFTER))
		return;
	*ret_object = xstrndup(object + 1, srctree - object - 1);
	*ret_srctree = xstrndup(srctree + 1, end - srctree - 1);
}

void mark_read(int fd, char **ret_object, char **ret_srctree)
{
	char tail[2 * KILN_GLOB_MAX + 256];
	off_t before = lseek(fd, 0, SEEK_CUR), end = lseek(fd, 0, SEEK_END);
	size_t size = end < (off_t)sizeof(tail) - 1 ? end : sizeof(tail) - 1;
	ssize_t got = end < 0 ? -1 : pread(fd, tail, size, end - size);
	char *line = NULL;

	lseek(fd, before, SEEK_SET);
	*ret_object = *ret_srctree = NULL;
	if (got < 0)
		return;
	tail[got] = '\0';
	for (char *found = tail; (found = strstr(found, "\n" BEFORE)); found++)
		line = found + strlen("\n" BEFORE);
	if (line)
		split_mark(line, ret_object, ret_srctree);
}
