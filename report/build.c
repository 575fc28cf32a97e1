/* The building blocks of reports: rows, columns, cells, phrases. */
#include "report/build.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "analysis/step_kinds.h"
#include "base/memory.h"
#include "base/names/short_names.h"
#include "base/number.h"
#include "base/text.h"

struct report *report_new(const char *command)
{
	struct arena *arena = arena_new();
	struct report *report = arena_alloc(arena, sizeof(*report));

	report->arena = arena;
	report->command = command;
	report->display.name = report->data.name = "ops";
	return report;
}

void report_free(struct report *report)
{
	if (report)
		arena_free(report->arena);
}

/* Room for another item in an array of the arena: doubled when a power of two is reached. */
static void *grow(struct arena *arena, void *old, size_t count, size_t size_bytes)
{
	size_t room = count & (count - 1) ? count + 1 : count;

	return arena_make_room(arena, old, count, &room, size_bytes);
}

static const char *format_text(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	char *text;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	text = arena_alloc(arena, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, format, again);
	va_end(again);
	return text;
}

void report_add_line(
	struct report *report, const char ***lines, size_t *count, const char *format, ...)
{
	va_list args;

	*lines = grow(report->arena, *lines, *count, sizeof(char *));
	va_start(args, format);
	(*lines)[(*count)++] = format_text(report->arena, format, args);
	va_end(args);
}

void report_note(
	struct report *report, const char *mark, const char *option, const char *format, ...)
{
	struct note *note;
	va_list args;

	report->note = grow(report->arena, report->note, report->note_count, sizeof(*note));
	note = &report->note[report->note_count++];
	va_start(args, format);
	note->text = format_text(report->arena, format, args);
	va_end(args);
	note->mark = mark;
	note->option = option;
}

static size_t count_words(const char *s)
{
	size_t words = 0;

	for (bool in_word = false; *s; s++) {
		words += !in_word && *s != ' ';
		in_word = *s != ' ';
	}
	return words;
}

size_t report_headings_above(const struct report *report)
{
	return report->side_count ? report->side_count : report->heading_count;
}

/* The answer of this rank by importance, from 0: what to do next follows a verdict or the first
 * cause. */
static size_t answer_of_rank(const struct report *report, size_t rank)
{
	const size_t most = report->is_verdict && !report->has_cause ? 1 : 2;
	const size_t last = report->next ? report->next - 1 : report->answer_count;
	const size_t place = last < most ? last : most;

	if (rank == place && report->next)
		return last;
	return rank > place && rank <= last ? rank - 1 : rank;
}

/* A heading counts as this many words at least, so that a trace and its export, whose headings
 * differ, show the same answers. */
#define HEADING_WORDS 17

bool *report_choose_answers(const struct report *report)
{
	bool *above = arena_array(report->arena, report->answer_count + 1, sizeof(*above));
	size_t words = 0;

	for (size_t i = 0; i < report_headings_above(report); i++)
		words += count_words(report->heading[i]);
	words = words < HEADING_WORDS ? HEADING_WORDS : words;
	words += report->has_result ? count_words(report->result) : 0;
	for (size_t rank = 0; rank < report->answer_count; rank++) {
		const size_t answer = answer_of_rank(report, rank);

		words += count_words(report->answer[answer]);
		above[answer] = rank == 0 || !report->display.column_count || words <= SCREEN_WORDS;
	}
	return above;
}

void report_check(struct report *report, const struct check *check, const char *format, ...)
{
	struct check *slot;
	va_list args;

	report->check = grow(report->arena, report->check, report->check_count, sizeof(*slot));
	slot = &report->check[report->check_count++];
	*slot = *check;
	va_start(args, format);
	slot->message = format_text(report->arena, format, args);
	va_end(args);
}

void report_policy(struct report *report, const char *path, const char *sha256)
{
	report->policy_file = arena_strdup(report->arena, path);
	report->policy_sha256 = arena_strdup(report->arena, sha256);
	report_heading(
		report, "policies and settings of %s, SHA-256 %.*s", path, POLICY_DIGITS, sha256);
}

void report_result(struct report *report, int exit_status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report->result = format_text(report->arena, format, args);
	va_end(args);
	report->has_result = true;
	report->exit_status = exit_status;
}

struct column *report_add_column(struct report *report, struct table *table)
{
	struct column *column;

	table->column = grow(report->arena, table->column, table->column_count, sizeof(*column));
	column = &table->column[table->column_count++];
	column->digits = 15;
	column->decimals = -1;
	column->align = ALIGN_RIGHT;
	return column;
}

struct column *report_text_column(struct report *report, struct table *table, const char *name)
{
	struct column *column = report_add_column(report, table);

