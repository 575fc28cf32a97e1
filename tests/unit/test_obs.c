/* .obs files: what is written is what the schema says (unpacked by protobuf-c), what is read is
 * what was written; files made by hand with one mistake each, cuts at every byte, flips of every
 * bit. */
#include <zlib.h>
#include "ingest/proto/obs.pb-c.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"
#include "tests/unit/written_obs.h"

static void put_step_value(struct profile *p, enum step_series_kind kind, const char *device,
	size_t step, int64_t value_ps)
{
	step_series_add(&p->series, p->arena, kind, device, p->step_count)[step] = value_ps;
}

/* Series of all steps, of some, of one run, of none, and values up to the largest. */
static void put_odd_series(struct profile *const *p)
{
	for (size_t i = 0; i < p[0]->step_count; i++) {
		put_step_value(p[0], SERIES_PERIOD, "", i, (int64_t)i * 77);
		put_step_value(p[0], SERIES_COMPUTE, "gpu:0", i, i % 3 ? INT64_MAX : 0);
		if (i % 5 == 1)
			put_step_value(p[0], SERIES_IDLE, "gpu:0", i, 1000 - (int64_t)i);
	}
	put_step_value(p[0], SERIES_MARKER, "", 4, 5);
	put_step_value(p[1], SERIES_COMPUTE, "GPU \x01 _idle", 7, 12);
	put_step_value(p[1], SERIES_SPAN, "", 3, 1);
	put_step_value(p[1], SERIES_WAITED, "gpu:1", 3, CELL_ABSENT);
	for (int i = 0; i < 2; i++)
		step_series_add_like(&p[1]->series, p[1]->arena,
			&(struct step_series){.kind = SERIES_LATE_INNERMOST,
				.device = i ? "a" : "a in b",
				.cause = i ? "b in c" : "c"},
			p[1]->step_count)[5] = 40 + i;
}

/* Two runs, gaps, values of all signs, cells that are not known, an op that never ran. */
static struct cube *odd_cube(void)
{
	struct profile *p[2] = {made_profile("r1", NULL), made_profile("r2", NULL)};
	struct error err;

	for (int64_t s = 3; s < 40; s++) {
		if (s % 5)
			put(p[0], "a/b", s, MEASURE_CPU, s * s * 1000000 - 300000000);
		put(p[0], "a/bc", s, MEASURE_CPU, 7000000);
		put(p[0], "a/bc", s, MEASURE_OCCURRENCE, s % 3 ? 1 : CELL_ABSENT);
		put(p[1], "a/bc", 2 * s, MEASURE_CPU, s == 9 ? INT64_MAX : -INT64_MAX + s);
		put(p[1], "z", 2 * s, MEASURE_REQUESTED, s * 3);
	}
	put(p[1], "z", 4, MEASURE_TIME, 12345);
	for (size_t i = 0; i < p[0]->step_count; i++) {
		struct step *step = &p[0]->step[i];

		step->has_wall = i % 7 != 2;
		step->start_ps = (int64_t)i * 1000;
		step->end_ps = step->start_ps + 900;
		step->busy_ps = 800 - (int64_t)i;
	}
	p[0]->base_ns = 1700000000000000000;
	*made_op_as(p[0], "a/b", "T", "cpu:0") = (struct op){.name = made_op(p[0], "a/b")->name,
		.type = "T",
		.device = "cpu:0",
		.shape = "[8,?]?[1]",
		.params = 12,
		.float_ops_each = 0,
		.defined = 1};
	made_op_as(p[0], "never", "V", "")->params = CELL_ABSENT;
	made_op(p[0], "never")->float_ops_each = 5;
	made_op(p[0], "never")->shape = "[2]";
	made_op(p[0], "a/bc")->float_ops_each = CELL_ABSENT;
	issue_add(&p[0]->issues, ISSUE_LOSS, "code", "what was lost", 3, "r1:byte 7");
	issue_add(&p[1]->issues, ISSUE_INFO, "other", "what was odd", 1, "");
	put_odd_series(p);
	return made_cube(p, 2, RUNS_FILES, &err);
}

