// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "diag.h"
#include "record-file.h"

static char *record_path(const char *object)
{
	const char *slash = strrchr(object, '/');
	const char *name = slash ? slash + 1 : object;

	return xasprintf("%.*s.%s.kiln", (int)(name - object), object, name);
}

/* Into a file of its own: what is there may be a link, or a killed compile's. */
static bool write_file(const char *path, const struct kiln_strbuf *text)
{
	unlink(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return false;
	bool written = !kiln_strbuf_write_fd(text, fd);
	return !close(fd) && written;
}

void record_file_write(struct kiln_record *record, const char *object, bool verbose)
{
	if (!object)
		return;
	char *path = record_path(object);
	char *temporary = concat(path, ".tmp", NULL);

	kiln_record_end(record);
	if (record->text.failed || !write_file(temporary, &record->text) ||
	    rename(temporary, path)) {
		if (verbose)
			diag_plain(KILN_NOTE, "the record '%s' cannot be written: %s", path,
				   xstrerror(errno));
		unlink(temporary);
		unlink(path);
	}
	free(temporary);
	free(path);
}
