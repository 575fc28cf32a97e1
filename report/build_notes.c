/* Chooses and words the notes: losses first, then what marks single cells, then what concerns the
 * whole input. */
#include "report/build_notes.h"

#include <math.h>
#include <string.h>
#include "analysis/step_kinds.h"
#include "base/text.h"
#include "model/ranks.h"
#include "report/build_answers.h"
#include "stats/moments.h"

#define NOTES_MOST 6
#define MARKS_MOST 3
#define ROBUST_FACTOR 2 /* a CV that is larger by this than the robust CV has a note */
#define WIDENED 1.5	/* an interval that is longer by this than Student's is worth a note */
#define ROBUST_NAMED 3
#define ROBUST_STEPS 5 /* of fewer steps none can be called wild */
#define ROBUST_CV 0.05 /* a smaller CV is nothing to explain */

struct report_noter {
	struct report *report;
	struct summary *summary;
	const struct calls *calls; /* NULL: of steps */
	const struct cube *self;
	const struct build_options *opt;
	const struct report_warmup *warmup;
	struct answered answered;
	const char *const *name; /* per group: the short form */
	const char **mark;
	size_t marks;
};

/* The note that was added last says that nothing is odd: the screen does not need it. */
static void make_detail(const struct report_noter *n)
{
	n->report->note[n->report->note_count - 1].detail = n->opt->top != SIZE_MAX;
}

/* The screen shows the first few that are not details; files have all. */
static void hide_beyond_most(const struct report_noter *n)
{
	size_t shown = 0;

	for (size_t i = 0; i < n->report->note_count; i++) {
		struct note *note = &n->report->note[i];

		note->detail |= shown >= NOTES_MOST && n->opt->top != SIZE_MAX;
		shown += !note->detail;
	}
}

static struct arena *arena_of(const struct report_noter *n)
{
	return n->report->arena;
}

/* Steps of which it is known that they are not whole can be left out; else bounds are all there is.
 */
static const char *option_of(const struct report_noter *n, const struct issue *issue)
{
	if ((issue->loss.kind == LOSS_OP_TIME || text_equal(issue->code, "device-outside")) &&
		n->self->times.kind != STEP_TIME_PERIOD)
		return "--step-time=period";
	if (text_equal(issue->code, "device-missing"))
		return NULL;
	if (issue->effect.unit == EFFECT_NONE)
		return NULL;
	return *issue->effect.steps || text_equal(issue->code, "cut-step") ? "--steps=FROM:TO"
									   : "stepstat audit";
}

/* Notes on values lost or wrong in the input. Plain information goes to files and
 * --explain-inputs. */
static void note_issues(struct report_noter *n)
{
	size_t more = 0;

	for (size_t i = 0; i < n->summary->cube->issues.count; i++) {
		const struct issue *issue = &n->summary->cube->issues.issue[i];
		struct text text;

		if (issue->severity == ISSUE_INFO)
			continue;
		if (n->report->note_count >= 2) {
			more++;
			continue;
		}
		text_init(&text);
		issue_add_sentence(&text, issue);
		report_note(n->report, "!", option_of(n, issue), "%s", text_string(&text));
		text_release(&text);
	}
	if (more)
		report_note(n->report, "!", "--explain-inputs",
			"%zu more kinds of loss in the input", more);
}

static const char *next_mark(struct report_noter *n, size_t group)
{
	char letter[2] = {(char)('a' + n->marks), 0};

	n->marks++;
	n->mark[group] = arena_strdup(arena_of(n), letter);
	return n->mark[group];
}

/* "steps 37 and 71 make this CV; without them 4.1 %". */
static void note_outliers(struct report_noter *n, size_t group, const struct summary_value *value)
{
	struct arena *arena = arena_of(n);
	const char *name[SUMMARY_OUTLIERS_KEPT], *cv = "undefined";
	size_t named =
		value->outliers < SUMMARY_OUTLIERS_KEPT ? value->outliers : SUMMARY_OUTLIERS_KEPT;

	for (size_t i = 0; i < named; i++)
		name[i] = phrase_step(arena, n->summary->cube, value->outlier[i]);
	if (!isnan(value->cv_without))
		cv = phrase_percent(arena, value->cv_without);
	if (value->outliers == 1)
		report_note(n->report, next_mark(n, group), NULL,
			"step %s alone makes this CV; without it %s", name[0], cv);
	else
		report_note(n->report, next_mark(n, group), NULL,
			"%zu steps (%s) make this CV; without them %s", value->outliers,
			value->outliers > named
				? arena_printf(arena, "%s, %s, ...", name[0], name[1])
				: phrase_list(arena, name, named),
			cv);
}