static void same_op(const struct op *a, const struct op *b)
{
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->type, b->type);
	assert_string_equal(a->device, b->device);
	assert_string_equal(a->shape, b->shape);
	assert_true(a->float_ops_each == b->float_ops_each);
	assert_true(a->defined == b->defined);
	if (a->defined) /* params of an op that no graph defines say nothing */
		assert_true(a->params == b->params);
}

static const int64_t *find_like(const struct step_series_list *list, const struct step_series *like)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].kind == like->kind &&
			strcmp(list->item[i].device, like->device) == 0 &&
			strcmp(list->item[i].cause, like->cause) == 0)
			return list->item[i].value_ps;
	return NULL;
}

static void same_step_series(const struct cube *a, const struct cube *b)
{
	assert_int_equal(a->series.count, b->series.count);
	for (size_t i = 0; i < a->series.count; i++) {
		const struct step_series *x = &a->series.item[i];
		const int64_t *found = find_like(&b->series, x);

		assert_non_null(found);
		for (size_t s = 0; s < a->step_count; s++)
			assert_true(found[s] == x->value_ps[s]);
	}
}

static void same_cube(const struct cube *a, const struct cube *b)
{
	same_step_series(a, b);
	assert_int_equal(a->op_count, b->op_count);
	assert_int_equal(a->run_count, b->run_count);
	assert_int_equal(a->step_count, b->step_count);
	assert_int_equal(a->row_count, b->row_count);
	assert_string_equal(a->format_title, b->format_title);
	for (size_t r = 0; r < a->run_count; r++) {
		assert_string_equal(a->run[r].name, b->run[r].name);
		assert_int_equal(a->run[r].step_count, b->run[r].step_count);
	}
	for (size_t s = 0; s < a->step_count; s++) {
		const struct step *x = &a->step[s], *y = &b->step[s];

		assert_true(x->number == y->number && x->fingerprint == y->fingerprint &&
			    x->has_wall == y->has_wall);
		if (x->has_wall)
			assert_true(x->start_ps == y->start_ps && x->end_ps == y->end_ps &&
				    x->busy_ps == y->busy_ps && x->base_ns == y->base_ns);
	}
	for (size_t o = 0; o < a->op_count; o++) {
		same_op(&a->op[o], &b->op[o]);
		assert_int_equal(a->op_first[o + 1], b->op_first[o + 1]);
	}
	for (size_t r = 0; r < a->row_count; r++)
		assert_int_equal(a->step_of[r], b->step_of[r]);
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++) {
		assert_int_equal(a->column[m] != NULL, b->column[m] != NULL);
		/* where the source gave a derived measure for some rows, the file has it for all */
		for (uint32_t o = 0; a->column[m] && o < a->op_count; o++)
			for (size_t r = a->op_first[o]; r < a->op_first[o + 1]; r++)
				assert_true(cube_value(a, (enum measure_id)m, o, r) ==
					    cube_value(b, (enum measure_id)m, o, r));
	}
	assert_int_equal(a->issues.count, b->issues.count);
	for (size_t i = 0; i < a->issues.count; i++) {
		const struct issue *x = &a->issues.issue[i], *y = &b->issues.issue[i];

		assert_int_equal(x->severity, y->severity);
		assert_int_equal(x->count, y->count);
		assert_string_equal(x->code, y->code);
		assert_string_equal(x->text, y->text);
		assert_string_equal(x->place, y->place);
	}
}

TEST(what_is_written_is_read)
{
	struct written w;
	struct error err;
	struct merge_options merge = {.mode = RUNS_AUTO};

	write_obs(&w, odd_cube());
	struct profile *p = read_obs(w.bytes, w.size, &err);

	assert_non_null(p);
	struct cube *again = merge_profiles(&p, 1, &merge, &err);

	assert_non_null(again);
	same_cube(w.cube, again);
	profile_free(p);
	cube_free(again);
	release(&w);
}

