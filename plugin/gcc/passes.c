// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "passes.h"

static pass_data data_of(enum opt_pass_type type, const char *name)
{
	pass_data data = { type, name, OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0 };

	return data;
}

/*
 * An ipa_opt_pass_d, because GCC finds "inline" only for a pass of the same type.
 * It has no summaries and transforms nothing.
 */
class kiln_ipa_pass : public ipa_opt_pass_d
{
public:
	kiln_ipa_pass(const pass_data &data, void (*function)(void))
		: ipa_opt_pass_d(data, g, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL),
		  m_function(function)
	{
	}

	unsigned int execute(::function *) final override
	{
		m_function();
		return 0;
	}

private:
	void (*m_function)(void);
};

class kiln_gimple_pass : public gimple_opt_pass
{
public:
	kiln_gimple_pass(const pass_data &data, void (*function)(void))
		: gimple_opt_pass(data, g), m_function(function)
	{
	}

	unsigned int execute(::function *) final override
	{
		m_function();
		return 0;
	}

private:
	void (*m_function)(void);
};

class kiln_rtl_pass : public rtl_opt_pass
{
public:
	kiln_rtl_pass(const pass_data &data, void (*function)(void))
		: rtl_opt_pass(data, g), m_function(function)
	{
	}

	unsigned int execute(::function *) final override
	{
		m_function();
		return 0;
	}

private:
	void (*m_function)(void);
};

/* The passes live as long as the compiler. */
static void add(const char *plugin_name, opt_pass *pass, const char *reference,
		enum pass_positioning_ops position)
{
	struct register_pass_info info = { pass, reference, 1, position };

	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

void passes_add_ipa(const char *plugin_name, const char *name, void (*execute)(void),
		    const char *reference, bool before)
{
	add(plugin_name, new kiln_ipa_pass(data_of(IPA_PASS, name), execute), reference,
	    before ? PASS_POS_INSERT_BEFORE : PASS_POS_INSERT_AFTER);
}

void passes_add_gimple(const char *plugin_name, const char *name, void (*execute)(void),
		       const char *reference)
{
	add(plugin_name, new kiln_gimple_pass(data_of(GIMPLE_PASS, name), execute), reference,
	    PASS_POS_INSERT_BEFORE);
}

void passes_add_rtl(const char *plugin_name, const char *name, void (*execute)(void),
		    const char *reference)
{
	add(plugin_name, new kiln_rtl_pass(data_of(RTL_PASS, name), execute), reference,
	    PASS_POS_INSERT_AFTER);
}
