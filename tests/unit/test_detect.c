/* Choosing the reader by content: beginnings of real files of each kind, damaged ones, what nobody
 * takes. */
#include "ingest/reader.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

static const struct reader *detect(
	const void *bytes, size_t size, bool whole, const char *path, struct error *err)
{
	struct probe p = {.bytes = bytes, .size = size, .whole = whole, .path = path};

	return reader_detect(&p, err);
}

static size_t load(const char *name, char *out, size_t room)
{
	char path[1024];
	FILE *f = fopen(data_path(path, sizeof(path), name), "rb");

	assert_non_null(f);
	size_t size = fread(out, 1, room, f);

	fclose(f);
	return size;
}

/* Every entry of readers.def, the path that it is tried under, and a file of its kind. */
static const struct sample {
	const char *reader, *path, *file;
	bool whole;
} samples[] = {
	{"tfprof", "profile_1", "tfprof/synth_1", true},
	{"tfprof", "x", "tfprof/layout_1_4", true},
	{"run-metadata", "run_meta_100", "detect/run_metadata", true},
	{"run-metadata-text", "run_meta_0", "detect/run_metadata_text", false},
	{"tfprof-text", "scope_3.txt", "detect/tfprof_text", false},
	{"timeline", "timeline_0.json", "detect/timeline", false},
	{"chrome", "trace.json", "detect/chrome", false},
	{"kineto", "trace.json", "detect/kineto", false},
	{"onnxruntime", "x.json", "detect/onnxruntime", false},
	{"pftrace", "x.pftrace", "pftrace/rocprofv3.pftrace", true},
	{"pftrace", "results.pftrace", "pftrace/kinds.pftrace", true},
	{"kineto", "x.pftrace", "pftrace/mlp-base-r2.packed.pftrace", true},
	{"tensorrt", "times.json", "detect/tensorrt", false},
	{"tensorrt-profile", "profile.json", "detect/tensorrt_profile", false},
	{"tensorrt-layers", "graph.json", "detect/tensorrt_layers", false},
	{"google-benchmark", "bench.json", "bench/gab/googlecpp_output.json", true},
	{"pytest-benchmark", "bench.json", "bench/gab/pytest_output.json", true},
	{"hyperfine", "bench.json", "bench/made/hf.json", true},
	{"pyperf", "bench.json", "bench/made/pp.json", true},
	{"jmh", "bench.json", "bench/gab/jmh_output.json", true},
	{"benchmarkdotnet", "bench.json", "bench/made/benchmarkdotnet.json", true},
	{"vitest", "bench.json", "bench/bencher/js_vitest_four.json", true},
	{"name-value", "bench.json", "bench/gab/customBiggerIsBetter_output.json", true},
	{"bencher", "bench.json", "bench/bencher/json_report_latency.json", true},
	{"sglang-kernels", "bench.json", "bench/made/sglang_kernels_base.json", true},
	{"kernelbench", "bench.json", "bench/made/kernelbench_base.json", true},
	{"pytorch-oss", "bench.json", "bench/made/pytorch_oss.json", true},
	{"asv", "bench.json", "bench/made/asv.json", true},
	{"julia", "bench.json", "bench/gab/julia_output.json", true},
	{"criterion", "estimates.json", "bench/criterion/estimates.json", true},
	{"serving", "x.json", "bench/made/vllm_base_1.json", true},
	{"serving", "x.jsonl", "bench/made/sglang.jsonl", true},
	{"nvbench", "x.json", "bench/made/nvbench.json", true},
	{"aiperf", "x.jsonl", "bench/made/aiperf.jsonl", true},
	{"aiperf", "x.json", "bench/made/aiperf_sums.json", true},
	{"go-bench", "x.txt", "bench/gotext/old.txt", true},
	{"cargo-bench", "x.txt", "bench/gab/cargo_output.txt", true},
	{"cargo-bench", "x.txt", "bench/bencher/rust_criterion_many.txt", true},
	{"catch2", "x.txt", "bench/gab/catch2_output_v3.txt", true},
	{"asv-text", "x.txt", "bench/bencher/python_asv_six.txt", true},
	{"tensorboard-events", "x", "bench/made/events.out.tfevents.1790000000.vm.1.0", true},
	{"benchmark-text", "x.txt", "bench/made/jmh_report.txt", true},
	{"criterion-beside", "benchmark.json", "bench/criterion/benchmark.json", true},
	{"nsight", "run1.sqlite", "detect/nsight", false},
	{"rocpd", "410_results.db", "detect/rocpd", false},
	{"own-database", "ops.sqlite", "detect/own_database", false},
	{"xplane", "host.xplane.pb", "detect/xplane", false},
	{"xplane", "host.xplane.pb", "detect/xplane_tf2", false},
	{"xplane", "host.xplane.pb", "detect/xplane_tpu", false},
	{"xplane", "host.xplane.pb", "detect/xplane_gpu", false},
	{"graph", "graph.pb", "detect/graph", false},
	{"graph-text", "graph.pbtxt", "detect/graph_text", false},
	{"op-log", "op_log", "detect/op_log", false},
	{"checkpoint", "ckpt.index", "detect/checkpoint_index", true},
	{"checkpoint", "ckpt", "detect/checkpoint_v1", true},
	{"csv", "kernels.csv", "detect/observations_csv", true},
	{"parquet", "run1.parquet", "parquet/polars.parquet", true},
	{"obs", "run1.obs", "detect/observations_obs", true},
	{"obs", "job.part", "detect/job_part", true},
	{"rpd", "trace.rpd", "detect/rpd", true},
	{"rocprofv3-json", "908_results.json", "detect/rocprofv3_json", true},
	{"local-trace", "local.trace", "detect/local_trace", true},
	{"plain-table", "table.csv", "tfprof/gpu_synth_8.csv", false},
};

