/*
 * The number of a step in the name of the file that holds it alone.
 */
#ifndef STEPSTAT_INGEST_STEP_NAME_H
#define STEPSTAT_INGEST_STEP_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* "run_meta_12.pb.gz" is 12: the digits at the end, without suffixes that begin with a letter. False: the name
 * has none that fits. */
bool step_number_in_name(const char *path, int64_t *number);

#endif
