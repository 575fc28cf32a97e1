/* Captures are lists of numbers of names. What fits a replay is asked once for each list of kernels
 * and kept, since a server replays the same graphs for hours. */
#include "ingest/events/graph_captures.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "ingest/events/device_work.h"

#define LAUNCHES_MOST ((size_t)1 << 22)
#define ANSWERS_MOST ((size_t)4096)	/* lists of kernels whose captures are kept */
#define ANSWERED_MOST ((size_t)1 << 22) /* captures of all answers */
#define NO_LAUNCH UINT32_MAX
#define REPLAYED_LEAST 9 /* of ten launches of a capture: a kernel of a big graph is not it */

struct capture {
	size_t first, count; /* of its launches */
};

/* Captures that fit a list of kernels equally well. */
struct capture_answer {
	uint64_t hash;
	size_t count; /* of kernels */
	uint32_t *capture;
	size_t captures, next;
};

struct by_name {
	uint32_t name, place;
};

struct graph_captures {
	struct arena *arena;
	struct intern *kernels, *texts;
	struct captured_launch *launch;
	size_t launches, launch_room;
	struct capture *capture;
	size_t captures, capture_room;
	struct capture_answer *answer;
	size_t answers, answer_room, answered;
	size_t cut[GRAPH_CUT_REPLAYS + 1];
	/* Room for one question. */
	uint32_t *name, *place; /* of each kernel: number of its name, launch of the capture */
	size_t name_room, place_room;
	struct by_name *of_replay, *of_capture;
	size_t replay_room, capture_names_room;
};

bool graph_kernel_copies(const char *name, const char *type)
{
	return device_work_of(name, type) == WORK_COPY || strstr(name, "rocclr_copyBuffer") ||
	       strstr(name, "rocclr_fillBuffer");
}

struct graph_captures *graph_captures_new(void)
{
	struct graph_captures *c = memory_alloc(sizeof(*c));

	c->arena = arena_new();
	c->kernels = intern_new(c->arena);
	c->texts = intern_new(c->arena);
	return c;
}

void graph_captures_free(struct graph_captures *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->answers; i++)
		memory_free(c->answer[i].capture);
	memory_free(c->answer);
	memory_free(c->launch);
	memory_free(c->capture);
	memory_free(c->name);
	memory_free(c->place);
	memory_free(c->of_replay);
	memory_free(c->of_capture);
	arena_free(c->arena);
	memory_free(c);
}

uint32_t graph_captures_kernel(struct graph_captures *c, const char *name, size_t n, size_t most)
{
	uint32_t id;

	if (n == 0)
		return 0;
	if (intern_find(c->kernels, name, n, &id))
		return id + 1;
	if (intern_count(c->kernels) >= most) {
		c->cut[GRAPH_CUT_NAMES]++;
		return 0;
	}
	return intern_id(c->kernels, name, n) + 1;
}

void graph_captures_begin(struct graph_captures *c)
{
	struct capture *capture;

	if (c->captures && c->capture[c->captures - 1].count == 0)
		return;
	capture = memory_push(&c->capture, &c->captures, &c->capture_room, sizeof(*capture));
	capture->first = c->launches;
}

void graph_captures_add(struct graph_captures *c, const struct captured_launch *launch)
{
	struct captured_launch *kept;

	if (c->captures == 0)
		return;
	if (c->launches == LAUNCHES_MOST) {
		c->cut[GRAPH_CUT_LAUNCHES]++;
		return;
	}
	kept = memory_push(&c->launch, &c->launches, &c->launch_room, sizeof(*kept));
	*kept = *launch;
	kept->row = intern_copy(c->texts, launch->row);
	kept->type = intern_copy(c->texts, launch->type);
	c->capture[c->captures - 1].count++;
}

void graph_captures_join(struct graph_captures *c, const struct graph_captures *from)
{
	for (size_t i = 0; i < from->captures; i++) {
		const struct capture *capture = &from->capture[i];

		graph_captures_begin(c);
		for (size_t k = 0; k < capture->count; k++) {
			struct captured_launch launch = from->launch[capture->first + k];
			const char *name =
				launch.kernel ? intern_name(from->kernels, launch.kernel - 1) : "";

			launch.kernel = graph_captures_kernel(c, name, strlen(name), LAUNCHES_MOST);
			graph_captures_add(c, &launch);
		}
	}
}

size_t graph_captures_count(const struct graph_captures *c)
{
	return c->launches;
}

size_t graph_captures_cut(const struct graph_captures *c, enum graph_cut cut)
{
	return c->cut[cut];
}

/* ---- which capture ---- */

static bool fits(
	const struct captured_launch *launch, const struct replayed_kernel *kernel, uint32_t name)
{
	if (launch->is_copy || !launch->kernel)
		return launch->is_copy == kernel->is_copy;
	return launch->kernel == name;
}

/* The kernels in the order of the launches, some of which have none. */
static bool fits_in_order(struct graph_captures *c, const struct capture *capture,
	const struct replayed_kernel *kernel, size_t count)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		while (at < capture->count &&
			!fits(&c->launch[capture->first + at], &kernel[i], c->name[i]))
			at++;
		if (at == capture->count)
			return false;
		c->place[i] = (uint32_t)at++;
	}
	return true;
}

static int compare_names(const void *a, const void *b)
{
	const struct by_name *x = a, *y = b;

	return ORDER(x->name, y->name) ?: ORDER(x->place, y->place);
}

