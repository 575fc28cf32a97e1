/* Programs are in the stats "Hlo Proto" of the plane's descriptions of events, one each: an
 * HloProto with an HloModuleProto of computations of instructions. They are walked through where
 * they lie, since constants in them may be large. */
#include "ingest/xplane/hlo_words.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

#define WHAT "a program"
/* Limits that only hostile files exceed. */
#define INSTRUCTIONS_MOST ((size_t)1 << 22)
#define FRAMES_MOST ((size_t)1 << 20) /* of one program: files, places, frames */
#define TEXTS_MOST ((size_t)512 << 20)
#define CALLERS_MOST 64
#define FRAMES_DEEP 256
#define FILE_MOST 4096 /* bytes of a path */

enum {
	PROTO_MODULE = 1,
	MODULE_COMPUTATION = 3,
	MODULE_FRAMES = 17,
	COMPUTATION_INSTRUCTION = 2,
	COMPUTATION_ID = 5,
	INSTRUCTION_NAME = 1,
	INSTRUCTION_METADATA = 7,
	INSTRUCTION_CALLED = 38,
	METADATA_TYPE = 1,
	METADATA_NAME,
	METADATA_FILE,
	METADATA_LINE,
	METADATA_FRAME = 15,
	FRAMES_FILE = 1,
	FRAMES_PLACE = 3,
	FRAMES_FRAME
};

struct instruction {
	const char *op_name, *source, *user_source;
	uint32_t computation;
};

struct computation {
	uint64_t id;
	uint32_t caller; /* an instruction + 1; 0: none */
};

struct program {
	uint64_t id;
	const char *name;
	uint64_t bytes;
};

struct hlo_call {
	uint64_t computation;
	uint32_t instruction;
};

struct hlo_place {
	uint32_t file, line;
};

struct frame {
	uint32_t place, parent;
};

struct hlo_words {
	struct arena *arena;
	struct intern *keys, *texts; /* a key: id of the program, name of the instruction */
	struct intern *ids;	     /* of programs */
	struct program *program;
	size_t program_count, program_room;
	struct instruction *instruction; /* by key */
	size_t instruction_count, instruction_room;
	struct computation *computation;
	size_t computation_count, computation_room;
	size_t damaged, left_out, repeated;
	/* The program that is read. */
	uint64_t id;
	struct hlo_call *call;
	size_t call_count, call_room;
	const char **file;
	size_t file_count, file_room;
	struct hlo_place *place;
	size_t place_count, place_room;
	struct frame *frame;
	size_t frame_count, frame_room;
	struct text scratch;
};

struct hlo_words *hlo_words_new(void)
{
	struct hlo_words *w = memory_alloc(sizeof(*w));

	w->arena = arena_new();
	w->keys = intern_new(w->arena);
	w->texts = intern_new(w->arena);
	w->ids = intern_new(w->arena);
	text_init(&w->scratch);
	return w;
}

void hlo_words_free(struct hlo_words *w)
{
	if (!w)
		return;
	memory_free(w->program);
	memory_free(w->instruction);
	memory_free(w->computation);
	memory_free(w->call);
	memory_free(w->file);
	memory_free(w->place);
	memory_free(w->frame);
	text_release(&w->scratch);
	arena_free(w->arena);
	memory_free(w);
}

static const char *keep(struct hlo_words *w, const char *at, size_t size)
{
	if (size == 0 || intern_bytes(w->texts) > TEXTS_MOST) {
		w->left_out += size > 0;
		return "";
	}
	return intern_name(w->texts, intern_id(w->texts, at, size));
}

/* ---- lines of source ---- */

/* A message whose fields are numbers: those of these numbers. */
static bool read_numbers(struct wire message, uint32_t first, uint32_t second, uint32_t out[2])
{
	struct wire_field field;
	enum wire_result got;

	out[0] = out[1] = 0;
	while ((got = wire_next(&message, &field)) == WIRE_FIELD)
		if (field.type == WIRE_VARINT && field.value <= UINT32_MAX &&
			(field.number == first || field.number == second))
			out[field.number == second] = (uint32_t)field.value;
	return got == WIRE_END;
}

