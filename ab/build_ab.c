/* Words and tables of a session. */
#include "ab/build_ab.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "report/compare/build_compare_words.h"

#define PS_PER_S 1e12
/* More rounds than these are no advice. */
#define NEEDED_MOST 500
/* Load beside the command, as a part of the processors; logarithm of the change of the clock. */
#define LOAD_MOST 0.5
#define CLOCK_MOST 0.05
/* Percent of the time that a device is busy by itself: a desktop is drawn. */
#define BUSY_MOST 10

static const struct {
	const char *name, *title;
	enum dimension dimension;
} measures[AB_MEASURES] = {
	[AB_WALL] = {"time", "wall time", DIMENSION_TIME},
	[AB_CPU] = {"cpu", "CPU time", DIMENSION_TIME},
	[AB_PEAK] = {"peak", "peak memory", DIMENSION_BYTES},
	[AB_INSTRUCTIONS] = {"instructions", "instructions", DIMENSION_COUNT},
	[AB_CYCLES] = {"cycles", "cycles", DIMENSION_COUNT},
};

static const char *word_of(enum verdict verdict, enum dimension dimension)
{
	if (verdict == VERDICT_NONE)
		return "CANNOT TELL";
	return verdict == VERDICT_INCONCLUSIVE ? "UNDECIDED" : verdict_word(verdict, dimension);
}

static double change_of(double log_ratio)
{
	return isinf(log_ratio) ? log_ratio : expm1(log_ratio);
}

static const char *phrase_of(struct arena *arena, const struct ab_change *c)
{
	return phrase_change_within(arena, change_of(c->change.mean),
		isinf(c->change.low) ? NAN : change_of(c->change.low),
		isinf(c->change.high) ? NAN : change_of(c->change.high));
}

static const char *phrase_margin(struct arena *arena, const struct ab_options *o)
{
	const char *part = phrase_level(arena, o->margin_relative);
	const char *amount =
		o->margin_ps > 0 ? phrase_exact(arena, DIMENSION_TIME, o->margin_ps) : NULL;

	if (!amount)
		return part;
	return o->margin_relative > 0 ? arena_printf(arena, "%s and %s", part, amount) : amount;
}

/* "pairs", or "rounds" of more commands. */
static const char *noun(const struct ab_session *session, size_t count)
{
	const bool pairs = session->options.sides == 2;

	return count == 1 ? pairs ? "pair" : "round" : pairs ? "pairs" : "rounds";
}

void ab_add_heading(struct report *report, const struct ab_session *session)
{
	const struct ab_options *o = &session->options;
	struct arena *arena = report->arena;

	for (size_t i = 0; i < o->sides; i++)
		report_heading(report, "%s  %s", ab_side_name(session, i),
			phrase_visible(arena, o->command[i]));
	report_heading(report, "%s in random order, seed %" PRIu64 "     margin %s",
		noun(session, 2), o->seed, phrase_margin(arena, o));
}

/* The first command that is not decided after these rounds. */
static size_t open_side(const struct ab_session *session, size_t rounds)
{
	for (size_t side = 1; side < session->options.sides; side++)
		if (session->options.from[side] < rounds && !ab_is_decided(session, side, rounds))
			return side;
	return 1;
}

#define STRIP_WIDTH 27

/* The interval on a scale from -span to span: margin in brackets, estimate o, no change |. */
static void add_strip(struct text *line, const struct ab_change *c)
{
	const double margin = log1p(c->margin);
	const double span = fmax(5 * margin, 0.02);
	const struct {
		double at;
		char mark;
	} points[] = {{0, '|'}, {-margin, '['}, {margin, ']'}, {c->change.mean, 'o'}};
	char strip[STRIP_WIDTH + 1];
	int place;

	memset(strip, ' ', STRIP_WIDTH);
	strip[STRIP_WIDTH] = '\0';
	for (int i = 0; i < STRIP_WIDTH; i++) {
		const double at = (2.0 * i / (STRIP_WIDTH - 1) - 1) * span;

		if (isfinite(c->change.low) && at >= c->change.low && at <= c->change.high)
			strip[i] = '-';
	}
	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		if (fabs(points[i].at) > span || (points[i].mark != 'o' && !(margin > 0) && i))
			continue;
		place = (int)lround((points[i].at / span + 1) / 2 * (STRIP_WIDTH - 1));
		strip[place] = points[i].mark;
	}
	if (c->change.low < -span)
		strip[0] = '<';
	if (c->change.high > span)
		strip[STRIP_WIDTH - 1] = '>';
	text_add(line, strip);
}

