/*
 * The shapes of the protobuf files that lie beside profiles, and the match of bytes against them. A
 * known number of a wrong type, or a text with control characters, rules a shape out.
 */
#include "ingest/protobuf/message_shape.h"

#include "base/text.h"
#include "ingest/protobuf/wire.h"

enum shape_kind {
	SHAPE_NUMBER,  /* varint */
	SHAPE_NUMBERS, /* repeated: varint or packed */
	SHAPE_TEXT,    /* bytes without control characters */
	SHAPE_BYTES,   /* bytes of any kind */
	SHAPE_MESSAGE,
};

struct shape_field {
	uint32_t number;
	enum shape_kind kind;
	bool strong; /* its presence speaks for the shape */
	const struct shape *message;
};

struct shape {
	const struct shape_field *field;
	size_t count;
};

#define SHAPE(...)                                                                                 \
	{                                                                                          \
		(const struct shape_field[]){__VA_ARGS__},                                         \
			sizeof((const struct shape_field[]){__VA_ARGS__}) /                        \
				sizeof(struct shape_field)                                         \
	}

static const struct shape string_entry =
	SHAPE({1, SHAPE_NUMBER, false, NULL}, {2, SHAPE_BYTES, false, NULL});

/* ProfileProto */
static const struct shape exec_entry =
	SHAPE({1, SHAPE_NUMBER, false, NULL}, {2, SHAPE_BYTES, false, NULL});
static const struct shape profile_node =
	SHAPE({1, SHAPE_BYTES, true, NULL}, {2, SHAPE_BYTES, false, NULL},
		{3, SHAPE_BYTES, false, NULL}, {4, SHAPE_NUMBERS, false, NULL},
		{5, SHAPE_BYTES, false, NULL}, {6, SHAPE_BYTES, false, NULL},
		{7, SHAPE_BYTES, false, NULL}, {8, SHAPE_NUMBER, false, NULL},
		{9, SHAPE_BYTES, false, NULL}, {10, SHAPE_BYTES, false, NULL},
		{11, SHAPE_BYTES, false, NULL}, {12, SHAPE_MESSAGE, true, &exec_entry},
		{13, SHAPE_NUMBER, false, NULL}, {14, SHAPE_BYTES, false, NULL},
		{15, SHAPE_BYTES, false, NULL}, {16, SHAPE_BYTES, false, NULL});
static const struct shape node_entry =
	SHAPE({1, SHAPE_NUMBER, false, NULL}, {2, SHAPE_MESSAGE, false, &profile_node});
static const struct shape profile = SHAPE({1, SHAPE_MESSAGE, false, &node_entry},
	{2, SHAPE_NUMBER, false, NULL}, {3, SHAPE_NUMBERS, false, NULL},
	{4, SHAPE_MESSAGE, false, &string_entry}, {5, SHAPE_NUMBER, false, NULL});

/* GraphDef */
static const struct shape attr_entry =
	SHAPE({1, SHAPE_TEXT, false, NULL}, {2, SHAPE_BYTES, false, NULL});
static const struct shape node_def = SHAPE({1, SHAPE_TEXT, false, NULL},
	{2, SHAPE_TEXT, true, NULL}, {3, SHAPE_TEXT, false, NULL}, {4, SHAPE_TEXT, false, NULL},
	{5, SHAPE_MESSAGE, false, &attr_entry}, {6, SHAPE_BYTES, false, NULL});
static const struct shape graph_def =
	SHAPE({1, SHAPE_MESSAGE, false, &node_def}, {2, SHAPE_BYTES, false, NULL},
		{3, SHAPE_NUMBER, false, NULL}, {4, SHAPE_BYTES, false, NULL});

/* RunMetadata */
static const struct shape node_stats = SHAPE({1, SHAPE_TEXT, true, NULL},
	{2, SHAPE_NUMBER, false, NULL}, {3, SHAPE_NUMBER, false, NULL},
	{4, SHAPE_NUMBER, false, NULL}, {5, SHAPE_NUMBER, false, NULL},
	{6, SHAPE_BYTES, false, NULL}, {7, SHAPE_BYTES, false, NULL}, {8, SHAPE_BYTES, false, NULL},
	{9, SHAPE_NUMBER, false, NULL}, {10, SHAPE_NUMBER, false, NULL},
	{11, SHAPE_BYTES, false, NULL}, {12, SHAPE_BYTES, false, NULL},
	{13, SHAPE_NUMBER, false, NULL}, {14, SHAPE_NUMBER, false, NULL},
	{15, SHAPE_NUMBER, false, NULL}, {16, SHAPE_NUMBER, false, NULL},
	{17, SHAPE_NUMBER, false, NULL});
static const struct shape device_stats = SHAPE({1, SHAPE_TEXT, false, NULL},
	{2, SHAPE_MESSAGE, false, &node_stats}, {3, SHAPE_BYTES, false, NULL});
