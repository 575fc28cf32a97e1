/* JSON of one schema for all commands, doc/schema/report-1.json: the sentences of the report as
 * text, and its table for programs as one object per row. */
#include <math.h>
#include <string.h>
#include "base/output/json_text.h"
#include "writers/writer.h"
#include "base/intern.h"
#include "base/number.h"

#define SCHEMA_VERSION "1"

struct json {
	struct outfile *out;
	struct text *line;
	const char **name; /* of the columns, already quoted */
};

static void json_flush(struct json *json)
{
	if (json->line->size)
		outfile_write(json->out, json->line->data, json->line->size);
	text_clear(json->line);
}

static void json_add_text(struct json *json, const char *s)
{
	if (s)
		json_text_shown(json->line, s);
	else
		text_add(json->line, "null");
}

/* Adds a member of an object on one line; behind another one after a comma. */
static void json_add_member(struct json *json, const char *key, const char *value)
{
	const char last = json->line->size ? json->line->data[json->line->size - 1] : ' ';

	text_printf(json->line, "%s\"%s\": ", last == '{' || last == ' ' ? "" : ", ", key);
	json_add_text(json, value);
}

static const char *none_if_empty(const char *s)
{
	return s && *s ? s : NULL;
}

static void json_texts(struct json *json, const char *key, const char *const *text, size_t count)
{
	text_printf(json->line, ",\n  \"%s\": [", key);
	for (size_t i = 0; i < count; i++) {
		text_add(json->line, i ? ",\n    " : "\n    ");
		json_add_text(json, text[i]);
	}
	text_add(json->line, count ? "\n  ]" : "]");
}

static void json_column(struct json *json, const char *measure, const char *stat, const char *name,
	enum dimension dimension, const char *unit)
{
	text_add(json->line, "\n    {");
	json_add_member(json, "name", name);
	json_add_member(json, "measure", measure);
	json_add_member(json, "stat", stat);
	json_add_member(json, "dimension", dimension_name(dimension));
	json_add_member(json, "unit", none_if_empty(unit));
	text_add(json->line, "}");
}

static void json_columns(struct json *json, const struct table *table, bool long_shape)
{
	static const char *const own[] = {"measure", "stat", "value", "unit"};
	const char *separator = "";

	text_add(json->line, ",\n  \"columns\": [");
	for (size_t i = 0; i < table->column_count; i++) {
		if (long_shape && !writer_column_is_key(&table->column[i]))
			continue;
		text_add(json->line, separator);

		const struct column *column = &table->column[i];
		struct text name;

		text_init(&name);
		writer_column_name(column, &name);
		json_column(json, column->measure, column->stat, text_string(&name),
			column->dimension, writer_column_unit_key(column));
		text_release(&name);
		separator = ",";
	}
	for (size_t i = 0; long_shape && i < sizeof(own) / sizeof(own[0]); i++) {
		text_add(json->line, separator);
		json_column(json, NULL, own[i], own[i], DIMENSION_NONE, NULL);
		separator = ",";
	}
	text_add(json->line, *separator ? "\n  ]" : "]");
}

/* Real numbers of times, bytes or counts; the unit is looked up once. */
static void json_list(struct json *json, const struct column *column, const struct cell_list *list)
{
	const double factor = (double)writer_column_file_unit(column)->factor;
	char number[NUMBER_TEXT_SIZE];

	text_add_char(json->line, '[');
	for (size_t i = 0; i < list->count; i++) {
		if (i)
			text_add_char(json->line, ',');
		text_add(json->line, isfinite(list->value[i])
					     ? number_format_real(number, list->value[i] / factor,
						       column->digits)
					     : "null");
	}
	text_add_char(json->line, ']');
}

static void json_add_cell(struct json *json, const struct column *column, const struct cell *cell)
{
	char number[NUMBER_TEXT_SIZE];

	if (cell->kind == CELL_TEXT) {
		json_add_text(json, cell->text);
		return;
	}
	if (cell->kind == CELL_LIST) {
		json_list(json, column, cell->list);
		return;
	}
	writer_file_number(column, cell, number);
	text_add(json->line, number[0] ? number : "null");
}