static int read_frames(
	struct hlo_words *w, struct space *s, const struct extent *inside, struct error *err)
{
	struct wire_field field;
	enum wire_result got;
	struct wire all;
	uint32_t number[2];

	if (space_load(s, inside, WHAT, &all, err))
		return -1;
	while ((got = wire_next(&all, &field)) == WIRE_FIELD) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == FRAMES_FILE && w->file_count < FRAMES_MOST) {
			const char **file = memory_push(
				&w->file, &w->file_count, &w->file_room, sizeof(*w->file));

			*file = field.size <= FILE_MOST
					? keep(w, (const char *)field.bytes, (size_t)field.size)
					: "";
		} else if (field.number == FRAMES_PLACE && w->place_count < FRAMES_MOST) {
			struct hlo_place *place = memory_push(
				&w->place, &w->place_count, &w->place_room, sizeof(*place));

			if (!read_numbers(wire_inside(&field), 1, 3, number))
				return space_damaged(s, inside->start, WHAT, err);
			*place = (struct hlo_place){number[0], number[1]};
		} else if (field.number == FRAMES_FRAME && w->frame_count < FRAMES_MOST) {
			struct frame *frame = memory_push(
				&w->frame, &w->frame_count, &w->frame_room, sizeof(*frame));

			if (!read_numbers(wire_inside(&field), 1, 2, number))
				return space_damaged(s, inside->start, WHAT, err);
			*frame = (struct frame){number[0], number[1]};
		}
	}
	return got == WIRE_END ? 0 : space_damaged(s, inside->start, WHAT, err);
}

static const char *add_source(struct hlo_words *w, const char *file, size_t size, uint64_t line)
{
	if (size == 0 || size > FILE_MOST)
		return "";
	text_clear(&w->scratch);
	text_add_bytes(&w->scratch, file, size);
	text_printf(&w->scratch, ":%llu", (unsigned long long)line);
	return keep(w, text_string(&w->scratch), w->scratch.size);
}

/* The place of a frame, counted from 1, as all of them; false: it is not there. */
static bool find_place(const struct hlo_words *w, uint64_t frame, struct hlo_place *out)
{
	uint32_t place = frame > 0 && frame <= w->frame_count ? w->frame[frame - 1].place : 0;

	if (!place || place > w->place_count)
		return false;
	*out = w->place[place - 1];
	return out->file > 0 && out->file <= w->file_count;
}

/* True if the file belongs to a package, or to Python, and not to the user. */
static bool is_installed(const char *file)
{
	return strstr(file, "/site-packages/") || strstr(file, "/dist-packages/") ||
	       strstr(file, "/lib/python3");
}

/* The line of the op: that of the innermost frame, and of the innermost one in the user's code. */
static void add_sources(struct hlo_words *w, struct xla_text file, uint64_t line, uint64_t frame,
	struct instruction *out)
{
	struct hlo_place place;

	out->source = add_source(w, file.at, file.size, line);
	if (!*out->source && find_place(w, frame, &place))
		out->source = add_source(
			w, w->file[place.file - 1], strlen(w->file[place.file - 1]), place.line);
	for (size_t i = 0; i < FRAMES_DEEP && find_place(w, frame, &place); i++) {
		const char *name = w->file[place.file - 1];

		if (!is_installed(name)) {
			out->user_source = add_source(w, name, strlen(name), place.line);
			return;
		}
		frame = w->frame[frame - 1].parent;
	}
	out->user_source = out->source;
}

/* ---- instructions ---- */