static const struct shape step_stats = SHAPE({1, SHAPE_MESSAGE, false, &device_stats});
static const struct shape run_metadata =
	SHAPE({1, SHAPE_MESSAGE, false, &step_stats}, {2, SHAPE_BYTES, false, NULL},
		{3, SHAPE_MESSAGE, false, &graph_def}, {4, SHAPE_BYTES, false, NULL});

/* OpLogProto */
static const struct shape log_entry = SHAPE({1, SHAPE_TEXT, false, NULL},
	{2, SHAPE_NUMBER, true, NULL}, {3, SHAPE_TEXT, false, NULL}, {4, SHAPE_BYTES, true, NULL});
static const struct shape op_log =
	SHAPE({1, SHAPE_MESSAGE, false, &log_entry}, {2, SHAPE_MESSAGE, false, &string_entry});

/* MetaGraphDef */
static const struct shape meta_info = SHAPE({1, SHAPE_TEXT, false, NULL},
	{2, SHAPE_BYTES, true, NULL}, {3, SHAPE_BYTES, false, NULL}, {4, SHAPE_TEXT, false, NULL},
	{5, SHAPE_TEXT, true, NULL}, {6, SHAPE_TEXT, true, NULL}, {7, SHAPE_NUMBER, false, NULL},
	{8, SHAPE_BYTES, false, NULL});
static const struct shape meta_graph = SHAPE({1, SHAPE_MESSAGE, false, &meta_info},
	{2, SHAPE_MESSAGE, false, &graph_def}, {3, SHAPE_BYTES, false, NULL},
	{4, SHAPE_BYTES, false, NULL}, {5, SHAPE_BYTES, false, NULL}, {6, SHAPE_BYTES, false, NULL},
	{7, SHAPE_BYTES, false, NULL});

/* XSpace */
static const struct shape xline = SHAPE({1, SHAPE_NUMBER, false, NULL},
	{2, SHAPE_TEXT, false, NULL}, {3, SHAPE_NUMBER, false, NULL}, {4, SHAPE_BYTES, true, NULL},
	{9, SHAPE_NUMBER, false, NULL}, {10, SHAPE_NUMBER, false, NULL},
	{11, SHAPE_TEXT, false, NULL});
static const struct shape xplane =
	SHAPE({1, SHAPE_NUMBER, false, NULL}, {2, SHAPE_TEXT, true, NULL},
		{3, SHAPE_MESSAGE, false, &xline}, {4, SHAPE_BYTES, false, NULL},
		{5, SHAPE_BYTES, false, NULL}, {6, SHAPE_BYTES, false, NULL});
static const struct shape xspace = SHAPE({1, SHAPE_MESSAGE, false, &xplane},
	{2, SHAPE_TEXT, false, NULL}, {3, SHAPE_TEXT, false, NULL}, {4, SHAPE_TEXT, false, NULL});

/* Trace (tensorflow/core/protobuf/trace_events.proto of 2.0) */
static const struct shape trace_event = SHAPE({1, SHAPE_NUMBER, false, NULL},
	{2, SHAPE_NUMBER, false, NULL}, {3, SHAPE_TEXT, false, NULL}, {9, SHAPE_NUMBER, true, NULL},
	{10, SHAPE_NUMBER, false, NULL}, {11, SHAPE_BYTES, false, NULL});
static const struct shape trace_device = SHAPE({1, SHAPE_TEXT, false, NULL},
	{2, SHAPE_NUMBER, false, NULL}, {3, SHAPE_MESSAGE, false, &string_entry});
static const struct shape trace_device_entry =
	SHAPE({1, SHAPE_NUMBER, false, NULL}, {2, SHAPE_MESSAGE, false, &trace_device});
static const struct shape trace_events = SHAPE(
	{1, SHAPE_MESSAGE, false, &trace_device_entry}, {4, SHAPE_MESSAGE, false, &trace_event});

struct match {
	size_t known, unknown, strong;
	bool wrong;
};

static bool is_text(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] < 0x20 || bytes[i] == 0x7f)
			return false;
	return true;
}

static const struct shape_field *shape_find(const struct shape *shape, uint32_t number)
{
	for (size_t i = 0; i < shape->count; i++)
		if (shape->field[i].number == number)
			return &shape->field[i];
	return NULL;
}

/* The next field; where the bytes are only a beginning, the last one may be cut. */
static enum wire_result next_cut(struct wire *w, bool cut, struct wire_field *f, bool *is_cut)
{
	enum wire_result got = wire_next(w, f);

	*is_cut = false;
	if (got != WIRE_BAD || !cut)
		return got;
	uint64_t tag, size;
	struct wire rest = *w;

