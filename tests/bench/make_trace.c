/* Writes a made-up Chrome trace of any size for `make bench`, as PyTorch or as TensorFlow's
 * timeline.py writes them: steps of nested ops, launches, kernels that run a step later, flows; or
 * executions on rows of two devices. The same bytes for the same options. It needs nothing but the
 * C library.
 *
 * usage: make_trace kineto|tf BYTES FILE */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPS 400		/* names */
#define OPS_A_STEP 1500 /* of the host; in TensorFlow's nodes */

static FILE *file;
static uint64_t written, limit, events;
static uint64_t state = 88172645463325252u;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "make_trace: %s\n", what);
	exit(1);
}

static uint64_t next_random(uint64_t below) /* xorshift64 (Marsaglia 2003) */
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	va_list list;
	int size;

	va_start(list, format);
	size = vfprintf(file, format, list);
	va_end(list);
	if (size < 0)
		die("cannot write");
	written += (uint64_t)size;
}

/* ---- PyTorch ---- */

static uint64_t now_ns; /* of the host */
static uint64_t device_ns;
static uint64_t correlation;

static void slice(const char *category, const char *name, uint64_t pid, uint64_t tid,
	uint64_t start_ns, uint64_t dur_ns)
{
	put("%s  {\n    \"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %" PRIu64
	    ", \"tid\": %" PRIu64 ",\n    \"ts\": %" PRIu64 ".%03" PRIu64 ", \"dur\": %" PRIu64
	    ".%03" PRIu64,
		events++ ? ",\n" : "", category, name, pid, tid, start_ns / 1000, start_ns % 1000,
		dur_ns / 1000, dur_ns % 1000);
}

static void launch(uint64_t op)
{
	char name[80];
	uint64_t run_ns = 4000 + 97 * op + next_random(500);

	correlation++;
	slice("cuda_runtime", "cudaLaunchKernel", 4242, 4242, now_ns, 3500);
	put(",\n    \"args\": {\n      \"External id\": %" PRIu64
	    ",\n      \"cbid\": 211, \"correlation\": %" PRIu64 "\n    }\n  }",
		correlation + 7, correlation);
	put(",\n  {\n    \"ph\": \"s\", \"id\": %" PRIu64
	    ", \"pid\": 4242, \"tid\": 4242, \"ts\": %" PRIu64 ".%03" PRIu64
	    ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  }",
		correlation, now_ns / 1000, now_ns % 1000);
	events++;
	if (device_ns < now_ns + 5000)
		device_ns = now_ns + 5000;
	snprintf(name, sizeof(name), "void at::native::kernel_%" PRIu64 "<float, 4>(int, float*)",
		op % 90);
	slice("kernel", name, 0, 7, device_ns, run_ns);
	put(",\n    \"args\": {\n      \"External id\": %" PRIu64
	    ",\n      \"queued\": 0, \"device\": 0, \"context\": 1,\n"
	    "      \"stream\": 7, \"correlation\": %" PRIu64
	    ",\n      \"registers per thread\": 32,\n"
	    "      \"blocks per SM\": 0.59375,\n      \"grid\": [128, 1, 1],\n      \"block\": "
	    "[256, 1, 1],\n"
	    "      \"est. achieved occupancy %%\": 30\n    }\n  }",
		correlation + 7, correlation);
	device_ns += run_ns + 200;
	now_ns += 5000;
}

/* An op with up to two levels in it; the last of them launches. */
static void host_op(int depth)
{
	uint64_t op = next_random(OPS), begin_ns = now_ns, dur_ns = 30000 + 113 * op;
	char name[64];

	snprintf(name, sizeof(name), "aten::op_%" PRIu64, op);
	slice("cpu_op", name, 4242, 4242, begin_ns, dur_ns);
	put(",\n    \"args\": {\n      \"External id\": %" PRIu64
	    ",\"Record function id\": 0, \"Ev Idx\": %" PRIu64 ", \"Input Dims\": [[64, %" PRIu64
	    "], [], []]\n    }\n  }",
		events, events, op);
	now_ns += 1500;
	if (depth < 2)
		host_op(depth + 1);
	else
		launch(op);
	now_ns = begin_ns + dur_ns + 400;
}