const char *ab_round_line(
	struct arena *arena, const struct ab_session *session, size_t round, size_t width)
{
	const size_t side = open_side(session, round);
	struct ab_change change;
	struct text line;
	const char *out;
	double ratio;

	if (!round)
		return arena_printf(arena, "%5s  %-10s  %-10s  %-9s  %s",
			session->options.sides == 2 ? "pair" : "round", ab_side_name(session, 0),
			ab_side_name(session, side), "change",
			arena_printf(arena, "so far, always valid %s",
				phrase_level(arena, 1 - session->options.alpha)));
	ab_change_find(session, side, AB_WALL, round, &change, NULL);
	ratio = ab_log_ratio(session, round, side, AB_WALL);
	text_init(&line);
	text_printf(&line, "%5zu  %-10s  %-10s  %-9s  %-24s", round,
		phrase_quantity(arena, DIMENSION_TIME,
			ab_value(session, ab_session_run(session, round, 0), side, AB_WALL)),
		phrase_quantity(arena, DIMENSION_TIME,
			ab_value(session, ab_session_run(session, round, side), 0, AB_WALL)),
		isnan(ratio) ? "-" : phrase_change(arena, change_of(ratio)),
		isfinite(change.change.low) ? phrase_of(arena, &change) : "");
	if (width == 0 || width >= text_width(text_string(&line)) + STRIP_WIDTH)
		add_strip(&line, &change);
	while (line.size && line.data[line.size - 1] == ' ')
		line.data[--line.size] = '\0';
	out = arena_strdup(arena, text_string(&line));
	text_release(&line);
	return out;
}

/* "about 12 more pairs (40 s)"; NULL: not to be told. */
static const char *phrase_needed(
	struct arena *arena, const struct ab_session *session, const struct ab_change *change)
{
	const size_t needed = ab_rounds_needed(session, change);
	const double time = ab_round_ps(session) * (double)needed;

	if (!needed)
		return NULL;
	return time > 0 ? arena_printf(arena, "about %zu more %s (%s)", needed,
				  noun(session, needed),
				  phrase_quantity(arena, DIMENSION_TIME, time))
			: arena_printf(arena, "about %zu more %s", needed, noun(session, needed));
}

const char *ab_state_line(struct arena *arena, const struct ab_session *session)
{
	struct ab_change change;
	const char *needed;

	if (!session->rounds)
		return "";
	ab_change_find(session, open_side(session, session->rounds), AB_WALL, session->rounds,
		&change, NULL);
	needed = phrase_needed(arena, session, &change);
	return needed ? arena_printf(arena, "undecided: needs %s", needed)
		      : "undecided: the change is near the margin, or the runs differ much";
}

/* The sentence about one command: what a run takes, how that changed, by how many rounds. */
static const char *phrase_side(
	struct arena *arena, const struct ab_session *session, const struct ab_change *c)
{
	return arena_printf(arena, "a run takes %s, %s, %zu %s",
		phrase_pair(arena, DIMENSION_TIME, c->base, c->new), phrase_of(arena, c), c->rounds,
		noun(session, c->rounds));
}

static const char *phrase_end(struct arena *arena, const struct ab_session *session)
{
	switch (session->end) {
	case AB_TIME_OVER:
		return arena_printf(arena, "Ended by --max-time=%s. ",
			phrase_exact(arena, DIMENSION_TIME,
				(double)session->options.max_time_ns * 1000));
	case AB_ROUNDS_OVER:
		return arena_printf(
			arena, "Ended by --max-runs=%zu. ", session->options.max_rounds);
	case AB_INTERRUPTED:
		return arena_printf(arena, "Ended by a signal (%s). ", strsignal(session->signal));
	case AB_RUNNING:
		return "It did not end by itself: it runs, or was killed. ";
	default:
		return "";
	}
}