TEST(given_totals_are_kept)
{
	struct profile *p = made_profile("r", NULL);
	struct written w;
	struct error err;
	struct merge_options merge = {.mode = RUNS_AUTO};
	size_t row;

	put_cpu(p, "s/a", 1, 5);
	put_cpu(p, "s/b", 2, 6);
	p->totals = profile_new("r");
	made_op(p->totals, "s")->type = "scope";
	profile_have(p->totals, MEASURE_CPU);
	assert_int_equal(profile_observe(p->totals, 0, 1, &row, &profile_limits_default, &err), 0);
	p->totals->obs.column[MEASURE_CPU][row] = 99;
	write_obs(&w, cube_of(p));
	outfile_discard(w.out);
	w.set.given = w.cube->given;
	w.set.given_measure =
		op_series_measures(w.cube->given, &w.rows, w.arena, &w.set.given_count);
	w.out = outfile_memory();
	assert_int_equal(observations_write_obs(&w.set, NULL, w.out, &err), 0);
	w.bytes = outfile_data(w.out, &w.size);
	p = read_obs(w.bytes, w.size, &err);
	assert_non_null(p);
	assert_non_null(p->totals);
	struct cube *again = merge_profiles(&p, 1, &merge, &err);

	same_cube(w.cube, again);
	assert_int_equal(again->given->row_count, 1);
	assert_string_equal(again->given->op[0].type, "scope");
	assert_int_equal(again->given->step_of[0], 1);
	assert_true(again->given->column[MEASURE_CPU][0] == 99);
	profile_free(p);
	cube_free(again);
	release(&w);
}

/* ---- the schema, by another implementation ---- */

/* Lengths of stretches to a flag for one place. */
static bool in_stretch(const uint64_t *length, size_t count, bool first, size_t at)
{
	for (size_t i = 0; i < count; at -= length[i++], first = !first)
		if (at < length[i])
			return first;
	return false;
}

static void check_series(const Obs__Series *series, const Obs__Obs *file, const struct cube *cube)
{
	size_t row = cube->op_first[series->op], n = 0;

	for (uint32_t s = 0; s < cube->step_count; s++) {
		if (series->n_present && !in_stretch(series->present, series->n_present, false, s))
			continue;
		assert_int_equal(cube->step_of[row + n], s);
		n++;
	}
	assert_int_equal(row + n, cube->op_first[series->op + 1]);
	for (size_t c = 0; c < series->n_column; c++) {
		const Obs__Column *column = series->column[c];
		const Obs__Measure *measure = file->measure[column->measure];
		char name[64];
		uint64_t now = 0;
		size_t at = 0;

		assert_true(measure->name.len < sizeof(name));
		memcpy(name, measure->name.data, measure->name.len);
		name[measure->name.len] = '\0';
		enum measure_id id = measure_find(name, NULL)->id;

		for (size_t i = 0; i < n; i++) {
			if (column->n_known &&
				!in_stretch(column->known, column->n_known, true, i)) {
				assert_true(
					cube_value(cube, id, series->op, row + i) == CELL_ABSENT);
				continue;
			}
			now = column->n_value == 1 ? (uint64_t)column->value[0]
						   : now + (uint64_t)column->value[at++];
			assert_true(cube_value(cube, id, series->op, row + i) ==
				    (int64_t)(now * (column->has_factor ? column->factor : 1)));
		}
	}
}

static void check_step_series(
	const Obs__StepSeries *series, size_t steps, size_t first, const struct cube *cube)
{
	char kind[64] = "", device[64] = "", cause[64] = "";
	struct step_series like = {.device = device, .cause = cause};
	uint64_t now = 0;
	size_t at = 0;

	memcpy(kind, series->kind.data, series->kind.len);
	if (series->has_device)
		memcpy(device, series->device.data, series->device.len);
	if (series->has_cause)
		memcpy(cause, series->cause.data, series->cause.len);
	assert_true(step_series_kind_of(kind, &like.kind));
	const int64_t *wanted = find_like(&cube->series, &like);

	assert_non_null(wanted);
	for (size_t i = 0; i < steps; i++) {
		if (series->n_known && !in_stretch(series->known, series->n_known, true, i)) {
			assert_true(wanted[first + i] == CELL_ABSENT);
			continue;
		}
		now += (uint64_t)series->value[at++];
		assert_true(wanted[first + i] == (int64_t)now);
	}
	assert_int_equal(at, series->n_value);
}

