/*
 * Walks RunMetadata from the outermost message to the bytes of each execution.
 */
#include "tfprof/files/run_frame.h"

#include "base/text.h"
#include "ingest/protobuf/text_proto.h"
#include "ingest/protobuf/wire.h"

#define A_DEVICE "the executions of a device"
#define THE_STEP "the step"

struct frame_walk {
	const struct run_frame *frame;
	struct input *in;
	struct text_proto *t; /* of the text form */
};

/* ---- binary ---- */

static int read_device(struct frame_walk *w, uint64_t end, struct error *err)
{
	const struct run_frame *frame = w->frame;
	const unsigned char *bytes;
	struct wire_field f;
	int got;

	frame->begin_device(frame->context);
	while ((got = wire_stream_next(w->in, end, A_DEVICE, &f, err)) > 0) {
		uint64_t start = input_offset(w->in);

		if (f.type != WIRE_BYTES)
			continue;
		if (f.number != 1 && f.number != 2) {
			if (input_discard(w->in, f.size, A_DEVICE, err))
				return -1;
			continue;
		}
		if (input_read(w->in, f.size, frame->max_record_bytes, RUN_FRAME_EXECUTION, &bytes,
			    err))
			return -1;
		if (f.number == 1)
			frame->name_device(frame->context, (const char *)bytes, f.size);
		else if (frame->add_execution(frame->context, bytes, f.size, start, err))
			return -1;
	}
	return got ? got : frame->end_device(frame->context, err);
}

/* Fields of number 1 one level down, each to `inner`; the others are passed over. */
static int read_ones(struct frame_walk *w, uint64_t end,
	int (*inner)(struct frame_walk *w, uint64_t end, struct error *err), struct error *err)
{
	struct wire_field f;
	int got;

	while ((got = wire_stream_next(w->in, end, THE_STEP, &f, err)) > 0) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == 1 ? inner(w, input_offset(w->in) + f.size, err)
				  : input_discard(w->in, f.size, THE_STEP, err))
			return -1;
	}
	return got;
}

static int read_step(struct frame_walk *w, uint64_t end, struct error *err)
{
	w->frame->begin_step(w->frame->context);
	return read_ones(w, end, read_device, err);
}

int run_frame_read_binary(struct input *in, const struct run_frame *frame, struct error *err)
{
	struct frame_walk w = {.frame = frame, .in = in};

	return read_ones(&w, UINT64_MAX, read_step, err);
}

/* ---- the same as text ---- */

/* One field of a device; `bytes` is room for it. */
static int read_field_text(
	struct frame_walk *w, const char *name, struct text *bytes, struct error *err)
{
	const struct run_frame *frame = w->frame;

	text_clear(bytes);
	if (text_equal(name, "device")) {
		if (text_proto_string(w->t, bytes, err))
			return -1;
		frame->name_device(frame->context, text_string(bytes), bytes->size);
		return 0;
	}
	if (!text_equal(name, "node_stats"))
		return text_proto_skip(w->t, err);
	if (text_proto_encode(w->t, frame->execution, bytes, err))
		return -1;
	return frame->add_execution(
		frame->context, (const unsigned char *)text_string(bytes), bytes->size, 0, err);
}

static int read_device_text(struct frame_walk *w, struct error *err)
{
	struct text bytes;
	const char *name;
	int got;

	if (text_proto_enter(w->t, err))
		return -1;
	w->frame->begin_device(w->frame->context);
	text_init(&bytes);
	while ((got = text_proto_next(w->t, &name, err)) > 0)
		if (read_field_text(w, name, &bytes, err)) {
			got = -1;
			break;
		}
	text_release(&bytes);
	return got ? got : w->frame->end_device(w->frame->context, err);
}

/* The fields of one name, each to `inner`; the others are passed over. */
static int read_named(struct frame_walk *w, const char *wanted,
	int (*inner)(struct frame_walk *w, struct error *err), struct error *err)
{
	const char *name;
	int got;

	while ((got = text_proto_next(w->t, &name, err)) > 0)
		if (text_equal(name, wanted) ? inner(w, err) : text_proto_skip(w->t, err))
			return -1;
	return got;
}

static int read_step_text(struct frame_walk *w, struct error *err)
{
	if (text_proto_enter(w->t, err))
		return -1;
	w->frame->begin_step(w->frame->context);
	return read_named(w, "dev_stats", read_device_text, err);
}

int run_frame_read_text(struct input *in, const struct run_frame *frame, struct error *err)
{
	struct frame_walk w = {.frame = frame, .in = in};
	int result;

	w.t = text_proto_new(in, frame->max_record_bytes);
	result = read_named(&w, "step_stats", read_step_text, err);
	text_proto_free(w.t);
	return result;
}
