/* The recorded job of tests/data/ranks: times of each op type in each rank and step, as arrays. It
 * computes nothing but sums of two types. */
#pragma once

#include "tests/ref/values.h"

#include <zlib.h>
#include "stats/job/rank_split.h"
#include "tests/unit/test.h"

#define RANK_JOB "tests/data/ranks/AR.csv.gz"
#define RANK_JOB_SPLIT "tests/data/ranks/AR.expected_split.csv"
#define RANK_JOB_SLOWEST "tests/data/ranks/AR.expected_slowest.csv"

enum { JOB_RANKS = 16, JOB_STEPS = 44, JOB_OPS = 20 };

struct rank_job {
	size_t ranks, steps, ops;
	long rank_number[JOB_RANKS], step_number[JOB_STEPS];
	size_t group[JOB_RANKS];
	char op[JOB_OPS][64];
	double time_ns[JOB_OPS][JOB_RANKS * JOB_STEPS];
};

static inline size_t rank_job_number(long *known, size_t *count, size_t room, const char *word)
{
	const long number = strtol(word, NULL, 10);

	for (size_t i = 0; i < *count; i++)
		if (known[i] == number)
			return i;
	assert_true(*count < room);
	known[*count] = number;
	return (*count)++;
}

static inline size_t rank_job_op(struct rank_job *job, const char *name)
{
	for (size_t i = 0; i < job->ops; i++)
		if (strcmp(job->op[i], name) == 0)
			return i;
	assert_true(job->ops < JOB_OPS);
	snprintf(job->op[job->ops], sizeof(job->op[0]), "%s", name);
	for (size_t i = 0; i < (size_t)JOB_RANKS * JOB_STEPS; i++)
		job->time_ns[job->ops][i] = NAN;
	return job->ops++;
}

/* run,rank,group,step,op,measure,value,unit: no field is quoted. The file is sorted by rank, and
 * rank 0 has all steps in order. */
static inline void rank_job_line(struct rank_job *job, char *line)
{
	char *field[8], *rest = line;
	double value_ns;
	size_t rank, step;

	for (size_t i = 0; i < 8; i++) {
		field[i] = strsep(&rest, ",\n");
		assert_non_null(field[i]);
	}
	if (strcmp(field[5], "time") != 0)
		return;
	rank = rank_job_number(job->rank_number, &job->ranks, JOB_RANKS, field[1]);
	step = rank_job_number(job->step_number, &job->steps, JOB_STEPS, field[3]);
	job->group[rank] = (size_t)(field[2][strlen("stage ")] - '0');
	assert_true(number_parse_real(field[6], strlen(field[6]), &value_ns));
	job->time_ns[rank_job_op(job, field[4])][rank * JOB_STEPS + step] = value_ns;
}

/* Forward and backward, which is what the ranks do without waiting. */
static inline void rank_job_add_compute(struct rank_job *job)
{
	const double *const forward = job->time_ns[rank_job_op(job, "forward-compute")];
	const double *const backward = job->time_ns[rank_job_op(job, "backward-compute")];
	double *const sum = job->time_ns[rank_job_op(job, "compute")];

	for (size_t i = 0; i < (size_t)JOB_RANKS * JOB_STEPS; i++)
		sum[i] = forward[i] + backward[i];
}

static inline struct rank_job *rank_job_read(void)
{
	struct rank_job *job = calloc(1, sizeof(*job));
	const char *top = getenv("top_srcdir");
	char line[REF_LINE_SIZE];
	gzFile file;

	assert_non_null(job);
	snprintf(line, sizeof(line), "%s/%s", top ? top : ".", RANK_JOB);
	file = gzopen(line, "rb");
	if (!file)
		fail_msg("cannot open %s", line);
	assert_non_null(gzgets(file, line, sizeof(line))); /* the header */
	while (gzgets(file, line, sizeof(line)))
		rank_job_line(job, line);
	gzclose(file);
	assert_int_equal(job->ranks, JOB_RANKS);
	assert_int_equal(job->steps, JOB_STEPS);
	rank_job_add_compute(job);
	return job;
}

static inline struct rank_matrix rank_job_matrix(const struct rank_job *job, const char *op)
{
	struct rank_matrix m = {NULL, JOB_RANKS, JOB_STEPS, job->group};

	for (size_t i = 0; i < job->ops; i++)
		if (strcmp(job->op[i], op) == 0)
			m.x = job->time_ns[i];
	assert_non_null(m.x);
	return m;
}