TEST(the_schema_explains_the_bytes)
{
	struct written w;
	char name[100] = "";

	write_obs(&w, odd_cube());
	assert_memory_equal(w.bytes, "\x0a\x0cstepstat.obs", 14);
	Obs__Obs *file = obs__obs__unpack(NULL, w.size, (const uint8_t *)w.bytes);

	assert_non_null(file);
	assert_int_equal(file->source->version, 1);
	assert_int_equal(file->n_run, 2);
	assert_int_equal(file->n_op, w.cube->op_count);
	for (size_t i = 0; i < file->n_op; i++) {
		const Obs__Op *op = file->op[i];
		size_t shared = op->has_shared ? op->shared : 0;

		memcpy(name + shared, op->rest.data, op->rest.len);
		name[shared + op->rest.len] = '\0';
		assert_string_equal(name, w.cube->op[i].name);
	}
	for (size_t r = 0, s = 0; r < 2; r++) {
		int64_t number = 0;

		assert_int_equal(file->run[r]->name.len, 2);
		/* period, compute, idle, marker; and what no step has is in the first run; compute,
		 * span, two causes */
		assert_int_equal(file->run[r]->n_series, r == 0 ? 5 : 4);
		for (size_t i = 0; i < file->run[r]->n_series; i++)
			check_step_series(
				file->run[r]->series[i], file->run[r]->n_number, s, w.cube);
		for (size_t i = 0; i < file->run[r]->n_number; i++, s++) {
			number += file->run[r]->number[i];
			assert_true(number == w.cube->step[s].number);
			assert_true(file->run[r]->fingerprint[i] == w.cube->step[s].fingerprint);
		}
	}
	assert_int_equal(file->n_series, 3);
	for (size_t i = 0; i < file->n_series; i++)
		check_series(file->series[i], file, w.cube);
	assert_int_equal(file->end->observations, w.cube->row_count);
	/* the last element: tag, length, contents */
	size_t end = 2 + obs__end__get_packed_size(file->end);

	assert_true(
		file->end->crc32 == crc32(0, (const unsigned char *)w.bytes, (uInt)(w.size - end)));
	obs__obs__free_unpacked(file, NULL);
	release(&w);
}

TEST(repeated_values_cost_little)
{
	struct profile *p = made_profile("r", NULL);
	struct written w;

	for (int64_t s = 0; s < 10000; s++) {
		put_cpu(p, "a", s, 5);
		put(p, "a", s, MEASURE_REQUESTED, 4096);
	}
	write_obs(&w, cube_of(p));
	/* a number and a fingerprint for each step, and next to nothing for the values */
	assert_true(w.size < 10000 * 9 + 200);
	release(&w);
}

