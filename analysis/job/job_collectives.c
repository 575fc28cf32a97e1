/* Step by step the calls of all ranks are sorted by what names their collective; those that every
 * rank of the group has equally often belong together one by one. */
#include "analysis/job/job_collectives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "model/ranks.h"

#define NOWHERE UINT32_MAX
#define GROUPS_LEAST 4 /* ranks that may be two groups beside each other */

/* A step of a source that is kept. */
struct source_step {
	uint32_t source, step;
};

/* One call of the step at hand; `key` names its group, and where calls have no number its op. */
struct step_call {
	uint32_t key, rank, op;
	uint32_t place; /* among the calls of its source */
	uint32_t source;
	bool has_group;
	int64_t sequence, dur_ps;
};

/* A rank that has calls of a key in the run at hand. */
struct key_rank {
	uint32_t key, rank;
};

struct call_matcher {
	const struct summary *summary;
	const struct cube *self;
	const struct ranks *ranks;
	struct arena *scratch;
	size_t **first;		  /* [source][step]: its first call; and the end */
	size_t *step_first;	  /* of each kept step, and the end: in source_step */
	struct source_step *step; /* those of a kept step side by side */
	struct intern *keys;
	struct vec part;     /* struct key_rank, of the run at hand */
	struct vec calls;    /* struct step_call, of the step at hand */
	size_t *taking_part; /* of each key: the ranks that have it in this run */
	size_t key_room;
	int64_t *dur_ps;  /* of each rank, of the match at hand */
	int64_t total_ps; /* of all matches: none of their sums is larger */
	size_t *part_in;
	size_t left_out, ungrouped;
	double *row_waiting_ps; /* of each row of the grouping */
	uint32_t *row_of;	/* of each op: row; NOWHERE: in none */
	struct collectives sums;
};

/* ---- where calls are ---- */

static uint32_t kept_step(const struct call_matcher *m, const struct rank_source *source, size_t s)
{
	if (source->step_of[s] == NOWHERE || source->rank_of[s] == NOWHERE)
		return STEP_NOT_KEPT;
	return m->summary->steps->index_of[source->step_of[s]];
}

static void find_calls(struct call_matcher *m)
{
	const struct ranks *ranks = m->ranks;

	m->first = arena_array(m->scratch, ranks->source_count, sizeof(*m->first));
	for (size_t p = 0; p < ranks->source_count; p++) {
		const struct rank_source *source = &ranks->source[p];
		const struct collective_calls *calls = &source->collectives;
		size_t at = 0;

		if (!calls->count)
			continue;
		m->first[p] = arena_array(m->scratch, source->step_count + 1, sizeof(*m->first[p]));
		for (size_t s = 0; s <= source->step_count; s++) {
			while (at < calls->count && calls->call[at].step < s)
				at++;
			m->first[p][s] = at;
		}
	}
}

/* The steps of the sources by the kept step that they are. */
static void find_steps(struct call_matcher *m)
{
	const struct ranks *ranks = m->ranks;
	const size_t steps = m->summary->steps->count;
	size_t *next = arena_array(m->scratch, steps + 1, sizeof(*next));

	m->step_first = arena_array(m->scratch, steps + 1, sizeof(*m->step_first));
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t p = 0; p < ranks->source_count; p++)
			for (uint32_t s = 0; m->first[p] && s < ranks->source[p].step_count; s++) {
				const uint32_t at = kept_step(m, &ranks->source[p], s);

				if (at == STEP_NOT_KEPT)
					continue;
				if (fill)
					m->step[next[at]++] = (struct source_step){p, s};
				else
					m->step_first[at + 1]++;
			}
		for (size_t i = 0; !fill && i < steps; i++) {
			m->step_first[i + 1] += m->step_first[i];
			next[i + 1] = m->step_first[i + 1];
		}
		if (!fill)
			m->step = arena_array(m->scratch, m->step_first[steps], sizeof(*m->step));
	}
}

static void find_row_of_ops(struct call_matcher *m)
{
	const struct grouping *grouping = m->summary->grouping;

	m->row_of = arena_array(m->scratch, m->self->op_count, sizeof(*m->row_of));
	memset(m->row_of, 0xff, m->self->op_count * sizeof(*m->row_of));
	m->row_waiting_ps = arena_array(m->scratch, grouping->count, sizeof(double));
	if (m->summary->cube != m->self) /* rows of totals are of other ops */
		return;
	for (size_t g = 0; g < grouping->count; g++)
		for (size_t i = 0; i < grouping->group[g].op_count; i++)
			if (!grouping->group[g].kind)
				m->row_of[grouping->group[g].op[i]] = (uint32_t)g;
}

/* Calls that may be the same collective have the same key. */
static uint32_t key_of(struct call_matcher *m, const struct collective_call *call, uint32_t op)
{
	struct {
		const char *group; /* one pointer for each name */
		uint64_t op;
	} key = {call->group, call->sequence < 0 ? op : UINT64_MAX};

	return intern_id(m->keys, (const char *)&key, sizeof(key));
}

