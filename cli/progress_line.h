/*
 * Progress of a long reading on standard error, when that is a terminal: nothing in the first
 * second, then a line that is erased at the end.
 */
#ifndef STEPSTAT_CLI_PROGRESS_LINE_H
#define STEPSTAT_CLI_PROGRESS_LINE_H

#include "base/progress.h"

struct watch;

/* NULL when nothing will be shown. `progress` must outlive the watch. */
struct watch *watch_start(struct progress *progress);
void watch_stop(struct watch *watch); /* NULL is fine */

#endif