TEST(real_files_of_each_kind)
{
	static char bytes[PROBE_BYTES];

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct error err = {.kind = ERROR_NONE};
		size_t size = load(samples[i].file, bytes, sizeof(bytes));
		const char *const paths[] = {samples[i].path, "any name"};

		for (size_t k = 0; k < 2; k++) { /* the name may help, but must not be needed */
			const struct reader *r =
				detect(bytes, size, samples[i].whole, paths[k], &err);

			if (!r)
				print_message("%s: %s\n", samples[i].file, err.message);
			assert_non_null(r);
			assert_string_equal(r->name, samples[i].reader);
		}
	}
}

/* Tables of one folder are told apart by their names alone. */
TEST(tables_of_a_folder)
{
	static const struct {
		const char *table, *reader;
	} tables[] = {{"StringIds", "nsight-tables"}, {"NVTX_EVENTS", "nsight-table"},
		{"ThreadNames", "nsight-table"}};
	static char bytes[PROBE_BYTES];

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct error err = {.kind = ERROR_NONE};
		char file[128];
		size_t size;

		snprintf(file, sizeof(file), "nsight/steps_pqtdir/%s.parquet", tables[i].table);
		size = load(file, bytes, sizeof(bytes));
		assert_string_equal(detect(bytes, size, true, file, &err)->name, tables[i].reader);
		assert_string_equal(detect(bytes, size, true, "any name", &err)->name, "parquet");
	}
}

TEST(the_odd_profiles)
{
	const char *const names[] = {"big", "key_not_id", "loops", "names", "negative_step",
		"no_steps", "partial", "shapes", "step_not_listed", "utf8"};
	static char bytes[PROBE_BYTES];

	for (size_t i = 0; i < 10; i++) {
		struct error err = {.kind = ERROR_NONE};
		char name[64];

		snprintf(name, sizeof(name), "tfprof/odd/%s", names[i]);
		size_t size = load(name, bytes, sizeof(bytes));
		const struct reader *r = detect(bytes, size, true, name, &err);

		assert_non_null(r);
		assert_string_equal(r->name, "tfprof");
		for (size_t cut = 40; cut < size; cut++) { /* any beginning of it too */
			r = detect(bytes, cut, false, name, &err);
			assert_non_null(r);
			assert_string_equal(r->name, "tfprof");
		}
	}
}

static const char *name_in(struct error *err, const void *bytes, size_t size, const char *path)
{
	const struct reader *r = detect(bytes, size, true, path, err);

	return r ? r->name : err->message;
}

#define name_of(bytes, size, path) name_in(&(struct error){.kind = ERROR_NONE}, bytes, size, path)