/* Why the CV of a shown row is what it is: steps without the op, or one step, or a few outliers. */
static void note_row(struct report_noter *n, size_t group)
{
	const struct summary_value *value = &n->summary->all.row[group].value[0];
	const struct sample *sample = &value->runs.pooled;
	const struct measure *measure = measure_at(n->summary->options.measure[0]);
	struct arena *arena = arena_of(n);

	if (value->is_static || value->runs.runs != 1)
		return;
	if (value->when_run) {
		const char *cv = isnan(value->when_run->cv)
					 ? ""
					 : arena_printf(arena, ", CV %s",
						   phrase_percent(arena, value->when_run->cv));

		report_note(n->report, next_mark(n, group), "--absent=skip",
			"ran in %zu of %zu steps, the others count as 0 (%s when it runs%s)",
			value->ran, value->steps,
			phrase_quantity(arena, measure->dimension, value->when_run->mean), cv);
	} else if (value->spiky ||
		   (value->outliers && sample->cv > ROBUST_FACTOR * sample->robust_cv)) {
		note_outliers(n, group, value);
	} else if (sample->robust_cv > 0 && (sample->cv > ROBUST_FACTOR * sample->robust_cv)) {
		report_note(n->report, next_mark(n, group), "--stats=mean,cv,robustcv,max",
			"a few steps make this CV; the robust CV is %s",
			phrase_percent(arena, sample->robust_cv));
	}
}

/* A few steps make this CV, and no other note says so. */
static bool wants_robust(const struct report_noter *n, size_t group)
{
	const struct summary_value *value = &n->summary->all.row[group].value[0];
	const struct sample *sample = &value->runs.pooled;

	return !n->mark[group] && !value->is_static && value->runs.runs == 1 &&
	       sample->n >= ROBUST_STEPS && sample->cv > ROBUST_CV && sample->robust_cv > 0 &&
	       sample->cv > ROBUST_FACTOR * sample->robust_cv;
}

/* One letter for all rows whose CV a few steps make: the screen has no column for the robust CV. */
static void note_robust(struct report_noter *n, const bool *shown)
{
	struct arena *arena = arena_of(n);
	const char *named[ROBUST_NAMED], *letter = NULL;
	size_t count = 0, groups = n->summary->grouping->count, first = groups;
	bool *rest = arena_array(arena, groups, sizeof(*rest));

	for (size_t g = 0; g < groups && !n->opt->stat_given; g++) {
		rest[g] = shown[g] && wants_robust(n, g);
		if (rest[g] && letter)
			n->mark[g] = letter;
		else if (rest[g])
			letter = next_mark(n, g);
		count += rest[g];
	}
	if (!count)
		return;
	for (size_t i = 0; i < ROBUST_NAMED && i < count; i++, first = groups) {
		for (size_t g = 0; g < groups; g++)
			if (rest[g] && (first == groups ||
					       n->summary->all.row[g].value[0].share >
						       n->summary->all.row[first].value[0].share))
				first = g;
		rest[first] = false;
		named[i] = arena_printf(arena, "%s %s", n->name[first],
			phrase_percent(
				arena, n->summary->all.row[first].value[0].runs.pooled.robust_cv));
	}
	report_note(n->report, letter, "--stats=mean,cv,robustcv",
		"a few steps make %s; without their weight (robust CV): %s%s",
		count == 1 ? "this CV" : "these CVs",
		phrase_list(arena, named, count < ROBUST_NAMED ? count : ROBUST_NAMED),
		count > ROBUST_NAMED ? arena_printf(arena, "; %zu more", count - ROBUST_NAMED)
				     : "");
}

