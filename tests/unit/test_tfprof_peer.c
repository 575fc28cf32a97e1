/* The reader against protobuf-c's own unpacking of the whole message: on every file, and on
 * thousands of changed ones. The peer knows no maps, so their rule (the last of a key counts) is
 * applied here. */
#include "tfprof/files/tfprof.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"
#include "tests/unit/tfprof_full.pb-c.h"

#define VARIANTS 4000

struct bytes {
	unsigned char *data;
	size_t size;
};

static struct bytes load(const char *name)
{
	char path[1024];
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_open(data_path(path, sizeof(path), name), &err);
	struct bytes b = {malloc((size_t)1 << 20), 0};
	const unsigned char *part;
	size_t size;

	assert_non_null(in);
	while (input_peek(in, 1, &part, &size, &err) == 0 && size > 0) {
		assert_true(b.size + size <= (size_t)1 << 20);
		memcpy(b.data + b.size, part, size);
		b.size += size;
		input_skip(in, size);
	}
	input_close(in);
	return b;
}

static bool same_bytes(const ProtobufCBinaryData *a, const ProtobufCBinaryData *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

/* Bytes that TensorFlow 1.4 put into ExecProfile itself are unknown fields here. */
static void old_bytes(const Full__ExecProfile *e, int64_t sum[4])
{
	for (unsigned i = 0; i < e->base.n_unknown_fields; i++) {
		const ProtobufCMessageUnknownField *f = &e->base.unknown_fields[i];
		uint64_t value = 0;

		if (f->tag < 8 || f->tag > 10 || f->wire_type != PROTOBUF_C_WIRE_TYPE_VARINT)
			continue;
		for (size_t k = f->len; k-- > 0;)
			value = value << 7 | (f->data[k] & 0x7f);
		sum[f->tag - 7] = (int64_t)value;
	}
}

static bool add(int64_t *sum, int64_t value)
{
	return __builtin_add_overflow(*sum, value, sum);
}

static bool sum_times(Full__Exec *const *entry, size_t count, int64_t *sum, size_t *intervals)
{
	bool overflow = false;

	for (size_t i = 0; i < count; i++) {
		bool replaced = false;

		for (size_t k = i + 1; k < count && !replaced; k++)
			replaced = same_bytes(&entry[i]->key, &entry[k]->key);
		for (size_t k = 0; !replaced && entry[i]->value && k < entry[i]->value->n_times;
			k++) {
			const Full__Tuple *t = entry[i]->value->times[k];

			if (t->n_int64_values != 2)
				continue;
			overflow |= add(sum, t->int64_values[1]);
			++*intervals;
		}
	}
	return overflow;
}

static void check_exec(
	const Full__ExecProfile *e, int64_t step, const struct exec *exec, size_t *intervals)
{
	static const Full__ExecProfile empty = FULL__EXEC_PROFILE__INIT;
	struct exec x = {.step = step};
	int64_t sum[4] = {0};

	if (!e)
		e = &empty;
	x.overflow |= sum_times(
		e->accelerator_execs, e->n_accelerator_execs, &x.accelerator_micros, intervals);
	x.overflow |= sum_times(e->cpu_execs, e->n_cpu_execs, &x.cpu_micros, intervals);
	for (size_t i = 0; i < e->n_memory_execs; i++) {
		x.overflow |= add(&sum[0], e->memory_execs[i]->requested_bytes);
		x.overflow |= add(&sum[1], e->memory_execs[i]->peak_bytes);
		x.overflow |= add(&sum[2], e->memory_execs[i]->residual_bytes);
		x.overflow |= add(&sum[3], e->memory_execs[i]->output_bytes);
	}
	if (e->n_memory_execs == 0)
		old_bytes(e, sum);
	assert_true(exec->step == step);
	assert_true(exec->run_count == e->run_count);
	assert_true(exec->start_micros == e->all_start_micros);
	assert_true(exec->end_micros == e->latest_end_micros);
	assert_true(exec->accelerator_micros == x.accelerator_micros);
	assert_true(exec->cpu_micros == x.cpu_micros);
	assert_true(exec->requested_bytes == sum[0]);
	assert_true(exec->peak_bytes == sum[1]);
	assert_true(exec->residual_bytes == sum[2]);
	assert_true(exec->output_bytes == sum[3]);
	assert_true(exec->overflow == x.overflow);
}

static void check_word(const char *word, const ProtobufCBinaryData *data)
{
	for (size_t i = 0; i < data->len; i++, word++) {
		if (data->data[i] == 0)
			assert_true(*word++ == '\\' && *word == '0');
		else
			assert_int_equal((unsigned char)*word, data->data[i]);
	}
	assert_int_equal(*word, 0);
}

static void check_node(const struct graph *g, const struct graph_node *node,
	const Full__ProfileNode *peer, size_t *intervals)
{
	static const Full__ProfileNode empty = FULL__PROFILE_NODE__INIT;
	size_t execs = 0;

	if (!peer)
		peer = &empty;
	check_word(node->name, &peer->name);
	check_word(node->op, &peer->op);
	check_word(node->canonical_device, &peer->canonical_device);
	check_word(node->host_device, &peer->host_device);
	assert_true(node->float_ops == peer->float_ops);
	assert_int_equal(node->op_type_count, peer->n_op_types);
	for (size_t i = 0; i < peer->n_op_types; i++)
		check_word(node->op_types[i], &peer->op_types[i]);
	assert_int_equal(node->shape_count, peer->n_shape);
	for (size_t i = 0; i < peer->n_shape; i++)
		assert_true(node->shape[i] == peer->shape[i]);
	for (size_t i = 0; i < peer->n_execs; i++) {
		int64_t step = peer->execs[i]->key;
		bool replaced = false;
		size_t k = 0;

		for (size_t m = i + 1; m < peer->n_execs && !replaced; m++)
			replaced = peer->execs[m]->key == step;
		if (replaced)
			continue;
		while (k < node->exec_count && g->exec[node->exec_first + k].step != step)
			k++;
		assert_true(k < node->exec_count);
		check_exec(peer->execs[i]->value, step, &g->exec[node->exec_first + k], intervals);
		execs++;
	}
	assert_int_equal(node->exec_count, execs);
}

/* The nodes that count: the last of each key, of one name that with the lowest key. */
static void check_graph(const struct graph *g, const Full__ProfileProto *p)
{
	size_t n = p->n_nodes, kept = 0, intervals = 0, own = 0;
	const Full__ProfileProto__NodesEntry **entry = calloc(n + 1, sizeof(*entry));

	for (size_t i = 0; i < n; i++) {
		size_t at = 0;

		while (at < kept && entry[at]->key < p->nodes[i]->key)
			at++;
		if (at == kept || entry[at]->key != p->nodes[i]->key) {
			memmove(entry + at + 1, entry + at, (kept - at) * sizeof(*entry));
			kept++;
		}
		entry[at] = p->nodes[i];
	}
	size_t node = 0;

	for (size_t i = 0; i < kept; i++) {
		static const ProtobufCBinaryData nothing = {0, NULL};
		const ProtobufCBinaryData *name =
			entry[i]->value ? &entry[i]->value->name : &nothing;
		bool taken = false;

		for (size_t k = 0; k < i && !taken; k++)
			taken = same_bytes(
				name, entry[k]->value ? &entry[k]->value->name : &nothing);
		if (taken)
			continue;
		assert_true(node < g->node_count);
		check_node(g, &g->node[node++], entry[i]->value, &intervals);
	}
	free(entry);
	assert_int_equal(g->node_count, node);
	for (size_t i = 0; i < g->exec_count; i++) /* those are not among the intervals */
		own += g->exec[i].own_interval;
	assert_int_equal(g->interval_count + own, intervals);
	assert_int_equal(g->step_count, p->n_steps);
	for (size_t i = 0; i < p->n_steps; i++)
		assert_true(g->step[i] == p->steps[i]);
	assert_int_equal(g->has_trace, p->has_trace != 0);
}

/* 0: both refuse, or only the peer does; 1: compared; 2: only the reader refuses. */
static int compare(const unsigned char *data, size_t size)
{
	struct arena *arena = arena_new();
	struct graph *g = graph_new();
	struct issue_list issues;
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "f");
	Full__ProfileProto *p = full__profile_proto__unpack(NULL, size, data);

	issue_list_init(&issues, arena);
	int read = tfprof_read_graph(in, g, &issues, &read_options_default, &err);
	int result = !p ? 0 : read ? 2 : 1;

	if (read) {
		assert_true(err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT);
		assert_true(err.message[0] && err.place[0] == 'f');
	}
	if (result == 1)
		check_graph(g, p);
	if (p)
		full__profile_proto__free_unpacked(p, NULL);
	input_close(in);
	graph_free(g);
	arena_free(arena);
	return result;
}

