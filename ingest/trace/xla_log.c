/* Steps: those of the line of steps of the devices, else those that the host has annotated, else
 * the executions of the program that took the most time. */
#include "ingest/trace/xla_log.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

#define MODULE_ANY UINT32_MAX
#define MODULE_NONE (UINT32_MAX - 1)
#define MODULE_RUNS_LEAST 3 /* executions of a program that are taken for steps */

static const struct {
	const char *code, *text;
} passed_words[XLA_PASSED_COUNT] = {
	[XLA_PASSED_FRAME] = {"jax-python",
		"frames of Python (python_tracer_level), left out of the ops"},
	[XLA_PASSED_INSTANT] = {"jax-instant", "points in time of the host, left out of the ops"},
	[XLA_PASSED_END] = {"jax-end", "ends of ops (\"end: OP\"), not ops themselves; their time "
				       "is subtracted from the op"},
	[XLA_PASSED_WAIT] = {"jax-wait",
		"waits of threads of the runtime (\"OP (wait for completion)\", Await), which are "
		"no work: left out of the ops"},
};

enum mark_kind { MARK_HOST, MARK_DEVICE, MARK_MODULE };

struct kept_mark {
	struct xla_mark mark;
	enum mark_kind kind;
	uint32_t module; /* name of the program */
	uint32_t process;
	size_t place;	 /* among those of its process, in order of time */
	int64_t took_ps; /* by the longest of several devices; 0: from start to end */
};

struct xla_log {
	struct eventlog *log;
	struct profile *profile;
	struct arena *arena;
	struct intern *modules;
	struct vec plane;   /* of uint8_t, enum xla_plane of each process */
	struct vec mark;    /* of struct kept_mark */
	struct vec run;	    /* the same of executions of programs */
	struct vec stretch; /* the same of each device, where a step is that of several */
	size_t passed[XLA_PASSED_COUNT], host_steps;
};

struct xla_log *xla_log_new(
	struct eventlog *log, struct profile *profile, const struct profile_limits *limits)
{
	struct xla_log *x = memory_alloc(sizeof(*x));

	*x = (struct xla_log){.log = log, .profile = profile, .arena = arena_new()};
	x->modules = intern_new(x->arena);
	vec_init(&x->plane, sizeof(uint8_t), UINT32_MAX, "processes");
	vec_init(&x->mark, sizeof(struct kept_mark), limits->steps, "steps");
	vec_init(&x->run, sizeof(struct kept_mark), limits->steps, "executions of programs");
	vec_init(&x->stretch, sizeof(struct kept_mark), limits->steps, "steps");
	return x;
}

void xla_log_free(struct xla_log *x)
{
	if (!x)
		return;
	vec_release(&x->plane);
	vec_release(&x->mark);
	vec_release(&x->run);
	vec_release(&x->stretch);
	arena_free(x->arena);
	memory_free(x);
}

/* ---- processes ---- */

enum xla_plane xla_log_plane(struct xla_log *x, uint32_t process, struct error *err)
{
	uint8_t *plane;

	while (x->plane.count <= process) {
		plane = vec_push(&x->plane, err);
		if (!plane)
			return XLA_PLANE_UNKNOWN;
		*plane = XLA_PLANE_UNKNOWN;
	}
	plane = vec_at(&x->plane, process);
	if (*plane == XLA_PLANE_UNKNOWN)
		*plane = (uint8_t)xla_plane_of(eventlog_process_name(x->log, process));
	return (enum xla_plane) * plane;
}

bool xla_log_has_devices(const struct xla_log *x)
{
	for (uint32_t p = 0; p < eventlog_process_count(x->log); p++)
		if (xla_plane_of(eventlog_process_name(x->log, p)) == XLA_PLANE_DEVICE)
			return true;
	return false;
}

int xla_log_resolve(struct xla_log *x, const char *ending, struct error *err)
{
	struct eventlog *log = x->log;

	for (uint32_t p = 0; p < eventlog_process_count(log); p++) {
		if (xla_log_plane(x, p, err) == XLA_PLANE_UNKNOWN && x->plane.count <= p)
			return -1;
		xla_read_host(x->profile, eventlog_process_name(log, p));
	}
	xla_read_host_of_path(x->profile, ending);
	for (size_t i = 0; i < eventlog_lane_count(log); i++) {
		const struct lane *lane = eventlog_lane_at(log, (uint32_t)i);
		uint8_t *plane = vec_at(&x->plane, lane->process);

		if (*plane == XLA_PLANE_UNKNOWN && xla_is_device_line(lane->name))
			*plane = XLA_PLANE_DEVICE;
	}
	for (uint32_t p = 0; p < eventlog_process_count(log); p++) {
		uint8_t *plane = vec_at(&x->plane, p);

		if (*plane == XLA_PLANE_UNKNOWN)
			*plane = XLA_PLANE_HOST;
	}
	return 0;
}

