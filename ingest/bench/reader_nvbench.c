/* NVBench --json: states of benchmarks. Numbers are texts; samples of --jsonbin are in files beside
 * it, float32 in little endian, one step each. */
#include "base/number.h"
#include "base/packed_number.h"
#include "base/text.h"
#include "ingest/bench/bench_json.h"
#include <string.h>

#define SAMPLES_MOST ((size_t)1 << 22) /* bytes of a file beside */

static const struct {
	const char *tag, *measure, *unit;
} values[] = {
	{"nv/cold/time/gpu/mean", "time", "s"},
	{"nv/cpu_only/time/cpu/mean", "time", "s"},
	{"nv/cold/time/cpu/mean", "cpu", "s"},
	{"nv/cold/bw/global/bytes_per_second", "bandwidth", "B/s"},
	{"nv/cold/bw/item_rate", "item_rate", "items/s"},
};

static const struct {
	const char *tag, *measure, *unit;
} samples[] = {
	{"nv/json/bin:nv/cold/sample_times", "time", "s"},
	{"nv/json/freqs-bin:nv/cold/sample_freqs", "clock", "Hz"},
};

struct state {
	const struct bench_node *summaries;
	const char *name;
};

/* The item of a list whose member `key` is that text. */
static struct bench_node item_of(struct bench_node list, const char *key, const char *text)
{
	struct bench_node item;

	while (bench_next(&list, &item))
		if (bench_is_at(&item, key, text))
			return item;
	return (struct bench_node){0};
}

/* The value of a name in the list `data` of the summary with that tag. */
static struct bench_node datum(const struct state *state, const char *tag, const char *name)
{
	const struct bench_node summary = item_of(*state->summaries, "tag", tag),
				item = item_of(bench_at(&summary, "data"), "name", name);

	return bench_at(&item, "value");
}

/* ---- samples ---- */

/* The file in the folder of the JSON: the last two parts of the name that it had when recorded. */
static struct input *open_beside(struct bench *b, const char *name)
{
	const char *path = b->out->path, *last = text_base_name(name), *from = last;

	if (b->out->is_stdin || !*last)
		return NULL;
	if (from > name)
		for (from--; from > name && from[-1] != '/';)
			from--;
	if (text_starts(from, "../") || strstr(from, "/../"))
		return NULL;
	return input_open(
		arena_printf(b->arena, "%.*s%s", (int)(text_base_name(path) - path), path, from),
		NULL);
}

static int add_sample(
	struct bench *b, struct bench_row *row, const unsigned char *at, struct error *err)
{
	char digits[NUMBER_TEXT_SIZE];
	uint32_t bits;
	float value;

	memcpy(&bits, at, sizeof(bits));
	bits = little_32(bits);
	memcpy(&value, &bits, sizeof(value));
	row->value = value > 0 && value < 1e30F
			     ? arena_strdup(b->arena, number_format_shortest_float(digits, value))
			     : NULL;
	if (bench_add(b, row, err) < 0)
		return -1;
	row->step++;
	return 0;
}

/* 1 when there are samples, 0 when there are none. */
static int add_samples(struct bench *b, const struct state *state, size_t kind, struct error *err)
{
	const struct bench_node file = datum(state, samples[kind].tag, "filename");
	struct bench_row row = {.benchmark = state->name,
		.measure = samples[kind].measure,
		.unit = samples[kind].unit};
	const char *name = bench_text(b, &file);
	struct input *in = name ? open_beside(b, name) : NULL;
	const unsigned char *bytes;
	int result = 0;
	size_t size;

	if (name && !in)
		bench_left_out(b, "bench-samples-missing",
			"files of samples that are not beside the JSON", name);
	while (in && result == 0 && input_peek(in, sizeof(float), &bytes, &size, NULL) == 0 &&
		size >= sizeof(float) && (size_t)row.step < SAMPLES_MOST / sizeof(float)) {
		unsigned char one[sizeof(float)];

		memcpy(one, bytes, sizeof(one));
		input_skip(in, sizeof(one));
		result = add_sample(b, &row, one, err);
	}
	input_close(in);
	return result < 0 ? -1 : row.step > 0;
}

