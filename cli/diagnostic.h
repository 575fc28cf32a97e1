/*
 * Messages on standard error, a line each.
 */
#ifndef STEPSTAT_CLI_DIAGNOSTIC_H
#define STEPSTAT_CLI_DIAGNOSTIC_H

#include "model/issue/issue.h"

/* Writes start and text as one line; hostile bytes in text are made visible. */
void diagnostic_line(const char *start, const char *text);

/* Prints the issue of this code as a note, for outputs that have no place for it; nothing
 * without such an issue. */
void diagnostic_issue(const struct issue_list *issues, const char *code);

#endif
