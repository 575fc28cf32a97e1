/* Measures that files bring along: names of columns, units, directions, slots. */
#include <math.h>
#include "model/own/measure_own.h"
#include "base/unit.h"
#include "tests/unit/test.h"

static const struct {
	const char *column, *name, *unit;
	enum direction better;
} columns[] = {
	{"tokens_per_s", "tokens_per_s", "tokens/s", DIRECTION_HIGHER},
	{"output_tokens_per_second", "output_tokens_per_second", "tokens/s", DIRECTION_HIGHER},
	{"Tokens/s", "tokens_per_s", "tokens/s", DIRECTION_HIGHER},
	{"errors_per_s", "errors_per_s", "errors/s", DIRECTION_LOWER},
	{"Throughput (tok/s)", "throughput", "tok/s", DIRECTION_HIGHER},
	{"Throughput [tok/s]", "throughput", "tok/s", DIRECTION_HIGHER},
	{"bandwidth_GB/s", "bandwidth", "GB/s", DIRECTION_HIGHER},
	{"read_gb_per_s", "read", "GB/s", DIRECTION_HIGHER},
	{"tflops", "tflops", "TFLOPS", DIRECTION_HIGHER},
	{"gemm_TFLOPS", "gemm", "TFLOPS", DIRECTION_HIGHER},
	{"ttft_ms", "ttft", "ms", DIRECTION_LOWER},
	{"TTFT (ms)", "ttft", "ms", DIRECTION_LOWER},
	{"kv_cache_gb", "kv_cache", "GB", DIRECTION_LOWER},
	{"energy_j", "energy", "J", DIRECTION_LOWER},
	{"power_w", "power", "W", DIRECTION_LOWER},
	{"sm_busy_pct", "sm_busy", "%", DIRECTION_UNKNOWN},
	{"Accuracy [%]", "accuracy", "%", DIRECTION_HIGHER},
	{"loss", "loss", "", DIRECTION_LOWER},
	{"val_loss", "val_loss", "", DIRECTION_LOWER},
	{"speedup", "speedup", "", DIRECTION_HIGHER},
	{"hit_fraction", "hit", "", DIRECTION_UNKNOWN},
	{"fps", "fps", "frames/s", DIRECTION_HIGHER},
};

TEST(columns_say_name_unit_and_direction)
{
	char name[MEASURE_OWN_SIZE], unit[MEASURE_OWN_SIZE];

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		const char *word = columns[i].unit;

		assert_true(own_measure_of_column(columns[i].column, name, unit));
		assert_string_equal(name, columns[i].name);
		assert_string_equal(unit, word);
		assert_int_equal(own_measure_direction(name, unit_own(*word ? word : UNIT_NUMBER)),
			columns[i].better);
	}
	measure_own_reset();
}

TEST(remarks_are_no_measures)
{
	static const char *const remarks[] = {
		"comment", "seed", "img_w", "layer (fused)", "ms", ""};
	char name[MEASURE_OWN_SIZE], unit[MEASURE_OWN_SIZE];

	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++)
		assert_false(own_measure_of_column(remarks[i], name, unit));
}

static enum measure_id own(const char *name, const char *unit, enum direction better)
{
	struct error err = {.kind = ERROR_NONE};
	enum measure_id id;

	assert_int_equal(measure_own(&(struct own_measure){name, unit, better}, &id, &err), 0);
	return id;
}

TEST(same_name_unit_and_direction_have_one_id)
{
	const enum measure_id id = own("rate", "tokens/s", DIRECTION_UNKNOWN);

	assert_true(measure_is_own(id));
	assert_int_equal(own("rate", "tokens/s", DIRECTION_HIGHER), id);
	assert_true(own("rate", "tokens/s", DIRECTION_LOWER) != id);
	assert_true(own("rate", "requests/s", DIRECTION_UNKNOWN) != id);
	assert_true(own("rate", "ms", DIRECTION_UNKNOWN) != id);
	assert_int_equal(
		measure_at(own("rate", "ms", DIRECTION_UNKNOWN))->dimension, DIMENSION_TIME);
	assert_string_equal(
		measure_at(own("p99 of a,b", "us", DIRECTION_UNKNOWN))->name, "p99_of_a_b");
	measure_own_reset();
}

