/*
 * Files are taken a few at a time, so that memory does not grow with their number; what they add up
 * to waits in temporary files, which are added up in their turn.
 */
#include "cli/merge/merge_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/text.h"
#include "cli/export_tables.h"
#include "export/observations.h"
#include "ingest/trace_tally.h"
#include "pipeline/one_side.h"

/* Limits of one batch; a single file may be larger. */
#define BATCH_BYTES ((uint64_t)24 << 20)
#define BATCH_FILES ((size_t)256)
#define ADDED_MOST 64

/* ---- one batch ---- */

struct merge_batch {
	struct settings *s;
	struct side *side;
};

static struct job_sums *sums_of_ranks(void *context, struct error *err)
{
	const struct merge_batch *batch = context;

	return side_job_sums(batch->side, &batch->s->job, err);
}

static int write_side(struct settings *s, struct side *side, struct outfile *out, struct error *err)
{
	struct merge_batch batch = {s, side};
	struct observation_set set;
	struct job_part part;

	if (export_observations(s, side, &set, err) < 0)
		return -1;
	part = (struct job_part){side->self->ranks->steps, sums_of_ranks, &batch};
	return observations_write_obs(&set, &part, out, err);
}

static int write_batch(struct settings *s, const char *const *path, size_t count,
	const struct issue_list *losses, struct outfile *out, struct error *err)
{
	struct side *side = side_load(&s->job, path, count, err);
	int status = -1;

	if (!side)
		return -1;
	if (losses)
		issue_list_join(&side->self->issues, losses);
	if (side_select(side, &s->job, err) == 0)
		status = write_side(s, side, out, err);
	side_free(side);
	return status == 0 ? outfile_finish(out, err) : -1;
}

/* ---- all of them ---- */

/* Inputs that follow each other, added up. */
struct added {
	struct outfile *file; /* a temporary one, which is never put in its place */
	uint64_t size_bytes;
	const char *first, *last; /* of these inputs */
};

struct merging {
	struct settings *s;
	struct job_settings given; /* for inputs: what the user asked for */
	struct job_settings plain; /* for what is added up: none of that a second time */
	struct added added[ADDED_MOST];
	size_t count;
	uint64_t size_bytes; /* of all of them */
	size_t files;	     /* temporary ones so far */
	size_t includes;
	size_t *hits;			 /* of each rule of --include, in all inputs so far */
	const struct issue_list *losses; /* of what is added up at last; NULL: not yet */
};

/* Rule of an --include: the includes are the first of the rules. */
static const struct rule *include_at(const struct merging *m, size_t index)
{
	return rules_at(m->given.rules, index);
}

/* An --include that one batch has no op for may have one in the next. */
static struct merging *merging_new(struct settings *s)
{
	struct merging *m = arena_alloc(s->arena, sizeof(*m));

	m->s = s;
	m->given = s->job;
	m->given.group.allow_empty = true;
	while (m->includes < rules_count(s->job.rules) &&
		include_at(m, m->includes)->kind == RULE_INCLUDE)
		m->includes++;
	m->hits = arena_array(s->arena, m->includes, sizeof(*m->hits));
	job_settings_init(&m->plain, s->arena);
	m->plain.read.limits = s->job.read.limits;
	m->plain.read.max_record_bytes = s->job.read.max_record_bytes;
	m->plain.jobs = s->job.jobs;
	m->plain.on = s->job.on;
	m->plain.step_time = s->job.step_time;
	m->plain.one_job = true;
	m->plain.group.allow_empty = true;
	return m;
}

static struct outfile *open_temporary(const struct settings *s, const char *name, struct error *err)
{
	const char *folder = getenv("TMPDIR");

	return outfile_open(arena_printf(s->arena, "%s/stepstat-merge-%s.part",
				    folder && *folder ? folder : "/tmp", name),
		err);
}

static struct outfile *open_next(struct merging *m, struct error *err)
{
	return open_temporary(m->s, arena_printf(m->s->arena, "%zu", m->files++), err);
}

