/* Chooses measures, columns and order for the report builders, and digits as tfprof prints them. */
#include "pipeline/report_choices.h"

#include <string.h>
#include "analysis/calls.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "model/cube.h"
#include "model/own/measure_own.h"
#include "pipeline/settings.h"

/* Columns of a report over single executions. */
static const char *const call_stats[] = {
	"n", "sum", "share", "mean", "min", "p50", "p99", "max", "below5us"};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The two parts of a column's name: "time_cv_pct" and "time_cv" are the measure time and the
 * statistic cv, "cv" is a statistic, "time" and "time/step" are a measure. NULL: the part is
 * missing. */
struct sort_words {
	const char *measure, *stat;
};

static bool is_unit_key(const char *text)
{
	for (size_t i = 0; i < unit_count; i++)
		if (text_equal(unit_table[i].key, text))
			return true;
	return false;
}

static bool is_stat(const char *text)
{
	struct statistic_choice choice;
	struct error ignored;

	return text_equal(text, "low") || text_equal(text, "high") ||
	       statistic_choose(text, &choice, &ignored) == 0;
}

static struct sort_words sort_words(struct arena *arena, const char *text)
{
	size_t n = strlen(text);
	char *word = arena_strndup(arena, text, text_ends(text, "/step") ? n - 5 : n), *split;

	if (is_stat(word))
		return (struct sort_words){NULL, word};
	split = strrchr(word, '_');
	if (split && is_unit_key(split + 1)) {
		*split = '\0';
		if (is_stat(word))
			return (struct sort_words){NULL, word};
		split = strrchr(word, '_');
	}
	if (!split || !is_stat(split + 1))
		return (struct sort_words){word, NULL};
	*split = '\0';
	if (text_ends(word, "_call")) /* of --per=call */
		word[strlen(word) - strlen("_call")] = '\0';
	return (struct sort_words){word, split + 1};
}

bool report_choices_sort_stat(const struct job_settings *settings, struct statistic_choice *out)
{
	struct sort_words words;
	struct error ignored;

	if (!settings->sort_text)
		return false;
	words = sort_words(settings->arena, settings->sort_text);
	return words.stat && statistic_choose(words.stat, out, &ignored) == 0;
}

void report_choices_set_stats(struct job_settings *settings)
{
	static const enum statistic_id standard[] = {STATISTIC_CALLS, STATISTIC_MEAN, STATISTIC_CI,
		STATISTIC_SHARE, STATISTIC_CV, STATISTIC_CV_RUN, STATISTIC_JITTER, STATISTIC_RAN};

	if (settings->stat.count)
		return;
	for (size_t i = 0; settings->read.calls && i < COUNT(call_stats); i++)
		statistic_choose(call_stats[i], vec_push(&settings->stat, NULL), NULL);
	for (size_t i = 0; !settings->read.calls && i < COUNT(standard); i++) {
		struct statistic_choice *choice = vec_push(&settings->stat, NULL);

		*choice = (struct statistic_choice){
			statistic_at(standard[i]), 0, statistic_at(standard[i])->name};
	}

	/* The statistic that rows are sorted by always has a column. */
	struct statistic_choice choice, *slot;

	if (settings->stats_given || !report_choices_sort_stat(settings, &choice) ||
		(settings->read.calls && !(choice.statistic->traits & STATISTIC_OF_CALLS)))
		return;
	for (size_t i = 0; i < settings->stat.count; i++) {
		const struct statistic_choice *known = vec_at(&settings->stat, i);

		if (known->statistic == choice.statistic && known->p == choice.p)
			return;
	}
	slot = vec_push(&settings->stat, NULL);
	*slot = choice;
	settings->stat_extra = true;
}

