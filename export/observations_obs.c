/* The binary form of observations: protobuf elements, one op in memory at a time. Its schema with
 * all explanations is ingest/proto/obs.proto. */
#include "export/observations.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "export/obs_writer.h"
#include "model/own/measure_own.h"

/* The same of the steps that are listed, beginning with those that are not; nothing when all
 * are. */
static void list_steps(struct obs_writer *w, const uint32_t *step, size_t n, size_t count)
{
	size_t end = 0; /* of the last stretch */

	if (n == count)
		return;
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && step[next] == step[next - 1] + 1;)
			next++;
		protobuf_add_varint(&w->list, step[i] - end);
		protobuf_add_varint(&w->list, next - i);
		end = step[next - 1] + 1;
	}
	if (end < count)
		protobuf_add_varint(&w->list, count - end);
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* ---- what is not observations ---- */

static void add_bound(struct text *to, uint32_t field, int64_t bound)
{
	if (bound != EFFECT_UNKNOWN)
		protobuf_add_number(to, field, (uint64_t)bound);
}

static void write_source(struct obs_writer *w)
{
	const struct cube *cube = w->set->cube;

	protobuf_add_number(
		&w->element, OBS_SOURCE_VERSION, w->has_sums ? OBS_VERSION_SUMS : OBS_VERSION);
	if (cube->format_title)
		protobuf_add_string(&w->element, OBS_SOURCE_TITLE, cube->format_title);
	if (w->set->printed)
		protobuf_add_number(&w->element, OBS_SOURCE_PRINTED, 1);
	if (cube->benchmarks)
		protobuf_add_number(&w->element, OBS_SOURCE_BENCHMARKS, 1);
	for (enum fact_id id = 0; id < FACT_COUNT; id++)
		for (size_t i = 0; i < cube->facts.of[id].count; i++) {
			const struct fact_value *value = &cube->facts.of[id].value[i];

			text_clear(&w->part);
			protobuf_add_string(&w->part, OBS_FACT_NAME, fact_name(id));
			protobuf_add_string(&w->part, OBS_FACT_VALUE, value->text);
			protobuf_add_number(&w->part, OBS_FACT_FILES, value->files);
			protobuf_add_message(&w->element, OBS_SOURCE_FACT, &w->part);
		}
	obs_write_element(w, OBS_SOURCE, &w->element);
	for (size_t i = 0; i < cube->issues.count; i++) {
		const struct issue *issue = &cube->issues.issue[i];

		protobuf_add_number(&w->element, OBS_ISSUE_SEVERITY, (uint64_t)issue->severity);
		protobuf_add_string(&w->element, OBS_ISSUE_CODE, issue->code);
		protobuf_add_string(&w->element, OBS_ISSUE_TEXT, issue->text);
		if (issue->place && *issue->place)
			protobuf_add_string(&w->element, OBS_ISSUE_PLACE, issue->place);
		protobuf_add_number(&w->element, OBS_ISSUE_COUNT, issue->count);
		if (issue->effect.unit != EFFECT_NONE) {
			protobuf_add_string(&w->element, OBS_ISSUE_ROW, issue->effect.row);
			protobuf_add_number(
				&w->element, OBS_ISSUE_UNIT, (uint64_t)issue->effect.unit);
			add_bound(&w->element, OBS_ISSUE_LOW, issue->effect.low);
			add_bound(&w->element, OBS_ISSUE_HIGH, issue->effect.high);
			add_bound(&w->element, OBS_ISSUE_RECORDED, issue->effect.recorded);
			if (issue->effect.steps && *issue->effect.steps)
				protobuf_add_string(
					&w->element, OBS_ISSUE_STEPS, issue->effect.steps);
		}
		if (issue->loss.kind != LOSS_NONE) {
			protobuf_add_number(
				&w->element, OBS_ISSUE_LOSS, (uint64_t)issue->loss.kind);
			protobuf_add_number(
				&w->element, OBS_ISSUE_LOST, (uint64_t)issue->loss.lost);
			protobuf_add_number(&w->element, OBS_ISSUE_ALL, (uint64_t)issue->loss.all);
		}
		obs_write_element(w, OBS_ISSUE, &w->element);
	}
}

