/*
 * stepstat merge: the ranks of a job, added up. Which files, and the output.
 */
#include "base/text.h"
#include "cli/diagnostic.h"
#include "cli/merge/merge_ranks.h"
#include "cli/options/command.h"
#include "ingest/find.h"
#include "ingest/read_file.h"

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

static int add_found(struct settings *s, const struct vec *found, const struct issue_list *losses,
	struct error *err)
{
	struct merge_inputs in = {.count = found->count, .losses = losses};
	const char **path = arena_array(s->arena, found->count, sizeof(*path));
	uint64_t *size_bytes = arena_array(s->arena, found->count, sizeof(*size_bytes));

	for (size_t i = 0; i < found->count; i++) {
		const struct found_file *file = vec_at(found, i);

		path[i] = file->path;
		size_bytes[i] = file->size_bytes;
	}
	in.path = path;
	in.size_bytes = size_bytes;
	return write_sum(s, &in, err);
}

/* Standard input is no file that could be listed, and is read once. */
static int add_stdin(struct settings *s, struct error *err)
{
	const struct merge_inputs in = {s->job.input.data, &(uint64_t){0}, 1, NULL};

	if (merge_finds_steps(&s->job))
		return error_set(err, ERROR_USAGE, "-",
			"standard input is read once; which steps are kept is found by a reading "
			"of all before");
	return write_sum(s, &in, err);
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

static int add_inputs(struct settings *s, struct error *err)
{
	struct issue_list losses;
	struct vec found, skipped;
	int status;

	if (s->job.input.count == 1 && text_equal(*(const char **)vec_at(&s->job.input, 0), "-"))
		return add_stdin(s, err);
	status = find_files(s->job.input.data, s->job.input.count, s->arena, &found, &skipped, err);
	if (status == 0) {
		keep_readable(s, &found, &skipped);
		status = report_losses(s, &skipped, &losses, err);
	}
	if (status == 0 && !found.count)
		status = error_set(err, ERROR_INPUT, NULL, "no profile was found");
	if (status == 0)
		status = add_found(s, &found, &losses, err);
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
