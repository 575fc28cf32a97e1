/* The walk over ExecProfile, straight from the bytes: two thirds and more of a dump are these
 * messages, so nothing is allocated for them one by one. */
#include <stdlib.h>
#include <string.h>
#include "tfprof/files/tfprof.h"
#include "base/memory.h"
#include "base/order.h"
#include "ingest/protobuf/wire.h"
#include "tfprof/graph/host_trace.h"

void exec_walker_release(struct exec_walker *x)
{
	memory_free(x->interval);
	memory_free(x->entry);
	*x = (struct exec_walker){0};
}

void exec_walker_begin(struct exec_walker *x, struct exec *exec)
{
	*exec = (struct exec){0};
	x->entry_count = 0;
	x->first_interval = x->interval_count;
	x->memory_seen = x->old_seen = x->old_layout = x->host_seen = false;
	memset(x->old_bytes, 0, sizeof(x->old_bytes));
	x->malformed = 0;
}

static void push_interval(struct exec_walker *x, int64_t start, int64_t dur)
{
	x->interval = memory_make_room(
		x->interval, &x->interval_room, x->interval_count + 1, sizeof(*x->interval));
	x->interval[x->interval_count++] = (struct interval){0, start, dur};
}

static struct exec_entry *push_entry(struct exec_walker *x)
{
	x->entry =
		memory_make_room(x->entry, &x->entry_room, x->entry_count + 1, sizeof(*x->entry));
	struct exec_entry *entry = &x->entry[x->entry_count];

	*entry = (struct exec_entry){.first = x->interval_count, .position = x->entry_count++};
	return entry;
}

/* Tuple: two numbers, packed or one by one. */
static bool walk_tuple(struct exec_walker *x, struct exec_entry *entry, struct wire *w)
{
	struct wire_field f;
	enum wire_result got;
	uint64_t number[2] = {0, 0}, value;
	size_t count = 0;

	while ((got = wire_next(w, &f)) == WIRE_FIELD) {
		if (f.number != 1)
			continue;
		if (f.type == WIRE_VARINT) {
			number[count & 1] = f.value;
			count++;
		}
		if (f.type != WIRE_BYTES)
			continue;
		for (struct wire packed = wire_inside(&f); packed.at < packed.end; count++) {
			if (!wire_varint(&packed, &value)) {
				w->at = packed.at;
				return false;
			}
			number[count & 1] = value;
		}
	}
	if (got == WIRE_BAD)
		return false;
	if (count == 2)
		push_interval(x, (int64_t)number[0], (int64_t)number[1]);
	else
		entry->malformed++;
	return true;
}

/* ExecTime: the tuples of one device. */
static bool walk_times(struct exec_walker *x, struct exec_entry *entry, struct wire *w)
{
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(w, &f)) == WIRE_FIELD) {
		if (f.number != 1 || f.type != WIRE_BYTES)
			continue;
		struct wire tuple = wire_inside(&f);

		if (!walk_tuple(x, entry, &tuple)) {
			w->at = tuple.at;
			return false;
		}
	}
	return got == WIRE_END;
}

/* An entry of accelerator_execs or cpu_execs. */
static bool walk_entry(struct exec_walker *x, bool accelerator, struct wire *w)
{
	struct exec_entry *entry = push_entry(x);
	struct wire_field f;
	enum wire_result got;

	entry->accelerator = accelerator;
	while ((got = wire_next(w, &f)) == WIRE_FIELD) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == 1) {
			entry->key = f.bytes;
			entry->key_size = f.size;
		}
		if (f.number != 2)
			continue;
		struct wire times = wire_inside(&f);

		if (!walk_times(x, entry, &times)) {
			w->at = times.at;
			return false;
		}
	}
	entry->count = x->interval_count - entry->first;
	return got == WIRE_END;
}

static void add_memory(struct exec *exec, const uint64_t bytes[4])
{
	exec_add(exec, &exec->requested_bytes, (int64_t)bytes[0]);
	exec_add(exec, &exec->peak_bytes, (int64_t)bytes[1]);
	exec_add(exec, &exec->residual_bytes, (int64_t)bytes[2]);
	exec_add(exec, &exec->output_bytes, (int64_t)bytes[3]);
}

#define MEMORY_FIELDS 11 /* of ExecMemory: 1 to 10 */
#define OUTPUT_MEMORY 11 /* and its map of outputs */