static void note_rows(struct report_noter *n, const bool *shown)
{
	size_t groups = n->summary->grouping->count;

	/* The rows of the screen, largest share first: twice, as the marks go from the top down. */
	for (size_t done = 0; n->marks < MARKS_MOST && done < groups;) {
		double best = -INFINITY;
		size_t at = groups;

		for (size_t g = 0; g < groups; g++) {
			const struct summary_value *value = &n->summary->all.row[g].value[0];

			if (!shown[g] || n->mark[g])
				continue;
			if (value->jitter > best) {
				best = value->jitter;
				at = g;
			}
		}
		if (at == groups || best <= 0.02) /* the others have less */
			break;
		n->mark[at] = "";
		done++;
		note_row(n, at);
	}
	for (size_t g = 0; g < groups; g++)
		if (n->mark[g] && !*n->mark[g])
			n->mark[g] = NULL;
}

static void note_kinds(struct report_noter *n)
{
	const struct step_set *steps = n->summary->steps;
	const struct kinds *kinds = &steps->kinds;
	struct arena *arena = arena_of(n);
	const char *effect = "";
	bool *of_first = arena_array(arena, steps->count, sizeof(*of_first));
	size_t others = 0, first = 0;
	double mean;

	if (kinds->gave_up)
		report_note(n->report, "!", "--kind=none", "%s", KINDS_GAVE_UP);
	if (kinds->count < 2 || n->opt->kind_chosen)
		return;
	for (size_t i = steps->count; i-- > 0;) {
		of_first[i] = kinds->of_step[steps->step[i]] == 1;
		if (of_first[i])
			continue;
		others++;
		first = steps->step[i];
	}
	if (!others)
		return;
	mean = mean_of_steps(n->summary, of_first);
	if (!isnan(mean) && n->summary->options.measure[0] == MEASURE_TIME)
		effect = arena_printf(arena, "; the %zu of kind %s take %s each", kinds->steps[0],
			kinds_word(kinds, 1, arena), phrase_quantity(arena, DIMENSION_TIME, mean));
	report_note(n->report, NULL, arena_printf(arena, "--kind=%s", kinds_word(kinds, 1, arena)),
		"%zu step%s of another kind (%s), first step %s%s", others,
		others == 1 ? " is" : "s are",
		kinds->name ? kinds_list(kinds, arena) : "other ops, as in evaluation",
		phrase_step(arena, n->self, first), effect);
}

static void note_warmup(struct report_noter *n)
{
	const struct step_set *steps = n->summary->steps;
	const struct report_warmup *warmup = n->warmup;

	if (n->opt->warmup_option || n->summary->options.measure[0] != MEASURE_TIME)
		return;
	if (warmup->is_unsteady)
		report_note(n->report, NULL, NULL,
			"no steady state: more than half of the steps are slower than the last "
			"ones");
	else if (warmup->sentence && !n->answered.warmup)
		report_note(n->report, NULL, "--warmup=auto", "%s", warmup->sentence);
	else if (!warmup->found && steps->count >= 6 * steps->run_count) {
		report_note(n->report, NULL, NULL,
			"no warm-up found: the first steps are not slower than the others");
		make_detail(n);
	}
}

#define PERIOD_MOST 1.2 /* times the marker, and they mean the same */

/* Work that is launched and not waited for ends after the marker does. */
static void note_period(struct report_noter *n)
{
	const double marker = summary_series_mean(n->summary, n->self, SERIES_MARKER);
	const double period = summary_series_mean(n->summary, n->self, SERIES_PERIOD);

	if (n->self->times.kind != STEP_TIME_MARKER || !(period > PERIOD_MOST * marker) ||
		n->answered.period)
		return;
	report_note(n->report, NULL, "--step-time=period",
		"from the start of a step to the start of the next one %s pass, its marker lasts "
		"%s",
		phrase_quantity(arena_of(n), DIMENSION_TIME, period),
		phrase_quantity(arena_of(n), DIMENSION_TIME, marker));
}

