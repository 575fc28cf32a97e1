/*
 * The options' regular expressions, compiled once for a view, its minimums and its order.
 */
#include "tfprof/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "tfprof/view/regex.h"
#include "tfprof/view/steps.h"
#include "tfprof/view/tree.h"

struct view_filter {
	const struct tfprof_options *options;
	struct regex_list *account, *start, *trim, *show, *hide;
	bool asks_steps;  /* has minimums of step words */
	bool asks_values; /* has any minimum that is not 0 */
	bool asks_names;  /* show is not all, or something is hidden */
};

static void release(void *object)
{
	regex_list_free(object);
}

static struct regex_list *compile(const struct word_list *words, struct arena *arena)
{
	struct regex_list *list = regex_list_new(words);

	arena_defer(arena, release, list);
	return list;
}

struct view_filter *view_filter_new(const struct tfprof_options *options, struct arena *arena)
{
	struct view_filter *filter = arena_alloc(arena, sizeof(*filter));

	filter->options = options;
	for (size_t i = 0; i < STEP_WORDS; i++)
		filter->asks_steps |= options->min_steps[i] > 0;
	filter->asks_values = filter->asks_steps;
	for (enum quantity q = 0; q < QUANTITY_DEFINITION; q++)
		filter->asks_values |= options->min[q] != 0;
	filter->account = compile(&options->account_type, arena);
	filter->start = compile(&options->start_name, arena);
	filter->trim = compile(&options->trim_name, arena);
	filter->show = compile(&options->show_name, arena);
	filter->hide = compile(&options->hide_name, arena);
	filter->asks_names = !regex_list_is_all(filter->show) || !regex_list_is_empty(filter->hide);
	return filter;
}

const struct regex_list *view_filter_account(const struct view_filter *filter)
{
	return filter->account;
}

const struct regex_list *view_filter_start(const struct view_filter *filter)
{
	return filter->start;
}

const struct regex_list *view_filter_trim(const struct view_filter *filter)
{
	return filter->trim;
}

bool view_filter_shows(const struct view_filter *filter, const char *name, size_t bytes)
{
	return !filter->asks_names || (regex_list_matches_bytes(filter->show, name, bytes) &&
					      !regex_list_matches_bytes(filter->hide, name, bytes));
}

/* Scope and graph ask these of the node alone. */
static bool is_asked_of_self(enum quantity q)
{
	return q == QUANTITY_PARAMS || q == QUANTITY_FLOAT_OPS || q == QUANTITY_OCCURRENCE;
}

/* Without minimums what is below zero is hidden. */
static bool is_positive(enum view_kind kind, const int64_t *total, const int64_t *self)
{
	bool by_node = kind == VIEW_SCOPE || kind == VIEW_GRAPH;
	int64_t all = 0;

	for (enum quantity q = 0; q < QUANTITY_PARAMS; q++)
		all |= total[q];
	if (by_node)
		all |= self[QUANTITY_PARAMS] | self[QUANTITY_FLOAT_OPS] | self[QUANTITY_OCCURRENCE];
	else
		all |= total[QUANTITY_PARAMS] | total[QUANTITY_FLOAT_OPS];
	return all >= 0;
}

bool view_filter_enough(const struct view_filter *filter, enum view_kind kind, const int64_t *total,
	const int64_t *self, size_t node_count, size_t slots)
{
	if (slots == 1 && !filter->asks_values)
		return is_positive(kind, total, self);

	bool by_node = kind == VIEW_SCOPE || kind == VIEW_GRAPH;

	for (enum quantity q = 0; q < QUANTITY_DEFINITION; q++) {
		const int64_t *value = by_node && is_asked_of_self(q) ? self : total;
		__int128 least = filter->options->min[q];

		if (q == QUANTITY_OCCURRENCE && kind == VIEW_CODE)
			continue;
		if (q == QUANTITY_OCCURRENCE && kind == VIEW_OP) {
			if (node_count < least)
				return false;
			continue;
		}
		if (slots == 1 ? value[q] < filter->options->min[q]
			       : slots_sum(value + q * slots, slots) < least * (__int128)slots)
			return false;
	}
	return !filter->asks_steps || steps_enough(filter->options, kind, total, self, slots);
}

/* A child with what it is sorted by. */
struct sorted {
	struct view_node *node;
	__int128 key;
	double statistic;
	size_t place;
};

static int compare_places(const struct sorted *a, const struct sorted *b)
{
	return (a->place > b->place) - (a->place < b->place);
}

static int compare_names(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	int order = strcmp(a->node->name, b->node->name);

	return order ? order : compare_places(a, b);
}

static int compare_keys(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? 1 : -1;
	return compare_places(a, b);
}

/* Scopes come by name, which is the usual order: nothing is to be done then. */
static bool are_by_name(struct view_node *const *children, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(children[i - 1]->name, children[i]->name) > 0)
			return false;
	return true;
}

static bool is_sorted(
	const struct sorted *item, size_t count, int (*compare)(const void *a, const void *b))
{
	for (size_t i = 1; i < count; i++)
		if (compare(&item[i - 1], &item[i]) > 0)
			return false;
	return true;
}

/* Order by the statistic; a node without one comes last. */
static int compare_statistics(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;

	if (isnan(a->statistic) || isnan(b->statistic)) {
		if (isnan(a->statistic) != isnan(b->statistic))
			return isnan(a->statistic) ? 1 : -1;
	} else if (a->statistic != b->statistic) {
		return a->statistic < b->statistic ? 1 : -1;
	}
	return compare_places(a, b);
}

void view_sort(struct view_node **children, size_t count, const struct tfprof_options *options,
	enum view_kind kind, size_t slots)
{
	const char *order = options->order_by;
	bool by_node = kind == VIEW_SCOPE || kind == VIEW_GRAPH;

	if (count < 2 || *order == '\0' ||
		(text_equal(order, "name") && are_by_name(children, count)))
		return;
	enum quantity q = quantity_of_order(order);
	size_t word = step_word_find(order, strlen(order));

	if (q == QUANTITY_OCCURRENCE && by_node)
		q = QUANTITIES;
	int (*compare)(const void *a, const void *b) =
		q == QUANTITIES ? compare_names : compare_keys;
	struct sorted *item = memory_alloc(memory_product(count, sizeof(*item)));

	for (size_t i = 0; i < count; i++) {
		item[i] = (struct sorted){.node = children[i], .place = i};
		if (q == QUANTITY_OCCURRENCE)
			item[i].key = (__int128)children[i]->node_count;
		else if (q != QUANTITIES)
			item[i].key = slots_sum(children[i]->total + q * slots, slots);
		if (word != STEP_WORDS)
			item[i].statistic = steps_statistic(children[i]->total, word, slots);
	}
	if (word != STEP_WORDS)
		compare = compare_statistics;
	if (!is_sorted(item, count, compare))
		qsort(item, count, sizeof(*item), compare);
	for (size_t i = 0; i < count; i++)
		children[i] = item[i].node;
	memory_free(item);
}