/* An entry of output_memory: slot, and Memory with bytes and address. */
static bool walk_output(struct exec_output *to, struct wire w)
{
	struct wire_field f, g;
	enum wire_result got = WIRE_END, inner = WIRE_END;

	while (inner == WIRE_END && (got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == 1 && f.type == WIRE_VARINT)
			to->slot = (int32_t)f.value;
		if (f.number != 2 || f.type != WIRE_BYTES)
			continue;
		struct wire memory = wire_inside(&f);

		while ((inner = wire_next(&memory, &g)) == WIRE_FIELD)
			if (g.number == 1 && g.type == WIRE_VARINT)
				to->bytes = (int64_t)g.value;
			else if (g.number == 2 && g.type == WIRE_VARINT)
				to->address = g.value;
	}
	return inner == WIRE_END && got == WIRE_END;
}

/* Stores those parts of an ExecMemory that only a written profile needs; its fields were good once
 * already. */
static const struct exec_bytes *store_rest(
	struct graph_detail *detail, const uint64_t number[MEMORY_FIELDS], struct wire w)
{
	struct wire at = w;
	struct wire_field f;
	size_t count = 0;

	while (wire_next(&at, &f) == WIRE_FIELD)
		count += f.number == OUTPUT_MEMORY && f.type == WIRE_BYTES;
	struct exec_bytes *to = graph_detail_new_bytes(detail, count);
	struct exec_output *output = to->output;

	to->host_temp_bytes = (int64_t)number[2];
	to->host_persistent_bytes = (int64_t)number[3];
	to->accelerator_temp_bytes = (int64_t)number[4];
	to->requested_bytes = (int64_t)number[6];
	to->peak_bytes = (int64_t)number[7];
	to->residual_bytes = (int64_t)number[8];
	to->output_bytes = (int64_t)number[9];
	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == OUTPUT_MEMORY && f.type == WIRE_BYTES &&
			!walk_output(output++, wire_inside(&f)))
			return NULL;
	return to;
}

/* ExecMemory: one execution's bytes, added to those of the others in the step. */
static bool walk_memory(const struct exec_walker *x, struct exec *exec, struct wire *w)
{
	const struct wire whole = *w;
	struct wire_field f;
	enum wire_result got;
	uint64_t number[MEMORY_FIELDS] = {0};

	while ((got = wire_next(w, &f)) == WIRE_FIELD)
		if (f.type == WIRE_VARINT && f.number < MEMORY_FIELDS)
			number[f.number] = f.value;
	if (got == WIRE_BAD)
		return false;
	add_memory(exec, number + 6);
	if (!x->detail || !x->detail->memory)
		return true;
	struct exec_memory *to = graph_detail_push_memory(x->detail);

	*to = (struct exec_memory){
		.node = x->node,
		.memory_micros = (int64_t)number[1],
		.bytes_in_use = (int64_t)number[10],
		.accelerator_persistent_bytes = (int64_t)number[5],
	};
	if (x->detail->whole)
		to->rest = store_rest(x->detail, number, whole);
	return !x->detail->whole || to->rest;
}

/* An element of `devices`. */
static void read_device(struct exec_walker *x, const char *name, size_t size)
{
	x->host_seen |= device_is_host_trace(name, size);
}

/* AllocationRecord: a time, and bytes that were allocated or freed. */
static bool walk_allocation(const struct exec_walker *x, struct wire *w)
{
	struct wire_field f;
	enum wire_result got;
	uint64_t number[3] = {0};

	while ((got = wire_next(w, &f)) == WIRE_FIELD)
		if (f.type == WIRE_VARINT && f.number < 3)
			number[f.number] = f.value;
	if (got == WIRE_BAD)
		return false;
	*graph_detail_push_allocation(x->detail) = (struct exec_allocation){
		.node = x->node,
		.alloc_micros = (int64_t)number[1],
		.alloc_bytes = (int64_t)number[2],
	};
	return true;
}

static void read_number(struct exec_walker *x, struct exec *exec, const struct wire_field *f)
{
	int64_t value = (int64_t)f->value;

	switch (f->number) {
	case 1:
		exec->run_count = value;
		break;
	case 2:
		exec->start_micros = value;
		break;
	case 3:
		exec->end_micros = value;
		break;
	case 7:
	case 8:
	case 9:
	case 10:
		x->old_seen = true;
		x->old_bytes[f->number - 7] = value;
		break;
	default:
		break;
	}
}

/* ---- the usual form ---- */

/* Every writer of these files has the same form: one-byte tags, maps as key and value, numbers
 * packed. What has it is read here at a third of the cost; at the first field that has not, the
 * general walk above takes over. */