static void json_wide_row(struct json *json, const struct table *table, const struct row *row)
{
	text_add(json->line, "\n    {");
	for (size_t i = 0; i < table->column_count; i++) {
		/* Once for each cell: printf would take longer than the cell. */
		text_add(json->line, i ? ", " : "");
		text_add(json->line, json->name[i]);
		text_add(json->line, ": ");
		json_add_cell(json, &table->column[i], &row->cell[i]);
	}
	text_add(json->line, "}");
}

static void json_long_line(
	struct json *json, const struct table *table, const struct row *row, size_t value)
{
	const struct column *column = &table->column[value];

	text_add(json->line, "\n    {");
	for (size_t i = 0; i < table->column_count; i++) {
		if (!writer_column_is_key(&table->column[i]))
			continue;
		text_printf(json->line, "%s: ", json->name[i]);
		json_add_cell(json, &table->column[i], &row->cell[i]);
		text_add(json->line, ", ");
	}
	json_add_member(json, "measure", column->measure);
	json_add_member(json, "stat", column->stat);
	text_add(json->line, ", \"value\": ");
	json_add_cell(json, column, &row->cell[value]);
	json_add_member(json, "unit", none_if_empty(writer_column_unit_key(column)));
	text_add(json->line, "}");
}

static void json_rows(
	struct json *json, const struct table *table, const struct writer_options *opt)
{
	const char *separator = "";
	bool long_shape = opt->long_shape;

	text_add(json->line, ",\n  \"rows\": [");
	for (size_t r = 0; r < table->row_count; r++) {
		if (!writer_row_shown(&table->row[r], opt->complete))
			continue;
		for (size_t i = 0; i < table->column_count; i++) {
			if (long_shape ? !writer_column_is_value(&table->column[i]) : i > 0)
				continue;
			text_add(json->line, separator);
			separator = ",";
			if (long_shape)
				json_long_line(json, table, &table->row[r], i);
			else
				json_wide_row(json, table, &table->row[r]);
		}
		json_flush(json);
	}
	text_add(json->line, *separator ? "\n  ]" : "]");
}

static void json_name_columns(struct json *json, struct arena *arena, const struct table *table);

/* Tables beside the ops, each with columns and rows of its own; issues are a list already. */
static void json_more(struct json *json, const struct table *more, size_t count,
	const struct writer_options *opt, struct arena *arena)
{
	struct writer_options wide = *opt;

	wide.long_shape = false;
	for (size_t i = 0; i < count; i++) {
		const struct table *table = &more[i];

		if (strcmp(table->name, "issues") == 0)
			continue;
		json_flush(json);
		json_name_columns(json, arena, table);
		text_add(json->line, ",\n  ");
		json_add_text(json, table->name);
		text_add(json->line, ": {\"table\": ");
		json_add_text(json, table->name);
		json_columns(json, table, false);
		json_rows(json, table, &wide);
		text_add(json->line, "}");
	}
}

static void json_bound(struct json *json, const char *name, int64_t bound)
{
	text_printf(json->line, ", \"%s\": ", name);
	if (bound == EFFECT_UNKNOWN)
		text_add(json->line, "null");
	else
		text_printf(json->line, "%lld", (long long)bound);
}

/* Adds the change of a number by an issue; null where it changes none. */
static void json_effect(struct json *json, const struct issue_effect *effect)
{
	text_add(json->line, ", \"effect\": ");
	if (effect->unit == EFFECT_NONE) {
		text_add(json->line, "null");
		return;
	}
	text_add(json->line, "{");
	json_add_member(json, "row", effect->row);
	json_bound(json, "low", effect->low);
	json_bound(json, "high", effect->high);
	json_bound(json, "recorded", effect->recorded);
	json_add_member(json, "unit", issue_effect_unit(effect->unit));
	json_add_member(json, "steps", none_if_empty(effect->steps));
	text_add(json->line, "}");
}

/* Adds the kind of the lost part, and the lost count or ps out of all; null where nothing is
 * lost. */
static void json_loss(struct json *json, const struct issue_loss *loss)
{
	if (loss->kind == LOSS_NONE) {
		text_add(json->line, ", \"loss\": null");
		return;
	}
	text_add(json->line, ", \"loss\": {");
	json_add_member(json, "of", issue_loss_word(loss->kind));
	json_bound(json, "lost", loss->lost);
	json_bound(json, "all", loss->all);
	text_add(json->line, "}");
}

