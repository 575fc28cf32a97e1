/*
 * The inverse of text_add_visible, for names in tables, which have \xNN for bytes that no text may
 * hold. It changes only what that function would write.
 */
#ifndef STEPSTAT_BASE_TEXT_UNESCAPE_H
#define STEPSTAT_BASE_TEXT_UNESCAPE_H

#include "base/arena.h"

/* The bytes with this visible form; the text itself when nothing in it was made visible. */
const char *visible_decode(const char *text, struct arena *arena);

#endif
