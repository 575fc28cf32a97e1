/* Applies the rules to the ops of a cube and groups what is left into rows. */
#include "analysis/select/grouping.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"

#define NEAREST_SHOWN 3

const char *const group_by_words[] = {"name", "type", "device", "class", "scope:N", "launcher",
	"shape", "annotation", "module", "phase", "stack:N", "source", NULL};
const char *const collision_words[] = {"sum", "keep", "error", NULL};

bool group_by_is_name(enum group_by by)
{
	return by == BY_NAME || by >= BY_LAUNCHER;
}

/* One op that stayed. */
struct group_member {
	const char *key; /* the row it goes to */
	const char *type, *device;
	uint32_t op, kind; /* kind: as in struct group */
	bool counts;	   /* it ran in the steps that are looked at, or never-run ops are wanted */
};

/* Data that all stages of a grouping share. */
struct grouping_job {
	const struct cube *cube;
	struct rules *rules;
	const struct group_options *opt;
	struct arena *arena;
	struct grouping *out;
};

/* True if the op has an observation in any of the chosen steps, or never-run ops count, too. */
static bool op_counts(const struct cube *cube, const struct group_options *opt, uint32_t op)
{
	if (opt->never_run)
		return true;
	if (!opt->step_index)
		return cube->op_first[op + 1] > cube->op_first[op];
	for (size_t r = cube->op_first[op]; r < cube->op_first[op + 1]; r++)
		if (opt->step_index[cube->step_of[r]] != UINT32_MAX)
			return true;
	return false;
}

/* Kind of a step of the cube, as in struct group. */
static uint32_t kind_at(const uint32_t *kind_of_step, uint32_t step)
{
	return kind_of_step[step] > GROUPING_KINDS ? GROUPING_KINDS + 1 : kind_of_step[step];
}

/* The kinds of the looked at steps in which the op ran: kind 1 .. GROUPING_KINDS + 1 as bits 1 ...
 * An op that did not run is of the first. */
static uint32_t kinds_of_op(const struct cube *cube, const struct group_options *opt, uint32_t op)
{
	uint32_t kinds = 0;

	if (!opt->kind_of_step)
		return 1;
	for (size_t r = cube->op_first[op]; r < cube->op_first[op + 1]; r++)
		if (!opt->step_index || opt->step_index[cube->step_of[r]] != UINT32_MAX)
			kinds |= UINT32_C(1) << kind_at(opt->kind_of_step, cube->step_of[r]);
	return kinds ? kinds : UINT32_C(1) << 1;
}

static const char *with_kind(
	struct arena *arena, const char *key, uint32_t kind, const char *const *name)
{
	if (kind <= 1)
		return key;
	if (kind > GROUPING_KINDS)
		return arena_printf(arena, "%s" GROUPING_OTHER_KINDS, key);
	return name ? arena_printf(arena, "%s" GROUPING_KIND "%s]", key, name[kind - 1])
		    : arena_printf(arena, "%s" GROUPING_KIND "%u]", key, kind);
}

static const char *or_none(const char *s, const char *none)
{
	return s && *s ? s : none;
}

static const char *leading_scope(struct arena *arena, const char *name, size_t depth)
{
	const char *p = name, *last = strrchr(name, '/');

	if (!depth)
		return last ? arena_strndup(arena, name, (size_t)(last - name)) : name;
	for (size_t i = 0; i < depth; i++) {
		p = strchr(p, '/');
		if (!p)
			return name;
		p++;
	}
	return arena_strndup(arena, name, (size_t)(p - 1 - name));
}

/* The row that an op belongs to; NULL with an error. */
static const char *row_key(const struct grouping_job *job, const struct op *op,
	const struct rule_outcome *outcome, struct error *err)
{
	const char *class_name;

	switch (job->opt->by) {
	case BY_TYPE:
		return or_none(outcome->type ? outcome->type : op->type, "(no type)");
	case BY_DEVICE:
		return or_none(op->device, "(no device)");
	case BY_SCOPE:
		return leading_scope(job->arena, outcome->name, job->opt->scope_depth);
	case BY_CLASS:
		if (rules_class(job->rules, op->type, op->name, &class_name, err) < 0)
			return NULL;
		return or_none(class_name, GROUPING_NO_CLASS);
	case BY_NAME:
	case BY_LAUNCHER:
	case BY_SHAPE:
	case BY_ANNOTATION:
	case BY_MODULE:
	case BY_PHASE:
	case BY_STACK:
	case BY_SOURCE:
		break;
	}
	return outcome->name;
}

