/*
 * Text that its producer meant as JSON, made JSON: what any reader of JSON takes, with as much of
 * the content as there is. Bytes that are no UTF-8 become U+FFFD, control bytes and stray quotes
 * are escaped, words that are no values (NaN) become strings, missing commas and brackets are put
 * in.
 */
#ifndef STEPSTAT_TIMELINE_JSON_MEND_H
#define STEPSTAT_TIMELINE_JSON_MEND_H

#include "base/text.h"
#include "ingest/chrome/json_index.h"

/* Adds the text to `out`. The index is for scratch. */
void json_mend(struct json_index *index, const char *bytes, size_t size, struct text *out);
/* Adds a string with its quotes. `escaped`: the bytes are the inside of a JSON string, whose
 * escapes stay; else plain text. */
void json_mend_string(const char *bytes, size_t size, bool escaped, struct text *out);

#endif