int report_choices_check_stat(
	bool calls, const char *option, const struct statistic_choice *choice, struct error *err)
{
	if (!calls && (choice->statistic->traits & STATISTIC_OF_CALLS_ALONE)) {
		error_set(err, ERROR_USAGE, option, "\"%s\" is a statistic of calls, not of steps",
			choice->name);
		return error_hint(err, "add --per=call");
	}
	if (!calls || (choice->statistic->traits & STATISTIC_OF_CALLS))
		return 0;
	error_set(err, ERROR_USAGE, option, "\"%s\" is a statistic of steps, not of calls",
		choice->name);
	return error_hint(err,
		"--per=call has n (how many calls), sum, share, mean, sd, cv, min, max, p50 "
		"(any percentile), below5us and ran; --per=step has all but below5us");
}

/* Rejects a statistic that no measure has. */
static int check_defined(const char *option, const struct measure *const *measure, size_t count,
	const struct statistic_choice *choice, struct error *err)
{
	for (size_t m = 0; m < count; m++)
		if (call_column_is_defined(measure[m], choice))
			return 0;
	error_set(err, ERROR_USAGE, option, "%s has no \"%s\": it is of times of executions",
		measure[0]->name, choice->name);
	return error_hint(err, "time, cpu, accelerator and micros have it");
}

/* Each once; other statistics need no values. */
static void add_percentile(
	struct statistic_choice *out, size_t *count, const struct statistic_choice *choice)
{
	if (choice->statistic->id != STATISTIC_QUANTILE)
		return;
	for (size_t i = 0; i < *count; i++)
		if (out[i].p == choice->p)
			return;
	out[(*count)++] = *choice;
}

struct calls_options report_choices_percentiles(const struct job_settings *settings)
{
	struct statistic_choice *of_files, *out, sorted;
	const size_t files = call_columns_of_files(settings->arena, &of_files);
	size_t n = 0;

	out = arena_array(settings->arena, settings->stat.count + files + 1, sizeof(*out));
	for (size_t i = 0; i < settings->stat.count; i++)
		add_percentile(out, &n, vec_at(&settings->stat, i));
	for (size_t i = 0; !settings->stats_given && i < files; i++)
		add_percentile(out, &n, &of_files[i]);
	if (report_choices_sort_stat(settings, &sorted))
		add_percentile(out, &n, &sorted);
	return (struct calls_options){out, n};
}

static bool find_measure(const struct summary *summary, const char *name, size_t n, size_t *index)
{
	for (size_t m = 0; m < summary->options.measure_count; m++) {
		const char *known = measure_at(summary->options.measure[m])->name;

		if (strlen(known) == n && !memcmp(known, name, n)) {
			*index = m;
			return true;
		}
	}
	return false;
}

