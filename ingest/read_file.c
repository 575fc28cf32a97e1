/*
 * Opens, detects and reads single files, several at a time.
 */
#include "ingest/read_file.h"

#include <pthread.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "model/packed_rows.h"

#define JOBS_MOST 256

static const char *article(const char *title)
{
	static const char *const vowels[] = {"A", "E", "I", "O", "XL", "XS", "XP", "HT"};

	for (size_t i = 0; i < sizeof(vowels) / sizeof(vowels[0]); i++)
		if (text_starts(title, vowels[i]))
			return "an";
	return "a";
}

static int cannot_read(const struct reader *reader, const char *path, struct error *err)
{
	const char *refusal = !reader->companion ? "which this version does not read yet"
			      : reader->refusal	 ? reader->refusal
						 : "which holds no measurements";

	error_set(err, ERROR_INPUT, path, "%s %s, %s", article(reader->title), reader->title,
		refusal);
	if (reader->advice)
		error_hint(err, "%s", reader->advice);
	return -1;
}

/* The reader for the file, or NULL with the reason. */
static const struct reader *choose_reader(
	struct attempt *a, const struct load_options *opt, struct input *in)
{
	const struct reader *reader = opt->from;
	struct probe probe;

	if (probe_input(in, &probe, &a->err) != 0)
		return NULL;
	a->is_text = probe.size > 0 && !memchr(probe.bytes, 0, probe.size);
	if (!reader)
		reader = reader_detect(&probe, &a->err);
	else if (!a->named && reader->probe(&probe) == 0)
		return error_set(&a->err, ERROR_INPUT, probe.path, "not --from=%s", reader->name),
		       NULL;
	if (reader && !reader->read && opt->from) {
		error_set(&a->err, ERROR_USAGE, "--from",
			"\"%s\" is recognised, but this version does not read it yet",
			reader->name);
		return NULL;
	}
	if (reader && reader->holds && reader->holds(in, &opt->read, &a->err) < 0)
		return NULL;
	if (reader && !reader->read) {
		a->companion = reader->companion;
		return cannot_read(reader, probe.path, &a->err), NULL;
	}
	return reader;
}

static void read_one(struct attempt *a, const struct load_options *opt)
{
	struct input *in = input_open_as(a->path, a->name, &a->err);
	const struct reader *reader;

	a->state = ATTEMPT_FAILED;
	if (!in)
		return;
	if (opt->progress)
		input_count(in, &opt->progress->bytes_done);
	reader = choose_reader(a, opt, in);
	if (!reader) {
		a->state = ATTEMPT_REFUSED;
		input_close(in);
		return;
	}
	a->profile = profile_new(input_path(in));
	a->profile->argument = a->argument;
	a->profile->is_stdin = a->is_stdin;
	a->profile->format = reader->name;
	a->profile->format_title = reader->title;
	a->profile->is_file_a_step = reader->is_file_a_step;
	if (a->group)
		a->profile->group = arena_strdup(a->profile->arena, a->group);
	if (reader->read(in, a->profile, &opt->read, &a->err) == 0) {
		a->state = ATTEMPT_READ;
	} else {
		a->format = reader->name;
		a->has_ops = a->profile->op_count > 0;
		profile_free(a->profile);
		a->profile = NULL;
	}
	input_close(in);
}

struct read_queue {
	struct attempt *attempt;
	size_t count;
	const struct load_options *opt;
	_Atomic size_t next;
};

/* Files that name their rank may be the many of one job: they wait in little memory. */
static void pack_ranks(struct profile *profile)
{
	for (; profile; profile = profile->next)
		if (profile->step_count &&
			(profile->run_is_rank || profile->host_is_rank || profile->step[0].rank))
			profile->packed = packed_rows_of(profile);
}

static void *run_worker(void *object)
{
	struct read_queue *work = object;

	for (;;) {
		size_t i = atomic_fetch_add(&work->next, 1);

		if (i >= work->count)
			return NULL;
		read_one(&work->attempt[i], work->opt);
		if (work->count > 1 && !work->opt->cache)
			pack_ranks(work->attempt[i].profile);
		if (work->opt->progress)
			atomic_fetch_add(&work->opt->progress->files_done, 1);
	}
}

void attempt_all(struct attempt *attempt, size_t count, size_t jobs, const struct load_options *opt)
{
	struct read_queue work = {.attempt = attempt, .count = count, .opt = opt};
	pthread_t thread[JOBS_MOST];
	size_t started = 0;

	if (opt->progress) {
		for (size_t i = 0; i < count; i++)
			atomic_fetch_add(&opt->progress->bytes_total, attempt[i].size_bytes);
		atomic_fetch_add(&opt->progress->files_total, count);
	}
	jobs = jobs > count ? count : jobs;
	jobs = jobs > JOBS_MOST ? JOBS_MOST : jobs;
	/* Without a further thread this one does the work. */
	while (started + 1 < jobs && pthread_create(&thread[started], NULL, run_worker, &work) == 0)
		started++;
	run_worker(&work);
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
}

bool attempt_would_read(const char *path, const struct reader *from)
{
	const struct load_options opt = {.from = from};
	struct attempt attempt = {.path = path};
	struct input *in = input_open(path, &attempt.err);
	bool reads = in && choose_reader(&attempt, &opt, in);

	input_close(in);
	return reads;
}
