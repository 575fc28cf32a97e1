/* Rounds and what they say: ratios of the runs of a round, their interval, the verdict. */
#include "ab/session.h"

#include <math.h>
#include <string.h>
#include "base/unit.h"
#include "stats/tests.h"

/* Fewer rounds never decide. */
#define ROUNDS_LEAST 5
#define COUNTS_LEAST 3
/* Counts are not taken to spread by less, in parts of their value. */
#define COUNTS_SPREAD 0.001

struct ab_session *ab_session_new(void)
{
	struct arena *arena = arena_new();
	struct ab_session *session = arena_alloc(arena, sizeof(*session));

	session->arena = arena;
	return session;
}

void ab_session_free(struct ab_session *session)
{
	if (!session)
		return;
	memory_free(session->run);
	memory_free(session->at);
	arena_free(session->arena);
}

static bool is_measured(const struct ab_session *session, const struct ab_run *run)
{
	return run && (session->options.ignore_failure || !run->result.exit_status) &&
	       !run->result.timed_out && !run->result.interrupted;
}

static void keep_least(int64_t *least, int64_t value)
{
	if (!*least || value < *least)
		*least = value > 0 ? value : 1;
}

void ab_session_add(struct ab_session *session, const struct ab_run *run)
{
	const size_t sides = session->options.sides;
	const struct command_result *r = &run->result;
	struct ab_run *slot =
		memory_push(&session->run, &session->count, &session->room, sizeof(*slot));
	bool whole = run->round == session->rounds + 1;

	*slot = *run;
	session->is_counted |= r->count[COUNT_INSTRUCTIONS] >= 0;
	if (!run->round)
		return;
	if (run->round == session->options.from[run->side] + 1 && is_measured(session, run)) {
		keep_least(&session->least_wall_ns[run->side], r->wall_ns);
		keep_least(&session->least_cpu_ns[run->side], r->user_ns + r->system_ns);
	}
	session->at = memory_make_room_zeroed(
		session->at, &session->at_room, (run->round + 1) * sides, sizeof(*session->at));
	session->at[run->round * sides + run->side] = session->count;
	for (size_t side = 0; side < sides && whole; side++)
		whole = session->options.from[side] >= run->round ||
			is_measured(session, ab_session_run(session, run->round, side));
	session->rounds += whole;
}

const struct ab_run *ab_session_run(const struct ab_session *session, size_t round, size_t side)
{
	const size_t place = round * session->options.sides + side;

	return place < session->at_room && session->at[place]
		       ? &session->run[session->at[place] - 1]
		       : NULL;
}

bool ab_has_folders(const struct ab_options *options)
{
	bool has = options->reads != NULL;

	for (size_t i = 0; i < options->sides; i++)
		has |= strstr(options->command[i], AB_OUT) ||
		       strstr(options->command[i], AB_OUT_VARIABLE);
	return has;
}

const char *ab_side_name(const struct ab_session *session, size_t side)
{
	const char *names = session->options.names;

	return arena_printf(session->arena, "%c", names ? names[side] : (int)('a' + side));
}

const char *ab_run_name(const struct ab_session *session, size_t round, size_t side)
{
	const char *name = ab_side_name(session, side);

	return round ? arena_printf(session->arena, "%s/%04zu", name, round)
		     : arena_printf(session->arena, "%s/warmup", name);
}

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void ab_order(const struct ab_options *options, size_t round, size_t *order)
{
	uint64_t state = options->seed, first = draw(&state) ^ (uint64_t)round;

	for (size_t i = 0; i < options->sides; i++)
		order[i] = i;
	for (size_t i = options->sides; i > 1; i--) {
		const size_t j = (size_t)(draw(&first) >> 11) % i, swapped = order[j];

		order[j] = order[i - 1];
		order[i - 1] = swapped;
	}
}

double ab_shell_time(const struct ab_session *session, size_t side, enum ab_measure measure)
{
	const size_t *from = session->options.from;
	const bool wall = measure == AB_WALL;
	const double time = wall ? session->shell_ns : session->shell_cpu_ns;
	const int64_t *least = wall ? session->least_wall_ns : session->least_cpu_ns;

	for (size_t i = 0; session->line && i < session->options.sides; i++)
		if (from[i] <= from[side] &&
			(least[i] < 0 || (session->line[i].by_shell && least[i] &&
						 (double)least[i] < 2 * time)))
			return 0;
	return time;
}

