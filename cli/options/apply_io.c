/* Handlers of the options about inputs, traces, outputs and behaviour. */
#include <string.h>
#include "analysis/select/pattern.h"
#include "base/text.h"
#include "cli/options/apply.h"
#include "cli/options/option_words.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* A word that is nearly one of ours is more likely a slip than a pattern. */
static int near_miss(const char *value, struct error *err)
{
	static const char *const words[] = {"auto", "files", "folders"};
	bool plain = value[strspn(value, LETTERS)] == '\0';
	int nearest = plain ? text_nearest(value, words, 3) : -1;

	if (nearest < 0)
		return 0;
	error_set(err, ERROR_USAGE, "--runs", "unknown word \"%s\"", value);
	return error_hint(err, "did you mean \"%s\"? as a pattern write --runs='(%s)'",
		words[nearest], value);
}

int apply_runs(struct settings *s, const char *value, struct error *err)
{
	s->job.runs_pattern = NULL;
	if (text_equal(value, "auto")) {
		s->job.runs_mode = RUNS_AUTO;
	} else if (text_equal(value, "files")) {
		s->job.runs_mode = RUNS_FILES;
	} else if (text_equal(value, "folders")) {
		s->job.runs_mode = RUNS_FOLDERS;
	} else if (!*value) {
		return error_set(err, ERROR_USAGE, "--runs",
			"expected auto, files, folders or a pattern, found nothing");
	} else {
		s->job.runs_mode = RUNS_NAMED;
		s->job.runs_pattern = value;
		return near_miss(value, err);
	}
	return 0;
}

int apply_ranks(struct settings *s, const char *value, struct error *err)
{
	s->job.ranks_pattern = NULL;
	if (text_equal(value, "auto")) {
		s->job.ranks_mode = RANKS_AUTO;
	} else if (text_equal(value, "none")) {
		s->job.ranks_mode = RANKS_NONE;
	} else if (!*value) {
		return error_set(err, ERROR_USAGE, "--ranks",
			"expected auto, none or a pattern, found nothing");
	} else {
		s->job.ranks_mode = RANKS_NAMED;
		s->job.ranks_pattern = value;
	}
	return 0;
}

/* Names of ranks, which add up: --rank=3,7 --rank=9. */
int apply_rank(struct settings *s, const char *value, struct error *err)
{
	for (;;) {
		const size_t n = strcspn(value, ",");
		const char **slot;

		if (!n) {
			error_set(err, ERROR_USAGE, "--rank", "expected names of ranks");
			return error_hint(err, "--rank=3,7");
		}
		slot = vec_push(&s->job.rank, err);
		if (!slot)
			return word_place("--rank", err);
		*slot = arena_strndup(s->arena, value, n);
		if (!value[n])
			return 0;
		value += n + 1;
	}
}

int apply_fact(struct settings *s, const char *value, struct error *err)
{
	const size_t n = strcspn(value, "=");
	const char *name = arena_strndup(s->arena, value, n);
	const enum fact_id id = fact_find(name);

	if (id == FACT_START && value[n] && !facts_is_value(id, value + n + 1)) {
		error_set(err, ERROR_USAGE, "--fact=start", "expected a time, found \"%s\"",
			value + n + 1);
		return error_hint(err, "--fact=start=2026-11-28T03:40:16Z, or seconds since 1970");
	}
	if (!value[n] || id == FACT_COUNT || !facts_is_value(id, value + n + 1)) {
		error_set(err, ERROR_USAGE, "--fact", "expected NAME=VALUE, found \"%s\"", value);
		return error_hint(err,
			"names are %s to %s of the table in doc/inputs.md: --fact=host=node7",
			fact_name(0), fact_name(FACT_COUNT - 1));
	}
	facts_set(&s->job.facts, s->arena, id, value + n + 1, strlen(value + n + 1));
	return 0;
}

