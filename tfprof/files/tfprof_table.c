/* Conversion of rows of tfprof's text to a profile: ops that ran, their values and the printed
 * totals, and the exactness of the printed numbers. */
#include <string.h>
#include "tfprof/files/tfprof_text.h"
#include "base/number.h"
#include "base/text.h"

#define ROOT "_TFProfRoot"
#define MADE_UP "_kTFScopeParent" /* tfprof's type for scopes that are not nodes */
#define PLACE_BYTES 512

static const enum measure_id measure_of[ITEM_NUMBERS] = {
	[ITEM_FLOAT_OPS] = MEASURE_FLOAT_OPS,
	[ITEM_REQUESTED] = MEASURE_REQUESTED,
	[ITEM_PEAK] = MEASURE_PEAK,
	[ITEM_RESIDUAL] = MEASURE_RESIDUAL,
	[ITEM_OUTPUT] = MEASURE_OUTPUT,
	[ITEM_MICROS] = MEASURE_MICROS,
	[ITEM_ACCELERATOR] = MEASURE_ACCELERATOR,
	[ITEM_CPU] = MEASURE_CPU,
};

static void add_issue(struct tfprof_table *t, enum issue_severity severity, const char *code,
	const char *text, size_t count, const char *place)
{
	if (count)
		issue_add(&t->ops.profile->issues, severity, code, text, count, place);
}

void tfprof_table_issue(
	struct tfprof_table *t, enum issue_severity severity, const char *code, const char *text)
{
	char place[PLACE_BYTES];

	add_issue(t, severity, code, text, 1, line_reader_place(t->lines, place, sizeof(place)));
}

static void file_issue(
	struct tfprof_table *t, enum issue_severity severity, const char *code, const char *text)
{
	add_issue(t, severity, code, text, 1, t->ops.profile->path);
}

static bool legend_has(const struct tfprof_legend *legend, enum tfprof_item item)
{
	for (size_t i = 0; i < legend->number_count; i++)
		if (legend->number[i] == item)
			return true;
	return false;
}

/* Versions up to 1.2 print one time; it is not said where it was spent. */
static bool time_undivided(const struct tfprof_legend *legend)
{
	return legend_has(legend, ITEM_MICROS) && !legend_has(legend, ITEM_ACCELERATOR) &&
	       !legend_has(legend, ITEM_CPU);
}

static enum measure_id column_measure(const struct tfprof_legend *legend, enum tfprof_item item)
{
	return item == ITEM_MICROS && time_undivided(legend) ? MEASURE_CPU : measure_of[item];
}

/* ---- values ---- */

static int64_t cell(struct tfprof_table *t, const struct tfprof_number *n)
{
	if (!n->known)
		return CELL_ABSENT;
	if (n->in_range && n->value != CELL_ABSENT)
		return n->value;
	tfprof_table_issue(t, ISSUE_LOSS, "number-range", "numbers too large to be true, left out");
	return CELL_ABSENT;
}

static const struct tfprof_number *number_of(
	const struct tfprof_row *row, enum tfprof_item item, bool sums)
{
	return sums ? &row->total[item] : &row->self[item];
}

static bool is_set(const struct tfprof_number *n)
{
	return n->known && (n->value != 0 || !n->in_range);
}

/* True if the op ran, as its printed values show: any op that ran has a microsecond at least.
 * Without a column of runs or times an op of zeros may have run. Parameters, and float operations
 * too, are printed for ops that never ran. */
static bool is_present(const struct tfprof_table *t, const struct tfprof_row *row, bool sums)
{
	const struct tfprof_legend *legend = &t->legend;
	bool measured = legend->occurrence, any = false;

	if (legend->occurrence && is_set(sums ? &row->total_runs : &row->runs))
		return true;
	for (size_t i = 0; i < legend->number_count; i++) {
		enum tfprof_item item = legend->number[i];
		bool set = is_set(number_of(row, item, sums));
		bool is_static = item == ITEM_PARAMS || item == ITEM_FLOAT_OPS;

		measured |= !is_static;
		any |= set;
		if (set && !is_static)
			return true;
	}
	return !measured && any;
}

/* Puts a value into a cell, or adds it where several names share a row. */
static void put(struct profile *p, enum measure_id id, size_t row, int64_t value, bool shared)
{
	int64_t *to = &p->obs.column[id][row];

	if (!shared || *to == CELL_ABSENT)
		*to = value;
	else if (value == CELL_ABSENT || !number_add(*to, value, to))
		*to = CELL_ABSENT;
}

