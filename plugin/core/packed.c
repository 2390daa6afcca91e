// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/packed.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "banned.h"

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Ehdr file_header;
typedef Elf64_Shdr section_header;
#define CLASS ELFCLASS64
#else
typedef Elf32_Ehdr file_header;
typedef Elf32_Shdr section_header;
#define CLASS ELFCLASS32
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DATA ELFDATA2LSB
#else
#define DATA ELFDATA2MSB
#endif

struct file {
	int fd;
	size_t size;
};

/* The bytes at OFFSET, with a NUL behind them; NULL: they are not all there, or errno. */
static char *read_at(const struct file *file, size_t offset, size_t size)
{
	char *bytes;
	ssize_t count;

	if (offset > file->size || size > file->size - offset)
		return NULL;
	bytes = (char *)malloc(size + 1);
	if (!bytes)
		return NULL;
	for (size_t done = 0; done < size; done += (size_t)count) {
		count = pread(file->fd, bytes + done, size - done, (off_t)(offset + done));
		if (count <= 0) {
			free(bytes);
			return NULL;
		}
	}
	bytes[size] = '\0';
	return bytes;
}

static bool is_of_this_machine(const file_header *header)
{
	return !memcmp(header->e_ident, ELFMAG, SELFMAG) && header->e_ident[EI_CLASS] == CLASS &&
	       header->e_ident[EI_DATA] == DATA &&
	       header->e_shentsize == sizeof(section_header) && header->e_shstrndx < header->e_shnum;
}

static enum kiln_packed read_section(const struct file *file, const section_header *section,
				     struct kiln_strbuf *ret_text)
{
	char *text = read_at(file, section->sh_offset, section->sh_size);

	if (!text)
		return KILN_PACKED_BAD;
	kiln_strbuf_add(ret_text, text, section->sh_size);
	free(text);
	if (!ret_text->failed)
		return KILN_PACKED_FOUND;
	errno = ENOMEM;
	return KILN_PACKED_BAD;
}

static enum kiln_packed find_section(const struct file *file, const file_header *header,
				     const section_header *sections, struct kiln_strbuf *ret_text)
{
	const section_header *strings = &sections[header->e_shstrndx];
	char *names = read_at(file, strings->sh_offset, strings->sh_size);
	enum kiln_packed result = names ? KILN_PACKED_NONE : KILN_PACKED_BAD;

	for (unsigned i = 0; result == KILN_PACKED_NONE && i < header->e_shnum; i++) {
		if (sections[i].sh_name < strings->sh_size && sections[i].sh_type == SHT_PROGBITS &&
		    !strcmp(names + sections[i].sh_name, KILN_PACKED_SECTION))
			result = read_section(file, &sections[i], ret_text);
	}
	free(names);
	return result;
}

static enum kiln_packed read_open(const struct file *file, struct kiln_strbuf *ret_text)
{
	file_header *header = (file_header *)(void *)read_at(file, 0, sizeof(*header));
	section_header *sections = NULL;
	enum kiln_packed result = KILN_PACKED_BAD;

	if (header && is_of_this_machine(header))
		sections = (section_header *)(void *)read_at(
			file, header->e_shoff, header->e_shnum * sizeof(*sections));
	if (sections)
		result = find_section(file, header, sections, ret_text);
	free(sections);
	free(header);
	return result;
}

enum kiln_packed kiln_packed_read(const char *path, struct kiln_strbuf *ret_text)
{
	struct file file = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
	enum kiln_packed result = KILN_PACKED_BAD;
	struct stat there;
	int error;

	if (file.fd < 0)
		return KILN_PACKED_BAD;
	errno = 0;
	if (!fstat(file.fd, &there)) {
		file.size = (size_t)there.st_size;
		result = read_open(&file, ret_text);
	}
	error = errno;
	close(file.fd);
	errno = error;
	return result;
}
