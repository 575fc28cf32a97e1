/* Writes the runs of two configurations as .obs files for `make bench`, the same bytes for the same
 * options, and beside them all values as one array of numpy, for the references. Like make_dump it
 * takes nothing from the program that is measured: the format is ingest/proto/obs.proto. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tests/bench/made_obs.h"

#define NS_BETWEEN 1000000 /* steps */
#define CHANGE 0.1	   /* of the ops that take longer in the new configuration */
/* Standard deviations of logarithms. */
#define SD_STEP 0.15
#define SD_OP_RUN 0.02 /* an op in a run */
#define SD_RUN 0.01    /* all ops of a run */
#define OP_LEAST_NS 2e3
#define OP_MOST_NS 2e6

struct options {
	uint64_t runs; /* a side */
	uint64_t ops, steps, seed;
	uint64_t changed; /* one op in so many takes longer in the new configuration */
	const char *folder;
};

/* One run: its values in order of op, then of step. */
struct run {
	uint64_t number; /* over both sides */
	bool is_new;
	int64_t *value_ns;
	int64_t *wall_ns; /* of each step */
	double *as_double;
};

/* A state of its own for each thing, whatever is made before it. */
static uint64_t state_of(const struct options *opt, uint64_t what, uint64_t which)
{
	uint64_t state = opt->seed * UINT64_C(0xd1342543de82ef95) + what;

	return chance(&state) + which * UINT64_C(0xbf58476d1ce4e5b9);
}

/* ---- values ---- */

static double op_log_ns(const struct options *opt, uint64_t op, bool is_new)
{
	uint64_t state = state_of(opt, 1, op);
	double log_ns = log(OP_LEAST_NS) + fraction(&state) * log(OP_MOST_NS / OP_LEAST_NS);

	return log_ns + (is_new && op % opt->changed == 0 ? log1p(CHANGE) : 0);
}

static void fill_run(const struct options *opt, struct run *run)
{
	uint64_t shared = state_of(opt, 2, run->number);
	double run_effect = SD_RUN * normal(&shared);

	memset(run->wall_ns, 0, opt->steps * sizeof(*run->wall_ns));
	for (uint64_t op = 0; op < opt->ops; op++) {
		uint64_t state = state_of(opt, 3 + run->number, op);
		double centre =
			op_log_ns(opt, op, run->is_new) + run_effect + SD_OP_RUN * normal(&state);

		for (uint64_t i = 0; i < opt->steps; i++) {
			int64_t value = llround(exp(centre + SD_STEP * normal(&state)));

			run->value_ns[op * opt->steps + i] = value;
			run->as_double[op * opt->steps + i] = (double)value;
			run->wall_ns[i] += value;
		}
	}
}

/* ---- the .obs file ---- */

/* The steps follow each other; an op starts when the one before ends. */
static void put_run(const struct options *opt, const struct run *run, struct bytes *out,
	struct bytes *part, struct bytes *list)
{
	uint64_t state = state_of(opt, 0, run->number);
	int64_t start = 0, before = 0;

	put_string(part, 1, "");
	for (uint64_t i = 0; i < opt->steps; i++)
		put_difference(list, (int64_t)i, i ? (int64_t)i - 1 : 0);
	put_message(part, 2, list);
	for (uint64_t i = 0; i < opt->steps; i++)
		put_fixed(list, chance(&state), 8);
	put_message(part, 3, list);
	put_varint(list, opt->steps);
	put_message(part, 4, list); /* all have times */
	for (uint64_t i = 0; i < opt->steps; i++) {
		put_difference(list, start * PS_PER_NS, before * PS_PER_NS);
		before = start;
		start += run->wall_ns[i] + NS_BETWEEN;
	}
	put_message(part, 5, list);
	for (unsigned field = 6; field <= 7; field++) { /* wall and busy */
		for (uint64_t i = 0; i < opt->steps; i++)
			put_varint(list, (uint64_t)run->wall_ns[i] * PS_PER_NS);
		put_message(part, field, list);
	}
	put_message(out, 6, part);
}

static void put_op(uint64_t op, struct bytes *out, struct bytes *part)
{
	char name[80];

	snprintf(name, sizeof(name), "v/tower_%" PRIu64 "/cg/resnet/block_%04" PRIu64 "/conv2d",
		op / 1000, op % 1000);
	put_string(part, 2, name);
	put_number(part, 3, 1);
	put_number(part, 4, 2);
	put_message(out, 7, part);
}

static void put_series(const int64_t *value, uint64_t steps, uint64_t op, struct bytes *out,
	struct bytes *part, struct bytes *list)
{
	struct bytes column = {0};

	put_number(&column, 1, 0);
	put_number(&column, 2, PS_PER_NS);
	for (uint64_t i = 0; i < steps; i++)
		put_difference(list, value[i], i ? value[i - 1] : 0);
	put_message(&column, 3, list);
	put_number(part, 1, op);
	put_message(part, 3, &column);
	put_message(out, 8, part);
	free(column.data);
}