static int unknown_column(
	const struct job_settings *s, const struct summary *summary, struct error *err)
{
	static const char *const words[] = {
		"name", "type", "device", "run", "rank", "steps", "notes"};
	const char *names[STATISTIC_COUNT + MEASURE_COUNT + sizeof(words) / sizeof(*words)];
	size_t n = 0;
	int nearest;

	if (measure_lookup(s->sort_text)) {
		error_set(err, ERROR_USAGE, "--sort", "the report has no measure \"%s\"",
			s->sort_text);
		return error_hint(err, "name it in --measures too");
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		names[n++] = words[i];
	for (size_t m = 0; m < summary->options.measure_count && m < MEASURE_COUNT; m++)
		names[n++] = measure_at(summary->options.measure[m])->name;
	for (size_t i = 0; i < STATISTIC_COUNT; i++)
		names[n++] = statistic_at((enum statistic_id)i)->name;
	nearest = text_nearest(s->sort_text, names, n);
	error_set(err, ERROR_USAGE, "--sort", "unknown column \"%s\"", s->sort_text);
	return error_hint(err,
		"%s%s%sany column: name, type, device, a measure of this report, a statistic "
		"(stepstat help statistics), measure_statistic (requested_cv)",
		nearest >= 0 ? "did you mean \"" : "", nearest >= 0 ? names[nearest] : "",
		nearest >= 0 ? "\"? " : "");
}

/* Columns that are not statistics; those after the first WORDS_OF_CALLS exist for steps only. */
#define WORDS_OF_CALLS 5

static bool sort_by_word(const char *text, bool calls, struct build_options *out)
{
	static const struct {
		const char *word;
		enum sort_kind kind;
	} words[] = {{"name", SORT_NAME}, {"op", SORT_NAME}, {"short", SORT_NAME},
		{"type", SORT_TYPE}, {"device", SORT_DEVICE}, {"run", SORT_RUN},
		{"rank", SORT_RANK}, {"steps", SORT_STEPS}, {"notes", SORT_NOTES}};

	for (size_t i = 0; i < (calls ? WORDS_OF_CALLS : sizeof(words) / sizeof(*words)); i++)
		if (text_equal(text, words[i].word) ||
			(i == 0 && text_equal(text, out->row_noun))) {
			out->sort = words[i].kind;
			return true;
		}
	return false;
}

/* Sums of what is of single calls only are of no use. */
static struct statistic_choice usual_order(bool calls, const struct measure *measure)
{
	const bool of_sum = calls && measure->kind != MEASURE_OF_CALLS;
	const struct statistic *stat = statistic_at(of_sum ? STATISTIC_SUM : STATISTIC_MEAN);

	return (struct statistic_choice){stat, 0, stat->name};
}

/* Any column of the table or of files: "time", "cv", "requested_cv", "time_mean_us", "name",
 * "type". */
static int choose_sort(const struct job_settings *s, const struct summary *summary,
	struct build_options *out, struct error *err)
{
	const struct measure *measure = measure_at(summary->options.measure[0]);
	struct sort_words words;
	struct error ignored;

	out->sort = SORT_STATISTIC;
	out->sort_measure = 0;
	out->sort_stat = usual_order(s->read.calls, measure);
	if (!s->sort_text || sort_by_word(s->sort_text, s->read.calls, out))
		return 0;
	words = sort_words(s->arena, s->sort_text);
	out->sort_given = true;
	if (s->read.calls && words.stat && text_equal(words.stat, "calls"))
		words.stat = "n";
	if (words.measure &&
		!find_measure(summary, words.measure, strlen(words.measure), &out->sort_measure))
		return unknown_column(s, summary, err);
	measure = measure_at(summary->options.measure[out->sort_measure]);
	out->sort_stat = usual_order(s->read.calls, measure);
	if (!words.stat)
		return 0;
	if (!s->read.calls && (text_equal(words.stat, "low") || text_equal(words.stat, "high"))) {
		out->sort = *words.stat == 'l' ? SORT_LOW : SORT_HIGH;
		return 0;
	}
	if (statistic_choose(words.stat, &out->sort_stat, &ignored) < 0)
		return unknown_column(s, summary, err);
	if (report_choices_check_stat(s->read.calls, "--sort", &out->sort_stat, err) < 0)
		return -1;
	return s->read.calls ? check_defined("--sort", &measure, 1, &out->sort_stat, err) : 0;
}

int report_choices_make(const struct job_settings *settings, const struct side *side,
	struct build_options *out, struct error *err)
{
	static const char *const nouns[] = {"op", "type", "device", "class", "scope", "launcher",
		"op with shapes", "annotation", "module", "phase", "stack", "line"};
	static const char *const plurals[] = {"ops", "types", "devices", "classes", "scopes",
		"launchers", "ops with shapes", "annotations", "modules", "phases", "stacks",
		"lines"};
	const enum group_by by = settings->group.by;
	size_t noun = settings->value_total && by == BY_NAME ? (size_t)BY_SCOPE : (size_t)by;

	*out = (struct build_options){
		.ranks = side->ranks,
		.label = side->label,
		.row_noun = nouns[noun],
		.row_nouns = plurals[noun],
		.stat = settings->stat.data,
		.stat_count = settings->stat.count,
		.measure_given = settings->measures_given,
		.stat_extra = settings->stat_extra,
		.stat_given = settings->stats_given,
		.top = settings->top,
		.min_share = settings->min_share,
		.whole_names = settings->whole_names,
		.time_unit = settings->time_unit,
		.bytes_unit = settings->bytes_unit,
		.with_type = settings->group.by == BY_NAME && !settings->value_total,
		.rules_given = settings->rules_given,
		.rows_given = settings->rows != ROWS_AUTO,
		.warmup_option = settings->warmup_text,
		.with_calls = side->is_trace,
		.kind_chosen = settings->kind_chosen,
		.first_kind = side->first_kind,
	};
	if (by == BY_NAME && settings->value_total)
		out->with_type = true;
	if (by == BY_NAME && side->self->benchmarks) {
		out->row_noun = "benchmark";
		out->row_nouns = "benchmarks";
	}
	if (!side->summary)
		return 0;
	if (settings->read.calls) {
		const struct summary_options *opt = &side->summary->options;
		const struct measure **measure =
			arena_array(settings->arena, opt->measure_count, sizeof(*measure));

		for (size_t m = 0; m < opt->measure_count; m++)
			measure[m] = measure_at(opt->measure[m]);
		for (size_t i = 0; settings->stats_given && i < settings->stat.count; i++)
			if (check_defined("--stats", measure, opt->measure_count,
				    vec_at(&settings->stat, i), err) < 0)
				return -1;
	}
	return choose_sort(settings, side->summary, out, err);
}

/* Choice of measures by id, or by name where only the inputs have the measure. */

/* The hint lists the measures that the side has. */
static int no_measure(
	const struct side *side, enum measure_id id, const char *option, struct error *err)
{
	const struct measure *near =
		measure_is_name(id) ? measure_nearest(measure_at(id)->name) : NULL;
	enum measure_id has[MEASURE_COUNT];
	const size_t count = cube_measures(side->self, has);
	struct text names;

	text_init(&names);
	for (size_t i = 0; i < count; i++)
		text_printf(&names, "%s%s", i ? ", " : "", measure_at(has[i])->name);
	if (near) {
		error_set(err, ERROR_USAGE, option, "unknown measure \"%s\"", measure_at(id)->name);
		error_hint(err, "did you mean \"%s\"? %s has: %s", near->name, side->label,
			count ? text_string(&names) : "none");
		text_release(&names);
		return -1;
	}
	error_set(err, measure_is_name(id) ? ERROR_USAGE : ERROR_INPUT, option,
		"%s has no measure \"%s\"", side->label, measure_at(id)->name);
	if (measure_at(id)->kind == MEASURE_OF_CALLS)
		error_hint(err, "it is of single executions on devices (--per=call of stepstat "
				"report), in traces that say what launched them");
	else
		error_hint(err, "it has: %s", count ? text_string(&names) : "none");
	text_release(&names);
	return -1;
}

/* The measures of the side that are wanted by a name or an id; those that are there already are
 * left out. Returns the new count; -1: there is none of them. */
static int add_wanted(
	const struct side *side, enum measure_id wanted, enum measure_id *out, size_t *n)
{
	enum measure_id has[MEASURE_COUNT];
	const size_t count = cube_measures(side->self, has);
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		bool there = false;

		if (!measure_is_wanted(wanted, has[i]))
			continue;
		for (size_t k = 0; k < *n; k++)
			there |= out[k] == has[i];
		if (!there)
			out[(*n)++] = has[i];
		any = true;
	}
	return any ? 0 : -1;
}