static void fill_cells(struct tfprof_table *t, const struct tfprof_target *target,
	const struct tfprof_row *row, size_t at, bool shared)
{
	const struct tfprof_legend *legend = &t->legend;

	for (size_t i = 0; i < legend->number_count; i++) {
		enum tfprof_item item = legend->number[i];

		if (item != ITEM_PARAMS)
			put(target->profile, column_measure(legend, item), at,
				cell(t, number_of(row, item, target->sums)), shared);
	}
	if (legend->occurrence)
		put(target->profile, MEASURE_OCCURRENCE, at,
			cell(t, target->sums ? &row->total_runs : &row->runs), shared);
}

/* ---- ops ---- */

/* The op's own type: the one word of its types that names neither a device nor a use. */
static const char *type_of(
	struct tfprof_table *t, const struct tfprof_target *target, const struct tfprof_row *row)
{
	static const char *const marks[] = {
		MADE_UP, "_checkpoint_variables", "_trainable_variables"};
	const char *at = row->types, *end = at ? at + row->types_size : at, *type = NULL;
	size_t type_size = 0, words = 0;

	while (at && at <= end) {
		const char *bar = memchr(at, '|', (size_t)(end - at));
		size_t size = (size_t)((bar ? bar : end) - at);
		bool mark = size == 0 || *at == '/';

		for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
			mark |= size == strlen(marks[i]) && memcmp(at, marks[i], size) == 0;
		if (!mark) {
			type = at;
			type_size = size;
			words++;
		}
		if (!bar)
			break;
		at = bar + 1;
	}
	if (words > 1 && !target->sums)
		tfprof_table_issue(t, ISSUE_INFO, "type-several",
			"ops with types of the user's own and the kernel's: the text does not say "
			"which is which, so no type is used");
	return words == 1 ? arena_strndup(target->profile->arena, type, type_size) : "";
}

/* The op view lists the devices of all nodes, an empty one too; several are none. */
static const char *device_of(const struct tfprof_target *target, const struct tfprof_row *row)
{
	const char *at = row->device, *end = at ? at + row->device_size : at;

	while (at && at < end && *at == '|')
		at++;
	if (!at || at == end || memchr(at, '|', (size_t)(end - at)))
		return "";
	return arena_strndup(target->profile->arena, at, (size_t)(end - at));
}

/* The op or scope of a row; false when this report had it already. */
static bool find_op(struct tfprof_table *t, struct tfprof_target *target,
	const struct tfprof_row *row, uint32_t *id, bool *shared)
{
	bool is_new;
	struct profile *p = target->profile;
	size_t *seen;

	*id = profile_op(p, row->name, row->name_size, &is_new, &t->opt->limits);
	struct op *op = &p->op[*id];

	*shared = strlen(op->name) != row->name_size ||
		  memcmp(op->name, row->name, row->name_size) != 0;
	if (*shared) {
		op->params = op->float_ops_each = CELL_ABSENT;
		return true;
	}
	while (target->seen.count < p->op_count)
		vec_push(&target->seen, NULL);
	seen = vec_at(&target->seen, *id);
	if (*seen == t->reports)
		return false;
	*seen = t->reports;
	if (is_new) {
		const struct tfprof_number *defined =
			target->sums ? &row->total_defined : &row->defined;

		op->type = t->view == VIEW_OP ? op->name : type_of(t, target, row);
		op->device = device_of(target, row);
		op->params = CELL_ABSENT;
		if (legend_has(&t->legend, ITEM_PARAMS))
			op->params = cell(t, number_of(row, ITEM_PARAMS, target->sums));
		op->float_ops_each = CELL_ABSENT;
		if (t->legend.occurrence && defined->known && defined->in_range &&
			defined->value > 0)
			op->defined = defined->value;
	}
	return true;
}

static int add_row_to(struct tfprof_table *t, struct tfprof_target *target,
	const struct tfprof_row *row, struct error *err)
{
	uint32_t op;
	bool shared;
	size_t at;

	if (!find_op(t, target, row, &op, &shared)) {
		if (!target->sums)
			tfprof_table_issue(t, ISSUE_LOSS, "row-repeated",
				"rows of a name that the report has already, left out");
		return 0;
	}
	if (!is_present(t, row, target->sums))
		return 0;
	at = target->other_row;
	if (!shared || at == SIZE_MAX) {
		if (profile_observe(target->profile, op, t->step, &at, &t->opt->limits, err))
			return -1;
		if (shared)
			target->other_row = at;
	}
	fill_cells(t, target, row, at, shared);
	if (!target->sums) {
		int64_t part[ITEM_NUMBERS + 2] = {
			(int64_t)intern_hash(row->name, row->name_size, 0), row->runs.value};

		for (size_t i = 0; i < t->legend.number_count; i++)
			part[i + 2] = row->self[t->legend.number[i]].value;
		t->ops.profile->step[t->step].fingerprint += intern_hash(part, sizeof(part), 1);
	}
	return 0;
}