/* ---- states ---- */

/* "BENCHMARK T=F32 [DEVICE]": without the word that names the device by its number. */
static const char *name_of(
	struct bench *b, const char *benchmark, const struct bench_node *item, const char *device)
{
	const char *state = bench_text_at(b, item, "name"), *space;

	if (!state)
		state = bench_text_at(b, item, "description");
	if (state && text_starts(state, "Device=")) {
		space = strchr(state, ' ');
		state = space ? space + 1 : NULL;
	}
	if (state && *state)
		benchmark = arena_printf(b->arena, "%s %s", benchmark, state);
	return bench_distinct(
		b, device ? arena_printf(b->arena, "%s [%s]", benchmark, device) : benchmark);
}

static const char *device_of(
	struct bench *b, const struct bench_node *root, const struct bench_node *item)
{
	struct bench_node devices = bench_at(root, "devices"), device;
	const char *id = bench_text_at(b, item, "device"), *own;

	while (id && bench_next(&devices, &device))
		if ((own = bench_text_at(b, &device, "id")) && text_equal(own, id))
			return bench_text_at(b, &device, "name");
	return NULL;
}

static int add_state(struct bench *b, const struct bench_node *root, const char *benchmark,
	const struct bench_node *item, bool many_devices, struct error *err)
{
	const struct bench_node summaries = bench_at(item, "summaries");
	const char *device = device_of(b, root, item);
	const struct state state = {
		&summaries, name_of(b, benchmark, item, many_devices ? device : NULL)};
	int found;

	b->facts.of[BENCH_DEVICE_MODEL] = device;
	if (bench_is_true_at(item, "is_skipped")) {
		bench_not_measured(b, state.name, bench_text_at(b, item, "skip_reason"));
		return bench_add(b,
			&(struct bench_row){
				.benchmark = state.name, .measure = "time", .unit = "s"},
			err);
	}
	found = add_samples(b, &state, 0, err);
	if (found < 0)
		return -1;

	bool has_time = found > 0;

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		const struct bench_node value = datum(&state, values[i].tag, "value");
		struct bench_row row = {.benchmark = state.name,
			.measure = values[i].measure,
			.unit = values[i].unit,
			.value = bench_number(b, &value)};
		const bool is_time = text_equal(row.measure, "time");

		if (value.value.kind == 0 || (is_time && has_time))
			continue;
		has_time |= is_time;
		if (bench_add(b, &row, err) < 0)
			return -1;
	}
	return add_samples(b, &state, 1, err) < 0 ? -1 : 0;
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node benchmarks = bench_at(root, "benchmarks"), benchmark, state;

	while (bench_next(&benchmarks, &benchmark)) {
		struct bench_node states = bench_at(&benchmark, "states");
		const bool many_devices = bench_count(bench_at(&benchmark, "devices")) > 1;
		const char *name = bench_text_at(b, &benchmark, "name");

		while (bench_next(&states, &state))
			if (add_state(b, root, name ? name : "benchmark", &state, many_devices,
				    err) < 0)
				return -1;
	}
	return 0;
}

static const struct bench_shape shape = {.framework = "NVBench", .each = each};

const struct reader reader_nvbench = {
	.name = "nvbench",
	.title = "NVBench results",
	.summary = "times and clocks of NVBench (--json FILE.json, --jsonbin with samples)",
	.suffixes = BENCH_JSON,
	.signs = {90, "{",
		{{"\"nv/cold/"}, {"\"sm_default_clock_rate\""}, {"\"nvbench\"", "\"benchmarks\""}}},
	.read = bench_read_json,
	.source = &shape,
};
