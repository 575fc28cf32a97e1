/* Rows are kept until the file has ended, since facts may stand behind what they are facts of. */
#include "ingest/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/number.h"
#include "base/unit.h"
#include "ingest/input/input.h"
#include "ingest/table/csv_columns.h"
#include "ingest/table/run_facts.h"
#include "ingest/table/table_read.h"

#define FIRST_RUN "1"

enum bench_column {
	RUN,
	STEP,
	OP,
	MEASURE,
	VALUE,
	UNIT,
	FIRST_FACT,
	COLUMNS = FIRST_FACT + BENCH_FACTS
};

static const char *const column_names[COLUMNS] = {"run", "step", "op", "measure", "value", "unit",
	[FIRST_FACT + BENCH_START] = "start", [FIRST_FACT + BENCH_HOST] = "host",
	[FIRST_FACT + BENCH_MACHINE] = "machine", [FIRST_FACT + BENCH_COMMIT] = "commit",
	[FIRST_FACT + BENCH_BRANCH] = "branch", [FIRST_FACT + BENCH_DEVICE_MODEL] = "device_model",
	[FIRST_FACT + BENCH_DRIVER] = "driver", [FIRST_FACT + BENCH_FRAMEWORK] = "framework"};

struct kept_row {
	struct bench_row row;
	struct bench_facts facts;
};

/* ---- rows as a table ---- */

struct bench_rows {
	struct cell_rows rows; /* first: it is what the table reader holds */
	const struct bench *of;
	bool has_runs;
	struct table_cell cell[COLUMNS];
	size_t next; /* 0: the header */
};

static void place(struct cell_rows *of, size_t index, char *out, size_t size)
{
	const struct bench_rows *rows = (const struct bench_rows *)of;
	const struct kept_row *kept =
		rows->next > 1 ? vec_at(&rows->of->row, rows->next - 2) : NULL;

	snprintf(out, size, kept ? "%s: benchmark %s, %s" : "%s: %s%s", of->path,
		kept ? kept->row.benchmark : "", index < COLUMNS ? column_names[index] : "");
}

static void fill_cell(struct table_cell *cell, const char *text)
{
	*cell = (struct table_cell){
		.text = text ? text : "", .size = text ? strlen(text) : 0, .given = text != NULL};
}

static int next(struct cell_rows *of, struct cell_row *row, struct error *err)
{
	struct bench_rows *rows = (struct bench_rows *)of;
	const struct kept_row *kept;

	(void)err;
	if (rows->next > rows->of->row.count)
		return 0;
	*row = (struct cell_row){rows->next, rows->cell, COLUMNS};
	if (rows->next++ == 0) {
		for (size_t i = 0; i < COLUMNS; i++)
			fill_cell(&rows->cell[i], column_names[i]);
		return 1;
	}
	kept = vec_at(&rows->of->row, rows->next - 2);
	fill_cell(&rows->cell[RUN], rows->has_runs ? kept->row.run : NULL);
	rows->cell[STEP] = (struct table_cell){
		.text = "", .given = true, .kind = TABLE_INTEGER, .integer = kept->row.step};
	fill_cell(&rows->cell[OP], kept->row.benchmark);
	fill_cell(&rows->cell[MEASURE], kept->row.measure);
	fill_cell(&rows->cell[VALUE], kept->row.value);
	fill_cell(&rows->cell[UNIT], kept->row.unit);
	for (size_t i = 0; i < BENCH_FACTS; i++)
		fill_cell(&rows->cell[FIRST_FACT + i], kept->facts.of[i]);
	return 1;
}

/* ---- what readers add ---- */

/* Names of files are measures of their own, also where they look like one of the table ("count", or
 * a slip for it). */
static const char *own_name(struct bench *b, const char *measure)
{
	if (text_equal(measure, "time") || text_equal(measure, "cpu") ||
		(quantity_find(measure).kind == QUANTITY_UNKNOWN && !quantity_is_slip(measure)))
		return measure;
	return arena_printf(b->arena, "%s_value", measure);
}

int bench_add(struct bench *b, const struct bench_row *row, struct error *err)
{
	struct kept_row *kept;

	/* Values of units that are not known are whole multiples of a small part of them
	 * (base/unit.h). A counter that is too large for it is left out, and not its file. */
	const bool is_rate = row->unit && strstr(row->unit, "/s");
	double value;

	if (row->value && (!row->unit || !unit_lookup_key(row->unit)) &&
		number_parse_real(row->value, strlen(row->value), &value) &&
		!(fabs(value) < (is_rate ? 9.2e12 : 9.2e9))) {
		bench_left_out(b, "bench-range", "values too large for their unit, not read",
			arena_printf(b->arena, "%s, %s", row->benchmark, row->measure));
		return 0;
	}
	kept = vec_push(&b->row, err);
	if (!kept)
		return error_hint(err, "allow more with max-observations in stepstat.yaml");
	kept->row = *row;
	kept->row.measure = own_name(b, row->measure);
	kept->facts = b->facts;
	return 0;
}

