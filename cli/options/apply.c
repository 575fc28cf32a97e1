/* Handlers of the options that choose ops, steps, measures and columns. Those of inputs and
 * outputs are in apply_io.c. */
#include "cli/options/apply.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "cli/options/option_words.h"
#include "analysis/gate/policies.h"
#include "model/own/measure_own.h"

/* Notes settings in a file that does not set them. */
static int add_unread(
	struct settings *s, const char *path, const struct rules_unread *unread, struct error *err)
{
	const char *keys = unread->report && unread->gate ? "report and gate"
			   : unread->report		  ? "report"
							  : "gate";
	const char **slot;

	if (!unread->report && !unread->gate)
		return 0;
	slot = vec_push(&s->note, err);
	if (!slot)
		return -1;
	*slot = arena_printf(s->arena,
		"%s: --rules does not read the settings under %s; --config=%s does", path, keys,
		path);
	return 0;
}

int apply_rules(struct settings *s, const char *value, struct error *err)
{
	struct rules_unread unread;
	const char **slot = vec_push(&s->rules_file, err);

	if (!slot)
		return -1;
	*slot = value;
	s->job.rules_given = true;
	if (rules_read_file(s->job.rules, value, &unread, err) < 0)
		return -1;
	return add_unread(s, value, &unread, err);
}

int apply_full_match(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	rules_set_full_match(s->job.rules, true);
	return 0;
}

/* WORD:N; *depth is 0 when it is another word. */
static int parse_levels(const char *value, const char *word, int64_t most, const char *what,
	size_t *depth, struct error *err)
{
	const char *digits = value + strlen(word);
	int64_t number;

	*depth = 0;
	if (!text_starts(value, word))
		return 0;
	if (*digits++ != ':' || !number_parse_int(digits, strlen(digits), &number) || number < 1 ||
		number > most)
		return error_set(err, ERROR_USAGE, "--by",
			"%s:N needs a number of %s from 1 to %lld, found \"%s\"", word, what,
			(long long)most, value);
	*depth = (size_t)number;
	return 0;
}

int apply_by(struct settings *s, const char *value, struct error *err)
{
	static const enum trace_rows rows_of[] = {[BY_LAUNCHER] = TRACE_ROWS_LAUNCHERS,
		[BY_SHAPE] = TRACE_ROWS_SHAPES,
		[BY_ANNOTATION] = TRACE_ROWS_ANNOTATIONS,
		[BY_MODULE] = TRACE_ROWS_MODULES,
		[BY_PHASE] = TRACE_ROWS_PHASES,
		[BY_STACK] = TRACE_ROWS_STACKS,
		[BY_SCOPE] = TRACE_ROWS_SCOPES,
		[BY_SOURCE] = TRACE_ROWS_SOURCES};
	size_t scopes = 0, frames;
	int i;

	const bool whole = text_equal(value, "scope");

	if (!whole && parse_levels(value, "scope", 4096, "levels", &scopes, err) < 0)
		return error_hint(err, "--by=scope:2 makes a row of a/b/c and a/b/d");
	if (parse_levels(value, "stack", 100, "frames", &frames, err) < 0)
		return error_hint(err, "--by=stack:1 makes a row of the innermost frame");
	i = whole || scopes ? BY_SCOPE
	    : frames	    ? BY_STACK
			    : word_index("--by", value, group_by_words, err);
	if (i < 0)
		return -1;
	s->job.group.by = (enum group_by)i;
	s->job.group.scope_depth = scopes;
	s->job.read.trace.rows = rows_of[i];
	s->job.read.trace.stack_depth = frames;
	return 0;
}

const char *const value_words[] = {"self", "total", NULL};

int apply_value(struct settings *s, const char *value, struct error *err)
{
	int i = word_index("--value", value, value_words, err);

	if (i < 0)
		return -1;
	s->job.value_total = i == 1;
	s->job.read.trace.totals = s->job.value_total;
	return 0;
}

int apply_kind(struct settings *s, const char *value, struct error *err)
{
	int64_t kind;

	s->job.kind_chosen = true;
	s->job.steps.kind_name = NULL;
	s->job.steps.one_kind = text_equal(value, "none");
	if (s->job.steps.one_kind || text_equal(value, "all")) {
		s->job.steps.kind = 0;
		return 0;
	}
	if (*value && !number_parse_int(value, strlen(value), &kind)) {
		s->job.steps.kind_name = value;
		return 0;
	}
	if (!*value || kind < 1 || kind > 1000000)
		return error_set(err, ERROR_USAGE, "--kind",
			"expected all, none, a name or a number from 1, found \"%s\"", value);
	s->job.steps.kind = (uint32_t)kind;
	return 0;
}

