/* A run is what one sequence begins until it begins again after an end: in a file as events happen
 * a few slices that are nested, in a group all of it. While both of the first two rules could be
 * true of a run its ends wait; that is rarely more than two or three. */
#include "ingest/perfetto/slices.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/spool.h"

#define NONE UINT32_MAX
#define RUN_MOST 65536			/* beginnings in memory; a longer run is a group */
#define READ_BYTES ((size_t)64 << 10)	/* of these at a time */
#define GROUP_BYTES ((size_t)4 << 20)	/* of groups in memory, more go to a file */
#define SORTED_BYTES ((size_t)64 << 20) /* of events that are sorted */
#define OPEN_BYTES ((size_t)256 << 20)	/* of what has begun, and of ends that wait */
#define KEPT_BYTES ((size_t)1 << 16)	/* of a slice that is closed, for the next one */

struct open_slice {		  /* a slice that has begun; its bytes are its own */
	struct pf_half half, end; /* end: of one that is held */
	unsigned char *bytes, *end_bytes;
	size_t room, end_room;
	uint32_t below, above; /* on its track; NONE: it is the first, the last */
	uint64_t serial;       /* of the slices that have begun; 0: nothing is open here */
};

struct waiting_end { /* an end */
	struct pf_half half;
	unsigned char *bytes;
	size_t room;
};

enum slice_run_mode {
	RUN_UNKNOWN,
	RUN_STACK, /* the last that began ends first */
	RUN_GROUP, /* the first that began ends first */
};

struct begun_slice {
	uint64_t serial;
	uint32_t index; /* of struct open_slice, where it is while its serial is there */
};

struct slice_run {
	struct vec begun;   /* struct begun_slice */
	size_t first;	    /* of these that may still be open */
	struct vec waiting; /* struct waiting_end */
	enum slice_run_mode mode;
	bool has_ends;
	uint64_t trial;
	struct spool *group;	/* NULL: all of the run is in `begun` */
	struct spool_pass pass; /* of it; the spool is NULL until it is read */
};

struct slice_track {
	uint32_t last; /* of struct open_slice; NONE: nothing is open */
	bool is_sorted;
	/* The last slice that ended, where the one around it began at the same time: held with
	 * those within it until it is known whether that one ends at the same time, too, so that
	 * the outer one can come first. NONE: none. */
	uint32_t held;
	/* While ends of a run wait: the open slice below those that would be closed by now, and the
	 * last of these ends. */
	uint64_t trial;
	uint32_t trial_last;
	int64_t trial_end_ns;
};

struct sorted_half { /* of a track that is sorted */
	struct pf_half half;
	unsigned char *bytes;
	uint64_t order;
	bool is_end;
};

struct pf_slices {
	struct pf_slices_options options;
	struct open_slice *open;
	size_t open_count, open_room;
	size_t open_bytes; /* of these, of runs and of waiting ends */
	struct vec unused; /* uint32_t: of struct open_slice */
	struct slice_run *run;
	size_t run_count, run_room;
	struct slice_track *track;
	size_t track_count, track_room;
	size_t groups; /* runs with a spool */
	uint64_t trials, serials;
	struct vec sorted; /* struct sorted_half */
	size_t sorted_bytes;
	uint64_t order;
	struct pf_slices_lost lost;
};

struct pf_slices *pf_slices_new(const struct pf_slices_options *options)
{
	struct pf_slices *s = memory_alloc(sizeof(*s));

	s->options = *options;
	vec_init(&s->unused, sizeof(uint32_t), SIZE_MAX, "slices");
	vec_init(&s->sorted, sizeof(struct sorted_half), SIZE_MAX, "events");
	return s;
}

static void count_lost(struct pf_lost *lost, uint64_t offset)
{
	if (lost->count++ == 0)
		lost->offset = offset;
}

static struct slice_track *track_at(struct pf_slices *s, uint32_t index)
{
	if (index >= s->track_count) {
		size_t old = s->track_count;

		s->track = memory_make_room(
			s->track, &s->track_room, (size_t)index + 1, sizeof(*s->track));
		s->track_count = (size_t)index + 1;
		for (size_t i = old; i < s->track_count; i++)
			s->track[i] = (struct slice_track){.last = NONE, .held = NONE};
	}
	return &s->track[index];
}

