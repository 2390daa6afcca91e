/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes of the plugin's own: the C++ that GCC wants for one, around a function.
 */
#ifndef KILN_PASSES_H
#define KILN_PASSES_H

/*
 * Calls EXECUTE once, beside GCC's IPA pass REFERENCE. A pass before "inline" sees
 * the call graph as the inliner will; one after it sees what it decided, with the
 * bodies still as they were.
 */
void passes_add_ipa(const char *plugin_name, const char *name, void (*execute)(void),
		    const char *reference, bool before);

/* Calls EXECUTE for each function, before GCC's GIMPLE pass REFERENCE. */
void passes_add_gimple(const char *plugin_name, const char *name, void (*execute)(void),
		       const char *reference);

/* Calls EXECUTE for each function that is put out, after the RTL pass REFERENCE. */
void passes_add_rtl(const char *plugin_name, const char *name, void (*execute)(void),
		    const char *reference);

#endif
