/* Texts of atrace in the kernel's events of a Perfetto trace, made here; slices as Perfetto's
 * viewer draws them: by time, of each thread the last that began ends first. */
#include "base/arena.h"
#include "ingest/chrome/trace_scan.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

enum field { PACKET_FTRACE = 1, BUNDLE_EVENT = 2, BUNDLE_LOST = 3, BUNDLE_CLOCK = 5 };

struct made {
	struct text file, bundle;
};

static void start(struct made *m)
{
	text_init(&m->file);
	text_init(&m->bundle);
}

static void print_text(struct made *m, int64_t thread, int64_t time_ns, const char *line)
{
	struct text print, event;

	text_init(&print);
	text_init(&event);
	put_number(&print, 1, 10000000);
	put_string(&print, 2, line);
	put_number(&event, 1, time_ns);
	put_number(&event, 2, thread);
	put_message(&event, 3, &print);
	put_message(&m->bundle, BUNDLE_EVENT, &event);
	text_release(&print);
	text_release(&event);
}

/* What one processor has so far becomes a packet. */
static void end_bundle(struct made *m)
{
	struct text packet;

	text_init(&packet);
	put_message(&packet, PACKET_FTRACE, &m->bundle);
	put_message(&m->file, 1, &packet);
	text_release(&packet);
}

struct seen {
	struct arena *arena;
	struct issue_list issues;
	struct text events; /* "X NAME THREAD START+DURATION;", in ns */
	uint64_t count;
};

static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	struct seen *s = context;

	(void)err;
	s->count++;
	if (event->phase == 'M' || s->events.size > 1000)
		return 0;
	text_printf(&s->events, "%c %.*s", event->phase, (int)event->name.size, event->name.at);
	if (event->thread.size)
		text_printf(&s->events, " %.*s", (int)event->thread.size, event->thread.at);
	if (event->id.size)
		text_printf(&s->events, " #%.*s", (int)event->id.size, event->id.at);
	text_printf(
		&s->events, " %lld", (long long)(event->start.us * 1000 + event->start.ps / 1000));
	if (event->duration.known)
		text_printf(&s->events, "+%lld",
			(long long)(event->duration.us * 1000 + event->duration.ps / 1000));
	text_add(&s->events, ";");
	return 0;
}

static void read_made(struct made *m, struct seen *s)
{
	const struct trace_handler handler = {
		.event = on_event, .context = s, .max_spill_bytes = 1 << 20};
	struct input *in = input_memory(text_string(&m->file), m->file.size, "made");
	struct trace_totals totals;
	struct error err;

	*s = (struct seen){.arena = arena_new()};
	text_init(&s->events);
	issue_list_init(&s->issues, s->arena);
	assert_int_equal(trace_scan(in, &handler, &s->issues, 1 << 26, &totals, &err), 0);
	input_close(in);
	text_release(&m->file);
	text_release(&m->bundle);
}

static size_t count_of(const struct seen *s, const char *code)
{
	const struct issue *issue = issue_list_find(&s->issues, code);

	return issue ? issue->count : 0;
}

static void forget(struct seen *s)
{
	arena_free(s->arena);
	text_release(&s->events);
}

TEST(slices_of_threads)
{
	struct made m;
	struct seen s;

	start(&m);
	print_text(&m, 7, 1000, "B|5|outer|x\n");
	print_text(&m, 8, 1500, "B|5|other");
	print_text(&m, 7, 2000, "B|5|a \"quoted\" name\n");
	print_text(&m, 7, 3000, "E|5\n");
	print_text(&m, 8, 3500, "E");
	print_text(&m, 7, 4000, "E|5|");
	end_bundle(&m);
	read_made(&m, &s);
	assert_string_equal(text_string(&s.events),
		"X other 8 1500+2000;X a \\\"quoted\\\" name 7 2000+1000;X outer|x 7 1000+3000;");
	assert_int_equal(s.issues.count, 0);
	forget(&s);
}

/* A thread that moves from one processor to another: bundles are not in the order of time. By the
 * order of the file the first end would be that of "outer". */
