/*
 * Progress of a long reading on standard error, when that is a terminal: nothing in the first
 * second, then a line that is erased at the end.
 */
#ifndef STEPSTAT_CLI_PROGRESS_LINE_H
#define STEPSTAT_CLI_PROGRESS_LINE_H

#include "ingest/load.h"

struct progress_line;

/* NULL when nothing will be shown. `progress` must outlive the line. */
struct progress_line *progress_line_start(struct progress *progress);
void progress_line_stop(struct progress_line *line); /* NULL is fine */

#endif
