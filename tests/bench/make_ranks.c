/* Writes the ranks of one job as .obs files, rank_0000.obs and so on: ranks that are alike, or one
 * that is slow in all ops or in one. The same bytes for the same arguments. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tests/bench/made_obs.h"

#define USAGE                                                                                      \
	"usage: make_ranks FOLDER RANKS OPS STEPS [SLOW_RANK PERCENT [OP]]; ranks and ops from 0"
#define BASE_NS INT64_C(1700000000000000000)
#define PS_PER_S INT64_C(1000000000000)
/* Standard deviations of logarithms. */
#define SD_VALUE 0.02
#define SD_STEP 0.03 /* of all ops and ranks */
#define OP_LEAST_NS 2e3
#define OP_MOST_NS 2e6

struct job {
	const char *folder;
	uint64_t ranks, ops, steps;
	bool has_slow, slow_in_one;
	uint64_t slow_rank, slow_op;
	double slower; /* logarithm */
};

/* A state of its own for each thing, whatever is made before it. */
static uint64_t state_of(uint64_t what, uint64_t which)
{
	uint64_t state = what;

	return chance(&state) + which * UINT64_C(0xbf58476d1ce4e5b9);
}

static double op_log_ns(uint64_t op)
{
	uint64_t state = state_of(1, op);

	return log(OP_LEAST_NS) + fraction(&state) * log(OP_MOST_NS / OP_LEAST_NS);
}

/* value_ns[op * steps + step]; wall_ns[step] is their sum. */
static void fill_rank(const struct job *job, uint64_t rank, int64_t *value_ns, int64_t *wall_ns)
{
	memset(wall_ns, 0, job->steps * sizeof(*wall_ns));
	for (uint64_t op = 0; op < job->ops; op++) {
		const bool slow = job->has_slow && rank == job->slow_rank &&
				  (!job->slow_in_one || op == job->slow_op);
		const double centre = op_log_ns(op) + (slow ? job->slower : 0);
		uint64_t state = state_of(3 + rank, op);

		for (uint64_t i = 0; i < job->steps; i++) {
			uint64_t step = state_of(2, i);
			const double log_ns =
				centre + SD_STEP * normal(&step) + SD_VALUE * normal(&state);

			value_ns[op * job->steps + i] = llround(exp(log_ns));
			wall_ns[i] += value_ns[op * job->steps + i];
		}
	}
}

/* The steps of all ranks begin together, when the slowest rank that there may be is ready; the
 * length of a step is that of the ops alone. */
static void put_run(const struct job *job, uint64_t rank, const int64_t *wall_ns, struct bytes *out)
{
	uint64_t state = state_of(0, rank);
	struct bytes part = {0}, list = {0};
	char name[24];

	put_string(&part, 1, "");
	for (uint64_t i = 0; i < job->steps; i++)
		put_difference(&list, (int64_t)i, i ? (int64_t)i - 1 : 0);
	put_message(&part, 2, &list);
	for (uint64_t i = 0; i < job->steps; i++)
		put_fixed(&list, chance(&state), 8);
	put_message(&part, 3, &list);
	put_varint(&list, job->steps);
	put_message(&part, 4, &list); /* all have times */
	for (uint64_t i = 0; i < job->steps; i++)
		put_difference(&list, (int64_t)i * PS_PER_S, i ? ((int64_t)i - 1) * PS_PER_S : 0);
	put_message(&part, 5, &list);
	for (unsigned field = 6; field <= 7; field++) { /* wall and busy */
		for (uint64_t i = 0; i < job->steps; i++)
			put_varint(&list, (uint64_t)wall_ns[i] * PS_PER_NS);
		put_message(&part, field, &list);
	}
	for (uint64_t i = 0; i < job->steps; i++)
		put_difference(&list, BASE_NS, i ? BASE_NS : 0);
	put_message(&part, 8, &list);
	snprintf(name, sizeof(name), "%" PRIu64, rank);
	put_string(&part, 10, name);
	put_message(out, 6, &part);
	free(part.data);
	free(list.data);
}