void xla_log_pass(struct xla_log *x, enum xla_passed what, size_t count)
{
	x->passed[what] += count;
}

/* "/device:TPU:0" gives tpu:0. */
static const char *device_of(struct xla_log *x, const char *process)
{
	struct text device;
	const char *result;

	text_init(&device);
	process = strstr(process, "/device:");
	text_add(&device, process ? process + 8 : "device");
	for (size_t i = 0; i < device.size; i++)
		if (device.data[i] >= 'A' && device.data[i] <= 'Z')
			device.data[i] |= 0x20;
	result = eventlog_text(x->log, text_string(&device), device.size);
	text_release(&device);
	return result;
}

/* ---- marks ---- */

static int store(
	struct xla_log *x, const struct xla_mark *mark, enum mark_kind kind, struct error *err)
{
	struct kept_mark *kept = vec_push(&x->mark, err);

	if (!kept)
		return error_hint(err, "allow more with max-steps in stepstat.yaml");
	kept->mark = *mark;
	kept->kind = kind;
	x->host_steps += kind == MARK_HOST;
	return 0;
}

int xla_log_host_step(struct xla_log *x, const struct xla_mark *mark, struct error *err)
{
	return store(x, mark, MARK_HOST, err);
}

int xla_log_device_step(struct xla_log *x, const struct xla_mark *mark, struct error *err)
{
	return store(x, mark, MARK_DEVICE, err);
}

void xla_log_module(struct xla_log *x, const struct xla_mark *mark, struct xla_text name)
{
	struct error full;
	struct kept_mark *kept = x->run.count < x->run.cap ? vec_push(&x->run, &full) : NULL;

	if (!kept)
		return;
	kept->mark = *mark;
	kept->kind = MARK_MODULE;
	kept->module = intern_id(x->modules, name.size ? name.at : "", name.size);
}

/* True if the mark lies on the line of its kind. Names of lines may come after their events. */
static bool is_on_its_line(const struct xla_log *x, const struct kept_mark *kept)
{
	const char *line = eventlog_lane_at(x->log, kept->mark.lane)->name;

	return kept->kind == MARK_HOST ||
	       (kept->kind == MARK_DEVICE ? xla_is_steps_line(line) : xla_is_modules_line(line));
}

/* Keeps the marks of one kind, of programs those of this one, with their processes. */
static size_t keep_marks(struct xla_log *x, enum mark_kind kind, uint32_t module)
{
	struct kept_mark *mark = x->mark.data;
	size_t kept = 0;

	for (size_t i = 0; i < x->mark.count; i++) {
		if (mark[i].kind != kind || !is_on_its_line(x, &mark[i]) ||
			(module != MODULE_ANY && mark[i].module != module))
			continue;
		mark[i].process = eventlog_lane_at(x->log, mark[i].mark.lane)->process;
		mark[kept++] = mark[i];
	}
	return x->mark.count = kept;
}

/* Process of the leading device: the first one of several devices, which step together. */
static uint32_t leading_process(const struct xla_log *x)
{
	const struct kept_mark *mark = x->mark.data;
	uint32_t found = UINT32_MAX;

	for (size_t i = 0; i < x->mark.count; i++)
		if (found == UINT32_MAX ||
			text_compare_natural(eventlog_process_key(x->log, mark[i].process),
				eventlog_process_key(x->log, found)) < 0)
			found = mark[i].process;
	return found;
}

static int compare_marks(const void *a, const void *b)
{
	const struct kept_mark *x = a, *y = b;

	return ORDER(x->process, y->process)
		?: ORDER(x->mark.start_ps, y->mark.start_ps)
		?: ORDER(x->mark.end_ps, y->mark.end_ps);
}

/* The marks of each device in order of time; executions of a program are numbered in it. */
static void place_marks(struct xla_log *x, bool are_modules)
{
	struct kept_mark *mark = x->mark.data;

	if (x->mark.count)
		qsort(mark, x->mark.count, sizeof(*mark), compare_marks);
	for (size_t i = 0; i < x->mark.count; i++) {
		mark[i].place =
			i > 0 && mark[i].process == mark[i - 1].process ? mark[i - 1].place + 1 : 0;
		if (are_modules)
			mark[i].mark.number = (int64_t)mark[i].place;
	}
}

