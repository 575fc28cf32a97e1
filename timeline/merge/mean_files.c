/* Gathers the executions of all files, sorts them by op and occurrence, describes each group,
 * writes it as a slice. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "timeline/merge/merge_files.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "base/unit.h"
#include "ingest/find.h"
#include "ingest/read_file.h"
#include "stats/moments.h"
#include "stats/sample.h"
#include "timeline/input_kind.h"
#include "timeline/lanes.h"
#include "timeline/json_writer.h"

#define NAMES_MOST ((size_t)1000000)

struct mean_lane {
	uint32_t process; /* of the names of processes */
	const char *name;
	bool is_flat; /* rows are not threads: a slice goes into the first row that is free */
};

struct mean_op { /* on a lane */
	uint32_t lane;
	const char *name, *type;
};

struct execution {
	uint32_t op, occurrence, step, is_kept;
	int64_t start_ps, dur_ps; /* since the start of its step, in the end */
};

struct slice {
	uint32_t op, lane;
	size_t n;
	double start_ps, dur_ps, cv, p95_ps;
};

/* The executions of one file of an input: a merged trace has several. */
struct mean_part {
	const struct profile *profile;
	size_t first;
};

struct mean {
	const struct merge_job *job;
	struct mean_outcome *outcome;
	struct issue_list *issues;
	struct arena *arena;
	struct intern *processes, *lane_keys, *op_keys;
	struct vec lane, op, execution, slice;
	struct vec part; /* struct mean_part, of the input that is read */
	/* of the file that is read */
	const struct profile *profile;
	bool is_flat;
	struct text key;
	uint32_t last_process, lane_of_process; /* in the order of the rows */
	const char *last_lane;
};

/* ---- gathering ---- */

static uint32_t intern_key(struct mean *m, struct intern *table)
{
	return intern_id(table, text_string(&m->key), m->key.size);
}

/* Threads of one process are distinguished by their order: their numbers differ from run to run. */
static int lane_of(struct mean *m, const struct event_row *row, uint32_t *id, struct error *err)
{
	const char *process = m->is_flat && row->device[0] ? row->device : row->process;
	uint32_t p = intern_id(m->processes, process, strlen(process));
	struct mean_lane *lane;

	if (p != m->last_process) {
		m->lane_of_process = 0;
	} else if (row->lane != m->last_lane && strcmp(row->lane, m->last_lane) != 0) {
		m->lane_of_process++;
	}
	m->last_process = p;
	m->last_lane = row->lane;
	text_clear(&m->key);
	text_printf(&m->key, "%" PRIu32 ":%" PRIu32, p, m->is_flat ? 0 : m->lane_of_process);
	*id = intern_key(m, m->lane_keys);
	if (*id < m->lane.count)
		return 0;
	lane = vec_push(&m->lane, err);
	if (!lane)
		return -1;
	*lane = (struct mean_lane){p, arena_strdup(m->arena, row->lane), m->is_flat};
	return 0;
}

static int op_of(
	struct mean *m, uint32_t lane, const struct event_row *row, uint32_t *id, struct error *err)
{
	struct mean_op *op;

	text_clear(&m->key);
	text_printf(&m->key, "%" PRIu32 ":%s", lane, row->op);
	*id = intern_key(m, m->op_keys);
	if (*id < m->op.count)
		return 0;
	op = vec_push(&m->op, err);
	if (!op)
		return -1;
	*op = (struct mean_op){
		lane, arena_strdup(m->arena, row->op), arena_strdup(m->arena, row->type)};
	return 0;
}

static int on_row(void *context, const struct event_row *row, struct error *err)
{
	struct mean *m = context;
	struct execution *e;
	uint32_t lane, op;

	if (row->profile != m->profile) {
		/* The rows of the files in a merged trace come file by file. */
		const struct profile *profile = row->profile;
		struct mean_part *part = vec_push(&m->part, err);

		if (!part)
			return -1;
		*part = (struct mean_part){profile, m->execution.count};
		m->profile = profile;
		m->is_flat = text_equal(profile->format, "timeline");
		m->last_process = UINT32_MAX;
		m->last_lane = "";
	}
	if (!row->has_step) {
		m->outcome->outside++;
		return 0;
	}
	if (lane_of(m, row, &lane, err) != 0 || op_of(m, lane, row, &op, err) != 0)
		return -1;
	e = vec_push(&m->execution, err);
	if (!e)
		return -1;
	*e = (struct execution){op, 0, row->place, 0, row->event->start_ps, row->event->dur_ps};
	return 0;
}

