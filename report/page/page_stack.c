/*
 * Stacks of steps: their rows, and levels of these.
 */
#include "report/page/page_stack.h"

#include <math.h>
#include <string.h>
#include "base/names/short_names.h"
#include "base/number.h"
#include "base/text.h"

#define NEIGHBOURS 4
#define EVEN_SHARE 0.75	   /* a row of so much leaves nothing to see */
#define STACK_CELLS 200000 /* more values would make the page too large: one stack, then */
#define CELLS_OF_STACK 12

double page_step_value(const struct web_page *page, const struct page_step *step)
{
	return page->has_step_time ? step->time : step->op_time;
}

/* ---- levels ---- */

double *page_levels(const struct web_page *page, const double *value, struct arena *arena)
{
	double *level = arena_array(arena, page->step_count, sizeof(*level));

	for (size_t r = 0; r < page->run_count; r++) {
		const size_t first = page->run[r].first, end = first + page->run[r].count;

		for (size_t s = first; s < end; s++) {
			size_t before = s, after = s + 1, n = 0;
			double x[NEIGHBOURS];

			level[s] = NAN;
			while (page->step[s].kept && n < NEIGHBOURS) {
				while (before > first && !page->step[before - 1].kept)
					before--;
				while (after < end && !page->step[after].kept)
					after++;
				if (before == first && after == end)
					break;
				const bool back =
					before > first && (after == end || s - before < after - s);
				const size_t at = back ? --before : after++;

				if (!isnan(value[at]))
					x[n++] = value[at];
			}
			if (!n)
				continue;
			number_sort(x, n);
			level[s] = (x[(n - 1) / 2] + x[n / 2]) / 2;
		}
	}
	return level;
}

/* ---- rows ---- */

static void add_row(const struct web_page *page, struct page_stack *stack,
	struct page_stack_row row, struct arena *arena)
{
	double *value = arena_array(arena, page->step_count, sizeof(*value));

	/* Where it did not run it has 0. */
	for (size_t s = 0; s < page->step_count; s++)
		value[s] = isnan(row.value[s]) ? 0 : row.value[s];
	row.value = value;
	row.level = page_levels(page, value, arena);
	stack->row[stack->count++] = row;
}

static double mean_of_kept(const struct web_page *page, const double *value)
{
	double sum = 0;
	size_t n = 0;

	for (size_t s = 0; s < page->step_count; s++)
		if (page->step[s].kept) {
			sum += isnan(value[s]) ? 0 : value[s];
			n++;
		}
	return n ? sum / (double)n : NAN;
}

/* The ops that are in no row of the stack, as one row. */
static void add_rest(const struct web_page *page, struct page_stack *stack, const char *name,
	const char *kind, struct arena *arena)
{
	double *rest = arena_array(arena, page->step_count, sizeof(*rest));

	for (size_t s = 0; s < page->step_count; s++) {
		rest[s] = page->step[s].op_time;
		for (size_t i = 0; i < stack->count; i++)
			rest[s] -= stack->row[i].value[s];
		if (fabs(rest[s]) < page->grid / 2)
			rest[s] = 0;
	}
	add_row(page, stack,
		(struct page_stack_row){.name = name,
			.kind = kind,
			.mean = mean_of_kept(page, rest),
			.value = rest},
		arena);
}

static double weight(const struct page_row *row)
{
	/* Either may be undefined. */
	return fmax(fmax(row->number.share, row->number.jitter), 0);
}

/* The rows with the largest of share and jitter that have values, in the order of the rows. */
static size_t choose(const struct page_rows *rows, size_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->count; i++) {
		size_t least = 0;

		if (!rows->row[i].value)
			continue;
		if (n < PAGE_STACK_LARGEST) {
			out[n++] = i;
			continue;
		}
		for (size_t k = 1; k < n; k++)
			if (weight(&rows->row[out[k]]) <= weight(&rows->row[out[least]]))
				least = k;
		if (weight(&rows->row[i]) <= weight(&rows->row[out[least]]))
			continue;
		memmove(&out[least], &out[least + 1], (n - 1 - least) * sizeof(*out));
		out[n - 1] = i;
	}
	return n;
}

static const char *const kinds[PAGE_STACK_LARGEST] = {"s0", "s1", "s2", "s3", "s4"};

static void stack_of_rows(const struct web_page *page, enum page_kind kind, const char *id,
	struct page_stack *out, struct arena *arena)
{
	const struct page_rows *rows = &page->rows[kind];
	size_t row[PAGE_STACK_LARGEST];
	const size_t n = page->overlap ? 0 : choose(rows, row);

