/*
 * Counters of a long job: workers write them, and a display reads them. It shows nothing itself.
 */
#ifndef STEPSTAT_BASE_PROGRESS_H
#define STEPSTAT_BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

struct progress {
	_Atomic uint64_t bytes_done, bytes_total; /* of the files on disk, packed or not */
	_Atomic uint64_t files_done, files_total;
};

#endif