static bool read_metadata(struct hlo_words *w, struct wire message, struct instruction *out)
{
	struct xla_text type = {"", 0}, name = {"", 0}, file = {"", 0};
	struct wire_field field;
	enum wire_result got;
	uint64_t line = 0, frame = 0;

	while ((got = wire_next(&message, &field)) == WIRE_FIELD) {
		const struct xla_text text = {(const char *)field.bytes, (size_t)field.size};

		if (field.type == WIRE_BYTES && field.size > 0 && field.number == METADATA_TYPE)
			type = text;
		else if (field.type == WIRE_BYTES && field.size > 0 &&
			 field.number == METADATA_NAME)
			name = text;
		else if (field.type == WIRE_BYTES && field.size > 0 &&
			 field.number == METADATA_FILE)
			file = text;
		else if (field.type == WIRE_VARINT && field.number == METADATA_LINE)
			line = field.value;
		else if (field.type == WIRE_VARINT && field.number == METADATA_FRAME)
			frame = field.value;
	}
	add_sources(w, file, line, frame, out);
	text_clear(&w->scratch);
	if (name.size) {
		text_add_bytes(&w->scratch, name.at, name.size);
		text_add_char(&w->scratch, ':');
		text_add_bytes(&w->scratch, type.at, type.size);
	}
	out->op_name = keep(w, text_string(&w->scratch), w->scratch.size);
	return got == WIRE_END;
}

static bool add_calls(struct hlo_words *w, struct wire packed)
{
	uint64_t id;

	while (packed.at < packed.end) {
		if (!wire_varint(&packed, &id))
			return false;
		if (w->call_count == INSTRUCTIONS_MOST)
			return true;
		struct hlo_call *call =
			memory_push(&w->call, &w->call_count, &w->call_room, sizeof(*w->call));

		*call = (struct hlo_call){id, UINT32_MAX};
	}
	return true;
}

static const char *key_of(struct text *scratch, uint64_t program, struct xla_text name)
{
	text_clear(scratch);
	text_add_bytes(scratch, (const char *)&program, sizeof(program));
	text_add_bytes(scratch, name.size ? name.at : "", name.size);
	return text_string(scratch);
}

/* Adds the instruction under its name, with the calls from `first_call` on. */
static void add_instruction(struct hlo_words *w, struct xla_text name,
	const struct instruction *instruction, size_t first_call)
{
	const char *key = key_of(&w->scratch, w->id, name);
	uint32_t id;

	if (w->instruction_count == INSTRUCTIONS_MOST || intern_bytes(w->keys) > TEXTS_MOST) {
		w->left_out++;
		w->call_count = first_call;
		return;
	}
	id = intern_id(w->keys, key, w->scratch.size);
	if (id == w->instruction_count)
		memory_push(&w->instruction, &w->instruction_count, &w->instruction_room,
			sizeof(*w->instruction));
	w->instruction[id] = *instruction;
	for (size_t i = first_call; i < w->call_count; i++)
		w->call[i].instruction = id;
}

static int read_instruction(
	struct hlo_words *w, struct space *s, struct extent rest, struct error *err)
{
	struct instruction out = {"", "", "", (uint32_t)w->computation_count - 1};
	const size_t first_call = w->call_count;
	struct text name;
	struct wire_field field;
	struct extent inside;
	struct wire bytes;
	int got;

	text_init(&name);
	while ((got = space_next(s, &rest, WHAT, &field, &inside, err)) > 0) {
		const bool is_bytes = field.type == WIRE_BYTES;
		bool sound = true;

		if (field.number == INSTRUCTION_CALLED && field.type == WIRE_VARINT) {
			struct hlo_call *call = w->call_count < INSTRUCTIONS_MOST
							? memory_push(&w->call, &w->call_count,
								  &w->call_room, sizeof(*call))
							: NULL;

			if (call)
				call->computation = field.value;
			continue;
		}
		if (!is_bytes ||
			(field.number != INSTRUCTION_NAME && field.number != INSTRUCTION_METADATA &&
				field.number != INSTRUCTION_CALLED))
			continue;
		got = space_load(s, &inside, WHAT, &bytes, err);
		if (got == 0 && field.number == INSTRUCTION_NAME) {
			text_clear(&name);
			text_add_bytes(
				&name, (const char *)bytes.at, (size_t)(bytes.end - bytes.at));
		} else if (got == 0) {
			sound = field.number == INSTRUCTION_CALLED ? add_calls(w, bytes)
								   : read_metadata(w, bytes, &out);
		}
		if (!sound)
			got = space_damaged(s, inside.start, WHAT, err);
		if (got < 0)
			break;
	}
	if (got == 0)
		add_instruction(
			w, (struct xla_text){text_string(&name), name.size}, &out, first_call);
	text_release(&name);
	return got;
}