	*out = (struct page_stack){.id = id,
		.label = rows->noun,
		.text = page->overlap
				? "The sum of each step, not split: rows hold everything below "
				  "them."
			: page->has_step_time
				? "A column is the op time of a step; the mark is the step time, "
				  "which is shorter where ops run side by side."
				: "A column is the sum of a step over its rows."};
	for (size_t i = 0; i < n; i++) {
		const struct page_row *of = &rows->row[row[i]];
		const char *name = of->short_name ? of->short_name : of->name;

		add_row(page, out,
			(struct page_stack_row){.name = *name ? name : NO_NAME,
				.kind = kinds[i],
				.mean = mean_of_kept(page, of->value),
				.value = of->value},
			arena);
	}
	if (page->overlap)
		add_rest(page, out, page->total.label, "s1", arena);
	else if (rows->count > n)
		add_rest(page, out,
			arena_printf(arena, "%zu other %s", rows->count - n,
				rows->count - n == 1 ? rows->noun : rows->nouns),
			"rest", arena);
}

/* ---- devices ---- */

/* Colour of a part of a device's window. */
static const char *part_kind(const struct page_part *part, size_t place)
{
	return text_equal(part->name, PAGE_NO_CAUSE) ? "rest"
	       : part->of_idle ? strstr(part->name, "host") ? "idle0" : "idle1"
	       : part->is_idle ? "idle1"
			       : kinds[place < PAGE_STACK_LARGEST ? place : PAGE_STACK_LARGEST - 1];
}

static void stack_of_device(const struct web_page *page, const struct page_device *device,
	const char *id, struct page_stack *out, struct arena *arena)
{
	bool split = false;

	*out = (struct page_stack){.id = id,
		.label = arena_printf(arena, "part of %s", device->name),
		.text = arena_printf(arena,
			"What %s did from the start of a step to the start of the next one; the "
			"mark is the step time.",
			device->name)};
	for (size_t i = 0; i < device->part_count; i++)
		split |= device->part[i].of_idle;
	for (size_t i = 0; i < device->part_count && out->count < PAGE_STACK_ROWS; i++) {
		const struct page_part *part = &device->part[i];

		if (part->of_compute || (part->is_idle && split))
			continue;
		add_row(page, out,
			(struct page_stack_row){
				.name = part->of_idle ? arena_printf(arena, "idle: %s", part->name)
						      : part->name,
				.kind = part_kind(part, i),
				.mean = part->mean,
				.value = part->value},
			arena);
	}
}

/* ---- all of them ---- */

static bool is_even(const struct page_rows *rows)
{
	if (rows->count < 2)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].number.share >= EVEN_SHARE)
			return false;
	return true;
}

static double busy(const struct page_device *device)
{
	double sum = 0;

	for (size_t i = 0; i < device->part_count; i++)
		if (!device->part[i].is_idle && !device->part[i].of_idle &&
			!device->part[i].of_compute)
			sum += device->part[i].mean;
	return sum;
}

/* The device of the most work that has no stack yet; the first of equal ones. */
static size_t busiest(const struct web_page *page, const bool *stacked)
{
	size_t most = page->devices_count;

	for (size_t d = 0; d < page->devices_count; d++)
		if (!stacked[d] && (most == page->devices_count ||
					   busy(&page->devices[d]) > busy(&page->devices[most])))
			most = d;
	return most;
}

size_t page_stacks_make(const struct web_page *page, struct arena *arena, struct page_stack *out)
{
	static const struct {
		enum page_kind kind;
		const char *id;
	} of[] = {{PAGE_CLASS, "class"}, {PAGE_TYPE, "type"}, {PAGE_NAME, "op"}};
	const size_t most = page->step_count > STACK_CELLS / CELLS_OF_STACK ? 1 : PAGE_STACKS;
	bool *stacked = arena_array(arena, page->devices_count, sizeof(*stacked));
	size_t n = 0, first = 0;

	/* Parts of devices are of the window, which is not that of the sum of ops. */
	while (page->has_step_time && n < page->devices_count && n + 3 < most) {
		const char *id = n ? arena_printf(arena, "part%zu", n) : "part";
		const size_t d = busiest(page, stacked);

		stacked[d] = true;
		stack_of_device(page, &page->devices[d], id, &out[n++], arena);
	}
	while (first < 2 && !is_even(&page->rows[of[first].kind]))
		first++;
	for (size_t i = 0; i < 3 && n < most; i++) {
		const size_t k = (first + i) % 3;

		if (of[k].kind == PAGE_NAME || page->rows[of[k].kind].count > 1)
			stack_of_rows(page, of[k].kind, of[k].id, &out[n++], arena);
	}
	return n;
}
