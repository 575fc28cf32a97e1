/* XPlane files (*.xplane.pb) of the profiler of XLA, which JAX, TensorFlow 2 and PyTorch/XLA write.
 * A plane may be most of a file of several GB: it is read where it lies, its tables first, then its
 * lines event by event. */
#include <string.h>
#include "base/text.h"
#include "ingest/input/input.h"
#include "ingest/protobuf/message_shape.h"
#include "ingest/trace/xla_words.h"
#include "ingest/xplane/line_events.h"

#define PLANES_MOST ((size_t)100000)
/* Times are kept relative to a multiple of 2^41 us (25 days) near the first of them, as in other
 * traces: so files of one recording share it. Times since the profile's start have 0. */
#define BASE_GRID_US ((int64_t)1 << 41)
#define NS_PER_US 1000
#define WINDOW_BYTES ((size_t)64 << 10) /* for all but events */

struct xplane_reading {
	struct xplane_reader reader;
	struct space space;
	struct span_file file;
	struct arena *arena;
	struct vec plane; /* struct plane */
	struct vec id;	  /* int64_t: of the line of each lane */
	int64_t base_ns;  /* times of lines are since it */
	uint64_t start_time_ns;
	uint64_t process;   /* of the host; 0: not said */
	bool several;	    /* processes */
	struct facts named; /* its host, where neither planes nor the path name one */
	const struct read_options *opt;
};

/* ---- what is in the file ---- */

/* Adds an error or a warning of the profiler as an issue: one of them is shown. */
static int add_message(
	struct xplane_reading *r, bool is_error, const struct extent *inside, struct error *err)
{
	struct profile *p = r->reader.profile;
	struct text shown;
	struct wire w;

	if (space_load(&r->space, inside, "a message of the profiler", &w, err))
		return -1;
	text_init(&shown);
	text_add_bytes(&shown, (const char *)w.at, (size_t)(w.end - w.at));
	issue_add(&p->issues, is_error ? ISSUE_LOSS : ISSUE_INFO,
		is_error ? "xplane-error" : "xplane-warning",
		arena_printf(p->arena, "%s that the profiler wrote into the file: \"%.200s\"",
			is_error ? "errors" : "warnings", text_string(&shown)),
		1, p->path);
	text_release(&shown);
	return 0;
}

/* The hosts that the file says it is of. */
static int add_host(struct xplane_reading *r, const struct extent *inside, struct error *err)
{
	struct wire w;

	if (space_load(&r->space, inside, "a name of a host", &w, err))
		return -1;
	facts_add(&r->named, r->arena, FACT_HOST, (const char *)w.at, (size_t)(w.end - w.at));
	return 0;
}

static int scan_space(struct xplane_reading *r, struct error *err)
{
	struct extent rest = {0, r->file.size}, inside;
	struct wire_field field;
	struct plane *plane;
	int got;

	while ((got = space_next(&r->space, &rest, "a profile", &field, &inside, err)) > 0) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == SPACE_PLANE) {
			plane = vec_push(&r->plane, err);
			if (!plane || plane_scan(plane, &r->space, &inside, r->arena, err))
				return -1;
		} else if (field.number == SPACE_ERROR || field.number == SPACE_WARNING) {
			if (add_message(r, field.number == SPACE_ERROR, &inside, err))
				return -1;
		} else if (field.number == SPACE_HOST && add_host(r, &inside, err)) {
			return -1;
		}
	}
	return got;
}

/* Chooses the start of the first line that has events as base. */
static void choose_base(struct xplane_reading *r)
{
	for (size_t i = 0; i < r->plane.count; i++) {
		const struct plane *plane = vec_at(&r->plane, i);

		for (size_t k = 0; k < plane->line.count; k++) {
			const struct xline *line = vec_at(&plane->line, k);

			if (line->events.start == line->events.end)
				continue;
			r->base_ns =
				(line->timestamp_ns / NS_PER_US & ~(BASE_GRID_US - 1)) * NS_PER_US;
			eventlog_set_base(r->reader.log, r->base_ns / NS_PER_US);
			return;
		}
	}
}

/* ---- lines ---- */

/* The lane of a line, by the low half of its id, as traces made of the file have it. */
static uint32_t lane_of(
	struct xplane_reading *r, uint32_t process, const struct xline *line, struct error *err)
{
	struct eventlog *log = r->reader.log;
	const size_t known = eventlog_lane_count(log);
	struct text key;
	uint32_t lane;

