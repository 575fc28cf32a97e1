/* Rows of a CSV stream: quoting by libcsv in its strict mode, lines and columns counted here. It
 * does not know what the fields mean. */
#pragma once

#include <stddef.h>
#include "base/error.h"
#include "ingest/input/input.h"
#include "ingest/table/cell_rows.h"

/* Separator: `,`, `;` or tab. A byte order mark at the start is passed over. Texts have lost the
 * blanks around them unless they were quoted, and "" in quotes is given; places are
 * FILE:LINE:COLUMN of the first character. A row whose fields are all missing is blank. */
struct cell_rows *csv_rows_new(struct input *in, char separator, size_t max_record_bytes);
void csv_rows_free(struct cell_rows *rows); /* NULL is fine */

/* The separator that the first line (of these bytes) has most of; 0 when it has none. */
char csv_separator(const unsigned char *bytes, size_t size);