/* The same after the map of names; classes and devices are no names that sides give. */
static const char *mapped_key(const struct grouping_job *job, const struct op *op,
	const struct rule_outcome *outcome, struct error *err)
{
	const char *key = row_key(job, op, outcome, err);

	if (!key || !job->opt->map || job->opt->by == BY_CLASS || job->opt->by == BY_DEVICE)
		return key;
	return rules_map(job->opt->map, key, outcome->type ? outcome->type : op->type, job->arena,
		       &key, err) < 0
		       ? NULL
		       : key;
}

int grouping_row(struct rules *rules, const struct group_options *opt, const struct op *op,
	struct arena *arena, const char **row, struct error *err)
{
	const struct grouping_job job = {.rules = rules, .opt = opt, .arena = arena};
	struct rule_outcome outcome;

	*row = NULL;
	if (rules_apply(rules, op->name, arena, &outcome, err) < 0)
		return -1;
	if (!outcome.kept)
		return 0;
	*row = mapped_key(&job, op, &outcome, err);
	return *row ? 0 : -1;
}

ORDERED(compare_members, struct group_member,
	strcmp(x->key, y->key)
		?: ORDER(y->counts, x->counts)
		?: ORDER(x->op, y->op));

/* Names whose whole or last part is near to the pattern, the nearest first; returns how many. */
static size_t add_nearest_names(const struct cube *cube, const char *pattern, struct text *out)
{
	struct arena *scratch = arena_new();
	const char **names = arena_array(scratch, 2 * cube->op_count, sizeof(*names));
	size_t found[2 * NEAREST_SHOWN], op[NEAREST_SHOWN], n, added = 0;

	for (size_t o = 0; o < cube->op_count; o++) {
		names[o] = cube->op[o].name;
		names[cube->op_count + o] = text_base_name(cube->op[o].name);
	}
	n = text_nearest_few(pattern, names, 2 * cube->op_count, found, 2 * NEAREST_SHOWN);
	for (size_t i = 0; i < n && added < NEAREST_SHOWN; i++) {
		size_t o = found[i] % cube->op_count, k = 0;

		while (k < added && op[k] != o)
			k++;
		if (k < added)
			continue;
		op[added++] = o;
		text_add(out, out->size ? ", " : "");
		text_add_visible(out, cube->op[o].name);
	}
	arena_free(scratch);
	return added;
}

/* Where no name is near, the first ones show what names look like. */
static void hint_first_names(const struct cube *cube, struct error *err)
{
	struct text names;

	text_init(&names);
	for (size_t o = 0; o < cube->op_count && o < NEAREST_SHOWN; o++) {
		text_add(&names, o ? ", " : "");
		text_add_visible(&names, cube->op[o].name);
	}
	error_hint(err,
		"no name is near; `stepstat ops INPUT` lists all, --allow-empty lets it pass%s%s",
		names.size ? "; the first: " : "", text_string(&names));
	text_release(&names);
}

static int check_rules(const struct grouping_job *job, struct error *err)
{
	struct grouping *out = job->out;

	out->dead_renames =
		arena_array(job->arena, rules_count(job->rules), sizeof(*out->dead_renames));
	for (size_t i = 0; i < rules_count(job->rules); i++) {
		const struct rule *rule = rules_at(job->rules, i);

		if (rule->kind == RULE_INCLUDE && rule->whole && rule->whole < rule->hits &&
			*rule->text != '^' && !text_ends(rule->text, "$") && !out->loose_include) {
			out->loose_include = arena_strdup(job->arena, rule->text);
			out->loose_ops = rule->hits;
			out->loose_whole = rule->whole;
		}
		if (rule->hits)
			continue;
		if (rule->kind == RULE_INCLUDE && !job->opt->allow_empty) {
			struct text near;
			size_t n;

			text_init(&near);
			n = add_nearest_names(job->cube, rule->text, &near);
			error_set(err, ERROR_INPUT, rule->place,
				"no op matches \"%s\" (of %zu ops)", rule->text,
				job->cube->op_count);
			if (n)
				error_hint(err, "the nearest names: %s; --allow-empty lets it pass",
					text_string(&near));
			else
				hint_first_names(job->cube, err);
			text_release(&near);
			return -1;
		}
		if (rule->kind == RULE_RENAME)
			out->dead_renames[out->dead_rename_count++] =
				arena_strdup(job->arena, rule->text);
	}
	return 0;
}