/* 0 SAME or IMPROVED, 1 REGRESSED, 4 not decided. */
static int status_of(const struct ab_change *wall)
{
	switch (wall->verdict) {
	case VERDICT_REGRESSED:
		return 1;
	case VERDICT_IMPROVED:
	case VERDICT_SAME:
		return 0;
	default:
		return 4;
	}
}

/* The gravest status of all commands: 1 before 4 before 0. */
static int exit_status_of(const struct ab_change *wall, size_t sides)
{
	int gravest = 0;

	for (size_t side = 1; side < sides; side++) {
		const int status = status_of(&wall[side]);

		gravest = gravest == 1 || status == 0 ? gravest : status;
	}
	return gravest;
}

static void add_result(
	struct report *report, const struct ab_session *session, const struct ab_change *wall)
{
	struct arena *arena = report->arena;
	const int status = exit_status_of(wall, session->options.sides);
	size_t count[VERDICT_COUNT] = {0};
	struct text words;

	if (session->end == AB_FAILED) {
		report_result(report, 3, "CANNOT TELL: %s", session->reason);
		report_answer(report, "%s.", session->remedy);
		return;
	}
	if (!session->rounds) {
		report_result(report, 4, "UNDECIDED: no %s is complete%s", noun(session, 1),
			session->end == AB_TIME_OVER ? " within --max-time" : "");
		return;
	}
	if (session->options.sides == 2) {
		report_result(report, status, "%s: %s", word_of(wall[1].verdict, DIMENSION_TIME),
			phrase_side(arena, session, &wall[1]));
		return;
	}
	text_init(&words);
	for (size_t side = 1; side < session->options.sides; side++)
		count[wall[side].verdict]++;
	for (size_t v = 0; v < VERDICT_COUNT; v++)
		if (count[v])
			text_printf(&words, "%s%zu %s", words.size ? ", " : "", count[v],
				word_of((enum verdict)v, DIMENSION_TIME));
	report_result(report, status, "%s: %zu commands against a, %zu %s", text_string(&words),
		session->options.sides - 1, session->rounds, noun(session, session->rounds));
	text_release(&words);
}

/* A check for each command, for writers of CI. */
static void add_checks(
	struct report *report, const struct ab_session *session, const struct ab_change *wall)
{
	struct arena *arena = report->arena;

	for (size_t side = 1; side < session->options.sides; side++) {
		const int status = status_of(&wall[side]);
		const bool unusable = session->end == AB_FAILED || !session->rounds;
		const struct check check = {.name = "ab",
			.subject =
				session->options.sides > 2 ? session->options.command[side] : NULL,
			.measure = session->options.sides > 2 ? "time" : NULL,
			.status = unusable	? CHECK_UNUSABLE
				  : status == 1 ? CHECK_FAILED
				  : status	? CHECK_UNDECIDED
						: CHECK_PASSED,
			.verdict = unusable ? "CANNOT TELL"
					    : word_of(wall[side].verdict, DIMENSION_TIME)};

		report_check(report, &check, "%s",
			!unusable ? phrase_side(arena, session, &wall[side])
			: session->reason
				? session->reason
				: arena_printf(arena, "no %s is complete", noun(session, 1)));
	}
}

/* Why it ended undecided, and what would decide. */
static void add_answer(
	struct report *report, const struct ab_session *session, const struct ab_change *c)
{
	struct arena *arena = report->arena;
	const char *needed, *end = phrase_end(arena, session);
	const double largest = fmax(fabs(c->change.low), fabs(c->change.high));
	const double least = fmin(fabs(c->change.low), fabs(c->change.high));

	if (session->end == AB_FAILED || !session->rounds || status_of(c) != 4)
		return;
	needed = phrase_needed(arena, session, c);
	report_answer(report, "%sNot known: is it %s %s? %s", end,
		c->verdict == VERDICT_INCONCLUSIVE ? "slower or faster by more than" : "more than",
		phrase_level(arena, c->margin),
		!isfinite(largest) ? ""
		: c->verdict == VERDICT_INCONCLUSIVE
			? arena_printf(arena, "A change above %s is ruled out.",
				  phrase_rough(arena, expm1(largest)))
			: arena_printf(arena,
				  "By what is there it is more than %s and less than %s.",
				  phrase_level(arena, floor(expm1(least) * 1000) / 1000),
				  phrase_rough(arena, expm1(largest))));
	if (needed && ab_rounds_needed(session, c) < NEEDED_MOST)
		report_answer(report, "Next: %s: stepstat ab --resume %s", needed, session->folder);
	else if (fabs(fabs(c->change.mean) - log1p(c->margin)) < c->margin / 4)
		report_answer(report, "Next: another --margin: a change as large as the margin is "
				      "never decided.");
	else
		report_answer(report,
			"Next: a quieter machine, or longer runs: %s differ by %s, which takes "
			"more than %d of them.",
			noun(session, 2), phrase_rough(arena, expm1(c->change.sd)), NEEDED_MOST);
}