double ab_value(const struct ab_session *session, const struct ab_run *run, size_t other,
	enum ab_measure measure)
{
	const bool by_shell = session->line && session->line[run->side].by_shell;
	const double shell_ns = !by_shell ? 0
					  : fmin(ab_shell_time(session, run->side, measure),
						    ab_shell_time(session, other, measure));
	const struct command_result *r = &run->result;

	switch (measure) {
	case AB_WALL:
		return ((double)r->wall_ns - shell_ns) * PS_PER_NS;
	case AB_CPU:
		return ((double)(r->user_ns + r->system_ns) - shell_ns) * PS_PER_NS;
	case AB_PEAK:
		return (double)r->peak_bytes;
	case AB_INSTRUCTIONS:
		return (double)r->count[COUNT_INSTRUCTIONS];
	case AB_CYCLES:
		return (double)r->count[COUNT_CYCLES];
	case AB_MEASURES:
		break;
	}
	return NAN;
}

double ab_log_ratio(
	const struct ab_session *session, size_t round, size_t side, enum ab_measure measure)
{
	const struct ab_run *base = ab_session_run(session, round, 0);
	const struct ab_run *new = ab_session_run(session, round, side);
	double old_value, new_value;

	if (!is_measured(session, base) || !is_measured(session, new))
		return NAN;
	old_value = ab_value(session, base, side, measure);
	new_value = ab_value(session, new, 0, measure);
	if (!(old_value > 0) || !(new_value > 0) ||
		(measure == AB_PEAK && base->result.peak_of_tree != new->result.peak_of_tree))
		return NAN;
	return log(new_value / old_value);
}

static enum verdict verdict_of(const struct ab_change *change)
{
	const double margin = log1p(change->margin);
	const struct sequential *c = &change->change;

	if (c->low > margin)
		return VERDICT_REGRESSED;
	if (c->high < -margin)
		return VERDICT_IMPROVED;
	if (c->low > -margin && c->high < margin)
		return VERDICT_SAME;
	if (c->low > 0)
		return VERDICT_SLOWER;
	return c->high < 0 ? VERDICT_FASTER : VERDICT_INCONCLUSIVE;
}

/* Forgets the runs; session->run is left to the caller. */
static void clear_runs(struct ab_session *session)
{
	session->run = NULL;
	session->count = session->room = session->rounds = 0;
	memory_free(session->at);
	session->at = NULL;
	session->at_room = 0;
	memset(session->least_wall_ns, 0, sizeof(session->least_wall_ns));
	memset(session->least_cpu_ns, 0, sizeof(session->least_cpu_ns));
}

void ab_session_add_commands(struct ab_session *session, const char *const *command, size_t count)
{
	struct ab_options *o = &session->options;
	const char **all = arena_array(session->arena, o->sides + count + 1, sizeof(*all));
	const size_t runs = session->count, rounds = session->rounds;
	struct ab_run *run = session->run;

	memcpy(all, o->command, o->sides * sizeof(*all));
	memcpy(all + o->sides, command, count * sizeof(*all));
	o->command = all;
	for (size_t i = 0; i < count; i++)
		o->from[o->sides++] = rounds;
	clear_runs(session);
	for (size_t i = 0; i < runs; i++)
		ab_session_add(session, &run[i]);
	memory_free(run);
}

void ab_session_keep(struct ab_session *session, const size_t *side, size_t sides)
{
	struct ab_options *o = &session->options;
	const size_t all = o->sides, rounds = session->rounds;
	size_t from[AB_SIDES_MOST] = {0};
	struct arena *arena = session->arena;
	const char **command = arena_array(arena, sides + 1, sizeof(*command));
	struct command_line_words *line = arena_array(arena, sides, sizeof(*line));
	char *names = arena_alloc(arena, sides + 1);
	struct ab_run *run = session->run;
	const size_t count = session->count;
	bool wall_whole[AB_SIDES_MOST], cpu_whole[AB_SIDES_MOST];

	for (size_t i = 0; i < sides; i++) {
		wall_whole[i] = !(ab_shell_time(session, side[i], AB_WALL) > 0);
		cpu_whole[i] = !(ab_shell_time(session, side[i], AB_CPU) > 0);
	}
	clear_runs(session);
	for (size_t i = 0; i < sides; i++) {
		command[i] = o->command[side[i]];
		line[i] = session->line[side[i]];
		names[i] = *ab_side_name(session, side[i]);
		from[i] = o->from[side[i]];
	}
	memcpy(o->from, from, sizeof(from));
	o->command = command;
	session->line = line;
	o->names = names;
	o->sides = sides;
	/* Pairs without the first of the record are claims about any two of them. */
	o->claims = side[0] && (sides > 2 || side[1]) ? all * (all - 1) / 2 : all - 1;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < sides && run[i].round <= rounds; j++)
			if (run[i].side == side[j]) {
				run[i].side = j;
				ab_session_add(session, &run[i]);
				break;
			}
	memory_free(run);
	/* Runs that are too short for it may be of a side that is not kept. */
	for (size_t i = 0; i < sides; i++) {
		if (wall_whole[i])
			session->least_wall_ns[i] = -1;
		if (cpu_whole[i])
			session->least_cpu_ns[i] = -1;
	}
}