static void note_resolution(struct report_noter *n)
{
	size_t count = 0;

	for (size_t g = 0; g < n->summary->grouping->count; g++)
		count += n->summary->all.row[g].value[0].resolution_limited;
	if (!count)
		return;
	report_note(n->report, NULL, NULL,
		"%zu small %s: times recorded in steps of %s alone could make the CV, so they are "
		"not shown as unstable",
		count, phrase_noun(n->opt, count),
		phrase_exact(arena_of(n), DIMENSION_TIME, n->summary->time_resolution_ps));
	make_detail(n);
}

/* The length of the interval over Student's of as many independent steps. */
static double interval_widening(const struct sample *s, double confidence)
{
	const double n = (double)s->n;

	return (s->high - s->low) / 2 /
	       moments_half_width(s->se * sqrt(s->n_eff / n), n - 1, confidence);
}

static void note_correlation(struct report_noter *n)
{
	const struct runs *runs = summary_first_runs(n->summary);
	const struct sample *total = &runs->pooled;
	double factor;

	/* Fewer than five are too few whatever their correlation: note_few has said so. */
	if (runs->runs != 1 || isnan(total->lag1_corrected) || total->n < 5 || total->two_levels)
		return;
	factor = interval_widening(total, n->summary->options.sample.confidence);
	if (isnan(total->low)) {
		report_note(n->report, NULL, "--stats=mean,lag1,neff",
			"steps are correlated (lag-1 %.2f, %.2f allowing for so few): %zu steps "
			"count as %.1f, too few for an interval",
			total->lag1, total->lag1_corrected, total->n, total->n_eff);
	} else if (total->lag1_corrected >= 0.05) {
		report_note(n->report, NULL, "--stats=mean,lag1,neff",
			"intervals allow for correlated steps (lag-1 %.2f; %zu steps count as "
			"%.1f): %.1f times as long as those of independent steps",
			total->lag1, total->n, total->n_eff, factor);
		if (factor < WIDENED)
			make_detail(n);
	} else if (factor >= WIDENED) {
		report_note(n->report, NULL, "--stats=mean,lag1,neff",
			"intervals allow for a correlation that so few steps do not show: %.1f "
			"times as long as those of independent steps",
			factor);
		make_detail(n);
	}
}

static void note_two_levels(struct report_noter *n)
{
	const struct runs *first = summary_first_runs(n->summary);
	const bool is_total = first->runs == 1 && first->pooled.two_levels;
	size_t count = 0;

	for (size_t g = 0; g < n->summary->grouping->count; g++) {
		const struct runs *runs = &n->summary->all.row[g].value[0].runs;

		count += runs->runs == 1 && runs->pooled.two_levels;
	}
	if (!count && !is_total)
		return;
	report_note(n->report, NULL, "--stats=mean,min,median,max",
		"no interval of %s: the steps lie on two levels, each seen twice or more",
		is_total ? "the step"
			 : arena_printf(arena_of(n), "%zu %s", count, phrase_noun(n->opt, count)));
	if (!is_total)
		make_detail(n);
}

static void note_wide_intervals(struct report_noter *n)
{
	size_t count = 0;

	for (size_t g = 0; g < n->summary->grouping->count; g++) {
		const struct runs *runs = &n->summary->all.row[g].value[0].runs;

		count += !n->summary->all.row[g].value[0].is_static && isnan(runs->low) &&
			 (runs->runs > 1 || (runs->runs == 1 && !isnan(runs->pooled.low)));
	}
	if (!count)
		return;
	report_note(n->report, NULL, "--stats=mean,sd,min,max",
		"%zu %s no interval: it would be longer than a factor of 10 either way", count,
		arena_printf(arena_of(n), "%s %s", phrase_noun(n->opt, count),
			count == 1 ? "has" : "have"));
}

void report_notes_grouping(struct report *report, const char *side, const struct grouping *grouping,
	enum grouped_values values)
{
	static const char *const added[] = {
		[GROUPED_PER_STEP] = "added up per step",
		[GROUPED_TOTALS_PER_STEP] = "added up per step, what runs inside of another once",
		[GROUPED_PER_CALL] = "a row for each name",
	};
	const char *what = grouping->collisions_kept ? "a row each"
			   : grouping->overlaps	     ? "a row for each name"
						     : added[values];