static void replace(char *in, size_t size, const char *word, const char *by)
{
	const char *at = strstr(in, word);
	struct text text;

	if (!at)
		return;
	text_init(&text);
	text_add_bytes(&text, in, (size_t)(at - in));
	text_add(&text, by);
	text_add(&text, at + strlen(word));
	snprintf(in, size, "%s", text_string(&text));
	text_release(&text);
}

/* The user knows nothing of temporary files. */
static void name_temporary(struct outfile *file, const char *by, struct error *err)
{
	const char *path = outfile_temporary(file), *base = strrchr(path, '/') + 1;

	replace(err->place, sizeof(err->place), path, by);
	replace(err->message, sizeof(err->message), path, by);
	replace(err->message, sizeof(err->message), base, by);
	replace(err->hint, sizeof(err->hint), base, by);
}

static void name_inputs(const struct merging *m, struct error *err)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct added *added = &m->added[i];
		const char *inputs = text_equal(added->first, added->last)
					     ? added->first
					     : arena_printf(m->s->arena, "one of %s ... %s",
						       added->first, added->last);

		name_temporary(added->file, inputs, err);
	}
}

static void discard_all(struct merging *m)
{
	for (size_t i = 0; i < m->count; i++)
		outfile_discard(m->added[i].file);
	m->count = 0;
	m->size_bytes = 0;
}

/* Takes over the file. */
static void keep(struct merging *m, struct outfile *file, const char *first, const char *last)
{
	struct stat status = {0};

	stat(outfile_temporary(file), &status); /* its size is no more than a measure */
	m->added[m->count++] = (struct added){file, (uint64_t)status.st_size, first, last};
	m->size_bytes += (uint64_t)status.st_size;
}

/* All that is added up so far, in one file. */
static int add_up(struct merging *m, struct outfile *out, struct error *err)
{
	const char *path[ADDED_MOST];
	int status;

	for (size_t i = 0; i < m->count; i++)
		path[i] = outfile_temporary(m->added[i].file);
	m->s->job = m->plain;
	status = write_batch(m->s, path, m->count, m->losses, out, err);
	m->s->job = m->given;
	if (status < 0)
		name_inputs(m, err);
	return status;
}

static int make_room(struct merging *m, struct error *err)
{
	struct outfile *out = open_next(m, err);
	const char *first = m->added[0].first, *last = m->added[m->count - 1].last;

	if (!out || add_up(m, out, err) < 0) {
		outfile_discard(out);
		return -1;
	}
	discard_all(m);
	keep(m, out, first, last);
	return 0;
}

static int add_batch(struct merging *m, const char *const *path, size_t count, struct error *err)
{
	struct outfile *out;

	if (m->count == ADDED_MOST || (m->count > 1 && m->size_bytes > BATCH_BYTES))
		if (make_room(m, err) < 0)
			return -1;
	out = open_next(m, err);
	m->s->job = m->given;
	if (!out || write_batch(m->s, path, count, NULL, out, err) < 0) {
		outfile_discard(out);
		return -1;
	}
	for (size_t i = 0; i < m->includes; i++)
		m->hits[i] += include_at(m, i)->hits;
	keep(m, out, path[0], path[count - 1]);
	return 0;
}

/* The checks that no batch could make. */
static int check_hits(const struct merging *m, struct error *err)
{
	for (size_t i = 0; i < m->includes; i++) {
		const struct rule *rule = include_at(m, i);

		if (m->hits[i])
			continue;
		error_set(err, ERROR_INPUT, rule->place, "no op of any input matches \"%s\"",
			rule->text);
		return error_hint(err, "`stepstat ops INPUT` lists the names; --allow-empty lets "
				       "it pass");
	}
	return trace_tally_check(&m->given.read.trace, err);
}

