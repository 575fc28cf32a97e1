/* The grammar of tfprof's text: legend lines, numbers with units, rows. Names may hold anything, so
 * a row is found from its right end, by what its columns must look like. */
#include "tfprof/files/tfprof_text.h"

#include <string.h>
#include "base/number.h"
#include "base/text.h"

#define NUMBER_BYTES_MOST 64   /* of a printed number with its unit */
#define CANDIDATES_MOST 256    /* places where the columns of a hostile row may begin */
#define ROW_BYTES_MOST 1048576 /* longer lines are not rows */
#define OP_NAME_WIDTH 25
#define OP_COLUMN_WIDTH 30
#define MEGABYTE_OF_SHEET INT64_C(1024000) /* 1024 KB of 1000 bytes */

struct scale {
	const char *suffix;
	int64_t factor;
	const char *name;
};

/* The longer suffix of two that fit comes first. */
static const struct scale time_scales[] = {
	{"us", INT64_C(1000000), NULL},
	{"ms", INT64_C(1000000000), "0.01 ms"},
	{"sec", INT64_C(1000000000000), "0.01 s"},
};

static const struct scale byte_scales[] = {
	{"B", 1, NULL},
	{"KB", 1000, "0.01 KB"},
	{"MB", 1000000, "0.01 MB"},
};

static const struct scale count_scales[] = {
	{"", 1, NULL},
	{"k", 1000, "0.01 thousand"},
	{"m", 1000000, "0.01 million"},
	{"b", 1000000000, "0.01 billion"},
};

struct legend_item {
	const char *name, *legend;
	const char *unit, *op_unit; /* words after the number, in trees and in the op view */
	enum dimension dimension;
};

static const struct legend_item item_table[ITEM_COUNT] = {
	[ITEM_PARAMS] = {"params", "# parameters", " params", " params", DIMENSION_COUNT},
	[ITEM_FLOAT_OPS] = {"float_ops", "# float_ops", " flops", " float_ops", DIMENSION_COUNT},
	[ITEM_REQUESTED] = {"requested", "requested bytes", "", "", DIMENSION_BYTES},
	[ITEM_PEAK] = {"peak", "peak bytes", "", "", DIMENSION_BYTES},
	[ITEM_RESIDUAL] = {"residual", "residual bytes", "", "", DIMENSION_BYTES},
	[ITEM_OUTPUT] = {"output", "output bytes", "", "", DIMENSION_BYTES},
	[ITEM_MICROS] = {"micros", "total execution time", "", "", DIMENSION_TIME},
	[ITEM_ACCELERATOR] = {"accelerator", "accelerator execution time", "", "", DIMENSION_TIME},
	[ITEM_CPU] = {"cpu", "cpu execution time", "", "", DIMENSION_TIME},
	[ITEM_DEVICE] = {"device", "assigned devices", "", "", DIMENSION_NONE},
	[ITEM_TYPES] = {"type", "op types", "", "", DIMENSION_NONE},
	[ITEM_OCCURRENCE] = {"occurrence", "op count (run|defined)", "", "", DIMENSION_COUNT},
	[ITEM_SHAPES] = {"shapes", "input shapes", "", "", DIMENSION_NONE},
};

static size_t scales_of(enum tfprof_item item, const struct scale **scales)
{
	switch (item_table[item].dimension) {
	case DIMENSION_TIME:
		*scales = time_scales;
		return sizeof(time_scales) / sizeof(*time_scales);
	case DIMENSION_BYTES:
		*scales = byte_scales;
		return sizeof(byte_scales) / sizeof(*byte_scales);
	default:
		*scales = count_scales;
		return sizeof(count_scales) / sizeof(*count_scales);
	}
}

const char *tfprof_item_name(enum tfprof_item item)
{
	return item_table[item].name;
}

const char *tfprof_scale_name(enum tfprof_item item, unsigned char scale)
{
	const struct scale *scales;

	scales_of(item, &scales);
	return scales[scale].name;
}

double tfprof_scale_error(enum tfprof_item item, unsigned char scale)
{
	const struct scale *scales;

	scales_of(item, &scales);
	return scale ? (double)scales[scale].factor / 200 : 0;
}

/* ---- pieces of a line ---- */

/* Bytes that are looked at from both ends. */
struct text_piece {
	const char *at, *end;
};

