/* Looks for signs that two sides did not run the same job on the same kind of machine. */
#include "pipeline/comparable.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "model/rank_clocks.h"
#include "model/ranks.h"

#define VALUES_NAMED 4 /* of a fact on one side */
#define LOSS_APART 0.5 /* of what a side may lose: by so much the sides may differ */
#define SHAPES_LEAST 5 /* fewest ops with changed shapes that show a change of the batch size */

static int refuse(struct error *err)
{
	return error_hint(err, "record both sides alike; --allow-mixed compares them as they are");
}

/* True if two titles of formats begin with the same word, the producer ("PyTorch",
 * "TensorFlow"); "tfprof..." counts as TensorFlow. */
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
	return error_hint(err,
		"--allow-mixed compares them all the same, --by=class by what both have; "
		"--map=FILE says which names are the same: stepstat help runtimes");
}

/* "NVIDIA A100", or, where a side mixes them, "H100 (base/r3.json) and NVIDIA A100 (2 files, first
 * base/r1.json)". */
static void add_values(struct text *to, const struct fact_values *values)
{
	const size_t named = values->count > VALUES_NAMED ? VALUES_NAMED - 1 : values->count;

	for (size_t i = 0; i < named; i++) {
		const struct fact_value *value = &values->value[i];

		if (i)
			text_add(to, i + 1 == values->count ? " and " : ", ");
		text_add_visible(to, value->text);
		if (values->count == 1)
			return;
		text_add(to, " (");
		if (value->files > 1)
			text_printf(to, "%llu files, first ", (unsigned long long)value->files);
		text_add_visible(to, value->place);
		text_add(to, ")");
	}
	if (named < values->count)
		text_printf(to, " and %zu others", values->count - named);
}

static int check_fact(const struct compare_side *base, const struct compare_side *new_side,
	enum fact_id id, const char *what, struct error *err)
{
	const struct compare_side *const side[] = {base, new_side};
	const bool same_label = text_equal(base->label, new_side->label);
	struct text found;
	const struct fact_values *a = &base->run.self->facts.of[id];
	const struct fact_values *b = &new_side->run.self->facts.of[id];

	/* One value on both sides, or none: a file that does not say is no mix. */
	if (a->count + b->count < 2)
		return 0;
	if (a->count == 1 && b->count == 1 && text_equal(a->value[0].text, b->value[0].text))
		return 0;
	text_init(&found);
	for (size_t i = 0; i < 2; i++) {
		const struct fact_values *values = &side[i]->run.self->facts.of[id];

		if (!values->count)
			continue;
		text_add(&found, found.size ? "; " : "");
		text_add_visible(&found, !same_label ? side[i]->label : i ? "new" : "base");
		text_add(&found, ": ");
		add_values(&found, values);
	}
	error_set(err, ERROR_INPUT, NULL, "%s: %s", what, text_string(&found));
	text_release(&found);
	return refuse(err);
}

static int check_models(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	return check_fact(base, new_side, FACT_DEVICE_MODEL, "different models of devices", err);
}

/* Only of what users call a machine: names of hosts change with every container. The ranks of a job
 * may be on several, the same ones on both sides. */
static int check_machines(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	const struct fact_values *a = &base->run.self->facts.of[FACT_MACHINE];
	const struct fact_values *b = &new_side->run.self->facts.of[FACT_MACHINE];
	bool same = base->run.self->ranks && a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = text_equal(a->value[i].text, b->value[i].text);
	return same ? 0 : check_fact(base, new_side, FACT_MACHINE, "different machines", err);
}

static int check_world(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	return check_fact(
		base, new_side, FACT_WORLD_SIZE, "jobs of different numbers of processes", err);
}

/* A rank is no replicate: what may be ranks of one run does not count as several. */
static int check_times(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	const struct compare_side *const side[] = {base, new_side};

	for (size_t i = 0; i < 2; i++) {
		const struct issue *issue = issue_list_find(&side[i]->run.self->issues, RANK_TIMES);

		if (!issue)
			continue;
		error_set(err, ERROR_INPUT, issue->place,
			"of another rank, at another time, than a recording of the same job and "
			"steps: a run of its own, or a rank of one run?");
		return error_hint(err, "--runs=REGEX names the run of each file; --allow-mixed "
				       "takes them for runs");
	}
	return 0;
}

/* A mean over some of the ranks is that of another job. */
static int check_missing(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	const struct compare_side *const side[] = {base, new_side};

	for (size_t i = 0; i < 2; i++) {
		const struct issue *issue =
			issue_list_find(&side[i]->run.self->issues, RANKS_MISSING);

		if (!issue)
			continue;
		error_set(err, ERROR_INPUT, side[i]->label,
			"%zu run%s without ranks that other runs of the side have (first %s)",
			issue->count, issue->count == 1 ? "" : "s", issue->place);
		return error_hint(err,
			"%s--rank=LIST compares the ranks that all runs have; --allow-mixed "
			"compares them as they are",
			issue_list_find(&side[i]->run.self->issues, RANKS_ASSUMED)
				? "--ranks=none makes a run of each process, of which only their "
				  "times say that they are ranks; "
				: "");
	}
	return 0;
}

/* The ranks of the step that most of them recorded. */
static uint32_t most_ranks(const struct compare_side *side)
{
	const struct cube *cube = side->run.self;
	uint32_t most = 1;

	for (size_t s = 0; s < cube->step_count && cube->ranks; s++)
		most = cube->rank_count[s] > most ? cube->rank_count[s] : most;
	return most;
}