static const char *const files[] = {
	"tfprof/odd/big",
	"tfprof/odd/key_not_id",
	"tfprof/odd/loops",
	"tfprof/odd/names",
	"tfprof/odd/negative_step",
	"tfprof/odd/no_steps",
	"tfprof/odd/partial",
	"tfprof/odd/shapes",
	"tfprof/odd/step_not_listed",
	"tfprof/odd/utf8",
	"tfprof/synth_1",
	"tfprof/mnist_softmax_20.gz",
	"tfprof/mnist_softmax_100.gz",
	"tfprof/gpu_synth_8.gz",
};
#define SMALL 10 /* the first of them */

TEST(equal_on_every_file)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct bytes b = load(files[i]);

		assert_int_equal(compare(b.data, b.size), 1);
		free(b.data);
	}
}

static uint32_t next_random(uint32_t *state) /* xorshift (Marsaglia 2003) */
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* One to three changes: a bit, a byte, a cut, a piece doubled, a piece removed. */
static size_t change(unsigned char *data, size_t size, size_t room, uint32_t *random)
{
	for (uint32_t n = next_random(random) % 3 + 1; n > 0 && size > 1; n--) {
		size_t at = next_random(random) % size;
		size_t piece = next_random(random) % 64 + 1;

		if (piece > size - at)
			piece = size - at;
		switch (next_random(random) % 8) {
		case 0:
		case 1:
		case 2:
			data[at] ^= (unsigned char)(1u << next_random(random) % 8);
			break;
		case 3:
		case 4:
			data[at] = (unsigned char)next_random(random);
			break;
		case 5:
			size = at + 1;
			break;
		case 6:
			if (size + piece > room)
				break;
			memmove(data + at + piece, data + at, size - at);
			size += piece;
			break;
		default:
			memmove(data + at, data + at + piece, size - at - piece);
			size -= piece;
			break;
		}
	}
	return size;
}