static size_t piece_size(const struct text_piece *p)
{
	return (size_t)(p->end - p->at);
}

static bool piece_is(const struct text_piece *p, const char *what)
{
	return text_is(p->at, piece_size(p), what);
}

static bool cut_prefix(struct text_piece *p, const char *what)
{
	size_t n = strlen(what);

	if (piece_size(p) < n || memcmp(p->at, what, n) != 0)
		return false;
	p->at += n;
	return true;
}

static bool cut_suffix(struct text_piece *p, const char *what)
{
	size_t n = strlen(what);

	if (piece_size(p) < n || memcmp(p->end - n, what, n) != 0)
		return false;
	p->end -= n;
	return true;
}

static void skip_blanks(struct text_piece *p)
{
	while (p->at < p->end && *p->at == ' ')
		p->at++;
}

static void drop_blanks(struct text_piece *p)
{
	while (p->at < p->end && p->end[-1] == ' ')
		p->end--;
}

/* Takes what is before the first `what` within `most` bytes; the piece begins after it then. */
static bool parse_until(struct text_piece *p, const char *what, size_t most, struct text_piece *out)
{
	size_t n = strlen(what), size = piece_size(p);

	if (size > most)
		size = most;
	for (size_t i = 0; i + n <= size; i++)
		if (memcmp(p->at + i, what, n) == 0) {
			*out = (struct text_piece){p->at, p->at + i};
			p->at += i + n;
			return true;
		}
	return false;
}

/* ---- numbers ---- */

/* "12" without a scale, "12.34" with one: tfprof prints two decimals or none. */
static bool is_printed(const struct text_piece *p, bool scaled)
{
	size_t size = piece_size(p), digits;

	if (size > NUMBER_BYTES_MOST)
		return false;
	const char *at = p->at;

	if (!scaled && at < p->end && *at == '-') { /* negative numbers are never scaled */
		at++;
		size--;
	}
	digits = scaled ? (size < 3 ? 0 : size - 3) : size;
	for (size_t i = 0; i < digits; i++)
		if (!text_is_digit(at[i]))
			return false;
	if (digits == 0 || !scaled)
		return digits > 0;
	return at[digits] == '.' && text_is_digit(at[digits + 1]) && text_is_digit(at[digits + 2]);
}

static bool parse_number(
	enum tfprof_item item, struct text_piece p, int64_t kilobyte, struct tfprof_number *out)
{
	const struct scale *scales;
	size_t count = scales_of(item, &scales);
	bool inexact = false;

	*out = (struct tfprof_number){.known = false};
	if (piece_is(&p, "--"))
		return true;
	for (size_t i = count; i-- > 0;) {
		struct text_piece digits = p;
		int64_t factor = scales[i].factor;

		if (!cut_suffix(&digits, scales[i].suffix) || !is_printed(&digits, i > 0))
			continue;
		if (kilobyte == 1024 && scales == byte_scales && i == 2)
			factor = MEGABYTE_OF_SHEET;
		out->known = true;
		out->scale = (unsigned char)i;
		out->in_range = number_parse_scaled(
			digits.at, piece_size(&digits), factor, &out->value, &inexact);
		return true;
	}
	return false;
}

/* "SELF/TOTAL UNIT". */
static bool parse_pair(enum tfprof_item item, const char *unit, struct text_piece p,
	int64_t kilobyte, struct tfprof_number *self, struct tfprof_number *total)
{
	struct text_piece first;

	return cut_suffix(&p, unit) && parse_until(&p, "/", NUMBER_BYTES_MOST, &first) &&
	       parse_number(item, first, kilobyte, self) &&
	       parse_number(item, p, kilobyte, total) && total->known;
}

/* "SELF/TOTAL|SELF/TOTAL": runs and definitions. */
static bool parse_occurrence(struct text_piece p, struct tfprof_row *row)
{
	struct text_piece runs;

	return parse_until(&p, "|", 2 * NUMBER_BYTES_MOST, &runs) &&
	       parse_pair(ITEM_OCCURRENCE, "", runs, 0, &row->runs, &row->total_runs) &&
	       parse_pair(ITEM_OCCURRENCE, "", p, 0, &row->defined, &row->total_defined);
}

