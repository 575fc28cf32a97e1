/* Arbitrary bytes through the reader of .part files, and what is read through the joins and the
 * statistics of ranks, also what was read before a mistake was found: the checksum at the end
 * refuses most inputs. */
#include <stdint.h>
#include "stats/job/rank_culprits.h"
#include "stats/job/rank_split.h"
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_row(const struct sums_set *set, const struct sums_row *row)
{
	for (size_t g = 0; g < row->group_count; g++) {
		const struct row_sums *sums = &row->group[g].sums;
		struct rank_split split;

		require(sums->steps == set->step_count && sums->slowest_count <= ROW_SUMS_SLOWEST);
		for (size_t i = 0; i < sums->slowest_count; i++)
			require(sums->slowest[i].rank < set->rank_count);
		for (size_t t = 0; t < sums->steps; t++)
			require(sums->longest_rank[t] < set->rank_count ||
				sums->longest_rank[t] == ROW_SUMS_SEVERAL);
		rank_split_compute(sums, 1, &split);
	}
}

static void test_rows(const struct sums_set *set)
{
	struct rank_culprits *c = rank_culprits_new(set->rank_count, set->step_count, NULL);
	const struct rank_culprit *named;
	size_t count;

	for (size_t k = 0; k < set->row_count; k++)
		for (size_t g = 0; g < set->row[k].group_count; g++)
			rank_culprits_row(c, k, &set->row[k].group[g].sums, NULL);
	named = rank_culprits_named(c, &count);
	for (size_t i = 0; i < count; i++)
		require(named[i].rank < set->rank_count && named[i].p >= 0);
	rank_culprits_free(c);
}

static void check_job(const struct profile *p)
{
	struct job_sums *copy = job_sums_new();
	uint32_t *to = arena_array(p->arena, p->step_count, sizeof(*to));
	struct error err = {.kind = ERROR_NONE};

	require(!p->job->steps || p->job->steps->step_count == p->step_count);
	for (size_t i = 0; i < p->job->set_count; i++) {
		for (size_t k = 0; k < p->job->set[i].row_count; k++)
			check_row(&p->job->set[i], &p->job->set[i].row[k]);
		test_rows(&p->job->set[i]);
	}
	for (uint32_t i = 0; i < p->step_count; i++)
		to[i] = i;
	require(job_sums_join(copy, p->job, to, &err) == 0);
	job_sums_sort(copy);
	require(copy->set_count == p->job->set_count);
	job_sums_free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 100000},
		.max_record_bytes = 100000,
	};
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	struct profile *p = profile_new("fuzz");

	if (reader_find("obs", &err)->read(in, p, &opt, &err) == 0)
		require(err.kind == ERROR_NONE && p->format_title && p->job);
	else
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			err.place[0]);
	check_profile(p);
	if (p->job)
		check_job(p);
	profile_free(p);
	input_close(in);
	return 0;
}