/* ---- rows ---- */

/* Checks the parent of a row: in the scope view it is the prefix of the row's name; in the graph
 * view, which has the same header, the op that the row is an input of. */
static void check_scope(struct tfprof_table *t, const struct tfprof_row *row)
{
	const char *parent = NULL;
	size_t n;

	if (row->depth < 1)
		return;
	while (t->parent.count > row->depth - 1)
		t->parent.count--;
	if (row->depth > 1 && t->parent.count == row->depth - 1)
		parent = *(const char **)vec_at(&t->parent, row->depth - 2);
	while (t->parent.count < row->depth - 1)
		if (!vec_push(&t->parent, NULL))
			return;
	const char **slot = vec_push(&t->parent, NULL);

	if (slot)
		*slot = arena_strndup(t->scratch, row->name, row->name_size);
	n = parent ? strlen(parent) : 0;
	if (parent &&
		(row->name_size <= n || memcmp(row->name, parent, n) != 0 || row->name[n] != '/'))
		t->graph_view = true;
}

static bool has_own(const struct tfprof_table *t, const struct tfprof_row *row)
{
	bool made_up = row->types && text_is(row->types, row->types_size, MADE_UP);

	if (made_up)
		return false;
	return t->legend.number_count ? row->self[t->legend.number[0]].known : row->runs.known;
}

int tfprof_table_row(struct tfprof_table *t, const struct tfprof_row *row, struct error *err)
{
	t->rows++;
	if (row->depth == 0 && text_is(row->name, row->name_size, ROOT) && t->view == VIEW_TREE) {
		for (size_t i = 0; i < t->legend.number_count; i++)
			t->sum[t->legend.number[i]].root = row->total[t->legend.number[i]];
		return 0;
	}
	t->shown++;

	/* "model.py:22:layer": what the rows of the code view are. */
	const char *at = row->name, *end = at + row->name_size;
	const char *colon = memchr(at, ':', (size_t)(end - at));
	const char *p = colon ? colon + 1 : end;

	while (p < end && text_is_digit(*p))
		p++;
	t->code += colon && p > colon + 1 && p < end && *p == ':';
	for (size_t i = 0; i < t->legend.number_count; i++) {
		enum tfprof_item item = t->legend.number[i];
		const struct tfprof_number *self = &row->self[item], *total = &row->total[item];
		unsigned char scales[2] = {self->known ? self->scale : 0,
			total->known && (!self->known || total->scale != self->scale) ? total->scale
										      : 0};

		for (size_t k = 0; k < 2; k++) {
			struct tfprof_rounding *rounding = &t->rounding[item][scales[k]];

			if (scales[k] && rounding->rows++ == 0)
				rounding->line = t->lines->number;
		}
	}
	if (t->view == VIEW_TREE) {
		check_scope(t, row);
		for (size_t i = 0; i < t->legend.number_count; i++) {
			enum tfprof_item item = t->legend.number[i];
			const struct tfprof_number *self = &row->self[item];
			double error = tfprof_scale_error(item, self->scale);

			if (!self->known || !self->in_range)
				continue;
			t->sum[item].least += (double)self->value - error;
			t->sum[item].most += (double)self->value + error;
		}
		if (add_row_to(t, &t->totals, row, err))
			return -1;
	}
	if (!has_own(t, row)) {
		t->not_own += !row->types || row->types_size != strlen(MADE_UP);
		return 0;
	}
	t->own++;
	return add_row_to(t, &t->ops, row, err);
}

static void report_rounding(struct tfprof_table *t)
{
	struct arena *arena = t->ops.profile->arena;

	for (enum tfprof_item item = 0; item < ITEM_NUMBERS; item++)
		for (unsigned char s = 1; s < TFPROF_SCALES; s++) {
			const struct tfprof_rounding *rounding = &t->rounding[item][s];

			if (!rounding->rows)
				continue;
			add_issue(t, ISSUE_INFO,
				arena_printf(arena, "printed-%s-%u", tfprof_item_name(item), s),
				arena_printf(arena, "%s: printed to %s", tfprof_item_name(item),
					tfprof_scale_name(item, s)),
				rounding->rows,
				arena_printf(
					arena, "%s:%zu", t->ops.profile->path, rounding->line));
		}
}