/* Runs of one command that take far longer, which the middle does not show. */
static void add_slow(struct report *report, const struct ab_session *session, size_t side)
{
	struct ab_slow slow;
	size_t most, least;
	bool of_new;

	if (!session->rounds || session->end == AB_FAILED)
		return;
	ab_slow_find(session, side, &slow);
	if (!slow.differ)
		return;
	of_new = slow.new > slow.base;
	most = of_new ? slow.new : slow.base;
	least = of_new ? slow.base : slow.new;
	report_answer(report,
		"%zu of %zu runs of %s took %.1f times their median or more, %zu of %s: the "
		"verdict speaks of the middle.",
		most, slow.runs, ab_side_name(session, of_new ? side : 0),
		of_new ? slow.times_new : slow.times_base, least,
		ab_side_name(session, of_new ? 0 : side));
}

/* The best of many commands is not believed at face value. */
static void add_best(struct report *report, const struct ab_session *session)
{
	const size_t tried = session->options.sides - 1;
	struct ab_change c;
	size_t side;
	double gain;

	if (tried < 2 || !session->rounds || session->end == AB_FAILED)
		return;
	gain = ab_best_gain(session, &side);
	if (!side)
		return;
	ab_change_find(session, side, AB_WALL, session->rounds, &c, NULL);
	report_answer(report, "Fastest of the %zu: %s, %s as measured%s", tried,
		ab_side_name(session, side), phrase_change(report->arena, expm1(c.change.mean)),
		gain > 0 ? arena_printf(report->arena,
				   "; at least %s less, beside the luck of choosing among %zu.",
				   phrase_level(report->arena, floor(gain * 1000) / 1000), tried)
			 : ", which may be the luck of choosing among them: no gain is shown.");
}

/* Adds a line where the instructions decide before the time does. */
static void add_counts(struct report *report, const struct ab_session *session, size_t side,
	const struct ab_change *wall)
{
	const size_t since = session->rounds ? ab_counts_decided(session, side) : 0;
	struct ab_change c;

	if (!since || status_of(wall) != 4 || session->end == AB_FAILED)
		return;
	ab_change_find(session, side, AB_INSTRUCTIONS, session->rounds, &c, NULL);
	report_answer(report,
		"Instructions of %s: %s, %s since %s %zu. They are no time: caches, waiting and "
		"the kernel are not in them.",
		ab_side_name(session, side), phrase_of(report->arena, &c),
		word_of(c.verdict, DIMENSION_COUNT), noun(session, 1), since);
}

#define DISPLAY_BASE 2
#define DISPLAY_BOUNDS 5
#define FRACTION(name)                                                                             \
	{                                                                                          \
		.stat = name, .dimension = DIMENSION_FRACTION, .decimals = 1,                      \
		.align = ALIGN_RIGHT, .digits = 12                                                 \
	}

