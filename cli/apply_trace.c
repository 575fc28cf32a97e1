/*
 * Options of traces of events.
 */
#include <string.h>
#include "base/text.h"
#include "cli/apply.h"
#include "cli/option_words.h"
#include "select/step_marker.h"

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

/* The unit at the end of a time, for one before it that has none. */
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

int apply_like(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"key_averages", NULL};

	if (word_index("--like", value, words, err) < 0)
		return -1;
	s->job.read.trace.key_averages = true;
	return 0;
}

int apply_spill_limit(struct settings *s, const char *value, struct error *err)
{
	size_t bytes;

	if (word_size("--spill-limit", value, 0, &bytes, err) != 0)
		return -1;
	s->job.read.trace.max_spill_bytes = bytes;
	return 0;
}
