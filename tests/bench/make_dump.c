/* Writes a made-up TensorFlow profile (ProfileProto) of any size for `make bench`: a residual
 * network in two towers with code traces, attributes and executions, the same bytes for the same
 * options. It needs nothing but the C library, so that the program that is measured has no part in
 * its own input. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_MICROS 26000
#define FIRST_MICROS UINT64_C(1795219702000000)
#define FRAMES_MOST 32
#define STRINGS 240 /* of the code traces */
#define LAYERS_PER_STAGE 24

struct options {
	uint64_t size;	/* bytes to come to; 0: nodes decide */
	uint64_t nodes; /* 0: size decides */
	uint64_t share; /* percent of the bytes that are executions; 0: as it comes */
	uint64_t steps;
	uint64_t first_step;
	uint64_t seed;
	const char *path;
};

/* ---- bytes ---- */

struct bytes {
	unsigned char *data;
	size_t size, room;
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "make_dump: %s\n", what);
	exit(1);
}

static unsigned char *make_room(struct bytes *b, size_t more)
{
	if (b->room - b->size < more) {
		b->room = 2 * b->room + more + 64;
		b->data = realloc(b->data, b->room);
		if (!b->data)
			die("out of memory");
	}
	return b->data + b->size;
}

static void put_varint(struct bytes *b, uint64_t value)
{
	unsigned char *at = make_room(b, 10), *start = at;

	for (; value >= 0x80; value >>= 7)
		*at++ = (unsigned char)(value | 0x80);
	*at++ = (unsigned char)value;
	b->size += (size_t)(at - start);
}

static void put_number(struct bytes *b, unsigned field, uint64_t value)
{
	put_varint(b, (uint64_t)field << 3);
	put_varint(b, value);
}

static void put_bytes(struct bytes *b, unsigned field, const void *data, size_t size)
{
	put_varint(b, (uint64_t)field << 3 | 2);
	put_varint(b, size);
	memcpy(make_room(b, size), data, size);
	b->size += size;
}

static void put_string(struct bytes *b, unsigned field, const char *s)
{
	put_bytes(b, field, s, strlen(s));
}

/* Adds `inside` as a message and empties it for the next. */
static void put_message(struct bytes *b, unsigned field, struct bytes *inside)
{
	put_bytes(b, field, inside->data ? (const void *)inside->data : "", inside->size);
	inside->size = 0;
}

/* ---- chance ---- */