#define NUMBER(field) ((field) << 3 | WIRE_VARINT)
#define BYTES(field) ((field) << 3 | WIRE_BYTES)

/* A list of two packed numbers. */
static bool usual_tuple(struct exec_walker *x, struct wire *w)
{
	const unsigned char *at = w->at;
	uint64_t start, dur;

	if (w->end - at < 4 || at[0] != BYTES(1) || at[2] != BYTES(1) || at[1] >= 0x80 ||
		at[1] != at[3] + 2 || w->end - at < at[1] + 2)
		return false;
	struct wire packed = {at + 4, at + 4 + at[3]};

	if (!wire_varint(&packed, &start) || !wire_varint(&packed, &dur) || packed.at < packed.end)
		return false;
	w->at = packed.end;
	push_interval(x, (int64_t)start, (int64_t)dur);
	return true;
}

/* The key, then the times, and nothing else. Nothing is kept where that is not so. */
static bool usual_entry(struct exec_walker *x, bool accelerator, struct wire w)
{
	size_t intervals = x->interval_count;
	const unsigned char *key = w.at + 2;

	if (w.end - w.at < 4 || w.at[0] != BYTES(1) || w.at[1] >= 0x80 || w.end - key < w.at[1] + 2)
		return false;
	w.at = key + w.at[1];
	if (w.at[0] != BYTES(2) || w.at[1] >= 0x80 || w.end - w.at != w.at[1] + 2)
		return false;
	struct exec_entry *entry = push_entry(x);

	entry->accelerator = accelerator;
	entry->key = key;
	entry->key_size = (size_t)(w.at - key);
	w.at += 2;
	while (w.at < w.end)
		if (!usual_tuple(x, &w)) {
			x->interval_count = intervals;
			x->entry_count--;
			return false;
		}
	entry->count = x->interval_count - intervals;
	return true;
}

static bool usual_memory(struct exec *exec, struct wire w)
{
	uint64_t value, bytes[4] = {0};

	while (w.at < w.end) {
		unsigned tag = *w.at++;

		if (!wire_varint(&w, &value))
			return false;
		switch (tag) {
		case NUMBER(1): /* memory_micros */
			break;
		case NUMBER(6):
		case NUMBER(7):
		case NUMBER(8):
		case NUMBER(9):
			bytes[(tag >> 3) - 6] = value;
			break;
		case BYTES(11): /* output_memory */
			if (value > (uint64_t)(w.end - w.at))
				return false;
			w.at += value;
			break;
		default:
			return false;
		}
	}
	add_memory(exec, bytes);
	return true;
}

/* A field with contents. */
static bool usual_part(struct exec_walker *x, struct exec *exec, unsigned tag, struct wire w)
{
	switch (tag) {
	case BYTES(4):
	case BYTES(5):
		return usual_entry(x, tag == BYTES(4), w);
	case BYTES(6): /* devices */
		read_device(x, (const char *)w.at, (size_t)(w.end - w.at));
		return !x->detail || !x->detail->whole;
	case BYTES(7):
		if (x->detail || !usual_memory(exec, w))
			return false;
		x->memory_seen = true;
		return true;
	default:
		return false;
	}
}

/* Returns the first field that is not in the usual form, or the end. */
static const unsigned char *walk_usual(struct exec_walker *x, struct exec *exec, struct wire w)
{
	const unsigned char *done = w.at;
	uint64_t value;

	for (; w.at < w.end; done = w.at) {
		unsigned tag = *w.at++;

		if (!wire_varint(&w, &value))
			break;
		if (tag == NUMBER(1)) {
			exec->run_count = (int64_t)value;
		} else if (tag == NUMBER(2)) {
			exec->start_micros = (int64_t)value;
		} else if (tag == NUMBER(3)) {
			exec->end_micros = (int64_t)value;
		} else {
			if (value > (uint64_t)(w.end - w.at) ||
				!usual_part(x, exec, tag, (struct wire){w.at, w.at + value}))
				break;
			w.at += value;
		}
	}
	return done;
}

const unsigned char *exec_walker_add(
	struct exec_walker *x, struct exec *exec, const unsigned char *bytes, size_t size)
{
	struct wire w = {bytes, bytes + size};
	struct wire_field f;
	enum wire_result got;