/* Exit statuses of the gate are its words, too; another one is of a gate that broke. */
int apply_status(struct settings *s, const char *value, struct error *err)
{
	static const char *const of_exit[] = {
		"green", "red", "broken", "undecided", "undecided", "green"};
	const size_t digits = strspn(value, "0123456789");

	s->store.status = value;
	if (digits && !value[digits])
		s->store.status =
			digits == 1 && value[0] <= '5' ? of_exit[value[0] - '0'] : "broken";
	if (facts_is_value(FACT_STATUS, s->store.status))
		return 0;
	error_set(err, ERROR_USAGE, "--status",
		"expected green, red, undecided, broken, first, or the exit status of a gate, "
		"found \"%s\"",
		value);
	return error_hint(err, "stepstat gate ...; stepstat record STORE INPUT --status=$?");
}

static int add_word(struct settings *s, const char *option, const char **to, const char *value,
	struct error *err)
{
	if (!*value || strpbrk(value, ",:="))
		return error_set(err, ERROR_USAGE, option, "expected a word without , : and =");
	*to = *to ? arena_printf(s->arena, "%s, %s", *to, value) : value;
	return 0;
}

/* A variable of a CI that is not set is no name. */
int apply_session(struct settings *s, const char *value, struct error *err)
{
	s->store.session = value;
	if (*value)
		return 0;
	error_set(err, ERROR_USAGE, "--session", "expected a name, found none");
	return error_hint(err, "without --session it is found by machine and start");
}

int apply_label(struct settings *s, const char *value, struct error *err)
{
	return add_word(s, "--label", &s->store.label, value, err);
}

int apply_tag(struct settings *s, const char *value, struct error *err)
{
	return add_word(s, "--tag", &s->store.tag, value, err);
}

/* The suffix of -o is checked now, not after an hour of reading. */
int apply_o(struct settings *s, const char *value, struct error *err)
{
	const char **slot;

	if (!*value) {
		error_set(err, ERROR_USAGE, "-o", "needs a file name");
		return error_hint(err, "-o FILE, for instance -o ops.csv; - is standard output");
	}
	if (!s->any_output && !text_equal(value, "-") && !output_is_folder(value) &&
		!writer_for_path(value, err))
		return word_place("-o", err);
	slot = vec_push(&s->output, err);
	if (!slot)
		return -1;
	*slot = value;
	return 0;
}

int apply_to(struct settings *s, const char *value, struct error *err)
{
	s->to = writer_find(value, err);
	return s->to ? 0 : word_place("--to", err);
}

int apply_step_marker(struct settings *s, const char *value, struct error *err)
{
	struct step_marker *marker = step_marker_new(value, s->arena, err);

	if (!marker)
		return -1;
	s->job.read.trace.marker = step_marker_match;
	s->job.read.trace.marker_context = marker;
	s->job.read.trace.marker_text = value;
	return 0;
}

static int set_log(struct settings *s, const char *value, struct error *err)
{
	struct log_pattern *pattern = log_pattern_new(value, s->arena, err);
	struct log_lines *log = arena_alloc(s->arena, sizeof(*log));

	if (!pattern)
		return -1;
	*log = (struct log_lines){pattern->name, pattern->count, log_pattern_match, pattern};
	s->job.read.log = log;
	s->job.from = reader_find("log", err);
	return s->job.from ? 0 : -1;
}

int apply_from(struct settings *s, const char *value, struct error *err)
{
	if (text_starts(value, "log:"))
		return set_log(s, value + strlen("log:"), err);
	if (text_starts(value, "name:")) {
		s->job.input_name = value + strlen("name:");
		return 0;
	}
	s->job.from = reader_find(value, err);
	return s->job.from ? 0 : -1;
}

int apply_graph(struct settings *s, const char *value, struct error *err)
{
	if (text_starts(value, "capture:")) {
		const char **path = vec_push(&s->job.capture, err);

		if (!path)
			return -1;
		*path = value + strlen("capture:");
		return 0;
	}
	if (text_starts(value, "op-log:"))
		s->job.op_log_path = value + strlen("op-log:");
	else
		s->job.graph_path = value;
	return 0;
}

const char *const csv_words[] = {"wide", "long", "safe", "point", "comma", NULL};

