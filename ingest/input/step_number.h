/* The number of a step in the name of the file that holds it alone. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* "run_meta_12.pb.gz" is 12: the digits at the end, without suffixes that begin with a letter.
 * False: the name has none that fits. */
bool step_number_in_name(const char *path, int64_t *number);
/* The same where words follow the number: "timeline_100_mem.json" is 100. It is the number at the
 * end, else the last one that stands alone between '_', '-' and '.'. "1.timeline_0" is 0. */
bool step_number_among_words(const char *path, int64_t *number);