static void add_columns(struct report *report, const struct ab_session *session)
{
	static const struct column display[] = {{.stat = "command", .title = " "},
		{.stat = "measure", .title = " "}, {.stat = "base", .align = ALIGN_RIGHT},
		{.stat = "new", .align = ALIGN_RIGHT}, {.stat = "change", .align = ALIGN_RIGHT},
		{.stat = "interval", .align = ALIGN_RIGHT}, {.stat = "verdict", .toned = true}};
	static const struct column data[] = {{.stat = "command"}, {.stat = "measure"},
		NUMBER_COLUMN("base", DIMENSION_NONE, -1), NUMBER_COLUMN("new", DIMENSION_NONE, -1),
		FRACTION("change"), {.stat = "verdict"}, FRACTION("low"), FRACTION("high"),
		FRACTION("margin"), NUMBER_COLUMN("rounds", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("far_off", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("rounds_needed", DIMENSION_COUNT, 0), {.stat = "unit"}};

	if (session->rounds) {
		report_add_columns(report, &report->display, NULL, display,
			sizeof(display) / sizeof(*display));
		report->display.column[DISPLAY_BASE].title = ab_side_name(session, 0);
		report->display.column[DISPLAY_BOUNDS].title = arena_printf(report->arena, "[%s]",
			phrase_level(report->arena, 1 - session->options.alpha));
	}
	report_add_columns(report, &report->data, NULL, data, sizeof(data) / sizeof(*data));
	report->data.name = "commands";
}

static struct cell bound(double log_ratio)
{
	return cell_real(isinf(log_ratio) ? NAN : expm1(log_ratio));
}

/* As phrase_quantity; counts in millions. */
static const char *phrase_amount(struct arena *arena, enum dimension dimension, double value)
{
	return dimension == DIMENSION_COUNT ? arena_printf(arena, "%.2f M", value / 1e6)
					    : phrase_quantity(arena, dimension, value);
}

/* One measure of one command, for people and for programs. */
static void add_row(struct report *report, const struct ab_session *session, size_t side,
	enum ab_measure m, const struct ab_change *c)
{
	const enum dimension dimension = measures[m].dimension;
	const bool is_time = dimension == DIMENSION_TIME;
	const size_t needed = m == AB_WALL && status_of(c) == 4 ? ab_rounds_needed(session, c) : 0;
	struct arena *arena = report->arena;
	const struct cell none = {.kind = CELL_NONE};

	if (session->rounds)
		report_add_cells(report, &report->display,
			(const struct cell[]){cell_text(ab_side_name(session, side)),
				cell_text(measures[m].title),
				cell_text(phrase_amount(arena, dimension, c->base)),
				cell_text(phrase_amount(arena, dimension, c->new)),
				cell_text(phrase_change(arena, expm1(c->change.mean))),
				isinf(c->change.low)
					? none
					: cell_text(phrase_bounds(arena, expm1(c->change.low),
						  expm1(c->change.high), 0)),
				cell_text(word_of(c->verdict, dimension))})
			->tone = compare_tone(c->verdict);
	report_add_cells(report, &report->data,
		(const struct cell[]){cell_text(session->options.command[side]),
			cell_text(measures[m].name),
			cell_real(is_time ? c->base / PS_PER_S : round(c->base)),
			cell_real(is_time ? c->new / PS_PER_S : round(c->new)),
			cell_real(expm1(c->change.mean)), cell_text(word_of(c->verdict, dimension)),
			bound(c->change.low), bound(c->change.high), cell_real(c->margin),
			cell_integer((int64_t)c->rounds), cell_integer((int64_t)c->change.far_off),
			needed ? cell_integer((int64_t)needed) : none,
			cell_text(is_time			 ? "s"
				  : dimension == DIMENSION_BYTES ? "bytes"
								 : "count")});
}

#define FAR_NAMED 3

/* Rounds that lie far off, in one note for each command. */
static void note_far_off(struct report *report, const struct ab_session *session, size_t side)
{
	struct arena *arena = report->arena;
	bool *far = arena_array(arena, session->rounds + 1, sizeof(*far));
	struct ab_change change;
	struct text names;
	size_t named = 0;

	ab_change_find(session, side, AB_WALL, session->rounds, &change, far);
	if (change.change.beyond)
		report_note(report, "!", NULL,
			"%zu of %zu %s lie far off: too many for a disturbance, so all count",
			change.change.beyond, change.rounds, noun(session, change.rounds));
	if (!change.change.far_off)
		return;
	text_init(&names);
	for (size_t r = 0; r < session->rounds && named < FAR_NAMED; r++)
		if (far[r])
			text_printf(&names, "%s%zu (%s)", named++ ? ", " : "", r + 1,
				phrase_change(arena,
					change_of(ab_log_ratio(session, r + 1, side, AB_WALL))));
	report_note(report, "!", NULL, "%zu %s far off and %s not count: %s%s",
		change.change.far_off,
		arena_printf(arena, "%s %s", noun(session, change.change.far_off),
			change.change.far_off == 1 ? "lies" : "lie"),
		change.change.far_off == 1 ? "does" : "do", text_string(&names),
		change.change.far_off > named ? ", ..." : "");
	text_release(&names);
}

/* Mean over the runs from `first` on, `count` of them, that know it; NaN: none does. */
static double mean_of(const struct ab_session *session, size_t first, size_t count, bool of_clock)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = first; i < first + count; i++) {
		const struct ab_run *run = &session->run[i];
		const double value = of_clock ? run->clock_mhz : run->load;

		if (isnan(value))
			continue;
		sum += value;
		known++;
	}
	return known ? sum / (double)known : NAN;
}