	if (grouping->collisions)
		report_note(report, NULL,
			grouping->collisions_kept ? "on-collision: sum" : "on-collision: keep",
			"%s%zu ops share %zu name%s after renaming and are %s (first: %s)", side,
			grouping->collided, grouping->collisions,
			grouping->collisions == 1 ? "" : "s", what,
			phrase_list(report->arena, &grouping->collision_name, 1));
	if (grouping->overlaps && values != GROUPED_PER_CALL)
		report_note(report, NULL, "--value=self",
			"%s%zu row%s of several ops of which some may run inside of others; the "
			"source does not say which, so %s no total",
			side, grouping->overlaps, grouping->overlaps == 1 ? " is" : "s are",
			grouping->overlaps == 1 ? "it has" : "they have");
	if (grouping->dead_rename_count)
		report_note(report, NULL, "stepstat ops",
			"%s%zu rename rule%s changed nothing (first: %s)", side,
			grouping->dead_rename_count, grouping->dead_rename_count == 1 ? "" : "s",
			phrase_list(report->arena, &grouping->dead_renames[0], 1));
}

static void note_rules(struct report_noter *n)
{
	const struct grouping *grouping = n->summary->grouping;

	if (n->opt->rules_given && grouping->ops_kept < grouping->ops)
		report_note(n->report, NULL,
			n->summary->options.of_selected ? NULL : "--of=selected",
			"the patterns chose %zu of %zu ops; shares refer to %s", grouping->ops_kept,
			grouping->ops, n->summary->options.of_selected ? "these" : "all ops");
	if (grouping->loose_include)
		report_note(n->report, NULL, "--full-match",
			"\"%s\" chose %zu ops; it is the whole name of %zu, as tfprof's patterns "
			"must be",
			grouping->loose_include, grouping->loose_ops, grouping->loose_whole);
	report_notes_grouping(n->report, "", grouping,
		n->calls	      ? GROUPED_PER_CALL
		: n->summary->overlap ? GROUPED_TOTALS_PER_STEP
				      : GROUPED_PER_STEP);
}

static void note_overlap(struct report_noter *n)
{
	if (n->summary->overlap)
		report_note(n->report, NULL, "--value=self",
			"rows hold everything below them and overlap: they do not add up to the "
			"total");
}

static void note_few(struct report_noter *n)
{
	size_t steps = n->summary->steps->count;
	const bool benchmarks = n->summary->cube->benchmarks;

	if (steps == 1 && benchmarks)
		report_note(n->report, NULL, NULL,
			"one value of each benchmark: no spread, no interval; record more runs");
	else if (steps == 1 && !issue_list_find(&n->summary->cube->issues, "tensorrt-averages"))
		report_note(n->report, NULL, NULL,
			"one step: no spread, no interval; give more steps (other files, a folder, "
			"or marks of steps in a trace)");
	else if (steps > 1 && steps < 5 && n->summary->steps->run_count == 1)
		report_note(n->report, NULL, NULL,
			"%zu steps are too few for intervals%s (5 are needed)", steps,
			benchmarks ? "" : " and jitter shares");
	report_note_rows(n->report, n->opt, n->summary->cube);
}

/* The benchmarks whose percentiles are left out, for the one that needs most values. */
static void note_tails(struct report_noter *n)
{
	const struct summary_options *opt = &n->summary->options;
	const struct statistic_choice *most = NULL;
	size_t lacking = 0;

	for (size_t i = 0; i < opt->extra_count; i++)
		for (size_t g = 0; g < n->summary->grouping->count; g++) {
			const size_t known = n->summary->all.row[g].value[0].runs.pooled.n;

			if (known == 0 || !summary_lacks_tail(n->summary, &opt->extra[i], known))
				continue;
			if (!most || opt->extra[i].p > most->p) {
				most = &opt->extra[i];
				lacking = 0;
			}
			lacking += &opt->extra[i] == most;
		}
	if (most)
		report_note(n->report, NULL, NULL,
			"%s: cannot tell, fewer than 10 values beyond it (%zu of %zu %s)",
			most->name, lacking, n->summary->grouping->count,
			phrase_noun(n->opt, n->summary->grouping->count));
}