	column->stat = column->title = name;
	column->align = ALIGN_LEFT;
	return column;
}

void report_add_columns(struct report *report, struct table *table,
	struct cell (*make)(const struct column *, const void *), const struct column *column,
	size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct column *added = report_add_column(report, table);
		int digits = column[i].digits ? column[i].digits : added->digits;

		*added = column[i];
		added->title = column[i].title ? column[i].title : column[i].stat;
		added->digits = digits;
		added->make = make;
		added->index = i;
	}
}

const struct unit *unit_given(const struct build_options *opt, enum dimension dimension)
{
	return dimension == DIMENSION_TIME    ? opt->time_unit
	       : dimension == DIMENSION_BYTES ? opt->bytes_unit
					      : NULL;
}

void report_give_units(struct table *table, const struct build_options *opt)
{
	for (size_t c = 0; c < table->column_count; c++)
		table->column[c].unit = unit_given(opt, table->column[c].dimension);
}

struct table *report_spell_columns(struct report *report, struct table *table,
	const struct build_options *opt, enum dimension dimension, const char *columns)
{
	const enum dimension of_kind[] = {['n'] = DIMENSION_COUNT,
		['c'] = DIMENSION_COUNT,
		['t'] = DIMENSION_TIME,
		['b'] = DIMENSION_BYTES,
		['f'] = DIMENSION_FRACTION,
		['x'] = DIMENSION_NONE,
		['v'] = dimension};

	for (const char *s = columns; *s; s += strspn(s, " ")) {
		const size_t n = strcspn(s, ": ");
		const char *name = arena_strndup(report->arena, s, n);
		const int kind = s[n] == ':' ? s[n + 1] : 's';
		const struct column text = {.stat = name,
					    .names = s[n] == ':',
					    .shorten = s[n] == ':'},
				    number = NUMBER_COLUMN(name, of_kind[kind == 's' ? 'x' : kind],
					    -(kind != 'n'));

		report_add_columns(report, table, NULL, kind == 's' ? &text : &number, 1);
		s += strcspn(s, " ");
	}
	report_give_units(table, opt);
	return table;
}

struct row *report_add_row(struct report *report, struct table *table)
{
	struct row *row;

	table->row = grow(report->arena, table->row, table->row_count, sizeof(*row));
	row = &table->row[table->row_count++];
	row->cell = arena_array(report->arena, table->column_count, sizeof(struct cell));
	row->on_screen = row->in_files = true;
	return row;
}

struct row *report_add_cells(struct report *report, struct table *table, const struct cell *cell)
{
	struct row *row = report_add_row(report, table);

	memcpy(row->cell, cell, table->column_count * sizeof(*cell));
	return row;
}

void table_drop_unknown(struct table *table, size_t first, size_t end)
{
	size_t kept = 0;

	for (size_t c = 0; c < table->column_count; c++) {
		bool known = c < first || c >= end;

		for (size_t i = 0; i < table->row_count; i++)
			known |= table->row[i].cell[c].kind != CELL_NONE;
		if (!known)
			continue;
		for (size_t i = 0; i < table->row_count; i++)
			table->row[i].cell[kept] = table->row[i].cell[c];
		table->column[kept++] = table->column[c];
	}
	table->column_count = kept;
}

struct row *report_make_row(struct report *report, struct table *table, const void *from)
{
	struct row *row = report_add_row(report, table);

	for (size_t c = 0; c < table->column_count; c++)
		row->cell[c] = table->column[c].make(&table->column[c], from);
	return row;
}

struct cell cell_text(const char *text)
{
	return (struct cell){.kind = text ? CELL_TEXT : CELL_NONE, .text = text};
}

struct cell cell_integer(int64_t value)
{
	return (struct cell){.kind = CELL_INTEGER, .integer = value};
}

struct cell cell_real(double value)
{
	if (!isfinite(value))
		return (struct cell){.kind = CELL_NONE};
	return (struct cell){.kind = CELL_REAL, .real = value};
}

struct cell cell_blank(void)
{
	return (struct cell){.kind = CELL_BLANK};
}

void report_join_issues(struct report *report, const struct cube *const *cube, size_t count)
{
	struct issue_list *all = arena_alloc(report->arena, sizeof(*all));

	issue_list_init(all, report->arena);
	for (size_t i = 0; i < count; i++)
		issue_list_join(all, &cube[i]->issues);
	report->issues = all;
}

void report_note_rows(
	struct report *report, const struct build_options *opt, const struct cube *cube)
{
	const char *title = cube->format_title ? cube->format_title : "";

