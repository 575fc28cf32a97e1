/* gzip into an outfile, without a name and without a time, so that equal contents are equal files.
 * Errors of zlib are reported at the end, those of the outfile by its commit. */
#pragma once

#include <stddef.h>
#include "base/error.h"
#include "base/output/outfile.h"

struct gzip_writer;

/* Writes to `out`, which stays the caller's and outlives it. */
struct gzip_writer *gzip_writer_new(struct outfile *out);
void gzip_writer_write(struct gzip_writer *gzip, const void *bytes, size_t n);
/* Ends the gzip and frees the writer in every case. After an error (ERROR_OUTPUT) the outfile is
 * incomplete and must be discarded. NULL is fine. */
int gzip_writer_finish(struct gzip_writer *gzip, struct error *err);
void gzip_writer_discard(struct gzip_writer *gzip); /* frees; NULL is fine */
