/* trtexec --exportProfile: for each layer the average over all inferences. There is one step, which
 * stands for all of them, and no spread.
 *
 * Rows are of the producer's samples/common/sampleReporting.cpp (exportJSONProfile): first
 * {"count": N}, then one for each layer. Names are not escaped. */
#include <string.h>
#include "base/number.h"
#include "ingest/tensorrt/tensorrt.h"

struct profile_reader {
	struct profile *out;
	const struct read_options *opt;
	const struct layer_info *info;
	uint64_t count; /* inferences; 0: not said */
	size_t odd, unnamed, untyped, twice, beyond;
	uint64_t odd_at, beyond_at;
	uint32_t step;
	uint64_t fingerprint;
	struct text name;
};

struct layer_row {
	struct json_value name;
	int64_t average_ps, total_ps; /* CELL_ABSENT: not there */
};

static void read_row(
	struct profile_reader *r, const struct trace_event *event, struct layer_row *row)
{
	struct json_walk walk = trace_event_members(event);
	struct json_member member;

	*row = (struct layer_row){.average_ps = CELL_ABSENT, .total_ps = CELL_ABSENT};
	while (json_next_member(&walk, &member, NULL)) {
		if (json_equal(&member.key, "name"))
			row->name = member.value;
		else if (json_equal(&member.key, "averageMs"))
			tensorrt_time(&member.value, &row->average_ps);
		else if (json_equal(&member.key, "timeMs"))
			tensorrt_time(&member.value, &row->total_ps);
		else if (json_equal(&member.key, "count"))
			json_unsigned(&member.value, &r->count);
	}
	if (row->average_ps == CELL_ABSENT && row->total_ps != CELL_ABSENT && r->count > 0 &&
		r->count <= INT64_MAX)
		row->average_ps = row->total_ps / (int64_t)r->count;
}

/* `at` is the place of the layer in the file. */
static int add_layer(struct profile_reader *r, int64_t ps, uint64_t at, struct error *err)
{
	struct observations *obs = &r->out->obs;
	bool is_new;
	const uint32_t id =
		profile_op(r->out, text_string(&r->name), r->name.size, &is_new, &r->opt->limits);
	size_t row = id; /* each op gets its row when it is new */

	if (is_new) {
		const char *type =
			r->info ? layer_info_type(r->info, text_string(&r->name), r->name.size)
				: NULL;

		r->out->op[id].type = type ? type : "";
		/* The only layers that do not run on the GPU. */
		r->out->op[id].device =
			text_equal(r->out->op[id].type, "DLA") ? "dla:0" : TENSORRT_DEVICE;
		r->out->op[id].shape = "";
		r->out->op[id].params = r->out->op[id].float_ops_each = CELL_ABSENT;
		r->untyped += !type;
	}
	if (row == obs->count) {
		if (profile_observe(r->out, id, r->step, &row, &r->opt->limits, err) < 0)
			return -1;
		obs->column[MEASURE_ACCELERATOR][row] = obs->column[MEASURE_CPU][row] = 0;
		obs->column[MEASURE_OCCURRENCE][row] = 0;
	}
	if (!number_add(obs->column[MEASURE_ACCELERATOR][row], ps,
		    &obs->column[MEASURE_ACCELERATOR][row])) {
		if (!r->beyond++)
			r->beyond_at = at;
		return 0;
	}
	r->twice += !is_new;
	obs->column[MEASURE_OCCURRENCE][row]++;
	r->fingerprint = intern_hash(text_string(&r->name), r->name.size, r->fingerprint);
	r->fingerprint = intern_hash(&ps, sizeof(ps), r->fingerprint);
	return 0;
}