	if (opt->rows_given || cube->benchmarks || cube->run_count < 2 ||
		cube->step_count != cube->run_count ||
		!(text_equal(title, "observations (CSV)") ||
			text_equal(title, "observations (Parquet)")))
		return;
	report_note(report, NULL, "--rows=benchmarks",
		"%s are taken for parts of the one step of each run; where they are benchmarks, "
		"each stands for itself",
		opt->row_nouns);
}

static size_t count_issue(const struct cube *cube, const char *code)
{
	size_t count = 0;

	for (size_t i = 0; i < cube->issues.count; i++)
		if (text_equal(cube->issues.issue[i].code, code))
			count += cube->issues.issue[i].count;
	return count;
}

bool steps_may_be_averages(const struct cube *cube)
{
	return cube->step_count &&
	       count_issue(cube, "step-unknown") + count_issue(cube, "tfprof-average") >=
		       cube->step_count;
}

/* Text for steps that perhaps, or certainly, are averages. */
static const char *describe_averages(
	struct arena *arena, const struct cube *cube, const struct step_set *steps)
{
	const char *plural = steps->count == 1 ? "" : "s";

	if (!count_issue(cube, "step-unknown"))
		return arena_printf(arena, "%zu average%s over steps", steps->count, plural);
	if (steps->count == 1)
		return "1 report of a step or of an average over steps";
	return arena_printf(
		arena, "%zu reports, each of a step or of an average over steps", steps->count);
}

/* " x 8 ranks": of the kept steps, those that recorded them; "" where no run has several. */
static const char *describe_ranks(
	struct arena *arena, const struct cube *cube, const struct step_set *steps)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (size_t i = 0; i < steps->count && cube->rank_count; i++) {
		const uint32_t ranks = cube->rank_count[steps->step[i]];

		least = ranks < least ? ranks : least;
		most = ranks > most ? ranks : most;
	}
	if (most < 2)
		return "";
	return least == most ? arena_printf(arena, " x %u ranks", most)
			     : arena_printf(arena, " x %u to %u ranks", least, most);
}

static const char *phrase_number(struct arena *arena, int64_t number, size_t count)
{
	if (count == 1)
		return arena_printf(arena, "%lld", (long long)number);
	return arena_printf(
		arena, "%lld (%zu%s)", (long long)number, count, number_ordinal_ending(count));
}

const char **phrase_steps(struct arena *arena, const struct cube *cube)
{
	const char **out = arena_array(arena, cube->step_count, sizeof(*out));

	for (size_t r = 0; r < cube->run_count; r++) {
		const struct step *step = &cube->step[cube->run[r].step_first];
		const size_t n = cube->run[r].step_count;
		struct intern *numbers = intern_new(arena);
		uint32_t *count = arena_array(arena, n, sizeof(*count));

		for (size_t i = 0; i < n; i++) {
			const uint32_t id = intern_id(
				numbers, (const char *)&step[i].number, sizeof(step[i].number));

			out[cube->run[r].step_first + i] =
				phrase_number(arena, step[i].number, ++count[id]);
		}
	}
	return out;
}

const char *phrase_step(struct arena *arena, const struct cube *cube, size_t step)
{
	const int64_t number = cube->step[step].number;
	size_t r = 0, count = 1;

	while (r + 1 < cube->run_count && cube->run[r + 1].step_first <= step)
		r++;
	for (size_t s = cube->run[r].step_first; s < step; s++)
		count += cube->step[s].number == number;
	return phrase_number(arena, number, count);
}

const char *describe_steps(
	struct arena *arena, const struct cube *cube, const struct step_set *steps)
{
	size_t least = SIZE_MAX, most = 0;
	int64_t from = INT64_MAX, to = INT64_MIN;
	const char *plural, *ranks = describe_ranks(arena, cube, steps);

