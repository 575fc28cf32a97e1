/* The names that tables of observations use, and the roles of their columns. */
#include "ingest/table/csv_columns.h"

#include <string.h>
#include "base/text.h"
#include "base/unit.h"
#include "model/own/measure_own.h"

#define NAME_MOST 64 /* longer names are none of ours */
#define TOTAL "_total"

struct alias {
	const char *name;
	int meaning;
};

/* Our own name comes first: where a table has two columns of one meaning, it wins. */
static const struct alias role_names[] = {
	{"run", COLUMN_RUN},
	{"step", COLUMN_STEP},
	{"index", COLUMN_INDEX},
	{"kind", COLUMN_KIND},
	{"op", COLUMN_OP},
	{"rank", COLUMN_RANK},
	{"group", COLUMN_GROUP},
	{"measure", COLUMN_MEASURE},
	{"value", COLUMN_VALUE},
	{"unit", COLUMN_UNIT},
	{"run_id", COLUMN_RUN},
	{"trial", COLUMN_RUN},
	{"rank_id", COLUMN_RANK},
	{"rank_group", COLUMN_GROUP},
	{"step_number", COLUMN_STEP},
	{"step_id", COLUMN_STEP},
	{"iteration", COLUMN_STEP},
	{"iter", COLUMN_STEP},
	{"benchmark", COLUMN_OP},
	{"op_name", COLUMN_OP},
	{"name", COLUMN_OP},
	{"operation", COLUMN_OP},
	{"kernel", COLUMN_OP},
	{"layer", COLUMN_OP},
	{"node", COLUMN_OP},
	{"metric", COLUMN_MEASURE},
	{"units", COLUMN_UNIT},
};

static const struct alias fact_names[] = {
	{"type", QUANTITY_TYPE},
	{"device", QUANTITY_DEVICE},
	{"shape", QUANTITY_SHAPE},
	{"wall", QUANTITY_WALL},
	{"busy", QUANTITY_BUSY},
	{"float_ops_each", QUANTITY_FLOAT_OPS_EACH},
	{"source", QUANTITY_SOURCE},
	{"issue", QUANTITY_ISSUE},
	{"fact", QUANTITY_FACT},
	{"printed", QUANTITY_PRINTED},
	{"collective_calls", QUANTITY_CALLS},
	{"op_type", QUANTITY_TYPE},
	{"device_name", QUANTITY_DEVICE},
	{"output_shape", QUANTITY_SHAPE},
	{"output_shapes", QUANTITY_SHAPE},
	{"start", QUANTITY_START},
	{"start_time", QUANTITY_START},
	{"started_at", QUANTITY_START},
	{"date", QUANTITY_START},
	{"datetime", QUANTITY_START},
	{"timestamp", QUANTITY_START},
};

static const struct alias measure_names[] = {
	{"duration", MEASURE_TIME},
	{"dur", MEASURE_TIME},
	{"elapsed", MEASURE_TIME},
	{"cpu_time", MEASURE_CPU},
	{"accelerator_time", MEASURE_ACCELERATOR},
	{"gpu_time", MEASURE_ACCELERATOR},
	{"cuda_time", MEASURE_ACCELERATOR},
	{"calls", MEASURE_OCCURRENCE},
	{"count", MEASURE_OCCURRENCE},
	{"executions", MEASURE_OCCURRENCE},
	{"flops", MEASURE_FLOAT_OPS},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static int find_alias(const struct alias *table, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(table[i].name, name))
			return table[i].meaning;
	return -1;
}