static int read_computation(
	struct hlo_words *w, struct space *s, struct extent rest, struct error *err)
{
	struct wire_field field;
	struct extent inside;
	int got;

	if (w->computation_count == INSTRUCTIONS_MOST) {
		w->left_out++;
		return 0;
	}
	memory_push(&w->computation, &w->computation_count, &w->computation_room,
		sizeof(*w->computation));
	while ((got = space_next(s, &rest, WHAT, &field, &inside, err)) > 0) {
		if (field.number == COMPUTATION_ID && field.type == WIRE_VARINT)
			w->computation[w->computation_count - 1].id = field.value;
		if (field.number == COMPUTATION_INSTRUCTION && field.type == WIRE_BYTES &&
			read_instruction(w, s, inside, err))
			return -1;
	}
	return got;
}

/* ---- programs ---- */

ORDERED(compare_calls, struct hlo_call,
	ORDER(x->computation, y->computation) ?: ORDER(x->instruction, y->instruction));

/* Gives the computations from `first` on the first instruction that calls them. */
static void join_calls(struct hlo_words *w, size_t first)
{
	if (w->call_count)
		qsort(w->call, w->call_count, sizeof(*w->call), compare_calls);
	for (size_t i = first; i < w->computation_count; i++) {
		size_t low = 0, high = w->call_count;

		while (low < high) {
			const size_t middle = low + (high - low) / 2;

			if (w->call[middle].computation < w->computation[i].id)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < w->call_count && w->call[low].computation == w->computation[i].id)
			w->computation[i].caller = w->call[low].instruction + 1;
	}
}

/* Frames first: instructions refer to them, and stand before them. */
static int read_module(struct hlo_words *w, struct space *s, const struct extent *module,
	uint32_t number, struct error *err)
{
	struct extent rest = *module, inside;
	struct wire_field field;
	int got;

	while ((got = space_next(s, &rest, WHAT, &field, &inside, err)) > 0)
		if (field.number == number && field.type == WIRE_BYTES &&
			(number == MODULE_FRAMES ? read_frames(w, s, &inside, err)
						 : read_computation(w, s, inside, err)))
			return -1;
	return got;
}

static int read_program(
	struct hlo_words *w, struct space *s, const struct extent *proto, struct error *err)
{
	const size_t first = w->computation_count;
	struct extent rest = *proto, inside;
	struct wire_field field;
	int got;

	w->call_count = w->file_count = w->place_count = w->frame_count = 0;
	while ((got = space_next(s, &rest, WHAT, &field, &inside, err)) > 0)
		if (field.number == PROTO_MODULE && field.type == WIRE_BYTES &&
			(read_module(w, s, &inside, MODULE_FRAMES, err) ||
				read_module(w, s, &inside, MODULE_COMPUTATION, err)))
			return -1;
	join_calls(w, first);
	return got;
}

/* Ids of stats in the plane; 0: it has none of this name. */
struct stat_ids {
	uint64_t proto, program;
};

/* A description of an event: its name is "jit_f(7)" of the program 7, which newer ones have as a
 * stat, too. */
struct hlo_description {
	struct program program;
	bool is_stat; /* the id is from its stat */
	struct extent proto;
};

static void read_name(struct hlo_words *w, struct wire bytes, struct hlo_description *out)
{
	const char *at = (const char *)bytes.at;
	size_t open = (size_t)(bytes.end - bytes.at), end = open;
	uint64_t id = 0;

	while (open > 0 && at[open - 1] != '(')
		open--;
	if (open && at[end - 1] == ')') {
		for (size_t i = open; i + 1 < end && text_is_digit(at[i]); i++)
			id = id * 10 + (uint64_t)(at[i] - '0');
		end = open - 1;
		out->program.id = out->is_stat ? out->program.id : id;
	}
	out->program.name = keep(w, at, end);
}