void report_note_assumed(struct report *report, const struct cube *cube, const char *side)
{
	const struct issue *issue = issue_list_find(&cube->issues, RANKS_ASSUMED);

	if (issue)
		report_note(report, NULL, "--ranks=none",
			"%sonly their times say that %zu processes are the ranks of one run", side,
			issue->count);
}

/* Files that hold the same run, ranks that nobody calls so, and other plain facts about the inputs.
 */
static void note_same_run(struct report_noter *n)
{
	report_note_assumed(n->report, n->summary->cube, "");
	for (size_t i = 0; i < n->summary->cube->issues.count; i++) {
		const struct issue *issue = &n->summary->cube->issues.issue[i];

		if (issue->severity != ISSUE_INFO || !text_equal(issue->code, "same-run"))
			continue;
		report_note(n->report, NULL, "--explain-inputs", "%s%s, counted once", issue->text,
			issue->count > 1
				? arena_printf(arena_of(n), " (and %zu more)", issue->count - 1)
				: "");
	}
}

/* Notes of a reader on its source that bear on every number. */
static void note_sources(struct report_noter *n)
{
	static const struct {
		const char *code, *text;
	} told[] = {
		{"tfprof-average", NOTE_AVERAGE},
		{"step-unknown", NOTE_STEP_UNKNOWN},
		{"host-inside", "what the session's ops do on the host or wait for (iterators) is "
				"in their time and in that of /host:CPU"},
		{"kineto-no-step", "a trace without a ProfilerStep is one step; prof.step() in the "
				   "loop makes steps, --step-marker chooses others"},
		{"database-no-step", "a recording without a range for a step is one step; "
				     "nvtx.range_push(f'step {i}') (roctx on AMD) makes steps, "
				     "--step-marker chooses other ranges"},
		{"loss-of-all", "the part that is lost is that of the whole recording, not of the "
				"chosen steps"},
		{"step-point", "a marker without a duration lasts until the next one"},
		{"launch-before",
			"work that devices still did from before the recording is left out"},
		{"tensorrt-averages",
			"each time is the average over the inferences of a run of trtexec: one "
			"value, no spread; --exportTimes has a value of each inference"},
		{"ops-hidden", "the text shows a part of the ops; shares refer to those shown"},
	};

	for (size_t i = 0; i < n->summary->cube->issues.count; i++)
		for (size_t k = 0; k < sizeof(told) / sizeof(*told); k++) {
			const struct issue *issue = &n->summary->cube->issues.issue[i];
			const double part = issue_lost_part(&issue->loss);
			struct arena *arena = arena_of(n);

			if (!text_equal(issue->code, told[k].code))
				continue;
			report_note(n->report, part > LOSS_MUCH ? "!" : NULL, "--explain-inputs",
				"%s%s", told[k].text,
				part > LOSS_MUCH
					? arena_printf(arena, ": %s of their time in the recording",
						  phrase_percent(arena, part))
					: "");
		}
}

static void note_unmarked(struct report_noter *n)
{
	const struct issue *issue = issue_list_find(&n->summary->cube->issues, STEPS_UNMARKED);

	if (issue)
		report_note(n->report, NULL, "--step-marker=REGEX",
			"nothing marks steps; slices that recur regularly: %s", issue->place);
}

/* Rows of what launched kernels: those of a replay were launched when their graph was captured. */
static void note_replays(struct report_noter *n)
{
	const struct issue_list *issues = &n->summary->cube->issues;
	const struct issue *known = issue_list_find(issues, "replay-captured"),
			   *unknown = issue_list_find(issues, "replay-uncaptured"),
			   *in_graph = issue_list_find(issues, "replay-graph");

	if (known)
		report_note(n->report, NULL, "--explain-inputs",
			"%zu kernels of replayed graphs belong to what launched them when their "
			"graph was captured",
			known->count);
	if (unknown)
		report_note(n->report, NULL, "--graph=capture:FILE",
			"%zu kernels of replayed graphs have no capture in the trace: %zu count "
			"for their graph (of so many kernels) or place in it, the others for what "
			"is around the replay",
			unknown->count, in_graph ? in_graph->count : 0);
}