/* "3x3x-1x6" */
static bool is_shape(const struct text_piece *p)
{
	const char *at = p->at;

	while (at < p->end) {
		at += *at == '-';
		if (at == p->end || !text_is_digit(*at))
			return false;
		while (at < p->end && text_is_digit(*at))
			at++;
		if (at == p->end)
			return true;
		if (*at++ != 'x')
			return false;
	}
	return false;
}

/* ---- the legend ---- */

static int item_of_legend(const struct text_piece *word)
{
	if (piece_is(word, "op occurrence (run|defined)")) /* in the op view */
		return ITEM_OCCURRENCE;
	for (int i = 0; i < ITEM_COUNT; i++)
		if (piece_is(word, item_table[i].legend))
			return i;
	return -1;
}

/* Adds a column; false when it is there already or comes after one that it must precede. */
static bool legend_add(struct tfprof_legend *legend, int item)
{
	bool text = legend->device || legend->types || legend->occurrence || legend->shapes;
	bool *flag;

	if (item < 0)
		return false;
	if (item < ITEM_NUMBERS) {
		for (size_t i = 0; i < legend->number_count; i++)
			if (legend->number[i] == (enum tfprof_item)item)
				return false;
		if (text)
			return false;
		legend->number[legend->number_count++] = (enum tfprof_item)item;
		return true;
	}
	flag = item == ITEM_DEVICE	 ? &legend->device
	       : item == ITEM_TYPES	 ? &legend->types
	       : item == ITEM_OCCURRENCE ? &legend->occurrence
					 : &legend->shapes;
	if (*flag || legend->shapes || (legend->occurrence && item < ITEM_OCCURRENCE) ||
		(legend->types && item < ITEM_TYPES))
		return false;
	*flag = true;
	return true;
}

bool tfprof_legend_parse(const char *line, size_t size, struct tfprof_legend *out, const char **bad)
{
	struct text_piece p = {line, line + size}, word;

	if (!cut_prefix(&p, "node name |"))
		return false;
	*out = (struct tfprof_legend){.given = true};
	*bad = NULL;
	skip_blanks(&p);
	drop_blanks(&p);
	while (p.at < p.end) {
		const char *start = p.at;

		if (!parse_until(&p, " | ", piece_size(&p), &word)) {
			word = p;
			p.at = p.end;
		}
		if (legend_add(out, item_of_legend(&word)))
			continue;
		*bad = start;
		return true;
	}
	return true;
}

/* Column of an item of an old version, by the item's unit; -1: text. */
static int item_of_unit(struct text_piece item)
{
	static const enum tfprof_item old[] = {
		ITEM_PARAMS, ITEM_FLOAT_OPS, ITEM_OUTPUT, ITEM_MICROS};
	struct tfprof_number self, total;

	for (size_t i = 0; i < sizeof(old) / sizeof(*old); i++)
		if (parse_pair(old[i], item_table[old[i]].unit, item, 0, &self, &total))
			return (int)old[i];
	return -1;
}

bool tfprof_legend_guess(const char *line, size_t size, struct tfprof_legend *out)
{
	struct text_piece p = {line, line + size}, item;
	bool more = true;

	*out = (struct tfprof_legend){.given = false};
	if (!cut_prefix(&p, "_TFProfRoot (") || !cut_suffix(&p, ")"))
		return false;
	while (more) {
		more = parse_until(&p, ", ", 3 * NUMBER_BYTES_MOST, &item);
		int id = item_of_unit(more ? item : p);

		if (id < 0)
			break;
		if (!legend_add(out, id))
			return false;
	}
	return true;
}

/* ---- rows of trees ---- */

/* Columns of a row that are not parsed yet: none, or a piece that may be empty. */
struct rest {
	bool any;
	struct text_piece text;
};

static bool rest_parse(struct rest *rest, size_t most, struct text_piece *out)
{
	if (!rest->any)
		return false;
	if (parse_until(&rest->text, ", ", most, out))
		return true;
	*out = rest->text;
	rest->any = false;
	return true;
}

static bool rest_parse_last(struct rest *rest, struct text_piece *out)
{
	const char *p;

	if (!rest->any)
		return false;
	*out = rest->text;
	for (p = rest->text.end; p - rest->text.at >= 2; p--)
		if (p[-2] == ',' && p[-1] == ' ') {
			out->at = p;
			rest->text.end = p - 2;
			return true;
		}
	rest->any = false;
	return true;
}