TEST(made_up_files)
{
	struct text t, inside;

	text_init(&t);
	text_init(&inside);
	put_string(&inside, 5, "1.15.0"); /* MetaGraphDef.meta_info_def: TensorFlow's version */
	put_message(&t, 1, &inside);
	assert_string_equal(name_of(t.data, t.size, "ckpt.meta"), "meta-graph");
	text_clear(&t);
	/* TFRecord with an Event: wall_time, then file_version */
	text_add_bytes(&t,
		"\x18\0\0\0\0\0\0\0abcd\x09\0\0\0\0\0\0\xd8\x41\x1a\x0d"
		"brain.Event:2efgh",
		40);
	assert_string_equal(name_of(t.data, t.size, "events.out.tfevents.1"), "tensorboard-events");
	text_clear(&t);
	text_add_bytes(&t, "PK\x03\x04\x14\0\0\0[Content_Types].xml\0", 28);
	assert_string_equal(name_of(t.data, t.size, "a.xlsx"), "xlsx");
	assert_string_equal(name_of("\n<!DOCTYPE html>\n<html>", 23, "a.html"), "html");
	assert_string_equal(
		name_of("model_checkpoint_path: \"model\"\n", 31, "checkpoint"), "checkpoint");
	assert_string_equal(name_of("\x01\x02\x03\xff", 4, "m.data-00000-of-00001"), "checkpoint");
	text_clear(&t);
	put_number(&t, 2, 1); /* a profile without nodes */
	put_bytes(&t, 3, "\x01\x02\x03", 3);
	assert_string_equal(name_of(t.data, t.size, "x"), "tfprof");
	text_release(&t);
	text_release(&inside);
}

TEST(what_nobody_takes_is_described)
{
	assert_string_equal(name_of("", 0, "x"), "empty file");
	assert_string_equal(name_of("hello\n", 6, "x.txt"), "text of an unknown kind");
	assert_string_equal(name_of("gr\xc3\xbc\xc3\x9f\n", 7, "x"), "text of an unknown kind");
	assert_string_equal(name_of("{\"a\": 1}", 8, "x.json"), "JSON of an unknown kind");
	assert_string_equal(
		name_of("\xff\xfe not a profile", 16, "x"), "binary data of an unknown kind");
	assert_string_equal(name_of("\x7f"
				    "ELF\x02\x01\x01",
				    7, "x"),
		"a program (ELF)");
	assert_string_equal(name_of("PK\x03\x04 something", 14, "x"), "a zip archive");
	assert_string_equal(name_of("#!/bin/sh\n", 10, "x"), "a script");
	assert_string_equal(
		name_of("\x0a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\x08\xef\xbf\xbd", 14, "x"),
		"binary data that was saved as text, which ruins it");
}

TEST(tie_lists_the_candidates)
{
	struct error err = {.kind = ERROR_NONE};

	/* An empty message in field 1 can be an empty node of several kinds. */
	assert_null(detect("\x0a\x00", 2, true, "x", &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.place, "x");
	assert_non_null(strstr(err.message, "may be \"tfprof\" or \""));
	assert_non_null(strstr(err.hint, "--from=tfprof"));
	assert_string_equal(detect("\x0a\x00", 2, true, "runs/profile_7", &err)->name, "tfprof");
}

/* RunMetadata is one message: when the file is cut its length is wrong, and still it is known. */
TEST(a_cut_file_is_still_recognised)
{
	static char bytes[PROBE_BYTES];
	size_t size = load("detect/run_metadata", bytes, sizeof(bytes));

	for (size_t cut = 1000; cut <= size; cut += 111)
		assert_string_equal(name_of(bytes, cut, "x"), "run-metadata");
}

/* A byte changed in the middle: still a profile, so that the reader can say where it is damaged. */
TEST(damaged_further_on_is_still_a_profile)
{
	static char bytes[PROBE_BYTES];
	size_t size = load("tfprof/synth_1", bytes, sizeof(bytes));

	for (size_t at = 6000; at < size; at += 37) {
		bytes[at] ^= 0x55;
		assert_string_equal(name_of(bytes, size, "x"), "tfprof");
		bytes[at] ^= 0x55;
	}
}

TEST(names_for_from)
{
	struct error err = {.kind = ERROR_NONE};

	for (size_t i = 0; i < reader_count; i++) {
		const struct reader *r = reader_table[i];
		struct probe nothing = {.bytes = (const unsigned char *)"", .path = "x"};

		assert_ptr_equal(reader_find(r->name, &err), r);
		assert_true(r->title[0] && r->summary[0]);
		assert_int_equal(reader_probe(r, &nothing), 0);
		assert_true(r->read || r->advice);
	}
	assert_null(reader_find("tfprf", &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "--from");
	assert_string_equal(err.message, "unknown format \"tfprf\"");
	assert_true(text_starts(err.hint, "did you mean \"tfprof\"? `stepstat formats` lists"));
}