static int read_stat(struct space *s, struct extent rest, const struct stat_ids *ids,
	struct hlo_description *out, struct error *err)
{
	struct extent inside, proto = {0, 0};
	struct wire_field field;
	uint64_t id = 0, number = 0;
	int got;

	while ((got = space_next(s, &rest, WHAT, &field, &inside, err)) > 0) {
		if (field.number == STAT_METADATA_ID && field.type == WIRE_VARINT)
			id = field.value;
		else if (field.type == WIRE_VARINT)
			number = field.value;
		else if (field.number == STAT_BYTES && field.type == WIRE_BYTES)
			proto = inside;
	}
	if (id == ids->proto && id && proto.end)
		out->proto = proto;
	if (id == ids->program && id) {
		out->program.id = number;
		out->is_stat = true;
	}
	return got;
}

/* Adds the program, unless its id is that of another: the same one may be in several planes. */
static bool add_program(struct hlo_words *w, const struct hlo_description *found)
{
	struct program *program;
	uint64_t id = found->program.id;
	const uint64_t bytes = found->proto.end - found->proto.start;
	uint32_t number;

	if (id == 0) /* unknown */
		id = UINT64_MAX - w->program_count;
	if (intern_find(w->ids, (const char *)&id, sizeof(id), &number)) {
		w->repeated += w->program[number].bytes != bytes ||
			       strcmp(w->program[number].name, found->program.name) != 0;
		return false;
	}
	intern_id(w->ids, (const char *)&id, sizeof(id));
	program = memory_push(&w->program, &w->program_count, &w->program_room, sizeof(*program));
	*program = (struct program){id, found->program.name, bytes};
	w->id = id;
	return true;
}

/* Adds the program of an entry of the map of descriptions, if it has one. */
static int read_entry(struct hlo_words *w, struct space *s, struct extent entry,
	const struct stat_ids *ids, struct error *err)
{
	struct hlo_description found = {.program.name = ""};
	struct extent rest, inside = {0, 0};
	struct wire_field field;
	struct wire bytes;
	int got;

	while ((got = space_next(s, &entry, WHAT, &field, &inside, err)) > 0)
		if (field.number == 2 && field.type == WIRE_BYTES)
			break;
	rest = inside;
	while (got > 0 && (got = space_next(s, &rest, WHAT, &field, &inside, err)) > 0) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == 2 && space_load(s, &inside, WHAT, &bytes, err))
			return -1;
		if (field.number == 2)
			read_name(w, bytes, &found);
		else if (field.number == 5 && read_stat(s, inside, ids, &found, err))
			return -1;
	}
	if (got < 0 || found.proto.end == 0)
		return got;
	if (!add_program(w, &found))
		return 0;
	return read_program(w, s, &found.proto, err);
}

/* The name of a stat in an entry of the map of stats. */
static int read_stat_name(
	struct space *s, const struct extent *entry, struct stat_ids *ids, struct error *err)
{
	struct wire bytes, message = {NULL, NULL};
	struct wire_field field;
	uint64_t id = 0;

	if (space_load(s, entry, WHAT, &bytes, err))
		return -1;
	while (wire_next(&bytes, &field) == WIRE_FIELD) {
		if (field.number == 1 && field.type == WIRE_VARINT)
			id = field.value;
		else if (field.number == 2 && field.type == WIRE_BYTES && field.size)
			message = wire_inside(&field);
	}
	while (message.at && wire_next(&message, &field) == WIRE_FIELD) {
		const struct xla_text name = {(const char *)field.bytes, (size_t)field.size};

		if (field.number != 2 || field.type != WIRE_BYTES)
			continue;
		if (xla_text_is(name, "Hlo Proto") || xla_text_is(name, "hlo_proto"))
			ids->proto = id;
		else if (xla_text_is(name, "program_id"))
			ids->program = id;
	}
	return 0;
}

