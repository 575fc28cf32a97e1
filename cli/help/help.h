/*
 * The words that `stepstat help` knows.
 */
#ifndef STEPSTAT_CLI_HELP_HELP_H
#define STEPSTAT_CLI_HELP_HELP_H

/* Calls `add` with each. Options have help too, but are not among them. */
void help_words(void (*add)(void *context, const char *word), void *context);

#endif