static bool parse_numbers(const struct tfprof_legend *legend, struct rest *rest, int64_t kilobyte,
	struct tfprof_row *row)
{
	for (size_t i = 0; i < legend->number_count; i++) {
		enum tfprof_item id = legend->number[i];
		struct text_piece item;

		if (!rest_parse(rest, 3 * NUMBER_BYTES_MOST, &item))
			return false;
		if (id == ITEM_PARAMS && is_shape(&item) &&
			!rest_parse(rest, 3 * NUMBER_BYTES_MOST, &item))
			return false;
		if (!parse_pair(id, item_table[id].unit, item, kilobyte, &row->self[id],
			    &row->total[id]))
			return false;
	}
	return true;
}

static void set_device(struct tfprof_row *row, const struct text_piece *p)
{
	if (!piece_size(p))
		return;
	row->device = p->at;
	row->device_size = piece_size(p);
}

static void set_types(struct tfprof_row *row, const struct text_piece *p)
{
	row->types = p->at;
	row->types_size = piece_size(p);
}

/* The device is left out where there is none; types may hold anything, commas too. */
static bool parse_words(
	const struct tfprof_legend *legend, struct rest *rest, struct tfprof_row *row)
{
	struct text_piece first;
	struct rest after = *rest;

	if (!legend->given)
		return true;
	if (legend->types && legend->device &&
		rest_parse(&after, piece_size(&rest->text), &first) && after.any &&
		piece_size(&first) && *first.at == '/') {
		set_device(row, &first);
		*rest = after;
	}
	if (legend->types) {
		if (rest->any)
			set_types(row, &rest->text);
		return rest->any;
	}
	if (legend->device && rest->any)
		set_device(row, &rest->text);
	return legend->device || !rest->any;
}

static bool parse_columns(const struct tfprof_legend *legend, struct text_piece text,
	int64_t kilobyte, struct tfprof_row *row)
{
	struct rest rest = {.any = true, .text = text};
	struct text_piece item;

	if (!legend->number_count && !legend->device && !legend->types && !legend->occurrence &&
		!legend->shapes)
		return piece_size(&text) == 0;
	if (!parse_numbers(legend, &rest, kilobyte, row))
		return false;
	if (legend->shapes && !rest_parse_last(&rest, &item))
		return false;
	if (legend->occurrence && (!rest_parse_last(&rest, &item) || !parse_occurrence(item, row)))
		return false;
	return parse_words(legend, &rest, row);
}

bool tfprof_tree_row(const struct tfprof_legend *legend, const char *line, size_t size,
	int64_t kilobyte, struct tfprof_row *out)
{
	struct text_piece p = {line, line + size};
	size_t candidates = 0;

	if (size > ROW_BYTES_MOST || !cut_suffix(&p, ")"))
		return false;
	skip_blanks(&p);
	if (p.at < p.end && *p.at == '(' && (p.at - line) % 2 == 1)
		p.at--; /* a name of no bytes */
	for (const char *at = p.end; at - p.at >= 2 && candidates < CANDIDATES_MOST; at--) {
		if (at[-2] != ' ' || at[-1] != '(')
			continue;
		candidates++;
		*out = (struct tfprof_row){
			.name = p.at,
			.name_size = (size_t)(at - 2 - p.at),
			.depth = (size_t)(p.at - line) / 2,
		};
		if (parse_columns(legend, (struct text_piece){at, p.end}, kilobyte, out))
			return true;
	}
	return false;
}

/* ---- rows of the op view ---- */

/* All columns with numbers, from here on; the piece is what follows. */
static bool parse_op_columns(const struct tfprof_legend *legend, struct text_piece *p, bool touches,
	int64_t kilobyte, struct tfprof_row *row)
{
	for (size_t i = 0; i < legend->number_count; i++) {
		enum tfprof_item id = legend->number[i];

		if (i > 0) {
			if (!cut_prefix(p, ", "))
				return false;
			skip_blanks(p);
		}
		const char *start = p->at;

		/* "VALUE UNIT (12.34%, 5.67%)" at the start of the piece. */
		struct text_piece value, percent;

		if (!parse_until(p, " (", NUMBER_BYTES_MOST, &value) ||
			!parse_until(p, "%, ", NUMBER_BYTES_MOST, &percent) ||
			!parse_until(p, "%)", NUMBER_BYTES_MOST, &percent))
			return false;
		if (!cut_suffix(&value, item_table[id].op_unit) ||
			!parse_number(id, value, kilobyte, &row->self[id]) || !row->self[id].known)
			return false;
		if (i == 0 && touches) {
			/* A first column that touches the name fills its width: else blanks would
			 * be there. Its first digit must not be one that could belong to the
			 * name. */
			const struct text_piece *column = &(struct text_piece){start, p->at};
			bool more = text_is_digit(*column->at) && text_is_digit(column->at[1]);

			if (piece_size(column) != OP_COLUMN_WIDTH &&
				(piece_size(column) <= OP_COLUMN_WIDTH || more))
				return false;
		}
	}
	return true;
}