/* Calls visit(m, call) for each call of a kept step whose op there is. */
static void visit_step(struct call_matcher *m, size_t at,
	void (*visit)(struct call_matcher *, const struct step_call *))
{
	for (size_t i = m->step_first[at]; i < m->step_first[at + 1]; i++) {
		const struct source_step *step = &m->step[i];
		const struct rank_source *source = &m->ranks->source[step->source];
		const size_t *first = &m->first[step->source][step->step];

		for (size_t c = first[0]; c < first[1]; c++) {
			const struct collective_call *call = &source->collectives.call[c];
			const uint32_t op = source->op[call->op];

			if (op == NOWHERE)
				continue;
			visit(m, &(struct step_call){.key = key_of(m, call, op),
					 .rank = source->rank_of[step->step],
					 .op = op,
					 .place = (uint32_t)c,
					 .source = step->source,
					 .has_group = call->group,
					 .sequence = call->sequence,
					 .dur_ps = call->dur_ps});
		}
	}
}

/* ---- who takes part ---- */

static void note_part(struct call_matcher *m, const struct step_call *call)
{
	struct key_rank *part = vec_push(&m->part, NULL);

	*part = (struct key_rank){call->key, call->rank};
}

ORDERED(compare_parts, struct key_rank, ORDER(x->key, y->key) ?: ORDER(x->rank, y->rank));

static void keep_distinct(struct vec *parts)
{
	struct key_rank *part = parts->data;
	size_t n = 0;

	if (parts->count)
		qsort(part, parts->count, sizeof(*part), compare_parts);
	for (size_t i = 0; i < parts->count; i++)
		if (n == 0 || compare_parts(&part[n - 1], &part[i]) != 0)
			part[n++] = part[i];
	parts->count = n;
}

/* ---- matches ---- */

static void note_call(struct call_matcher *m, const struct step_call *call)
{
	*(struct step_call *)vec_push(&m->calls, NULL) = *call;
}

/* A collective that is several kernels: by op, in order of start. */
ORDERED(compare_calls, struct step_call,
	ORDER(x->key, y->key)
		?: ORDER(x->sequence, y->sequence)
		?: ORDER(x->rank, y->rank)
		?: ORDER(x->op, y->op)
		?: ORDER(x->source, y->source)
		?: ORDER(x->place, y->place));

/* How often each rank has the `n` calls; 0: not all of them equally often, or one has no time. */
static size_t times_each(const struct call_matcher *m, const struct step_call *call, size_t n)
{
	const size_t ranks = m->taking_part[call->key], each = ranks ? n / ranks : 0;
	size_t present = 0;

	if (ranks < 2 || each * ranks != n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (call[i].dur_ps < 0 || call[i].rank != call[i - i % each].rank)
			return 0;
		present += i == 0 || call[i].rank != call[i - 1].rank;
	}
	return present == ranks ? each : 0;
}

static bool add_to_total(struct call_matcher *m, const struct step_call *call, size_t n)
{
	int64_t total_ps = m->total_ps;

	for (size_t i = 0; i < n; i++)
		if (!number_add(total_ps, call[i].dur_ps, &total_ps))
			return false;
	m->total_ps = total_ps;
	return true;
}

static void add_match(
	struct call_matcher *m, size_t at, const struct step_call *call, size_t n, size_t each)
{
	const uint32_t row = m->row_of[call->op];
	int64_t shortest_ps = INT64_MAX;

	memset(m->dur_ps, 0xff, m->ranks->count * sizeof(*m->dur_ps));
	for (size_t i = 0; i < n; i += each) {
		m->dur_ps[call[i].rank] = call[i].dur_ps;
		m->part_in[call[i].rank]++;
		shortest_ps = call[i].dur_ps < shortest_ps ? call[i].dur_ps : shortest_ps;
	}
	collectives_add(&m->sums, at, m->dur_ps);
	for (size_t i = 0; row != NOWHERE && i < n; i += each)
		m->row_waiting_ps[row] += (double)(call[i].dur_ps - shortest_ps);
}

static void match_step(struct call_matcher *m, size_t at)
{
	const struct step_call *call;

	vec_clear(&m->calls);
	visit_step(m, at, note_call);
	call = m->calls.data;
	if (m->calls.count)
		qsort(m->calls.data, m->calls.count, sizeof(*call), compare_calls);
	for (size_t first = 0, next; first < m->calls.count; first = next) {
		for (next = first + 1; next < m->calls.count && call[next].key == call[first].key &&
				       call[next].sequence == call[first].sequence;)
			next++;

		size_t n = next - first;
		const size_t each = times_each(m, &call[first], n);

		if (!each || !add_to_total(m, &call[first], n)) {
			m->left_out += n;
			continue;
		}
		if (!call[first].has_group && n / each >= GROUPS_LEAST)
			m->ungrouped += each;
		for (size_t k = 0; k < each; k++)
			add_match(m, at, &call[first] + k, n - k, each);
	}
}

static double mean_of(const int64_t *sum_ps, size_t n, size_t steps)
{
	int64_t sum = 0; /* at most total_ps */

	for (size_t i = 0; i < n; i++)
		sum += sum_ps[i];
	return (double)sum / (double)steps;
}

