/*
 * The checks of a gate as all writers show them: the loud ones first, the same words everywhere.
 */
#include "writers/writer_check.h"

#include "base/memory.h"

/* LEVEL_COUNT: the check passed, or was skipped because nothing asks for its answer. */
static enum check_level level_of(const struct check *check)
{
	switch (check->status) {
	case CHECK_FAILED:
	case CHECK_UNUSABLE:
		return LEVEL_RED;
	case CHECK_UNDECIDED:
		return LEVEL_UNDECIDED;
	case CHECK_WAIVED:
		return LEVEL_WAIVED;
	case CHECK_PASSED:
	case CHECK_SKIPPED:
		break;
	}
	return LEVEL_COUNT;
}

static void add_level(struct check_list *list, const struct report *report, enum check_level level,
	bool of_step, bool blind)
{
	for (size_t i = 0; i < report->check_count; i++) {
		const struct check *check = &report->check[i];

		if (level_of(check) != level || check->of_step != of_step ||
			(check->is_blind && level == LEVEL_UNDECIDED && !blind))
			continue;
		list->item[list->count++] = (struct listed_check){check, level};
		list->of_level[level]++;
	}
}

void check_list_init(struct check_list *list, const struct report *report, bool blind)
{
	*list = (struct check_list){0};
	list->item = memory_alloc(memory_product(report->check_count + 1, sizeof(*list->item)));
	for (int of_ops = 0; of_ops < 2; of_ops++)
		for (int level = 0; level < LEVEL_COUNT; level++)
			add_level(list, report, (enum check_level)level, !of_ops, blind);
}

void check_list_release(struct check_list *list)
{
	memory_free(list->item);
	list->item = NULL;
}

const char *check_status_word(enum check_status status)
{
	static const char *const word[] = {
		[CHECK_PASSED] = "passed",
		[CHECK_FAILED] = "failed",
		[CHECK_UNDECIDED] = "undecided",
		[CHECK_WAIVED] = "waived",
		[CHECK_UNUSABLE] = "unusable",
		[CHECK_SKIPPED] = "skipped",
	};

	return word[status];
}

const char *check_verdict(const struct check *check)
{
	return check->verdict && *check->verdict ? check->verdict
						 : check_status_word(check->status);
}

void check_add_subject(const struct check *check, struct text *out)
{
	if (!check->subject && !check->measure)
		text_add(out, check->name);
	if (check->subject)
		text_add(out, check->subject);
	if (check->subject && check->measure)
		text_add_char(out, ' ');
	if (check->measure)
		text_add(out, check->measure);
}

void check_add_title(const struct check *check, struct text *out)
{
	text_add(out, check_verdict(check));
	/* Else a regression that somebody signed for would read like any other. */
	if (check->status == CHECK_WAIVED && check->verdict && *check->verdict)
		text_add(out, ", waived");
	text_add(out, ": ");
	check_add_subject(check, out);
	if (check->subject || check->measure)
		text_printf(out, " (%s)", check->name);
}

enum check_level check_exit_level(int exit_status)
{
	switch (exit_status) {
	case 0:
	case 5: /* improved: said aloud where asked, nothing is wrong */
		return LEVEL_COUNT;
	case 4:
		return LEVEL_UNDECIDED;
	default:
		return LEVEL_RED;
	}
}

int check_need_result(const struct report *report, const char *format, struct error *err)
{
	if (report->has_result)
		return 0;
	error_set(err, ERROR_USAGE, NULL,
		"%s shows the checks of a gate, and `stepstat %s` makes none", format,
		report->command ? report->command : "report");
	return error_hint(
		err, "only `stepstat gate` writes it; other formats: text, csv, md, json");
}