	if (steps_may_be_averages(cube))
		return describe_averages(arena, cube, steps);
	for (size_t r = 0; r < steps->run_count; r++) {
		size_t n = steps->first[r + 1] - steps->first[r];

		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	for (size_t i = 0; i < steps->count; i++) {
		int64_t number = cube->step[steps->step[i]].number;

		from = number < from ? number : from;
		to = number > to ? number : to;
	}
	plural = most == 1 ? "" : "s";
	if (cube->benchmarks && most == 1 && !cube->repeats)
		return arena_printf(arena, "%zu run%s%s", steps->run_count,
			steps->run_count == 1 ? "" : "s", ranks);
	if (cube->repeats && steps->run_count > 1)
		return arena_printf(arena, "%zu repetitions of one process", steps->run_count);
	if (steps->run_count > 1 && least != most)
		return arena_printf(arena, "%zu runs%s x %zu to %zu steps", steps->run_count, ranks,
			least, most);
	if (steps->run_count > 1)
		return arena_printf(
			arena, "%zu runs%s x %zu step%s", steps->run_count, ranks, most, plural);
	if (from == to)
		return arena_printf(
			arena, "1 run%s x %zu step%s (%lld)", ranks, most, plural, (long long)from);
	return arena_printf(arena, "1 run%s x %zu step%s (%lld..%lld)", ranks, most, plural,
		(long long)from, (long long)to);
}

const char *phrase_visible(struct arena *arena, const char *s)
{
	struct text text;
	const char *result;

	text_init(&text);
	text_add_visible(&text, s);
	result = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return result;
}

const char *phrase_run(struct arena *arena, const char *word, const char *visible)
{
	const size_t n = strlen(word);
	const bool says_it = strncasecmp(visible, word, n) == 0 &&
			     (!visible[n] || strchr("0123456789_-. ", visible[n]));

	/* A name is as it is: a sentence does not begin with "run1". */
	return says_it && (isupper((unsigned char)*visible) || islower((unsigned char)*word))
		       ? visible
		       : arena_printf(arena, "%s %s", word, visible);
}

const char *phrase_cause(struct arena *arena, const char *name)
{
	short_names(&name, 1, SHORT_NAME_WIDTH, arena, &name);
	return name;
}

const char *phrase_device(const char *device)
{
	const char *p = strstr(device, "device:");

	if (p)
		return p + strlen("device:");
	return text_base_name(device);
}

#define DEVICES_NAMED 3

#define DEVICES_MOST 64

/* The devices on which ops ran, each once. */
static size_t list_devices(const struct cube *cube, const char *seen[static DEVICES_MOST])
{
	size_t n = 0;

	for (size_t o = 0; o < cube->op_count; o++) {
		const char *device = cube->op[o].device;
		size_t i = 0;

		if (!*device || cube->op_first[o] == cube->op_first[o + 1])
			continue;
		while (i < n && !text_equal(seen[i], phrase_device(device)))
			i++;
		if (i == n && n < DEVICES_MOST)
			seen[n++] = phrase_device(device);
	}
	return n;
}

size_t describe_device_count(const struct cube *cube)
{
	const char *seen[DEVICES_MOST];

	return list_devices(cube, seen);
}

/* "cpu:0", "cpu:0 and gpu:0", "4 devices": of the ops that ran. */
static const char *describe_devices(struct arena *arena, const struct cube *cube)
{
	const char *seen[DEVICES_MOST];
	const size_t n = list_devices(cube, seen);

	if (!n)
		return NULL;
	if (n > DEVICES_NAMED)
		return arena_printf(arena, "%zu devices", n);
	for (size_t i = 0; i < n; i++)
		seen[i] = phrase_visible(arena, seen[i]);
	return phrase_list(arena, seen, n);
}

#define MODELS_NAMED 2

const char *describe_models(struct arena *arena, const struct cube *cube)
{
	const struct fact_values *models = &cube->facts.of[FACT_DEVICE_MODEL];
	const char *name[MODELS_NAMED];

	if (models->count > MODELS_NAMED)
		return arena_printf(arena, "%zu models of devices", models->count);
	for (size_t i = 0; i < models->count; i++)
		name[i] = models->value[i].text;
	return models->count ? phrase_list(arena, name, models->count) : NULL;
}

#define VALUES_NAMED 4

const char *describe_fact(struct arena *arena, const struct cube *cube, enum fact_id id)
{
	const struct fact_values *values = &cube->facts.of[id];
	const char *word[VALUES_NAMED + 1];
	size_t named = values->count, n = 0;

	if (values->count <= 1)
		return values->count ? phrase_visible(arena, values->value[0].text) : NULL;
	if (named > VALUES_NAMED)
		named = VALUES_NAMED - 1;
	for (; n < named; n++)
		word[n] = arena_printf(arena, "%s (%llu file%s)", values->value[n].text,
			(unsigned long long)values->value[n].files,
			values->value[n].files == 1 ? "" : "s");
	if (named < values->count)
		word[n++] = arena_printf(arena, "%zu others", values->count - named);
	return phrase_list(arena, word, n);
}

const char *describe_inputs(struct arena *arena, const struct summary *summary,
	const struct cube *self, const struct build_options *opt)
{
	const struct kinds *kinds = &summary->steps->kinds;
	const char *devices = describe_devices(arena, self), *line;
	const char *models = describe_models(arena, self);
	struct text label;

	text_init(&label);
	text_add_visible(&label, opt->label);
	line = arena_printf(arena, "%s: %s, %s, %zu %s%s%s%s%s%s%s", text_string(&label),
		self->format_title ? self->format_title : "profile",
		describe_steps(arena, summary->cube, summary->steps), summary->grouping->ops,
		self->benchmarks   ? "benchmark"
		: summary->overlap ? "scope"
				   : "op",
		summary->grouping->ops == 1 ? "" : "s", devices ? " on " : "",
		devices ? devices : "", models ? ", " : "", models ? models : "",
		kinds->count > 1 ? arena_printf(arena, ", %zu kinds of step%s%s", kinds->count,
					   kinds->name ? ": " : "",
					   kinds->name ? kinds_list(kinds, arena) : "")
				 : "");
	text_release(&label);
	return line;
}

const char *phrase_rest(
	struct arena *arena, const struct build_options *opt, size_t hidden, size_t dropped)
{
	const char *noun = phrase_noun(opt, hidden);

