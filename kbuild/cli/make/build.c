// SPDX-License-Identifier: GPL-2.0-or-later
#include "make.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *make_value(const char *arg, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(arg, name, length))
		return NULL;
	arg += length;
	arg += strspn(arg, ":");
	return *arg == '=' ? arg + 1 : NULL;
}

/* "-C DIR", "-CDIR", "--directory=DIR": *INDEX is moved over a word of its own. */
static const char *directory_of(char *const *args, int nr_args, int *index)
{
	static const char *const words[] = {"-C", "--directory"};
	const char *arg = args[*index];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(arg, words[i]) && *index + 1 < nr_args)
			return args[++*index];
	}
	if (!strncmp(arg, "-C", 2) && arg[2])
		return arg + 2;
	return make_value(arg, "--directory");
}

static void read_variable(struct make_build *build, const char *arg)
{
	const struct {
		const char *name;
		const char **value;
	} variables[] = {
		{"CC", &build->cc},
		{"CROSS_COMPILE", &build->cross_compile},
		{"KBUILD_EXTMOD", &build->module},
		{"KBUILD_OUTPUT", &build->output},
		{"KCFLAGS", &build->kcflags},
		{"KRUSTFLAGS", &build->krustflags},
		{"LLVM", &build->llvm},
		{"M", &build->module},
		{"MO", &build->module_output},
		{"O", &build->output},
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = make_value(arg, variables[i].name);

		if (value)
			*variables[i].value = value;
	}
}

/* Flags are put after those of the user: that needs to know the whole of them. */
static enum cli_status refuse_addition(const char *arg)
{
	static const char *const names[] = {"KCFLAGS+=", "KRUSTFLAGS+="};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strncmp(arg, names[i], strlen(names[i])))
			return cli_trouble("'%s' adds to what kiln does not know; write it with '='", arg);
	}
	return CLI_OK;
}

static void enter_directory(struct make_build *build, const char *directory)
{
	if (directory[0] == '/')
		kiln_strbuf_reset(&build->directory);
	else
		kiln_strbuf_adds(&build->directory, "/");
	kiln_strbuf_adds(&build->directory, directory);
}

static enum cli_status read_arguments(struct make_build *build)
{
	enum cli_status status = CLI_OK;

	for (int i = 0; status == CLI_OK && i < build->nr_args; i++) {
		const char *directory = directory_of(build->args, build->nr_args, &i);

		if (directory)
			enter_directory(build, directory);
		else
			read_variable(build, build->args[i]);
		status = refuse_addition(build->args[i]);
	}
	return status;
}

/* Those that kbuild takes from the environment too. */
static void read_environment(struct make_build *build)
{
	build->cross_compile = getenv("CROSS_COMPILE");
	build->llvm = getenv("LLVM");
	build->module = getenv("KBUILD_EXTMOD");
	build->output = getenv("KBUILD_OUTPUT");
	build->kcflags = getenv("KCFLAGS");
	build->krustflags = getenv("KRUSTFLAGS");
}

/* As kbuild does, which would find its own directory there. False: errno tells. */
static bool make_directories(char *path)
{
	for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	return !mkdir(path, 0777) || errno == EEXIST;
}

/* PATH from DIRECTORY, without links and dots; it is there, or made where CREATE says so. */
static enum cli_status find_directory(const char *directory, const char *path, const char *what,
				      bool create, struct kiln_strbuf *ret_found)
{
	char found[PATH_MAX];
	struct kiln_strbuf whole;

	kiln_strbuf_init(&whole);
	if (path && path[0] == '/')
		kiln_strbuf_adds(&whole, path);
	else
		kiln_strbuf_addf(&whole, "%s/%s", directory, path ? path : ".");
	if (whole.failed) {
		kiln_strbuf_release(&whole);
		return cli_no_memory();
	}
	if ((create && !make_directories(whole.data)) || !realpath(whole.data, found)) {
		cli_trouble("the %s '%s' cannot be used: %s", what, whole.data, strerror(errno));
		kiln_strbuf_release(&whole);
		return CLI_TROUBLE;
	}
	kiln_strbuf_release(&whole);
	kiln_strbuf_reset(ret_found);
	kiln_strbuf_adds(ret_found, found);
	return ret_found->failed ? cli_no_memory() : CLI_OK;
}

static enum cli_status find_directories(struct make_build *build)
{
	const char *output = build->output && *build->output ? build->output : NULL;
	enum cli_status status =
		find_directory(build->directory.data, output, "output directory", output, &build->objtree);

	if (status != CLI_OK || !build->module || !*build->module)
		return status;
	if (build->module_output && *build->module_output)
		return find_directory(build->directory.data, build->module_output,
				      "module's output directory", true, &build->objects);
	if (output && build->module[0] != '/')
		return cli_trouble("M=%s: kernels differ in where that is when there is O=; give the "
				   "absolute path",
				   build->module);
	return find_directory(build->directory.data, build->module, "module's directory", false,
			      &build->objects);
}

static enum cli_status find_compiler(struct make_build *build)
{
	if (build->llvm && *build->llvm && strcmp(build->llvm, "0"))
		return cli_trouble("LLVM=%s builds with clang, which has no such plugins; 'kiln flags "
				   "POLICY' prints the nearest plain KCFLAGS",
				   build->llvm);
	if (build->cc)
		kiln_strbuf_adds(&build->compiler, build->cc);
	else
		kiln_strbuf_addf(&build->compiler, "%sgcc",
				 build->cross_compile ? build->cross_compile : "");
	if (!build->compiler.data[strspn(build->compiler.data, " \t")])
		return cli_trouble("CC= names no compiler");
	return build->compiler.failed ? cli_no_memory() : CLI_OK;
}

enum cli_status make_build_init(struct make_build *build, char *const *args, int nr_args)
{
	enum cli_status status;

	*build = (struct make_build){.args = args, .nr_args = nr_args};
	kiln_strbuf_init(&build->directory);
	kiln_strbuf_adds(&build->directory, ".");
	kiln_strbuf_init(&build->compiler);
	kiln_strbuf_init(&build->objtree);
	kiln_strbuf_init(&build->objects);
	read_environment(build);
	status = read_arguments(build);
	if (status == CLI_OK)
		status = find_compiler(build);
	if (status == CLI_OK)
		status = find_directories(build);
	if (status == CLI_OK && !build->objects.length)
		kiln_strbuf_adds(&build->objects, build->objtree.data);
	if (status == CLI_OK && build->objects.failed)
		status = cli_no_memory();
	return status;
}

void make_build_release(struct make_build *build)
{
	kiln_strbuf_release(&build->directory);
	kiln_strbuf_release(&build->compiler);
	kiln_strbuf_release(&build->objtree);
	kiln_strbuf_release(&build->objects);
}
