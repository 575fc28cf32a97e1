/* CPU time of sorting event records: `sort_events COUNT BUFFER_BYTES LATE_PERCENT [FOLDER]`, 40
 * bytes each on 32 lanes, LATE_PERCENT of them out of order in their lane (100: all at random).
 * Prints ns per record of adding, sorting and reading, and bytes per record on disk. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "ingest/events/spill.h"

struct record {
	uint64_t lane, start;
	int64_t dur_ps;
	uint32_t name, kind;
	uint64_t correlation;
};

static uint64_t next_random(uint64_t *state) /* xorshift64 (Marsaglia 2003) */
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct record make(uint64_t i, uint64_t late_percent, uint64_t *random)
{
	uint64_t at_ps = i * 500000, shift = next_random(random);

	if (shift % 100 < late_percent)
		at_ps -= (shift >> 20) % (late_percent == 100 ? at_ps + 1 : 50000000000);
	return (struct record){
		.lane = next_random(random) % 32,
		.start = at_ps ^ UINT64_C(1) << 63,
		.dur_ps = (int64_t)(next_random(random) % 30000) * 1000,
		.name = (uint32_t)(next_random(random) % 2000),
		.kind = (uint32_t)(shift >> 10) % 8,
		.correlation = i / 2,
	};
}

static int fail(const struct error *err)
{
	fprintf(stderr, "sort_events: %s: %s\n", err->place, err->message);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	uint64_t count = strtoull(argv[1], NULL, 10), late = strtoull(argv[3], NULL, 10);
	uint64_t random = 88172645463325252u, sum = 0;
	struct spill *spill = spill_new(&(struct spill_options){
		.record_bytes = sizeof(struct record),
		.buffer_bytes = (size_t)strtoull(argv[2], NULL, 10),
		.folder = argc > 4 ? argv[4] : NULL,
		.max_disk_bytes = UINT64_MAX,
		.what = "events",
	});
	struct error err;
	const void *at;
	double begin = cpu_ns();

	for (uint64_t i = 0; i < count; i++)
		sum += make(i, late, &random).start;
	double made = cpu_ns();

	for (uint64_t i = 0; i < count; i++) {
		struct record record = make(i, late, &random);

		if (spill_add(spill, &record, &err))
			return fail(&err);
	}
	double added = cpu_ns();

	if (spill_sort(spill, &err))
		return fail(&err);
	double sorted = cpu_ns();
	int got;

	while ((got = spill_next(spill, &at, &err)) == 1)
		sum += ((const struct record *)at)->start;
	if (got < 0)
		return fail(&err);
	double read = cpu_ns(), n = (double)count;

	printf("%.1f ns to add, %.1f to sort, %.1f to read; %.1f bytes on disk (checksum %x)\n",
		(added - made - (made - begin)) / n, (sorted - added) / n, (read - sorted) / n,
		(double)spill_disk_bytes(spill) / n, (unsigned)sum);
	spill_free(spill);
	return 0;
}