static void add_base_unit(const struct measure *measure, struct text *out)
{
	if (measure_is_own(measure->id)) {
		measure_add_unit(measure, true, out);
		measure_add_direction(measure, out);
		return;
	}
	text_add(out, measure_base_unit(measure));
}

static void add_measures(
	struct obs_writer *w, const enum measure_id *measure, size_t count, size_t *known)
{
	struct text unit;

	text_init(&unit);
	for (size_t m = 0; m < count; m++) {
		if (measure_at(measure[m])->kind == MEASURE_STATIC ||
			w->number[measure[m]] != UINT8_MAX)
			continue;
		w->number[measure[m]] = (unsigned char)(*known)++;
		text_clear(&unit);
		add_base_unit(measure_at(measure[m]), &unit);
		protobuf_add_string(&w->element, OBS_MEASURE_NAME, measure_at(measure[m])->name);
		protobuf_add_string(&w->element, OBS_MEASURE_UNIT, text_string(&unit));
		obs_write_element(w, OBS_MEASURE, &w->element);
	}
	text_release(&unit);
}

static void write_measures(struct obs_writer *w)
{
	size_t known = 0;

	memset(w->number, 0xff, sizeof(w->number));
	add_measures(w, w->set->measure, w->set->measure_count, &known);
	add_measures(w, w->set->given_measure, w->set->given_count, &known);
}

static void add_texts(
	struct obs_writer *w, const struct cube *cube, const struct grouping *grouping)
{
	for (size_t g = 0; grouping && g < grouping->count; g++) {
		const struct group *group = &grouping->group[g];
		const char *word[] = {group->type, group->device, grouping_shape(cube, group)};

		for (size_t i = 0; i < 3; i++)
			if (*word[i])
				intern_id(w->texts, word[i], strlen(word[i]));
	}
}

static uint64_t text_number(const struct obs_writer *w, const char *word)
{
	uint32_t id;

	return intern_find(w->texts, word, strlen(word), &id) ? (uint64_t)id + 1 : 0;
}

static uint64_t time_of(const struct step *step, unsigned field)
{
	return field == OBS_RUN_START  ? (uint64_t)step->start_ps
	       : field == OBS_RUN_WALL ? (uint64_t)step->end_ps - (uint64_t)step->start_ps
	       : field == OBS_RUN_BUSY ? (uint64_t)step->busy_ps
				       : (uint64_t)step->base_ns;
}

static void put_times(struct obs_writer *w, const struct step *const *step, size_t count)
{
	static const unsigned fields[] = {
		OBS_RUN_START, OBS_RUN_WALL, OBS_RUN_BUSY, OBS_RUN_BASE_NS, OBS_RUN_START_NS};
	bool *timed = arena_array(w->arena, count, sizeof(*timed));
	uint64_t *value = obs_room(w, count);

	for (size_t i = 0; i < count; i++)
		timed[i] = step_knows_busy(step[i]); /* the format has all times or none */
	obs_put_stretches(w, &w->element, OBS_RUN_TIMED, timed, count, false);
	for (size_t f = 0; f < sizeof(fields) / sizeof(*fields); f++) {
		const unsigned field = fields[f];
		bool any = field == OBS_RUN_START; /* bases that are all unknown are left out */
		size_t n = 0;

		for (size_t i = 0; i < count; i++)
			if (timed[i] == (field != OBS_RUN_START_NS)) {
				value[n] = time_of(step[i], field);
				any |= value[n++] != 0;
			}
		if (field == OBS_RUN_WALL || field == OBS_RUN_BUSY)
			obs_put_plain(w, &w->element, field, value, n);
		else if (any)
			obs_put_differences(w, &w->element, field, value, n);
	}
}

