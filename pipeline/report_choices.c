/*
 * Chooses columns and order for the report builders.
 */
#include "pipeline/report_choices.h"

#include <string.h>
#include "base/text.h"
#include "base/unit.h"

/* Columns of a report over single executions. */
static const char *const call_stats[] = {
	"n", "sum", "share", "mean", "min", "p50", "p99", "max", "short"};
/* What files have of it besides. */
static const char *const call_file_percentiles[] = {"p90"};

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

/* The statistic that rows are sorted by always has a column. */
static void add_sorted_stat(struct job_settings *settings)
{
	struct statistic_choice choice, *slot;

	if (settings->stats_given || !report_choices_sort_stat(settings, &choice) ||
		(settings->read.calls && choice.statistic->id != STATISTIC_QUANTILE))
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
	add_sorted_stat(settings);
}

int report_choices_check_calls(
	const char *option, const struct statistic_choice *choice, struct error *err)
{
	if (calls_know(choice->statistic->id))
		return 0;
	error_set(err, ERROR_USAGE, option, "\"%s\" is a statistic of steps, not of calls",
		choice->name);
	return error_hint(err,
		"--per=call has n (how many calls), sum, share, mean, sd, cv, min, "
		"max, p50 (any percentile), short and ran; --per=step has all but short");
}

struct calls_options report_choices_percentiles(const struct job_settings *settings)
{
	const size_t most = settings->stat.count + 1 + COUNT(call_file_percentiles);
	struct statistic_choice *out = arena_array(settings->arena, most, sizeof(*out));
	size_t n = 0;

	for (size_t i = 0; i < settings->stat.count; i++) {
		const struct statistic_choice *choice = vec_at(&settings->stat, i);

		if (choice->statistic->id == STATISTIC_QUANTILE)
			out[n++] = *choice;
	}
	for (size_t i = 0; !settings->stats_given && i < COUNT(call_file_percentiles); i++)
		statistic_choose(call_file_percentiles[i], &out[n++], NULL);
	n += report_choices_sort_stat(settings, &out[n]) &&
	     out[n].statistic->id == STATISTIC_QUANTILE;
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
	static const char *const words[] = {"name", "type", "device", "run", "steps", "notes"};
	const char *names[STATISTIC_COUNT + MEASURE_COUNT + sizeof(words) / sizeof(*words)];
	size_t n = 0;
	int nearest;

	if (measure_find(s->sort_text, NULL)) {
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
		{"steps", SORT_STEPS}, {"notes", SORT_NOTES}};

	for (size_t i = 0; i < (calls ? WORDS_OF_CALLS : sizeof(words) / sizeof(*words)); i++)
		if (text_equal(text, words[i].word) ||
			(i == 0 && text_equal(text, out->row_noun))) {
			out->sort = words[i].kind;
			return true;
		}
	return false;
}

/* Any column of the table or of files: "time", "cv", "requested_cv", "time_mean_us", "name",
 * "type". */
static int choose_sort(const struct job_settings *s, const struct summary *summary,
	struct build_options *out, struct error *err)
{
	struct sort_words words;
	struct error ignored;

	out->sort = SORT_STATISTIC;
	out->sort_measure = 0;
	out->sort_stat = (struct statistic_choice){statistic_at(STATISTIC_MEAN), 0, "mean"};
	if (s->read.calls)
		out->sort_stat = (struct statistic_choice){statistic_at(STATISTIC_SUM), 0, "sum"};
	if (!s->sort_text || sort_by_word(s->sort_text, s->read.calls, out))
		return 0;
	words = sort_words(s->arena, s->sort_text);
	out->sort_given = true;
	if (s->read.calls && words.stat && text_equal(words.stat, "calls"))
		words.stat = "n";
	if (words.measure &&
		!find_measure(summary, words.measure, strlen(words.measure), &out->sort_measure))
		return unknown_column(s, summary, err);
	if (!words.stat)
		return 0;
	if (!s->read.calls && (text_equal(words.stat, "low") || text_equal(words.stat, "high"))) {
		out->sort = *words.stat == 'l' ? SORT_LOW : SORT_HIGH;
		return 0;
	}
	if (statistic_choose(words.stat, &out->sort_stat, &ignored) < 0)
		return unknown_column(s, summary, err);
	return s->read.calls ? report_choices_check_calls("--sort", &out->sort_stat, err) : 0;
}

int report_choices_make(const struct job_settings *settings, const struct side *side,
	struct build_options *out, struct error *err)
{
	static const char *const nouns[] = {"op", "type", "device", "class", "scope", "launcher",
		"annotation", "module", "phase", "stack"};
	static const char *const plurals[] = {"ops", "types", "devices", "classes", "scopes",
		"launchers", "annotations", "modules", "phases", "stacks"};
	const enum group_by by = settings->group.by;
	size_t noun = settings->value_total && by == BY_NAME ? (size_t)BY_SCOPE : (size_t)by;

	*out = (struct build_options){
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
		.warmup_option = settings->warmup_text,
		.with_calls = side->is_trace,
		.kind_chosen = settings->kind_chosen,
	};
	if (by == BY_NAME && settings->value_total)
		out->with_type = true;
	return side->summary ? choose_sort(settings, side->summary, out, err) : 0;
}