	if (!wire_varint(&rest, &tag))
		return w->end - w->at < 10 ? WIRE_END : WIRE_BAD;
	if (tag > UINT32_MAX || tag >> 3 == 0)
		return WIRE_BAD;
	if ((tag & 7) != WIRE_BYTES)
		return rest.end - rest.at < 10 ? WIRE_END : WIRE_BAD;
	if (!wire_varint(&rest, &size))
		return rest.end - rest.at < 10 ? WIRE_END : WIRE_BAD;
	*f = (struct wire_field){
		.number = (uint32_t)(tag >> 3),
		.type = WIRE_BYTES,
		.bytes = rest.at,
		.size = (uint64_t)(rest.end - rest.at),
	};
	w->at = w->end;
	*is_cut = true;
	return WIRE_FIELD;
}

/* Matches the message, as deep as the shapes nest, which is fixed above. */
static void shape_match(const struct shape *shape, struct wire w, bool cut, struct match *m)
{
	struct wire_field f;
	enum wire_result got;
	bool is_cut;

	while (!m->wrong && (got = next_cut(&w, cut, &f, &is_cut)) != WIRE_END) {
		const struct shape_field *known =
			got == WIRE_FIELD ? shape_find(shape, f.number) : NULL;

		if (got == WIRE_BAD) {
			m->wrong = true;
		} else if (!known) {
			m->unknown++;
		} else if (known->kind == SHAPE_NUMBER || known->kind == SHAPE_NUMBERS) {
			m->known++;
			m->strong += known->strong;
			m->wrong = f.type != WIRE_VARINT &&
				   (f.type != WIRE_BYTES || known->kind == SHAPE_NUMBER);
		} else if (f.type != WIRE_BYTES) {
			m->wrong = true;
		} else {
			m->known++;
			m->strong += known->strong;
			if (known->kind == SHAPE_TEXT)
				m->wrong = !is_text(f.bytes, f.size);
			else if (known->kind == SHAPE_MESSAGE)
				shape_match(known->message, wire_inside(&f), is_cut, m);
		}
	}
}

/* Much that fits although something does not: damaged, and the reader will say where. */
static int damaged_score(const struct match *m)
{
	return m->strong >= 4 && m->known >= 16 && 4 * m->unknown <= m->known ? 20 : 0;
}

static int shape_score(const struct shape *shape, const struct probe *p)
{
	struct match m = {0}, beginning = {0};
	struct wire w = {p->bytes, p->bytes + p->size};

	if (p->size == 0)
		return 0;
	shape_match(shape, w, !p->whole, &m);
	if (m.wrong && p->whole) {
		shape_match(shape, w, true, &beginning);
		if (!beginning.wrong) /* a file that was cut */
			return damaged_score(&beginning);
	}
	if (m.wrong)
		return damaged_score(&m);
	if (m.known == 0 || 4 * m.unknown > m.known)
		return 0;
	return m.strong ? 90 : 40;
}

bool shape_is_cut(const struct probe *p)
{
	static const struct shape *const read[] = {&profile, &run_metadata, &xspace};

	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++) {
		struct match all = {0}, beginning = {0};
		struct wire w = {p->bytes, p->bytes + p->size};

		shape_match(read[i], w, false, &all);
		shape_match(read[i], w, true, &beginning);
		if (all.wrong && !beginning.wrong && !beginning.unknown &&
			(beginning.strong || beginning.known >= 3))
			return true;
	}
	return false;
}

int shape_probe_profile(const struct probe *p)
{
	int score = shape_score(&profile, p);

	/* ProfileContext's own naming; it has no suffix. */
	if (score && p->path && text_starts(text_base_name(p->path), "profile_"))
		score += 5;
	return score;
}

int shape_probe_run_metadata(const struct probe *p)
{
	return shape_score(&run_metadata, p);
}

int shape_probe_graph(const struct probe *p)
{
	return shape_score(&graph_def, p);
}

int shape_probe_op_log(const struct probe *p)
{
	return shape_score(&op_log, p);
}

int shape_probe_meta_graph(const struct probe *p)
{
	return shape_score(&meta_graph, p);
}

/* True if the first plane has the name of one. The name decides where the plane is longer than the
 * bytes seen: its first fields could be those of other messages. */
static bool begins_with_plane(const struct probe *p)
{
	struct wire w = {p->bytes, p->bytes + p->size};
	struct wire_field f;
	bool is_cut;

	if (next_cut(&w, true, &f, &is_cut) != WIRE_FIELD || f.number != 1 || f.type != WIRE_BYTES)
		return false;
	w = wire_inside(&f);
	while (next_cut(&w, true, &f, &is_cut) == WIRE_FIELD && f.number <= 2)
		if (f.number == 2)
			return f.type == WIRE_BYTES && f.size > 6 &&
			       (memcmp(f.bytes, "/host:", 6) == 0 ||
				       memcmp(f.bytes, "/device", 7) == 0);
	return false;
}

int shape_probe_xplane(const struct probe *p)
{
	const int score = shape_score(&xspace, p);

	return score + (score && begins_with_plane(p) ? 5 : 0);
}

int shape_probe_trace_events(const struct probe *p)
{
	return shape_score(&trace_events, p);
}
