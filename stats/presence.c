/* Joins steps that share an op, looks what parts come out, and shuffles to see what chance
 * makes. */
#include "stats/presence.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"

#define SEED 20240229 /* any; the same data give the same answer */
#define TRIALS 39     /* 1 in 40 by chance */
#define COMMON 0.95   /* of the steps of the runs that have the op */
#define IGNORED 0.01  /* of the cost */
#define COHERENT 0.9
#define COVERED 0.95
#define DIFFERENT 0.1
#define ODD 0.1		      /* of the cost, in common with others */
#define PARTS_MOST 1000	      /* of enough steps: each is held against each */
#define VISITS_MOST 200000000 /* of steps, in all trials: some seconds */

#define NO_GROUP UINT32_MAX

struct step_splitter {
	const struct presence *p;
	uint32_t *op; /* those that can tell steps apart */
	size_t op_count;
	uint32_t *parent; /* of each step: up to the first step of its part */
	bool *touched;	  /* of each step: it has one of these ops */
	bool *odd;	  /* of each step */
	bool is_shuffled;
	uint32_t *op_step; /* of each of these ops: a step in which it ran */
	uint32_t *order;   /* of the steps of each run, shuffled a little more each time */
	size_t *run_first;
	size_t joined, touched_count; /* steps */
	uint32_t *part;		      /* of each step */
	size_t parts;
	size_t *part_steps;
	uint32_t *part_group;
	size_t visits;
};

static void new_splitter(const struct presence *p, struct step_splitter *out)
{
	*out = (struct step_splitter){.p = p,
		.op = memory_alloc(memory_product(p->ops, sizeof(*out->op))),
		.parent = memory_alloc(memory_product(p->steps, sizeof(*out->parent))),
		.touched = memory_alloc(memory_product(p->steps, sizeof(*out->touched))),
		.odd = memory_alloc(memory_product(p->steps, sizeof(*out->odd))),
		.op_step = memory_alloc(memory_product(p->ops, sizeof(*out->op_step))),
		.order = memory_alloc(memory_product(p->steps, sizeof(*out->order))),
		.run_first = memory_alloc(memory_product(p->runs + 1, sizeof(*out->run_first))),
		.part = memory_alloc(memory_product(p->steps, sizeof(*out->part))),
		.part_steps = memory_alloc(memory_product(p->steps, sizeof(*out->part_steps))),
		.part_group = memory_alloc(memory_product(p->steps, sizeof(*out->part_group)))};
	for (size_t s = 0; s < p->steps; s++) {
		out->order[s] = (uint32_t)s;
		out->run_first[p->run[s] + 1]++;
	}
	for (size_t r = 0; r < p->runs; r++)
		out->run_first[r + 1] += out->run_first[r];
}

static size_t rows_of(const struct presence *p, uint32_t op)
{
	return p->first[op + 1] - p->first[op];
}

/* Steps of the runs in which the op ran. */
static size_t steps_of_runs(const struct step_splitter *s, uint32_t op)
{
	const struct presence *p = s->p;
	size_t steps = 0;

	for (size_t r = p->first[op]; r < p->first[op + 1]; r++) {
		const uint32_t run = p->run[p->step[r]];

		if (r == p->first[op] || p->run[p->step[r - 1]] != run)
			steps += s->run_first[run + 1] - s->run_first[run];
	}
	return steps;
}

struct op_cost {
	double cost;
	uint32_t op;
};

ORDERED(compare_costs, struct op_cost, ORDER(x->cost, y->cost) ?: ORDER(x->op, y->op));

static void choose_ops(struct step_splitter *s)
{
	const struct presence *p = s->p;
	struct op_cost *cost = memory_alloc(memory_product(p->ops, sizeof(*cost)));
	double all = 0, below = 0;

	for (uint32_t o = 0; o < p->ops; o++) {
		cost[o] = (struct op_cost){p->weight[o] * (double)rows_of(p, o), o};
		all += cost[o].cost;
	}
	qsort(cost, p->ops, sizeof(*cost), compare_costs);
	for (size_t i = 0; i < p->ops; i++) {
		const size_t rows = rows_of(p, cost[i].op);

		below += cost[i].cost;
		if (below < IGNORED * all ||
			(double)rows >= COMMON * (double)steps_of_runs(s, cost[i].op))
			continue;
		s->op[s->op_count++] = cost[i].op;
	}
	memory_free(cost);
}