	text_init(&key);
	text_printf(&key, "%u", (unsigned)(uint32_t)line->id);
	lane = eventlog_lane(log, process, text_string(&key), key.size, err);
	/* Another line may have the same half of an id. */
	if (lane < known && (*(int64_t *)vec_at(&r->id, lane) != line->id ||
				    !text_equal(eventlog_lane_at(log, lane)->name, line->name))) {
		text_printf(&key, ".%u", (unsigned)((uint64_t)line->id >> 32));
		lane = eventlog_lane(log, process, text_string(&key), key.size, err);
	}
	text_release(&key);
	if (lane == UINT32_MAX)
		return lane;
	while (r->id.count <= lane)
		*(int64_t *)vec_push(&r->id, NULL) = line->id; /* without a cap of its own */
	eventlog_lane_at(log, lane)->name = eventlog_text(log, line->name, strlen(line->name));
	return lane;
}

/* Start of the line since the base in ps; a time beyond 64 bits becomes the farthest one. */
static int64_t zero_of(const struct xplane_reading *r, const struct xline *line)
{
	int64_t ns;

	if (__builtin_sub_overflow(line->timestamp_ns, r->base_ns, &ns) ||
		__builtin_mul_overflow(ns, INT64_C(1000), &ns))
		return line->timestamp_ns < r->base_ns ? -INT64_MAX : INT64_MAX;
	return ns;
}

/* Chooses what is read of the plane. Lines of devices that hold the time of others once more are
 * not, but for those that mark steps, unless the user says what does. */
static void choose_lines(const struct xplane_reading *r, struct plane *plane)
{
	const bool has_marker = trace_requests_has_marker(r->reader.asked);

	for (size_t i = 0; i < plane->line.count; i++) {
		struct xline *line = vec_at(&plane->line, i);
		const bool is_steps = plane->is_device && xla_is_steps_line(line->name);

		line->zero_ps = zero_of(r, line);
		line->is_modules = plane->is_device && xla_is_modules_line(line->name);
		line->is_wanted = is_steps ? !has_marker
					   : !plane->is_device || line->is_modules ||
						     !xla_is_derived(plane->name, line->name);
	}
}

static int read_plane(struct xplane_reading *r, struct plane *plane, struct error *err)
{
	struct eventlog *log = r->reader.log;
	uint32_t process = UINT32_MAX;

	if (plane_load(plane, &r->space, line_events_wanted(plane->is_device),
		    trace_requests_has_name(r->reader.asked), err))
		return -1;
	if (plane->start_time_ns)
		r->start_time_ns = plane->start_time_ns;
	r->several |= r->process && plane->process && plane->process != r->process;
	r->process = plane->process ? plane->process : r->process;
	choose_lines(r, plane);
	for (size_t i = 0; i < plane->line.count; i++) {
		const struct xline *line = vec_at(&plane->line, i);
		uint32_t lane;

		if (line->events.start == line->events.end || !line->is_wanted)
			continue;
		process = eventlog_process(log, plane->name, strlen(plane->name));
		lane = lane_of(r, process, line, err);
		if (lane == UINT32_MAX || line_events_read(&r->reader, plane, i, lane, err))
			return -1;
	}
	return 0;
}

/* ---- the file ---- */

static void set_epoch(struct xplane_reading *r)
{
	struct profile *p = r->reader.profile;

	p->base_ns = r->base_ns;
	if (p->base_ns == 0 && r->start_time_ns <= INT64_MAX)
		p->base_ns = (int64_t)r->start_time_ns;
}

static int read_planes(struct xplane_reading *r, bool of_devices, struct error *err)
{
	for (size_t i = 0; i < r->plane.count; i++) {
		struct plane *plane = vec_at(&r->plane, i);
		int status = plane->is_device == of_devices ? read_plane(r, plane, err) : 0;

		event_windows_drop(r->reader.windows);
		plane_unload(plane);
		if (status)
			return -1;
	}
	return 0;
}

/* The words of programs, where rows or names of ops are made of them. */
static int read_words(struct xplane_reading *r, struct error *err)
{
	if (!trace_requests_has_name(r->reader.asked))
		return 0;
	r->reader.words = hlo_words_new();
	for (size_t i = 0; i < r->plane.count; i++) {
		const struct plane *plane = vec_at(&r->plane, i);

		if (xla_is_programs_plane(plane->name) &&
			hlo_words_add(r->reader.words, &r->space, &plane->extent, err))
			return -1;
	}
	hlo_words_report(r->reader.words, r->reader.profile);
	return 0;
}

