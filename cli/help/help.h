/* The words that `stepstat help` knows. */
#pragma once

/* Calls `add` with each. Options have help too, but are not among them. */
void help_words(void (*add)(void *context, const char *word), void *context);