/* Lower case, with `_` for blanks and dashes; false when it is longer than any of our names. */
static bool plain_name(const char *name, char *out)
{
	size_t n = strlen(name);

	if (n == 0 || n >= NAME_MOST)
		return false;
	for (size_t i = 0; i <= n; i++) {
		char c = name[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		out[i] = c == ' ' || c == '-' ? '_' : c;
	}
	return true;
}

static bool find_measure(const char *name, struct csv_quantity *out)
{
	int alias = find_alias(measure_names, COUNT(measure_names), name);

	const struct measure *known = alias < 0 ? measure_lookup(name) : NULL;

	if (known && known->kind != MEASURE_OF_CALLS)
		alias = (int)known->id;
	if (alias < 0)
		return false;
	out->measure = (enum measure_id)alias;
	out->kind = out->measure == MEASURE_PARAMS    ? QUANTITY_PARAMS
		    : out->measure == MEASURE_DEFINED ? QUANTITY_DEFINED
						      : QUANTITY_MEASURE;
	out->dimension = measure_at(out->measure)->dimension;
	return true;
}

static bool find_of_run(const char *name, struct csv_quantity *out)
{
	const enum fact_id fact = fact_called(name);

	if (fact == FACT_COUNT || fact == FACT_RANK) /* a rank has a role */
		return false;
	out->kind = QUANTITY_OF_RUN;
	out->fact = fact;
	out->dimension = DIMENSION_NONE;
	return true;
}

static bool find_fact(const char *name, struct csv_quantity *out)
{
	int fact = find_alias(fact_names, COUNT(fact_names), name);

	if (step_series_kind_of(name, &out->series) && out->series < SERIES_DEVICE_FIRST) {
		out->kind = QUANTITY_SERIES;
		out->dimension = DIMENSION_TIME;
		return true;
	}
	if (fact < 0)
		return find_of_run(name, out);
	out->kind = (enum quantity_kind)fact;
	out->dimension = fact == QUANTITY_WALL || fact == QUANTITY_BUSY || fact == QUANTITY_START
				 ? DIMENSION_TIME
			 : fact == QUANTITY_FLOAT_OPS_EACH ? DIMENSION_COUNT
							   : DIMENSION_NONE;
	return true;
}

/* A name without a unit, in lower case. */
static bool find_plain(char *name, struct csv_quantity *out)
{
	size_t n = strlen(name);

	*out = (struct csv_quantity){.kind = QUANTITY_UNKNOWN};
	if (find_measure(name, out) || find_fact(name, out))
		return true;
	if (n <= strlen(TOTAL) || strcmp(name + n - strlen(TOTAL), TOTAL) != 0)
		return false;
	name[n - strlen(TOTAL)] = '\0';
	out->total =
		(find_measure(name, out) || find_fact(name, out)) && out->kind <= QUANTITY_DEVICE;
	if (!out->total)
		*out = (struct csv_quantity){.kind = QUANTITY_UNKNOWN};
	return out->total;
}

/* Cuts "time_us", "time [us]", "time (us)" and "time/us"; the unit keeps its case. */
static const struct unit *cut_unit(const char *name, char *plain)
{
	size_t n = strlen(name), at = n;
	char word[NAME_MOST];
	const char *end = name + n;

	while (at > 0 && !strchr("_[(/ ", name[at - 1]))
		at--;
	if (at == 0)
		return NULL;
	if ((name[at - 1] == '[' && end[-1] == ']') || (name[at - 1] == '(' && end[-1] == ')'))
		end--;
	if (end <= name + at)
		return NULL;
	memcpy(word, name + at, (size_t)(end - (name + at)));
	word[end - (name + at)] = '\0';
	while (at > 0 && strchr("_[(/ ", name[at - 1]))
		at--;
	plain[at] = '\0';
	return at ? unit_lookup_key(word) : NULL;
}

/* True if a device of so many bytes has a cause: "gpu:0 in NAME". */
static bool has_cause(const char *device, size_t size)
{
	const char *in = size ? strstr(device + 1, STEP_SERIES_IN) : NULL;

	return in && (size_t)(in - device) + strlen(STEP_SERIES_IN) < size;
}

/* "gpu:0_idle", "gpu:0_idle_us": a device, of any length and case, and what it did; "gpu:0 in
 * NAME_host_late_outermost". */
static bool find_device_series(const char *name, struct csv_quantity *out)
{
	const char *last = strrchr(name, '_');
	const struct unit *unit = last ? unit_lookup_key(last + 1) : NULL;
	const size_t n = unit ? (size_t)(last - name) : strlen(name);

	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_KINDS; kind++) {
		const char *word = step_series_name(kind);
		const size_t size = strlen(word);

		if (n <= size + 1 || name[n - size - 1] != '_' ||
			memcmp(name + n - size, word, size) != 0 ||
			(kind >= SERIES_PARTS_END && !has_cause(name, n - size - 1)))
			continue;
		*out = (struct csv_quantity){.kind = QUANTITY_SERIES,
			.dimension = DIMENSION_TIME,
			.unit = unit,
			.series = kind,
			.device_size = n - size - 1};
		return true;
	}
	return false;
}