static int compare_places(const void *a, const void *b)
{
	const struct kept_mark *x = a, *y = b;

	return ORDER(x->place, y->place) ?: compare_marks(a, b);
}

/* Mark from the first start to the last end of these marks; it took as long as the longest of
 * them. */
static struct kept_mark united_of(const struct kept_mark *mark, size_t count)
{
	struct kept_mark all = mark[0];

	for (size_t i = 0; i < count; i++) {
		const int64_t took_ps = mark[i].mark.end_ps - mark[i].mark.start_ps;

		if (mark[i].mark.start_ps < all.mark.start_ps)
			all.mark.start_ps = mark[i].mark.start_ps;
		if (mark[i].mark.end_ps > all.mark.end_ps)
			all.mark.end_ps = mark[i].mark.end_ps;
		if (took_ps > all.took_ps)
			all.took_ps = took_ps;
	}
	return all;
}

/* True if these devices never work on the step at the same time. */
static bool is_apart(const struct kept_mark *mark, size_t count)
{
	int64_t last_start_ps = mark[0].mark.start_ps, first_end_ps = mark[0].mark.end_ps;

	for (size_t i = 1; i < count; i++) {
		if (mark[i].mark.start_ps > last_start_ps)
			last_start_ps = mark[i].mark.start_ps;
		if (mark[i].mark.end_ps < first_end_ps)
			first_end_ps = mark[i].mark.end_ps;
	}
	return first_end_ps <= last_start_ps;
}

/* True if these are the marks of one step, one of each device, as the first marks of all are. */
static bool is_of_all(const struct xla_log *x, size_t first, size_t devices)
{
	const struct kept_mark *mark = x->mark.data;

	if (x->mark.count - first < devices)
		return false;
	for (size_t i = 0; i < devices; i++)
		if (mark[first + i].place != mark[first].place ||
			mark[first + i].mark.number != mark[first].mark.number ||
			mark[first + i].process != mark[i].process)
			return false;
	return true;
}

/* Unites the marks of all devices into steps when all devices have each step, and one ends on all
 * of them before the next begins on any. False: it is not so. */
static bool unite_devices(struct xla_log *x)
{
	struct kept_mark *mark = x->mark.data, step;
	const size_t count = x->mark.count;
	size_t devices = 0, steps = 0;
	int64_t last_ps = INT64_MIN;
	bool apart = false;

	if (count == 0)
		return false;
	qsort(mark, count, sizeof(*mark), compare_places);
	while (devices < count && mark[devices].place == mark[0].place)
		devices++;
	for (size_t i = 0; i < count; i += devices) {
		if (!is_of_all(x, i, devices))
			return false;
		step = united_of(mark + i, devices);
		if (step.mark.start_ps < last_ps)
			return false;
		last_ps = step.mark.end_ps;
		apart |= is_apart(mark + i, devices);
	}
	for (size_t i = 0; apart && i < count; i++) {
		struct error full;
		struct kept_mark *kept = vec_push(&x->stretch, &full);

		if (kept) /* always: there are no more of them than marks */
			*kept = mark[i];
	}
	for (size_t i = 0; i < count; i += devices)
		mark[steps++] = united_of(mark + i, devices);
	x->mark.count = steps;
	return true;
}

/* The program whose executions took the most time of the leading device; MODULE_NONE: none ran
 * often enough. */
static uint32_t longest_module(struct xla_log *x)
{
	const size_t count = intern_count(x->modules);
	struct module {
		int64_t sum_ps;
		size_t runs;
	} *module = memory_alloc(memory_product(count + 1, sizeof(*module)));
	uint32_t found = MODULE_NONE, leading;

	keep_marks(x, MARK_MODULE, MODULE_ANY);
	leading = leading_process(x);
	for (size_t i = 0; i < x->mark.count; i++) {
		const struct kept_mark *m = vec_at(&x->mark, i);

		if (m->process != leading)
			continue;
		if (__builtin_add_overflow(module[m->module].sum_ps,
			    m->mark.end_ps - m->mark.start_ps, &module[m->module].sum_ps))
			module[m->module].sum_ps = INT64_MAX;
		module[m->module].runs++;
	}
	for (uint32_t i = 0; i < count; i++)
		if (module[i].runs >= MODULE_RUNS_LEAST &&
			(found == MODULE_NONE || module[i].sum_ps > module[found].sum_ps))
			found = i;
	memory_free(module);
	return found;
}