static void json_issues(struct json *json, const struct issue_list *issues)
{
	static const char *const severities[] = {
		[ISSUE_INFO] = "info",
		[ISSUE_LOSS] = "loss",
		[ISSUE_ERROR] = "error",
	};
	size_t count = issues ? issues->count : 0;

	text_add(json->line, ",\n  \"issues\": [");
	for (size_t i = 0; i < count; i++) {
		const struct issue *issue = &issues->issue[i];

		text_add(json->line, i ? ",\n    {" : "\n    {");
		json_add_member(json, "severity", severities[issue->severity]);
		json_add_member(json, "code", issue->code);
		json_add_member(json, "text", issue->text);
		json_add_member(json, "place", none_if_empty(issue->place));
		text_printf(json->line, ", \"count\": %zu", issue->count);
		json_effect(json, &issue->effect);
		json_loss(json, &issue->loss);
		text_add(json->line, "}");
	}
	text_add(json->line, count ? "\n  ]" : "]");
}

/* Only a gate has a result; in other reports the members are not there. */
static void json_result(struct json *json, const struct report *report)
{
	if (!report->has_result)
		return;
	text_printf(json->line, ",\n  \"exit_status\": %d,\n  ", report->exit_status);
	json_add_member(json, "result", report->result);
	text_add(json->line, ",\n  ");
	json_add_member(json, "policy_file", report->policy_file);
	text_add(json->line, ",\n  ");
	json_add_member(json, "policy_sha256", report->policy_sha256);
	text_add(json->line, ",\n  \"checks\": [");
	for (size_t i = 0; i < report->check_count; i++) {
		const struct check *check = &report->check[i];

		text_add(json->line, i ? ",\n    {" : "\n    {");
		json_add_member(json, "policy", check->name);
		json_add_member(json, "subject", check->subject);
		json_add_member(json, "measure", check->measure);
		json_add_member(json, "status", check_status_word(check->status));
		json_add_member(json, "verdict", check->verdict);
		json_add_member(json, "message", check->message);
		text_add(json->line, "}");
		json_flush(json);
	}
	text_add(json->line, report->check_count ? "\n  ]" : "]");
}

/* Column names are the keys of every row: quoted once. They live in the arena of the caller. */
static void json_name_columns(struct json *json, struct arena *arena, const struct table *table)
{
	struct text name;

	json->name = arena_array(arena, table->column_count, sizeof(*json->name));
	text_init(&name);
	for (size_t i = 0; i < table->column_count; i++) {
		text_clear(&name);
		writer_column_name(&table->column[i], &name);
		json_add_text(json, text_string(&name));
		json->name[i] = arena_strndup(arena, json->line->data, json->line->size);
		text_clear(json->line);
	}
	text_release(&name);
}

static int json_write_report(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct arena *arena = arena_new();
	struct text line;
	struct json json = {.out = out, .line = &line};

	(void)err; /* what cannot be written is reported when the file is committed */
	text_init(&line);
	json_name_columns(&json, arena, &report->data);
	text_add(json.line, "{\n  \"stepstat\": " SCHEMA_VERSION ",\n  ");
	json_add_member(&json, "command", report->command);
	json_texts(&json, "heading", report->heading, report->heading_count);
	json_texts(&json, "answer", report->answer, report->answer_count);
	json_result(&json, report);
	text_add(json.line, ",\n  ");
	json_add_member(&json, "table", report->data.name);
	json_columns(&json, &report->data, opt->long_shape);
	json_rows(&json, &report->data, opt);
	json_more(&json, report->more, report->more_count, opt, arena);
	if (opt->complete) /* they have all rows */
		json_more(&json, report->drawn, report->drawn_count, opt, arena);
	text_add(json.line, ",\n  \"notes\": [");
	for (size_t i = 0; i < report->note_count; i++) {
		text_add(json.line, i ? ",\n    {" : "\n    {");
		json_add_member(&json, "mark", none_if_empty(report->note[i].mark));
		text_add(json.line, ", ");
		json_add_member(&json, "text", report->note[i].text);
		text_add(json.line, ", ");
		json_add_member(&json, "option", none_if_empty(report->note[i].option));
		text_add(json.line, "}");
	}
	text_add(json.line, report->note_count ? "\n  ]" : "]");
	json_issues(&json, report->issues);
	text_add(json.line, "\n}\n");
	json_flush(&json);
	text_release(&line);
	arena_free(arena);
	return 0;
}

/* ---- by column, for pages ---- */

#define PAGE_DIGITS 6

