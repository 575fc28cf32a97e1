/*
 * Looks for signs that two sides did not run the same job on the same kind of machine.
 */
#include "pipeline/comparable.h"

#include <string.h>
#include "base/number.h"
#include "base/text.h"

#define SHAPES_LEAST 5 /* fewest ops with changed shapes that show a change of the batch size */

static int refuse(struct error *err)
{
	return error_hint(err, "--mixed=allow compares them all the same");
}

/* The first word of a title names the producer: TensorFlow, PyTorch... */
static bool same_producer(const char *a, const char *b)
{
	size_t n;

	if (text_starts(a, "tfprof")) /* what TensorFlow's profiler printed */
		a = "TensorFlow";
	if (text_starts(b, "tfprof"))
		b = "TensorFlow";
	n = strcspn(a, " ");
	return n == strcspn(b, " ") && !memcmp(a, b, n);
}

static int check_profilers(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	const char *a = base->run.self->format_title, *b = new_side->run.self->format_title;

	if (!a || !b || text_starts(a, "observations") || text_starts(b, "observations") ||
		same_producer(a, b))
		return 0;
	error_set(err, ERROR_INPUT, NULL,
		"the sides come from different profilers: %s and %s do not measure alike", a, b);
	return refuse(err);
}

/* "gpu" of "/job:localhost/replica:0/task:0/device:gpu:0", of ".../gpu:0" and of "gpu:0". */
static bool is_kind(const char *device, const char *kind)
{
	const char *last = strrchr(device, '/');

	last = last ? last + 1 : device;
	if (text_starts(last, "device:"))
		last += strlen("device:");
	return text_starts(last, kind);
}

/* Of ops that ran. */
static bool has_kind(const struct compare_side *side, const char *kind)
{
	const struct cube *cube = side->run.self;

	for (uint32_t o = 0; o < cube->op_count; o++)
		if (cube->op_first[o] < cube->op_first[o + 1] && is_kind(cube->op[o].device, kind))
			return true;
	return false;
}

static int check_devices(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	static const char *const kinds[] = {"gpu", "tpu"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		bool a = has_kind(base, kinds[i]), b = has_kind(new_side, kinds[i]);

		if (a == b)
			continue;
		error_set(err, ERROR_INPUT, NULL, "only %s ran on a %s",
			a ? base->label : new_side->label, kinds[i]);
		return refuse(err);
	}
	return 0;
}

/* The first dimension of the first output, "[32,128]"; 0 when unknown. */
static int64_t first_dimension(const char *shape)
{
	size_t n;
	int64_t value;

	if (!shape || shape[0] != '[')
		return 0;
	n = strcspn(++shape, ",]");
	return number_parse_int(shape, n, &value) ? value : 0;
}

/* A third of the ops or more whose first dimension changed in the same way: the batch size
 * changed. */
static int check_batch(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	const struct cube *cube = base->run.self;
	int64_t from = 0, to = 0;
	size_t known = 0, changed = 0;

	for (uint32_t o = 0; o < cube->op_count; o++) {
		uint32_t other = cube_find_op(new_side->run.self, cube->op[o].name);
		int64_t a = first_dimension(cube->op[o].shape);
		int64_t b = other == UINT32_MAX
				    ? 0
				    : first_dimension(new_side->run.self->op[other].shape);

		if (!a || !b)
			continue;
		known++;
		if (a == b)
			continue;
		if (!changed) {
			from = a;
			to = b;
		}
		changed += a == from && b == to;
	}
	if (changed < SHAPES_LEAST || 3 * changed < known)
		return 0;
	error_set(err, ERROR_INPUT, NULL,
		"the sides have different batch sizes: the first dimension of %zu of %zu ops "
		"changed from %lld to %lld",
		changed, known, (long long)from, (long long)to);
	return refuse(err);
}

int comparable_check(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	if (check_profilers(base, new_side, err) < 0 || check_devices(base, new_side, err) < 0)
		return -1;
	return check_batch(base, new_side, err);
}