/* One series of the steps from..to of the set; `anyway`: also where none of them has a value. */
static void put_series(
	struct obs_writer *w, const struct step_series *series, size_t from, size_t to, bool anyway)
{
	bool *known = arena_array(w->arena, to - from, sizeof(bool));
	uint64_t *value = obs_room(w, to - from);
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		const int64_t now = series->value_ps[w->set->steps->step[i]];

		known[i - from] = now != CELL_ABSENT;
		if (known[i - from])
			value[n++] = (uint64_t)now;
	}
	if (!n && !anyway)
		return;
	text_clear(&w->part);
	protobuf_add_string(&w->part, OBS_STEP_SERIES_KIND, step_series_name(series->kind));
	if (*series->device)
		protobuf_add_string(&w->part, OBS_STEP_SERIES_DEVICE, series->device);
	if (*series->cause)
		protobuf_add_string(&w->part, OBS_STEP_SERIES_CAUSE, series->cause);
	obs_put_stretches(w, &w->part, OBS_STEP_SERIES_KNOWN, known, to - from, true);
	obs_put_differences(w, &w->part, OBS_STEP_SERIES_VALUE, value, n);
	protobuf_add_message(&w->element, OBS_RUN_SERIES, &w->part);
}

static void put_kinds(struct obs_writer *w, const struct step *const *step, size_t count)
{
	struct intern *kinds = intern_new(w->arena);
	uint64_t *value = obs_room(w, count);
	struct text words;

	text_init(&words);
	for (size_t i = 0; i < count; i++)
		if (step[i]->kind)
			intern_copy(kinds, step[i]->kind);
	for (uint32_t k = 0; k < intern_count(kinds); k++)
		text_printf(&words, "%s%s", k ? "\n" : "", intern_name(kinds, k));
	if (words.size) {
		protobuf_add_string(&w->element, OBS_RUN_KINDS, text_string(&words));
		for (size_t i = 0; i < count; i++)
			value[i] =
				step[i]->kind
					? intern_id(kinds, step[i]->kind, strlen(step[i]->kind)) + 1
					: 0;
		obs_put_plain(w, &w->element, OBS_RUN_KIND, value, count);
	}
	text_release(&words);
}

static void write_run(struct obs_writer *w, size_t r)
{
	const struct step_set *steps = w->set->steps;
	size_t first = steps->first[r], count = steps->first[r + 1] - first;
	const struct step **step = arena_array(w->arena, count, sizeof(*step));
	uint64_t *number = obs_room(w, count);

	for (size_t i = 0; i < count; i++) {
		step[i] = &w->set->cube->step[steps->step[first + i]];
		number[i] = (uint64_t)step[i]->number;
	}
	if (!w->has_sums) /* it is called by the name of its file */
		protobuf_add_string(
			&w->element, OBS_RUN_NAME, w->set->cube->run[steps->run[r]].name);
	obs_put_differences(w, &w->element, OBS_RUN_NUMBER, number, count);
	put_kinds(w, step, count);
	for (size_t i = 0; i < count; i++) {
		uint64_t print = step[i]->fingerprint;

		/* A part joins those of its ranks, in any order of merges to the same. */
		protobuf_add_fixed(&w->list,
			w->set->changed && !w->has_sums ? intern_hash(&print, sizeof(print), 1)
							: print,
			8);
	}
	obs_put_list(w, &w->element, OBS_RUN_FINGERPRINT);
	put_times(w, step, count);
	for (size_t i = 0; i < w->set->cube->series.count && !w->has_sums; i++) {
		const struct step_series *series = &w->set->cube->series.item[i];

		put_series(w, series, first, first + count,
			r == 0 && !op_series_step_known(w->set, series));
	}

	const struct run *run = &w->set->cube->run[steps->run[r]];

	if (run->rank)
		protobuf_add_string(&w->element, OBS_RUN_RANK, run->rank);
	if (run->rank && run->rank_group)
		protobuf_add_string(&w->element, OBS_RUN_RANK_GROUP, run->rank_group);
	obs_write_element(w, OBS_RUN, &w->element);
}