struct csv_quantity quantity_find(const char *name)
{
	struct csv_quantity out = {.kind = QUANTITY_UNKNOWN};
	char plain[NAME_MOST];
	const struct unit *unit;

	if (find_device_series(name, &out) || !plain_name(name, plain) || find_plain(plain, &out))
		return out;
	plain_name(name, plain);
	unit = cut_unit(name, plain);
	if (unit && find_plain(plain, &out))
		out.unit = unit;
	return out;
}

bool quantity_is_of_file(const struct csv_quantity *quantity)
{
	return quantity->kind >= QUANTITY_SOURCE;
}

bool quantity_is_of_op(const struct csv_quantity *quantity)
{
	return quantity->kind >= QUANTITY_TYPE && quantity->kind <= QUANTITY_SHAPE;
}

bool quantity_is_of_run(const struct csv_quantity *quantity)
{
	return quantity->kind == QUANTITY_START || quantity->kind == QUANTITY_OF_RUN;
}

bool quantity_is_text(const struct csv_quantity *quantity)
{
	return quantity_is_of_op(quantity) || quantity_is_of_file(quantity) ||
	       quantity_is_of_run(quantity) || quantity->kind == QUANTITY_CALLS;
}

int quantity_bad_unit(struct cell_rows *rows, size_t field, const char *name,
	const struct csv_quantity *quantity, const struct unit *unit, struct error *err)
{
	struct error why = {0};
	struct text text;

	text_init(&text);
	text_add_visible(&text, name);
	if (!unit) {
		unit_find(name, &why);
		cell_rows_error(rows, field, err, "unknown unit \"%s\"", text_string(&text));
		error_hint(err, "%s", why.hint);
	} else if (unit->dimension != quantity->dimension) {
		cell_rows_error(rows, field, err,
			"\"%s\" is a unit of %s, but this measure is a %s", text_string(&text),
			dimension_name(unit->dimension), dimension_name(quantity->dimension));
	} else {
		cell_rows_error(rows, field, err, "the unit \"%s\", but the measure says \"%s\"",
			text_string(&text), quantity->unit->key);
	}
	text_release(&text);
	return -1;
}

/* The name without its unit, if that is one. */
static void bare_name(const char *name, char *plain)
{
	char cut[NAME_MOST];

	if (!plain_name(name, plain)) {
		plain[0] = '\0';
		return;
	}
	memcpy(cut, plain, sizeof(cut));
	if (cut_unit(name, cut))
		memcpy(plain, cut, sizeof(cut));
}

static const struct measure *nearest_measure(const char *name)
{
	char plain[NAME_MOST];

	bare_name(name, plain);
	return measure_nearest(plain);
}

bool quantity_is_slip(const char *name)
{
	return nearest_measure(name) != NULL && !measure_own_declared(name);
}

/* Values in base units, as our own containers of integers have them. */
static const struct unit base_unit = {"", "", DIMENSION_NONE, 1, NULL};

static int own_quantity(
	const struct own_measure *own, bool base, struct csv_quantity *out, struct error *err)
{
	*out = (struct csv_quantity){.kind = QUANTITY_MEASURE};
	if (measure_own(own, &out->measure, err) < 0)
		return -1;
	out->dimension = measure_at(out->measure)->dimension;
	out->unit = own->unit && *own->unit ? unit_own_lookup(own->unit) : NULL;
	if (!out->unit)
		out->unit = measure_unit(measure_at(out->measure));
	if (base)
		out->unit = &base_unit;
	return 1;
}

/* A measure that the table brings along, in a column of the wide form: 1 where its name says so,
 * 0 where it is a remark or a slip. */
