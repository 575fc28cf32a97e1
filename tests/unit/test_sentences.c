/* No two sentences of one output disagree: verdicts of the step, of rows, of a gate's policies and
 * what more runs would show, in all combinations, go through the real builders; a list says which
 * words must not stand in one report. */
#include <math.h>
#include "base/text.h"
#include "analysis/gate/findings.h"
#include "report/compare/build_compare.h"
#include "report/compare/build_gate.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

#define RUNS 5
#define STEPS 20
#define ROWS_MOST 6
#define MS 1e9 /* ps */
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* The step, or a row, with numbers that lead to its verdict. */
struct shown {
	const char *name;
	enum verdict verdict;
	double change, low, high, q, detectable;
	double p_same;
};

static const struct shown kinds[] = {
	{"slower", VERDICT_REGRESSED, 0.1, 0.08, 0.12, 0.0001, 0.03, 1},
	{"faster", VERDICT_IMPROVED, -0.1, -0.12, -0.08, 0.0001, 0.03, 1},
	{"near", VERDICT_SLOWER, 0.025, 0.01, 0.04, 0.01, 0.04, 1},
	{"near_faster", VERDICT_FASTER, -0.025, -0.04, -0.01, 0.01, 0.04, 1},
	{"same", VERDICT_SAME, 0.001, -0.005, 0.007, 0.7, 0.03, 0.001},
	{"same_changed", VERDICT_SAME, 0.01, 0.005, 0.015, 0.0001, 0.03, 0.001},
	{"open", VERDICT_INCONCLUSIVE, 0.01, -0.01, 0.03, 0.4, 0.035, 0.2},
	{"blind", VERDICT_INCONCLUSIVE, 0.05, -0.3, 0.4, 0.7, 0.6, 0.8},
	{"hidden", VERDICT_INCONCLUSIVE, 0.5, -0.9, 40, 0.9, 1e6, 0.9},
	{"new", VERDICT_NEW, NAN, NAN, NAN, NAN, NAN, NAN},
	{"gone", VERDICT_GONE, NAN, NAN, NAN, NAN, NAN, NAN},
	{"rare", VERDICT_RARE, NAN, NAN, NAN, NAN, NAN, NAN},
};
#define STEP_KINDS 9 /* the first so many may be the step's */

/* The rows of a comparison, by their names; "+": what moved. */
static const char *const row_sets[] = {"same", "slower same", "faster same", "near same",
	"near_faster same", "slower faster same", "same_changed", "open", "blind blind same",
	"open same same", "hidden", "new same", "gone same", "new gone same", "rare same",
	"slower blind blind", "+slower +faster same", "+slower +faster slower same",
	"+new +gone same", "+slower +faster blind blind"};

static const char *const policies_texts[] = {"{}", "{fail_on: slower}", "{blind: pass}",
	"{new: fail, gone: fail}", "{moved: fail}", "{inconclusive: fail}", "{improved: report}"};

/* Of the undecided rows: what a run varies by, from which the plan follows. */
static const double spreads[] = {NAN, 1e-5, 0.02, 3};

/* What must not stand in one report. A word that begins with ^ begins a sentence. */
static const char *const forbidden[][2] = {
	{"^green", "Cannot tell"}, {"^green", "is undecided"}, {"^green", "BLIND: the step"},
	{"^green", "No verdict"}, {"^red", "the SAME"}, {"^red", "Next: nothing to do"},
	{"^red", "No change is shown"}, {"^blind", "Next: nothing to do."},
	{"^green: no op REGRESSED", "ops REGRESSED ("},
	{"^green: no op REGRESSED", "1 op REGRESSED ("},
	{"^green: no op REGRESSED", "^new is SLOWER: "}, {"^improved", "op REGRESSED ("},
	{"^improved", "Cannot tell"}, {"^undecided", "Next: nothing to do."},
	{"^passed", "the SAME"}, {"No change is shown", "new is SLOWER"},
	{"Cannot tell", "No change is shown"}, {"Cannot tell", "the SAME within"},
	{"Cannot tell", "Next: nothing to do"}, {"the SAME within", "op REGRESSED ("},
	{"the SAME within", "1 op IMPROVED ("},
	{"No op is known to have changed", "op REGRESSED ("},
	{"No op is known to have changed", "op IMPROVED ("},
	{"No op is known to have changed", "Next: look at"},
	{"No op is known to have changed", "Work moved"}, {"Next: record", "Next: nothing"},
	{"Next: record", "Next: look"},
	{"Next: record 5 runs", " runs"}, /* that are there already */
	{"stays within", "new is"}, {"% would", "x 1e"},
	{"e+0", "%"}, /* a threshold that nobody can read */
};

struct made {
	struct arena *arena;
	struct cube cube;
	struct step_set steps;
	struct grouping grouping;
	struct run run[RUNS];
	struct step step[RUNS * STEPS];
	uint32_t kept[RUNS * STEPS], run_of[RUNS];
	size_t first[RUNS + 1], skipped[RUNS];
	struct warmup warmup[RUNS];
	struct compare_side base, new;
	struct compared_row row[ROWS_MOST];
	struct compared_measure measure;
	struct comparison c;
	struct compare_options opt;
	struct build_options build;
};