static struct slice_run *run_at(struct pf_slices *s, uint32_t index)
{
	if (index >= s->run_count) {
		size_t old = s->run_count;

		s->run = memory_make_room(s->run, &s->run_room, (size_t)index + 1, sizeof(*s->run));
		s->run_count = (size_t)index + 1;
		memset(s->run + old, 0, (s->run_count - old) * sizeof(*s->run));
		for (size_t i = old; i < s->run_count; i++) {
			vec_init(&s->run[i].begun, sizeof(struct begun_slice), SIZE_MAX, "slices");
			vec_init(
				&s->run[i].waiting, sizeof(struct waiting_end), SIZE_MAX, "slices");
		}
	}
	return &s->run[index];
}

/* ---- open slices ---- */

/* A copy of the bytes of an event in memory that is used again. */
static void keep_event(
	struct pf_slices *s, struct pf_half *half, unsigned char **bytes, size_t *room)
{
	const size_t old = *room;

	*bytes = memory_make_room(*bytes, room, half->event.size, 1);
	s->open_bytes += *room - old;
	if (half->event.size > 0)
		memcpy(*bytes, half->event.at, half->event.size);
	half->event.at = *bytes;
	pf_names_keep(half->names);
}

static void free_long(struct pf_slices *s, unsigned char **bytes, size_t *room)
{
	if (*room <= KEPT_BYTES)
		return;
	s->open_bytes -= *room;
	memory_free(*bytes);
	*bytes = NULL;
	*room = 0;
}

static int check_open(const struct pf_slices *s, struct error *err)
{
	if (s->open_bytes <= OPEN_BYTES)
		return 0;
	return error_set(err, ERROR_LIMIT, s->options.path,
		"slices that begin and do not end take more than 256 MiB");
}

static uint32_t open_new(struct pf_slices *s, const struct pf_half *half)
{
	struct open_slice *o;
	uint32_t index;

	if (s->unused.count > 0) {
		index = *(uint32_t *)vec_at(&s->unused, s->unused.count - 1);
		s->unused.count--;
	} else {
		index = (uint32_t)s->open_count;
		memory_push(&s->open, &s->open_count, &s->open_room, sizeof(*s->open));
		s->open_bytes += sizeof(*s->open);
	}
	o = &s->open[index];
	o->half = *half;
	keep_event(s, &o->half, &o->bytes, &o->room);
	o->serial = ++s->serials;
	return index;
}

/* Removes a slice from the open ones; its bytes stay. */
static void open_unlink(struct pf_slices *s, uint32_t index)
{
	struct open_slice *o = &s->open[index];
	struct slice_track *t = track_at(s, o->half.track);

	if (o->above != NONE)
		s->open[o->above].below = o->below;
	else
		t->last = o->below;
	if (o->below != NONE)
		s->open[o->below].above = o->above;
	o->serial = 0;
}

static int slice(struct pf_slices *s, const struct pf_half *begin, const struct pf_half *end,
	struct error *err)
{
	return s->options.slice(s->options.context, begin, end, err);
}

static void open_forget(struct pf_slices *s, uint32_t index)
{
	struct open_slice *o = &s->open[index];

	pf_names_release(o->half.names);
	free_long(s, &o->bytes, &o->room);
	free_long(s, &o->end_bytes, &o->end_room);
	*(uint32_t *)vec_push(&s->unused, NULL) = index;
}

/* Hands over the slices that are held, the outer one first. */
static int hand_held(struct pf_slices *s, struct slice_track *t, struct error *err)
{
	int status = 0;

	while (t->held != NONE) {
		struct open_slice *o = &s->open[t->held];
		const uint32_t next = o->below, index = t->held;

		if (status == 0)
			status = slice(s, &o->half, &o->end, err);
		pf_names_release(o->end.names);
		t->held = next;
		open_forget(s, index);
	}
	return status;
}