/* True if the root of the report that ends counts more than its rows can add up to. */
static bool shows_a_part(const struct tfprof_table *t)
{
	for (enum tfprof_item item = 0; item < ITEM_NUMBERS; item++) {
		const struct tfprof_sum *sum = &t->sum[item];
		double least = (double)sum->root.value - tfprof_scale_error(item, sum->root.scale);
		bool bytes = item >= ITEM_REQUESTED && item <= ITEM_OUTPUT;

		if (bytes && t->opt->kilobyte == 1024)
			continue; /* the sheet's MB are not 1000 of its KB */
		if (sum->root.known && sum->root.in_range && least > sum->most * (1 + 1e-9))
			return true;
	}
	return false;
}

static void end_report(struct tfprof_table *t)
{
	t->part |= shows_a_part(t);
	memset(t->sum, 0, sizeof(t->sum));
	vec_clear(&t->parent);
}

void tfprof_table_end(struct tfprof_table *t)
{
	struct profile *out = t->ops.profile;

	end_report(t);

	bool says_runs = t->legend.occurrence || legend_has(&t->legend, ITEM_MICROS) ||
			 legend_has(&t->legend, ITEM_ACCELERATOR) ||
			 legend_has(&t->legend, ITEM_CPU);

	if (t->part)
		file_issue(t, ISSUE_INFO, "ops-hidden",
			"reports that show a part of the ops: shares refer to those shown");
	if (!says_runs)
		file_issue(t, ISSUE_INFO, "ran-unknown",
			"reports that do not say which ops ran (no column of times or counts): ops "
			"with zeros only count as not run");
	if (t->graph_view)
		file_issue(t, ISSUE_INFO, "graph-view",
			"reports of the graph view: its totals are over inputs, not scopes, and "
			"are not used");
	if (time_undivided(&t->legend))
		file_issue(t, ISSUE_INFO, "time-undivided",
			"reports with one time for each op, not divided into accelerator and cpu: "
			"it counts as cpu time");
	if (t->not_own)
		add_issue(t, t->own ? ISSUE_INFO : ISSUE_LOSS, "own-unknown",
			"rows without values of their own (--, not accounted): they have totals "
			"only",
			t->not_own, t->ops.profile->path);
	report_rounding(t);
	out->is_printed = true;
	if (t->view != VIEW_TREE || t->graph_view)
		return;
	out->totals = t->totals.profile;
	out->totals->nesting = TOTALS_SCOPES;
	t->totals.profile = NULL;
}

/* ---- begin and end ---- */

static void target_init(struct tfprof_target *target, struct profile *p, bool sums)
{
	*target = (struct tfprof_target){.profile = p, .sums = sums, .other_row = SIZE_MAX};
	vec_init(&target->seen, sizeof(size_t), SIZE_MAX, "ops");
}

void tfprof_table_init(struct tfprof_table *t, struct profile *out, const struct read_options *opt,
	const struct line_reader *lines)
{
	*t = (struct tfprof_table){.opt = opt, .lines = lines, .scratch = arena_new()};
	target_init(&t->ops, out, false);
	target_init(&t->totals, profile_new(out->path), true);
	vec_init(&t->parent, sizeof(const char *), SIZE_MAX, "scopes");
}

void tfprof_table_release(struct tfprof_table *t)
{
	profile_free(t->totals.profile);
	vec_release(&t->ops.seen);
	vec_release(&t->totals.seen);
	vec_release(&t->parent);
	arena_free(t->scratch);
}

static void declare_columns(const struct tfprof_legend *legend, struct profile *p)
{
	for (size_t i = 0; i < legend->number_count; i++)
		if (legend->number[i] != ITEM_PARAMS)
			profile_have(p, column_measure(legend, legend->number[i]));
	if (legend->occurrence)
		profile_have(p, MEASURE_OCCURRENCE);
}

int tfprof_table_begin(struct tfprof_table *t, const struct step *step, struct error *err)
{
	if (t->reports++ == 0) {
		declare_columns(&t->legend, t->ops.profile);
		declare_columns(&t->legend, t->totals.profile);
	} else {
		end_report(t);
	}
	t->ops.other_row = t->totals.other_row = SIZE_MAX;
	if (profile_add_step(t->ops.profile, step, &t->step, &t->opt->limits, err))
		return -1;
	return profile_add_step(t->totals.profile, step, &t->step, &t->opt->limits, err);
}