static void kineto_step(uint64_t number)
{
	uint64_t begin_ns = now_ns;
	char name[64];

	for (int i = 0; i < OPS_A_STEP / 3; i++)
		host_op(0);
	snprintf(name, sizeof(name), "ProfilerStep#%" PRIu64, number);
	slice("user_annotation", name, 4242, 4242, begin_ns, now_ns - begin_ns);
	put(",\n    \"args\": {\n      \"External id\": %" PRIu64 "\n    }\n  }", events);
	now_ns += 40000;
}

static void kineto(void)
{
	uint64_t step = 5;

	now_ns = UINT64_C(4362634645630764);
	put("{\n  \"schemaVersion\": 1,\n  \"displayTimeUnit\": \"ms\",\n  \"traceEvents\": [\n");
	while (written < limit)
		kineto_step(step++);
	put("\n  ],\n  \"baseTimeNanoseconds\": 1712186752000000000,\n  \"traceName\": "
	    "\"made.pt.trace.json\"\n}\n");
}

/* ---- TensorFlow ---- */

static void tf_process(unsigned pid, const char *name)
{
	put("%s        {\n            \"args\": {\n                \"name\": \"%s\"\n            "
	    "},\n            \"name\": \"process_name\",\n"
	    "            \"ph\": \"M\",\n            \"pid\": %u\n        }",
		events++ ? ",\n" : "", name, pid);
}

static void tf_node(unsigned pid, unsigned row, const char *node, const char *type,
	uint64_t start_us, uint64_t dur_us)
{
	put(",\n        {\n            \"args\": {\n                \"input0\": "
	    "\"tower_0/before\",\n                \"name\": \"%s\",\n"
	    "                \"op\": \"%s\"\n            },\n            \"cat\": \"Op\",\n        "
	    "    \"dur\": %" PRIu64 ",\n"
	    "            \"name\": \"%s\",\n            \"ph\": \"X\",\n            \"pid\": %u,\n "
	    "           \"tid\": %u,\n"
	    "            \"ts\": %" PRIu64 "\n        }",
		node, type, dur_us, type, pid, row, start_us);
	events++;
}

static void tf_step(uint64_t start_us)
{
	tf_node(1, 0, "_SOURCE", "NoOp", start_us, 5);
	for (uint64_t i = 0; i < OPS_A_STEP; i++) {
		char node[80], type[32];
		uint64_t op = i % OPS;

		snprintf(node, sizeof(node), "tower_0/stage_%" PRIu64 "/unit_%" PRIu64 "/Conv2D",
			op / 20, op);
		snprintf(type, sizeof(type), "Type%" PRIu64, op % 30);
		start_us += 9;
		tf_node(1, (unsigned)(i % 3), node, type, start_us, 3 + next_random(4));
		if (i % 3 == 0)
			tf_node(3, 0, node, type, start_us + 40, 8 + op % 11);
	}
}

static void tf(void)
{
	uint64_t start_us = UINT64_C(1490280005572311);

	put("{\n    \"traceEvents\": [\n");
	tf_process(1, "/job:localhost/replica:0/task:0/device:CPU:0 Compute");
	tf_process(3, "/device:GPU:0/stream:all Compute");
	for (; written < limit; start_us += 20000)
		tf_step(start_us);
	put("\n    ]\n}");
}

int main(int argc, char **argv)
{
	if (argc != 4 || (strcmp(argv[1], "kineto") != 0 && strcmp(argv[1], "tf") != 0))
		die("usage: make_trace kineto|tf BYTES FILE");
	limit = strtoull(argv[2], NULL, 10);
	file = fopen(argv[3], "w");
	if (!file || setvbuf(file, NULL, _IOFBF, 1 << 20) != 0)
		die("cannot open the file");
	if (strcmp(argv[1], "tf") == 0)
		tf();
	else
		kineto();
	if (fclose(file) != 0)
		die("cannot write");
	printf("%" PRIu64 " bytes, %" PRIu64 " events\n", written, events);
	return 0;
}