int bench_add_once(struct bench *b, const struct bench_row *row, struct error *err)
{
	const char *key = arena_printf(
		b->arena, "%s\n%s\n%lld", row->benchmark, row->measure, (long long)row->step);

	if (bench_times_seen(b, key) == 0)
		return bench_add(b, row, err);
	issue_add(&b->out->issues, ISSUE_INFO, "bench-step-again",
		"values of steps that had one already, left out", 1, b->out->path);
	return 0;
}

void bench_set_fact(struct bench *b, const char *name, const char *value)
{
	const struct csv_quantity called = quantity_find(name);
	const char *own = called.kind == QUANTITY_START	   ? column_names[FIRST_FACT + BENCH_START]
			  : called.kind == QUANTITY_OF_RUN ? fact_name(called.fact)
			  : called.kind == QUANTITY_DEVICE && device_is_model(value)
				  ? column_names[FIRST_FACT + BENCH_DEVICE_MODEL]
				  : NULL;

	for (size_t i = 0; own && i < BENCH_FACTS; i++)
		if (text_equal(own, column_names[FIRST_FACT + i]))
			b->facts.of[i] = value;
}

void bench_left_out(struct bench *b, const char *code, const char *what, const char *example)
{
	text_clear(&b->scratch);
	text_printf(&b->scratch, "%s: %s", b->out->path, example);
	issue_add(&b->out->issues, ISSUE_LOSS, code, what, 1, text_string(&b->scratch));
}

void bench_not_measured(struct bench *b, const char *benchmark, const char *why)
{
	const char *example =
		why && *why ? arena_printf(b->arena, "%s, \"%s\"", benchmark, why) : benchmark;

	bench_left_out(b, "bench-not-measured",
		"benchmarks that were skipped or failed: not measured", example);
}

const char *bench_visible(struct bench *b, const char *bytes, size_t size)
{
	const char *text;

	text_clear(&b->scratch);
	text_add_zeros_visible(&b->scratch, bytes, size);
	text = arena_strdup(b->arena, text_string(&b->scratch));
	text_clear(&b->scratch);
	text_add_visible(&b->scratch, text);
	return text_equal(text, text_string(&b->scratch))
		       ? text
		       : arena_strdup(b->arena, text_string(&b->scratch));
}

const char *bench_run(struct bench *b, size_t index)
{
	return index ? arena_printf(b->arena, "%zu", index + 1) : FIRST_RUN;
}

size_t bench_times_seen(struct bench *b, const char *name)
{
	const uint32_t id = intern_id(b->names, name, strlen(name));

	if (id == b->seen.count)
		vec_push(&b->seen, NULL);
	return (*(size_t *)vec_at(&b->seen, id))++;
}

const char *bench_distinct(struct bench *b, const char *name)
{
	const size_t before = bench_times_seen(b, name);

	return before ? arena_printf(b->arena, "%s (%zu%s)", name, before + 1,
				number_ordinal_ending(before + 1))
		      : name;
}

/* ---- units ---- */

static const char *const per_one[] = {"/op", "/iter", "/iteration", "/call", "/request", "/step"};

const char *bench_unit_word(struct bench *b, const char *word)
{
	const size_t size = strlen(word), most = UNIT_OWN_SIZE - 1;
	char *unit = arena_strndup(b->arena, word, size < most ? size : most);

	for (char *at = unit; *at; at++)
		if ((unsigned char)*at <= ' ' || (unsigned char)*at > 126 ||
			strchr(",[]():\"'=", *at))
			*at = '_';
	return unit;
}

const char *bench_unit(struct bench *b, const char *word)
{
	const struct unit *unit;

	for (size_t i = 0; i < sizeof(per_one) / sizeof(*per_one); i++)
		if (text_ends(word, per_one[i]))
			word = arena_strndup(b->arena, word, strlen(word) - strlen(per_one[i]));
	if (text_equal(word, "Percent") || text_equal(word, "percent"))
		return "%";
	unit = unit_lookup(word);
	return unit && unit->dimension != DIMENSION_FRACTION && *unit->name
		       ? unit->name
		       : bench_unit_word(b, word);
}

const char *bench_unit_name(struct bench *b, const char *word)
{
	text_clear(&b->scratch);
	for (const char *at = word; *at; at++) {
		const char c = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;

		if (c == '/')
			text_add(&b->scratch, "_per_");
		else if ((c >= 'a' && c <= 'z') || text_is_digit(c))
			text_add_char(&b->scratch, c);
		else
			text_add(&b->scratch, c == '%' ? "percent" : "_");
	}
	return b->scratch.size ? arena_strdup(b->arena, text_string(&b->scratch)) : "value";
}

const char *bench_measure(struct bench *b, const char *word)
{
	const struct unit *unit = unit_lookup_key(bench_unit(b, word));

	if (unit && unit->dimension == DIMENSION_TIME)
		return "time";
	if (unit && unit->dimension == DIMENSION_BYTES)
		return "memory";
	return bench_unit_name(b, word);
}

/* ---- the whole ---- */

