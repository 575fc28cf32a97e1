/* stepstat noise: levels of variance by row, and what a gate can see. */
#include "report/recorded/build_recorded.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "report/compare/build_compare_words.h"
#include "stats/sample.h"

#define TURNS 5 /* pairs of a usual comparison in turns */

const char *phrase_recorded(struct arena *arena, const struct recorded_runs *recorded)
{
	return arena_printf(arena, "%s in %s on %s", arena_count(arena, recorded->runs, "run"),
		arena_count(arena, recorded->sessions, "session"),
		arena_count(arena, recorded->machines, "machine"));
}

const char **recorded_names(
	struct report *report, const struct recorded_input *in, const struct build_options *opt)
{
	const struct recorded_runs *rec = in->recorded;
	const char **of_group = report_group_names(report->arena, in->grouping, opt);
	const char **name = arena_array(report->arena, rec->count + 1, sizeof(*name));

	for (size_t i = 0; i < rec->count; i++) {
		const struct group *group = rec->row[i].row.group;

		name[i] = group ? of_group[group - in->grouping->group] : rec->row[i].name;
	}
	return name;
}

void recorded_begin(
	struct report *report, const struct recorded_input *in, const struct build_options *opt)
{
	const struct recorded_runs *rec = in->recorded;
	size_t unnamed = 0;

	report_heading(report, "%s: %s, %zu %s", phrase_visible(report->arena, opt->label),
		phrase_recorded(report->arena, rec), in->grouping->count,
		phrase_noun(opt, in->grouping->count));
	report_join_issues(report, &in->cube, 1);
	if (!rec->has_starts)
		report_note(report, "!", "--fact=start=TIME",
			"the start of a run is not known: runs are in order of their names, and "
			"those without a start are one session");
	for (size_t m = 0; m < rec->machines; m++)
		unnamed += !rec->machine_name[m];
	if (unnamed && rec->machines > 1)
		report_note(report, "!", "--fact=machine=NAME",
			"some runs do not say on which machine they ran");
	if (in->steps->left_out_count)
		report_note(report, "!", NULL,
			"%zu run%s the values of another one and %s left out",
			in->steps->left_out_count,
			in->steps->left_out_count == 1 ? " has" : "s have",
			in->steps->left_out_count == 1 ? "is" : "are");
	if (rec->constant)
		report_note(report, NULL, NULL, "%zu %s the same in all runs and not listed",
			rec->constant, rec->constant == 1 ? "row is" : "rows are");
}

struct noise_row {
	const struct recorded_row *row;
	const char *name;
	double mean, tick, sees, sees_of_many, in_turns;
	size_t runs, pairs; /* for the margin; 0: no number does */
};

/* "0.94 [0.7, 1.3]", in percent. */
static const char *level_words(struct arena *arena, const struct level_part *part)
{
	if (isnan(part->variance))
		return NULL;
	return arena_printf(arena, "%.3g [%.2g, %.2g]", 100 * sqrt(fmax(0, part->variance)),
		100 * sqrt(part->low), 100 * sqrt(part->high));
}

#define PART(name) NUMBER_COLUMN(name, DIMENSION_FRACTION, -1)
#define LEVEL(name) PART(name), PART(name "_low"), PART(name "_high")
#define SIZE(name)                                                                                 \
	{                                                                                          \
		.stat = name, .align = ALIGN_RIGHT, .decimals = -1                                 \
	}
#define LEVELS_FROM 2 /* columns before those of the levels */