static void describe(const struct call_matcher *m, struct job_collectives *out, struct arena *arena)
{
	const size_t ranks = m->ranks->count, steps = m->summary->steps->count;
	/* ---- what they say ---- */
	size_t *recorded = arena_array(m->scratch, m->ranks->count, sizeof(*recorded));

	for (size_t p = 0; p < m->ranks->source_count; p++) {
		const struct rank_source *source = &m->ranks->source[p];

		for (size_t s = 0; s < source->step_count; s++)
			if (kept_step(m, source, s) != STEP_NOT_KEPT)
				recorded[source->rank_of[s]]++;
	}
	double most_ps = 0;
	size_t n = 0;

	out->matches = m->sums.matches;
	out->left_out = m->left_out;
	out->ungrouped = m->ungrouped;
	out->transfer_ps = arena_array(arena, ranks, sizeof(double));
	out->waiting_ps = arena_array(arena, ranks, sizeof(double));
	for (size_t r = 0; r < ranks; r++) {
		out->last_in[r] = m->sums.last_in[r];
		out->transfer_ps[r] = out->waiting_ps[r] = NAN;
		if (!out->part_in[r])
			continue;
		n++;
		out->transfer_ps[r] = mean_of(&m->sums.transfer_ps[r * steps], steps, recorded[r]);
		out->waiting_ps[r] = mean_of(&m->sums.waiting_ps[r * steps], steps, recorded[r]);
		out->mean_transfer_ps += out->transfer_ps[r];
		out->mean_waiting_ps += out->waiting_ps[r];
	}
	out->mean_transfer_ps /= (double)n;
	out->mean_waiting_ps /= (double)n;
	out->row = SIZE_MAX;
	for (size_t g = 0; g < m->summary->grouping->count; g++)
		if (m->row_waiting_ps[g] > most_ps) {
			most_ps = m->row_waiting_ps[g];
			out->row = g;
		}
}

static size_t count_not_read(const struct cube *self)
{
	const char *text = fact_lists_common(&self->facts, FACT_WORLD_SIZE);
	int64_t size;

	if (!text || !number_parse_int(text, strlen(text), &size) || size < 0 ||
		(uint64_t)size <= self->ranks->count)
		return 0;
	return (size_t)size - self->ranks->count;
}

struct job_collectives *job_collectives_make(
	const struct summary *summary, const struct cube *self, struct arena *arena)
{
	const struct ranks *ranks = self->ranks;
	struct job_collectives *out = NULL;
	struct call_matcher m = {
		.summary = summary, .self = self, .ranks = ranks, .scratch = arena_new()};

	m.keys = intern_new(m.scratch);
	vec_init(&m.part, sizeof(struct key_rank), SIZE_MAX, "ranks of collectives");
	vec_init(&m.calls, sizeof(struct step_call), SIZE_MAX, "calls of a step");
	find_calls(&m);
	find_steps(&m);
	if (m.step_first[summary->steps->count] > 0) {
		out = arena_alloc(arena, sizeof(*out));
		out->last_in = arena_array(arena, ranks->count, sizeof(*out->last_in));
		out->part_in = m.part_in = arena_array(arena, ranks->count, sizeof(*out->part_in));
		m.dur_ps = arena_array(m.scratch, ranks->count, sizeof(*m.dur_ps));
		find_row_of_ops(&m);
		collectives_init(&m.sums, ranks->count, summary->steps->count);

		const struct step_set *steps = m.summary->steps;

		for (size_t r = 0; r < steps->run_count; r++) {
			/* Add the kept steps of one run. */
			size_t end = steps->first[r + 1];
			const struct key_rank *part;

			vec_clear(&m.part);
			for (size_t s = steps->first[r]; s < end; s++) {
				visit_step(&m, s, note_part);
				keep_distinct(&m.part);
			}
			m.taking_part = memory_make_room(m.taking_part, &m.key_room,
				intern_count(m.keys), sizeof(*m.taking_part));
			if (m.taking_part) /* none: no call has a key */
				memset(m.taking_part, 0,
					intern_count(m.keys) * sizeof(*m.taking_part));
			part = m.part.data;
			for (size_t i = 0; i < m.part.count; i++)
				m.taking_part[part[i].key]++;
			for (size_t s = steps->first[r]; s < steps->first[r + 1]; s++)
				match_step(&m, s);
		}
		describe(&m, out, arena);
		out->not_read = count_not_read(self);
	}
	collectives_release(&m.sums);
	vec_release(&m.part);
	vec_release(&m.calls);
	memory_free(m.taking_part);
	arena_free(m.scratch);
	return out && (out->matches || out->left_out) ? out : NULL;
}

bool job_collectives_wait_for(const struct job_collectives *c, size_t ranks, size_t rank)
{
	if (!c->part_in[rank] || c->last_in[rank] <= c->part_in[rank] / 2)
		return false;
	for (size_t r = 0; r < ranks; r++)
		if (r != rank && c->part_in[r] && c->waiting_ps[r] <= c->waiting_ps[rank])
			return false;
	return true;
}