int apply_warmup(struct settings *s, const char *value, struct error *err)
{
	int64_t count;

	s->job.warmup_text = value;
	if (text_equal(value, "none")) {
		s->job.steps.warmup = WARMUP_MODE_NONE;
	} else if (text_equal(value, "auto")) {
		s->job.steps.warmup = WARMUP_MODE_AUTO;
	} else if (number_parse_int(value, strlen(value), &count) && count >= 0) {
		s->job.steps.warmup = WARMUP_MODE_COUNT;
		s->job.steps.warmup_count = (size_t)count;
	} else {
		return error_set(err, ERROR_USAGE, "--warmup",
			"expected none, auto or a number of steps, found \"%s\"", value);
	}
	return 0;
}

int word_each(struct settings *s, const char *option, const char *value,
	int (*add)(struct settings *, const char *word, struct error *), struct error *err)
{
	for (const char *p = value;;) {
		size_t n = strcspn(p, ",");

		if (!n)
			return error_set(err, ERROR_USAGE, option,
				"expected words with commas between them, found \"%s\"", value);
		if (add(s, arena_strndup(s->arena, p, n), err) < 0)
			return -1;
		if (!p[n])
			return 0;
		p += n + 1;
	}
}

static int add_allowed(struct settings *s, const char *word, struct error *err)
{
	static const char *const words[] = {"empty", "mixed", "loss=X%", NULL};

	if (text_starts(word, "loss=")) {
		s->job.compare.allow_loss_text = word + 5;
		return word_percent("--allow-loss", word + 5, &s->job.compare.allow_loss, err);
	}
	if (text_equal(word, "empty"))
		s->job.group.allow_empty = true;
	else if (text_equal(word, "mixed"))
		s->job.compare.allow_mixed = true;
	else
		return word_index("--allow", word, words, err);
	return 0;
}

int apply_allow(struct settings *s, const char *value, struct error *err)
{
	return word_each(s, "--allow", value, add_allowed, err);
}

const char *const of_words[] = {"all", "selected", "jitter=step", "jitter=ops", NULL};

int apply_of(struct settings *s, const char *value, struct error *err)
{
	const int i = word_index("--of", value, of_words, err);

	if (i >= 2)
		s->job.jitter_of = (enum jitter_of)(JITTER_OF_STEP + i - 2);
	else
		s->job.of_selected = i == 1;
	return i < 0 ? -1 : 0;
}

const char *const per_words[] = {"step", "call", "run", "rank", NULL};

static int add_per(struct settings *s, const char *word, struct error *err)
{
	const int i = word_index("--per", word, per_words, err);

	if (i < 2)
		s->job.read.calls = i == 1;
	s->job.per_run |= i == 2;
	s->job.per_rank |= i == 3;
	return i < 0 ? -1 : 0;
}

int apply_per(struct settings *s, const char *value, struct error *err)
{
	return word_each(s, "--per", value, add_per, err);
}

static int add_measure(struct settings *s, const char *word, struct error *err)
{
	enum measure_id id, *slot;

	if (measure_own_wanted(word, &id, err) < 0)
		return word_place("--measures", err);
	for (size_t i = 0; i < s->job.measure.count; i++)
		if (*(enum measure_id *)vec_at(&s->job.measure, i) == id)
			return 0;
	slot = vec_push(&s->job.measure, err);
	if (!slot)
		return -1;
	*slot = id;
	return 0;
}

int apply_measures(struct settings *s, const char *value, struct error *err)
{
	s->job.measures_given = true;
	vec_clear(&s->job.measure);
	return word_each(s, "--measures", value, add_measure, err);
}

/* A column of that name is a measure, though nothing in the name says so. */
static int declare_operand(const char *name, struct error *err)
{
	const struct own_measure own = {.name = name, .better = DIRECTION_UNKNOWN};

	return measure_lookup(name) || measure_own_declared(name) ? 0
								  : measure_own_declare(&own, err);
}

