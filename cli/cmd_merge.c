/*
 * stepstat merge: the ranks of a job, added up. Inputs are taken a few at a time, so that memory
 * does not grow with their number; what is added up so far waits in a temporary file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "cli/diagnostic.h"
#include "cli/export_tables.h"
#include "cli/options/command.h"
#include "export/observations.h"
#include "ingest/find.h"
#include "ingest/read_file.h"
#include "pipeline/one_side.h"

/* Of one batch; a single file may be larger. */
#define BATCH_BYTES ((uint64_t)24 << 20)
#define BATCH_FILES ((size_t)256)

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
	return observations_write_part(&set, &part, out, err);
}

static int write_batch(struct settings *s, const char *const *path, size_t count,
	struct outfile *out, struct error *err)
{
	struct side *side = side_load(&s->job, path, count, err);
	int status = -1;

	if (!side)
		return -1;
	if (side_select(side, &s->job, err) == 0)
		status = write_side(s, side, out, err);
	side_free(side);
	return status == 0 ? outfile_finish(out, err) : -1;
}

/* ---- all of them ---- */

/* How many of the files come next. */
static size_t batch_size(const struct vec *found, size_t first)
{
	uint64_t bytes = 0;
	size_t count = 0;

	while (first + count < found->count && count < BATCH_FILES) {
		const struct found_file *file = vec_at((struct vec *)found, first + count);

		if (count && bytes + file->size_bytes > BATCH_BYTES)
			break;
		bytes += file->size_bytes;
		count++;
	}
	return count;
}

/* The file that what is added up so far is written to; it is never put in its place. */
static struct outfile *open_partial(const struct settings *s, size_t first, struct error *err)
{
	const char *folder = getenv("TMPDIR");

	return outfile_open(arena_printf(s->arena, "%s/stepstat-merge-%zu.part",
				    folder && *folder ? folder : "/tmp", first),
		err);
}

/* The temporary file is nothing that the user knows. */
static void name_inputs_before(const char *temporary, struct error *err)
{
	char *at = strstr(err->message, temporary);

	if (!at)
		return;
	*at = '\0';
	snprintf(at, sizeof(err->message) - (size_t)(at - err->message), "%s",
		"one of the inputs before it");
}

/* Writes the next batch, with what was added up before; *before becomes what is added up now, in
 * the last batch the output. */
static int add_batch(struct settings *s, const struct vec *found, size_t first, size_t count,
	struct outfile **before, struct error *err)
{
	const char **path = arena_array(s->arena, count + 1, sizeof(*path));
	const bool last = first + count == found->count;
	struct outfile *out = last ? outfile_open(output_of(s), err) : open_partial(s, first, err);
	size_t n = 0;
	int status;

	if (!out)
		return -1;
	if (*before)
		path[n++] = outfile_temporary(*before);
	for (size_t i = 0; i < count; i++)
		path[n++] =
			((const struct found_file *)vec_at((struct vec *)found, first + i))->path;
	status = write_batch(s, path, n, out, err);
	if (status < 0 && *before)
		name_inputs_before(outfile_temporary(*before), err);
	outfile_discard(*before);
	*before = out;
	return status;
}

static int add_all(struct settings *s, const struct vec *found, struct error *err)
{
	struct outfile *out = NULL;

	for (size_t first = 0, count; first < found->count; first += count) {
		count = batch_size(found, first);
		if (add_batch(s, found, first, count, &out, err) < 0) {
			outfile_discard(out);
			return -1;
		}
	}
	return outfile_commit(out, err);
}

/* Files of folders that no reader accepts go, and it is said. */
static void keep_readable(const struct settings *s, struct vec *found)
{
	struct found_file *file = found->data;
	const char *first = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++) {
		if (file[i].named || attempt_would_read(file[i].path, s->job.from))
			file[kept++] = file[i];
		else if (!first)
			first = file[i].path;
	}
	if (first)
		diagnostic_line("stepstat: note: ",
			arena_printf(s->arena, "%zu file%s not read (first: %s)",
				found->count - kept, found->count - kept == 1 ? "" : "s", first));
	found->count = kept;
}

/* Standard input is no file that could be listed. */
static int add_stdin(struct settings *s, struct error *err)
{
	struct outfile *out = outfile_open(output_of(s), err);

	if (out && write_batch(s, s->job.input.data, 1, out, err) == 0)
		return outfile_commit(out, err);
	outfile_discard(out);
	return -1;
}

static int add_inputs(struct settings *s, struct error *err)
{
	struct vec found, skipped;
	int status;

	if (s->job.input.count == 1 && text_equal(*(const char **)vec_at(&s->job.input, 0), "-"))
		return add_stdin(s, err);
	status = find_files(s->job.input.data, s->job.input.count, s->arena, &found, &skipped, err);
	if (status == 0) {
		keep_readable(s, &found);
		if (!found.count)
			status = error_set(err, ERROR_INPUT, NULL, "no profile was found");
	}
	if (status == 0)
		status = add_all(s, &found, err);
	vec_release(&found);
	vec_release(&skipped);
	return status;
}

static int run(struct settings *s, struct error *err)
{
	if (check(s, err) < 0)
		return -1;
	s->job.one_job = true;
	return add_inputs(s, err);
}

const struct command command_merge = {
	.name = "merge",
	.letter = 'J',
	.arguments = "INPUT...",
	.summary = "the ranks of a job added up in one small file, exactly",
	.about = "For jobs of many ranks: each rank is read where it lies, the sums are merged in "
		 "any "
		 "order and any\ntree to the same bytes, and a report on them is the report on all "
		 "files. Inputs: .obs, .part,\nprofiles of ranks. One file is one job; a rank may "
		 "be in "
		 "it once. The size grows with ops and\nsteps, hardly with ranks. What it cannot "
		 "answer: "
		 "doc/part.md.",
	.examples = "  stepstat merge ranks/*.obs -o job.part && stepstat job.part\n"
		    "  stepstat merge a.part b.part c.part -o job.part\n",
	.run = run,
	.shows_all_rows = true,
	.output_help = "the file to write (.part; - is standard output)",
};