/* Rounds in which the clock was far from its median, in a note; false: none. */
static bool note_clock_of_rounds(struct report *report, const struct ab_session *session)
{
	const size_t sides = session->options.sides;
	double *clock = arena_array(report->arena, session->rounds + 1, sizeof(*clock)), middle;
	size_t n = 0, far = 0;

	for (size_t round = 1; round <= session->rounds; round++) {
		double sum = 0, runs = 0;

		for (size_t side = 0; side < sides; side++) {
			const struct ab_run *run = ab_session_run(session, round, side);

			sum += run ? run->clock_mhz : 0;
			runs += run != NULL;
		}
		if (sum > 0)
			clock[n++] = sum / runs;
	}
	number_sort(clock, n);
	middle = n ? clock[n / 2] : 0;
	for (size_t i = 0; i < n; i++)
		far += fabs(log(clock[i] / middle)) > CLOCK_MOST;
	if (far)
		report_note(report, "!", NULL,
			"the clock changed between %s: %.1f to %.1f GHz, in %zu of %zu far from "
			"its median",
			noun(session, 2), clock[0] / 1000, clock[n - 1] / 1000, far, n);
	return far > 0;
}

/* Notes on the machine: its load without the command itself, its clock. */
static void note_machine(struct report *report, const struct ab_session *session)
{
	const size_t third = session->count / 3;
	const double load = mean_of(session, 0, session->count, false);
	const double before = mean_of(session, 0, third, true);
	const double after = mean_of(session, session->count - third, third, true);

	if (session->processors && load > 1 + LOAD_MOST * (double)session->processors)
		report_note(report, "!", "--cpu",
			"the machine was busy: load %.1f of %" PRId64 " processors", load,
			session->processors);
	if (session->throttled)
		report_note(report, "!", "--cool-down", "cores were throttled %" PRId64 " times",
			session->throttled);
	if (session->device_users)
		report_note(report, "!", NULL, "%" PRId64 " other process%s had a device open",
			session->device_users, session->device_users == 1 ? "" : "es");
	if (session->device_busy > BUSY_MOST)
		report_note(report, "!", NULL,
			"a device was busy for %" PRId64 " %% of the time before the first run",
			session->device_busy);
	if (fabs(log(after / before)) > CLOCK_MOST)
		report_note(report, "!", NULL, "the clock changed from %.1f to %.1f GHz",
			before / 1000, after / 1000);
	else if (note_clock_of_rounds(report, session))
		;
	else if (session->governor && !text_equal(session->governor, "performance"))
		report_note(report, NULL, NULL, "the clock may change: its governor is %s",
			session->governor);
}

/* Adds notes on what makes runs hard to compare. */
static void add_notes(struct report *report, const struct ab_session *session)
{
	const bool ignored = session->options.ignore_failure;
	bool whole = false;
	size_t left = 0, failed = 0, lost = 0, of_tree = 0;

	for (size_t side = 1; side < session->options.sides; side++)
		note_far_off(report, session, side);
	if (session->end != AB_FAILED)
		note_machine(report, session);
	for (size_t i = 0; i < session->count; i++) {
		const struct command_result *r = &session->run[i].result;
		const bool counts = session->run[i].round && !r->timed_out;

		left += r->left;
		of_tree += r->peak_of_tree;
		failed += counts && r->exit_status && ignored;
		lost += session->run[i].round && (r->timed_out || (r->exit_status && !ignored));
	}
	if (left)
		report_note(report, "!", NULL,
			"the commands left %zu process%s running, which were ended", left,
			left == 1 ? "" : "es");
	if (lost)
		report_note(report, "!", NULL,
			"%zu run%s failed or took longer than --time-limit: %s not count", lost,
			lost == 1 ? "" : "s", lost == 1 ? "its round does" : "their rounds do");
	for (size_t side = 0; side < session->options.sides; side++)
		whole |= ab_shell_time(session, side, AB_WALL) <= 0;
	if (session->shell_ns > 0 && whole && session->rounds)
		report_note(report, NULL, NULL,
			"the runs take little longer than the start of a shell (%s), which is not "
			"taken out of them",
			phrase_quantity(
				report->arena, DIMENSION_TIME, session->shell_ns * PS_PER_NS));
	if (of_tree) {
		report_note(report, NULL, NULL,
			"peak memory is of all processes of a run together, and of the page cache "
			"of their files");
		report->note[report->note_count - 1].detail = true;
	}
	if (failed)
		report_note(report, "!", NULL, "%zu run%s failed and count%s", failed,
			failed == 1 ? "" : "s", failed == 1 ? "s" : "");
}

