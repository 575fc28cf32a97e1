/*
 * Lines on standard error: the only way anything gets there.
 */
#ifndef STEPSTAT_CLI_DIAGNOSTIC_H
#define STEPSTAT_CLI_DIAGNOSTIC_H

/* Writes start and text as one line; hostile bytes in text are made visible. */
void diagnostic_line(const char *start, const char *text);

#endif
