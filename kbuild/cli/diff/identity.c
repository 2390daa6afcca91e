// SPDX-License-Identifier: GPL-2.0-or-later
#include "diff.h"

#include <stdio.h>
#include <string.h>

#define NOTE_OWNER "Kiln"

void diff_identity_init(struct diff_identity *identity)
{
	keep_table_init(&identity->machines, sizeof(struct keep_entry));
	keep_table_init(&identity->compilers, sizeof(struct keep_entry));
	keep_table_init(&identity->notes, sizeof(struct keep_entry));
	kiln_strbuf_init(&identity->config);
}

void diff_identity_release(struct diff_identity *identity)
{
	keep_table_release(&identity->machines);
	keep_table_release(&identity->compilers);
	keep_table_release(&identity->notes);
	kiln_strbuf_release(&identity->config);
}

static void read_machine(struct diff_identity *identity, const struct elf_file *file)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "ELF machine %u, %s bits, %s endian",
			      file->header.e_machine,
			      file->header.e_ident[EI_CLASS] == ELFCLASS32 ? "32" : "64",
			      file->header.e_ident[EI_DATA] == ELFDATA2MSB ? "big" : "little");

	keep_table_add(&identity->machines, text, (size_t)length);
}

/* Strings, each with a NUL after it. */
static void read_comment(struct diff_identity *identity, const Elf_Data *data)
{
	const char *text = (const char *)data->d_buf;
	size_t left = data->d_size;

	while (left) {
		size_t length = strnlen(text, left);

		if (length)
			keep_table_add(&identity->compilers, text, length);
		length += length < left;
		text += length;
		left -= length;
	}
}

/* The lines of the note, with ", " for a line's end. */
static void add_note(struct diff_identity *identity, const char *text, size_t length)
{
	struct kiln_strbuf line;

	kiln_strbuf_init(&line);
	while (length && (text[length - 1] == '\n' || !text[length - 1]))
		length--;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\n')
			kiln_strbuf_adds(&line, ", ");
		else
			kiln_strbuf_add(&line, &text[i], 1);
	}
	if (!line.failed)
		keep_table_add(&identity->notes, line.data, line.length);
	else
		identity->notes.failed = true;
	kiln_strbuf_release(&line);
}

static void read_notes(struct diff_identity *identity, Elf_Data *data)
{
	const char *text = (const char *)data->d_buf;
	size_t at = 0, name, description;
	GElf_Nhdr header;

	while (at < data->d_size &&
	       (at = gelf_getnote(data, at, &header, &name, &description)) > 0) {
		if (header.n_namesz == sizeof(NOTE_OWNER) &&
		    !memcmp(text + name, NOTE_OWNER, sizeof(NOTE_OWNER)))
			add_note(identity, text + description, header.n_descsz);
	}
}

/* Constants are where the configuration is; code need not be looked at. */
static bool may_have_config(const GElf_Shdr *header)
{
	return header->sh_type == SHT_PROGBITS && header->sh_flags & SHF_ALLOC &&
	       !(header->sh_flags & SHF_EXECINSTR);
}

static void read_section(struct diff_identity *identity, const struct elf_file *file,
			 Elf_Scn *section, const GElf_Shdr *header)
{
	const char *name = elf_section_name(file, header);
	bool wants_config = may_have_config(header) && !strncmp(name, ".rodata", 7) &&
			    !file->is_object && !identity->config.length;
	bool is_comment = !strcmp(name, ".comment");
	Elf_Data *data;

	if (header->sh_type != SHT_NOTE && !is_comment && !wants_config)
		return;
	data = elf_getdata(section, NULL);
	if (!data || !data->d_buf)
		return;
	if (header->sh_type == SHT_NOTE)
		read_notes(identity, data);
	else if (is_comment)
		read_comment(identity, data);
	else
		diff_config_find(data->d_buf, data->d_size, &identity->config);
}

enum cli_status diff_identity_read(struct diff_identity *identity, const struct elf_file *file)
{
	Elf_Scn *section = NULL;

	read_machine(identity, file);
	while ((section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			return elf_file_damaged(file, "a section's header cannot be read");
		read_section(identity, file, section, &header);
	}
	if (identity->machines.failed || identity->compilers.failed || identity->notes.failed ||
	    identity->config.failed)
		return cli_no_memory();
	return CLI_OK;
}
