// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where tracers can hook in: each function that ftrace can trace has an entry in a
 * table, with the address of its call of mcount or fentry, or of the bytes that can
 * be patched.
 *
 *	vmlinux		words between __start_mcount_loc and __stop_mcount_loc. In one that
 *			can be relocated (arm64) they are zero, or not, and a relocation
 *			without a symbol says what they will be.
 *	object, module	sections of these names, and what they are relocated to
 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

/* Bytes; arm64's -fpatchable-function-entry=4,2 puts sites 8 before the function. */
#define BEFORE 16

static const char *const site_sections[] = {"__mcount_loc", "__patchable_function_entries"};

void diff_sites_release(struct diff_sites *sites)
{
	free(sites->sites);
}

static void add_site(struct diff_sites *sites, size_t section, uint64_t value)
{
	size_t capacity = sites->capacity ? sites->capacity * 2 : 256;

	if (sites->count == sites->capacity) {
		struct diff_address *grown =
			(struct diff_address *)realloc(sites->sites, capacity * sizeof(*grown));

		if (!grown) {
			sites->failed = true;
			return;
		}
		sites->sites = grown;
		sites->capacity = capacity;
	}
	sites->sites[sites->count++] = (struct diff_address){section, value};
}

/* ---- words ---- */

/* The word of the file's class and byte order at OFFSET; false: there is none. */
static bool read_word(const struct elf_file *file, const Elf_Data *data, uint64_t offset,
		      uint64_t *ret_word)
{
	bool is_big = file->header.e_ident[EI_DATA] == ELFDATA2MSB;
	size_t size = file->header.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
	const unsigned char *bytes;

	if (!data || !data->d_buf || offset > data->d_size || data->d_size - offset < size)
		return false;
	bytes = (const unsigned char *)data->d_buf + offset;
	*ret_word = 0;
	for (size_t i = 0; i < size; i++)
		*ret_word = *ret_word << 8 | bytes[is_big ? i : size - 1 - i];
	return true;
}

/* ---- relocations ---- */

struct relocation {
	uint64_t offset, addend;
	size_t symbol;
	bool has_addend; /* else it is where it is to be put */
};

/* False: the section has no such relocation. */
static bool read_relocation(Elf_Data *data, const GElf_Shdr *header, size_t index,
			    struct relocation *ret_relocation)
{
	GElf_Rela rela;
	GElf_Rel rel;

	if (header->sh_type == SHT_RELA && gelf_getrela(data, (int)index, &rela)) {
		*ret_relocation = (struct relocation){rela.r_offset, (uint64_t)rela.r_addend,
						      GELF_R_SYM(rela.r_info), true};
		return true;
	}
	if (header->sh_type == SHT_REL && gelf_getrel(data, (int)index, &rel)) {
		*ret_relocation =
			(struct relocation){rel.r_offset, 0, GELF_R_SYM(rel.r_info), false};
		return true;
	}
	return false;
}

static size_t nr_entries(const Elf_Data *data, const GElf_Shdr *header)
{
	size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	return count > INT32_MAX ? 0 : count;
}

/* ---- linked files ---- */

/* The section that has the bytes from START on, and where in them. */
static Elf_Data *find_data(const struct elf_file *file, uint64_t start, uint64_t *ret_offset)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    header.sh_type == SHT_NOBITS || start < header.sh_addr ||
		    start - header.sh_addr >= header.sh_size)
			continue;
		*ret_offset = start - header.sh_addr;
		return elf_getdata(section, NULL);
	}
	return NULL;
}

/* What has no symbol is an address in the file itself, whatever the machine calls it. */
static void apply(struct diff_sites *sites, Elf_Data *data, const GElf_Shdr *header, uint64_t start,
		  size_t word_size)
{
	for (size_t i = 0; i < nr_entries(data, header); i++) {
		struct relocation relocation;
		uint64_t index;

		if (!read_relocation(data, header, i, &relocation) || relocation.symbol ||
		    !relocation.has_addend || relocation.offset < start)
			continue;
		index = (relocation.offset - start) / word_size;
		if (index < sites->count)
			sites->sites[index].value = relocation.addend;
	}
}

static void apply_relocations(struct diff_sites *sites, const struct elf_file *file, uint64_t start,
			      size_t word_size)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    header.sh_flags & SHF_ALLOC)
			apply(sites, elf_getdata(section, NULL), &header, start, word_size);
	}
}