/* One member for each kind of step of the op. */
static void add_members(
	const struct grouping_job *job, const struct group_member *one, struct vec *out)
{
	uint32_t kinds = kinds_of_op(job->cube, job->opt, one->op);

	for (uint32_t kind = 0; kinds; kind++, kinds >>= 1) {
		struct group_member *member;

		if (!(kinds & 1))
			continue;
		member = vec_push(out, NULL); /* without a cap */
		*member = *one;
		member->kind = kind;
		member->key = with_kind(job->arena, one->key, kind, job->opt->kind_name);
	}
}

/* True for a scope that is no op: it has no type, and others are in it. */
static bool is_bare_scope(const struct grouping_job *job, uint32_t op, const char *type)
{
	const struct cube *cube = job->cube;
	size_t low = op + 1, high = cube->op_count;
	const char *inside;

	if (cube->nesting != TOTALS_SCOPES || *type)
		return false;
	inside = arena_printf(job->arena, "%s/", cube->op[op].name);
	while (low < high) { /* the first name that is not below it, in their order */
		const size_t middle = low + (high - low) / 2;

		if (strcmp(cube->op[middle].name, inside) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cube->op_count && text_starts(cube->op[low].name, inside);
}

/* The members that the rules keep, struct group_member. */
static int collect(const struct grouping_job *job, struct vec *out, struct error *err)
{
	const struct cube *cube = job->cube;

	rules_reset_hits(job->rules);
	if (job->opt->map)
		rules_reset_hits(job->opt->map);
	for (uint32_t o = 0; o < cube->op_count; o++) {
		struct rule_outcome outcome;
		struct group_member member = {0};

		if (rules_apply(job->rules, cube->op[o].name, job->arena, &outcome, err) < 0)
			return -1;
		member.counts = op_counts(cube, job->opt, o);
		job->out->ops += member.counts;
		if (!outcome.kept)
			continue;
		job->out->ops_kept += member.counts;
		member.op = o;
		member.type = outcome.type ? outcome.type : cube->op[o].type;
		member.device = cube->op[o].device;
		if (job->opt->by == BY_TYPE && is_bare_scope(job, o, member.type))
			continue;
		member.key = mapped_key(job, &cube->op[o], &outcome, err);
		if (!member.key)
			return -1;
		add_members(job, &member, out);
	}
	return 0;
}

/* op: room for n, of one block for all groups. */
static void fill_group(
	struct group *group, const struct group_member *member, size_t n, uint32_t *op)
{
	group->kind = member->kind;
	group->name = member->key;
	group->type = member->type;
	group->device = member->device;
	group->op = op;
	group->op_count = n;
	for (size_t i = 0; i < n; i++) {
		op[i] = member[i].op;
		if (!member[i].counts)
			continue;
		if (!text_equal(group->type, member[i].type))
			group->type = "";
		if (!text_equal(group->device, member[i].device))
			group->device = "";
	}
}

static int collision_error(
	const struct cube *cube, const struct group_member *member, struct error *err)
{
	error_set(err, ERROR_INPUT, "on-collision", "two ops end up as \"%s\": %s and %s",
		member[0].key, cube->op[member[0].op].name, cube->op[member[1].op].name);
	return error_hint(err, "on-collision: sum in stepstat.yaml adds them up per step, "
			       "on-collision: keep shows both");
}

/* True if all steps of an op have a row of the other one, too. */
static bool is_always_in(const struct cube *cube, uint32_t op, uint32_t around)
{
	size_t at = cube->op_first[around];

	for (size_t r = cube->op_first[op]; r < cube->op_first[op + 1]; r++) {
		while (at < cube->op_first[around + 1] && cube->step_of[at] < cube->step_of[r])
			at++;
		if (at == cube->op_first[around + 1] || cube->step_of[at] != cube->step_of[r])
			return false;
	}
	return true;
}

/* The outermost scope around an op that has the same mark; itself where there is none. */
static uint32_t outermost_of(const struct cube *cube, const uint32_t *mark, uint32_t op)
{
	const char *name = cube->op[op].name;
	struct arena *scratch = arena_new();
	uint32_t found = op;

	for (const char *p = strchr(name, '/'); p && found == op; p = strchr(p + 1, '/')) {
		const uint32_t scope =
			cube_find_op(cube, arena_strndup(scratch, name, (size_t)(p - name)));

		if (scope != UINT32_MAX && mark[scope] == mark[op])
			found = scope;
	}
	arena_free(scratch);
	return found;
}

/* Leaves out the scopes that are in another one of their group: that has their values. mark: room
 * for all ops of the cube, not of this group yet. */
static void keep_outermost(
	const struct cube *cube, struct group *group, uint32_t *mark, uint32_t number)
{
	size_t kept = 0;

	for (size_t i = 0; i < group->op_count; i++)
		mark[group->op[i]] = number;
	for (size_t i = 0; i < group->op_count; i++) {
		const uint32_t op = group->op[i], around = outermost_of(cube, mark, op);

		if (around != op && is_always_in(cube, op, around))
			continue;
		group->overlaps |= around != op;
		group->op[kept++] = op;
	}
	group->op_count = kept;
}

/* Overlaps in totals: ops of a group that run inside of others of it count once, or the group is
 * marked as one whose overlaps are unknown. */
static void settle_overlaps(const struct grouping_job *job)
{
	const struct cube *cube = job->cube;
	const enum group_by by = job->opt->by;
	struct arena *scratch = arena_new();
	uint32_t *mark = arena_array(scratch, cube->op_count, sizeof(*mark));

	for (size_t g = 0; g < job->out->count; g++) {
		struct group *group = &job->out->group[g];
		size_t ran = 0;
		bool known = cube->nesting == TOTALS_OF_ROWS && by != BY_DEVICE;

		for (size_t i = 0; i < group->op_count; i++) {
			const struct op *op = &cube->op[group->op[i]];

			ran += op_counts(cube, job->opt, group->op[i]);
			known &= group_by_is_name(by) || by == BY_SCOPE || !op->types_differ;
		}
		if (cube->nesting == TOTALS_SCOPES)
			keep_outermost(cube, group, mark, (uint32_t)g + 1);
		else
			group->overlaps = ran > 1 && !known;
		job->out->overlaps += group->overlaps;
	}
	arena_free(scratch);
}

static int make_groups(const struct grouping_job *job, const struct group_member *member, size_t n,
	struct error *err)
{
	const struct group_options *opt = job->opt;
	struct grouping *out = job->out;
	uint32_t *op = arena_array(job->arena, n, sizeof(*op));

	out->group = arena_array(job->arena, n, sizeof(*out->group));
	for (size_t i = 0, next; i < n; i = next) {
		size_t running = member[i].counts;

		for (next = i + 1; next < n && text_equal(member[next].key, member[i].key); next++)
			running += member[next].counts;
		if (!running)
			continue;
		if (group_by_is_name(opt->by) && running > 1) {
			if (opt->collision == COLLISION_ERROR)
				return collision_error(job->cube, &member[i], err);
			if (!out->collisions++)
				out->collision_name = member[i].key;
			out->collided += running;
			out->collisions_kept = opt->collision == COLLISION_KEEP;
		}
		if (group_by_is_name(opt->by) && opt->collision == COLLISION_KEEP)
			for (size_t k = i; k < i + running; k++)
				fill_group(&out->group[out->count++], &member[k], 1, &op[k]);
		else
			fill_group(&out->group[out->count++], &member[i], next - i, &op[i]);
	}
	return 0;
}

int grouping_make(const struct cube *cube, struct rules *rules, const struct group_options *opt,
	struct arena *arena, struct grouping *out, struct error *err)
{
	struct vec member;
	const struct grouping_job job = {cube, rules, opt, arena, out};
	int status = -1;

	memset(out, 0, sizeof(*out));
	vec_init(&member, sizeof(struct group_member), SIZE_MAX, NULL);
	if (collect(&job, &member, err) == 0 && check_rules(&job, err) == 0) {
		if (member.count)
			qsort(member.data, member.count, sizeof(struct group_member),
				compare_members);
		status = make_groups(&job, member.data, member.count, err);
	}
	vec_release(&member);
	if (status == 0 && cube->totals)
		settle_overlaps(&job);
	for (size_t g = 0; g < out->count; g++)
		out->group[g].kind_of_step = out->group[g].kind ? opt->kind_of_step : NULL;
	return status;
}

/* Adds one observation to what is known of a step. The states are ordered, so that the order of ops
 * does not matter. */
static void add_cell(const struct cube *cube, enum measure_id id, uint32_t op, size_t row,
	int64_t *value, unsigned char *state)
{
	int64_t v = cube_value(cube, id, op, row);
	unsigned char now = 1;

	if (v == CELL_ABSENT)
		now = cube_out_of_range(cube, id, op, row) ? 3 : 2;
	else if (*state && !cube_adds_up(cube, id))
		now = 2;
	else if (*state < 2 && !number_add(*value, v, value))
		now = 3;
	if (*state < now)
		*state = now;
}

bool group_has_step(const struct group *group, uint32_t step)
{
	return !group->kind || kind_at(group->kind_of_step, step) == group->kind;
}

size_t grouping_series(
	const struct group_series *series, const struct group *group, enum measure_id id)
{
	const struct cube *cube = series->cube;
	uint32_t *touched = series->touched;
	bool sorted = true;
	size_t n = 0;

	for (size_t i = 0; i < group->op_count; i++) {
		uint32_t o = group->op[i];

		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++) {
			uint32_t at = series->step_index[cube->step_of[r]];

			if (at == UINT32_MAX || !group_has_step(group, cube->step_of[r]))
				continue;
			if (touched && !series->state[at]) {
				sorted &= n == 0 || touched[n - 1] < at;
				touched[n++] = at;
			}
			if (group->overlaps)
				series->state[at] = 2;
			else
				add_cell(cube, id, o, r, &series->value[at], &series->state[at]);
		}
	}
	if (!sorted)
		qsort(touched, n, sizeof(*touched), order_uint32);
	return n;
}

void grouping_values(
	const struct group_series *series, const struct group *group, enum measure_id id)
{
	memset(series->value, 0, series->count * sizeof(*series->value));
	memset(series->state, 0, series->count);
	grouping_series(series, group, id);
}

/* True if values without steps belong to this kind: the first in which the op ran. */
static bool has_static_of(const struct cube *cube, const struct group *group, uint32_t op)
{
	uint32_t first = GROUPING_KINDS + 1;

	if (!group->kind)
		return true;
	for (size_t r = cube->op_first[op]; r < cube->op_first[op + 1]; r++) {
		uint32_t kind = kind_at(group->kind_of_step, cube->step_of[r]);

		first = kind < first ? kind : first;
	}
	return first == group->kind || cube->op_first[op] == cube->op_first[op + 1];
}

bool grouping_static(
	const struct cube *cube, const struct group *group, enum measure_id id, int64_t *value)
{
	bool known = false;

	*value = 0;
	if (group->overlaps)
		return false;
	for (size_t i = 0; i < group->op_count; i++) {
		int64_t v = cube_static(cube, id, group->op[i]);

		if (v == CELL_ABSENT || !has_static_of(cube, group, group->op[i]))
			continue;
		known = true;
		if (!number_add(*value, v, value))
			return false;
	}
	return known;
}

const char *grouping_shape(const struct cube *cube, const struct group *group)
{
	const char *shape = group->op_count ? cube->op[group->op[0]].shape : "";

	for (size_t i = 1; i < group->op_count && *shape; i++)
		if (!text_equal(cube->op[group->op[i]].shape, shape))
			shape = "";
	return shape;
}

/* Rows are sorted by name, so that all rows of a scope follow each other, but for names such as
 * "a-b" between "a" and "a/b": parts are compared as if '/' were the smallest byte. */

struct scope_row {
	const char *name;
	size_t length;	    /* of the scope in the name */
	size_t first, last; /* places in the sorted rows */
	double weight;
};

struct sorted_row {
	const char *name;
	size_t group;
};

ORDERED(compare_paths, struct sorted_row, text_compare_tree(x->name, y->name));

ORDERED(compare_weights, struct scope_row,
	ORDER(y->weight, x->weight) ?: ORDER(x->first, y->first));

ORDERED(compare_groups, struct group, strcmp(x->name, y->name));

/* True if the first `length` bytes of `scope` are a scope of the name, or all of it. */
static bool is_below(const char *name, const char *scope, size_t length)
{
	return strncmp(name, scope, length) == 0 && (name[length] == '/' || !name[length]);
}

#define DEPTH_MOST 64 /* parts of a name that become scopes */

struct scopes_maker {
	const struct grouping *of;
	const double *weight;
	double least;
	struct sorted_row *row;
	struct scope_row *scope;
	size_t count, room;
};

/* The first `length` bytes of the name of row `first`, the first one that begins with them. */
static void add_scope(struct scopes_maker *m, size_t first, size_t length)
{
	struct scope_row scope = {m->row[first].name, length, first, first, 0};
	struct scope_row *slot;

	while (scope.last < m->of->count && is_below(m->row[scope.last].name, scope.name, length))
		scope.weight += m->weight[m->row[scope.last++].group];
	if (scope.weight < m->least || !(scope.weight > 0))
		return;
	slot = memory_push(&m->scope, &m->count, &m->room, sizeof(*m->scope));
	*slot = scope;
}

/* The scopes that begin with this row. */
static void add_scopes_of(struct scopes_maker *m, size_t r)
{
	const char *name = m->row[r].name, *before = r ? m->row[r - 1].name : NULL;
	const size_t length = strlen(name);
	size_t depth = 0;

	for (size_t n = 1; n < length && depth < DEPTH_MOST; n++) {
		if (name[n] != '/')
			continue;
		depth++;
		if (!before || !is_below(before, name, n))
			add_scope(m, r, n);
	}
	if (!before || !is_below(before, name, length))
		add_scope(m, r, length);
}

static void fill_scope(const struct scopes_maker *m, const struct scope_row *scope,
	struct arena *arena, struct group *out)
{
	size_t ops = 0;

	for (size_t r = scope->first; r < scope->last; r++)
		ops += m->of->group[m->row[r].group].op_count;
	*out = (struct group){.name = arena_strndup(arena, scope->name, scope->length),
		.type = "",
		.device = "",
		.op = arena_array(arena, ops, sizeof(*out->op))};
	for (size_t r = scope->first; r < scope->last; r++) {
		const struct group *group = &m->of->group[m->row[r].group];

		memcpy(out->op + out->op_count, group->op, group->op_count * sizeof(*out->op));
		out->op_count += group->op_count;
	}
}

void scopes_make(const struct grouping *of, const double *weight, double least, size_t most,
	struct arena *arena, struct grouping *out)
{
	struct scopes_maker m = {.of = of, .weight = weight, .least = least};

	m.row = memory_alloc(memory_product(of->count, sizeof(*m.row)));
	for (size_t g = 0; g < of->count; g++)
		m.row[g] = (struct sorted_row){of->group[g].name, g};
	if (of->count)
		qsort(m.row, of->count, sizeof(*m.row), compare_paths);
	for (size_t r = 0; r < of->count; r++)
		add_scopes_of(&m, r);
	if (m.count)
		qsort(m.scope, m.count, sizeof(*m.scope), compare_weights);
	m.count = m.count < most ? m.count : most;
	*out = (struct grouping){.ops = of->ops, .ops_kept = of->ops_kept};
	out->group = arena_array(arena, m.count, sizeof(*out->group));
	for (size_t i = 0; i < m.count; i++)
		fill_scope(&m, &m.scope[i], arena, &out->group[out->count++]);
	if (out->count)
		qsort(out->group, out->count, sizeof(*out->group), compare_groups);
	memory_free(m.row);
	memory_free(m.scope);
}
