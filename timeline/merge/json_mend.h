/*
 * Turns text that its producer meant as JSON into JSON that every parser accepts, with as much of
 * the content as there is. Bytes that are not UTF-8 become U+FFFD, control bytes and stray quotes
 * are escaped, words that are not values (NaN) become strings, missing commas and brackets are
 * added.
 */
#ifndef STEPSTAT_TIMELINE_MERGE_JSON_MEND_H
#define STEPSTAT_TIMELINE_MERGE_JSON_MEND_H

#include "base/text.h"
#include "ingest/json/json_index.h"

/* Adds the text to `out`. The index is for scratch. */
void json_mend(struct json_index *index, const char *bytes, size_t size, struct text *out);

#endif
