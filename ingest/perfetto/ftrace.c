/* Bundles and texts are parsed in place; beginnings and ends wait in a window, of which the earlier
 * half goes on when it is full. */
#include "ingest/perfetto/ftrace.h"

#include <stdlib.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "ingest/perfetto/clocks.h"

#define WINDOW_BYTES ((size_t)32 << 20)
#define NAME_MOST 4096 /* bytes; more of it is cut off */

enum bundle_field {
	BUNDLE_EVENT = 2,
	BUNDLE_LOST = 3,
	BUNDLE_CLOCK = 5,
	BUNDLE_TIME = 6,
	BUNDLE_BOOT_TIME = 7,
};
enum ftrace_event_field { FTRACE_TIME = 1, FTRACE_THREAD = 2, FTRACE_PRINT = 3 };
enum print_field { PRINT_TEXT = 2 };
enum bundle_clock { CLOCK_GLOBAL = 2, CLOCK_MONOTONIC_RAW = 4 };

/* ---- bundles ---- */

struct pf_bundle pf_bundle_open(struct pf_bytes bytes)
{
	struct pf_bundle bundle = {.events = pf_wire(bytes), .clock = PF_CLOCK_BOOTTIME};
	struct wire w = bundle.events;
	struct wire_field f;
	enum wire_result got;
	uint64_t clock = 0, time = 0, boot_time = 0;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type != WIRE_VARINT)
			continue;
		bundle.has_lost |= f.number == BUNDLE_LOST && f.value != 0;
		clock = f.number == BUNDLE_CLOCK ? f.value : clock;
		time = f.number == BUNDLE_TIME ? f.value : time;
		boot_time = f.number == BUNDLE_BOOT_TIME ? f.value : boot_time;
	}
	bundle.is_damaged = got != WIRE_END;
	if (clock == CLOCK_MONOTONIC_RAW)
		bundle.clock = PF_CLOCK_MONOTONIC_RAW;
	if (clock == CLOCK_GLOBAL && boot_time)
		bundle.add = boot_time - time;
	return bundle;
}

static struct pf_bytes text_of(struct pf_bytes print)
{
	struct wire w = pf_wire(print);
	struct wire_field f;
	struct pf_bytes text = {0};

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == PRINT_TEXT && f.type == WIRE_BYTES)
			text = pf_bytes_of(&f);
	while (text.size > 0 && (text.at[text.size - 1] == '\n' || text.at[text.size - 1] == '\0'))
		text.size--;
	return text;
}

/* Text before the next "|"; the text and the "|" are removed. */
static struct pf_bytes next_part(struct pf_bytes *text)
{
	const unsigned char *end = text->size > 0 ? memchr(text->at, '|', text->size) : NULL;
	const size_t size = end ? (size_t)(end - text->at) : text->size;
	const struct pf_bytes part = {text->at, size};

	text->at += size + (end != NULL);
	text->size -= size + (end != NULL);
	return part;
}

/* "B|PID|NAME", in which the name may have a "|"; "E", "E|PID"; "S|PID|NAME|COOKIE", "F|..." of
 * work beside threads, on a track of a name: "G|PID|TRACK|NAME|COOKIE", "H|PID|TRACK|COOKIE";
 * "C|PID|NAME|VALUE"; "I|PID|NAME", "N|PID|TRACK|NAME". */
static void parse_text(struct pf_bytes text, struct pf_print *print)
{
	static const char marks[] = "BESFGHCIN", phases[] = "BESFSFCii";
	const struct pf_bytes mark = next_part(&text);
	const char *found = mark.size == 1 ? strchr(marks, mark.at[0]) : NULL;
	struct pf_bytes process;

	if (!found || !*found)
		return;
	process = next_part(&text);
	if (process.size > 0 &&
		!number_parse_int((const char *)process.at, process.size, &print->process))
		return;
	if (*found != 'E' && process.size == 0)
		return;
	print->phase = phases[found - marks];
	print->name = *found == 'B' ? text : next_part(&text);
	if (*found == 'G' || *found == 'N')
		print->name = next_part(&text);
	print->id = next_part(&text);
	if (print->phase == 'C' &&
		!number_parse_int((const char *)print->id.at, print->id.size, &print->value))
		print->phase = '\0';
	if (print->name.size > NAME_MOST)
		print->name.size = NAME_MOST;
}

