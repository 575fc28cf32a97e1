/*
 * A percentile from fewer requests has no interval with an end.
 */
#include "ingest/bench/bench_tails.h"

#define BEYOND_LEAST 10

bool bench_tail_is_known(struct bench *b, double percent, double requests, const char *what)
{
	const double beyond = requests * (1 - percent / 100);

	if (requests <= 0 || beyond >= BEYOND_LEAST - 1e-6)
		return true;
	text_clear(&b->scratch);
	text_printf(&b->scratch, "%s: %s of %.0f requests", b->out->path, what, requests);
	issue_add(&b->out->issues, ISSUE_LOSS, "bench-tail",
		"percentiles of too few requests (fewer than 10 beyond them): "
		"cannot tell, left "
		"out",
		1, text_string(&b->scratch));
	return false;
}