/* Sums over the ranks of a step differ with their number, and so may what each of them does. */
static int check_ranks(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err)
{
	const uint32_t a = most_ranks(base), b = most_ranks(new_side);

	if (a == b)
		return 0;
	error_set(err, ERROR_INPUT, NULL,
		"jobs of different numbers of ranks: %u in base and %u in new", a, b);
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

/* True if an op of a device of this kind ran. */
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

/* Part of a kind of records that a side lost: the sum over issues, which do not overlap. The part
 * of an issue is that of the recording that lost most, as a run whose records lack is wrong
 * whatever the others have. */
static double lost_part(
	const struct compare_side *side, enum loss_kind kind, const struct issue **most)
{
	const struct issue_list *issues = &side->run.self->issues;
	double sum = 0;

	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];
		const double part = issue->loss.kind == kind ? issue_lost_part(&issue->loss) : 0;

		if (part > 0 && (!*most || part > issue_lost_part(&(*most)->loss)))
			*most = issue;
		sum += part;
	}
	return sum < 1 ? sum : 1;
}

/* Losses of the sides of one kind; the worse one is named. */
struct side_losses {
	const char *label[2];
	const struct issue *issue[2];
	double part[2];
	size_t worse;
	double asked; /* --allow-loss that would let it pass */
};

/* Numbers of records that are not there say nothing, and sides that lost unequal parts differ by
 * that. */
static int check_loss(const struct compare_side *base, const struct compare_side *new_side,
	double most, struct error *err)
{
	const bool same_label = text_equal(base->label, new_side->label);

	for (enum loss_kind kind = LOSS_NONE + 1; kind < LOSS_BEFORE && most < 1; kind++) {
		struct side_losses lost = {.label = {same_label ? "base" : base->label,
						   same_label ? "new" : new_side->label}};

		lost.part[0] = lost_part(base, kind, &lost.issue[0]);
		lost.part[1] = lost_part(new_side, kind, &lost.issue[1]);
		lost.worse = lost.part[1] >= lost.part[0];
		lost.asked = fmax(lost.part[lost.worse],
			(lost.part[lost.worse] - lost.part[!lost.worse]) / LOSS_APART);
		if (lost.asked > most) {
			const struct issue *issue = lost.issue[lost.worse];
			const char *advice = issue_advice(issue->code);
			char part[NUMBER_TEXT_SIZE], other[NUMBER_TEXT_SIZE],
				asked[NUMBER_TEXT_SIZE];
			struct text text;

			text_init(&text);
			text_add_visible(&text, lost.label[lost.worse]);
			text_printf(&text, " lost %s %% of the %s, ",
				number_format_fixed(part, 100 * lost.part[lost.worse], 1),
				issue_loss_word(issue->loss.kind));
			text_add_visible(&text, lost.label[!lost.worse]);
			text_printf(&text, " %s %%: ",
				number_format_fixed(other, 100 * lost.part[!lost.worse], 1));
			issue_add_count(&text, issue);
			error_set(err, ERROR_INPUT, issue->place, "%s", text_string(&text));
			text_release(&text);
			return error_hint(err, "%s%s--allow-loss=%s%% compares all the same",
				advice ? advice : "", advice ? "; " : "",
				number_format_fixed(asked, fmin(ceil(100 * lost.asked), 100), 0));
		}
	}
	return 0;
}

/* Part of the steps that have no time. */
static double timeless_part(const struct compare_side *side)
{
	const struct kinds *kinds = &side->run.steps->kinds;

	return kinds->timeless ? (double)kinds->steps[kinds->timeless - 1] /
					 (double)side->run.self->step_count
			       : 0;
}

/* Steps that one side has no time for are no other kind of step, but work that was not measured or
 * is gone. Both sides may have some, as steps in which nothing runs. */
static int check_timeless(const struct compare_side *base, const struct compare_side *new_side,
	double most, struct error *err)
{
	const double part[2] = {timeless_part(base), timeless_part(new_side)};
	const double asked = fabs(part[1] - part[0]) / LOSS_APART;
	char text[3][NUMBER_TEXT_SIZE];

	if (!(asked > most) || most >= 1)
		return 0;
	error_set(err, ERROR_INPUT, (part[1] > part[0] ? new_side : base)->label,
		"steps without any time are %s %% of those of base and %s %% of those of new: "
		"lost, or of another program",
		number_format_fixed(text[0], 100 * part[0], 1),
		number_format_fixed(text[1], 100 * part[1], 1));
	return error_hint(err, "--allow-loss=%s%% compares the steps that have time",
		number_format_fixed(text[2], fmin(ceil(100 * asked), 100), 0));
}

int comparable_check(const struct compare_side *base, const struct compare_side *new_side,
	const struct compare_settings *settings, struct arena *arena, struct compare_options *opt,
	struct error *err)
{
	static int (*const check[])(const struct compare_side *, const struct compare_side *,
		struct error *) = {check_profilers, check_models, check_machines, check_world,
		check_times, check_missing, check_ranks, check_devices, check_batch};
	const size_t count = sizeof(check) / sizeof(*check);
	const char **mixed = arena_array(arena, count, sizeof(*mixed));

	opt->mixed = mixed;
	opt->mixed_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct error found = {.kind = ERROR_NONE};

		if (check[i](base, new_side, &found) == 0)
			continue;
		opt->other_profiler |= check[i] == check_profilers;
		if (!settings->allow_mixed && !(check[i] == check_profilers && settings->map)) {
			*err = found;
			return -1;
		}
		mixed[opt->mixed_count++] = arena_strdup(arena, found.message);
	}
	if (check_loss(base, new_side, settings->allow_loss, err) != 0)
		return -1;
	return check_timeless(base, new_side, settings->allow_loss, err);
}