static void hold(
	struct pf_slices *s, struct slice_track *t, uint32_t index, const struct pf_half *end)
{
	struct open_slice *o = &s->open[index];

	open_unlink(s, index);
	o->end = *end;
	keep_event(s, &o->end, &o->end_bytes, &o->end_room);
	o->below = t->held;
	t->held = index;
}

static int pair(struct pf_slices *s, uint32_t index, const struct pf_half *end, struct error *err)
{
	struct slice_track *t = track_at(s, end->track);
	const struct open_slice *o = &s->open[index];
	int status = 0;

	if (t->held != NONE && (s->open[t->held].end.time_ns != end->time_ns ||
				       s->open[t->held].half.time_ns != o->half.time_ns))
		status = hand_held(s, t, err);
	if (status == 0 && o->below != NONE && o->above == NONE &&
		s->open[o->below].half.time_ns == o->half.time_ns) {
		hold(s, t, index, end);
		return 0;
	}
	if (status == 0)
		status = slice(s, &s->open[index].half, end, err);
	if (status == 0)
		status = hand_held(s, t, err);
	open_unlink(s, index);
	open_forget(s, index);
	return status;
}

/* ---- sorted tracks ---- */

static void sort_later(struct pf_slices *s, const struct pf_half *half, bool is_end)
{
	const size_t bytes = sizeof(struct sorted_half) + half->event.size;
	struct sorted_half *e;

	if (bytes > SORTED_BYTES - s->sorted_bytes) {
		count_lost(&s->lost.sorted, half->offset);
		return;
	}
	s->sorted_bytes += bytes;
	e = vec_push(&s->sorted, NULL);
	*e = (struct sorted_half){.half = *half, .order = s->order++, .is_end = is_end};
	e->bytes = memory_alloc(half->event.size);
	if (half->event.size > 0)
		memcpy(e->bytes, half->event.at, half->event.size);
	e->half.event.at = e->bytes;
	pf_names_keep(half->names);
}

/* Sorts the slices of the track from now on, those that are open, too. */
static void sort_track(struct pf_slices *s, uint32_t track)
{
	struct slice_track *t = track_at(s, track);
	uint32_t index = t->last;

	t->is_sorted = true;
	while (index != NONE && s->open[index].below != NONE)
		index = s->open[index].below;
	while (index != NONE) {
		uint32_t above = s->open[index].above;

		sort_later(s, &s->open[index].half, false);
		open_unlink(s, index);
		open_forget(s, index);
		index = above;
	}
}

ORDERED(compare, struct sorted_half,
	ORDER(x->half.track, y->half.track)
		?: ORDER(x->half.time_ns, y->half.time_ns)
		?: ORDER(x->order, y->order));

static int pair_sorted(struct pf_slices *s, struct error *err)
{
	struct vec stack;
	int status = 0;
	uint32_t track = NONE;

	if (s->sorted.count == 0)
		return 0;
	qsort(s->sorted.data, s->sorted.count, sizeof(struct sorted_half), compare);
	vec_init(&stack, sizeof(const struct sorted_half *), SIZE_MAX, "slices");
	for (size_t i = 0; i <= s->sorted.count && status == 0; i++) {
		const struct sorted_half *e = i < s->sorted.count ? vec_at(&s->sorted, i) : NULL;

		if (!e || e->half.track != track) {
			for (size_t k = 0; k < stack.count; k++)
				count_lost(&s->lost.open,
					(*(const struct sorted_half **)vec_at(&stack, k))
						->half.offset);
			vec_clear(&stack);
		}
		if (!e)
			break;
		track = e->half.track;
		if (!e->is_end) {
			*(const struct sorted_half **)vec_push(&stack, NULL) = e;
		} else if (stack.count == 0) {
			count_lost(&s->lost.stray, e->half.offset);
		} else {
			const struct sorted_half *begin =
				*(const struct sorted_half **)vec_at(&stack, stack.count - 1);

			stack.count--;
			status = slice(s, &begin->half, &e->half, err);
		}
	}
	vec_release(&stack);
	return status;
}

