/*
 * Handlers of the options about inputs, outputs and behaviour.
 */
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "cli/apply.h"
#include "cli/export_tables.h"
#include "cli/option_words.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* A plain word that is nearly one of ours is more likely a slip than a pattern. */
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

int apply_explain_inputs(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->explain_inputs = true;
	return 0;
}

/* -o: the suffix must name a writer now, not after an hour of reading. */
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

int apply_shape(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"wide", "long", NULL};
	int i = word_index("--shape", value, words, err);

	if (i < 0)
		return -1;
	s->shape = i == 1 ? SHAPE_LONG : SHAPE_WIDE;
	return 0;
}

int apply_decimal(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"point", "comma", NULL};
	int i = word_index("--decimal", value, words, err);

	if (i < 0)
		return -1;
	s->decimal_comma = i == 1;
	return 0;
}

int apply_csv_safe(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->csv_safe = true;
	return 0;
}

int apply_table(struct settings *s, const char *value, struct error *err)
{
	(void)err; /* what tables there are is known when the report is made */
	s->table = value;
	return 0;
}

int apply_layout(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"table", "notebook", "flat", NULL};
	int i = word_index("--layout", value, words, err);

	if (i < 0)
		return -1;
	s->layout = (enum layout)i;
	return 0;
}

int apply_as_printed(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->job.as_printed = true;
	return 0;
}

int apply_kilobyte(struct settings *s, const char *value, struct error *err)
{
	if (!number_parse_int(value, strlen(value), &s->job.kilobyte) ||
		(s->job.kilobyte != 1000 && s->job.kilobyte != 1024))
		return error_set(err, ERROR_USAGE, "--kilobyte",
			"expected 1000 or 1024, found \"%s\"", value);
	return 0;
}

int apply_from(struct settings *s, const char *value, struct error *err)
{
	s->job.from = reader_find(value, err);
	return s->job.from ? 0 : -1;
}

int apply_graph(struct settings *s, const char *value, struct error *err)
{
	(void)err;
	s->job.graph_path = value;
	return 0;
}

int apply_op_log(struct settings *s, const char *value, struct error *err)
{
	(void)err;
	s->job.op_log_path = value;
	return 0;
}

int apply_precision(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"us", "ns", NULL};
	int i = word_index("--precision", value, words, err);

	if (i < 0)
		return -1;
	s->job.read.nanoseconds = i == 1;
	return 0;
}

static int parse_count(const char *option, const char *value, size_t *out, struct error *err)
{
	int64_t n;

	if (!number_parse_int(value, strlen(value), &n) || n < 1)
		return error_set(err, ERROR_USAGE, option,
			"expected a whole number from 1, found \"%s\"", value);
	*out = (size_t)n;
	return 0;
}

int apply_max_record(struct settings *s, const char *value, struct error *err)
{
	return word_size("--max-record", value, 1024, &s->job.read.max_record_bytes, err);
}

int apply_shard_size(struct settings *s, const char *value, struct error *err)
{
	return word_size("--shard-size", value, 1024, &s->shard_bytes, err);
}

int apply_gzip(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->gzip = true;
	return 0;
}

int apply_events(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->events = true;
	return 0;
}

int apply_write(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->write = true;
	return 0;
}

int apply_queries(struct settings *s, const char *value, struct error *err)
{
	int i = word_index("--queries", value, query_dialects, err);

	if (i < 0)
		return -1;
	s->queries = (enum query_dialect)(i + 1);
	return 0;
}

int apply_jobs(struct settings *s, const char *value, struct error *err)
{
	return parse_count("--jobs", value, &s->job.jobs, err);
}

int apply_max_ops(struct settings *s, const char *value, struct error *err)
{
	return parse_count("--max-ops", value, &s->job.read.limits.ops, err);
}

int apply_max_steps(struct settings *s, const char *value, struct error *err)
{
	return parse_count("--max-steps", value, &s->job.read.limits.steps, err);
}

int apply_max_observations(struct settings *s, const char *value, struct error *err)
{
	return parse_count("--max-observations", value, &s->job.read.limits.observations, err);
}

int apply_strict(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->job.strict = true;
	return 0;
}

int apply_quiet(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->quiet = true;
	return 0;
}

int apply_color(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"auto", "always", "never", NULL};
	int i = word_index("--color", value, words, err);

	if (i < 0)
		return -1;
	s->color = (enum color_mode)i;
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

/* Read before the other options, in config_file.c: this only finds it again. */
int apply_config(struct settings *s, const char *value, struct error *err)
{
	(void)s;
	(void)value;
	(void)err;
	return 0;
}