static void make_sides(struct made *t)
{
	static const char *const names[RUNS] = {"r1", "r2", "r3", "r4", "r5"};

	for (uint32_t r = 0; r < RUNS; r++) {
		t->run[r] = (struct run){names[r], NULL, NULL, "", NULL, r * STEPS, STEPS, NULL};
		t->run_of[r] = r;
		t->first[r + 1] = (r + 1) * STEPS;
		for (size_t i = r * STEPS; i < t->first[r + 1]; i++) {
			t->step[i].number = (int64_t)i;
			t->kept[i] = (uint32_t)i;
		}
	}
	t->cube = (struct cube){
		.run = t->run, .run_count = RUNS, .step = t->step, .step_count = RUNS * STEPS};
	t->steps = (struct step_set){.step = t->kept,
		.count = RUNS * STEPS,
		.first = t->first,
		.run = t->run_of,
		.run_count = RUNS,
		.warmup = t->warmup,
		.is_alike = true,
		.skipped = t->skipped};
	t->base = (struct compare_side){
		.label = "base", .run = {&t->cube, &t->cube, &t->steps, &t->grouping}};
	t->new = (struct compare_side){
		.label = "new", .run = {&t->cube, &t->cube, &t->steps, &t->grouping}};
}

static struct run_row *side_of(struct made *t, double mean)
{
	double scaled[RUNS];
	struct run_row *row;

	for (size_t r = 0; r < RUNS; r++)
		scaled[r] = log(mean);
	row = row_of_logs(t->arena, scaled, RUNS);
	row->steps = row->ran = RUNS * STEPS;
	return row;
}

static struct compared value_of(struct made *t, const struct shown *k, double base)
{
	const bool in_base = k->verdict != VERDICT_NEW &&
			     (k->verdict != VERDICT_RARE || k->change > 0),
		   in_new = k->verdict != VERDICT_GONE;
	const double new = base *(1 + (isnan(k->change) ? 0 : k->change));

	return (struct compared){.base = in_base ? side_of(t, base) : NULL,
		.new = in_new ? side_of(t, new) : NULL,
		.base_mean = in_base ? base : NAN,
		.new_mean = in_new ? new : NAN,
		.difference = (in_new ? new : 0) - (in_base ? base : 0),
		.change = k->change,
		.low = k->low,
		.high = k->high,
		.level = 0.95,
		.evidence = in_base &&in_new ? EVIDENCE_TEST : EVIDENCE_NONE,
		.diff = log1p(k->change),
		.se = 0.01,
		.df = 8,
		.p = k->q,
		.q = k->q,
		.p_same = k->p_same,
		.margin = MARGIN,
		.margin_units = MARGIN *base,
		.alpha = 0.05,
		.detectable = k->detectable,
		.detectable_slower = k->detectable,
		.flagged = k->q < 0.05,
		.verdict = k->verdict};
}

static const struct shown *find(const char *name, size_t size)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (strlen(kinds[i].name) == size && !strncmp(kinds[i].name, name, size))
			return &kinds[i];
	fail_msg("no kind %s", name);
	return NULL;
}

static void add_rows(struct made *t, const char *set)
{
	static struct group any;
	size_t moved = 0;

	while (*set) {
		const bool is_moved = *set == '+';
		const size_t size = strcspn(set + is_moved, " ");
		const struct shown *k = find(set + is_moved, size);
		struct compared_row *row = &t->row[t->c.count++];

		*row = (struct compared_row){
			.name = arena_printf(t->arena, "%s_%zu", k->name, t->c.count),
			.executions_base = NAN,
			.executions_new = NAN};
		row->value = arena_alloc(t->arena, sizeof(*row->value));
		*row->value = value_of(t, k, MS);
		row->value->moved = is_moved;
		row->base = row->value->base ? &any : NULL;
		row->new = row->value->new ? &any : NULL;
		moved += is_moved;
		t->measure.verdicts[k->verdict]++;
		if (k->verdict == VERDICT_INCONCLUSIVE) {
			t->measure.open_count++;
			t->measure.open_first = row->value;
		}
		set += is_moved + size;
		set += strspn(set, " ");
	}
	if (moved)
		t->c.moved = (struct moved_work){
			1, 1, 0.1 * MS, 0.1 * MS, value_of(t, find("same", 4), 2 * MS), true};
}

static void set_up(struct made *t, const struct shown *step, const char *rows, double spread)
{
	*t = (struct made){.arena = arena_new()};
	make_sides(t);
	t->measure = (struct compared_measure){.id = MEASURE_TIME,
		.base = {.runs = RUNS, .cv_step = NAN, .n_eff_share = 1},
		.new = {.runs = RUNS, .cv_step = NAN, .n_eff_share = 1},
		.total = value_of(t, step, 10 * MS),
		.family = 3,
		.smallest_p = NAN,
		.geomean = NAN,
		.geomean_p = NAN,
		.flag_level_least = NAN,
		.flag_level_most = NAN,
		.sign_p = 1,
		.limit_p = 0.02,
		.moderated = {.family = 3},
		.sd_run = spread,
		.open_sd_run = spread,
		.open_df = 8};
	t->c = (struct comparison){.row = t->row,
		.measure = &t->measure,
		.measure_count = 1,
		.step_times = STEP_TIMES_NONE,
		.pairing = {.paired = ROWS_MOST},
		.runs_base = RUNS,
		.runs_new = RUNS,
		.arena = t->arena};
	add_rows(t, rows);
	t->opt = usual_options(METHOD_MODERATED);
	t->opt.rule.min_runs = 2;
	t->build = (struct build_options){.row_noun = "op", .row_nouns = "ops", .top = 10};
}