/* The marks that are steps are left. */
static void choose_marks(struct xla_log *x)
{
	struct kept_mark *mark = x->mark.data;
	bool any_steps_line = false;
	uint32_t module;

	for (size_t i = 0; i < x->mark.count; i++)
		any_steps_line |= mark[i].kind == MARK_DEVICE && is_on_its_line(x, &mark[i]);
	if (!any_steps_line && x->host_steps > 0) {
		keep_marks(x, MARK_HOST, MODULE_ANY);
		return;
	}
	if (any_steps_line) {
		keep_marks(x, MARK_DEVICE, MODULE_ANY);
	} else {
		/* Without marks the executions of programs take their place. */
		const struct vec none = x->mark;

		x->mark = x->run;
		x->run = none;
		module = longest_module(x);
		if (keep_marks(x, MARK_MODULE, module) == 0)
			return;

		const char *name = intern_name(x->modules, module);
		struct arena *arena = x->profile->arena;

		issue_add(&x->profile->issues, ISSUE_INFO, "jax-modules",
			arena_printf(arena,
				"the profile marks no steps (StepTraceAnnotation): each execution "
				"of the program that took the most time is one (%s)",
				name),
			1, x->profile->path);
	}
	place_marks(x, !any_steps_line);
	if (!unite_devices(x)) {
		const uint32_t leading = leading_process(x);
		size_t kept = 0;

		mark = x->mark.data;
		for (size_t i = 0; i < x->mark.count; i++)
			if (mark[i].process == leading)
				mark[kept++] = mark[i];
		x->mark.count = kept;
	}
}

static int mark_steps(struct xla_log *x, struct error *err)
{
	choose_marks(x);
	if (x->mark.count && ((const struct kept_mark *)x->mark.data)->kind != MARK_HOST)
		eventlog_forget_handoffs(x->log);
	for (size_t i = 0; i < x->mark.count; i++) {
		const struct kept_mark *m = vec_at(&x->mark, i);
		const struct step_mark mark = {.process = EVENTLOG_ANY,
			.numbered = true,
			.number = m->mark.number,
			.kind = m->mark.kind,
			.start_ps = m->mark.start_ps,
			.end_ps = m->mark.end_ps,
			.from_events = m->kind == MARK_MODULE,
			.is_whole = m->kind != MARK_HOST,
			.took_ps = m->took_ps};

		if (eventlog_mark(x->log, &mark, err) != 0)
			return -1;
	}
	for (size_t i = 0; i < x->stretch.count; i++) {
		const struct kept_mark *m = vec_at(&x->stretch, i);
		const struct step_stretch stretch = {
			m->process, m->place, m->mark.start_ps, m->mark.end_ps};

		if (eventlog_stretch(x->log, &stretch, err) != 0)
			return -1;
	}
	return 0;
}

/* ---- the end ---- */

int xla_log_end(struct xla_log *x, struct error *err)
{
	for (size_t i = 0; i < eventlog_lane_count(x->log); i++) {
		struct lane *lane = eventlog_lane_at(x->log, (uint32_t)i);
		const char *process = eventlog_process_name(x->log, lane->process);

		lane->device = "cpu";
		if (*(const uint8_t *)vec_at(&x->plane, lane->process) != XLA_PLANE_DEVICE)
			continue;
		lane->accelerator = true;
		lane->device = device_of(x, process);
		lane->flat = text_starts(lane->name, "Stream #"); /* of a GPU */
		lane->skip = xla_is_derived(process, lane->name);
	}
	eventlog_tell_steps(x->log);
	eventlog_share_marks(x->log); /* of --step-marker: on the host, of its devices too */
	x->profile->host_is_apart = true;
	for (size_t i = 0; i < XLA_PASSED_COUNT; i++)
		issue_add(&x->profile->issues, ISSUE_INFO, passed_words[i].code,
			passed_words[i].text, x->passed[i], x->profile->path);
	return mark_steps(x, err);
}

void xla_log_report_no_step(struct xla_log *x)
{
	if (eventlog_mark_count(x->log) == 0)
		issue_add(&x->profile->issues, ISSUE_LOSS, "jax-no-step",
			"the trace has no steps (StepTraceAnnotation): all of it is one; "
			"--step-marker names what marks a step",
			1, x->profile->path);
}
