/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that the record of a compile goes to: .NAME.o.kiln beside the object.
 */
#ifndef KILN_RECORD_FILE_H
#define KILN_RECORD_FILE_H

#include "kiln/record.h"

/*
 * Writes RECORD for OBJECT, the object's file name (NULL: not known, and nothing
 * is written). A record never fails a compile: where there is no room for it or no
 * right to write, an earlier one is removed, since it tells of another object.
 */
void record_file_write(struct kiln_record *record, const char *object, bool verbose);

#endif