/* ---- groups ---- */

static int group_store(struct slice_run *r, const struct pf_half *half, struct error *err)
{
	if (spool_add(r->group, half, sizeof(*half), err) != 0 ||
		spool_add(r->group, half->event.at, half->event.size, err) != 0)
		return -1;
	pf_names_keep(half->names);
	return 0;
}

/* The slice of the run, NONE: it is not open any more. */
static uint32_t still_open(const struct pf_slices *s, const struct slice_run *r, size_t i)
{
	const struct begun_slice *b = vec_at(&r->begun, i);

	return s->open[b->index].serial == b->serial ? b->index : NONE;
}

/* Moves the slices that the run has begun and not ended to the spool. */
static int group_start(struct pf_slices *s, struct slice_run *r, struct error *err)
{
	/* The more there are the less each has in memory: together 64 MiB for a million. */
	const struct spool_options options = {.memory_bytes = GROUP_BYTES / (s->groups + 1) + 1,
		.folder = s->options.folder,
		.max_disk_bytes = s->options.max_disk_bytes,
		.what = "slices that have begun"};

	if (!r->group) {
		r->group = memory_alloc(sizeof(*r->group));
		spool_init(r->group, &options);
		s->groups++;
	}
	r->mode = RUN_GROUP;
	for (size_t i = 0; i < r->begun.count; i++) {
		uint32_t index = still_open(s, r, i);

		if (index == NONE)
			continue;
		if (group_store(r, &s->open[index].half, err) != 0)
			return -1;
		open_unlink(s, index);
		open_forget(s, index);
	}
	vec_clear(&r->begun);
	r->first = 0;
	return 0;
}

/* The next of the group, after which `over` are bytes to be passed. 1; 0: there is none. */
static int group_next(struct slice_run *r, struct pf_half *half, size_t *over, struct error *err)
{
	struct spool_pass *p = &r->pass;

	if (!p->spool) {
		if (spool_settle(r->group, err) != 0)
			return -1;
		spool_pass_init(p, r->group, READ_BYTES);
		spool_pass_begin(p, 0, spool_size(r->group));
	}
	if (spool_pass_need(p, sizeof(*half), err) != 0)
		return -1;
	if (p->at == p->end)
		return 0;
	memcpy(half, p->at, sizeof(*half));
	*over = sizeof(*half) + half->event.size;
	if (spool_pass_need(p, *over, err) != 0)
		return -1;
	half->event.at = p->at + sizeof(*half);
	return 1;
}

static int group_finish(struct pf_slices *s, struct slice_run *r, struct error *err)
{
	struct pf_half half;
	size_t over;
	int got = 0;

	for (; r->group && (got = group_next(r, &half, &over, err)) > 0; r->pass.at += over) {
		count_lost(&s->lost.open, half.offset);
		pf_names_release(half.names);
	}
	if (r->group)
		spool_clear(r->group);
	spool_pass_release(&r->pass);
	return got;
}

/* ---- runs ---- */

static bool in_group(const struct slice_run *r)
{
	return r->group && spool_size(r->group) > 0;
}

/* The n-th of the run after those that were closed; NONE: it is closed, or there is none. */
static uint32_t begun_at(const struct pf_slices *s, struct slice_run *r, size_t n)
{
	while (r->first < r->begun.count && still_open(s, r, r->first) == NONE)
		r->first++;
	return r->first + n < r->begun.count ? still_open(s, r, r->first + n) : NONE;
}

/* An item more, of a list whose memory is only freed at the end. */
static void *push(struct pf_slices *s, struct vec *list)
{
	const size_t old = list->room;
	void *item = vec_push(list, NULL);

	s->open_bytes += (list->room - old) * list->item_bytes;
	return item;
}

static void forget_waiting(struct pf_slices *s, struct slice_run *r)
{
	for (size_t i = 0; i < r->waiting.count; i++) {
		struct waiting_end *w = vec_at(&r->waiting, i);

		s->open_bytes -= w->room;
		memory_free(w->bytes);
		pf_names_release(w->half.names);
	}
	vec_clear(&r->waiting);
}

