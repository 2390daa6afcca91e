// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "stamp.h"
#include "kiln/cpu.h"
#include "kiln/strbuf.h"

#define NAME "Kiln"
#define TYPE 1

static struct kiln_strbuf text;

static void write_text(const struct kiln_verdict *verdict, const char *digest)
{
	bool has_cpu = false;

	kiln_strbuf_init(&text);
	kiln_strbuf_addf(&text, "kiln %s\ngcc %s\npolicy sha256:%s\n", KILN_VERSION,
			 gcc_version.basever, digest);
	for (size_t i = 0; i < verdict->nr_flags; i++) {
		const char *flag = verdict->flags[i]->flag;

		if (!kiln_flag_is_extension(flag) && strncmp(flag, "-m", 2))
			continue;
		kiln_strbuf_addf(&text, "%s %s%s", has_cpu ? "" : "cpu",
				 verdict->flags[i]->optional ? "?" : "", flag);
		has_cpu = true;
	}
	if (has_cpu)
		kiln_strbuf_adds(&text, "\n");
	if (text.failed)
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
}

/* PLUGIN_FINISH_UNIT comes when all else was written, with -S as with -c. */
static void write_note(void *, void *)
{
	if (!asm_out_file)
		return;
	/* "%note" and not "@note": '@' begins a comment for some assemblers. */
	fprintf(asm_out_file, "\t.pushsection .note.kiln,\"a\",%%note\n\t.balign 4\n"
		"\t.long %u\n\t.long %u\n\t.long %u\n\t.asciz \"" NAME "\"\n\t.balign 4\n\t.byte ",
		(unsigned)sizeof(NAME), (unsigned)text.length, TYPE);
	for (size_t i = 0; i < text.length; i++)
		fprintf(asm_out_file, "%s%u", i ? "," : "", (unsigned char)text.data[i]);
	fprintf(asm_out_file, "\n\t.balign 4\n\t.popsection\n");
}

void stamp_register(const char *plugin_name, const char *digest,
		    const struct kiln_verdict *verdict)
{
	write_text(verdict, digest);
	register_callback(plugin_name, PLUGIN_FINISH_UNIT, write_note, NULL);
}