static int read_table(struct bench *b, struct error *err)
{
	struct bench_rows rows = {
		.rows = {.path = b->out->path, .next = next, .place = place}, .of = b};
	bool measured = false;

	for (size_t i = 0; i < b->row.count; i++) {
		const struct bench_row *row = vec_at(&b->row, i);

		measured |= row->value != NULL;
		rows.has_runs |= row->run && !text_equal(row->run, FIRST_RUN);
	}
	b->out->repeats = b->repeats && rows.has_runs;
	b->out->benchmarks = true;
	if (!measured) {
		const struct issue *issue = b->out->issues.count ? &b->out->issues.issue[0] : NULL;

		error_set(err, ERROR_INPUT, b->out->path, "no value of any benchmark");
		return issue ? error_hint(err, "%s: %s", issue->text, issue->place) : -1;
	}
	return table_read(&rows.rows, b->out, b->opt, err);
}

int bench_read(struct input *in, struct profile *out, const struct read_options *opt,
	int (*fill)(struct bench *b, struct error *err), struct error *err)
{
	struct bench b = {.arena = arena_new(), .out = out, .opt = opt, .in = in};
	int result;

	vec_init(&b.row, sizeof(struct kept_row), opt->limits.observations, "observations");
	vec_init(&b.seen, sizeof(size_t), SIZE_MAX, "names");
	b.names = intern_new(b.arena);
	text_init(&b.scratch);
	result = fill(&b, err);
	if (result == 0)
		result = read_table(&b, err);
	if (result == 0)
		input_report_tail(in, &out->issues);
	vec_release(&b.row);
	vec_release(&b.seen);
	text_release(&b.scratch);
	arena_free(b.arena);
	return result;
}

#define BEYOND_LEAST 10

bool bench_tail_is_known(struct bench *b, double percent, double requests, const char *what)
{
	const double beyond = requests * (1 - percent / 100);

	if (requests <= 0 || beyond >= BEYOND_LEAST - 1e-6)
		return true;
	text_clear(&b->scratch);
	text_printf(&b->scratch, "%s: %s of %.0f requests", b->out->path, what, requests);
	issue_add(&b->out->issues, ISSUE_LOSS, "bench-tail",
		"percentiles of too few requests (fewer than 10 beyond them): cannot tell, left "
		"out",
		1, text_string(&b->scratch));
	return false;
}

#define PROBE_LINE 1024 /* longer lines are none of a terminal */

static int fill(struct bench *b, struct error *err)
{
	const struct bench_lines *lines = b->opt->source;
	void *state = arena_alloc(b->arena, lines->state_bytes ? lines->state_bytes : 1);
	struct line_reader reader;
	const char *line;
	size_t size;
	int got;

	b->facts.of[BENCH_FRAMEWORK] = lines->framework;
	b->repeats = lines->repeats;
	line_reader_init(&reader, b->in, b->opt->max_record_bytes);
	while ((got = line_reader_next(&reader, &line, &size, err)) > 0)
		if (lines->line(b, state, line, err) < 0) {
			got = -1;
			break;
		}
	if (got == 0 && reader.unended)
		issue_add(&b->out->issues, ISSUE_INFO, "line-unended",
			"texts whose last line has no end: its last value may be cut", 1,
			input_path(b->in));
	line_reader_release(&reader);
	return got < 0 ? -1 : lines->end ? lines->end(b, state, err) : 0;
}

int bench_read_lines(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read(in, out, opt, fill, err);
}

struct bench_word bench_word_next(const char **at)
{
	struct bench_word word;

	word.at = *at + strspn(*at, " \t\r");
	word.size = strcspn(word.at, " \t\r");
	*at = word.at + word.size;
	return word;
}

bool bench_word_is(const struct bench_word *word, const char *text)
{
	return text_is(word->at, word->size, text);
}

const char *bench_word_text(struct bench *b, const struct bench_word *word)
{
	return bench_visible(b, word->at, word->size);
}

const char *bench_word_number(struct bench *b, const struct bench_word *word)
{
	char *text = arena_strndup(b->arena, word->at, word->size), *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ',')
			*to++ = *from;
	*to = '\0';
	return text;
}

bool bench_word_is_number(const struct bench_word *word)
{
	char digits[NUMBER_TEXT_SIZE];
	size_t n = 0;
	double number;

	for (size_t i = 0; i < word->size; i++)
		if (word->at[i] != ',') {
			if (n == sizeof(digits))
				return false;
			digits[n++] = word->at[i];
		}
	return number_parse_real(digits, n, &number);
}

const char *bench_trimmed(struct bench *b, const char *at, size_t size)
{
	while (size && strchr(" \t\r", at[size - 1]))
		size--;
	while (size && strchr(" \t\r", *at)) {
		at++;
		size--;
	}
	return bench_visible(b, at, size);
}

bool bench_probe_lines(const struct probe *p, bool (*is_one)(const char *line))
{
	const char *at = (const char *)p->bytes, *end = at + p->size;
	char line[PROBE_LINE];

	if (memchr(p->bytes, 0, p->size))
		return false;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		const size_t size = (size_t)((stop ? stop : end) - at);

		if (size < sizeof(line)) {
			memcpy(line, at, size);
			line[size] = '\0';
			if (is_one(line))
				return true;
		}
		at += size + 1;
	}
	return false;
}
