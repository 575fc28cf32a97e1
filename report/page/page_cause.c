/*
 * Cause of a long step.
 */
#include <math.h>
#include "report/page/page.h"

#define CAUSE_PART 5 /* a value of less than one part in so many did not make the step long */

double page_step_value(const struct web_page *page, const struct page_step *step)
{
	return page->has_step_time ? step->time : step->op_time;
}

static bool has_idle_parts(const struct page_device *device)
{
	for (size_t i = 0; i < device->part_count; i++)
		if (device->part[i].of_idle)
			return true;
	return false;
}

static void consider(struct page_cause *best, const struct page_cause *candidate)
{
	if (candidate->value - candidate->usual > best->value - best->usual)
		*best = *candidate;
}

/* Parts of the window; of idle its own parts, where there are any. */
static void find_part(const struct web_page *page, size_t step, struct page_cause *best)
{
	for (size_t d = 0; d < page->devices_count; d++) {
		const struct page_device *device = &page->devices[d];
		const bool split = has_idle_parts(device);

		for (size_t i = 0; i < device->part_count; i++) {
			const struct page_part *part = &device->part[i];

			if (part->of_compute || (split && part->is_idle))
				continue;
			consider(best, &(struct page_cause){.device = device,
					       .part = part,
					       .value = part->value[step],
					       .usual = part->median});
		}
	}
}

bool page_cause_of(const struct web_page *page, size_t step, struct page_cause *out)
{
	const double over = page_step_value(page, &page->step[step]) - page->median;

	*out = (struct page_cause){.value = 0};
	if (page->has_step_time && page->devices_count)
		find_part(page, step, out);
	else if (!page->overlap) {
		const struct page_rows *rows = &page->rows[PAGE_NAME];

		for (size_t i = 0; i < rows->count; i++) {
			const struct page_row *row = &rows->row[i];

			if (row->value)
				consider(out,
					&(struct page_cause){.row = row,
						.value = isnan(row->value[step]) ? 0
										 : row->value[step],
						.usual = row->number.median});
		}
	}
	return over > 0 && out->value - out->usual >= over / CAUSE_PART;
}