TEST(what_is_declared_goes_before_what_a_file_says)
{
	struct error err = {.kind = ERROR_NONE};
	struct own_measure said = {"score", "points", DIRECTION_LOWER};
	enum measure_id wanted, id;

	assert_int_equal(measure_own_declare(&said, &err), 0);
	assert_true(measure_own_declared("score"));
	id = own("score", "", DIRECTION_UNKNOWN);
	assert_int_equal(measure_at(id)->better, DIRECTION_LOWER);
	assert_string_equal(measure_unit(measure_at(id))->name, "points");
	assert_int_equal(measure_own_wanted("score", &wanted, &err), 0);
	assert_true(measure_is_name(wanted));
	assert_true(measure_is_wanted(wanted, id));
	assert_false(measure_is_wanted(wanted, own("other", "ms", DIRECTION_UNKNOWN)));
	assert_int_equal(measure_own_wanted("time", &wanted, &err), 0);
	assert_int_equal(wanted, MEASURE_TIME);
	said.name = "time";
	assert_int_equal(measure_own_declare(&said, &err), -1);
	measure_own_reset();
}

TEST(slots_end_with_an_error)
{
	struct error err = {.kind = ERROR_NONE};
	enum measure_id id;
	char name[16];
	size_t made = 0;

	while (snprintf(name, sizeof(name), "m%zu", made),
		measure_own(&(struct own_measure){name, "ms", DIRECTION_UNKNOWN}, &id, &err) == 0)
		made++;
	assert_int_equal(made, MEASURE_OWN_SLOTS);
	assert_int_equal(err.kind, ERROR_LIMIT);
	measure_own_reset();
}

static const struct {
	const char *name, *unit;
	enum direction better;
	const char *files, *base;
} units[] = {
	{"rate", "tokens/s", DIRECTION_UNKNOWN, "tokens/s", "1e-9 tokens/s"},
	{"rate", "tokens/s", DIRECTION_LOWER, "tokens/s:lower", "1e-9 tokens/s:lower"},
	{"elements", "elem/s", DIRECTION_UNKNOWN, "elem/s", "1e-6 elem/s"},
	{"ttft", "ms", DIRECTION_UNKNOWN, "us", "ps"},
	{"uptime", "s", DIRECTION_HIGHER, "us:higher", "ps:higher"},
	{"gemm", "TFLOPS", DIRECTION_UNKNOWN, "FLOPS", "FLOPS"},
	{"bw", "GB/s", DIRECTION_UNKNOWN, "B/s", "1e-3 B/s"},
	{"energy", "kJ", DIRECTION_UNKNOWN, "J", "1e-9 J"},
	{"kv", "GB", DIRECTION_UNKNOWN, "bytes", "bytes"},
	{"loss", "", DIRECTION_UNKNOWN, "", "1e-9 "},
	{"x", "", DIRECTION_HIGHER, ":higher", "1e-9 :higher"},
};

TEST(units_are_read_back)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		const enum measure_id id = own(units[i].name, units[i].unit, units[i].better);

		for (size_t k = 0; k < 2; k++) {
			struct own_measure read = {.name = units[i].name};
			bool base;
			struct text text;

			text_init(&text);
			measure_add_unit(measure_at(id), k == 1, &text);
			measure_add_direction(measure_at(id), &text);
			assert_string_equal(text_string(&text), k ? units[i].base : units[i].files);
			text_add(&text, "");
			if (text.size)
				assert_true(measure_split_unit(text.data, &read, &base));
			else
				read.unit = "";
			assert_int_equal(own(read.name, read.unit, read.better), id);
			text_release(&text);
		}
	}
	measure_own_reset();
}
