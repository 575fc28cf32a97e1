/* Stacks of steps: their rows, and levels of these. */
#include "report/page/page_stack.h"

#include <math.h>
#include <string.h>
#include "base/names/short_names.h"
#include "base/number.h"
#include "base/text.h"
#include "report/build_tables.h"

#define NEIGHBOURS 4
#define EVEN_SHARE 0.75	   /* a row of so much leaves nothing to see */
#define STACK_CELLS 200000 /* more values would make the page too large: one stack, then */
#define CELLS_OF_STACK 12

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

/* One split of the steps: rows of the table that have its id. */
struct page_stack {
	const struct web_page *page;
	struct report *report;
	struct table *table;
	const char *id, *label, *text; /* "class", "class", how to read it */
	double *rest;		       /* of the op time of each step, what is in no row yet */
	size_t count;
};

struct cell page_list(struct arena *arena, const double *value, size_t count)
{
	struct cell_list *list = arena_alloc(arena, sizeof(*list));

	*list = (struct cell_list){value, count};
	return value ? (struct cell){.kind = CELL_LIST, .list = list} : cell_real(NAN);
}

static void begin(struct page_stack *s, const char *id, const char *label, const char *text)
{
	s->id = id;
	s->label = label;
	s->text = text;
	s->count = 0;
	s->rest = arena_array(s->report->arena, s->page->step_count, sizeof(*s->rest));
	for (size_t i = 0; i < s->page->step_count; i++)
		s->rest[i] = s->page->step[i].op_time;
}

/* Kinds are colours: "s0" (largest) to "s4", "rest", "idle0", "idle1". A mean that is NaN is that
 * of the kept steps. */
static void add_row(
	struct page_stack *s, const char *name, const char *kind, double mean, const double *of)
{
	const struct web_page *page = s->page;
	struct arena *arena = s->report->arena;
	double *value = arena_array(arena, page->step_count, sizeof(*value)), sum = 0;
	size_t n = 0;

	/* Where it did not run it has 0. */
	for (size_t i = 0; i < page->step_count; i++) {
		value[i] = isnan(of[i]) ? 0 : of[i];
		s->rest[i] -= value[i];
		sum += page->step[i].kept ? value[i] : 0;
		n += page->step[i].kept;
	}
	report_add_cells(s->report, s->table,
		(const struct cell[]){cell_text(s->id), cell_text(s->label), cell_text(s->text),
			cell_text(name), cell_text(kind),
			cell_real(isnan(mean) && n ? sum / (double)n : mean),
			page_list(arena, value, page->step_count),
			page_list(arena, page_levels(page, value, arena), page->step_count)});
	s->count++;
}

/* The ops that are in no row of the stack, as one row. */
static void add_rest(struct page_stack *s, const char *name, const char *kind)
{
	for (size_t i = 0; i < s->page->step_count; i++)
		if (fabs(s->rest[i]) < s->page->grid / 2)
			s->rest[i] = 0;
	add_row(s, name, kind, NAN, s->rest);
}

static double weight(const struct page_row *row)
{
	/* Either may be undefined. */
	return fmax(fmax(row->share, row->jitter), 0);
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

static void stack_of_rows(struct page_stack *s, enum page_kind kind, const char *id)
{
	const struct web_page *page = s->page;
	const struct page_rows *rows = &page->rows[kind];
	size_t row[PAGE_STACK_LARGEST];
	const size_t n = page->overlap ? 0 : choose(rows, row);

	begin(s, id, rows->noun,
		page->overlap ? "The sum of each step, not split: rows hold everything below them."
		: page->has_step_time
			? "A column is the op time of a step; the mark is the step time: shorter "
			  "where ops run side by side, longer where none runs."
			: "A column is the sum of a step over its rows.");
	for (size_t i = 0; i < n; i++) {
		const struct page_row *of = &rows->row[row[i]];
		const char *name = of->short_name ? of->short_name : of->name;

		add_row(s, *name ? name : NO_NAME, kinds[i], NAN, of->value);
	}
	if (page->overlap)
		add_rest(s, page->total.label, "s1");
	else if (rows->count > n)
		add_rest(s,
			arena_printf(s->report->arena, "%zu other %s", rows->count - n,
				rows->count - n == 1 ? rows->noun : rows->nouns),
			"rest");
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

static void stack_of_device(struct page_stack *s, const struct page_device *device, const char *id)
{
	struct arena *arena = s->report->arena;
	bool split = false;

	begin(s, id, arena_printf(arena, "part of %s", device->name),
		arena_printf(arena,
			"What %s did from the start of a step to the start of the next one; the "
			"mark is the step time.",
			device->name));
	for (size_t i = 0; i < device->part_count; i++)
		split |= device->part[i].of_idle;
	for (size_t i = 0; i < device->part_count && s->count < PAGE_STACK_ROWS; i++) {
		const struct page_part *part = &device->part[i];

		if (part->of_compute || (part->is_idle && split))
			continue;
		add_row(s, part->of_idle ? arena_printf(arena, "idle: %s", part->name) : part->name,
			part_kind(part, i), part->mean, part->value);
	}
}

/* ---- all of them ---- */

static bool is_even(const struct page_rows *rows)
{
	if (rows->count < 2)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].share >= EVEN_SHARE)
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

void page_stacks_add(
	const struct web_page *page, struct report *report, const struct build_options *opt)
{
	static const struct {
		enum page_kind kind;
		const char *id;
	} of[] = {{PAGE_CLASS, "class"}, {PAGE_TYPE, "type"}, {PAGE_NAME, "op"}};
	const size_t most = page->step_count > STACK_CELLS / CELLS_OF_STACK ? 1 : PAGE_STACKS;
	bool *stacked = arena_array(report->arena, page->devices_count, sizeof(*stacked));
	struct page_stack s = {.page = page,
		.report = report,
		.table = report_spell_columns(report, report_append_drawn(report, "stacks"), opt,
			page->dimension, "id label text name kind mean:v value:v level:v")};
	size_t n = 0, first = 0;

	/* Parts of devices are of the window, which is not that of the sum of ops. */
	for (; page->has_step_time && n < page->devices_count && n + 3 < most; n++) {
		const size_t d = busiest(page, stacked);

		stacked[d] = true;
		stack_of_device(&s, &page->devices[d],
			n ? arena_printf(report->arena, "part%zu", n) : "part");
	}
	while (first < 2 && !is_even(&page->rows[of[first].kind]))
		first++;
	for (size_t i = 0; i < 3 && n < most; i++) {
		const size_t k = (first + i) % 3;

		if (of[k].kind != PAGE_NAME && page->rows[of[k].kind].count < 2)
			continue;
		stack_of_rows(&s, of[k].kind, of[k].id);
		n++;
	}
}
