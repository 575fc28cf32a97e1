/* Series of steps and the choice of the step time: marker, span or period, of one profile and of
 * several. */
#include <math.h>
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

/* Values of a series of the whole step, one for each step; -1: not known. */
static void put_steps(
	struct profile *p, enum step_series_kind kind, const char *device, const int *value)
{
	int64_t *into = step_series_add(&p->series, p->arena, kind, device, p->step_count);

	for (size_t s = 0; s < p->step_count; s++)
		into[s] = value[s] < 0 ? CELL_ABSENT : value[s];
}

/* Three steps, each with an op of one us. */
static struct profile *three_steps(const char *name, enum measure_id id)
{
	struct profile *p = made_profile(name, NULL);

	for (int64_t s = 1; s <= 3; s++)
		put(p, "a", s, id, 1000000);
	return p;
}

static void put_walls(struct profile *p)
{
	for (size_t s = 0; s < p->step_count; s++) {
		p->step[s].has_wall = true;
		p->step[s].start_ps = (int64_t)s * 100;
		p->step[s].end_ps = (int64_t)s * 100 + 50 + (int64_t)s;
		p->step[s].busy_ps = 10;
	}
}

static struct cube *cube_asking(
	struct profile **p, size_t count, enum step_time_kind asked, struct error *err)
{
	struct merge_options opt = {.mode = RUNS_FILES, .step_time = asked};
	struct cube *cube = merge_profiles(p, count, &opt, err);

	for (size_t i = 0; i < count; i++)
		profile_free(p[i]);
	return cube;
}

static void assert_times(const struct cube *cube, enum step_time_kind kind, bool decides,
	const int *wanted, size_t count)
{
	assert_non_null(cube);
	assert_int_equal(cube->times.kind, kind);
	assert_int_equal(cube->times.decides, decides);
	assert_int_equal(cube->step_count, count);
	for (size_t s = 0; s < count; s++)
		assert_int_equal(cube->times.time_ps[s], wanted[s]);
}

