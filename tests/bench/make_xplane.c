/* Writes a made-up XPlane file of any size for `make bench`, as JAX writes it on a CPU (ops on
 * threads of the host, each with its end), on a TPU (ops of four devices with the device's own
 * times, some nested in a while) or on a GPU (kernels with the ids of their launches on the host).
 * Ids, stats and tables are as in real files. The same bytes for the same options. It needs nothing
 * but the C library.
 *
 * usage: make_xplane cpu|tpu|gpu EVENTS FILE */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPS 400
#define OPS_A_STEP 1000
#define LENGTH_BYTES                                                                               \
	5 /* of a length that is written when it is known; more are refused by others */

static FILE *file;
static uint64_t state = 88172645463325252u;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "make_xplane: %s\n", what);
	exit(1);
}

static uint64_t next_random(uint64_t below) /* xorshift64 (Marsaglia 2003) */
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

/* ---- framing ---- */

struct bytes {
	unsigned char at[512];
	size_t size;
};

static void add_varint(struct bytes *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		b->at[b->size++] = (unsigned char)(value | 0x80);
	b->at[b->size++] = (unsigned char)value;
}

static void add_number(struct bytes *b, unsigned field, uint64_t value)
{
	add_varint(b, field << 3);
	add_varint(b, value);
}

static void add_bytes(struct bytes *b, unsigned field, const void *bytes, size_t size)
{
	add_varint(b, field << 3 | 2);
	add_varint(b, size);
	memcpy(b->at + b->size, bytes, size);
	b->size += size;
}

static void put(const struct bytes *b)
{
	if (fwrite(b->at, 1, b->size, file) != b->size)
		die("cannot write");
}

static void put_message(unsigned field, const struct bytes *contents)
{
	struct bytes b = {.size = 0};

	add_bytes(&b, field, contents->at, contents->size);
	put(&b);
}

/* A message whose length is not known yet; returns where it begins. */
static long open_message(unsigned field)
{
	struct bytes b = {.size = 0};

	add_varint(&b, field << 3 | 2);
	memset(b.at + b.size, 0, LENGTH_BYTES);
	b.size += LENGTH_BYTES;
	put(&b);
	return ftell(file);
}