/* Number of files in the next batch. */
static size_t batch_size(const struct merge_inputs *in, size_t first)
{
	uint64_t bytes = 0;
	size_t count = 0;

	while (first + count < in->count && count < BATCH_FILES) {
		if (count && bytes + in->size_bytes[first + count] > BATCH_BYTES)
			break;
		bytes += in->size_bytes[first + count];
		count++;
	}
	return count;
}

static int add_batches(struct merging *m, const struct merge_inputs *in, struct error *err)
{
	for (size_t first = 0, count; first < in->count; first += count) {
		count = batch_size(in, first);
		if (add_batch(m, in->path + first, count, err) < 0)
			return -1;
	}
	return 0;
}

/* The sum of the files, in `out`, which stays open. */
static int add_files(
	struct settings *s, const struct merge_inputs *in, struct outfile *out, struct error *err)
{
	const struct job_settings given = s->job;
	struct merging *m;
	int status;

	if (batch_size(in, 0) == in->count)
		return write_batch(s, in->path, in->count, in->losses, out, err);
	m = merging_new(s);
	status = add_batches(m, in, err);
	if (status == 0 && !given.group.allow_empty)
		status = check_hits(m, err);
	m->losses = in->losses;
	if (status == 0)
		status = add_up(m, out, err);
	discard_all(m);
	s->job = given;
	return status;
}

/* ---- which steps ---- */

/* Kinds, warm-up and places of steps are those of the whole job. */
bool merge_finds_steps(const struct job_settings *s)
{
	bool by_position = false;

	for (size_t i = 0; i < s->range.count; i++)
		by_position |= ((const struct step_range *)vec_at(&s->range, i))->by_position;
	return by_position || s->steps.warmup != WARMUP_MODE_NONE || s->steps.kind ||
	       s->steps.kind_name;
}

/* Lists ranges that find, in the ranks, each step that a report on the job keeps. */
static int list_steps(
	const struct merging *m, const char *job, struct vec *range, struct error *err)
{
	struct side *side = side_load(&m->plain, &job, 1, err);
	int status = -1;

	if (side && side_select(side, &m->plain, err) == 0) {
		status = 0;
		for (size_t i = 0; i < side->steps.count; i++) {
			const struct step *step = &side->self->step[side->steps.step[i]];
			struct step_range *one = vec_push(range, NULL); /* without a cap */

			*one = (struct step_range){.from = step->number,
				.to = step->number,
				.occurrence = step_occurrence(side->self, side->steps.step[i]),
				.kind = step->kind ? arena_strdup(m->s->arena, step->kind) : NULL};
		}
	}
	side_free(side);
	return status;
}

/* Adds all of the job up to find its steps. */
static int find_steps(
	struct settings *s, const struct merge_inputs *in, struct vec *range, struct error *err)
{
	const struct job_settings given = s->job;
	struct merging *m = merging_new(s);
	struct outfile *out = open_temporary(s, "job", err);
	const struct vec none = m->plain.range;
	int status = -1;

	m->plain.steps = given.steps;
	m->plain.range = given.range;
	m->plain.on = ON_AUTO;
	s->job.steps = (struct step_options){0};
	s->job.range.count = 0;
	if (out && add_files(s, in, out, err) == 0) {
		status = list_steps(m, outfile_temporary(out), range, err);
		if (status < 0)
			name_temporary(out, "the job", err);
	}
	outfile_discard(out);
	m->plain.range = none; /* each vector is released by its own settings */
	s->job = given;
	return status;
}

/* ---- all together ---- */

int merge_ranks(
	struct settings *s, const struct merge_inputs *in, struct outfile *out, struct error *err)
{
	const struct job_settings given = s->job;
	struct vec range;
	int status;

	if (!merge_finds_steps(&given))
		return add_files(s, in, out, err);
	vec_init(&range, sizeof(struct step_range), SIZE_MAX, "steps");
	status = find_steps(s, in, &range, err);
	s->job.steps = (struct step_options){0};
	s->job.range = range;
	if (status == 0)
		status = add_files(s, in, out, err);
	s->job = given;
	vec_release(&range);
	return status;
}