static int quantity_own_column(const char *name, struct csv_quantity *out, struct error *err)
{
	char bare[MEASURE_OWN_SIZE], unit[MEASURE_OWN_SIZE];
	struct own_measure own = {bare, unit, DIRECTION_UNKNOWN};
	bool base = false;

	if (quantity_is_slip(name) || !own_measure_of_column(name, bare, unit))
		return 0;
	if (!measure_split_unit(unit, &own, &base))
		return error_set(err, ERROR_INPUT, NULL,
			"\"%s\": expected higher or lower behind the colon", name);
	return own_quantity(&own, base, out, err);
}

int quantity_own(const char *name, const char *unit, struct arena *arena, struct csv_quantity *out,
	struct error *err)
{
	struct own_measure own = {name, unit, DIRECTION_UNKNOWN};
	bool base = false;
	int found;

	if (!unit) {
		found = quantity_own_column(name, out, err);
		return found ? found : own_quantity(&own, false, out, err);
	}
	if (!measure_split_unit(arena_strdup(arena, unit), &own, &base))
		return error_set(err, ERROR_INPUT, NULL,
			"the unit \"%s\": expected higher or lower behind the colon", unit);
	return own_quantity(&own, base, out, err);
}

const char *quantity_name_of_unit(const char *word)
{
	const struct unit *unit = *word ? unit_own(word) : NULL;

	return !unit || !*unit->key		    ? "value"
	       : unit->dimension == DIMENSION_TIME  ? "time"
	       : unit->dimension == DIMENSION_BYTES ? "memory"
						    : unit->key;
}

int quantity_unknown(struct cell_rows *rows, size_t field, const char *name, struct error *err)
{
	const struct measure *nearest = nearest_measure(name);
	struct text text;

	text_init(&text);
	text_add_visible(&text, name);
	if (nearest)
		cell_rows_error(rows, field, err, "unknown measure \"%s\" (did you mean \"%s\"?)",
			text_string(&text), nearest->name);
	else
		cell_rows_error(rows, field, err, "unknown measure \"%s\"", text_string(&text));
	text_clear(&text);
	measure_list(MEASURE_TABLE_COUNT, &text);
	error_hint(err,
		"rename it to the measure that it holds: %s; or say with --measure=NAME:UNIT that "
		"it is one of its own (doc/observations.md)",
		text_string(&text));
	text_release(&text);
	return -1;
}

/* ---- the header ---- */

static int role_of(const char *name)
{
	char plain[NAME_MOST];

	return plain_name(name, plain) ? find_alias(role_names, COUNT(role_names), plain) : -1;
}

static bool is_own_name(const char *name, int role)
{
	char plain[NAME_MOST];

	return plain_name(name, plain) && text_equal(plain, role_names[role - COLUMN_RUN].name);
}

static int twice(struct cell_rows *rows, size_t i, const char *name, struct error *err)
{
	struct text text;

	text_init(&text);
	text_add_visible(&text, name);
	cell_rows_error(rows, i, err, "a second column \"%s\"", text_string(&text));
	text_release(&text);
	return -1;
}

/* The column of each role; an alias gives way to our own name. */
static int find_roles(struct cell_rows *rows, const struct cell_row *header,
	struct csv_columns *out, struct error *err)
{
	for (size_t i = 0; i < header->count; i++) {
		const char *name = header->field[i].text;
		int role = role_of(name);
		size_t *at;

		if (role < 0)
			continue;
		at = &out->at[role];
		if (*at != NO_COLUMN && is_own_name(name, role) &&
			is_own_name(header->field[*at].text, role))
			return twice(rows, i, name, err);
		if (*at == NO_COLUMN ||
			(is_own_name(name, role) && !is_own_name(header->field[*at].text, role)))
			*at = i;
	}
	/* Tables of others number their rows, or name kinds of ops. */
	if (out->at[COLUMN_INDEX] == 0 || out->at[COLUMN_INDEX] + 1 != out->at[COLUMN_STEP])
		out->at[COLUMN_INDEX] = NO_COLUMN;
	if (out->at[COLUMN_KIND] != out->at[COLUMN_STEP] + 1)
		out->at[COLUMN_KIND] = NO_COLUMN;
	if (out->at[COLUMN_RANK] == NO_COLUMN) /* then it is a group of something else */
		out->at[COLUMN_GROUP] = NO_COLUMN;
	return 0;
}

/* A column that is not ours: a slip or a measure that we do not know is refused, a remark is
 * told. */
