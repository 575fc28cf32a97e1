/*
 * A text as a JSON string. It knows no documents.
 */
#ifndef STEPSTAT_BASE_JSON_TEXT_H
#define STEPSTAT_BASE_JSON_TEXT_H

#include "base/text.h"

/* Adds s in double quotes. Control bytes and bytes that are no UTF-8 are made visible first
 * (text_add_visible); U+2028 and U+2029, which end lines in scripts, are escaped. */
void json_text(struct text *line, const char *s);

#endif