#define ASSERT_TIMES(cube, kind, decides, ...)                                                     \
	assert_times(cube, kind, decides, (const int[]){__VA_ARGS__},                              \
		sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

TEST(names_are_found_again)
{
	enum step_series_kind found;

	for (enum step_series_kind kind = 0; kind < SERIES_KINDS; kind++) {
		assert_true(step_series_kind_of(step_series_name(kind), &found));
		assert_int_equal(found, kind);
	}
	assert_false(step_series_kind_of("", &found));
	assert_false(step_series_kind_of("Marker", &found));
	assert_false(step_series_kind_of("idle_", &found));
	assert_string_equal(step_time_name(STEP_TIME_AUTO), "auto");
	assert_string_equal(step_time_name(STEP_TIME_NONE), "none");
	assert_string_equal(step_time_name(STEP_TIME_PERIOD), "period");
}

TEST(a_series_is_one_per_kind_and_device)
{
	struct arena *arena = arena_new();
	struct step_series_list list = {0};
	char device[] = "gpu:10";
	const char **devices;
	int64_t *idle = step_series_add(&list, arena, SERIES_IDLE, device, 2);

	assert_true(idle[0] == CELL_ABSENT && idle[1] == CELL_ABSENT);
	idle[1] = 7;
	assert_ptr_equal(step_series_add(&list, arena, SERIES_IDLE, "gpu:10", 2), idle);
	assert_true(idle[1] == 7);
	step_series_add(&list, arena, SERIES_COMPUTE, device, 2);
	device[4] = '2'; /* "gpu:20": the names were copied */
	step_series_add(&list, arena, SERIES_COMPUTE, "gpu:9", 2);
	step_series_add(&list, arena, SERIES_MARKER, "", 2);
	assert_int_equal(list.count, 4);
	assert_ptr_equal(step_series_find(&list, SERIES_IDLE, "gpu:10"), idle);
	assert_null(step_series_find(&list, SERIES_IDLE, "gpu:9"));
	assert_null(step_series_find(&list, SERIES_SPAN, ""));
	assert_int_equal(step_series_devices(&list, arena, &devices), 2);
	assert_string_equal(devices[0], "gpu:9"); /* in natural order */
	assert_string_equal(devices[1], "gpu:10");
	arena_free(arena);
}

TEST(parts_of_a_device_are_summed)
{
	struct arena *arena = arena_new();
	struct step_series_list list = {0};
	struct device_series series;

	for (int k = SERIES_COMPUTE; k <= SERIES_IDLE; k++) {
		int64_t *value = step_series_add(&list, arena, k, "gpu:0", 2);

		value[0] = (int64_t[]){7, 20, 300, 4000}[k - SERIES_COMPUTE];
		value[1] = k == SERIES_COPIES ? CELL_ABSENT : 1;
	}
	step_series_add(&list, arena, SERIES_COMPUTE, "gpu:1", 2)[0] = 9;
	device_series_find(&list, "gpu:0", &series);
	assert_ptr_equal(
		series.value_ps[SERIES_COPIES], step_series_find(&list, SERIES_COPIES, "gpu:0"));
	assert_null(series.value_ps[SERIES_HIDDEN]);
	assert_true(device_series_sum(&series, SERIES_COMPUTE, 0) == 7);
	assert_true(device_series_sum(&series, SERIES_COPIES, 0) == 327);
	assert_true(device_series_sum(&series, SERIES_IDLE, 0) == 4327);
	assert_true(device_series_sum(&series, SERIES_COMMUNICATION, 1) == 2);
	assert_true(isnan(device_series_sum(&series, SERIES_COPIES, 1)));
	assert_true(isnan(device_series_sum(&series, SERIES_IDLE, 1)));
	device_series_find(&list, "gpu:1", &series);
	assert_true(device_series_sum(&series, SERIES_COMPUTE, 0) == 9);
	assert_true(isnan(device_series_sum(&series, SERIES_COMMUNICATION, 0)));
	assert_true(isnan(step_series_value(NULL, 0)));
	arena_free(arena);
}

TEST(a_join_puts_steps_where_the_map_says)
{
	struct arena *arena = arena_new();
	struct step_series_list from = {0}, into = {0};
	const uint32_t map[3] = {3, UINT32_MAX, 0};
	int64_t *value = step_series_add(&from, arena, SERIES_MARKER, "", 3);
	const int64_t *found;

	for (int s = 0; s < 3; s++)
		value[s] = 10 + s;
	step_series_join(&into, arena, 4, &from, 3, map);
	found = step_series_find(&into, SERIES_MARKER, "");
	assert_true(found[0] == 12 && found[1] == CELL_ABSENT && found[2] == CELL_ABSENT &&
		    found[3] == 10);
	into = (struct step_series_list){0};
	step_series_join(&into, arena, 3, &from, 3, NULL);
	found = step_series_find(&into, SERIES_MARKER, "");
	assert_true(found[0] == 10 && found[2] == 12);
	arena_free(arena);
}

TEST(the_marker_comes_first)
{
	struct profile *p = three_steps("r", MEASURE_CPU);
	struct error err;

	put_steps(p, SERIES_MARKER, "", (const int[]){5, 6, 7});
	put_steps(p, SERIES_SPAN, "", (const int[]){8, 9, 10});
	put_walls(p);
	struct cube *cube = cube_asking(&p, 1, STEP_TIME_AUTO, &err);

	ASSERT_TIMES(cube, STEP_TIME_MARKER, true, 5, 6, 7);
	cube_free(cube);
}

/* One step without a marker, and it is the span of all; it decides with an accelerator alone. */
TEST(else_the_span_of_every_step)
{
	struct error err;

	for (int accelerator = 0; accelerator < 2; accelerator++) {
		struct profile *p =
			three_steps("r", accelerator ? MEASURE_ACCELERATOR : MEASURE_CPU);

		put_steps(p, SERIES_MARKER, "", (const int[]){5, -1, 7});
		put_steps(p, SERIES_SPAN, "", (const int[]){8, 9, -1});
		put_walls(p);
		struct cube *cube = cube_asking(&p, 1, STEP_TIME_AUTO, &err);

		/* the third step has a wall time alone: 50 + 2 */
		ASSERT_TIMES(cube, STEP_TIME_SPAN, accelerator, 8, 9, 52);
		cube_free(cube);
	}
}

/* Marks that are points have periods alone: what a step takes is no span of its events. */
TEST(points_have_their_periods)
{
	struct profile *p = three_steps("r", MEASURE_CPU);
	struct error err;

	put_steps(p, SERIES_PERIOD, "", (const int[]){8, 9, -1});
	put_steps(p, SERIES_SPAN, "", (const int[]){5, 6, 7});
	put_walls(p);
	struct cube *cube = cube_asking(&p, 1, STEP_TIME_AUTO, &err);

	assert_non_null(cube);
	assert_int_equal(cube->times.kind, STEP_TIME_PERIOD);
	assert_true(cube->times.decides);
	assert_int_equal(cube->times.time_ps[1], 9);
	assert_true(cube->times.time_ps[2] == CELL_ABSENT);
	cube_free(cube);
}

/* Steps start at 0, 100, 200 and end 50, 51, 52 later. The last one has a period, too, where the
 * next mark has no events; where no step has one, the times are those to the ends of the work. */
TEST(words_say_where_a_launch_ends)
{
	static const struct {
		int time[3];
		const char *phrase;
	} of[] = {{{100, 100, -1}, " from start to start"},
		{{100, 100, 100}, " from start to start"}, {{100, 100, 52}, " from start to start"},
		{{-1, 100, 40}, " from start to start"},
		{{50, 51, 52}, " to the end of its device work"},
		{{50, 51, 53}, " from start to start"}};
	struct error err;

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct profile *p = three_steps("r", MEASURE_CPU);

		put_steps(p, SERIES_LAUNCH, "", (const int[]){5, 6, 7});
		put_steps(p, SERIES_PERIOD, "", of[i].time);
		put_walls(p);
		struct cube *cube = cube_asking(&p, 1, STEP_TIME_AUTO, &err);

		assert_string_equal(step_time_phrase(cube), of[i].phrase);
		cube_free(cube);
	}
}

