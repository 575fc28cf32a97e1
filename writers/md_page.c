/* Room is given in two rounds, both in the order of importance: first to the lines that a part
 * cannot do without (the head and the sums of a table), then to the others from the start of their
 * part. */
#include "writers/md_page.h"

#include <stdint.h>
#include <string.h>

struct page_line {
	size_t end; /* in the text of the part */
	bool fixed, shown;
};

/* Most important first. */
static const enum md_part order[] = {MD_RESULT, MD_HEADING, MD_CHECKS, MD_BEFORE, MD_NOTES,
	MD_ISSUES, MD_ROWS, MD_CHECKS_FOLDED, MD_NOTES_FOLDED, MD_ISSUES_FOLDED, MD_ROWS_FOLDED,
	MD_NAMES_FOLDED};

void md_page_init(struct md_page *page)
{
	memset(page, 0, sizeof(*page));
	for (int i = 0; i < MD_PART_COUNT; i++) {
		text_init(&page->part[i].open);
		text_init(&page->part[i].close);
		text_init(&page->part[i].text);
		vec_init(&page->part[i].line, sizeof(struct page_line), SIZE_MAX, "lines");
	}
}

void md_page_release(struct md_page *page)
{
	for (int i = 0; i < MD_PART_COUNT; i++) {
		text_release(&page->part[i].open);
		text_release(&page->part[i].close);
		text_release(&page->part[i].text);
		vec_release(&page->part[i].line);
	}
}

bool md_page_is_full(const struct md_page *page, enum md_part part)
{
	return page->part[part].text.size > MD_PAGE_MOST;
}

void md_page_add(struct md_page *page, enum md_part part, const char *line, bool fixed)
{
	struct md_lines *lines = &page->part[part];
	struct page_line *new;

	text_add(&lines->text, line);
	text_add_char(&lines->text, '\n');
	new = vec_push(&lines->line, NULL);
	new->end = lines->text.size;
	new->fixed = fixed;
}

/* Shows the lines of one kind that fit into what is left; all after the first that does not are
 * left out. */
static void choose_lines(struct md_lines *lines, bool fixed, size_t *left)
{
	size_t start = 0, frame = lines->open.size + lines->close.size + 1;
	bool any = false;

	for (size_t i = 0; i < lines->line.count; i++)
		any = any || ((struct page_line *)vec_at(&lines->line, i))->shown;
	for (size_t i = 0; i < lines->line.count; i++) {
		struct page_line *line = vec_at(&lines->line, i);
		size_t cost = line->end - start + (any ? 0 : frame);

		start = line->end;
		if (line->fixed != fixed)
			continue;
		if (cost > *left)
			return;
		*left -= cost;
		line->shown = any = true;
	}
}

size_t md_page_fit(struct md_page *page, size_t reserve)
{
	size_t left = MD_PAGE_MOST - reserve, count = 0;

	for (int fixed = 1; fixed >= 0; fixed--)
		for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
			choose_lines(&page->part[order[i]], fixed, &left);
	for (int i = 0; i < MD_PART_COUNT; i++) {
		struct md_lines *lines = &page->part[i];

		lines->left_out = lines->beyond;
		for (size_t k = 0; k < lines->line.count; k++)
			lines->left_out += !((struct page_line *)vec_at(&lines->line, k))->shown;
		count += lines->left_out;
	}
	return count;
}

bool md_page_write(const struct md_page *page, struct outfile *out)
{
	bool began = false;

	for (int i = 0; i < MD_PART_COUNT; i++) {
		bool any = false;
		size_t start = 0;

		for (size_t j = 0; j < page->part[i].line.count; j++) {
			const struct page_line *line = vec_at(&page->part[i].line, j);

			if (line->shown && !any) {
				outfile_puts(out, began ? "\n" : "");
				outfile_puts(out, text_string(&page->part[i].open));
				any = true;
			}
			if (line->shown)
				outfile_write(
					out, page->part[i].text.data + start, line->end - start);
			start = line->end;
		}
		if (any)
			outfile_puts(out, text_string(&page->part[i].close));
		began |= any;
	}
	return began;
}
