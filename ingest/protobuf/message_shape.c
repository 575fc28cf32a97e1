/* The shapes of the protobuf files that lie beside profiles, and the match of bytes against them. A
 * known number of a wrong type, or a text with control characters, rules a shape out. */
#include "ingest/protobuf/message_shape.h"

#include <string.h>
#include "base/text.h"
#include "ingest/protobuf/wire.h"

/* The fields of a message in the order of their numbers, a letter each: n a number; l numbers, one
 * or packed; t a text without control characters; b bytes of any kind; m a message; - none. An
 * upper-case letter speaks for the shape. */
struct shape {
	const char *fields;
	const struct shape *message[2]; /* in the order of the m */
};

static const struct shape string_entry = {"nb", {NULL}};

/* ProfileProto */
static const struct shape exec_entry = {"nb", {NULL}};
static const struct shape profile_node = {"BbblbbbnbbbMnbbb", {&exec_entry}};
static const struct shape node_entry = {"nm", {&profile_node}};
static const struct shape profile = {"mnlmn", {&node_entry, &string_entry}};

/* GraphDef */
static const struct shape attr_entry = {"tb", {NULL}};
static const struct shape node_def = {"tTttmb", {&attr_entry}};
static const struct shape graph_def = {"mbnb", {&node_def}};

/* RunMetadata */
static const struct shape node_stats = {"Tnnnnbbbnnbbnnnnn", {NULL}};
static const struct shape device_stats = {"tmb", {&node_stats}};
static const struct shape step_stats = {"m", {&device_stats}};
static const struct shape run_metadata = {"mbmb", {&step_stats, &graph_def}};

/* OpLogProto */
static const struct shape log_entry = {"tNtB", {NULL}};
static const struct shape op_log = {"mm", {&log_entry, &string_entry}};

/* MetaGraphDef */
static const struct shape meta_info = {"tBbtTTnb", {NULL}};
static const struct shape meta_graph = {"mmbbbbb", {&meta_info, &graph_def}};

/* XSpace */
static const struct shape xline = {"ntnB----nnt", {NULL}};
static const struct shape xplane = {"nTmbbb", {&xline}};
static const struct shape xspace = {"mttt", {&xplane}};

/* Trace (tensorflow/core/protobuf/trace_events.proto of 2.0) */
static const struct shape trace_event = {"nnt-----Nnb", {NULL}};
static const struct shape trace_device = {"tnm", {&string_entry}};
static const struct shape trace_device_entry = {"nm", {&trace_device}};
static const struct shape trace_events = {"m--m", {&trace_device_entry, &trace_event}};

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

/* The letter of a field, and its message; 0: the shape has none of this number. */
static char shape_find(const struct shape *shape, uint32_t number, const struct shape **message)
{
	size_t messages = 0;
	char letter;

	if (number > strlen(shape->fields) || shape->fields[number - 1] == '-')
		return 0;
	letter = shape->fields[number - 1];
	for (uint32_t i = 0; i + 1 < number; i++)
		messages += shape->fields[i] == 'm' || shape->fields[i] == 'M';
	*message = letter == 'm' || letter == 'M' ? shape->message[messages] : NULL;
	return letter;
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
		const struct shape *message = NULL;
		const char letter = got == WIRE_FIELD ? shape_find(shape, f.number, &message) : 0,
			   kind = (char)(letter | 0x20); /* in lower case */

		if (got == WIRE_BAD) {
			m->wrong = true;
			continue;
		}
		m->unknown += !letter;
		if (!letter)
			continue;
		m->wrong = kind == 'n'	 ? f.type != WIRE_VARINT
			   : kind == 'l' ? f.type != WIRE_VARINT && f.type != WIRE_BYTES
					 : f.type != WIRE_BYTES;
		if (m->wrong && kind != 'n' && kind != 'l')
			continue;
		m->known++;
		m->strong += letter != kind;
		if (kind == 't')
			m->wrong = !is_text(f.bytes, f.size);
		else if (kind == 'm')
			shape_match(message, wire_inside(&f), is_cut, m);
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