	w.at = walk_usual(x, exec, w);
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type == WIRE_VARINT) {
			read_number(x, exec, &f);
			continue;
		}
		if (f.type != WIRE_BYTES)
			continue;
		struct wire inside = wire_inside(&f);
		bool good = true;

		if (f.number == 4 || f.number == 5) {
			good = walk_entry(x, f.number == 4, &inside);
		} else if (f.number == 7) {
			x->memory_seen = true;
			good = walk_memory(x, exec, &inside);
		} else if (f.number == 6) {
			read_device(x, (const char *)f.bytes, f.size);
			if (x->detail && x->detail->whole)
				*graph_detail_push_exec_device(x->detail) = (struct exec_device){
					.node = x->node,
					.device = graph_detail_word(
						x->detail, (const char *)f.bytes, f.size),
				};
		} else if (f.number == 11 && x->detail && x->detail->memory) {
			good = walk_allocation(x, &inside);
		}
		if (!good)
			return inside.at;
	}
	return got == WIRE_END ? NULL : w.at;
}

static int compare_keys(const struct exec_entry *a, const struct exec_entry *b)
{
	size_t shorter = a->key_size < b->key_size ? a->key_size : b->key_size;
	int order = a->accelerator - b->accelerator;

	if (order == 0 && shorter)
		order = memcmp(a->key, b->key, shorter);
	if (order == 0)
		order = (a->key_size > b->key_size) - (a->key_size < b->key_size);
	return order;
}

ORDERED(compare_entries, struct exec_entry, compare_keys(x, y) ?: ORDER(x->position, y->position));

/* Entries that a later one of the same key replaced lose their intervals, which are marked. */
static bool mark_replaced(struct exec_walker *x)
{
	bool any = false;

	qsort(x->entry, x->entry_count, sizeof(*x->entry), compare_entries);
	for (size_t i = 0; i + 1 < x->entry_count; i++) {
		struct exec_entry *entry = &x->entry[i];

		if (compare_keys(entry, entry + 1) != 0)
			continue;
		for (size_t k = 0; k < entry->count; k++)
			x->interval[entry->first + k].step = -1;
		entry->count = entry->malformed = 0;
		any = true;
	}
	return any;
}

/* Every execution of the step that is looked at, or of every step. */
static void store_times(struct exec_walker *x, int64_t step)
{
	for (size_t i = 0; i < x->entry_count; i++) {
		const struct exec_entry *entry = &x->entry[i];
		const char *device =
			graph_detail_word(x->detail, (const char *)entry->key, entry->key_size);

		for (size_t k = 0; k < entry->count; k++) {
			const struct interval *from = &x->interval[entry->first + k];

			*graph_detail_push_time(x->detail) = (struct exec_time){
				.node = x->node,
				.accelerator = entry->accelerator,
				.step = step,
				.device = device,
				.start_micros = from->start_micros,
				.dur_micros = from->dur_micros,
			};
		}
	}
}

void exec_walker_end(struct exec_walker *x, struct exec *exec)
{
	bool replaced = x->entry_count > 1 && mark_replaced(x);

	for (size_t i = 0; i < x->entry_count; i++) {
		const struct exec_entry *entry = &x->entry[i];
		int64_t *sum = entry->accelerator ? &exec->accelerator_micros : &exec->cpu_micros;

		for (size_t k = 0; k < entry->count; k++) {
			struct interval *interval = &x->interval[entry->first + k];

			exec_add(exec, sum, interval->dur_micros);
			interval->step = entry->accelerator;
		}
		x->malformed += entry->malformed;
	}
	if (x->detail && (x->detail->whole || exec->step == x->detail->step))
		store_times(x, exec->step);
	if (replaced) {
		size_t kept = x->first_interval;

		for (size_t i = kept; i < x->interval_count; i++)
			if (x->interval[i].step >= 0)
				x->interval[kept++] = x->interval[i];
		x->interval_count = kept;
	}
	if (x->old_seen && !x->memory_seen) {
		x->old_layout = true;
		exec->requested_bytes = x->old_bytes[0];
		exec->peak_bytes = x->old_bytes[1];
		exec->residual_bytes = x->old_bytes[2];
		exec->output_bytes = x->old_bytes[3];
		if (x->detail && x->detail->whole) {
			/* The bytes of TensorFlow 1.4 as the one record that later versions have
			 * for an execution. */
			struct exec_bytes *bytes = graph_detail_new_bytes(x->detail, 0);

			bytes->requested_bytes = x->old_bytes[0];
			bytes->peak_bytes = x->old_bytes[1];
			bytes->residual_bytes = x->old_bytes[2];
			bytes->output_bytes = x->old_bytes[3];
			*graph_detail_push_memory(x->detail) =
				(struct exec_memory){.node = x->node, .rest = bytes};
		}
	}
}