/* Share of each step: the cost of its ops that most steps of its run have, over the cost of all
 * such ops; 1 where most steps have none. */
static void share_usual(const struct step_splitter *s, double *share)
{
	const struct presence *p = s->p;
	double *usual = memory_alloc(memory_product(p->runs, sizeof(*usual)));

	for (size_t o = 0; o < p->ops; o++)
		for (size_t r = p->first[o], next; r < p->first[o + 1]; r = next) {
			const uint32_t run = p->run[p->step[r]];

			for (next = r; next < p->first[o + 1] && p->run[p->step[next]] == run;)
				next++;
			if (2 * (next - r) <= s->run_first[run + 1] - s->run_first[run])
				continue;
			usual[run] += p->weight[o];
			for (size_t k = r; k < next; k++)
				share[p->step[k]] += p->weight[o];
		}
	for (size_t i = 0; i < p->steps; i++)
		share[i] = usual[p->run[i]] > 0 ? share[i] / usual[p->run[i]] : 1;
	memory_free(usual);
}

/* An odd step has next to nothing in common with most steps of its run, nor with any step that is
 * not odd. */
static void find_odd(struct step_splitter *s)
{
	const struct presence *p = s->p;
	double *share = memory_alloc(memory_product(p->steps, sizeof(*share)));
	double *own = memory_alloc(memory_product(p->steps, sizeof(*own)));
	double *shared = memory_alloc(memory_product(p->steps, sizeof(*shared)));

	share_usual(s, share);
	for (size_t o = 0; o < p->ops; o++) {
		bool elsewhere = false;

		for (size_t r = p->first[o]; r < p->first[o + 1]; r++)
			elsewhere |= share[p->step[r]] >= ODD;
		for (size_t r = p->first[o]; r < p->first[o + 1]; r++) {
			own[p->step[r]] += p->weight[o];
			shared[p->step[r]] += elsewhere ? p->weight[o] : 0;
		}
	}
	for (size_t i = 0; i < p->steps; i++)
		s->odd[i] = share[i] < ODD && shared[i] < ODD * own[i];
	memory_free(share);
	memory_free(own);
	memory_free(shared);
}

static uint32_t top(struct step_splitter *s, uint32_t step)
{
	while (s->parent[step] != step) {
		s->parent[step] = s->parent[s->parent[step]];
		step = s->parent[step];
	}
	return step;
}

/* The steps of an op as they are, or as many others of the same runs. */
static void join_op(struct step_splitter *s, size_t i, gsl_rng *rng)
{
	const struct presence *p = s->p;
	const uint32_t *step = p->step + p->first[s->op[i]];
	const size_t n = rows_of(p, s->op[i]);

	s->visits += n;
	s->op_step[i] = NO_GROUP;
	for (size_t k = 0, next; k < n; k = next) {
		const uint32_t run = p->run[step[k]];
		const size_t first = s->run_first[run], steps = s->run_first[run + 1] - first;

		for (next = k; next < n && p->run[step[next]] == run; next++) {
			uint32_t *to = s->order + first + (next - k), now = step[next];

			if (rng) {
				uint32_t *from = to + gsl_rng_uniform_int(rng, steps - (next - k));

				now = *from;
				*from = *to;
				*to = now;
			}
			if (s->op_step[i] == NO_GROUP)
				s->op_step[i] = now;

			const uint32_t x = top(s, s->op_step[i]), y = top(s, now);

			if (!s->touched[now]) {
				s->touched[now] = true;
				s->touched_count++;
			}
			if (x == y)
				continue;
			s->parent[x > y ? x : y] = x > y ? y : x;
			s->joined++;
		}
	}
}