static void put_all(const struct options *opt, const struct run *run, struct bytes *out)
{
	struct bytes part = {0}, list = {0};

	put_head(out, "made-up runs");
	put_measure(out, "cpu", "ps");
	put_string(out, 5, "Conv2D");
	put_string(out, 5, "/device:CPU:0");
	put_run(opt, run, out, &part, &list);
	for (uint64_t op = 0; op < opt->ops; op++)
		put_op(op, out, &part);
	for (uint64_t op = 0; op < opt->ops; op++)
		put_series(run->value_ns + op * opt->steps, opt->steps, op, out, &part, &list);
	put_end(out, opt->ops * opt->steps);
	free(part.data);
	free(list.data);
}

/* ---- files ---- */

static void write_out(FILE *file, const void *data, size_t size)
{
	if (fwrite(data, 1, size, file) != size)
		die("writing failed");
}

static FILE *open_out(const struct options *opt, const char *name)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/%s", opt->folder, name);
	FILE *file = n > 0 && (size_t)n < sizeof(path) ? fopen(path, "wb") : NULL;

	if (!file)
		die("cannot write into the folder");
	return file;
}

static size_t write_run(const struct options *opt, const struct run *run)
{
	struct bytes out = {0};
	size_t size;
	char name[40];
	FILE *file;

	snprintf(name, sizeof(name), "%s/run_%02" PRIu64 ".obs", run->is_new ? "new" : "base",
		run->number % opt->runs);
	file = open_out(opt, name);
	put_all(opt, run, &out);
	size = out.size;
	write_out(file, out.data, size);
	if (fclose(file))
		die("writing failed");
	free(out.data);
	return size;
}

/* Version 1.0 of the .npy format: 128 bytes of head, then the array [runs][ops][steps]. */
static void write_npy_head(const struct options *opt, FILE *file)
{
	char head[129];
	int n = snprintf(head, sizeof(head),
		"%s{'descr': '<f8', 'fortran_order': False, 'shape': (%" PRIu64 ", %" PRIu64
		", %" PRIu64 "), }",
		"0123456789", 2 * opt->runs, opt->ops, opt->steps);

	if (n < 0 || n > 127)
		die("a head of values.npy that is too long");
	memset(head + n, ' ', sizeof(head) - (size_t)n);
	memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10); /* 118 bytes follow */
	head[127] = '\n';
	write_out(file, head, 128);
}

static void make_folder(const struct options *opt, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", opt->folder, name);
	if (mkdir(path, 0777) != 0)
		die("cannot make the folders base and new");
}

static void write_runs(const struct options *opt)
{
	uint64_t each = opt->ops * opt->steps;
	struct run run = {.value_ns = room_for(each, sizeof(*run.value_ns)),
		.as_double = room_for(each, sizeof(*run.as_double)),
		.wall_ns = room_for(opt->steps, sizeof(*run.wall_ns))};
	FILE *npy = open_out(opt, "values.npy");
	size_t total = 0;

	make_folder(opt, "base");
	make_folder(opt, "new");
	write_npy_head(opt, npy);
	for (uint64_t i = 0; i < 2 * opt->runs; i++) {
		run.number = i;
		run.is_new = i >= opt->runs;
		fill_run(opt, &run);
		total += write_run(opt, &run);
		write_out(npy, run.as_double, each * sizeof(*run.as_double));
	}
	if (fclose(npy))
		die("writing failed");
	printf("2 x %" PRIu64 " runs, %" PRIu64 " ops, %" PRIu64 " steps: %" PRIu64
	       " values in %zu bytes of .obs\n",
		opt->runs, opt->ops, opt->steps, 2 * opt->runs * each, total);
	free(run.value_ns);
	free(run.as_double);
	free(run.wall_ns);
}

static bool take_option(struct options *opt, const char *name, uint64_t value)
{
	const struct {
		const char *name;
		uint64_t *value;
	} known[] = {
		{"--runs", &opt->runs},
		{"--ops", &opt->ops},
		{"--steps", &opt->steps},
		{"--seed", &opt->seed},
		{"--changed", &opt->changed},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0) {
			*known[i].value = value;
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	struct options opt = {.runs = 10, .ops = 2000, .steps = 200, .seed = 1, .changed = 20};

	for (int i = 1; i + 1 < argc; i += 2) {
		char *end;
		uint64_t value = strtoull(argv[i + 1], &end, 10);

		if (*end || value == 0 || value > 1000000 || !take_option(&opt, argv[i], value))
			die("usage: make_runs [--runs N] [--ops N] [--steps N] [--seed N] "
			    "[--changed N] FOLDER");
	}
	if (argc % 2)
		die("a folder to write into is needed");
	opt.folder = argv[argc - 1];
	write_runs(&opt);
	return 0;
}
