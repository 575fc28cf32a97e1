/* stepstat merge: the ranks of a job, added up. Which files, and the output.
 *
 * Files are taken a few at a time, so that memory does not grow with their number; what they add up
 * to waits in temporary files, which are added up in their turn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/output/outfile.h"
#include "base/text.h"
#include "cli/export_tables.h"
#include "cli/options/command.h"
#include "cli/options/settings.h"
#include "cli/screen.h"
#include "export/observations.h"
#include "ingest/find.h"
#include "ingest/read_file.h"
#include "ingest/trace_tally.h"
#include "pipeline/one_side.h"
#include "pipeline/store.h"

struct merge_inputs {
	const char *const *path;
	const uint64_t *size_bytes; /* of each file */
	size_t count;
	const struct issue_list *losses; /* of files that are not among them; NULL: none */
};

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
	if (status < 0) {
		for (size_t i = 0; i < m->count; i++) {
			const struct added *added = &m->added[i];
			const char *inputs = text_equal(added->first, added->last)
						     ? added->first
						     : arena_printf(m->s->arena, "one of %s ... %s",
							       added->first, added->last);

			name_temporary(added->file, inputs, err);
		}
	}
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

/* The checks that no batch could make. */
static int check_hits(const struct merging *m, struct error *err)
{
	for (size_t i = 0; i < m->includes; i++) {
		const struct rule *rule = include_at(m, i);

		if (m->hits[i])
			continue;
		error_set(err, ERROR_INPUT, rule->place, "no op of any input matches \"%s\"",
			rule->text);
		return error_hint(
			err, "`stepstat ops INPUT` lists the names; --allow-empty lets it pass");
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

		const char *const *path = in->path + first;
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
/* True if the settings choose steps by properties of the whole job (kind, warm-up, position): all
 * files are then read twice. */
static bool merge_finds_steps(const struct job_settings *s)
{
	bool by_position = false;

	for (size_t i = 0; i < s->range.count; i++)
		by_position |= ((const struct step_range *)vec_at(&s->range, i))->by_position;
	return by_position || s->steps.warmup != WARMUP_MODE_NONE || s->steps.kind ||
	       s->steps.kind_name;
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
		/* List ranges that find, in the ranks, each step that a report on the job keeps. */
		const char *job = outfile_temporary(out);
		struct side *side = side_load(&m->plain, &job, 1, err);
		status = -1;

		if (side && side_select(side, &m->plain, err) == 0) {
			status = 0;
			for (size_t i = 0; i < side->steps.count; i++) {
				const struct step *step = &side->self->step[side->steps.step[i]];
				struct step_range *one = vec_push(range, NULL); /* without a cap */

				*one = (struct step_range){.from = step->number,
					.to = step->number,
					.occurrence =
						step_occurrence(side->self, side->steps.step[i]),
					.kind = step->kind ? arena_strdup(m->s->arena, step->kind)
							   : NULL};
			}
		}
		side_free(side);
		if (status < 0)
			name_temporary(out, "the job", err);
	}
	outfile_discard(out);
	m->plain.range = none; /* each vector is released by its own settings */
	s->job = given;
	return status;
}

/* ---- all together ---- */

/* Writes the sum of the ranks, as the settings choose steps and rows, into `out`, which is finished
 * and stays open. Errors name the inputs. */
static int merge_ranks(
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

static const char *output_of(const struct settings *s)
{
	return s->output.count ? *(const char **)vec_at(&s->output, 0) : "-";
}

static int check(const struct settings *s, struct error *err)
{
	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat merge ranks/*.obs -o job.part");
	}
	if (s->output.count > 1)
		return error_set(err, ERROR_USAGE, "-o", "merge writes one file");
	if (!text_equal(output_of(s), "-") && !text_ends(output_of(s), ".part")) {
		error_set(
			err, ERROR_USAGE, "-o", "merge writes a .part, found \"%s\"", output_of(s));
		return error_hint(err, "traces become one trace with stepstat timeline merge");
	}
	if (s->job.ranks_mode != RANKS_NONE)
		return 0;
	error_set(
		err, ERROR_USAGE, "--ranks", "merge adds up the ranks of one job, found \"none\"");
	return error_hint(err, "--ranks=REGEX names each rank by what it captures of the path");
}

static int write_sum(struct settings *s, const struct merge_inputs *in, struct error *err)
{
	struct outfile *out = outfile_open(output_of(s), err);

	if (out && merge_ranks(s, in, out, err) == 0)
		return outfile_commit(out, err);
	outfile_discard(out);
	return -1;
}

/* Files of folders that no reader accepts go, and it is said. */
static void keep_readable(const struct settings *s, struct vec *found, struct vec *skipped)
{
	struct found_file *file = found->data;
	const struct skipped_file *gone;
	size_t kept = 0, whole = 0;

	for (size_t i = 0; i < found->count; i++)
		if (file[i].named ||
			attempt_would_read(file[i].path, s->job.from, s->arena, skipped))
			file[kept++] = file[i];
	found->count = kept;
	gone = skipped->data;
	for (size_t i = skipped->count; i-- > 0;)
		if (!gone[i].broken) {
			kept = i;
			whole++;
		}
	if (whole)
		diagnostic_line("stepstat: note: ",
			arena_printf(s->arena, "%zu file%s not read (first: %s)", whole,
				whole == 1 ? "" : "s", gone[kept].path));
}

/* Reports skipped files as a loss: the sum lacks them, too. */
static int report_losses(const struct settings *s, const struct vec *skipped,
	struct issue_list *losses, struct error *err)
{
	struct text line;

	issue_list_init(losses, s->arena);
	skipped_report(losses, skipped->data, skipped->count);
	if (s->job.strict && issue_list_refuse_losses(losses, err) < 0)
		return -1;
	text_init(&line);
	for (size_t i = 0; i < losses->count; i++) {
		issue_add_sentence(&line, &losses->issue[i]);
		diagnostic_line("stepstat: note: ", text_string(&line));
	}
	text_release(&line);
	return 0;
}

static int run(struct settings *s, struct error *err)
{
	if (check(s, err) < 0)
		return -1;
	s->job.one_job = true;

	struct store_inputs inputs;
	struct issue_list losses;
	struct vec found, skipped;
	int status;

	if (s->job.input.count == 1 && text_equal(*(const char **)vec_at(&s->job.input, 0), "-")) {
		/* Standard input is no file that could be listed, and is read once. */
		const struct merge_inputs in = {s->job.input.data, &(uint64_t){0}, 1, NULL};

		if (merge_finds_steps(&s->job))
			return error_set(err, ERROR_USAGE, "-",
				"standard input is read once; which steps are kept is found by a "
				"reading of all before");
		return write_sum(s, &in, err);
	}
	if (store_expand(s->job.input.data, s->job.input.count, s->arena, &inputs, err) < 0)
		return -1;
	status = find_files(inputs.path, inputs.count, s->arena, &found, &skipped, err);
	for (size_t i = 0; i < inputs.unreadable_count && status == 0; i++) {
		struct skipped_file *slot = vec_push(&skipped, err);

		if (slot)
			*slot = inputs.unreadable[i];
		status = slot ? 0 : -1;
	}
	if (status == 0) {
		keep_readable(s, &found, &skipped);
		status = report_losses(s, &skipped, &losses, err);
	}
	if (status == 0 && !found.count)
		status = error_set(err, ERROR_INPUT, NULL, "no profile was found");
	if (status == 0) {
		struct merge_inputs in = {.count = found.count, .losses = &losses};
		const char **path = arena_array(s->arena, found.count, sizeof(*path));
		uint64_t *size_bytes = arena_array(s->arena, found.count, sizeof(*size_bytes));

		for (size_t i = 0; i < found.count; i++) {
			const struct found_file *file = vec_at(&found, i);

			path[i] = file->path;
			size_bytes[i] = file->size_bytes;
		}
		in.path = path;
		in.size_bytes = size_bytes;
		status = write_sum(s, &in, err);
	}
	vec_release(&found);
	vec_release(&skipped);
	return status;
}

const struct command command_merge = {
	.name = "merge",
	.letter = 'J',
	.arguments = "INPUT...",
	.summary = "the ranks of a job added up in one small file, exactly",
	.about = "For jobs of many ranks: each rank is read where it lies, the sums are merged in "
		 "any order and any\ntree to the same bytes, and a report on them is the report on "
		 "all files. Inputs: .obs, .part,\nprofiles of ranks. One file is one job; a rank "
		 "may be in it once. The size grows with ops and\nsteps, hardly with ranks. What "
		 "it cannot answer: doc/part.md.",
	.examples = "  stepstat merge ranks/*.obs -o job.part && stepstat job.part\n"
		    "  stepstat merge a.part b.part c.part -o job.part\n",
	.run = run,
	.shows_all_rows = true,
	.output_help = "the file to write (.part; - is standard output)",
};