static void close_message(long start)
{
	const long end = ftell(file);
	uint64_t length = (uint64_t)(end - start);
	unsigned char at[LENGTH_BYTES];

	for (size_t i = 0; i < LENGTH_BYTES; i++, length >>= 7)
		at[i] = (unsigned char)((length & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
	if (start < 0 || fseek(file, start - LENGTH_BYTES, SEEK_SET) != 0 ||
		fwrite(at, 1, sizeof(at), file) != sizeof(at) || fseek(file, 0, SEEK_END) != 0)
		die("cannot write");
}

/* ---- tables ---- */

enum stat {
	STEP_NUM = 1,
	ROOT,
	HLO_OP,
	HLO_MODULE,
	PROGRAM,
	RUN,
	DEVICE,
	SOURCE,
	PRODUCER_TYPE,
	PRODUCER,
	DEVICE_OFFSET,
	DEVICE_DURATION,
	CORRELATION,
	CATEGORY,
	TEXTS = 20 /* names of ops follow, as targets of references */
};
static const char *const stat_names[TEXTS] = {[STEP_NUM] = "step_num",
	[ROOT] = "_r",
	[HLO_OP] = "hlo_op",
	[HLO_MODULE] = "hlo_module",
	[PROGRAM] = "program_id",
	[RUN] = "run_id",
	[DEVICE] = "device_ordinal",
	[SOURCE] = "_src",
	[PRODUCER_TYPE] = "_pt",
	[PRODUCER] = "_p",
	[DEVICE_OFFSET] = "device_offset_ps",
	[DEVICE_DURATION] = "device_duration_ps",
	[CORRELATION] = "correlation_id",
	[CATEGORY] = "hlo_category"};

enum { TRAIN = 1, END = 1000, LAUNCH = 2000, OTHER = 2001, WHILE = 2002 };

static void put_entry(unsigned field, uint64_t id, const char *name, const char *category)
{
	struct bytes message = {.size = 0}, entry = {.size = 0}, stat = {.size = 0};

	add_number(&message, 1, id);
	add_bytes(&message, 2, name, strlen(name));
	if (category) {
		add_number(&stat, 1, CATEGORY);
		add_bytes(&stat, 5, category, strlen(category));
		add_bytes(&message, 5, stat.at, stat.size);
	}
	add_number(&entry, 1, id);
	add_bytes(&entry, 2, message.at, message.size);
	put_message(field, &entry);
}

static void put_tables(bool has_categories)
{
	static const char *const category[] = {"loop fusion", "convolution", "all-reduce", "copy"};
	char name[64];

	put_entry(4, TRAIN, "train", NULL);
	put_entry(4, LAUNCH, "cuLaunchKernel", NULL);
	put_entry(4, OTHER, "ThunkExecutor::Execute", NULL);
	put_entry(4, WHILE, "while.1", has_categories ? "while" : NULL);
	for (unsigned i = 0; i < OPS; i++) {
		snprintf(name, sizeof(name), "end: loop_fusion.%u", i);
		put_entry(4, i + 2, name + 5, has_categories ? category[i % 4] : NULL);
		put_entry(4, END + i, name, NULL);
		put_entry(5, TEXTS + i, name + 5, NULL);
	}
	put_entry(5, TEXTS + OPS, "jit_train_step", NULL);
	put_entry(5, TEXTS + OPS + 1, "external/xla/xla/backends/cpu/runtime/thunk.cc", NULL);
	for (unsigned i = 1; i < TEXTS; i++)
		if (stat_names[i])
			put_entry(5, i, stat_names[i], NULL);
}

/* ---- events ---- */

static uint64_t events;

static void add_stat(struct bytes *event, enum stat id, unsigned field, uint64_t value)
{
	struct bytes stat = {.size = 0};

	add_number(&stat, 1, id);
	add_number(&stat, field, value);
	add_bytes(event, 4, stat.at, stat.size);
}

static struct bytes event_of(uint64_t id, uint64_t offset_ps, uint64_t dur_ps)
{
	struct bytes event = {.size = 0};

	add_number(&event, 1, id);
	add_number(&event, 2, offset_ps);
	add_number(&event, 3, dur_ps);
	return event;
}

static void put_event(const struct bytes *event)
{
	put_message(4, event);
	events++;
}

static long open_plane(const char *name)
{
	const long start = open_message(1);
	struct bytes b = {.size = 0};

	add_bytes(&b, 2, name, strlen(name));
	put(&b);
	return start;
}

static long open_line(uint64_t id, const char *name)
{
	const long start = open_message(3);
	struct bytes b = {.size = 0};

	add_number(&b, 1, id);
	add_bytes(&b, 2, name, strlen(name));
	add_number(&b, 3, 5515);
	put(&b);
	return start;
}

/* As on a CPU: an op with all its stats, and what the runtime does at its end. */
static uint64_t put_cpu_op(uint64_t now, uint64_t run)
{
	const uint64_t op = next_random(OPS), dur = 2000000 + next_random(400) * 1000;
	struct bytes event = event_of(op + 2, now, dur);

	add_stat(&event, HLO_OP, 7, TEXTS + op);
	add_stat(&event, HLO_MODULE, 7, TEXTS + OPS);
	add_stat(&event, PROGRAM, 4, 14);
	add_stat(&event, RUN, 4, (uint64_t)-69332595 + run);
	add_stat(&event, DEVICE, 4, 0);
	add_stat(&event, SOURCE, 7, TEXTS + OPS + 1);
	add_stat(&event, PRODUCER_TYPE, 4, 0);
	add_stat(&event, PRODUCER, 4, 8589934592 + events);
	put_event(&event);
	event = event_of(END + op, now + dur - 500000, 400000);
	add_stat(&event, PRODUCER_TYPE, 4, 0);
	add_stat(&event, PRODUCER, 4, 8589934592 + events);
	put_event(&event);
	return now + dur + 10000;
}

/* As on a TPU: times of its own clock; a while around ten ops. */
static uint64_t put_tpu_op(uint64_t now, unsigned k)
{
	const uint64_t op = next_random(OPS), dur = 1000000 + next_random(400) * 1250;
	struct bytes event;

	if (k % 50 == 0) {
		event = event_of(WHILE, now, 16000000);
		add_stat(&event, DEVICE_OFFSET, 3, now - 1400078);
		add_stat(&event, DEVICE_DURATION, 3, 16000000);
		put_event(&event);
	}
	event = event_of(op + 2, now, dur);
	add_stat(&event, DEVICE_OFFSET, 3, now - 1400078);
	add_stat(&event, DEVICE_DURATION, 3, dur);
	put_event(&event);
	return now + dur + 1250;
}

static uint64_t put_kernel(uint64_t now, uint64_t id)
{
	const uint64_t op = next_random(OPS), dur = 1000000 + next_random(400) * 1000;
	struct bytes event = event_of(op + 2, now, dur);

	add_stat(&event, CORRELATION, 3, id);
	add_stat(&event, HLO_OP, 7, TEXTS + op);
	add_stat(&event, HLO_MODULE, 7, TEXTS + OPS);
	add_stat(&event, PROGRAM, 4, 14);
	put_event(&event);
	return now + dur + 1000;
}

/* Steps of equal length on the thread that trains. */
static void put_steps(uint64_t steps, uint64_t step_ps)
{
	const long line = open_line(7, "python");

	for (uint64_t i = 0; i < steps; i++) {
		struct bytes event = event_of(TRAIN, i * step_ps, step_ps - 1000000);

		add_stat(&event, ROOT, 4, 1);
		add_stat(&event, STEP_NUM, 4, i);
		put_event(&event);
	}
	close_message(line);
}

static void put_host(const char *how, uint64_t steps, uint64_t step_ps)
{
	const long plane = open_plane("/host:CPU");

	put_steps(steps, step_ps);
	for (unsigned thread = 0; thread < 4 && how[0] != 't'; thread++) {
		const long line = open_line(UINT64_C(15200000000000000000) + thread,
			how[0] == 'g' ? "Host Threads/1" : "tf_XLAEigen/1");

		for (uint64_t i = 0; i < steps; i++) {
			uint64_t now = i * step_ps;

			for (unsigned k = 0; k < OPS_A_STEP; k++) {
				struct bytes event;

				if (how[0] == 'c') {
					now = put_cpu_op(now, i);
					continue;
				}
				event = event_of(LAUNCH, now, 900000);
				add_stat(&event, CORRELATION, 3,
					(i * 4 + thread) * OPS_A_STEP + k + 1);
				put_event(&event);
				now += 1000000;
			}
		}
		close_message(line);
	}
	put_tables(false);
	close_message(plane);
}

static void put_devices(const char *how, uint64_t steps, uint64_t step_ps)
{
	for (unsigned device = 0; device < 4; device++) {
		char name[64];
		long plane, line;

		snprintf(
			name, sizeof(name), "/device:%s:%u", how[0] == 't' ? "TPU" : "GPU", device);
		plane = open_plane(name);
		line = open_line(3, how[0] == 't' ? "XLA Ops" : "Stream #13(Kernel)");
		for (uint64_t i = 0; i < steps; i++) {
			uint64_t now = i * step_ps + 2000000;

			for (unsigned k = 0; k < OPS_A_STEP; k++)
				now = how[0] == 't'
					      ? put_tpu_op(now, k)
					      : put_kernel(
							now, (i * 4 + device) * OPS_A_STEP + k + 1);
		}
		close_message(line);
		put_tables(how[0] == 't');
		close_message(plane);
	}
}

int main(int argc, char **argv)
{
	uint64_t wanted, steps;

	if (argc != 4)
		die("usage: make_xplane cpu|tpu|gpu EVENTS FILE");
	wanted = strtoull(argv[2], NULL, 10);
	steps = wanted / (4 * OPS_A_STEP * (argv[1][0] == 't' ? 1 : 2)) + 1;
	file = fopen(argv[3], "wb");
	if (!file)
		die("cannot open the file");
	if (argv[1][0] != 'c')
		put_devices(argv[1], steps, 3000000000);
	put_host(argv[1], steps, 3000000000);
	printf("%" PRIu64 " events in %" PRIu64 " steps, %ld bytes\n", events, steps, ftell(file));
	if (fclose(file) != 0)
		die("cannot write");
	return 0;
}
