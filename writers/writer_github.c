/* Annotations of a GitHub Actions step: workflow commands on standard output, one per check that
 * did not pass, and the result as the last one. What passed is not said. */
#include "writers/writer.h"

/* GitHub keeps the first 10 errors, 10 warnings and 10 notices of a step and drops the others
 * without a word. The result and the line that counts the others are among the 10. */
#define SHOWN_MOST 10

static const char *const command_of[] = {
	[LEVEL_RED] = "error",
	[LEVEL_UNDECIDED] = "warning",
	[LEVEL_WAIVED] = "notice",
	[LEVEL_COUNT] = "notice", /* the result of a green gate */
};

struct github {
	const struct report *report;
	struct outfile *out;
	struct text line;
	struct text title;   /* scratch: as recorded */
	struct text visible; /* scratch: harmless bytes before escaping */
};

/* The rules of GitHub's runner: '%' always, ':' and ',' too in a property, which they would end. It
 * also has codes for CR and LF; both are visible text by now and end no command. */
static void github_add_text(struct github *github, const char *s, bool in_property)
{
	text_clear(&github->visible);
	text_add_shown(&github->visible, s);
	for (const char *c = text_string(&github->visible); *c; c++) {
		if (*c == '%')
			text_add(&github->line, "%25");
		else if (*c == ':' && in_property)
			text_add(&github->line, "%3A");
		else if (*c == ',' && in_property)
			text_add(&github->line, "%2C");
		else
			text_add_char(&github->line, *c);
	}
}

static void github_command(
	struct github *github, enum check_level level, const char *title, const char *message)
{
	text_printf(&github->line, "::%s title=", command_of[level]);
	github_add_text(github, title, true);
	text_add(&github->line, "::");
	github_add_text(github, message, false);
	text_add_char(&github->line, '\n');
	outfile_write(github->out, github->line.data, github->line.size);
	text_clear(&github->line);
}

static void github_more(struct github *github, enum check_level level, size_t count)
{
	static const char *const said[] = {
		[LEVEL_RED] = "failed",
		[LEVEL_UNDECIDED] = "undecided",
		[LEVEL_WAIVED] = "waived",
	};
	struct text message;

	text_init(&message);
	text_printf(&message, "%zu more %s; a step shows %d annotations of a kind, -o FILE has all",
		count, said[level], SHOWN_MOST);
	github_command(github, level, "stepstat gate", text_string(&message));
	text_release(&message);
}

/* Prints the result with the file that set the policies: whoever reads annotations only must see
 * that there is one. */
static void github_result(struct github *github, enum check_level level)
{
	const struct report *report = github->report;
	struct text message;

	text_init(&message);
	text_add(&message, report->result);
	if (report->policy_file)
		text_printf(&message, " (policies and settings of %s, SHA-256 %.*s)",
			report->policy_file, POLICY_DIGITS, report->policy_sha256);
	github_command(github, level, "stepstat gate", text_string(&message));
	text_release(&message);
}

static int github_write_report(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct github github = {.report = report, .out = out};
	struct check_list list;
	size_t room[LEVEL_COUNT];

	(void)opt; /* GitHub decides what is shown */
	if (check_need_result(report, "github", err))
		return -1;
	enum check_level result = check_exit_level(report->exit_status);

	check_list_init(&list, report, false);
	text_init(&github.line);
	text_init(&github.title);
	text_init(&github.visible);
	for (int level = 0; level < LEVEL_COUNT; level++)
		room[level] = text_equal(command_of[level], command_of[result]) ? SHOWN_MOST - 1
										: SHOWN_MOST;

	/* room: annotations of each level that a step shows. */
	size_t seen[LEVEL_COUNT] = {0};

	for (size_t i = 0; i < list.count; i++) {
		enum check_level level = list.item[i].level;
		size_t count = list.of_level[level], before = seen[level]++;

		if (count <= room[level] || before < room[level] - 1) {
			text_clear(&github.title);
			check_add_title(list.item[i].check, &github.title);
			github_command(&github, level, text_string(&github.title),
				list.item[i].check->message ? list.item[i].check->message
							    : check_verdict(list.item[i].check));
		} else if (before == room[level] - 1)
			github_more(&github, level, count - before);
	}
	github_result(&github, result);
	text_release(&github.line);
	text_release(&github.title);
	text_release(&github.visible);
	check_list_release(&list);
	return 0;
}

extern const struct writer writer_github;
const struct writer writer_github = {
	.name = "github",
	.summary = "annotations of a GitHub Actions step, written by stepstat gate",
	.suffixes = (const char *const[]){NULL},
	.of_gate = true,
	.without_notes = true,
	.write = github_write_report,
};