int side_measures(const struct side *side, const struct job_settings *settings, struct arena *arena,
	const enum measure_id **measure, size_t *count, struct error *err)
{
	const enum measure_id standard[] = {MEASURE_TIME, settings->read.calls ? MEASURE_DELAY
							  : settings->group.by == BY_SHAPE
								  ? MEASURE_ACHIEVED
								  : MEASURE_REQUESTED};
	size_t given = settings->measure.count, n = 0;
	enum measure_id *out = arena_array(arena, MEASURE_COUNT, sizeof(*out));
	const struct cube *self = side->self;

	for (size_t i = 0; i < given; i++) {
		const enum measure_id wanted = *(enum measure_id *)vec_at(&settings->measure, i);

		if (add_wanted(side, wanted, out, &n) < 0)
			return no_measure(side, wanted, settings->measures_option, err);
	}
	for (size_t i = 0; !given && i < sizeof(standard) / sizeof(*standard); i++)
		if (cube_has(self, standard[i]))
			out[n++] = standard[i];
	for (size_t i = 0; !given && i < self->own_count; i++)
		if (cube_has(self, self->own[i]))
			out[n++] = self->own[i];
	if (!n)
		n = cube_measures(self, out);
	if (!n)
		return error_set(err, ERROR_INPUT, NULL, "%s has no measure at all", side->label);
	*measure = out;
	*count = n;
	return 0;
}