/* Ends a slice by the first rule; where the rule does not hold the track is sorted. */
static int end_on_stack(struct pf_slices *s, const struct pf_half *end, struct error *err)
{
	struct slice_track *t = track_at(s, end->track);

	if (!t->is_sorted && (t->last == NONE || s->open[t->last].half.time_ns > end->time_ns))
		sort_track(s, end->track);
	if (t->is_sorted) {
		sort_later(s, end, true);
		return 0;
	}
	return pair(s, t->last, end, err);
}

static int end_in_group(
	struct pf_slices *s, struct slice_run *r, const struct pf_half *end, struct error *err)
{
	uint32_t index = begun_at(s, r, 0);

	if (index == NONE || s->open[index].half.track != end->track ||
		s->open[index].half.time_ns > end->time_ns)
		return end_on_stack(s, end, err);
	return pair(s, index, end, err);
}

static int settle(
	struct pf_slices *s, struct slice_run *r, enum slice_run_mode mode, struct error *err)
{
	int status = 0;

	r->mode = mode;
	for (size_t i = 0; i < r->waiting.count && status == 0; i++) {
		const struct pf_half *end =
			&((const struct waiting_end *)vec_at(&r->waiting, i))->half;

		status = mode == RUN_GROUP ? end_in_group(s, r, end, err)
					   : end_on_stack(s, end, err);
	}
	forget_waiting(s, r);
	return status;
}

/* Could the run be a stack with this end, too? */
static bool fits_stack(struct pf_slices *s, struct slice_run *r, const struct pf_half *end)
{
	struct slice_track *t = track_at(s, end->track);
	uint32_t index;

	if (r->waiting.count == 0)
		r->trial = ++s->trials;
	if (t->trial != r->trial) {
		t->trial = r->trial;
		t->trial_last = t->last;
		t->trial_end_ns = INT64_MIN;
	}
	index = t->trial_last;
	if (index == NONE || s->open[index].half.time_ns > end->time_ns ||
		end->time_ns < t->trial_end_ns)
		return false;
	t->trial_last = s->open[index].below;
	t->trial_end_ns = end->time_ns;
	return true;
}

static int end_in_run(
	struct pf_slices *s, struct slice_run *r, const struct pf_half *end, struct error *err)
{
	const uint32_t first = begun_at(s, r, r->waiting.count);
	const struct open_slice *o = first == NONE ? NULL : &s->open[first];
	const bool fits_group = o && o->half.track == end->track && o->half.time_ns <= end->time_ns;
	bool fits;

	/* Most often both rules name the same slice. */
	if (r->waiting.count == 0 && fits_group && track_at(s, end->track)->last == first)
		return pair(s, first, end, err);
	if (r->mode == RUN_STACK || (!fits_group && r->waiting.count == 0))
		return end_on_stack(s, end, err);
	if (r->mode == RUN_GROUP)
		return end_in_group(s, r, end, err);
	fits = fits_stack(s, r, end);
	if (fits_group && fits && r->waiting.count < RUN_MOST) {
		struct waiting_end *w = push(s, &r->waiting);

		w->half = *end;
		keep_event(s, &w->half, &w->bytes, &w->room);
		return check_open(s, err);
	}
	if (settle(s, r, fits_group ? RUN_GROUP : RUN_STACK, err) != 0)
		return -1;
	return r->mode == RUN_GROUP ? end_in_group(s, r, end, err) : end_on_stack(s, end, err);
}

/* Begins a run again after an end. */
static int run_begin(struct pf_slices *s, struct slice_run *r, struct error *err)
{
	if (settle(s, r, RUN_STACK, err) != 0 || group_finish(s, r, err) != 0)
		return -1;
	vec_clear(&r->begun);
	r->first = 0;
	r->mode = RUN_UNKNOWN;
	r->has_ends = false;
	return 0;
}

int pf_slices_begin(
	struct pf_slices *s, uint32_t sequence, const struct pf_half *begin, struct error *err)
{
	struct slice_run *r = run_at(s, sequence);
	struct begun_slice *b;