/* Means over the rounds that count. */
static void find_means(const struct ab_session *session, size_t side, enum ab_measure measure,
	const size_t *round, const bool *far, struct ab_change *out)
{
	double base = 0, new = 0;

	for (size_t i = 0; i < out->rounds; i++) {
		if (far[i])
			continue;
		base += log(ab_value(session, ab_session_run(session, round[i], 0), side, measure));
		new += log(ab_value(session, ab_session_run(session, round[i], side), 0, measure));
	}
	out->base = exp(base / (double)out->change.n);
	out->new = exp(new / (double)out->change.n);
}

static size_t claims_of(const struct ab_options *options)
{
	return options->claims ? options->claims : options->sides - 1;
}

/* Each further command is a further claim that may be wrong; CPU time, memory and what is counted,
 * which are shown beside the wall time, share one more. */
static double alpha_of(const struct ab_session *session, enum ab_measure measure)
{
	const struct ab_options *o = &session->options;
	const int beside = session->is_counted ? AB_MEASURES - 1 : AB_PEAK;

	return o->alpha / (double)claims_of(o) / (measure == AB_WALL ? 1 : beside);
}

/* Rounds that may part commands of which each has two ways to run that are equally likely: by
 * chance they do so with a probability of 2 / 4^n. */
static size_t counts_least(const struct ab_options *options)
{
	size_t n = COUNTS_LEAST;

	while (2 * pow(4, -(double)n) * (double)claims_of(options) > options->alpha)
		n++;
	return n;
}

/* Counts of instructions differ by so little that few rounds may do: these have half of the level,
 * all later looks the other half. */
static void describe_counts(
	const double *x, size_t n, size_t least, double alpha, struct sequential *out, bool *far)
{
	struct sequential now;
	double width;

	sequential_describe(x, n, alpha / 2, out, far);
	if (n < least)
		return;
	now = *out;
	width = sequential_factor(now.n, alpha / 2);
	if (!isfinite(now.low)) {
		sequential_describe(x, least, alpha / 2, &now, NULL);
		width = sequential_factor_once(least, alpha / 2);
	}
	width *= fmax(now.sd, COUNTS_SPREAD) / sqrt((double)now.n);
	out->low = now.mean - width;
	out->high = now.mean + width;
}

void ab_change_find(const struct ab_session *session, size_t side, enum ab_measure measure,
	size_t rounds, struct ab_change *out, bool *far)
{
	const struct ab_options *o = &session->options;
	struct arena *arena = arena_new();
	double *x = arena_array(arena, rounds + 1, sizeof(*x));
	size_t *round = arena_array(arena, rounds + 1, sizeof(*round));
	bool *is_far = arena_array(arena, rounds + 1, sizeof(*is_far));

	*out = (struct ab_change){.base = NAN, .new = NAN, .margin = o->margin_relative};
	for (size_t r = 1; r <= rounds; r++) {
		const double ratio = ab_log_ratio(session, r, side, measure);

		if (isnan(ratio))
			continue;
		round[out->rounds] = r;
		x[out->rounds++] = ratio;
	}
	if (measure == AB_INSTRUCTIONS)
		describe_counts(x, out->rounds, counts_least(o), alpha_of(session, measure),
			&out->change, is_far);
	else
		sequential_describe(
			x, out->rounds, alpha_of(session, measure), &out->change, is_far);
	if (out->rounds < ROUNDS_LEAST && measure != AB_INSTRUCTIONS) {
		out->change.low = -INFINITY;
		out->change.high = INFINITY;
	}
	for (size_t r = 0; far && r < rounds; r++)
		far[r] = false;
	for (size_t i = 0; far && i < out->rounds; i++)
		far[round[i] - 1] = is_far[i];
	if (out->rounds) {
		find_means(session, side, measure, round, is_far, out);
		if ((measure == AB_WALL || measure == AB_CPU) &&
			o->margin_ps / out->base > out->margin)
			out->margin = o->margin_ps / out->base;
		out->verdict = verdict_of(out);
	}
	arena_free(arena);
}