TEST(equal_on_changed_files)
{
	uint32_t random = 2463534242u;
	size_t compared = 0, stricter = 0;

	for (size_t i = 0; i <= SMALL; i++) {
		struct bytes b = load(files[i]);
		size_t room = b.size + 1000;
		unsigned char *copy = malloc(room);

		for (size_t k = 0; k < VARIANTS; k++) {
			memcpy(copy, b.data, b.size);
			size_t size = change(copy, b.size, room, &random);
			int result = compare(copy, size);

			compared += result == 1;
			stricter += result == 2;
		}
		free(copy);
		free(b.data);
	}
	/* protobuf-c takes field number 0 and cuts tags to 32 bits, which protobuf forbids. */
	assert_true(compared > VARIANTS);
	assert_true(stricter * 20 < compared);
}

/* What random changes hardly make: repeated keys on every level, values in two parts, odd
 * orders. */
TEST(equal_on_repeated_keys)
{
	struct text file, entry, node, exec, map, time, tuple;
	struct text *all[] = {&file, &entry, &node, &exec, &map, &time, &tuple};
	uint32_t random = 88675123u;

	for (size_t i = 0; i < 7; i++)
		text_init(all[i]);
	for (int round = 0; round < 300; round++) {
		for (uint32_t n = next_random(&random) % 4; n < 6; n++) {
			uint32_t key = next_random(&random) % 3;

			put_number(&entry, 1, key);
			for (uint32_t e = next_random(&random) % 5; e < 6; e++) {
				put_number(&tuple, 1, next_random(&random) % 100);
				if (next_random(&random) % 8)
					put_number(&tuple, 1, next_random(&random) % 100);
				put_message(&time, 1, &tuple);
				put_message(&map, 2, &time);
				if (next_random(&random) % 2)
					put_string(&map, 1, next_random(&random) % 2 ? "a" : "b");
				put_message(&exec, 4 + next_random(&random) % 2, &map);
				put_number(&exec, 1, e);
				if (next_random(&random) % 3 == 0)
					continue; /* two maps, or more, in one execution */
				put_message(&map, 2, &exec);
				put_number(&map, 1, next_random(&random) % 3);
				put_message(&node, 12, &map);
			}
			put_bytes(&node, 1, "name\0x", next_random(&random) % 7);
			put_message(&entry, 2, &node);
			put_message(&file, 1, &entry);
		}
		assert_int_equal(compare((const unsigned char *)text_string(&file), file.size), 1);
		for (size_t i = 0; i < 7; i++)
			text_clear(all[i]);
	}
	for (size_t i = 0; i < 7; i++)
		text_release(all[i]);
}