/* Work that is in none of the things that rows are made of. */
static void note_outside(struct report_noter *n)
{
	const struct issue *issue = issue_list_find(&n->summary->cube->issues, "rows-outside");
	const struct grouping *grouping = n->summary->grouping;

	for (size_t g = 0; issue && g < grouping->count; g++) {
		const double share = n->summary->all.row[g].value[0].share;

		if (text_equal(grouping->group[g].name, issue->place) && share > LOSS_MUCH)
			report_note(n->report, NULL, "--explain-inputs",
				"%s of the time is %s (%zu call%s): %s",
				phrase_percent(arena_of(n), share), issue->place, issue->count,
				issue->count == 1 ? "" : "s", issue->text);
	}
}

/* Notes on limits of numbers over calls. */
static void note_calls(struct report_noter *n)
{
	/* Notes on calls whose delay is not known, and on clocks that do not agree. */
	const struct call_sums *device = &n->calls->device, *delay = &n->calls->delay;
	const int64_t unknown = device->count - delay->count;

	if (delay->count && unknown > 0)
		report_note(n->report, NULL, "--explain-inputs",
			"%lld of %lld calls on devices %s no launch in the trace: how long after "
			"it they start is not known",
			(long long)unknown, (long long)device->count,
			unknown == 1 ? "has" : "have");
	if (delay->below)
		report_note(n->report, "!", "--measures=time",
			"%lld of %lld delays %s below 0, work that starts before its launch: the "
			"clocks of host and device differ, and all delays are off by as much",
			(long long)delay->below, (long long)delay->count,
			delay->below == 1 ? "is" : "are");
	report_note(n->report, NULL, "--per=step",
		"calls of one step are not independent, and calls of one name can be different "
		"work: this is not the spread between steps");
	if (n->summary->steps->run_count > 1 && !n->summary->part)
		report_note(n->report, NULL, "--per-run", "the calls of %zu runs are combined",
			n->summary->steps->run_count);
	if (!n->calls->has_values && n->calls->options.percentile_count)
		report_note(n->report, NULL, "--stats=mean,min,max",
			"percentiles over calls are known of traces only");
	if (n->summary->overlap)
		report_note(n->report, NULL, "--value=self",
			"a call includes nested calls: sums overlap and do not add up to the "
			"total, which is of self times");
}

/* Steps that differ from the others, which an option leaves out. */
static void note_steps(struct report_noter *n)
{
	if (issue_list_in_doubt(&n->summary->cube->issues))
		return;
	note_kinds(n);
	note_warmup(n);
}

void notes_add_calls(struct report *report, const struct calls *calls, const struct cube *self,
	const struct build_options *opt, const struct report_warmup *warmup)
{
	struct report_noter n = {.report = report,
		.summary = calls->summary,
		.calls = calls,
		.self = self,
		.opt = opt,
		.warmup = warmup};
	static void (*const note[])(struct report_noter *) = {note_calls, note_sources,
		note_unmarked, note_replays, note_outside, note_steps, note_rules, note_same_run};

	note_issues(&n);
	for (size_t i = 0; i < sizeof(note) / sizeof(*note); i++)
		note[i](&n);
	hide_beyond_most(&n);
}

const char **notes_add(struct report *report, struct summary *summary, const struct cube *self,
	const struct build_options *opt, const struct report_warmup *warmup,
	struct answered answered, const bool *shown, const char *const *name)
{
	struct report_noter n = {.report = report,
		.summary = summary,
		.self = self,
		.opt = opt,
		.warmup = warmup,
		.answered = answered,
		.name = name};
	static void (*const note[])(struct report_noter *) = {note_few, note_tails, note_sources,
		note_unmarked, note_replays, note_outside, note_steps, note_period, note_overlap,
		note_rules, note_resolution, note_correlation, note_two_levels, note_wide_intervals,
		note_same_run};

	n.mark = arena_array(report->arena, summary->grouping->count + 1, sizeof(*n.mark));
	note_issues(&n);
	if (shown && !summary->overlap && !summary->part &&
		!issue_list_in_doubt(&summary->cube->issues)) {
		note_rows(&n, shown);
		note_robust(&n, shown);
	}
	for (size_t i = 0; i < sizeof(note) / sizeof(*note); i++)
		note[i](&n);
	hide_beyond_most(&n);
	return n.mark;
}