int measures_of_both(const struct side *base, const struct side *new_side,
	const struct job_settings *settings, struct arena *arena, const enum measure_id **measure,
	size_t *count, struct error *err)
{
	static const enum measure_id standard[] = {MEASURE_TIME, MEASURE_REQUESTED, MEASURE_PEAK};
	const struct cube *a = base->self, *b = new_side->self;
	enum measure_id *out = arena_array(arena, MEASURE_COUNT, sizeof(*out)), all[MEASURE_COUNT];
	const size_t all_count = cube_measures(a, all);
	size_t n = 0;

	if (settings->measure.count) {
		if (side_measures(base, settings, arena, measure, count, err) < 0)
			return -1;
		for (size_t i = 0; i < *count; i++)
			if (!cube_has(b, (*measure)[i]))
				return no_measure(
					new_side, (*measure)[i], settings->measures_option, err);
		return 0;
	}
	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++)
		if (cube_has(a, standard[i]) && cube_has(b, standard[i]))
			out[n++] = standard[i];
	for (size_t i = 0; i < all_count; i++)
		if (measure_is_own(all[i]) && cube_has(b, all[i]))
			out[n++] = all[i];
	for (size_t i = 0; !n && i < all_count; i++)
		if (cube_has(b, all[i]))
			out[n++] = all[i];
	if (!n)
		return error_set(err, ERROR_INPUT, NULL, "%s and %s have no measure in common",
			base->label, new_side->label);
	*measure = out;
	*count = n;
	return 0;
}

/* Rounds as tfprof's text does (two decimals of ms, sec, KB or MB from 1000 up), then converts to
 * the sheet's kilobyte. */

/* The number that the text "%.2f" of the value is read back as. */
static double two_decimals(double value)
{
	char text[NUMBER_TEXT_SIZE];
	double read = value;

	number_format_fixed(text, value, 2);
	number_parse_real(text, strlen(text), &read);
	return read;
}

static double printed_time(double us)
{
	if (us < 1e3)
		return us;
	if (us < 1e6)
		return two_decimals(us / 1e3) * 1e3;
	return two_decimals(us / 1e6) * 1e6;
}

/* Size in KB of the sheet. */
static double printed_size(double bytes, double kilobyte)
{
	if (bytes < 1e3)
		return bytes / kilobyte;
	if (bytes < 1e6)
		return two_decimals(bytes / 1e3);
	return two_decimals(bytes / 1e6) * kilobyte;
}

double tfprof_digits_rescale(const void *context, enum measure_id id, double value)
{
	const struct job_settings *s = context;

	if (s->kilobyte != 1024 || measure_at(id)->dimension != DIMENSION_BYTES || value >= 1e3)
		return value;
	return value / 1024 * 1e3;
}

double tfprof_digits_round(const void *context, enum measure_id id, double value)
{
	const struct job_settings *s = context;

	switch (measure_at(id)->dimension) {
	case DIMENSION_TIME:
		return printed_time(value / (double)PS_PER_US) * (double)PS_PER_US;
	case DIMENSION_BYTES:
		return printed_size(value, (double)s->kilobyte) * 1e3;
	default:
		return value;
	}
}