static bool holds(const struct report *report, const char *word)
{
	const bool begins = *word == '^';
	const char *sought = word + begins;
	bool found = report->has_result && (begins ? text_starts(report->result, sought)
						   : strstr(report->result, sought) != NULL);

	for (size_t i = 0; i < report->answer_count; i++)
		found |= begins ? text_starts(report->answer[i], sought)
				: strstr(report->answer[i], sought) != NULL;
	for (size_t i = 0; i < report->note_count; i++)
		found |= !report->note[i].detail &&
			 (begins ? text_starts(report->note[i].text, sought)
				 : strstr(report->note[i].text, sought) != NULL);
	return found;
}

static void check(const struct report *report, const char *setting)
{
	size_t next = 0, notes = 0;

	for (size_t i = 0; i < COUNT(forbidden); i++)
		if (holds(report, forbidden[i][0]) && holds(report, forbidden[i][1]))
			fail_msg("%s: \"%s\" stands beside \"%s\"; %s / %s / %s", setting,
				forbidden[i][0], forbidden[i][1],
				report->has_result ? report->result : "",
				report->answer_count ? report->answer[0] : "",
				report->answer_count ? report->answer[report->answer_count - 1]
						     : "");
	for (size_t i = 0; i < report->answer_count; i++)
		next += text_starts(report->answer[i], "Next: ");
	for (size_t i = 0; i < report->note_count; i++)
		notes += !report->note[i].detail;
	if (next > 1 || notes > 4)
		fail_msg("%s: %zu times Next, %zu notes", setting, next, notes);
}

static void judge(struct made *t, const char *text, const char *setting)
{
	struct policies *policies = policies_new();
	const char *yaml = arena_printf(t->arena, "gate: %s\n", text);
	struct error err = {.kind = ERROR_NONE};
	struct gate_input input = {
		.comparison = &t->c, .compare = &t->opt, .policies = policies, .today = 20000};
	struct report *report;
	struct gate gate;

	if (policies_read_memory(policies, yaml, strlen(yaml), "s.yaml", &err) ||
		gate_decide(&input, t->arena, &gate, &err))
		fail_msg("%s", err.message);
	report = build_comparison(&t->base, &t->new, &t->c, &t->opt, &t->build, &gate);
	build_gate(report, &t->c, &t->opt, policies, &gate, &t->build);
	check(report, setting);
	report_free(report);
	policies_free(policies);
}

static void compare(struct made *t, const char *setting)
{
	struct report *report =
		build_comparison(&t->base, &t->new, &t->c, &t->opt, &t->build, NULL);

	check(report, setting);
	report_free(report);
}

TEST(no_two_sentences_disagree)
{
	struct made *t = malloc(sizeof(*t));
	char setting[200];

	for (size_t s = 0; s < STEP_KINDS; s++)
		for (size_t r = 0; r < COUNT(row_sets); r++)
			for (size_t d = 0; d < COUNT(spreads); d++)
				for (size_t p = 0; p <= COUNT(policies_texts); p++) {
					const char *text = p ? policies_texts[p - 1] : "compare";

					snprintf(setting, sizeof(setting),
						"step %s, rows %s, spread %g, %s", kinds[s].name,
						row_sets[r], spreads[d], text);
					set_up(t, &kinds[s], row_sets[r], spreads[d]);
					if (p)
						judge(t, text, setting);
					else
						compare(t, setting);
					arena_free(t->arena);
				}
	free(t);
}

/* The list finds something: words that stand together in an output are told. */
TEST(the_words_are_those_of_the_builders)
{
	static const char *const met[] = {"Cannot tell", "No change is shown", "the SAME within",
		"stays within", "Work moved", "Next: look at", "Next: record",
		"Next: nothing to do", "No op is known to have changed", "op REGRESSED ("};
	struct made *t = malloc(sizeof(*t));
	bool found[COUNT(met)] = {false};

	for (size_t s = 0; s < STEP_KINDS; s++)
		for (size_t r = 0; r < COUNT(row_sets); r++) {
			struct report *report;

			set_up(t, &kinds[s], row_sets[r], 0.02);
			report = build_comparison(
				&t->base, &t->new, &t->c, &t->opt, &t->build, NULL);
			for (size_t i = 0; i < COUNT(met); i++)
				found[i] |= holds(report, met[i]);
			report_free(report);
			arena_free(t->arena);
		}
	for (size_t i = 0; i < COUNT(met); i++)
		if (!found[i])
			fail_msg("no combination says \"%s\"", met[i]);
	free(t);
}