static void put_op(uint64_t op, struct bytes *out)
{
	struct bytes part = {0};
	char name[64];

	snprintf(name, sizeof(name), "layer_%03" PRIu64 "/op_%03" PRIu64, op / 10, op);
	put_string(&part, 2, name);
	put_number(&part, 3, 1);
	put_number(&part, 4, 2);
	put_message(out, 7, &part);
	free(part.data);
}

/* Time, and requested bytes that are always the same. */
static void put_series(const int64_t *value_ns, uint64_t steps, uint64_t op, struct bytes *out)
{
	struct bytes part = {0}, column = {0}, list = {0};

	put_number(&part, 1, op);
	put_number(&column, 1, 0);
	put_number(&column, 2, PS_PER_NS);
	for (uint64_t i = 0; i < steps; i++)
		put_difference(&list, value_ns[i], i ? value_ns[i - 1] : 0);
	put_message(&column, 3, &list);
	put_message(&part, 3, &column);
	put_number(&column, 1, 1);
	put_difference(&list, 4096 * (int64_t)(op + 1), 0);
	put_message(&column, 3, &list);
	put_message(&part, 3, &column);
	put_message(out, 8, &part);
	free(part.data);
	free(column.data);
	free(list.data);
}

static void write_rank(const struct job *job, uint64_t rank, const struct bytes *out)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/rank_%04" PRIu64 ".obs", job->folder, rank);
	file = fopen(path, "wb");
	if (!file || fwrite(out->data, 1, out->size, file) != out->size || fclose(file))
		die("writing failed");
}

static void make_job(const struct job *job)
{
	int64_t *value_ns = room_for(job->ops * job->steps, sizeof(*value_ns));
	int64_t *wall_ns = room_for(job->steps, sizeof(*wall_ns));
	struct bytes out = {0};

	for (uint64_t rank = 0; rank < job->ranks; rank++) {
		fill_rank(job, rank, value_ns, wall_ns);
		out.size = 0;
		put_head(&out, "made-up ranks");
		put_measure(&out, "cpu", "ps");
		put_measure(&out, "requested", "bytes");
		put_string(&out, 5, "MatMul");
		put_string(&out, 5, "/device:CPU:0");
		put_run(job, rank, wall_ns, &out);
		for (uint64_t op = 0; op < job->ops; op++)
			put_op(op, &out);
		for (uint64_t op = 0; op < job->ops; op++)
			put_series(value_ns + op * job->steps, job->steps, op, &out);
		put_end(&out, job->ops * job->steps);
		write_rank(job, rank, &out);
	}
	free(out.data);
	free(value_ns);
	free(wall_ns);
}

static uint64_t number_of(const char *word, uint64_t least, uint64_t most)
{
	char *end;
	const uint64_t value = strtoull(word, &end, 10);

	if (end == word || *end || value < least || value > most)
		die(USAGE);
	return value;
}

int main(int argc, char **argv)
{
	struct job job = {.has_slow = argc >= 7, .slow_in_one = argc == 8};

	if (argc != 5 && argc != 7 && argc != 8)
		die(USAGE);
	job.folder = argv[1];
	job.ranks = number_of(argv[2], 1, 10000);
	job.ops = number_of(argv[3], 1, 100000);
	job.steps = number_of(argv[4], 1, 100000);
	if (job.has_slow) {
		job.slow_rank = number_of(argv[5], 0, job.ranks - 1);
		job.slower = log1p((double)number_of(argv[6], 0, 1000) / 100);
	}
	if (job.slow_in_one)
		job.slow_op = number_of(argv[7], 0, job.ops - 1);
	if (mkdir(job.folder, 0777) != 0)
		die("cannot make the folder");
	make_job(&job);
	return 0;
}