/* ---- ops ---- */

/* The rows with, between them in order of name, those that never ran. */
static const struct group **order_groups(struct obs_writer *w, size_t *count)
{
	const struct grouping *rows = w->set->rows, *all = w->set->all;
	const struct group **out =
		arena_array(w->arena, rows->count + (all ? all->count : 0), sizeof(*out));
	size_t next = 0, n = 0;

	for (size_t g = 0; all && g < all->count; g++) {
		int order = 1;

		while (next < rows->count &&
			(order = strcmp(rows->group[next].name, all->group[g].name)) < 0)
			out[n++] = &rows->group[next++];
		if (order != 0 || next == rows->count)
			out[n++] = &all->group[g];
	}
	while (next < rows->count)
		out[n++] = &rows->group[next++];
	*count = n;
	return out;
}

/* ---- observations ---- */

/* The values of one measure in the `n` steps where the op is present: value[i] where known[i]. */
static void put_column(
	struct obs_writer *w, enum measure_id id, const int64_t *value, const bool *known, size_t n)
{
	uint64_t *number = obs_room(w, n), factor = 0;
	bool constant = true;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t a = factor, b = magnitude(value[i]), rest;

		if (!known[i])
			continue;
		number[count++] = (uint64_t)value[i];
		constant &= number[count - 1] == number[0];
		for (; a != 1 && b; rest = a % b, a = b, b = rest)
			;
		factor = a;
	}
	if (!count)
		return;
	text_clear(&w->part);
	protobuf_add_number(&w->part, OBS_COLUMN_MEASURE, w->number[id]);
	if (factor > 1)
		protobuf_add_number(&w->part, OBS_COLUMN_FACTOR, factor);
	count = constant ? 1 : count;
	for (size_t i = 0; factor > 1 && i < count; i++) {
		const uint64_t units = magnitude((int64_t)number[i]) / factor;

		number[i] = (int64_t)number[i] < 0 ? 0 - units : units;
	}
	obs_put_differences(w, &w->part, OBS_COLUMN_VALUE, number, count);
	obs_put_stretches(w, &w->part, OBS_COLUMN_KNOWN, known, n, true);
	protobuf_add_message(&w->element, OBS_SERIES_COLUMN, &w->part);
}

struct gathered {
	int64_t *value;
	bool *known;
};

static void write_series(struct obs_writer *w, struct op_series *series, struct gathered *g,
	size_t op, unsigned field)
{
	protobuf_add_number(&w->element, OBS_SERIES_OP, op);
	list_steps(w, series->step, series->ran, series->step_count);
	obs_put_list(w, &w->element, OBS_SERIES_PRESENT);
	for (size_t m = 0; m < series->measure_count; m++) {
		size_t n = 0;

		if (!series->value[m])
			continue;
		for (; n < series->ran; n++) {
			g->value[n] = series->value[m][series->step[n]];
			g->known[n] = series->state[m][series->step[n]] == 1;
		}
		put_column(w, series->measure[m], g->value, g->known, n);
	}
	obs_write_element(w, field, &w->element);
}

static void write_table(
	struct obs_writer *w, const struct group *const *group, size_t count, bool given)
{
	struct op_series series;
	struct gathered gathered;