ORDERED(compare_in_file, struct execution,
	ORDER(x->step, y->step)
		?: ORDER(x->op, y->op)
		?: ORDER(x->start_ps, y->start_ps)
		?: ORDER(x->dur_ps, y->dur_ps));

/* Starts since the step, occurrences, choice. Executions of the file, which end before `end`, are
 * in order of steps after it. Those that stay move to `kept`; returns where they end. */
static size_t finish_step(
	struct mean *m, const struct mean_part *part, size_t end, size_t kept, size_t position)
{
	const struct profile *profile = part->profile;
	struct execution *e = (struct execution *)m->execution.data + part->first;
	size_t count = end - part->first;
	const struct step *step = NULL;
	bool chosen = false;

	if (count)
		qsort(e, count, sizeof(*e), compare_in_file);
	for (size_t i = 0; i < count; i++) {
		struct execution now = e[i];

		if (i == 0 || now.step != e[i - 1].step) {
			step = &profile->step[now.step];
			chosen = step_is_chosen(m->job, !step->unnumbered, step->number,
				(int64_t)(profile->step_count > 1 ? now.step + 1 : position));
			m->outcome->steps += chosen;
		}
		e[i].occurrence = i > 0 && now.step == e[i - 1].step && now.op == e[i - 1].op
					  ? e[i - 1].occurrence + 1
					  : 0;
		e[i].is_kept = chosen;
		if (!chosen)
			m->outcome->outside++;
		else if (__builtin_sub_overflow(now.start_ps, step->start_ps, &e[i].start_ps))
			e[i].start_ps = 0;
	}
	for (size_t i = 0; i < count; i++)
		if (e[i].is_kept)
			((struct execution *)m->execution.data)[kept++] = e[i];
	return kept;
}

static int read_file(struct mean *m, const struct reader *reader, struct input *in,
	size_t *position, struct error *err)
{
	struct read_options read = m->job->read;
	struct profile *profile = profile_new(input_path(in));
	size_t first = m->execution.count;
	int status;

	profile->format = reader->name;
	vec_clear(&m->part);
	m->profile = NULL;
	read.trace.sink = on_row;
	read.trace.sink_context = m;
	status = reader_read(reader, in, profile, &read, err);
	if (status == 0) {
		size_t kept = first;

		for (size_t i = 0; i < m->part.count; i++) {
			const struct mean_part *part = vec_at(&m->part, i);
			size_t end = i + 1 < m->part.count ? part[1].first : m->execution.count;

			kept = finish_step(m, part, end, kept, ++*position);
		}
		m->execution.count = kept;
		*position += m->part.count == 0; /* a file without events has a place, too */
	}
	for (const struct profile *p = profile; p && status == 0; p = p->next)
		issue_list_join(m->issues, &p->issues);
	profile_free(profile);
	return status;
}

static int add_file(struct mean *m, const struct found_file *file, size_t *position,
	struct vec *skipped, struct error *err)
{
	const struct reader *reader = m->job->from;
	struct probe probe;
	struct input *in =
		probe_file(file->path, file->is_stdin ? m->job->input_name : NULL, &probe, err);
	struct error reason;
	int status = -1;

	if (!in)
		return -1;
	if (expect_trace(&probe, &reason) != 0 ||
		(!reader && !(reader = reader_detect(&probe, &reason)))) {
		if (file->named)
			*err = reason;
		else
			status = 0;
		if (!file->named)
			attempt_would_read(file->path, m->job->from, m->arena, skipped);
		m->outcome->files_left_out += !file->named;
	} else if (!reader->read) {
		error_set(err, ERROR_INPUT, file->name, "found %s, expected a trace of events",
			reader->title);
	} else {
		status = read_file(m, reader, in, position, err);
	}
	input_close(in);
	return status;
}

/* ---- describing ---- */

ORDERED(compare_groups, struct execution,
	ORDER(x->op, y->op)
		?: ORDER(x->occurrence, y->occurrence)
		?: ORDER(x->step, y->step));