static int other_column(struct cell_rows *rows, size_t i, const char *name, struct csv_columns *out,
	struct error *err)
{
	char plain[NAME_MOST];

	if (!out->is_long && plain_name(name, plain) &&
		(cut_unit(name, plain) || nearest_measure(name)))
		return quantity_unknown(rows, i, name, err);
	if (!out->ignored_count++)
		out->ignored = name;
	return 0;
}

static bool same_quantity(const struct csv_quantity *a, const struct csv_quantity *b)
{
	if (a->kind == QUANTITY_SERIES && (a->device_size || b->device_size))
		return false; /* a name is not kept; the values are compared */
	return a->kind == b->kind && a->total == b->total && a->series == b->series &&
	       a->fact == b->fact && (a->kind != QUANTITY_MEASURE || a->measure == b->measure);
}

static int find_quantities(struct cell_rows *rows, const struct cell_row *header,
	struct arena *arena, struct csv_columns *out, struct error *err)
{
	for (size_t i = 0; i < header->count; i++) {
		const char *name = header->field[i].text;
		struct csv_quantity q = quantity_find(name);
		int role = role_of(name);
		bool of_long = role >= COLUMN_MEASURE;

		if (role >= 0 && out->at[role] == i && (!of_long || out->is_long)) {
			out->role[i] = (enum column_role)role;
			continue;
		}
		if (!header->field[i].given)
			continue;
		if (out->is_long ? !quantity_is_of_op(&q) && !quantity_is_of_run(&q)
				 : q.device_size && !q.unit)
			q.kind = QUANTITY_UNKNOWN;
		if (q.kind == QUANTITY_UNKNOWN && !out->is_long &&
			(rows->all_measures && role < 0 && !quantity_is_slip(name)
					? quantity_own(name, NULL, arena, &q, err)
					: quantity_own_column(name, &q, err)) < 0)
			return cell_rows_at(rows, i, err);
		if (q.kind == QUANTITY_UNKNOWN) {
			if (other_column(rows, i, name, out, err) < 0)
				return -1;
			continue;
		}
		for (size_t k = 0; k < i; k++)
			if (out->role[k] == COLUMN_QUANTITY &&
				same_quantity(&q, &out->quantity[k])) {
				if (!quantity_is_of_run(&q))
					return twice(rows, i, name, err);
				q.kind = QUANTITY_UNKNOWN;
			}
		if (!q.unit && q.kind != QUANTITY_START &&
			(q.dimension == DIMENSION_TIME || q.dimension == DIMENSION_BYTES)) {
			const char *example = q.dimension == DIMENSION_TIME ? "us" : "bytes";

			cell_rows_error(rows, i, err, "the column \"%s\" has no unit", name);
			return error_hint(
				err, "the unit is part of its name: \"%s_%s\"", name, example);
		}
		if (q.unit && q.unit->dimension != q.dimension && !measure_is_own(q.measure)) {
			cell_rows_error(rows, i, err, "the column \"%s\" is a %s with a unit of %s",
				name, dimension_name(q.dimension),
				dimension_name(q.unit->dimension));
			return -1;
		}
		out->role[i] = COLUMN_QUANTITY;
		out->quantity[i] = q;
		out->has_texts |= quantity_is_of_op(&q) || quantity_is_of_run(&q);
	}
	return 0;
}

static bool any_measure(const struct csv_columns *columns)
{
	for (size_t i = 0; i < columns->count; i++)
		if (columns->role[i] == COLUMN_QUANTITY &&
			columns->quantity[i].kind == QUANTITY_MEASURE)
			return true;
	return false;
}

static bool is_benchmark(const char *name)
{
	char plain[NAME_MOST];

	return plain_name(name, plain) && text_equal(plain, "benchmark");
}

static int lacking(struct cell_rows *rows, const char *what, struct error *err)
{
	cell_rows_error(rows, 0, err, "no column for the %s in the header", what);
	return error_hint(err, "observations need columns step and op (without a step they are "
			       "benchmarks), and either measure, value, unit or a column per "
			       "measure with its unit (time_us); doc/observations.md");
}