/* As many of each name, in whatever order: the first of a name is the first that was captured. */
static bool fits_by_name(struct graph_captures *c, const struct capture *capture,
	const struct replayed_kernel *kernel, size_t count)
{
	if (count != capture->count)
		return false;
	c->of_capture = memory_make_room(
		c->of_capture, &c->capture_names_room, count, sizeof(*c->of_capture));
	c->of_replay =
		memory_make_room(c->of_replay, &c->replay_room, count, sizeof(*c->of_replay));
	for (size_t i = 0; i < count; i++) {
		const struct captured_launch *launch = &c->launch[capture->first + i];

		if (!launch->is_copy && !launch->kernel)
			return false; /* only their order could tell */
		c->of_capture[i] =
			(struct by_name){launch->is_copy ? NO_LAUNCH : launch->kernel, (uint32_t)i};
		c->of_replay[i] =
			(struct by_name){kernel[i].is_copy ? NO_LAUNCH : c->name[i], (uint32_t)i};
	}
	qsort(c->of_capture, count, sizeof(*c->of_capture), compare_names);
	qsort(c->of_replay, count, sizeof(*c->of_replay), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (c->of_capture[i].name != c->of_replay[i].name)
			return false;
		c->place[c->of_replay[i].place] = c->of_capture[i].place;
	}
	return true;
}

static bool has_names(const struct graph_captures *c, const struct capture *capture)
{
	const struct captured_launch *launch = &c->launch[capture->first];

	for (size_t i = 0; i < capture->count; i++)
		if (!launch[i].kernel && !launch[i].is_copy)
			return false;
	return true;
}

/* True if both, of as many launches, have the same rows. */
static bool has_same_rows(
	const struct graph_captures *c, const struct capture *capture, const struct capture *other)
{
	const struct captured_launch *a = &c->launch[capture->first], *b = &c->launch[other->first];

	for (size_t i = 0; i < capture->count; i++)
		if (a[i].row != b[i].row || a[i].type != b[i].type)
			return false;
	return true;
}

/* True if the launches of the captures, which fit, have names, or all the same rows. */
static bool is_certain(const struct graph_captures *c, const struct capture_answer *answer)
{
	bool is_named = true, is_same = true;

	for (size_t i = 0; i < answer->captures; i++) {
		const struct capture *capture = &c->capture[answer->capture[i]];

		is_named &= has_names(c, capture);
		is_same &= has_same_rows(c, capture, &c->capture[answer->capture[0]]);
	}
	return is_named || is_same;
}

/* True if the capture has launches for all kernels; c->place says which. Without names only a
 * capture of as many is one. */
static bool fits_capture(struct graph_captures *c, const struct capture *capture,
	const struct replayed_kernel *kernel, size_t count)
{
	if (count == 0 || capture->count < count || count * 10 < capture->count * REPLAYED_LEAST)
		return false;
	return ((capture->count == count || has_names(c, capture)) &&
		       fits_in_order(c, capture, kernel, count)) ||
	       fits_by_name(c, capture, kernel, count);
}

static void number_names(
	struct graph_captures *c, const struct replayed_kernel *kernel, size_t count)
{
	uint32_t id;

	c->name = memory_make_room(c->name, &c->name_room, count, sizeof(*c->name));
	c->place = memory_make_room(c->place, &c->place_room, count, sizeof(*c->place));
	for (size_t i = 0; i < count; i++)
		c->name[i] = intern_find(c->kernels, kernel[i].name, strlen(kernel[i].name), &id)
				     ? id + 1
				     : 0;
}

/* Finds all captures that fit with the fewest launches beside the kernels. */
static void ask_all(struct graph_captures *c, struct capture_answer *answer,
	const struct replayed_kernel *kernel, size_t count)
{
	size_t least = SIZE_MAX, room = 0;

	for (size_t i = 0; i < c->captures; i++) {
		const struct capture *capture = &c->capture[i];
		uint32_t *found;

		if (capture->count > least || !fits_capture(c, capture, kernel, count))
			continue;
		if (capture->count < least)
			answer->captures = 0;
		least = capture->count;
		found = memory_push(&answer->capture, &answer->captures, &room, sizeof(*found));
		*found = (uint32_t)i;
	}
	if (!is_certain(c, answer))
		answer->captures = 0;
}

static struct capture_answer *answer_to(
	struct graph_captures *c, const struct replayed_kernel *kernel, size_t count)
{
	uint64_t hash = intern_hash(c->name, count * sizeof(*c->name), count);
	struct capture_answer *answer;

	for (size_t i = 0; i < count; i++)
		hash = kernel[i].is_copy ? intern_fold(hash ^ i, INTERN_GOLDEN) : hash;
	for (size_t i = 0; i < c->answers; i++)
		if (c->answer[i].hash == hash && c->answer[i].count == count)
			return &c->answer[i];
	if (c->answers == ANSWERS_MOST || c->answered > ANSWERED_MOST) {
		c->cut[GRAPH_CUT_REPLAYS]++;
		return NULL;
	}
	answer = memory_push(&c->answer, &c->answers, &c->answer_room, sizeof(*answer));
	answer->hash = hash;
	answer->count = count;
	ask_all(c, answer, kernel, count);
	c->answered += answer->captures;
	return answer;
}

bool graph_captures_match(struct graph_captures *c, struct replayed_kernel *kernel, size_t count)
{
	const struct capture *capture;
	struct capture_answer *answer;

	number_names(c, kernel, count);
	answer = answer_to(c, kernel, count);
	if (!answer || answer->captures == 0)
		return false;
	capture = &c->capture[answer->capture[answer->next]];
	answer->next = (answer->next + 1) % answer->captures;
	if (!fits_capture(c, capture, kernel, count))
		return false;
	for (size_t i = 0; i < count; i++)
		kernel[i].of = &c->launch[capture->first + c->place[i]];
	return true;
}
