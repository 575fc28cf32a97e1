/*
 * A temporary file without a name, which is gone when it is closed. It does not read or write it.
 */
#ifndef STEPSTAT_BASE_TEMPORARY_FILE_H
#define STEPSTAT_BASE_TEMPORARY_FILE_H

#include "base/error.h"

/* In the folder; NULL: /tmp. The descriptor, or -1 with ERROR_OUTPUT; `what` says what the file is
 * for: "in which events are sorted". */
int temporary_file_open(const char *folder, const char *what, struct error *err);
/* ERROR_OUTPUT with the folder, "cannot DOING the temporary file WHAT" and the system's word for
 * errno. Always -1. */
int temporary_file_failed(
	const char *folder, const char *doing, const char *what, struct error *err);

#endif