TEST(without_any_time_there_is_none)
{
	struct profile *p = three_steps("r", MEASURE_ACCELERATOR);
	struct error err;

	put_steps(p, SERIES_SPAN, "", (const int[]){8, 9, -1});
	put_steps(p, SERIES_PERIOD, "", (const int[]){-1, -1, -1});
	struct cube *cube = cube_asking(&p, 1, STEP_TIME_AUTO, &err);

	assert_int_equal(cube->times.kind, STEP_TIME_NONE);
	assert_null(cube->times.time_ps);
	assert_false(cube->times.decides);
	cube_free(cube);
}

TEST(what_is_asked_for_decides)
{
	static const enum step_time_kind asked[] = {
		STEP_TIME_MARKER, STEP_TIME_PERIOD, STEP_TIME_SPAN};
	static const int wanted[][3] = {{5, 6, 7}, {11, 12, 13}, {50, 51, 52}};
	struct error err;

	for (size_t i = 0; i < 3; i++) {
		struct profile *p = three_steps("r", MEASURE_CPU);

		put_steps(p, SERIES_MARKER, "", wanted[0]);
		put_steps(p, SERIES_PERIOD, "", wanted[1]);
		put_walls(p);
		struct cube *cube = cube_asking(&p, 1, asked[i], &err);

		assert_times(cube, asked[i], true, wanted[i], 3);
		cube_free(cube);
	}
}

/* The last step of each run has no period; a run without any has no step time of this kind. */
TEST(the_last_period_is_not_known)
{
	struct error err;

	for (int any = 0; any < 2; any++) {
		struct profile *p[] = {
			three_steps("r1", MEASURE_CPU), three_steps("r2", MEASURE_CPU)};

		put_steps(p[0], SERIES_PERIOD, "", (const int[]){8, 9, -1});
		put_steps(p[1], SERIES_PERIOD, "", (const int[]){any ? 10 : -1, -1, -1});
		put_walls(p[0]);
		put_walls(p[1]);
		struct cube *cube = cube_asking(p, 2, STEP_TIME_PERIOD, &err);

		if (!any) {
			assert_null(cube);
			continue;
		}
		assert_int_equal(cube->times.time_ps[1], 9);
		assert_true(cube->times.time_ps[2] == CELL_ABSENT);
		assert_int_equal(cube->times.time_ps[3], 10);
		assert_true(cube->times.time_ps[5] == CELL_ABSENT);
		cube_free(cube);
	}
}

TEST(what_some_steps_lack_is_an_error)
{
	static const enum step_time_kind asked[] = {
		STEP_TIME_MARKER, STEP_TIME_PERIOD, STEP_TIME_SPAN};
	static const char *const message[] = {"some steps have no marker",
		"some steps have no period", "some steps have no span"};

	for (size_t i = 0; i < 3; i++) {
		struct profile *p = three_steps("r", MEASURE_CPU);
		struct error err = {.kind = ERROR_NONE};

		put_steps(p, SERIES_MARKER, "", (const int[]){5, -1, 7});
		put_steps(p, SERIES_PERIOD, "", (const int[]){-1, -1, -1});
		if (asked[i] != STEP_TIME_SPAN)
			put_walls(p);
		assert_null(cube_asking(&p, 1, asked[i], &err));
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_string_equal(err.place, "--step-time");
		assert_string_equal(err.message, message[i]);
		assert_non_null(strstr(err.hint,
			asked[i] == STEP_TIME_SPAN ? "no times of events" : "--step-marker"));
	}
}

/* Two files, two runs: the steps of both have the kind that both have. */
TEST(several_profiles_are_joined)
{
	struct profile *p[2];
	struct error err;

	for (int second = 0; second < 2; second++) {
		p[0] = three_steps("r1", MEASURE_CPU);
		p[1] = three_steps("r2", MEASURE_CPU);
		put_steps(p[0], SERIES_MARKER, "", (const int[]){5, 6, 7});
		if (second)
			put_steps(p[1], SERIES_MARKER, "", (const int[]){15, 16, 17});
		put_steps(p[0], SERIES_COMPUTE, "gpu:0", (const int[]){1, 2, 3});
		put_steps(p[1], SERIES_COMPUTE, "gpu:1", (const int[]){4, 5, 6});
		put_walls(p[0]);
		put_walls(p[1]);
		struct cube *cube = cube_asking(p, 2, STEP_TIME_AUTO, &err);

		if (second)
			ASSERT_TIMES(cube, STEP_TIME_MARKER, true, 5, 6, 7, 15, 16, 17);
		else
			ASSERT_TIMES(cube, STEP_TIME_SPAN, false, 50, 51, 52, 50, 51, 52);
		const int64_t *first = step_series_find(&cube->series, SERIES_COMPUTE, "gpu:0");
		const int64_t *other = step_series_find(&cube->series, SERIES_COMPUTE, "gpu:1");

		for (size_t s = 0; s < 3; s++) {
			assert_true(first[s] == (int64_t)s + 1 && first[s + 3] == CELL_ABSENT);
			assert_true(other[s] == CELL_ABSENT && other[s + 3] == (int64_t)s + 4);
		}
		cube_free(cube);
	}
}