TEST(what_a_file_cannot_hold)
{
	struct written w;
	struct error err;

	write_obs(&w, odd_cube());
	w.rows.group[1].name = w.rows.group[0].name;
	assert_int_equal(observations_write_obs(&w.set, NULL, w.out, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "on-collision");
	w.cube->totals = true;
	assert_int_equal(observations_write_obs(&w.set, NULL, w.out, &err), -1);
	assert_string_equal(err.place, "--value");
	w.cube->totals = false;
	release(&w);
}

/* ---- damage ---- */

static void refused(const void *bytes, size_t size, const char *what, size_t at)
{
	struct error err;
	struct profile *p = read_obs(bytes, size, &err);

	if (p || (err.kind != ERROR_INPUT && err.kind != ERROR_LIMIT) || !err.message[0] ||
		!err.place[0])
		fail_msg("%s at %zu: %s", what, at, p ? "taken" : err.message);
	profile_free(p);
}

TEST(every_cut_and_every_flip_is_seen)
{
	struct profile *p = made_profile("r", NULL);
	struct written w;

	for (int64_t s = 0; s < 6; s++) {
		put_cpu(p, "a", s, 5 + s);
		put(p, s % 2 ? "b" : "c", s, MEASURE_REQUESTED, s);
	}
	p->step[1].has_wall = true;
	made_op_as(p, "b", "T", "d");
	write_obs(&w, cube_of(p));
	for (size_t n = 0; n < w.size; n++) {
		char *copy = malloc(n ? n : 1); /* exact, for the address sanitizer */

		memcpy(copy, w.bytes, n);
		refused(copy, n, "cut", n);
		free(copy);
	}
	char *copy = malloc(w.size + 1);

	memcpy(copy, w.bytes, w.size);
	for (size_t bit = 0; bit < 8 * w.size; bit++) {
		copy[bit / 8] ^= (char)(1 << bit % 8);
		refused(copy, w.size, "flip", bit);
		copy[bit / 8] ^= (char)(1 << bit % 8);
	}
	copy[w.size] = 0;
	refused(copy, w.size + 1, "a byte more", w.size);
	free(copy);
	release(&w);
}

/* The device "d" computed for 1 and 3 ps in steps 1 and 3. */
static void put_series_of_steps(struct text *run, const char *change)
{
	const bool alone = text_equal(change, "device none");
	struct text e;

	text_init(&e);
	for (int i = 0; i < 1 + text_equal(change, "durations twice"); i++) {
		if (!text_equal(change, "kind none"))
			put_string(&e, 1,
				text_equal(change, "kind unknown")     ? "heat"
				: text_equal(change, "device of step") ? "span"
								       : "compute");
		if (!alone)
			put_bytes(&e, 2, text_equal(change, "device zero") ? "a\0b" : "d",
				text_equal(change, "device zero") ? 3 : 1);
		put_bytes(&e, 3, text_equal(change, "durations long") ? "\x01\x03" : "\x01\x01\x01",
			text_equal(change, "durations long") ? 2 : 3);
		put_bytes(&e, 4, text_equal(change, "durations negative") ? "\x02\x05" : "\x02\x04",
			text_equal(change, "durations few") ? 1 : 2);
		put_message(run, 9, &e);
	}
	text_release(&e);
}

/* Calls of op 0 in the group of text 1: steps 1, 1, 2, numbers 5, 6, 7, durations 3, unknown, 2. */
static void put_calls_by_hand(struct text *file, const char *change)
{
	struct text e;

	text_init(&e);
	put_number(&e, 1, text_equal(change, "calls op") ? 1 : 0);
	put_number(&e, 2, text_equal(change, "calls group") ? 2 : 1);
	put_bytes(&e, 3,
		text_equal(change, "calls late")    ? "\x02\x00\x04"
		: text_equal(change, "calls early") ? "\x01\x00\x02"
						    : "\x02\x00\x02",
		3);
	put_bytes(&e, 4, text_equal(change, "calls number") ? "\x03\x02\x02" : "\x0a\x02\x02",
		text_equal(change, "calls few numbers") ? 2 : 3);
	put_bytes(&e, 5, text_equal(change, "calls negative") ? "\x06\x09\x06" : "\x06\x07\x06",
		text_equal(change, "calls few") ? 2 : 3);
	put_message(file, 11, &e);
	text_release(&e);
}

/* A small file, element by element; `change` says which part is left out or other. */
static void make_file(struct text *t, const char *change)
{
	struct text e, part;
	bool twice = text_equal(change, "op twice");

	text_init(&e);
	text_init(&part);
	put_string(t, 1, text_equal(change, "magic") ? "stepstat.OBS" : "stepstat.obs");
	put_number(&e, 1, text_equal(change, "version") ? 3 : 1);
	if (!text_equal(change, "no source"))
		put_message(t, 2, &e);
	if (text_equal(change, "source twice")) {
		put_number(&e, 1, 1);
		put_message(t, 2, &e);
	}
	text_clear(&e);
	if (text_equal(change, "issue")) {
		put_number(&e, 1, 3);
		put_string(&e, 2, "c");
		put_string(&e, 3, "t");
		put_number(&e, 5, 1);
		put_message(t, 3, &e);
	}
	for (int i = 0; i < 1 + text_equal(change, "measure twice"); i++) {
		put_string(&e, 1, text_equal(change, "measure unknown") ? "heat" : "cpu");
		put_string(&e, 2, text_equal(change, "measure unit") ? "us" : "ps");
		put_message(t, 4, &e);
	}
	put_string(t, 5, "T");
	put_string(&e, 1, "r");
	put_bytes(&e, 2, "\x02\x02\x02", text_equal(change, "numbers") ? 2 : 3); /* steps 1, 2, 3 */
	put_bytes(&e, 3, "aaaaaaaabbbbbbbbcccccccc", 24);
	if (text_equal(change, "times"))
		put_bytes(&e, 4, "\x03", 1);
	put_series_of_steps(&e, change);
	put_message(t, 6, &e);
	for (int i = 0; i < 1 + twice; i++) {
		put_number(&e, 1, text_equal(change, "op shared") ? 1 : 0);
		put_bytes(&e, 2, text_equal(change, "op zero") ? "o\0p" : "op",
			text_equal(change, "op zero") ? 3 : 2);
		put_number(&e, 3, text_equal(change, "op type") ? 2 : 1);
		put_message(t, 7, &e);
	}
	put_number(&e, 1, text_equal(change, "series op") ? 1 : 0);
	put_bytes(&e, 2, text_equal(change, "present long") ? "\x01\x03" : "\x01\x02",
		text_equal(change, "present none") ? 1 : 2);
	put_number(&part, 1, text_equal(change, "column measure") ? 1 : 0);
	put_number(&part, 2, 10);
	put_bytes(&part, 3, "\x02\x04\x06", text_equal(change, "values many") ? 3 : 2);
	if (text_equal(change, "known long"))
		put_bytes(&part, 4, "\x01\x02", 2);
	if (text_equal(change, "known none"))
		put_bytes(&part, 4, "\x00\x02", 2);
	for (int i = 0; i < 1 + text_equal(change, "column twice"); i++)
		put_bytes(&e, 3, part.data, part.size);
	for (int i = 0; i < 1 + text_equal(change, "series twice"); i++)
		put_bytes(t, 8, e.data, e.size);
	put_calls_by_hand(t, change);
	if (text_equal(change, "order"))
		put_string(t, 5, "U");
	if (text_equal(change, "later field"))
		put_string(t, 14, "news");
	uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)t->data, (uInt)t->size);

	text_clear(&e);
	put_number(&e, 1,
		text_equal(change, "observations")   ? 3
		: text_equal(change, "series twice") ? 4
						     : 2);
	put_varint(&e, 2 << 3 | 5);
	for (int i = 0; i < 4; i++)
		text_add_char(&e, (char)(crc >> 8 * i));
	put_message(t, 15, &e);
	text_release(&e);
	text_release(&part);
}