/* True if there are values and units, and no column that is a measure itself. */
static bool has_plain_values(const struct cell_row *header)
{
	char bare[MEASURE_OWN_SIZE], unit[MEASURE_OWN_SIZE];
	bool values = false, units = false;

	for (size_t i = 0; i < header->count; i++) {
		const char *name = header->field[i].text;
		const int role = role_of(name);

		values |= role == COLUMN_VALUE;
		units |= role == COLUMN_UNIT;
		if (role < 0 && (quantity_find(name).kind == QUANTITY_MEASURE ||
					own_measure_of_column(name, bare, unit)))
			return false;
	}
	return values && units;
}

int csv_columns_read(struct cell_rows *rows, const struct cell_row *header, struct arena *arena,
	struct csv_columns *out, struct error *err)
{
	*out = (struct csv_columns){.count = header->count};
	out->role = arena_array(arena, header->count, sizeof(*out->role));
	out->quantity = arena_array(arena, header->count, sizeof(*out->quantity));
	for (size_t i = 0; i < COLUMN_ROLES; i++)
		out->at[i] = NO_COLUMN;
	if (find_roles(rows, header, out, err) < 0)
		return -1;
	out->by_unit = out->at[COLUMN_MEASURE] == NO_COLUMN && has_plain_values(header);
	out->is_long = out->by_unit || out->at[COLUMN_MEASURE] != NO_COLUMN;
	if (out->at[COLUMN_OP] == NO_COLUMN)
		return lacking(rows, "op", err);
	out->benchmarks = out->at[COLUMN_STEP] == NO_COLUMN ||
			  is_benchmark(header->field[out->at[COLUMN_OP]].text);
	if (out->by_unit) /* for messages */
		out->at[COLUMN_MEASURE] = out->at[COLUMN_UNIT];
	if (out->is_long && out->at[COLUMN_VALUE] == NO_COLUMN)
		return lacking(rows, "value", err);
	if (find_quantities(rows, header, arena, out, err) < 0)
		return -1;
	if (!out->is_long && !any_measure(out))
		return lacking(rows, "measure", err);
	if (out->ignored)
		out->ignored = arena_strdup(arena, out->ignored);
	return 0;
}

bool csv_column_has_role(const char *name, enum column_role role)
{
	return role_of(name) == (int)role;
}

int csv_columns_score(const struct cell_row *header)
{
	char bare[MEASURE_OWN_SIZE], unit[MEASURE_OWN_SIZE];
	bool role[COLUMN_ROLES] = {false}, measure = false, own = false;
	size_t report = 0;

	for (size_t i = 0; i < header->count; i++) {
		int found = role_of(header->field[i].text);
		struct csv_quantity q = quantity_find(header->field[i].text);

		if (text_equal(header->field[i].text, "stat")) /* a report, not observations */
			return 0;
		if (found >= 0)
			role[found] = true;
		report += text_equal(header->field[i].text, "ran") ||
			  text_equal(header->field[i].text, "steps");
		measure |= q.kind == QUANTITY_MEASURE && (q.unit || q.dimension == DIMENSION_COUNT);
		own |= q.kind == QUANTITY_UNKNOWN && found < 0 &&
		       own_measure_of_column(header->field[i].text, bare, unit);
	}
	measure |= ((role[COLUMN_MEASURE] || role[COLUMN_UNIT]) && role[COLUMN_VALUE]) ||
		   (own && role[COLUMN_OP]);
	if (report == 2 && !role[COLUMN_STEP])
		return 0;
	if (role[COLUMN_OP] && role[COLUMN_STEP] && measure)
		return 90;
	return role[COLUMN_OP] + role[COLUMN_STEP] + measure >= 2 ? 60 : 0;
}

enum table_use csv_columns_use(const struct csv_columns *columns, size_t i)
{
	switch (columns->role[i]) {
	case COLUMN_IGNORED:
		return TABLE_UNUSED;
	case COLUMN_STEP:
	case COLUMN_INDEX:
	case COLUMN_VALUE:
		return TABLE_NUMBERS;
	case COLUMN_QUANTITY:
		return quantity_is_text(&columns->quantity[i]) ? TABLE_TEXTS : TABLE_NUMBERS;
	default:
		return TABLE_TEXTS;
	}
}