#define PAIRS_MOST 500

/* A table of the rounds: what each adds, and the interval so far. Of very many rounds not each. */
static void add_pairs(struct report *report, const struct ab_session *session)
{
	static const struct column columns[] = {
		{.stat = "pair", .title = "pair", .align = ALIGN_LEFT},
		{.stat = "command", .align = ALIGN_LEFT}, FRACTION("change"), FRACTION("so_far"),
		FRACTION("low"), FRACTION("high"), FRACTION("margin"),
		{.stat = "verdict", .align = ALIGN_LEFT}};
	const size_t step = (session->rounds + PAIRS_MOST - 1) / PAIRS_MOST;
	struct table *pairs = arena_array(report->arena, 1, sizeof(*pairs));

	report_add_columns(report, pairs, NULL, columns, sizeof(columns) / sizeof(*columns));
	pairs->name = "pairs";
	report->more = pairs;
	report->more_count = 1;
	for (size_t side = 1; side < session->options.sides; side++)
		for (size_t round = ab_rounds_without(session, side) + 1; round <= session->rounds;
			round++) {
			struct ab_change c;

			if ((session->rounds - round) % step)
				continue;
			ab_change_find(session, side, AB_WALL, round, &c, NULL);
			report_add_cells(report, pairs,
				(const struct cell[]){cell_integer((int64_t)round),
					cell_text(ab_side_name(session, side)),
					cell_real(
						expm1(ab_log_ratio(session, round, side, AB_WALL))),
					cell_real(expm1(c.change.mean)), bound(c.change.low),
					bound(c.change.high), cell_real(c.margin),
					cell_text(word_of(c.verdict, DIMENSION_TIME))});
		}
}

struct report *build_ab(const struct ab_session *session, bool said)
{
	const size_t sides = session->options.sides;
	struct report *report = report_new("ab");
	struct ab_change *wall = arena_array(report->arena, sides, sizeof(*wall)), change;

	for (size_t side = 1; side < sides; side++)
		ab_change_find(session, side, AB_WALL, session->rounds, &wall[side], NULL);
	if (!said)
		ab_add_heading(report, session);
	add_result(report, session, wall);
	add_checks(report, session, wall);
	add_answer(report, session, &wall[sides == 2 ? 1 : open_side(session, session->rounds)]);
	for (size_t side = 1; side < sides; side++)
		add_slow(report, session, side);
	add_best(report, session);
	for (size_t side = 1; side < sides; side++)
		add_counts(report, session, side, &wall[side]);
	add_columns(report, session);
	for (size_t side = 1; side < sides; side++)
		for (enum ab_measure m = 0; m < AB_MEASURES; m++) {
			ab_change_find(session, side, m, session->rounds, &change, NULL);
			if (change.rounds || m == AB_WALL)
				add_row(report, session, side, m, &change);
		}
	if (session->rounds)
		add_pairs(report, session);
	add_notes(report, session);
	if (session->uncounted && session->rounds) {
		report_note(
			report, NULL, NULL, "instructions are not counted: %s", session->uncounted);
		report->note[report->note_count - 1].detail = true;
	}
	if (session->folder)
		report_footer(report,
			"record %s     again: stepstat ab %s     more: stepstat ab --resume %s",
			session->folder, session->folder, session->folder);
	return report;
}