TEST(files_by_hand)
{
	static const char *const bad[] = {"magic", "version", "no source", "source twice", "issue",
		"measure twice", "numbers", "times", "op twice", "op shared", "op zero", "op type",
		"series op", "present long", "present none", "column measure", "values many",
		"known long", "known none", "column twice", "series twice", "order", "kind none",
		"device none", "device zero", "device of step", "durations twice", "durations long",
		"durations few", "durations negative", "calls op", "calls group", "calls late",
		"calls early", "calls number", "calls few numbers", "calls negative", "calls few",
		"observations"};
	struct text t;
	struct error err;

	text_init(&t);
	make_file(&t, "");
	struct profile *p = read_obs(t.data, t.size, &err);

	assert_non_null(p);
	assert_int_equal(p->obs.count, 2);
	assert_int_equal(p->step[2].number, 3);
	assert_string_equal(p->step[0].run, "r");
	assert_true(p->step[0].fingerprint == UINT64_C(0x6161616161616161));
	assert_string_equal(p->op[0].type, "T");
	assert_int_equal(p->obs.step[0], 1);
	assert_true(p->obs.column[MEASURE_CPU][0] == 10 && p->obs.column[MEASURE_CPU][1] == 30);
	const int64_t *computes = step_series_find(&p->series, SERIES_COMPUTE, "d");

	assert_true(computes[0] == 1 && computes[1] == CELL_ABSENT && computes[2] == 3);
	assert_int_equal(p->collectives.count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct collective_call *call = &p->collectives.call[i];

		assert_true(call->op == 0 && call->step == (i < 2 ? 1 : 2));
		assert_string_equal(call->group, "T");
		assert_int_equal(call->sequence, 5 + i);
		assert_int_equal(call->dur_ps, i == 0 ? 3 : i == 1 ? COLLECTIVE_UNKNOWN : 2);
	}
	profile_free(p);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		text_clear(&t);
		make_file(&t, bad[i]);
		refused(t.data, t.size, bad[i], 0);
	}
	text_release(&t);
}