/* splitmix64 (Steele, Lea & Flood 2014). */
static uint64_t chance(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint64_t below(uint64_t *state, uint64_t limit)
{
	return chance(state) % limit;
}

static void shuffle(uint32_t *item, size_t count, uint64_t *state)
{
	for (size_t i = count; i > 1; i--) {
		size_t k = below(state, i);
		uint32_t other = item[k];

		item[k] = item[i - 1];
		item[i - 1] = other;
	}
}

/* ---- the model ---- */

/* What stands before the name of the layer. */
static const char *const scope[] = {
	"v/cg/",
	"Momentum/update_v/cg/",
	"v/tower_0/cg/",
	"v/tower_0/gradients/v/tower_0/cg/",
	"v_1/tower_1/cg/",
	"v_1/tower_1/gradients/v_1/tower_1/cg/",
};
enum { VARIABLE, UPDATE, FORWARD, BACKWARD, FORWARD_1, BACKWARD_1 };

/* A node of a layer; layers are alike. */
struct kind {
	unsigned scope;
	const char *tail, *op;
	unsigned runs;	  /* times in a step; 0: never, only defined */
	unsigned micros;  /* typical time of one run */
	uint64_t bytes;	  /* that it asks for, 0: none */
	unsigned outputs; /* slots with a memory record */
	unsigned inputs, frames;
	bool convolution, constant, shaped;
};

#define TOWER(F, B)                                                                                \
	{F, "Relu", "Relu", 1, 60, 0, 1, 1, 9, false, false, false},                               \
		{F, "batchnorm/Const", "Const", 1, 2, 0, 0, 0, 13, false, true, false},            \
		{F, "batchnorm/Const_1", "Const", 0, 0, 0, 0, 0, 13, false, true, false},          \
		{F, "batchnorm/FusedBatchNorm", "FusedBatchNormV3", 1, 170, 65536, 6, 5, 11, true, \
			false, false},                                                             \
		{F, "conv2d/Conv2D", "Conv2D", 1, 420, 1048576, 1, 2, 10, true, false, false},     \
		{B, "Relu_grad/ReluGrad", "ReluGrad", 1, 50, 0, 1, 2, 11, false, false, false},    \
		{B, "batchnorm/FusedBatchNorm_grad/FusedBatchNormGradV3", "FusedBatchNormGradV3",  \
			1, 310, 65536, 3, 6, 12, true, false, false},                              \
		{B, "conv2d/Conv2D_grad/Conv2DBackpropFilter", "Conv2DBackpropFilter", 1, 640,     \
			4194304, 1, 3, 11, true, false, false},                                    \
		{B, "conv2d/Conv2D_grad/Conv2DBackpropInput", "Conv2DBackpropInput", 1, 580,       \
			2097152, 1, 3, 11, true, false, false},                                    \
		{B, "conv2d/Conv2D_grad/ShapeN", "ShapeN", 0, 0, 0, 0, 2, 12, false, false,        \
			false},                                                                    \
	{                                                                                          \
		B, "AddN", "AddN", 3, 12, 0, 1, 2, 11, false, false, false                         \
	}

#define WEIGHT(NAME)                                                                               \
	{VARIABLE, NAME, "VariableV2", 1, 3, 0, 1, 0, 22, true, false, true},                      \
		{VARIABLE, NAME "/Assign", "Assign", 0, 0, 0, 0, 2, 22, true, false, false},       \
		{VARIABLE, NAME "/Initializer/zeros", "Const", 0, 0, 0, 0, 0, 27, false, true,     \
			false},                                                                    \
		{VARIABLE, NAME "/read", "Identity", 1, 2, 0, 1, 1, 23, false, false, false},      \
		{VARIABLE, NAME "/Momentum", "VariableV2", 1, 3, 0, 1, 0, 25, true, false, true},  \
		{VARIABLE, NAME "/Momentum/Assign", "Assign", 0, 0, 0, 0, 2, 25, true, false,      \
			false},                                                                    \
		{VARIABLE, NAME "/Momentum/Initializer/zeros", "Const", 0, 0, 0, 0, 0, 30, false,  \
			true, false},                                                              \
		{VARIABLE, NAME "/Momentum/read", "Identity", 0, 0, 0, 0, 1, 26, false, false,     \
			false},                                                                    \
	{                                                                                          \
		UPDATE, NAME "/ApplyMomentum", "ApplyMomentum", 1, 25, 0, 1, 5, 9, false, false,   \
			false                                                                      \
	}

static const struct kind kind_table[] = {
	WEIGHT("conv2d/kernel"),
	WEIGHT("batchnorm/beta"),
	WEIGHT("batchnorm/gamma"),
	TOWER(FORWARD, BACKWARD),
	TOWER(FORWARD_1, BACKWARD_1),
};
#define KINDS (sizeof(kind_table) / sizeof(kind_table[0]))

/* One node being written, with the work space of its parts. */
struct maker {
	const struct options *opt;
	struct bytes node, part, inner, small, least;
	uint32_t *turn; /* steps in the order of the file, which is by chance */
	size_t exec_bytes;
	uint64_t weight;     /* of the constants so far */
	uint64_t unit_bytes; /* of a constant's weight */
	uint64_t state;
	char name[256];
};

static void put_text_attr(struct maker *m, const char *name, const char *value)
{
	put_string(&m->part, 1, name);
	put_string(&m->inner, 2, value);
	put_message(&m->part, 2, &m->inner);
	put_message(&m->node, 11, &m->part);
}

static void put_type_attr(struct maker *m, const char *name)
{
	put_string(&m->part, 1, name);
	put_number(&m->inner, 6, 1);
	put_message(&m->part, 2, &m->inner);
	put_message(&m->node, 11, &m->part);
}

static void put_list_attr(struct maker *m, const char *name)
{
	static const unsigned char ones[] = {1, 1, 1, 1};

	put_string(&m->part, 1, name);
	put_bytes(&m->small, 3, ones, sizeof(ones));
	put_message(&m->inner, 1, &m->small);
	put_message(&m->part, 2, &m->inner);
	put_message(&m->node, 11, &m->part);
}

static void put_shapes_attr(struct maker *m)
{
	put_string(&m->part, 1, "_output_shapes");
	for (unsigned d = 0; d < 4; d++) {
		put_number(&m->least, 1, 16u << d);
		put_message(&m->small, 2, &m->least);
	}
	put_message(&m->inner, 7, &m->small);
	put_message(&m->small, 1, &m->inner);
	put_message(&m->part, 2, &m->small);
	put_message(&m->node, 11, &m->part);
}

/* The tensor of a constant: floats of no meaning, which no packer makes small. */
static void put_tensor_attr(struct maker *m)
{
	uint64_t weight = UINT64_C(1) << below(&m->state, 10);
	size_t words = (size_t)(weight * m->unit_bytes / 8);
	unsigned char *at = make_room(&m->least, 8 * words + 8);

	m->weight += weight;
	for (size_t i = 0; i < words; i++) {
		uint64_t word = chance(&m->state);

		memcpy(at + 8 * i, &word, 8);
	}
	m->least.size = 8 * words;
	put_string(&m->part, 1, "value");
	put_number(&m->inner, 1, 1);
	if (words)
		put_message(&m->inner, 4, &m->least);
	else
		put_bytes(&m->inner, 5, "\0\0\200?", 4);
	put_message(&m->small, 8, &m->inner);
	put_message(&m->part, 2, &m->small);
	put_message(&m->node, 11, &m->part);
}

static void put_attrs(struct maker *m, const struct kind *kind)
{
	put_type_attr(m, kind->constant ? "dtype" : "T");
	put_shapes_attr(m);
	if (kind->convolution) {
		put_text_attr(m, "data_format", "NHWC");
		put_list_attr(m, "strides");
		put_list_attr(m, "dilations");
		put_text_attr(m, "padding", "SAME");
	}
	if (kind->constant)
		put_tensor_attr(m);
}

static void put_trace(struct maker *m, unsigned frames)
{
	for (unsigned i = 0; i < frames && i < FRAMES_MOST; i++) {
		put_number(&m->part, 2, 20 + below(&m->state, 4000));
		put_number(&m->part, 5, UINT64_MAX);
		put_number(&m->part, 6, 1 + below(&m->state, STRINGS / 2));
		put_number(&m->part, 7, 1 + STRINGS / 2 + below(&m->state, STRINGS / 2));
		put_message(&m->inner, 1, &m->part);
	}
	put_message(&m->node, 10, &m->inner);
}

/* Mostly near the typical time, with the long tail that real steps have. */
static uint64_t one_time(struct maker *m, unsigned micros, uint64_t step)
{
	uint64_t percent = 90 + below(&m->state, 12) + below(&m->state, 12);

	if (below(&m->state, 40) == 0)
		percent += below(&m->state, 400);
	if (step == 0)
		percent *= 3;
	uint64_t time = micros * percent / 100;

	return time ? time : 1;
}

static void put_memory(struct maker *m, const struct kind *kind, uint64_t end)
{
	put_number(&m->inner, 1, end);
	if (kind->bytes) {
		put_number(&m->inner, 6, kind->bytes);
		put_number(&m->inner, 7, kind->bytes);
	}
	if (kind->outputs)
		put_number(&m->inner, 9, kind->bytes ? kind->bytes / 2 : 9216);
	for (unsigned slot = 0; slot < kind->outputs; slot++) {
		put_number(&m->small, 1, slot);
		put_number(&m->least, 1, kind->bytes ? kind->bytes / kind->outputs : 9216);
		put_number(
			&m->least, 2, UINT64_C(140542000000000) + 64 * below(&m->state, 1u << 30));
		put_message(&m->small, 2, &m->least);
		put_message(&m->inner, 11, &m->small);
	}
	put_message(&m->part, 7, &m->inner);
}

/* ExecProfile of one step, in part; the executions follow each other. */
static void make_exec(
	struct maker *m, const struct kind *kind, const char *device, uint64_t start, uint64_t step)
{
	uint64_t at = start, end[8], run = kind->runs;

	for (uint64_t i = 0; i < run; i++) {
		uint64_t dur = one_time(m, kind->micros, step);

		put_varint(&m->least, at);
		put_varint(&m->least, dur);
		put_message(&m->small, 1, &m->least);
		put_message(&m->inner, 1, &m->small);
		at = end[i] = at + dur;
		at += 2;
	}
	put_number(&m->part, 1, run);
	put_number(&m->part, 2, start);
	put_number(&m->part, 3, end[run - 1]);
	put_string(&m->small, 1, device);
	put_message(&m->small, 2, &m->inner);
	put_message(&m->part, 5, &m->small);
	put_string(&m->part, 6, device);
	for (uint64_t i = 0; i < run; i++)
		put_memory(m, kind, end[i]);
}

static void put_execs(struct maker *m, const struct kind *kind, const char *device, uint64_t index)
{
	size_t before = m->node.size;

	for (uint32_t i = 0; i < m->opt->steps; i++)
		m->turn[i] = i;
	shuffle(m->turn, m->opt->steps, &m->state);
	for (size_t i = 0; i < m->opt->steps; i++) {
		uint64_t step = m->turn[i];

		make_exec(m, kind, device, FIRST_MICROS + step * STEP_MICROS + index * 7 % 20000,
			step);
		/* {step, ExecProfile}, with part as the value. */
		put_number(&m->inner, 1, m->opt->first_step + step);
		put_message(&m->inner, 2, &m->part);
		put_message(&m->node, 12, &m->inner);
	}
	m->exec_bytes += m->node.size - before;
}

static void put_inputs(struct maker *m, const struct kind *kind, uint64_t index)
{
	for (unsigned i = 0; i < kind->inputs && i < index; i++) {
		put_number(&m->part, 1, i);
		put_number(&m->part, 2, index - 1 - i);
		put_message(&m->node, 2, &m->part);
	}
}

static void name_node(struct maker *m, const struct kind *kind, uint64_t index)
{
	uint64_t layer = index / KINDS;

	snprintf(m->name, sizeof(m->name), "%sresnet%" PRIu64 "/block_%" PRIu64 "_%" PRIu64 "/%s",
		scope[kind->scope], layer / LAYERS_PER_STAGE, layer % LAYERS_PER_STAGE / 3,
		layer % 3, kind->tail);
}

static void put_shape(struct maker *m)
{
	put_varint(&m->part, 3);
	put_varint(&m->part, 3);
	put_varint(&m->part, 16);
	put_varint(&m->part, 32);
	put_message(&m->node, 4, &m->part);
}

/* The node of this index: nothing but the options and the index decides its bytes. */
static void make_node(struct maker *m, uint64_t index)
{
	const struct kind *kind = &kind_table[index % KINDS];
	const char *device = kind->scope >= FORWARD_1
				     ? "/job:localhost/replica:0/task:0/device:cpu:1"
				     : "/job:localhost/replica:0/task:0/device:cpu:0";

	m->state = m->opt->seed * UINT64_C(0xd1342543de82ef95) + index;
	m->node.size = 0;
	name_node(m, kind, index);
	put_string(&m->node, 1, m->name);
	put_inputs(m, kind, index);
	if (kind->shaped)
		put_shape(m);
	put_string(&m->node, 5, kind->op);
	if (kind->runs) {
		put_string(&m->node, 5, device);
		put_string(&m->node, 6, device);
		put_string(&m->node, 7, device);
	}
	if (kind->convolution && kind->runs)
		put_number(&m->node, 8, 2359296);
	put_string(&m->node, 9, kind->op);
	put_trace(m, kind->frames);
	put_attrs(m, kind);
	if (kind->runs)
		put_execs(m, kind, device, index);
	put_number(&m->node, 13, index);
}

static uint64_t varint_size(uint64_t value)
{
	uint64_t size = 1;

	for (; value >= 0x80; value >>= 7)
		size++;
	return size;
}

static uint64_t entry_size(const struct maker *m, uint64_t index)
{
	uint64_t inside = 2 + varint_size(index) + varint_size(m->node.size) + m->node.size;

	return 1 + varint_size(inside) + inside;
}

/* ---- the file ---- */

/* How many nodes there will be, and how large the constants are. */
static uint64_t plan(struct maker *m)
{
	const struct options *opt = m->opt;
	uint64_t total = 0, count = 0;

	for (; count < (opt->nodes ? opt->nodes : UINT32_MAX); count++) {
		if (opt->size && total >= opt->size)
			break;
		if (opt->size && opt->share && m->exec_bytes >= opt->size / 100 * opt->share)
			break;
		make_node(m, count);
		total += entry_size(m, count);
	}
	if (opt->size > total && m->weight)
		m->unit_bytes = (opt->size - total) / m->weight;
	m->exec_bytes = 0;
	return count;
}

static void put_tail(struct maker *m, struct bytes *out)
{
	char text[80];

	put_number(out, 2, 1);
	for (uint64_t s = 0; s < m->opt->steps; s++)
		put_varint(&m->part, m->opt->first_step + s);
	put_message(out, 3, &m->part);
	for (unsigned i = 1; i <= STRINGS; i++) {
		snprintf(text, sizeof(text),
			i <= STRINGS / 2 ? "site-packages/tensorflow/python/ops/module_%u.py"
					 : "function_%u",
			i);
		put_number(&m->part, 1, i);
		put_string(&m->part, 2, text);
		put_message(out, 4, &m->part);
	}
}

static uint64_t write_out(FILE *file, struct bytes *out)
{
	size_t size = out->size;

	if (fwrite(out->data, 1, size, file) != size)
		die("writing failed");
	out->size = 0;
	return size;
}

static void write_dump(struct maker *m, uint64_t count)
{
	FILE *file = fopen(m->opt->path, "wb");
	uint32_t *order = malloc((count + 1) * sizeof(*order));
	struct bytes out = {0};
	uint64_t total = 0, runs = 0, state = m->opt->seed;

	if (!file || !order)
		die("cannot write the file");
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	shuffle(order, count, &state);
	for (uint64_t i = 0; i < count; i++) {
		make_node(m, order[i]);
		runs += kind_table[order[i] % KINDS].runs > 0;
		put_number(&m->part, 1, order[i]);
		put_message(&m->part, 2, &m->node);
		put_message(&out, 1, &m->part);
		total += write_out(file, &out);
	}
	put_tail(m, &out);
	total += write_out(file, &out);
	if (fclose(file))
		die("writing failed");
	printf("%s: %" PRIu64 " bytes, %" PRIu64 " steps, %" PRIu64 " ops, %" PRIu64
	       " of them run, %" PRIu64 " observations, %.0f %% of the bytes are executions\n",
		m->opt->path, total, m->opt->steps, count, runs, runs * m->opt->steps,
		100.0 * (double)m->exec_bytes / (double)total);
	free(order);
	free(out.data);
}

static bool take_option(struct options *opt, const char *name, uint64_t value)
{
	const struct {
		const char *name;
		uint64_t *value;
	} known[] = {
		{"--size", &opt->size},
		{"--nodes", &opt->nodes},
		{"--share", &opt->share},
		{"--steps", &opt->steps},
		{"--first", &opt->first_step},
		{"--seed", &opt->seed},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0) {
			*known[i].value = value;
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	struct options opt = {.steps = 12, .first_step = 3, .seed = 1};
	struct maker m = {.opt = &opt};

	for (int i = 1; i + 1 < argc; i += 2) {
		char *end;
		uint64_t value = strtoull(argv[i + 1], &end, 10);

		if (*end || !take_option(&opt, argv[i], value))
			die("usage: make_dump [--size BYTES] [--nodes N] [--share PERCENT] "
			    "[--steps N] [--first N] [--seed N] FILE");
	}
	if (argc % 2 || !(opt.size || opt.nodes) || opt.steps == 0 || opt.share > 99)
		die("a size or a number of nodes, and a file to write, are needed");
	opt.path = argv[argc - 1];
	m.turn = malloc(opt.steps * sizeof(*m.turn));
	if (!m.turn)
		die("out of memory");
	write_dump(&m, plan(&m));
	free(m.turn);
	free(m.node.data);
	free(m.part.data);
	free(m.inner.data);
	free(m.small.data);
	free(m.least.data);
	return 0;
}