	op_series_init(&series, w->set, given, w->arena);
	gathered.value = arena_array(w->arena, series.step_count, sizeof(int64_t));
	gathered.known = arena_array(w->arena, series.step_count, sizeof(bool));
	w->name = NULL;
	for (size_t g = 0; g < count; g++) {
		unsigned field = given ? OBS_TOTAL_OP : OBS_OP;
		const char *shape = grouping_shape(series.cube, group[g]);
		int64_t value;

		obs_put_name(w, group[g]->name, OBS_OP_SHARED, OBS_OP_REST);
		if (*group[g]->type)
			protobuf_add_number(
				&w->element, OBS_OP_TYPE, text_number(w, group[g]->type));
		if (*group[g]->device)
			protobuf_add_number(
				&w->element, OBS_OP_DEVICE, text_number(w, group[g]->device));
		if (grouping_static(series.cube, group[g], MEASURE_PARAMS, &value))
			protobuf_add_number(&w->element, OBS_OP_PARAMS, (uint64_t)value);
		value = op_series_float_ops_each(series.cube, group[g]);
		if (value != CELL_ABSENT)
			protobuf_add_number(&w->element, OBS_OP_FLOAT_OPS_EACH, (uint64_t)value);
		if (grouping_static(series.cube, group[g], MEASURE_DEFINED, &value) && value)
			protobuf_add_number(&w->element, OBS_OP_DEFINED, (uint64_t)value);
		if (*shape)
			protobuf_add_number(&w->element, OBS_OP_SHAPE, text_number(w, shape));
		obs_write_element(w, field, &w->element);
	}
	for (size_t g = 0; g < count; g++) {
		op_series_read(&series, group[g]);
		if (!series.ran)
			continue;
		w->observations += series.ran;
		write_series(w, &series, &gathered, g, given ? OBS_TOTAL_SERIES : OBS_SERIES);
	}
}

/* ---- collectives ---- */

/* A call of a row, in a step of the set. */
struct placed_call {
	uint32_t step;
	const struct collective_call *call;
};

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Order by group and step; equal calls stay in their order, which is that of their start. */
ORDERED(compare_placed, struct placed_call,
	compare_texts(x->call->group, y->call->group)
		?: ORDER(x->step, y->step)
		?: ORDER(x->call, y->call));

/* Calls of one op that are in the steps of the row. */
static size_t place_calls(const struct obs_writer *w, const struct group *group,
	const struct collective_call *const *call, size_t count, struct placed_call *placed)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const uint32_t step = w->set->steps->index_of[call[i]->step];

		if (step != STEP_NOT_KEPT && group_has_step(group, call[i]->step))
			placed[n++] = (struct placed_call){step, call[i]};
	}
	return n;
}

/* The calls of one row and group of processes. */
static void write_calls(
	struct obs_writer *w, size_t row, const struct placed_call *placed, size_t n)
{
	const char *group = placed->call->group;
	uint64_t *value = obs_room(w, n);
	bool any = false;

	protobuf_add_number(&w->element, OBS_COLLECTIVES_OP, row);
	if (group)
		protobuf_add_number(&w->element, OBS_COLLECTIVES_GROUP, text_number(w, group));
	for (size_t i = 0; i < n; i++)
		value[i] = placed[i].step;
	obs_put_differences(w, &w->element, OBS_COLLECTIVES_STEP, value, n);
	for (size_t i = 0; i < n; i++) {
		value[i] = (uint64_t)placed[i].call->sequence;
		any |= placed[i].call->sequence != COLLECTIVE_UNKNOWN;
	}
	if (any)
		obs_put_differences(w, &w->element, OBS_COLLECTIVES_SEQUENCE, value, n);
	for (size_t i = 0; i < n; i++)
		value[i] = (uint64_t)placed[i].call->dur_ps;
	obs_put_differences(w, &w->element, OBS_COLLECTIVES_DURATION, value, n);
	obs_write_element(w, OBS_COLLECTIVES, &w->element);
}

static void write_collectives(struct obs_writer *w, const struct group *const *group, size_t count)
{
	size_t *of;
	const struct collective_call *const *call = op_series_calls(w->set->cube, w->arena, &of);
	struct placed_call *placed =
		arena_array(w->arena, w->set->cube->collectives.count, sizeof(*placed));

	for (size_t g = 0; g < count; g++) {
		size_t n = 0, next;

		for (size_t k = 0; k < group[g]->op_count; k++) {
			const size_t *first = &of[group[g]->op[k]];

			n += place_calls(w, group[g], call + *first, first[1] - *first, placed + n);
		}
		if (n)
			qsort(placed, n, sizeof(*placed), compare_placed);
		for (size_t first = 0; first < n; first = next) {
			for (next = first + 1; next < n && compare_texts(placed[next].call->group,
								   placed[first].call->group) == 0;)
				next++;
			write_calls(w, g, &placed[first], next - first);
		}
	}
}