/* False: there are fewer parts than are needed. */
static bool join_all(struct step_splitter *s, gsl_rng *rng, size_t needed)
{
	const size_t steps = s->p->steps;

	s->joined = s->touched_count = 0;
	s->is_shuffled = rng;
	for (uint32_t i = 0; i < steps; i++) {
		s->parent[i] = i;
		s->touched[i] = false;
	}
	for (size_t i = 0; i < s->op_count; i++) {
		join_op(s, i, rng);
		if (s->touched_count == steps && steps - s->joined < needed)
			return false;
	}
	return true;
}

/* Parts of enough steps, with the runs that they occur in. */
struct big_parts {
	uint32_t *part;
	size_t count, words;
	uint64_t *runs;	 /* `words` words for each */
	uint32_t *group; /* from 0, until it has been counted; of each */
};

static void list_big(const struct step_splitter *s, struct big_parts *out)
{
	uint32_t *index = memory_alloc(memory_product(s->parts, sizeof(*index)));

	*out = (struct big_parts){.words = (s->p->runs + 63) / 64};
	for (size_t k = 0; k < s->parts; k++)
		out->count += s->part_steps[k] >= PRESENCE_STEPS_LEAST;
	if (out->count > PARTS_MOST)
		out->count = 0;
	out->part = memory_alloc(memory_product(out->count, sizeof(*out->part)));
	out->group = memory_alloc(memory_product(out->count, sizeof(*out->group)));
	out->runs = memory_alloc(
		memory_product(memory_product(out->count, out->words), sizeof(*out->runs)));
	for (uint32_t k = 0, n = 0; k < s->parts && out->count; k++) {
		index[k] = NO_GROUP;
		if (s->part_steps[k] < PRESENCE_STEPS_LEAST)
			continue;
		out->part[n] = k;
		out->group[n] = n;
		index[k] = n++;
	}
	for (size_t i = 0; i < s->p->steps && out->count; i++) {
		const uint32_t at = index[s->part[i]], run = s->p->run[i];

		if (at != NO_GROUP)
			out->runs[at * out->words + run / 64] |= UINT64_C(1) << run % 64;
	}
	memory_free(index);
}

static bool share_run(const struct big_parts *big, size_t a, size_t b)
{
	for (size_t w = 0; w < big->words; w++)
		if (big->runs[a * big->words + w] & big->runs[b * big->words + w])
			return true;
	return false;
}

/* Parts that are never together are one: the ops have other names in other runs. */
static void merge_apart(struct big_parts *big)
{
	for (size_t a = 0; a < big->count; a++)
		for (size_t b = 0; b < a; b++) {
			const uint32_t x = big->group[a], y = big->group[b];

			if (x == y || share_run(big, a, b))
				continue;
			for (size_t k = 0; k < big->count; k++)
				if (big->group[k] == x || big->group[k] == y)
					big->group[k] = x < y ? x : y;
		}
}

static bool is_in_half(const struct step_splitter *s, const struct big_parts *big, uint32_t group)
{
	size_t runs = 0;

	for (size_t r = 0; r < s->p->runs; r++)
		for (size_t k = 0; k < big->count; k++)
			if (big->group[k] == group &&
				big->runs[k * big->words + r / 64] >> r % 64 & 1) {
				runs++;
				break;
			}
	return 2 * runs >= s->p->runs;
}

/* True if the ops of each big part ran in nearly all of its steps. */
static bool is_coherent(const struct step_splitter *s)
{
	double *cost = memory_alloc(memory_product(s->parts, sizeof(*cost)));
	double *ran = memory_alloc(memory_product(s->parts, sizeof(*ran)));
	bool coherent = true;

	for (size_t i = 0; i < s->op_count; i++) {
		const uint32_t part = s->part[s->op_step[i]];
		const double weight = s->p->weight[s->op[i]];

		cost[part] += weight;
		ran[part] += weight * (double)rows_of(s->p, s->op[i]) / (double)s->part_steps[part];
	}
	for (size_t k = 0; k < s->parts; k++)
		coherent &= s->part_group[k] == NO_GROUP || !(ran[k] < COHERENT * cost[k]);
	memory_free(cost);
	memory_free(ran);
	return coherent;
}

