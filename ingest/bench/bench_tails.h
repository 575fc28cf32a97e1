/*
 * Percentiles of requests: from how many one is known.
 */
#ifndef STEPSTAT_INGEST_BENCH_BENCH_TAILS_H
#define STEPSTAT_INGEST_BENCH_BENCH_TAILS_H

#include "ingest/bench/bench.h"

/* True if 10 of the requests lie beyond the percentile, or their number is not known (0). Else it
 * is said that `what` is left out. */
bool bench_tail_is_known(struct bench *b, double percent, double requests, const char *what);

#endif