/* Devices first: the host names what it launches after it. */
static int read_events(struct xplane_reading *r, struct error *err)
{
	if (scan_space(r, err) || read_words(r, err))
		return -1;
	choose_base(r);
	if (read_planes(r, true, err))
		return -1;
	r->reader.device_ops = r->reader.profile->op_count;
	return read_planes(r, false, err);
}

static int finish(struct xplane_reading *r, struct error *err)
{
	struct xplane_reader *x = &r->reader;

	set_epoch(r);
	if (xla_log_resolve(x->xla, ".xplane.pb", err) || xla_log_end(x->xla, err))
		return -1;
	if (!x->profile->facts.host && r->named.host)
		facts_set(&x->profile->facts, x->profile->arena, FACT_HOST, r->named.host,
			strlen(r->named.host));
	if (r->process && !r->several) {
		char number[32];
		const int n =
			snprintf(number, sizeof(number), "%llu", (unsigned long long)r->process);

		facts_set(&x->profile->facts, x->profile->arena, FACT_PID, number, (size_t)n);
	}

	struct profile *p = r->reader.profile;
	const struct line_tally *tally = &r->reader.tally;
	char place[512];

	error_place_offset(place, sizeof(place), p->path, tally->unnamed_at);
	issue_add(&p->issues, ISSUE_LOSS, "xplane-unnamed",
		"events whose id the file does not name, left out", tally->unnamed, place);
	issue_add(&p->issues, ISSUE_LOSS, "xplane-aggregated",
		"events that stand for several and have no place in time, left out",
		tally->aggregated, p->path);
	if (tally->events > 0)
		xla_log_report_no_step(r->reader.xla);
	trace_requests_report_unused(x->asked);
	if (eventlog_finish(x->log, 0, false, err))
		return -1;
	trace_requests_report_found(x->asked, x->log, NULL);
	return 0;
}

static int read_space(struct xplane_reading *r, struct error *err)
{
	struct eventlog_options options = trace_requests_log_options(r->opt);
	struct xplane_reader *x = &r->reader;
	const bool has_words = trace_requests_take_words(r->opt, &options, xla_row_words);
	int status = -1;

	span_window_init(&r->space.window, &r->file, WINDOW_BYTES);
	x->space = &r->space;
	x->windows = event_windows_new(&r->space, r->opt->threads);
	options.device_option = "device_tracer_level=1";
	x->log = eventlog_new(x->profile, &options);
	x->xla = xla_log_new(x->log, x->profile, &r->opt->limits);
	x->asked = trace_requests_new(x->profile, r->opt, r->arena, err);
	text_init(&x->scratch);
	text_init(&x->host_name);
	if (x->asked && has_words)
		trace_requests_set_words(x->asked, xla_row_words);
	if (x->asked)
		status = read_events(r, err);
	event_windows_free(x->windows);
	if (status == 0)
		status = finish(r, err);
	for (size_t i = 0; i < r->plane.count; i++)
		plane_release(vec_at(&r->plane, i));
	text_release(&x->scratch);
	text_release(&x->host_name);
	trace_requests_free(x->asked);
	hlo_words_free(x->words);
	xla_log_free(x->xla);
	eventlog_free(x->log);
	span_window_release(&r->space.window);
	return status;
}

static int xplane_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	struct xplane_reading r = {
		.reader = {.profile = out,
			.with_launchers = opt->trace.rows == TRACE_ROWS_LAUNCHERS},
		.space = {.most_bytes = opt->max_record_bytes},
		.opt = opt};
	int status;

	if (input_seekable(in, opt->trace.spill_folder, opt->trace.max_spill_bytes, &r.file, err))
		return -1;
	r.arena = arena_new();
	vec_init(&r.plane, sizeof(struct plane), PLANES_MOST, "planes");
	vec_init(&r.id, sizeof(int64_t), SIZE_MAX, "lanes");
	status = read_space(&r, err);
	if (status == 0)
		input_report_tail(in, &out->issues);
	vec_release(&r.plane);
	vec_release(&r.id);
	arena_free(r.arena);
	span_file_close(&r.file);
	return status;
}

const struct reader reader_xplane = {
	.name = "xplane",
	.title = "XPlane profile",
	.summary = "profile of JAX, TensorFlow 2 and PyTorch/XLA (*.xplane.pb)",
	.suffixes = (const char *const[]){".xplane.pb", ".xplane.pb.gz", NULL},
	.probe = shape_probe_xplane,
	.read = xplane_read,
	.is_trace = true,
	.empty_hint = "nothing ran while the profiler recorded: call the steps inside of `with "
		      "jax.profiler.trace(...):` (tf.profiler.experimental.Profile) and wait for "
		      "the last (jax.block_until_ready)",
};