	if (!hidden)
		return arena_printf(
			arena, "[%zu op%s not selected]", dropped, dropped == 1 ? "" : "s");
	if (!dropped)
		return arena_printf(arena, "[%zu other %s]", hidden, noun);
	if (opt->with_type)
		return arena_printf(arena, "[%zu other ops]", hidden + dropped);
	return arena_printf(arena, "[%zu other %s, %zu op%s not selected]", hidden, noun, dropped,
		dropped == 1 ? "" : "s");
}

const char *phrase_noun(const struct build_options *opt, size_t count)
{
	return count == 1 ? opt->row_noun : opt->row_nouns;
}

const char *phrase_quantity(struct arena *arena, enum dimension dimension, double value)
{
	const struct unit *unit = unit_choose(dimension, fabs(value));
	char number[NUMBER_TEXT_SIZE];

	number_format_fixed(number, unit ? value / (double)unit->factor : value, 2);
	if (!unit || !*unit->name)
		return arena_strdup(arena, number);
	return arena_printf(arena, "%s %s", number, unit->name);
}

const char *phrase_exact(struct arena *arena, enum dimension dimension, double value)
{
	const struct unit *unit = unit_choose(dimension, fabs(value));
	char number[NUMBER_TEXT_SIZE];

	number_format_real(number, unit ? value / (double)unit->factor : value, 6);
	return arena_printf(
		arena, "%s%s%s", number, unit && *unit->name ? " " : "", unit ? unit->name : "");
}

const char *phrase_interval(
	struct arena *arena, enum dimension dimension, double value, double low, double high)
{
	const struct unit *unit = unit_choose(dimension, fabs(value));
	double factor = unit ? (double)unit->factor : 1;
	char a[NUMBER_TEXT_SIZE], b[NUMBER_TEXT_SIZE];

	return arena_printf(arena, " [%s, %s]", number_format_fixed(a, low / factor, 2),
		number_format_fixed(b, high / factor, 2));
}

const char **report_group_names(
	struct arena *arena, const struct grouping *grouping, const struct build_options *opt)
{
	const char **name = arena_array(arena, grouping->count, sizeof(*name));

	for (size_t g = 0; g < grouping->count; g++)
		name[g] = grouping->group[g].name;
	if (!opt->whole_names)
		short_names(name, grouping->count, SHORT_NAME_WIDTH, arena, name);
	return name;
}

const char *phrase_pair(struct arena *arena, enum dimension dimension, double base, double new)
{
	const struct unit *unit = unit_choose(dimension, fmax(fabs(base), fabs(new)));
	double factor = unit ? (double)unit->factor : 1;
	bool whole = factor == 1 && base == floor(base) && new == floor(new);
	char a[NUMBER_TEXT_SIZE], b[NUMBER_TEXT_SIZE];

	number_format_fixed(a, base / factor, whole ? 0 : 2);
	number_format_fixed(b, new / factor, whole ? 0 : 2);
	return arena_printf(arena, "%s -> %s%s%s", a, b, unit && *unit->name ? " " : "",
		unit ? unit->name : "");
}

const char *phrase_percent(struct arena *arena, double fraction)
{
	char number[NUMBER_TEXT_SIZE];

	number_format_fixed(number, 100 * fraction, fabs(fraction) < 0.1 ? 1 : 0);
	return arena_printf(arena, "%s %%", number);
}

const char *phrase_list(struct arena *arena, const char *const *word, size_t count)
{
	struct text text;
	const char *result;

	text_init(&text);
	for (size_t i = 0; i < count; i++) {
		if (i)
			text_add(&text, i + 1 == count ? " and " : ", ");
		text_add_visible(&text, word[i]);
	}
	result = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return result;
}