bool pf_bundle_next(struct pf_bundle *bundle, struct pf_print *print)
{
	struct wire_field f;

	while (!bundle->is_damaged && wire_next(&bundle->events, &f) == WIRE_FIELD) {
		struct wire w = wire_inside(&f);
		struct pf_bytes text = {0};
		enum wire_result got;

		if (f.number != BUNDLE_EVENT || f.type != WIRE_BYTES)
			continue;
		*print = (struct pf_print){0};
		while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
			if (f.number == FTRACE_PRINT && f.type == WIRE_BYTES)
				text = text_of(pf_bytes_of(&f));
			else if (f.number == FTRACE_TIME)
				print->time = f.value + bundle->add;
			else if (f.number == FTRACE_THREAD)
				print->thread = (int64_t)f.value;
		}
		bundle->is_damaged = got != WIRE_END;
		if (!text.at)
			continue;
		parse_text(text, print);
		return true;
	}
	return false;
}

/* ---- beginnings and ends by time ---- */

struct waiting_print {
	int64_t time_ns;
	uint64_t offset, order;
	uint32_t track;
	bool is_end;
	unsigned char *name;
	size_t name_size;
};

struct pf_prints {
	struct pf_tracks *tracks;
	struct pf_slices *slices; /* of threads, each a sequence of its own */
	struct vec window;	  /* struct waiting_print */
	size_t bytes;
	uint64_t order;
	const char *path;
};

struct pf_prints *pf_prints_new(const struct pf_slices_options *options, struct pf_tracks *tracks)
{
	struct pf_prints *p = memory_alloc(sizeof(*p));

	p->tracks = tracks;
	p->slices = pf_slices_new(options);
	p->path = options->path;
	vec_init(&p->window, sizeof(struct waiting_print), SIZE_MAX, "events");
	return p;
}

void pf_prints_free(struct pf_prints *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->window.count; i++)
		memory_free(((struct waiting_print *)vec_at(&p->window, i))->name);
	vec_release(&p->window);
	pf_slices_free(p->slices);
	memory_free(p);
}

ORDERED(compare, struct waiting_print, ORDER(x->time_ns, y->time_ns) ?: ORDER(x->order, y->order));

static int pass_on(struct pf_prints *p, const struct waiting_print *w, struct error *err)
{
	const struct pf_half half = {.time_ns = w->time_ns,
		.offset = w->offset,
		.track = w->track,
		.event = {w->name, w->name_size},
		.has = PF_HAS_PLAIN_NAME};

	return w->is_end ? pf_slices_end(p->slices, w->track, &half, err)
			 : pf_slices_begin(p->slices, w->track, &half, err);
}

/* The earliest of the window. */
static int pass_on_first(struct pf_prints *p, size_t count, struct error *err)
{
	struct waiting_print *w = p->window.data;

	if (count == 0)
		return 0;
	qsort(w, p->window.count, sizeof(*w), compare);
	for (size_t i = 0; i < count; i++) {
		if (pass_on(p, &w[i], err) != 0)
			return -1;
		p->bytes -= sizeof(*w) + w[i].name_size;
		memory_free(w[i].name);
		w[i].name = NULL;
	}
	p->window.count -= count;
	memmove(w, w + count, p->window.count * sizeof(*w));
	return 0;
}

int pf_prints_add(struct pf_prints *p, const struct pf_print *print, int64_t time_ns,
	uint64_t offset, struct error *err)
{
	const uint32_t track = pf_tracks_of_thread(p->tracks, print->process, print->thread);
	struct waiting_print *w;

	if (track == PF_TRACK_NONE)
		return error_set(err, ERROR_LIMIT, p->path, "more than 1000000 tracks");
	w = vec_push(&p->window, NULL);
	*w = (struct waiting_print){.time_ns = time_ns,
		.offset = offset,
		.order = p->order++,
		.track = track,
		.is_end = print->phase == 'E',
		.name = memory_alloc(print->name.size),
		.name_size = print->name.size};
	if (w->name_size > 0)
		memcpy(w->name, print->name.at, w->name_size);
	p->bytes += sizeof(*w) + w->name_size;
	return p->bytes < WINDOW_BYTES ? 0 : pass_on_first(p, p->window.count / 2, err);
}

int pf_prints_finish(struct pf_prints *p, struct pf_slices_lost *lost, struct error *err)
{
	return pass_on_first(p, p->window.count, err) != 0 ? -1
							   : pf_slices_finish(p->slices, lost, err);
}
