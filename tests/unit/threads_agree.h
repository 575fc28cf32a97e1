/* A file read by 1, 2, 3, 8 and 16 threads: events, steps, sums, issues and error as a text, which
 * is the same for each. For tests of readers that use several threads. */
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/text.h"
#include "ingest/reader.h"
#include "tests/unit/test.h"

static inline int add_event_row(void *context, const struct event_row *row, struct error *err)
{
	(void)err;
	text_printf(context, "%s|%s|%s|%s|%lld|%lld|%lld|%u\n", row->process, row->lane, row->op,
		row->type, (long long)row->event->start_ps, (long long)row->event->dur_ps,
		(long long)row->self_ps, row->depth);
	return 0;
}

static inline void add_profile_text(struct text *to, const struct profile *p)
{
	const struct observations *obs = &p->obs;

	for (size_t i = 0; i < p->op_count; i++)
		text_printf(to, "op %s|%s|%s\n", p->op[i].name, p->op[i].type, p->op[i].device);
	for (size_t i = 0; i < p->step_count; i++)
		text_printf(to, "step %lld: %lld to %lld, busy %lld, %s %s %s, %llx\n",
			(long long)p->step[i].number, (long long)p->step[i].start_ps,
			(long long)p->step[i].end_ps, (long long)p->step[i].busy_ps,
			p->step[i].run ? p->step[i].run : "-",
			p->step[i].rank ? p->step[i].rank : "-",
			p->step[i].kind ? p->step[i].kind : "-",
			(unsigned long long)p->step[i].fingerprint);
	for (size_t i = 0; i < obs->count; i++) {
		text_printf(to, "row %u %u:", obs->op[i], obs->step[i]);
		for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
			if (obs->column[m])
				text_printf(to, " %lld", (long long)obs->column[m][i]);
		text_add(to, "\n");
	}
	for (size_t i = 0; i < p->issues.count; i++)
		text_printf(to, "issue %s: %llu, %s, %s\n", p->issues.issue[i].code,
			(unsigned long long)p->issues.issue[i].count, p->issues.issue[i].text,
			p->issues.issue[i].place);
	if (p->totals)
		add_profile_text(to, p->totals);
}

/* Reads a file of these bytes; what was read is in *out (text_release). */
static inline void read_in_threads(const char *reader, const struct text *bytes, size_t threads,
	const struct read_options *options, struct text *out)
{
	char path[] = "/tmp/stepstat_threads_XXXXXX";
	struct read_options opt = *options;
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = profile_new("a file");
	const int fd = mkstemp(path);
	struct input *in;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text_string(bytes), bytes->size), bytes->size);
	close(fd);
	in = input_open_as(path, "a file", &err);
	assert_non_null(in);
	text_init(out);
	opt.threads = threads;
	opt.trace.sink = add_event_row;
	opt.trace.sink_context = out;
	if (reader_read(reader_find(reader, &err), in, p, &opt, &err) != 0)
		text_printf(out, "error %s: %s\n", err.place, err.message);
	else
		add_profile_text(out, p);
	profile_free(p);
	input_close(in);
	unlink(path);
}

/* *out is what each of them says. */
static inline void threads_agree(const char *reader, const struct text *bytes,
	const struct read_options *options, struct text *out)
{
	static const size_t threads[] = {2, 3, 8, 16};
	struct text other;

	read_in_threads(reader, bytes, 1, options, out);
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		read_in_threads(reader, bytes, threads[i], options, &other);
		assert_int_equal(other.size, out->size);
		assert_string_equal(text_string(&other), text_string(out));
		text_release(&other);
	}
}