TEST(what_other_versions_may_add)
{
	static const char *const changes[] = {
		"later field", "measure unknown", "measure unit", "kind unknown"};
	struct text t;
	struct error err;

	text_init(&t);
	for (size_t i = 0; i < 4; i++) {
		text_clear(&t);
		make_file(&t, changes[i]);
		struct profile *p = read_obs(t.data, t.size, &err);

		assert_non_null(p);
		assert_int_equal(p->obs.count, 2);
		assert_int_equal(p->issues.count, i > 0);
		if (i > 0) {
			assert_string_equal(p->issues.issue[0].code,
				i == 3 ? "step-series-unknown" : "measure-unknown");
			assert_int_equal(p->issues.issue[0].severity, ISSUE_LOSS);
			assert_true((p->obs.column[MEASURE_CPU] == NULL) == (i < 3));
			assert_int_equal(p->series.count, i < 3);
		}
		profile_free(p);
	}
	text_clear(&t);
	make_file(&t, "version");
	assert_null(read_obs(t.data, t.size, &err));
	assert_string_equal(
		err.message, "version 3 of the format, this program reads versions up to 2");
	text_release(&t);
}

TEST(limits)
{
	struct written w;
	struct error err;
	struct read_options opt = read_options_default;

	write_obs(&w, odd_cube());
	opt.limits.steps = 70;
	assert_null(read_obs_with(w.bytes, w.size, &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	opt = read_options_default;
	opt.limits.observations = 100;
	assert_null(read_obs_with(w.bytes, w.size, &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	opt = read_options_default;
	opt.max_record_bytes = 50;
	assert_null(read_obs_with(w.bytes, w.size, &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	/* of a/b, a/bc, never, z the last two are one; z alone has rows */
	opt = read_options_default;
	opt.limits.ops = 2;
	struct profile *p = read_obs_with(w.bytes, w.size, &opt, &err);

	assert_non_null(p);
	assert_int_equal(p->op_count, 3);
	assert_string_equal(p->op[2].name, "[other names]");
	assert_int_equal(p->obs.count, w.cube->row_count);
	/* now a/b is one of several too: its rows are added to those of a/bc and z */
	profile_free(p);
	opt.limits.ops = 1;
	p = read_obs_with(w.bytes, w.size, &opt, &err);
	assert_non_null(p);
	assert_int_equal(p->op_count, 2);
	assert_int_equal(
		p->issues.issue[0].count + p->issues.issue[1].count + p->issues.issue[2].count,
		3 + 3 + 1);
	profile_free(p);
	release(&w);
}

/* Two observations fit, the durations of three steps do not: they are left out and reported. */
TEST(limit_of_durations)
{
	struct read_options opt = read_options_default;
	struct error err;
	struct text t;

	text_init(&t);
	make_file(&t, "");
	opt.limits.observations = 2;
	struct profile *p = read_obs_with(t.data, t.size, &opt, &err);

	assert_non_null(p);
	assert_int_equal(p->obs.count, 2);
	assert_int_equal(p->series.count, 0);
	assert_int_equal(p->issues.count, 1);
	assert_string_equal(p->issues.issue[0].code, "step-series-limit");
	assert_int_equal(p->issues.issue[0].severity, ISSUE_LOSS);
	profile_free(p);
	text_release(&t);
}

TEST(is_detected)
{
	struct probe p = {.bytes = (const unsigned char *)"\x0a\x0cstepstat.obs\x12\x02",
		.size = 16,
		.path = "profile_100"};
	struct error err;

	assert_string_equal(reader_detect(&p, &err)->name, "obs");
	p.size = 13;
	assert_int_equal(reader_find("obs", &err)->probe(&p), 0);
}