/* The number of groups that the parts make, 0 for a continuum; part_group is that of each part. */
static size_t count_groups(struct step_splitter *s)
{
	struct big_parts big;
	size_t groups = 0;
	uint32_t without[2] = {NO_GROUP, NO_GROUP};

	s->parts = 0;
	for (uint32_t i = 0; i < s->p->steps; i++) {
		uint32_t *of = s->touched[i] ? &s->part[top(s, i)]
					     : &without[s->is_shuffled ? 0 : s->odd[i]];

		if (s->touched[i] ? top(s, i) == i : *of == NO_GROUP) {
			s->part_steps[s->parts] = 0;
			*of = (uint32_t)s->parts++;
		}
		s->part[i] = *of;
		s->part_steps[*of]++;
	}
	for (size_t k = 0; k < s->parts; k++)
		s->part_group[k] = NO_GROUP;
	list_big(s, &big);
	merge_apart(&big);
	for (size_t k = 0; k < big.count; k++) {
		const uint32_t group = big.group[k];

		if (group == k && !is_in_half(s, &big, group))
			continue;
		if (group == k)
			s->part_group[big.part[k]] = (uint32_t)groups++;
		else
			s->part_group[big.part[k]] = s->part_group[big.part[group]];
	}
	memory_free(big.part);
	memory_free(big.group);
	memory_free(big.runs);
	return is_coherent(s) ? groups : 0;
}

/* Mean cost of each op in a step of each group: cost[group * ops + op]. */
static double *group_costs(const struct step_splitter *s, size_t groups)
{
	const struct presence *p = s->p;
	double *cost = memory_alloc(memory_product(memory_product(groups, p->ops), sizeof(*cost)));
	size_t *steps = memory_alloc(memory_product(groups, sizeof(*steps)));

	for (size_t k = 0; k < s->parts; k++)
		if (s->part_group[k] != NO_GROUP)
			steps[s->part_group[k]] += s->part_steps[k];
	for (size_t o = 0; o < p->ops; o++)
		for (size_t r = p->first[o]; r < p->first[o + 1]; r++) {
			const uint32_t group = s->part_group[s->part[p->step[r]]];

			if (group != NO_GROUP)
				cost[group * p->ops + o] += p->weight[o] / (double)steps[group];
		}
	memory_free(steps);
	return cost;
}

static bool differ(const double *a, const double *b, size_t ops)
{
	double apart = 0, of_a = 0, of_b = 0;

	for (size_t o = 0; o < ops; o++) {
		apart += a[o] > b[o] ? a[o] - b[o] : b[o] - a[o];
		of_a += a[o];
		of_b += b[o];
	}
	return !(apart < DIFFERENT * (of_a > of_b ? of_a : of_b));
}

static bool all_differ(const double *cost, size_t groups, size_t ops)
{
	for (size_t a = 0; a < groups; a++)
		for (size_t b = 0; b < a; b++)
			if (!differ(cost + a * ops, cost + b * ops, ops))
				return false;
	return true;
}

/* Each step has the group of its part; where that is none, odd steps have none, and others that
 * whose costs are nearest. */