static bool is_answer(enum verdict verdict)
{
	return verdict == VERDICT_REGRESSED || verdict == VERDICT_IMPROVED ||
	       verdict == VERDICT_SAME;
}

size_t ab_counts_decided(const struct ab_session *session, size_t side)
{
	struct ab_change now, before;
	size_t first = session->rounds;

	ab_change_find(session, side, AB_INSTRUCTIONS, first, &now, NULL);
	if (!is_answer(now.verdict))
		return 0;
	for (before = now; first && before.verdict == now.verdict; first--)
		ab_change_find(session, side, AB_INSTRUCTIONS, first - 1, &before, NULL);
	return first + 1;
}

bool ab_is_decided(const struct ab_session *session, size_t side, size_t rounds)
{
	struct ab_change change;

	if (rounds < ROUNDS_LEAST)
		return false;
	ab_change_find(session, side, AB_WALL, rounds, &change, NULL);
	return is_answer(change.verdict);
}

size_t ab_rounds_needed(const struct ab_session *session, const struct ab_change *change)
{
	const double alpha = alpha_of(session, AB_WALL);
	const double margin = log1p(change->margin), distance = fabs(change->change.mean) - margin;
	size_t all;

	if (change->change.n < 3)
		return change->change.n < ROUNDS_LEAST ? ROUNDS_LEAST - change->change.n : 0;
	all = sequential_needed(change->change.sd, fabs(distance), alpha, AB_ROUNDS_MOST);
	if (!all)
		return 0;
	return all > change->change.n ? all - change->change.n : 1;
}

void ab_slow_find(const struct ab_session *session, size_t side, struct ab_slow *out)
{
	struct arena *arena = arena_new();
	double *base = arena_array(arena, session->rounds + 1, sizeof(*base));
	double *new = arena_array(arena, session->rounds + 1, sizeof(*new));
	size_t n = 0;

	for (size_t round = 1; round <= session->rounds; round++) {
		if (isnan(ab_log_ratio(session, round, side, AB_WALL)))
			continue;
		base[n] = log(ab_value(session, ab_session_run(session, round, 0), side, AB_WALL));
		new[n++] = log(ab_value(session, ab_session_run(session, round, side), 0, AB_WALL));
	}
	out->runs = n;
	sequential_slow(base, new, n, &out->base, &out->times_base, &out->new, &out->times_new);
	out->differ = n && fisher_test(out->base, n, out->new, n) < alpha_of(session, AB_WALL);
	arena_free(arena);
}

/* Soft thresholding (Donoho and Johnstone 1994) at half the width of the interval, whose level is
 * shared by all commands (Bonferroni). */
double ab_best_gain(const struct ab_session *session, size_t *side)
{
	double best = 0, gain = 0;

	*side = 0;
	for (size_t i = 1; i < session->options.sides; i++) {
		struct ab_change c;

		ab_change_find(session, i, AB_WALL, session->rounds, &c, NULL);
		if (!(c.change.mean < best))
			continue;
		best = c.change.mean;
		gain = c.change.high < 0 ? -expm1(c.change.high) : 0;
		*side = i;
	}
	return gain;
}

double ab_round_ps(const struct ab_session *session)
{
	double sum = 0;

	for (size_t round = 1; round <= session->rounds; round++)
		for (size_t side = 0; side < session->options.sides; side++) {
			const struct ab_run *run = ab_session_run(session, round, side);

			sum += run ? (double)run->result.wall_ns : 0;
		}
	return session->rounds ? sum * PS_PER_NS / (double)session->rounds : NAN;
}

size_t ab_rounds_without(const struct ab_session *session, size_t side)
{
	const size_t *from = session->options.from;

	return from[side] > *from ? from[side] : *from;
}

double ab_row_level(const struct ab_session *session, size_t side)
{
	const size_t from = ab_rounds_without(session, side);

	return session->rounds > from
		       ? sequential_level(session->rounds - from, alpha_of(session, AB_WALL))
		       : 0;
}