static int add_csv(struct settings *s, const char *word, struct error *err)
{
	const int i = word_index("--csv", word, csv_words, err);

	if (i == 2)
		s->csv_safe = true;
	else if (i > 2)
		s->decimal_comma = i == 4;
	else
		s->shape = i == 1 ? SHAPE_LONG : SHAPE_WIDE;
	return i < 0 ? -1 : 0;
}

int apply_csv(struct settings *s, const char *value, struct error *err)
{
	return word_each(s, "--csv", value, add_csv, err);
}

static int add_layout(struct settings *s, const char *word, struct error *err)
{
	const int i = word_index("--layout", word, layout_words, err);

	if (i > LAYOUT_FLAT)
		s->job.as_printed = true;
	else
		s->layout = (enum layout)i;
	return i < 0 ? -1 : 0;
}

int apply_layout(struct settings *s, const char *value, struct error *err)
{
	return word_each(s, "--layout", value, add_layout, err);
}

int apply_user_code(struct settings *s, const char *value, struct error *err)
{
	struct user_code *user_code = user_code_new(value, s->arena, err);

	if (!user_code)
		return -1;
	s->job.read.trace.user_code_context = user_code;
	return 0;
}

/* The unit at the end of the text, for a number before it that has none. */
static const struct unit *unit_of(const char *value)
{
	return unit_lookup(value + strspn(value, "0123456789."));
}

static int parse_window(const char *value, struct log_window *window, struct error *err)
{
	const char *colon = strchr(value, ':');

	*window = (struct log_window){0, INT64_MAX};
	if (!colon || !*value || text_equal(value, ":")) {
		error_set(err, ERROR_USAGE, "--window", "expected FROM:TO, found \"%s\"", value);
		return error_hint(err, "times since the first event: 10ms:250ms, 10ms: or :250ms");
	}
	if (colon > value && word_time("--window", value, (size_t)(colon - value),
				     unit_of(colon + 1), &window->from_ps, err) != 0)
		return -1;
	if (colon[1] &&
		word_time("--window", colon + 1, strlen(colon + 1), NULL, &window->to_ps, err) != 0)
		return -1;
	if (window->from_ps < window->to_ps)
		return 0;
	error_set(err, ERROR_USAGE, "--window", "\"%s\" ends before it begins", value);
	return error_hint(err, "FROM:TO, for instance 10ms:250ms");
}

int apply_window(struct settings *s, const char *value, struct error *err)
{
	struct trace_options *trace = &s->job.read.trace;
	struct log_window *window = arena_array(s->arena, trace->window_count + 1, sizeof(*window));
	size_t at = 0;

	if (parse_window(value, &window[trace->window_count], err) != 0)
		return -1;
	if (trace->window_count)
		memcpy(window, trace->window, trace->window_count * sizeof(*window));
	for (struct log_window new = window[trace->window_count]; at <= trace->window_count; at++) {
		struct log_window old = window[at];

		if (at < trace->window_count && old.from_ps <= new.from_ps)
			continue;
		window[at] = new;
		new = old;
	}
	trace->window = window;
	trace->window_count++;
	for (size_t i = 1; i < trace->window_count; i++)
		if (window[i].from_ps < window[i - 1].to_ps) {
			error_set(
				err, ERROR_USAGE, "--window", "\"%s\" overlaps another one", value);
			return error_hint(err,
				"each is a step of its own: --window=0:10ms --window=10ms:20ms");
		}
	return 0;
}

int apply_name(struct settings *s, const char *value, struct error *err)
{
	if (!*value) {
		error_set(err, ERROR_USAGE, "--name", "expected a template, found nothing");
		return error_hint(err, "--name='{name}[{args.Input Dims}]'");
	}
	s->job.read.trace.name = value;
	return 0;
}

int apply_help(struct settings *s, const char *value, struct error *err)
{
	if (value && !text_equal(value, "all"))
		return error_set(err, ERROR_USAGE, "--help",
			"expected --help or --help=all, found \"%s\"", value);
	s->help = true;
	s->help_all = value != NULL;
	return 0;
}