static void add_group_texts(struct obs_writer *w)
{
	const struct collective_calls *calls = &w->set->cube->collectives;

	for (size_t i = 0; i < calls->count; i++) {
		const char *group = calls->call[i].group;

		if (group && w->set->steps->index_of[calls->call[i].step] != STEP_NOT_KEPT)
			intern_id(w->texts, group, strlen(group));
	}
}

static void write_observations(struct obs_writer *w)
{
	const struct observation_set *set = w->set;
	struct grouping scopes = {0};
	const struct group **group, **scope;
	size_t count;

	text_add(&w->element, OBS_MAGIC_TEXT);
	obs_write_element(w, OBS_MAGIC, &w->element);
	if (set->given)
		scopes = op_series_each_op(set->given, w->arena);
	group = order_groups(w, &count);
	scope = arena_array(w->arena, scopes.count, sizeof(*scope));
	for (size_t g = 0; g < scopes.count; g++)
		scope[g] = &scopes.group[g];
	add_texts(w, set->cube, set->rows);
	add_texts(w, set->cube, set->all);
	add_texts(w, set->given, &scopes);
	add_group_texts(w);
	write_source(w);
	write_measures(w);
	for (uint32_t i = 0; i < intern_count(w->texts); i++) {
		const char *word = intern_name(w->texts, i);

		text_add(&w->element, word);
		obs_write_element(w, OBS_TEXT, &w->element);
	}
	for (size_t r = 0; r < set->steps->run_count; r++)
		write_run(w, r);
	write_table(w, group, count, false);
	if (set->given)
		write_table(w, scope, scopes.count, true);
	write_collectives(w, group, count);
}

static int write_ranks(struct obs_writer *w, const struct job_part *part, struct error *err)
{
	struct job_sums *sums;

	/* Sums of the steps that are written. */
	struct step_sums *kept = step_sums_new(w->arena, w->set->steps->count);

	step_sums_join(kept, part->steps, w->set->steps->index_of);
	obs_write_job_steps(w, kept);
	sums = part->sums(part->context, err);
	if (!sums)
		return -1;
	obs_write_job_sums(w, sums);
	job_sums_free(sums);
	return 0;
}

int observations_write_obs(const struct observation_set *set, const struct job_part *sums,
	struct outfile *out, struct error *err)
{
	struct obs_writer w = {.set = set, .out = out, .has_sums = sums != NULL};
	int status = 0;
	const struct grouping *rows = set->rows;

	if (set->cube->totals) {
		error_set(err, ERROR_USAGE, "--value",
			"total values overlap: they are computed from a .obs file, not stored "
			"in it");
		return error_hint(err, "export without it, then report --value=total");
	}
	for (size_t g = 1; g < rows->count; g++) {
		if (strcmp(rows->group[g - 1].name, rows->group[g].name) != 0)
			continue;
		error_set(err, ERROR_USAGE, "on-collision", "two rows have the name \"%s\"",
			rows->group[g].name);
		return error_hint(err, "a .obs file has one row for each name: "
				       "on-collision: sum in stepstat.yaml adds them up");
	}
	w.arena = arena_new();
	w.texts = intern_new(w.arena);
	text_init(&w.element);
	text_init(&w.part);
	text_init(&w.list);
	write_observations(&w);
	if (sums)
		status = write_ranks(&w, sums, err);
	if (status == 0) {
		uint32_t crc = w.crc;

		protobuf_add_number(&w.element, OBS_END_OBSERVATIONS, w.observations);
		protobuf_add_tag(&w.element, OBS_END_CRC32, WIRE_FIXED32);
		protobuf_add_fixed(&w.element, crc, 4);
		obs_write_element(&w, OBS_END, &w.element);
	}
	text_release(&w.element);
	text_release(&w.part);
	text_release(&w.list);
	memory_free(w.room);
	arena_free(w.arena);
	return status;
}
