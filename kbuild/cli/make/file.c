// SPDX-License-Identifier: GPL-2.0-or-later
#include "make.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool make_file_has(const char *path, const struct kiln_strbuf *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct kiln_strbuf there;
	bool same;

	if (fd < 0)
		return false;
	kiln_strbuf_init(&there);
	same = !kiln_strbuf_read_fd(&there, fd) && there.length == text->length &&
	       !memcmp(there.data, text->data, text->length);
	close(fd);
	kiln_strbuf_release(&there);
	return same;
}

enum cli_status make_write_file(const char *path, const struct kiln_strbuf *text)
{
	struct kiln_strbuf temporary;
	bool written;
	FILE *file;

	kiln_strbuf_init(&temporary);
	kiln_strbuf_addf(&temporary, "%s.tmp", path);
	unlink(temporary.data);
	file = fopen(temporary.data, "wxe");
	written = file && fwrite(text->data, 1, text->length, file) == text->length;
	if (file)
		written = !fclose(file) && written;
	written = written && !rename(temporary.data, path);
	if (!written) {
		cli_trouble("'%s' cannot be written: %s", path, strerror(errno));
		unlink(temporary.data);
	}
	kiln_strbuf_release(&temporary);
	return written ? CLI_OK : CLI_TROUBLE;
}