static void assign(
	const struct step_splitter *s, const double *cost, size_t groups, uint32_t *group)
{
	const struct presence *p = s->p;
	uint32_t *left = memory_alloc(memory_product(p->steps, sizeof(*left)));
	double *apart;
	size_t n = 0;

	for (size_t i = 0; i < p->steps; i++) {
		group[i] = s->part_group[s->part[i]];
		left[i] = group[i] == NO_GROUP && !s->odd[i] ? (uint32_t)n++ : NO_GROUP;
	}
	apart = memory_alloc(memory_product(memory_product(n, groups), sizeof(*apart)));
	/* Beside the cost of the whole group, which is the distance of a step without any op. */
	for (size_t o = 0; o < p->ops; o++)
		for (size_t k = 0; n && k < groups; k++) {
			const double of = cost[k * p->ops + o], with = p->weight[o] - of;

			for (size_t i = 0; i < n; i++)
				apart[i * groups + k] += of;
			for (size_t r = p->first[o]; r < p->first[o + 1]; r++)
				if (left[p->step[r]] != NO_GROUP)
					apart[left[p->step[r]] * groups + k] +=
						(with < 0 ? -with : with) - of;
		}
	for (size_t i = 0; i < p->steps; i++)
		if (left[i] != NO_GROUP) {
			const double *of = apart + left[i] * groups;

			group[i] = 0;
			for (uint32_t k = 1; k < groups; k++)
				if (of[k] < of[group[i]])
					group[i] = k;
		}
	memory_free(apart);
	memory_free(left);
}

/* False: all steps are one group. */
static bool split(struct step_splitter *s, struct presence_groups *out)
{
	const size_t ops = s->p->ops;
	size_t groups = 0;
	double *cost;
	bool is_clear;

	choose_ops(s);
	if (s->op_count > 1 && join_all(s, NULL, 2))
		groups = count_groups(s);
	if (groups < 2 || groups > PRESENCE_GROUPS_MOST)
		return false;

	size_t covered = 0;

	for (size_t i = 0; i < s->p->steps; i++)
		covered += s->odd[i] || s->part_group[s->part[i]] != NO_GROUP;
	if (!((double)covered >= COVERED * (double)s->p->steps))
		return false;
	cost = group_costs(s, groups);
	is_clear = all_differ(cost, groups, ops);
	if (is_clear) {
		assign(s, cost, groups, out->group);

		bool *gave_up = &out->gave_up;
		gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
		bool made = false;

		gsl_rng_set(rng, SEED);
		s->visits = 0;
		for (size_t i = 0; i < TRIALS && !made && !*gave_up; i++) {
			made = join_all(s, rng, groups) && count_groups(s) >= groups;
			*gave_up = s->visits > VISITS_MOST;
		}
		gsl_rng_free(rng);
		is_clear = !made && !out->gave_up;
	}
	memory_free(cost);
	out->count = groups;
	return is_clear;
}

void presence_split(const struct presence *presence, struct presence_groups *out)
{
	struct step_splitter s;

	new_splitter(presence, &s);
	find_odd(&s);
	out->has_odd = out->gave_up = false;
	if (!split(&s, out)) {
		out->count = 1;
		for (size_t i = 0; i < presence->steps; i++)
			out->group[i] = s.odd[i] ? NO_GROUP : 0;
	}
	for (size_t i = 0; i < presence->steps; i++)
		if (out->group[i] == NO_GROUP) {
			out->group[i] = (uint32_t)out->count;
			out->has_odd = true;
		}
	out->count += out->has_odd;
	memory_free(s.op);
	memory_free(s.parent);
	memory_free(s.touched);
	memory_free(s.odd);
	memory_free(s.op_step);
	memory_free(s.order);
	memory_free(s.run_first);
	memory_free(s.part);
	memory_free(s.part_steps);
	memory_free(s.part_group);
}

double presence_even(const struct presence_runs *side, size_t sides)
{
	double chi = 0, df = 0;

	for (size_t i = 0; i < sides; i++) {
		double ran = 0, steps = 0, p;

		for (size_t r = 0; r < side[i].runs; r++) {
			ran += (double)side[i].ran[r];
			steps += (double)side[i].steps[r];
		}
		p = ran / steps;
		if (!(p > 0 && p < 1))
			continue;
		for (size_t r = 0; r < side[i].runs; r++) {
			const double n = (double)side[i].steps[r],
				     off = (double)side[i].ran[r] - n * p;

			chi += n > 0 ? off * off / (n * p * (1 - p)) : 0;
		}
		df += (double)side[i].runs - 1;
	}
	return df > 0 ? gsl_cdf_chisq_P(chi, df) : NAN;
}