static int describe(
	struct mean *m, const struct execution *e, size_t n, double *x, struct error *err)
{
	struct slice *slice = vec_push(&m->slice, err);
	struct moments moments;

	if (!slice)
		return -1;
	slice->op = e->op;
	slice->lane = ((const struct mean_op *)vec_at(&m->op, e->op))->lane;
	slice->n = n;
	for (size_t i = 0; i < n; i++)
		x[i] = (double)e[i].start_ps;
	moments_compute(x, n, &moments);
	slice->start_ps = moments_mean(&moments);
	for (size_t i = 0; i < n; i++)
		x[i] = (double)e[i].dur_ps;
	moments_compute(x, n, &moments);
	slice->dur_ps = moments_mean(&moments);
	slice->cv = moments_cv(&moments, m->job->cv_of_population);
	slice->p95_ps = sample_quantile(x, n, 0.95);
	return 0;
}

static int is_op_included(struct mean *m, const struct mean_op *op, struct error *err)
{
	struct arena *arena = arena_new();
	struct rule_outcome outcome = {.kept = true};
	int status = m->job->rules ? rules_apply(m->job->rules, op->name, arena, &outcome, err) : 0;

	arena_free(arena);
	return status < 0 ? -1 : outcome.kept;
}

static int describe_all(struct mean *m, struct error *err)
{
	struct execution *e = m->execution.data;
	size_t count = m->execution.count, end;
	double *x = memory_alloc(memory_product(m->outcome->steps + 1, sizeof(*x)));
	uint32_t op = UINT32_MAX;
	int status = 0, kept = 0;

	qsort(e, count, sizeof(*e), compare_groups);
	for (size_t i = 0; i < count && status == 0; i = end) {
		for (end = i; end < count && e[end].op == e[i].op &&
			      e[end].occurrence == e[i].occurrence;)
			end++;
		if (e[i].op != op)
			kept = is_op_included(m, vec_at(&m->op, e[i].op), err);
		op = e[i].op;
		if (kept < 0)
			status = -1;
		else if (kept > 0)
			status = describe(m, e + i, end - i, x, err);
		m->outcome->events += kept > 0 ? end - i : 0;
	}
	memory_free(x);
	if (status == 0 && m->slice.count == 0)
		status = error_set(err, ERROR_INPUT, "--include", "no op of the traces is chosen");
	m->outcome->slices = m->slice.count;
	return status;
}

/* ---- writing ---- */

ORDERED(compare_slices, struct slice,
	ORDER(x->lane, y->lane)
		?: ORDER(x->start_ps, y->start_ps)
		?: ORDER(y->dur_ps, x->dur_ps)
		?: ORDER(x->op, y->op));

static void write_name(struct json_writer *json, const char *what, uint32_t pid, size_t tid,
	bool has_tid, const char *name)
{
	json_open(json, NULL, '{');
	json_word(json, "ph", "M");
	json_word(json, "name", what);
	json_number(json, "pid", pid);
	if (has_tid)
		json_number(json, "tid", (json_whole)tid);
	json_open(json, "args", '{');
	json_word(json, "name", name);
	json_close(json, '}');
	json_close(json, '}');
}

static void write_slice(
	struct json_writer *json, const struct mean *m, const struct slice *slice, size_t tid)
{
	const struct mean_op *op = vec_at(&m->op, slice->op);
	const struct mean_lane *lane = vec_at(&m->lane, op->lane);

	json_open(json, NULL, '{');
	json_word(json, "ph", "X");
	json_word(json, "name", op->name);
	if (op->type[0])
		json_word(json, "cat", op->type);
	json_number(json, "pid", lane->process);
	json_number(json, "tid", (json_whole)tid);
	json_real(json, "ts", slice->start_ps / (double)PS_PER_US);
	json_real(json, "dur", slice->dur_ps / (double)PS_PER_US);
	json_open(json, "args", '{');
	json_number(json, "n", (json_whole)slice->n);
	json_real(json, "mean_us", slice->dur_ps / (double)PS_PER_US);
	if (slice->cv == slice->cv) /* not for one step */
		json_real(json, "cv_pct", 100 * slice->cv);
	json_real(json, "p95_us", slice->p95_ps / (double)PS_PER_US);
	json_close(json, '}');
	json_close(json, '}');
}

