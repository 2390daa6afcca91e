// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli.h"

#include <sys/utsname.h>

#include "kiln/nearest.h"

static enum cli_status load(struct kiln_policy *policy, char *const *names, int count)
{
	struct cli_sink sink;

	cli_sink_init(&sink);
	for (int i = 0; i < count; i++)
		kiln_policy_load(policy, names[i], &sink.sink);
	if (sink.trouble)
		return CLI_TROUBLE;
	return sink.errors ? CLI_BAD_POLICY : CLI_OK;
}

enum cli_status cli_load(char *const *names, int count, struct kiln_policy **ret_policy)
{
	return cli_load_for_cpu(NULL, names, count, ret_policy);
}

enum cli_status cli_load_for_cpu(const struct kiln_policy *cpu, char *const *names, int count,
				 struct kiln_policy **ret_policy)
{
	struct kiln_policy *policy = kiln_policy_new();
	enum cli_status status = CLI_OK;

	if (!policy)
		return cli_no_memory();
	if (cpu && kiln_policy_set_cpu(policy, cpu))
		status = cli_no_memory();
	if (status == CLI_OK)
		status = load(policy, names, count);
	if (status == CLI_OK)
		*ret_policy = policy;
	else
		kiln_policy_free(policy);
	return status;
}

static enum cli_status refuse_arch(const char *name)
{
	const char *nearest = kiln_nearest(name, kiln_arch_names());

	if (nearest)
		return cli_trouble("unknown architecture '%s'; did you mean '%s'?", name, nearest);
	return cli_trouble("unknown architecture '%s'; the names are those of GCC and of the "
			   "kernel, like 'x86_64' and 'arm64'",
			   name);
}

static const struct kiln_arch *host_arch(void)
{
	const struct kiln_arch *arch = NULL;
	struct utsname host;

	if (!uname(&host))
		arch = kiln_arch_find(host.machine);
	if (!arch)
		cli_note("this machine's architecture is unknown, so that no 'on' rule holds; "
			 "--arch=NAME chooses one");
	return arch;
}

enum cli_status cli_arch(const char *name, const struct kiln_arch **ret_arch)
{
	const struct kiln_arch *arch = name ? kiln_arch_find(name) : host_arch();

	if (name && !arch)
		return refuse_arch(name);
	*ret_arch = arch;
	return CLI_OK;
}

void cli_add_place(struct kiln_strbuf *sb, const struct kiln_setting *setting)
{
	kiln_strbuf_addf(sb, "%s:%u:%u", setting->rule->path, setting->rule->line, setting->column);
}

const char *cli_setting_name(const struct kiln_setting *setting)
{
	return setting->what == KILN_FLAG ? setting->flag : kiln_what_name(setting->what);
}

bool cli_verdict_has(const struct kiln_verdict *verdict, const struct kiln_setting *setting)
{
	for (size_t i = 0; i < verdict->nr_flags; i++) {
		if (verdict->flags[i] == setting)
			return true;
	}
	return setting == verdict->keep || setting == verdict->noinline ||
	       setting == verdict->inlined || setting == verdict->leave;
}