/* Takes it that what is wrong is in the file, unless reading failed. */
static int note_damage(
	struct hlo_words *w, struct space *s, const struct error *found, struct error *err)
{
	if (!s->is_damaged && found->kind != ERROR_LIMIT) {
		*err = *found;
		return -1;
	}
	s->is_damaged = false;
	w->damaged++;
	return 0;
}

int hlo_words_add(
	struct hlo_words *w, struct space *s, const struct extent *plane, struct error *err)
{
	struct stat_ids ids = {0};
	struct error found = {.kind = ERROR_NONE};

	s->is_damaged = false;
	for (int pass = 0; pass < 2; pass++) {
		struct extent rest = *plane, inside;
		struct wire_field field;
		int got;

		while ((got = space_next(s, &rest, WHAT, &field, &inside, &found)) > 0) {
			int result = 0;

			if (field.type != WIRE_BYTES)
				continue;
			if (pass == 0 && field.number == PLANE_STAT_METADATA)
				result = read_stat_name(s, &inside, &ids, &found);
			else if (pass == 1 && field.number == PLANE_EVENT_METADATA)
				result = read_entry(w, s, inside, &ids, &found);
			if (result && note_damage(w, s, &found, err))
				return -1;
		}
		if (got < 0)
			return note_damage(w, s, &found, err);
	}
	return 0;
}

void hlo_words_report(const struct hlo_words *w, struct profile *p)
{
	issue_add(&p->issues, ISSUE_LOSS, "xplane-programs",
		"programs of XLA in the file that cannot be read: their ops have no scope and no "
		"line of source",
		w->damaged, p->path);
	issue_add(&p->issues, ISSUE_LOSS, "xplane-programs-twice",
		"programs of XLA with the id of another, left out: ops with this id have the words "
		"of the first",
		w->repeated, p->path);
	issue_add(&p->issues, ISSUE_LOSS, "xplane-words",
		"texts of programs of XLA beyond what is kept: their ops have no scope or no line "
		"of source",
		w->left_out, p->path);
}

/* ---- questions ---- */

static bool find_in(const struct hlo_words *w, uint64_t program, struct xla_text op,
	struct text *scratch, struct hlo_word *out)
{
	const char *key = key_of(scratch, program, op);
	const struct instruction *at;
	uint32_t id;

	if (!intern_find(w->keys, key, scratch->size, &id))
		return false;
	at = &w->instruction[id];
	*out = (struct hlo_word){at->op_name, "", at->source, at->user_source};
	for (size_t i = 0; i < CALLERS_MOST && !*out->caller; i++) {
		id = w->computation[at->computation].caller;
		if (!id)
			break;
		at = &w->instruction[id - 1];
		out->caller = at->op_name;
	}
	return true;
}

static bool is_same(const struct hlo_word *a, const struct hlo_word *b)
{
	return strcmp(a->op_name, b->op_name) == 0 && strcmp(a->caller, b->caller) == 0 &&
	       strcmp(a->source, b->source) == 0 && strcmp(a->user_source, b->user_source) == 0;
}

bool hlo_words_find(const struct hlo_words *w, const uint64_t *program, struct xla_text module,
	struct xla_text op, struct hlo_word *out)
{
	struct hlo_word other;
	struct text scratch;
	bool found = false;

	text_init(&scratch);
	if (program)
		found = find_in(w, *program, op, &scratch, out);
	for (size_t i = 0; !program && i < w->program_count; i++) {
		if (!xla_text_is(module, w->program[i].name) ||
			!find_in(w, w->program[i].id, op, &scratch, found ? &other : out))
			continue;
		if (found && !is_same(&other, out)) {
			found = false;
			break;
		}
		found = true;
	}
	text_release(&scratch);
	return found;
}

const char *hlo_words_module(const struct hlo_words *w, uint64_t program)
{
	for (size_t i = 0; i < w->program_count; i++)
		if (w->program[i].id == program)
			return w->program[i].name;
	return "";
}
