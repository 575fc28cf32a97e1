/* Text for people on standard output and standard error: unchanged, or in ASCII on a terminal
 * without UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/output/outfile.h"
#include "model/issue/issue.h"

/* True if the descriptor is a terminal in a locale without UTF-8. A file or a pipe is UTF-8. */
bool screen_is_ascii(int fd);
/* Columns of standard output: COLUMNS, which is rarely exported, so that a user who sets it wants
 * it on a terminal or not; else those of the terminal. 0: any number, it is none. */
size_t screen_width(void);
/* Standard output for text. NULL: the error is set. */
struct outfile *screen_open(struct error *err);

/* Writes start and text as one line; hostile bytes in text are made visible. */
void diagnostic_line(const char *start, const char *text);

/* Prints the issue of this code as a note, for outputs that have no place for it; nothing
 * without such an issue. */
void diagnostic_issue(const struct issue_list *issues, const char *code);