static int each_row(void *context, const struct trace_event *event, struct error *err)
{
	struct profile_reader *r = context;
	struct layer_row row;

	read_row(r, event, &row);
	if (!row.name.kind && row.average_ps == CELL_ABSENT)
		return 0; /* the count */
	if (row.name.kind != '"' || row.average_ps == CELL_ABSENT || row.average_ps < 0) {
		if (!r->odd++)
			r->odd_at = event->offset;
		return 0;
	}
	text_clear(&r->name);
	json_add_text(&r->name, &row.name);
	if (r->name.size == 0) {
		r->unnamed++;
		text_add(&r->name, "[no name]");
	}
	return add_layer(r, row.average_ps, event->offset, err);
}

static void report_issues(struct profile_reader *r)
{
	struct issue_list *issues = &r->out->issues;
	const char *path = r->out->path;
	char place[512];

	issue_add(issues, ISSUE_INFO, "tensorrt-averages",
		"inferences of which only the average is there, as one step",
		r->count <= SIZE_MAX / 2 ? (size_t)r->count : 0, path);
	error_place_offset(place, sizeof(place), path, r->odd_at);
	issue_add(issues, ISSUE_LOSS, "tensorrt-odd",
		"layers without a name or a time, or with one below 0, left out", r->odd, place);
	error_place_offset(place, sizeof(place), path, r->beyond_at);
	issue_add(issues, ISSUE_LOSS, "tensorrt-beyond",
		"layers whose sum with others of their name is beyond 64 bits, left out", r->beyond,
		place);
	issue_add(issues, ISSUE_INFO, "tensorrt-nameless",
		"layers whose name is empty, added up as \"[no name]\"", r->unnamed, path);
	issue_add(issues, ISSUE_INFO, "tensorrt-twice",
		"layers of a name that was there before, added up", r->twice, path);
	if (r->info && r->untyped)
		issue_add(issues, ISSUE_INFO, "tensorrt-untyped",
			"layers of which the file of layers says no type (was it written with "
			"--profilingVerbosity=detailed, for this engine?)",
			r->untyped, layer_info_path(r->info));
}

static int profile_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	struct profile_reader r = {.out = out, .opt = opt};
	const struct trace_handler handler = {.event = each_row, .context = &r, .is_table = true};
	const struct step step = {.unnumbered = true};
	struct trace_totals totals;
	int result;

	if (profile_add_step(out, &step, &r.step, &opt->limits, err) < 0)
		return -1;
	profile_have(out, MEASURE_ACCELERATOR);
	profile_have(out, MEASURE_CPU);
	profile_have(out, MEASURE_OCCURRENCE);
	facts_set(&out->facts, out->arena, FACT_FRAMEWORK, "TensorRT", strlen("TensorRT"));
	if (!out->is_stdin)
		r.info = layer_info_beside(
			out->path, opt->max_record_bytes, out->arena, &out->issues);
	text_init(&r.name);
	result = trace_scan(in, &handler, &out->issues, opt->max_record_bytes, &totals, err);
	text_release(&r.name);
	if (result == 0) {
		report_issues(&r);
		out->step[r.step].fingerprint = r.fingerprint;
		out->step_count = out->obs.count ? 1 : 0;
		out->is_average = true;
	}
	return result;
}

const struct reader reader_tensorrt_profile = {
	.name = "tensorrt-profile",
	.title = "TensorRT averages of layers",
	.summary = "average time of each layer in TensorRT (trtexec --exportProfile=FILE.json)",
	.suffixes = (const char *const[]){".json", NULL},
	.signs = {90, "[", {{"\"averageMs\"", "\"timeMs\""}}},
	.read = profile_read,
	.sums_only = true,
	.empty_hint = "the file has no layer: stepstat help tensorrt",
};

static int layers_probe(const struct probe *p)
{
	return layer_info_probe(p) ? 90 : 0;
}

const struct reader reader_tensorrt_layers = {
	.name = "tensorrt-layers",
	.title = "TensorRT description of layers",
	.summary = "types of layers in TensorRT (trtexec --exportLayerInfo=FILE.json)",
	.suffixes = (const char *const[]){".json", NULL},
	.probe = layers_probe,
	.companion = true,
	.advice = "give the profile of the same engine (trtexec --exportProfile); this file is "
		  "found beside it",
};