static void add_columns(struct report *report, const char *margin)
{
	static const struct column all[] = {{.stat = "op", .names = true, .shorten = true},
		{.stat = "measure"}, {.stat = "unit"}, SIZE("mean"), LEVEL("step"), LEVEL("run"),
		LEVEL("session"), LEVEL("machine"), PART("sees"), PART("sees_of_all"),
		PART("in_turns"), NUMBER_COLUMN("runs", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("pairs", DIMENSION_COUNT, 0), SIZE("sees_size"), SIZE("tick"),
		NUMBER_COLUMN("sees_ticks", DIMENSION_NONE, -1),
		NUMBER_COLUMN("changes", DIMENSION_COUNT, 0)};
	struct column people[] = {all[0], SIZE("mean"), PART("step"), PART("run"), PART("session"),
		PART("machine"), PART("sees"), PART("sees_of_all"), PART("in_turns"),
		NUMBER_COLUMN("runs", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("pairs", DIMENSION_COUNT, 0)};

	for (size_t l = LEVELS_FROM; l < LEVELS_FROM + LEVELS; l++)
		people[l].title = arena_printf(report->arena, "%s sd %%", people[l].stat);
	people[LEVELS_FROM + LEVELS + 1].drop = 2;
	for (size_t i = LEVELS_FROM + LEVELS + 3; i < sizeof(people) / sizeof(*people); i++) {
		people[i].title = arena_printf(report->arena, "%s for %s", people[i].stat, margin);
		people[i].drop = 1;
	}
	report->display.name = report->data.name = "noise";
	report_add_columns(report, &report->data, NULL, all, sizeof(all) / sizeof(*all));
	report_add_columns(
		report, &report->display, NULL, people, sizeof(people) / sizeof(*people));
}
#undef SIZE
#undef LEVEL
#undef PART

static struct cell count_cell(size_t n)
{
	return n ? cell_integer((int64_t)n) : cell_text(NULL);
}

static void add_row(struct report *report, const struct noise_row *row, bool is_on_screen)
{
	struct arena *arena = report->arena;
	const struct recorded_row *of = row->row;
	const struct measure *measure = measure_at(of->measure);
	const struct level_part *part = of->levels.part;
	const struct cell sees = cell_real(row->sees), of_many = cell_real(row->sees_of_many),
			  in_turns = cell_real(row->in_turns), runs = count_cell(row->runs),
			  pairs = count_cell(row->pairs);
	struct cell sd[LEVELS][3];

	for (size_t l = 0; l < LEVELS; l++) {
		const bool known = !isnan(part[l].variance);

		sd[l][0] = cell_real(known ? sqrt(fmax(0, part[l].variance)) : NAN);
		sd[l][1] = cell_real(known ? sqrt(part[l].low) : NAN);
		sd[l][2] = cell_real(known ? sqrt(part[l].high) : NAN);
	}
	report_add_cells(report, &report->data,
		(const struct cell[]){cell_text(of->name), cell_text(measure->name),
			cell_text(measure_base_unit(measure)), cell_real(row->mean), sd[0][0],
			sd[0][1], sd[0][2], sd[1][0], sd[1][1], sd[1][2], sd[2][0], sd[2][1],
			sd[2][2], sd[3][0], sd[3][1], sd[3][2], sees, of_many, in_turns, runs,
			pairs, cell_real(row->sees * row->mean),
			cell_real(row->tick > 0 ? row->tick : NAN),
			cell_real(row->tick > 0 ? row->sees * row->mean / row->tick : NAN),
			cell_integer((int64_t)of->changes)});
	report_add_cells(report, &report->display,
		(const struct cell[]){cell_text(row->name),
			cell_text(phrase_quantity(arena, measure->dimension, row->mean)),
			cell_text(level_words(arena, &part[LEVEL_STEP])),
			cell_text(level_words(arena, &part[LEVEL_RUN])),
			cell_text(level_words(arena, &part[LEVEL_SESSION])),
			cell_text(level_words(arena, &part[LEVEL_MACHINE])), sees, of_many,
			in_turns, runs, pairs})
		->on_screen = is_on_screen;
}

static const char *cost(struct arena *arena, size_t runs, double duration_ps)
{
	const char *count = arena_count(arena, runs, "run");

	if (isnan(duration_ps))
		return count;
	return arena_printf(arena, "%s (%s)", count,
		phrase_quantity(arena, DIMENSION_TIME, (double)runs * duration_ps));
}

/* The largest level of the row in words: what is worth doing something about. */
static void answer_levels(struct report *report, const struct noise_row *row)
{
	static const char *const words[LEVELS] = {"from step to step", "from run to run",
		"from session to session", "from machine to machine"};
	struct text text;

	text_init(&text);
	for (size_t l = 0; l < LEVELS; l++) {
		const struct level_part *part = &row->row->levels.part[l];

		if (isnan(part->variance))
			continue;
		text_printf(&text, "%s%s %s %%%s", text.size ? ", " : "", words[l],
			level_words(report->arena, part),
			part->variance < 0 ? " (no more than chance)" : "");
	}
	if (text.size)
		report_answer(report, "%s differs %s (sd).",
			phrase_visible(report->arena, row->name), text_string(&text));
	text_release(&text);
}

static void no_gate(struct report *report, size_t sessions)
{
	if (sessions < 2)
		report_next(report,
			"All runs are of one session: what sessions differ by is not known, and no "
			"run of another day can be judged. Record runs on more days.");
	else if (sessions < COMPARE_SESSIONS_LEAST)
		report_next(report,
			"A gate needs %d sessions of base, here are %zu: no run of another day can "
			"be judged. Record runs on more days.",
			COMPARE_SESSIONS_LEAST, sessions);
	else
		report_next(report,
			"Sessions are too few for what they differ by: one run of a new "
			"session shows no change below 1000 %%. Record runs on more days.");
}

static void answer_gate(struct report *report, const struct recorded_input *in,
	const struct noise_row *row, size_t rows, double typical, const char *margin)
{
	struct arena *arena = report->arena;
	const double duration = in->recorded->duration_ps;

	if (in->recorded->machines > 1)
		report_note(report, NULL, NULL,
			"what a gate sees is of %s, %zu of %zu sessions: a gate takes runs of one "
			"machine",
			in->recorded->machine_name[in->recorded->gate_machine]
				? phrase_visible(arena,
					  in->recorded->machine_name[in->recorded->gate_machine])
				: "an unnamed machine",
			in->recorded->gate_sessions, in->recorded->sessions);
	if (isnan(row->sees)) {
		no_gate(report, row->row->gate.units[LEVEL_SESSION]);
		return;
	}
	report_answer(report, "One run of a new session shows a change of %s in 80 %% of cases.%s",
		phrase_rough(arena, row->sees),
		rows < 2 || isnan(row->sees_of_many)
			? ""
			: arena_printf(arena,
				  " As one of %zu rows it must change by %s, the typical row by "
				  "%.1f %%.",
				  rows, phrase_rough(arena, row->sees_of_many), 100 * typical));
	if (!(row->row->gate.part[LEVEL_RUN].df > 1)) {
		report_next(report,
			"%s session has two runs: what more runs or runs in turns would show is "
			"not known. Record two in some.",
			row->row->gate.part[LEVEL_RUN].df > 0 ? "Only one" : "No");
		return;
	}
	if (row->runs)
		report_next(report, "To see %s: %s in one new session.", margin,
			cost(arena, row->runs, duration));
	else if (row->pairs)
		report_next(report,
			"No number of runs in one new session shows %s: %s. Recording in turns "
			"does: %zu pairs, %s.",
			margin,
			recorded_sessions_hide(&row->row->gate, in->margin, in->alpha)
				? "sessions differ by more"
				: "the recorded sessions have too few runs",
			row->pairs, cost(arena, 2 * row->pairs, duration));
	else
		report_next(report, "No number of runs in one new session shows %s.", margin);
	if (row->in_turns < row->sees)
		report_answer(report,
			"Old and new in turns within one session: %d pairs show %s (stepstat ab).",
			TURNS, phrase_rough(arena, row->in_turns));
}

/* Other gates on the first row: so many runs in so many sessions. */
static void note_gates(
	struct report *report, const struct recorded_input *in, const struct recorded_row *row)
{
	static const double gates[][2] = {{1, 3}, {1, 10}, {2, 1}, {3, 1}, {5, 2}};
	struct text text;

	text_init(&text);
	for (size_t i = 0; i < sizeof(gates) / sizeof(*gates); i++) {
		const struct levels_gate gate = {gates[i][0], gates[i][1], 0};
		const double sees = recorded_sees(&row->gate, &gate, in->alpha);

		/* Runs of a session say nothing new where none was recorded with two. */
		if (isnan(sees) || (gate.runs > 1 && !(row->gate.part[LEVEL_RUN].df > 0)))
			continue;
		text_printf(&text, "%s%g x %g %s", text.size ? ", " : "", gate.sessions, gate.runs,
			phrase_rough(report->arena, sees));
	}
	if (text.size)
		report_note(report, NULL, NULL,
			"%s, gates of other sizes (sessions x runs) see: %s",
			phrase_visible(report->arena, row->name), text_string(&text));
	text_release(&text);
}

const struct run *recorded_run_at(
	const struct recorded_input *in, const struct history_series *series, size_t place)
{
	return &in->cube->run[in->recorded->run[series->run[place]]];
}

/* The name by which its store knows the run. */
const char *recorded_name_of(struct arena *arena, const struct run *run)
{
	const char *name = text_base_name(run->name);
	const size_t n = strlen(name) - (text_ends(name, ".obs") ? strlen(".obs") : 0);

	return phrase_visible(arena, arena_strndup(arena, name, n));
}

const char *phrase_session(struct arena *arena, const struct run *run)
{
	static const struct facts none = {0};
	const struct facts *facts = run->facts ? run->facts : &none;

	return arena_printf(arena, "%s%s%.*s%s%s", recorded_name_of(arena, run),
		facts->commit ? ", commit " : "",
		facts->commit ? facts_commit_shown(facts->commit) : 0,
		facts->commit ? facts->commit : "", facts->status ? ", " : "",
		facts->status ? facts->status : "");
}

void report_note_sessions(struct report *report, const struct session_findings *found,
	const char *const row[2], const char *session)
{
	if (found->is_apart)
		report_note(report, "!", NULL,
			"%s is %+.1f %% from the other sessions at %s: this session makes the "
			"smallest visible change %.1f times as large",
			phrase_visible(report->arena, row[0]), 100 * expm1(found->apart_by),
			session, found->widens);
	if (found->has_groups)
		report_note(report, "!", "STORE:tag=NAME",
			"%s: %zu of %zu sessions are a group %+.1f %% above the others; tag what "
			"they have in common: each group alone shows smaller changes",
			phrase_visible(report->arena, row[1]), found->upper, found->valued,
			100 * expm1(found->groups_by));
}

/* Sessions that lie apart from the level of their series. */
static void note_sessions(
	struct report *report, const struct recorded_input *in, const struct history *history)
{
	const struct history_series *apart, *groups;
	struct session_findings found;
	size_t most = 0;
	double *x;

	for (size_t i = 0; i < history->series_count; i++)
		most = history->series[i].count > most ? history->series[i].count : most;
	x = memory_alloc(
		memory_product(memory_product(history->series_count, most) + 1, sizeof(*x)));
	for (size_t i = 0; i < history->series_count; i++)
		for (size_t u = 0; u < most; u++) {
			const struct history_series *series = &history->series[i];

			x[i * most + u] =
				u < series->count ? series->value[u] - series->level[u] : NAN;
		}
	session_findings_make(x, history->series_count, most, &found);
	memory_free(x);
	if (!found.is_apart && !found.has_groups)
		return;
	apart = &history->series[found.apart_row];
	groups = &history->series[found.groups_row];
	report_note_sessions(report, &found,
		(const char *const[]){apart->row->name, groups->row->name},
		phrase_session(
			report->arena, recorded_run_at(in, apart, apart->first_run[found.apart])));
}

static void add_notes(
	struct report *report, const struct recorded_runs *rec, const struct history *history)
{
	bool hides_runs = false, below = false;
	size_t changes = 0, drifts = 0;
	struct text text;

	for (size_t i = 0; i < rec->count; i++) {
		const struct levels *levels = &rec->row[i].levels;

		hides_runs |=
			levels->part[LEVEL_SESSION].df > 0 && !(levels->part[LEVEL_RUN].df > 0);
		for (size_t l = 0; l < LEVELS; l++)
			below |= levels->part[l].variance < 0;
	}
	if (hides_runs)
		report_note(report, NULL, NULL,
			"no session has two runs: what runs of one session differ by is in "
			"`session`");
	for (size_t i = 0; i < history->change_count; i++) {
		drifts += history->change[i].class == CHANGE_DRIFT;
		changes += history->change[i].class != CHANGE_OF_NOISE &&
			   history->change[i].class != CHANGE_DRIFT;
	}
	if (changes + drifts)
		report_note(report, NULL, "stepstat history",
			"taken out: %s of level, %s; what changed is no noise",
			arena_count(report->arena, changes, "change"),
			arena_count(report->arena, drifts, "drift"));
	if (below)
		report_note(report, NULL, NULL,
			"a level of 0 came out below 0: the levels below it explain all of its "
			"spread");
	text_init(&text);
	for (size_t l = 0; l < LEVELS; l++) {
		static const char *const words[LEVELS] = {"step", "run", "session", "machine"};

		if (!isnan(rec->typical[l]))
			text_printf(&text, "%s%s %s", text.size ? ", " : "", words[l],
				phrase_percent(report->arena, sqrt(rec->typical[l])));
	}
	if (text.size)
		report_note(report, NULL, NULL, "a typical row, pooled over all: %s (sd)",
			text_string(&text));
	text_release(&text);
	report_note(report, NULL, NULL,
		"intervals are at 90 %%; a gate asks for alpha 0.05, over all rows where it "
		"watches all");
}

static void set_row(const struct recorded_input *in, const struct recorded_row *row, size_t rows,
	struct noise_row *out)
{
	const struct levels_gate gate = {1, 1, 0};
	const double alpha = in->alpha;

	out->row = row;
	out->mean = row->row.mean;
	out->tick = row->row.grid > 0		   ? row->row.grid
		    : row->measure == MEASURE_TIME ? in->steps->time_resolution_ps
						   : 0;
	out->sees = recorded_sees(&row->gate, &gate, alpha);
	out->sees_of_many = recorded_sees(&row->gate, &gate, alpha / (double)rows);
	out->in_turns = recorded_sees_in_turns(&row->gate, TURNS, alpha);
	out->runs = recorded_runs_for(&row->gate, in->margin, alpha);
	out->pairs = recorded_pairs_for(&row->gate, in->margin, alpha);
}

struct report *build_noise(const struct recorded_input *in, const struct history *history,
	const struct build_options *opt)
{
	struct report *report = report_new("noise");
	const struct recorded_runs *rec = in->recorded;
	struct noise_row *row = arena_array(report->arena, rec->count + 1, sizeof(*row));
	const char **name = recorded_names(report, in, opt);
	const char *margin = phrase_level(report->arena, in->margin);
	double *sees = arena_array(report->arena, rec->count + 1, sizeof(*sees));
	size_t rows = 0, typical = 0;

	recorded_begin(report, in, opt);
	for (size_t i = 0; i < rec->count; i++)
		rows += !rec->row[i].is_step;
	add_columns(report, margin);
	for (size_t i = 0; i < rec->count; i++) {
		set_row(in, &rec->row[i], rows ? rows : 1, &row[i]);
		if (!rec->row[i].is_step && row[i].sees_of_many > 0)
			sees[typical++] = row[i].sees_of_many;
		row[i].name = name[i];
		add_row(report, &row[i], i < opt->top);
	}
	table_drop_unknown(&report->display, LEVELS_FROM, LEVELS_FROM + LEVELS);
	if (!rec->count)
		report->display.column_count = 0;
	if (rec->runs < 2)
		report_answer(report, "One run says nothing about noise.");
	else if (!rec->count)
		report_answer(report, "No row differs between runs.");
	else {
		answer_levels(report, &row[0]);
		answer_gate(report, in, &row[0], rows ? rows : 1,
			typical ? sample_quantile(sees, typical, 0.5) : row[0].sees_of_many,
			margin);
		note_gates(report, in, &rec->row[0]);
		note_sessions(report, in, history);
		add_notes(report, in->recorded, history);
	}
	return report;
}