/* "NAME", "NAME:UNIT", "NAME:UNIT:higher", "NAME::lower", "NAME=A/B" */
int apply_measure(struct settings *s, const char *value, struct error *err)
{
	struct own_measure own = {.better = DIRECTION_UNKNOWN};
	char *text = arena_strdup(s->arena, value), *unit = strchr(text, ':'), *better = NULL;

	if (strchr(value, '=')) {
		struct derived_measure *derived = arena_alloc(s->arena, sizeof(*derived)),
				       **last = &s->job.derived;

		if (derived_measure_parse(arena_strdup(s->arena, value), derived, err) < 0 ||
			declare_operand(derived->above, err) < 0 ||
			declare_operand(derived->below, err) < 0)
			return word_place("--measure", err);
		while (*last)
			last = &(*last)->next;
		*last = derived;
		return 0;
	}
	if (unit) {
		*unit++ = '\0';
		better = strchr(unit, ':');
	}
	if (better)
		*better++ = '\0';
	own.name = text;
	own.unit = unit;
	if (better && !measure_direction_word(better, &own.better))
		return error_set(err, ERROR_USAGE, "--measure",
			"expected NAME:UNIT:higher or NAME:UNIT:lower, found \"%s\"", value);
	return measure_own_declare(&own, err) < 0 ? word_place("--measure", err) : 0;
}

static int add_stat(struct settings *s, const char *word, struct error *err)
{
	struct statistic_choice choice, *slot;

	if (statistic_choose(word, &choice, err) < 0)
		return -1;
	slot = vec_push(&s->job.stat, err);
	if (!slot)
		return -1;
	*slot = choice;
	return 0;
}

int apply_stats(struct settings *s, const char *value, struct error *err)
{
	s->job.stats_given = true;
	vec_clear(&s->job.stat);
	return word_each(s, "--stats", value, add_stat, err);
}

int apply_confidence(struct settings *s, const char *value, struct error *err)
{
	double percent;

	if (word_percent("--confidence", value, &percent, err) < 0)
		return -1;
	if (!(percent >= 0.5 && percent < 1))
		return error_set(err, ERROR_USAGE, "--confidence",
			"expected a percentage from 50%% to below 100%%, found \"%s\"", value);
	s->job.sample.confidence = percent;
	return 0;
}

int apply_top(struct settings *s, const char *value, struct error *err)
{
	int64_t n;

	s->job.top_given = true;
	if (text_equal(value, "all")) {
		s->job.top = SIZE_MAX;
		return 0;
	}
	if (!number_parse_int(value, strlen(value), &n) || n < 0)
		return error_set(err, ERROR_USAGE, "--top",
			"expected a number of rows or all, found \"%s\"", value);
	s->job.top = (size_t)n;
	return 0;
}

int apply_margin(struct settings *s, const char *value, struct error *err)
{
	struct compare_options *opt = &s->job.compare.options;
	struct policies *policies = policies_new();
	struct policy *policy = &policies->standard;
	int status;

	policy->margin_frac = 0; /* an amount alone is all of it */
	status = policies_set(policies, "margin", value, "--margin", err);
	opt->rule.margin_relative = policy->margin_frac;
	opt->margin_ps = policy->margin_ps;
	opt->margin_bytes = policy->margin_bytes;
	policies_free(policies);
	return status;
}

int apply_min_share(struct settings *s, const char *value, struct error *err)
{
	s->job.min_share_given = true;
	return word_percent("--min-share", value, &s->job.min_share, err);
}

static int add_unit(struct settings *s, const char *word, struct error *err)
{
	const struct unit *unit;

	if (text_starts(word, "KB=")) {
		const char *value = word + 3;

		if (!number_parse_int(value, strlen(value), &s->job.kilobyte) ||
			(s->job.kilobyte != 1000 && s->job.kilobyte != 1024))
			return error_set(err, ERROR_USAGE, "--kilobyte",
				"expected 1000 or 1024, found \"%s\"", value);
		return 0;
	}
	unit = unit_find(word, err);
	if (!unit)
		return word_place("--unit", err);
	if (unit->dimension == DIMENSION_TIME) {
		if (s->job.time_unit && s->job.time_unit != unit)
			return error_set(err, ERROR_USAGE, "--unit", "two units of time: %s and %s",
				s->job.time_unit->name, unit->name);
		s->job.time_unit = unit;
	} else if (unit->dimension == DIMENSION_BYTES) {
		if (s->job.bytes_unit && s->job.bytes_unit != unit)
			return error_set(err, ERROR_USAGE, "--unit",
				"two units of memory: %s and %s", s->job.bytes_unit->name,
				unit->name);
		s->job.bytes_unit = unit;
	} else {
		return error_set(err, ERROR_USAGE, "--unit",
			"expected a unit of time or of bytes, found \"%s\"", word);
	}
	return 0;
}

int apply_unit(struct settings *s, const char *value, struct error *err)
{
	for (const char *p = value; p; p = strchr(p, ','), p = p ? p + 1 : NULL)
		if (!text_starts(p, "KB=")) /* units anew */
			s->job.time_unit = s->job.bytes_unit = NULL;
	return word_each(s, "--unit", value, add_unit, err);
}