static enum cli_status read_linked(struct diff_sites *sites, const struct elf_file *file,
				   uint64_t start, uint64_t stop)
{
	size_t size = file->header.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
	uint64_t offset = 0, word;
	Elf_Data *data;

	if (stop <= start)
		return CLI_OK;
	sites->has_table = true;
	data = find_data(file, start, &offset);
	for (uint64_t at = 0; at < stop - start; at += size) {
		if (!read_word(file, data, offset + at, &word))
			return elf_file_damaged(file, "its table of mcount sites is cut");
		add_site(sites, 0, word);
	}
	if (!sites->failed)
		apply_relocations(sites, file, start, size);
	return CLI_OK;
}

/* ---- object files ---- */

static bool is_site_section(const char *name)
{
	for (size_t i = 0; i < sizeof(site_sections) / sizeof(site_sections[0]); i++) {
		if (!strcmp(name, site_sections[i]))
			return true;
	}
	return false;
}

static bool read_object_site(struct diff_sites *sites, const struct elf_file *file,
			     Elf_Data *target, Elf_Data *symbols, struct relocation *relocation)
{
	GElf_Sym symbol;

	if (!relocation->has_addend &&
	    !read_word(file, target, relocation->offset, &relocation->addend))
		return false;
	if (!symbols || relocation->symbol > INT32_MAX ||
	    !gelf_getsym(symbols, (int)relocation->symbol, &symbol))
		return false;
	add_site(sites, symbol.st_shndx, symbol.st_value + relocation->addend);
	return true;
}

static enum cli_status read_object_sites(struct diff_sites *sites, const struct elf_file *file,
					 Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Data *target = elf_getdata(elf_getscn(file->elf, header->sh_info), NULL);
	Elf_Data *symbols = elf_getdata(elf_getscn(file->elf, header->sh_link), NULL);

	sites->has_table = true;
	for (size_t i = 0; i < nr_entries(data, header); i++) {
		struct relocation relocation;

		if (!read_relocation(data, header, i, &relocation) ||
		    !read_object_site(sites, file, target, symbols, &relocation))
			return elf_file_damaged(file, "its table of mcount sites is cut");
	}
	return CLI_OK;
}

static enum cli_status read_object(struct diff_sites *sites, const struct elf_file *file)
{
	enum cli_status status = CLI_OK;
	Elf_Scn *section = NULL;

	while (status == CLI_OK && (section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header, target;
		Elf_Scn *about;

		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_RELA && header.sh_type != SHT_REL))
			continue;
		about = elf_getscn(file->elf, header.sh_info);
		if (about && gelf_getshdr(about, &target) &&
		    is_site_section(elf_section_name(file, &target)))
			status = read_object_sites(sites, file, section, &header);
	}
	return status;
}

enum cli_status diff_sites_read(struct diff_sites *sites, const struct elf_file *file,
				uint64_t start, uint64_t stop)
{
	enum cli_status status = file->header.e_type == ET_REL
					 ? read_object(sites, file)
					 : read_linked(sites, file, start, stop);

	return status == CLI_OK && sites->failed ? cli_no_memory() : status;
}

/* ---- functions ---- */

int diff_compare_addresses(const struct diff_address *a, const struct diff_address *b)
{
	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* The first of the code that is behind the address. */
static size_t first_behind(const struct diff_address *site, const struct diff_code *code,
			   size_t nr_code)
{
	size_t low = 0, high = nr_code;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (diff_compare_addresses(&code[middle].at, site) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Marks all that begin where the code before BEHIND does and cover the site. */
static bool mark_covering(const struct diff_address *site, const struct diff_code *code,
			  size_t behind, enum diff_side side)
{
	bool is_marked = false;

	for (size_t i = behind; i--;) {
		if (diff_compare_addresses(&code[i].at, &code[behind - 1].at))
			break;
		if (code[i].at.section != site->section ||
		    site->value - code[i].at.value >= code[i].size)
			continue;
		code[i].symbol->sides[side].is_traceable = true;
		is_marked = true;
	}
	return is_marked;
}

static void mark_behind(const struct diff_address *site, const struct diff_code *code,
			size_t behind, size_t nr_code, enum diff_side side)
{
	for (size_t i = behind; i < nr_code; i++) {
		if (code[i].at.section != site->section ||
		    code[i].at.value - site->value > BEFORE ||
		    diff_compare_addresses(&code[i].at, &code[behind].at))
			break;
		code[i].symbol->sides[side].is_traceable = true;
	}
}

void diff_mark_traceable(const struct diff_sites *sites, const struct diff_code *code,
			 size_t nr_code, enum diff_side side)
{
	for (size_t i = 0; i < sites->count; i++) {
		const struct diff_address *site = &sites->sites[i];
		size_t behind = first_behind(site, code, nr_code);

		if (!mark_covering(site, code, behind, side))
			mark_behind(site, code, behind, nr_code, side);
	}
}