TEST(bundles_of_processors)
{
	struct made m;
	struct seen s;

	start(&m);
	print_text(&m, 7, 1000, "B|5|outer\n");
	print_text(&m, 7, 9000, "E|5\n");
	end_bundle(&m);
	print_text(&m, 7, 5000, "B|5|inner\n");
	print_text(&m, 7, 20000, "E|5\n");
	end_bundle(&m);
	read_made(&m, &s);
	assert_string_equal(text_string(&s.events), "X inner 7 5000+4000;X outer 7 1000+19000;");
	forget(&s);
}

TEST(what_is_no_slice)
{
	struct made m;
	struct seen s;

	start(&m);
	print_text(&m, 7, 1000, "S|5|load|77\n");
	print_text(&m, 7, 1500, "C|5|queue|-3\n");
	print_text(&m, 8, 2000, "F|5|load|77\n");
	print_text(&m, 7, 2500, "G|5|track|step|9\n");
	print_text(&m, 7, 2600, "I|5|now\n");
	print_text(&m, 7, 2700, "N|5|track|then\n");
	/* Of no program, or not what they should be. */
	print_text(&m, 7, 3000, "trace_event_clock_sync: parent_ts=1.5\n");
	print_text(&m, 7, 3000, "B|x|name\n");
	print_text(&m, 7, 3000, "B\n");
	print_text(&m, 7, 3000, "C|5|queue|many\n");
	print_text(&m, 7, 3000, "BB|5|name\n");
	print_text(&m, 7, 3000, "\n");
	end_bundle(&m);
	read_made(&m, &s);
	assert_string_equal(text_string(&s.events),
		"S load #77 1000;C queue 1500;F load #77 2000;S step #9 "
		"2500;i now 7 2600;i then 7 2700;");
	assert_int_equal(count_of(&s, "ftrace-print"), 6);
	forget(&s);
}

TEST(losses)
{
	struct made m;
	struct seen s;

	start(&m);
	print_text(&m, 7, 1000, "E|5\n");
	print_text(&m, 7, 2000, "B|5|never ends\n");
	put_number(&m.bundle, BUNDLE_LOST, 1);
	end_bundle(&m);
	print_text(&m, 8, 1000, "B|5|good\n");
	print_text(&m, 8, 4000, "E|5\n");
	put_number(&m.bundle, BUNDLE_CLOCK, 2); /* without a pair of times: as it is */
	text_add_bytes(&m.bundle, "\x12\x7f", 2);
	end_bundle(&m);
	read_made(&m, &s);
	assert_string_equal(text_string(&s.events), "");
	assert_int_equal(count_of(&s, "slice-end"), 1);
	assert_int_equal(count_of(&s, "slice-open"), 1);
	assert_int_equal(count_of(&s, "ftrace-lost"), 1);
	assert_int_equal(count_of(&s, "ftrace-damaged"), 1);
	forget(&s);
}

/* The kernel's clock "global" is told by a pair of times. */
TEST(clocks_of_bundles)
{
	struct made m;
	struct seen s;

	start(&m);
	print_text(&m, 7, 1000, "B|5|a\n");
	print_text(&m, 7, 2000, "E|5\n");
	put_number(&m.bundle, BUNDLE_CLOCK, 2);
	put_number(&m.bundle, 6, 500);
	put_number(&m.bundle, 7, 90500);
	end_bundle(&m);
	read_made(&m, &s);
	assert_string_equal(text_string(&s.events), "X a 7 91000+1000;");
	forget(&s);
}

/* More than the window holds: what is in order stays so, and nothing is lost. */
TEST(more_than_the_window)
{
	const int64_t slices = 400000;
	struct made m;
	struct seen s;

	start(&m);
	for (int64_t i = 0; i < slices; i++) {
		print_text(&m, 7 + i % 3, 1000 + i * 10, "B|5|slice\n");
		print_text(&m, 7 + i % 3, 1005 + i * 10, "E|5\n");
		if (i % 1000 == 999)
			end_bundle(&m);
	}
	read_made(&m, &s);
	assert_int_equal(s.issues.count, 0);
	assert_int_equal(s.count, slices);
	forget(&s);
}