/* The text columns after the numbers. */
static bool parse_op_words(
	const struct tfprof_legend *legend, struct rest *rest, struct tfprof_row *row)
{
	struct text_piece item;

	if (legend->device) {
		if (legend->types ? !rest_parse(rest, piece_size(&rest->text), &item) : !rest->any)
			return false;
		if (!legend->types)
			item = rest->text;
		set_device(row, &item);
	}
	if (legend->types && rest->any)
		set_types(row, &rest->text);
	return rest->any == (legend->device || legend->types);
}

/* "RUNS|NODES" at the end, right-aligned. */
static bool parse_op_occurrence(struct rest *rest, bool alone, struct tfprof_row *row)
{
	struct text_piece item = rest->text, runs;

	if (alone) { /* after the name */
		while (item.at < item.end && memchr(item.at, ' ', piece_size(&item)))
			item.at = (const char *)memchr(item.at, ' ', piece_size(&item)) + 1;
		rest->text.end = item.at;
	} else if (!rest_parse_last(rest, &item)) {
		return false;
	}
	skip_blanks(&item);
	return parse_until(&item, "|", NUMBER_BYTES_MOST, &runs) &&
	       parse_number(ITEM_OCCURRENCE, runs, 0, &row->runs) &&
	       parse_number(ITEM_OCCURRENCE, item, 0, &row->defined) && row->runs.known &&
	       row->defined.known;
}

static bool set_op_name(struct tfprof_row *row, struct text_piece name)
{
	drop_blanks(&name);
	row->name = name.at;
	row->name_size = piece_size(&name);
	row->total_runs.known = row->total_defined.known = false;
	return row->name_size > 0;
}

/* Rows without numbers but for the occurrence: the name ends at the first blank. */
static bool op_row_of_words(
	const struct tfprof_legend *legend, struct rest rest, struct tfprof_row *out)
{
	bool words = legend->device || legend->types;
	struct text_piece name = rest.text;

	if (!legend->occurrence || !parse_op_occurrence(&rest, !words, out))
		return false;
	if (!words)
		return set_op_name(out, rest.text);
	name.end = memchr(name.at, ' ', piece_size(&rest.text));
	if (!name.end)
		return false;
	rest.text.at = name.end;
	skip_blanks(&rest.text);
	return parse_op_words(legend, &rest, out) && set_op_name(out, name);
}

bool tfprof_op_row(const struct tfprof_legend *legend, const char *line, size_t size,
	int64_t kilobyte, struct tfprof_row *out)
{
	struct rest rest = {.any = true, .text = {line, line + size}};
	size_t candidates = 0;

	*out = (struct tfprof_row){.name = line};
	if (size > ROW_BYTES_MOST || size == 0 || *line == ' ')
		return false;
	if (!legend->number_count)
		return op_row_of_words(legend, rest, out);
	if (legend->occurrence && !parse_op_occurrence(&rest, false, out))
		return false;
	for (const char *at = line + 1; at < rest.text.end && candidates < CANDIDATES_MOST; at++) {
		bool touches = at[-1] != ' ';
		struct rest after = {.any = true, .text = {at, rest.text.end}};

		if (!text_is_digit(*at) && *at != '-')
			continue;
		if (touches && (at - line < OP_NAME_WIDTH || text_is_digit(at[-1]) ||
				       at[-1] == '.' || at[-1] == '-'))
			continue;
		candidates++;
		if (!parse_op_columns(legend, &after.text, touches, kilobyte, out))
			continue;
		after.any = cut_prefix(&after.text, ", ");
		if ((after.any || after.text.at == after.text.end) &&
			parse_op_words(legend, &after, out))
			return set_op_name(out, (struct text_piece){line, at});
	}
	return false;
}