static int write_trace(struct mean *m, struct error *err)
{
	struct trace_file *file = trace_file_open(m->job->output, err);
	struct json_writer json;

	if (!file)
		return -1;
	qsort(m->slice.data, m->slice.count, sizeof(struct slice), compare_slices);
	json_begin(&json, file);
	json_open(&json, NULL, '{');
	json_open(&json, "stepstat", '{');
	json_word(&json, "timeline", "mean");
	json_number(&json, "steps", (json_whole)m->outcome->steps);
	json_close(&json, '}');
	json_open(&json, "traceEvents", '[');
	for (uint32_t p = 0; p < intern_count(m->processes); p++)
		write_name(&json, "process_name", p, 0, false, intern_name(m->processes, p));
	for (size_t i = 0; i < m->lane.count; i++) {
		const struct mean_lane *lane = vec_at(&m->lane, i);

		if (!lane->is_flat)
			write_name(&json, "thread_name", lane->process, i, true, lane->name);
	}

	uint32_t last = UINT32_MAX;
	struct lanes rows;

	lanes_init(&rows);
	for (size_t i = 0; i < m->slice.count; i++) {
		const struct slice *slice = vec_at(&m->slice, i);
		uint32_t lane = slice->lane;
		size_t tid = lane;

		if (lane != last) {
			lanes_release(&rows);
			lanes_init(&rows);
		}
		last = lane;
		if (((const struct mean_lane *)vec_at(&m->lane, lane))->is_flat)
			tid = lanes_place(&rows, (json_whole)slice->start_ps,
				(json_whole)(slice->start_ps + slice->dur_ps));
		write_slice(&json, m, slice, tid);
	}
	lanes_release(&rows);
	json_close(&json, ']');
	json_close(&json, '}');
	json_end(&json);
	return trace_file_commit(file, err);
}

int mean_files(const struct merge_job *job, struct mean_outcome *outcome, struct issue_list *issues,
	struct error *err)
{
	struct mean m = {.job = job, .outcome = outcome, .issues = issues, .arena = arena_new()};
	int status;

	*outcome = (struct mean_outcome){0};
	m.processes = intern_new(m.arena);
	m.lane_keys = intern_new(m.arena);
	m.op_keys = intern_new(m.arena);
	text_init(&m.key);
	vec_init(&m.lane, sizeof(struct mean_lane), NAMES_MOST, "lanes");
	vec_init(&m.op, sizeof(struct mean_op), 10 * NAMES_MOST, "ops on their lanes");
	vec_init(&m.execution, sizeof(struct execution), job->read.limits.observations,
		"executions (max-observations)");
	vec_init(&m.part, sizeof(struct mean_part), FILES_MOST, "files");
	vec_init(&m.slice, sizeof(struct slice), job->read.limits.observations,
		"slices (max-observations)");

	struct vec found = {0}, skipped = {0};
	size_t position = 0;
	status = find_files(m.job->paths, m.job->path_count, m.arena, &found, &skipped, err);

	find_name_stdin(&found, m.job->input_name);
	for (size_t i = 0; i < found.count && status == 0; i++)
		status = add_file(&m, vec_at(&found, i), &position, &skipped, err);
	skipped_report(m.issues, skipped.data, skipped.count);
	vec_release(&found);
	vec_release(&skipped);
	if (status == 0)
		status = trace_tally_check(&m.job->read.trace, err);
	if (status == 0 && m.execution.count == 0) {
		error_set(err, ERROR_INPUT, m.job->paths[0],
			"no execution of an op in any step that was chosen");
		status = error_hint(
			err, "a Chrome trace with steps; --step-marker says what a step is");
	}
	step_choices_check(job, issues);
	if (status == 0 && job->strict)
		status = issue_list_refuse_losses(issues, err);
	if (status == 0)
		status = describe_all(&m, err);
	if (status == 0)
		status = write_trace(&m, err);
	vec_release(&m.lane);
	vec_release(&m.op);
	vec_release(&m.execution);
	vec_release(&m.slice);
	vec_release(&m.part);
	text_release(&m.key);
	arena_free(m.arena);
	return status;
}