static bool is_alike(const struct cell *a, const struct cell *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == CELL_LIST	 ? false
	       : a->kind == CELL_TEXT	 ? text_equal(a->text, b->text)
	       : a->kind == CELL_INTEGER ? a->integer == b->integer
	       : a->kind == CELL_REAL	 ? a->real == b->real
					 : true;
}

/* True if a column has one value in all of several rows. */
static bool stands_alone(const struct table *table, size_t column)
{
	size_t r = 1;

	while (r < table->row_count &&
		is_alike(&table->row[0].cell[column], &table->row[r].cell[column]))
		r++;
	return table->row_count > 1 && r == table->row_count;
}

#define WORDS_MOST (1 << 20) /* bytes; longer texts hardly come again */

/* The texts of a column, each once; NULL where few come again. */
static struct intern *words_of(const struct table *table, size_t column, struct arena *arena)
{
	struct intern *words = intern_new(arena);
	size_t texts = 0;

	for (size_t r = 0; r < table->row_count && intern_bytes(words) < WORDS_MOST; r++)
		if (table->row[r].cell[column].kind == CELL_TEXT) {
			texts++;
			intern_copy(words, table->row[r].cell[column].text);
		}
	if (intern_bytes(words) >= WORDS_MOST)
		return NULL;
	return texts > 2 * intern_count(words) ? words : NULL;
}

/* {"words":["a","b"],"at":[0,0,1,null]} */
static void json_words(
	struct json *json, const struct table *table, size_t column, struct intern *words)
{
	const char *separator = "";

	text_add(json->line, "{\"words\":[");
	for (uint32_t i = 0; i < intern_count(words); i++, separator = ",") {
		text_add(json->line, separator);
		json_add_text(json, intern_name(words, i));
	}
	text_add(json->line, "],\"at\":");
	for (size_t r = 0; r < table->row_count; r++) {
		const struct cell *cell = &table->row[r].cell[column];

		text_add_char(json->line, r ? ',' : '[');
		if (cell->kind == CELL_TEXT)
			text_printf(json->line, "%u",
				(unsigned)intern_id(words, cell->text, strlen(cell->text)));
		else
			text_add(json->line, "null");
	}
	text_add(json->line, "]}");
}

static void json_tones(struct json *json, const struct table *table)
{
	static const char *const tones[] = {[TONE_PLAIN] = "\"\"",
		[TONE_WORSE] = "\"worse\"",
		[TONE_BETTER] = "\"better\"",
		[TONE_OPEN] = "\"quiet\""};
	bool any = false;

	for (size_t r = 0; r < table->row_count; r++)
		any |= table->row[r].tone != TONE_PLAIN;
	for (size_t r = 0; any && r < table->row_count; r++)
		text_printf(json->line, "%s%s", r ? "," : ",\"tone\":[", tones[table->row[r].tone]);
	text_add(json->line, any ? "]" : "");
}

void writer_json_columns(struct text *out, const struct table *table, struct arena *arena)
{
	struct json json = {.line = out};

	text_printf(out, "{\"rows\":%zu", table->row_count);
	for (size_t i = 0; i < table->column_count; i++) {
		const bool alone = stands_alone(table, i);
		struct intern *words = alone ? NULL : words_of(table, i, arena);
		struct column column = table->column[i];

		column.unit = NULL;
		column.digits = PAGE_DIGITS;
		text_add_char(out, ',');
		json_add_text(
			&json, arena_printf(arena, "%s%s%s", column.measure ? column.measure : "",
				       column.measure ? "_" : "", column.stat));
		text_add(out, alone || words ? ":" : ":[");
		if (words)
			json_words(&json, table, i, words);
		for (size_t r = 0; !words && r < (alone ? 1 : table->row_count); r++) {
			text_add(out, r ? "," : "");
			json_add_cell(&json, &column, &table->row[r].cell[i]);
		}
		text_add(out, alone || words ? "" : "]");
	}
	json_tones(&json, table);
	text_add_char(out, '}');
}

extern const struct writer writer_json;
const struct writer writer_json = {
	.name = "json",
	.summary = "JSON of a versioned schema, the same for every command; all rows",
	.suffixes = (const char *const[]){".json", NULL},
	.holds_all = true,
	.wants_page = true,
	.draws_sides = true,
	.has_shapes = true,
	.write = json_write_report,
};