	if (r->has_ends && run_begin(s, r, err) != 0)
		return -1;
	if (in_group(r))
		return group_store(r, begin, err);
	if (track_at(s, begin->track)->is_sorted) {
		sort_later(s, begin, false);
		return 0;
	}
	b = push(s, &r->begun);
	b->index = open_new(s, begin);
	b->serial = s->open[b->index].serial;

	struct open_slice *o = &s->open[b->index];
	struct slice_track *t = track_at(s, o->half.track);

	o->below = t->last;
	o->above = NONE;
	if (t->last != NONE)
		s->open[t->last].above = b->index;
	t->last = b->index;
	if (check_open(s, err) != 0)
		return -1;
	if (r->begun.count < RUN_MOST)
		return 0;
	/* The run is longer than slices can be nested: it is a group, unless ends of another
	 * sequence have closed most of it. */
	size_t kept = 0;

	for (size_t i = 0; i < r->begun.count; i++)
		if (still_open(s, r, i) != NONE)
			*(struct begun_slice *)vec_at(&r->begun, kept++) =
				*(const struct begun_slice *)vec_at(&r->begun, i);
	r->begun.count = kept;
	r->first = 0;
	return kept > RUN_MOST / 2 ? group_start(s, r, err) : 0;
}

int pf_slices_end(
	struct pf_slices *s, uint32_t sequence, const struct pf_half *end, struct error *err)
{
	struct slice_run *r = run_at(s, sequence);

	r->has_ends = true;
	if (in_group(r)) {
		struct pf_half begin;
		size_t over;
		int got = group_next(r, &begin, &over, err), status;

		if (got < 0)
			return -1;
		if (got == 0 || begin.track != end->track || begin.time_ns > end->time_ns) {
			count_lost(&s->lost.stray, end->offset);
			return 0;
		}
		status = slice(s, &begin, end, err);
		r->pass.at += over;
		pf_names_release(begin.names);
		return status;
	}
	if (track_at(s, end->track)->is_sorted) {
		sort_later(s, end, true);
		return 0;
	}
	return end_in_run(s, r, end, err);
}

int pf_slices_finish(struct pf_slices *s, struct pf_slices_lost *lost, struct error *err)
{
	int status = 0;

	for (size_t i = 0; i < s->run_count && status == 0; i++)
		status = run_begin(s, &s->run[i], err);
	for (size_t i = 0; i < s->track_count && status == 0; i++)
		status = hand_held(s, &s->track[i], err);
	if (status == 0)
		status = pair_sorted(s, err);
	for (size_t i = 0; i < s->open_count && status == 0; i++)
		if (s->open[i].serial)
			count_lost(&s->lost.open, s->open[i].half.offset);
	*lost = s->lost;
	return status;
}

void pf_slices_free(struct pf_slices *s)
{
	struct error ignored;

	if (!s)
		return;
	for (size_t i = 0; i < s->run_count; i++) {
		forget_waiting(s, &s->run[i]);
		group_finish(s, &s->run[i], &ignored);
		if (s->run[i].group)
			spool_release(s->run[i].group);
		memory_free(s->run[i].group);
		vec_release(&s->run[i].begun);
		vec_release(&s->run[i].waiting);
	}
	for (size_t i = 0; i < s->track_count; i++)
		for (uint32_t k = s->track[i].held; k != NONE; k = s->open[k].below) {
			pf_names_release(s->open[k].half.names);
			pf_names_release(s->open[k].end.names);
		}
	for (size_t i = 0; i < s->open_count; i++) {
		if (s->open[i].serial)
			pf_names_release(s->open[i].half.names);
		memory_free(s->open[i].bytes);
		memory_free(s->open[i].end_bytes);
	}
	for (size_t i = 0; i < s->sorted.count; i++) {
		struct sorted_half *e = vec_at(&s->sorted, i);

		pf_names_release(e->half.names);
		memory_free(e->bytes);
	}
	vec_release(&s->sorted);
	vec_release(&s->unused);
	memory_free(s->open);
	memory_free(s->run);
	memory_free(s->track);
	memory_free(s);
}
