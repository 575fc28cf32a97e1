/* The result of a gate and its checks on the page of a comparison. */
#include "base/text.h"
#include "report/html/html_compare.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "writers/writer.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define OPEN_MOST 10 /* that failed and are no row */

static bool any_blind(const struct report *report)
{
	for (size_t i = 0; i < report->check_count; i++)
		if (html_is_word(report->check[i].verdict, "BLIND"))
			return true;
	return false;
}

/* Class of the gate's result; a result that could not have shown a change is never green, also
 * where it is let pass. */
const char *html_gate_class(const struct report *report, const struct page_compare *compare)
{
	const bool step_decided =
		compare->benchmarks ||
		(compare->step_verdict && !html_is_word(compare->step_verdict, "INCONCLUSIVE"));

	switch (report->exit_status) {
	case 0:
	case 5:
		return any_blind(report) && !step_decided ? "quiet" : "better";
	case 4:
		return "quiet";
	default:
		return "worse";
	}
}

/* ---- checks of a gate ---- */

/* A check that failed and is no row of the table: of the step, of work that moved, of a policy. */
static bool is_open_check(const struct page_compare *c, const struct check *check)
{
	if (check->status != CHECK_FAILED && check->status != CHECK_UNUSABLE)
		return false;
	for (size_t i = 0; !check->of_step && check->subject && i < c->count && c->row[i].failed;
		i++)
		if (html_is_word(c->row[i].name, check->subject))
			return false;
	return true;
}

/* The first of them, above the rows. */
void html_checks_failed(
	struct text *out, const struct report *report, const struct page_compare *compare)
{
	size_t shown = 0;

	for (size_t i = 0; i < report->check_count && shown < OPEN_MOST; i++) {
		const struct check *check = &report->check[i];
		struct text title;

		if (!is_open_check(compare, check))
			continue;
		if (!shown++) {
			html_section(out, "failed", "", "What failed");
			text_add(out, "<table class=\"rows\"><tbody>");
		}
		text_init(&title);
		check_add_title(check, &title);
		text_add(out, "<tr><td class=\"text worse\">");
		html_add(out, text_string(&title));
		text_add(out, "</td><td class=\"text\">");
		html_sentence(out, check->message ? check->message : "");
		text_add(out, "</td></tr>\n");
		text_release(&title);
	}
	if (shown)
		text_add(out, "</tbody></table></section>\n");
}

void html_checks(struct text *out, const struct report *report)
{
	size_t of[CHECK_SKIPPED + 1] = {0};

	if (!report->check_count)
		return;
	for (size_t i = 0; i < report->check_count; i++)
		of[report->check[i].status]++;
	html_section(out, "checks", "long", "Checks");
	html_named_table(out, report, "checks", TABLE_MOST,
		arena_printf(report->arena, "%zu failed, %zu undecided, %zu waived, %zu passed%s",
			of[CHECK_FAILED] + of[CHECK_UNUSABLE], of[CHECK_UNDECIDED],
			of[CHECK_WAIVED], of[CHECK_PASSED],
			of[CHECK_SKIPPED] ? arena_printf(report->arena, ", %zu could not be judged",
						    of[CHECK_SKIPPED])
					  : ""));
	text_add(out, "</section>\n");
}
