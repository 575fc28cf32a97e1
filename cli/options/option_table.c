/* The option table, of options.def. */
#include <stddef.h>
#include "cli/options/apply.h"
#include "cli/options/options.h"

/* Words of members that are true or false: the second is true. */
static const char *const absent_words[] = {"zero", "skip", NULL};
static const char *const rank_value_words[] = {"mean", "max", "sum", NULL};
static const char *const step_time_words[] = {"auto", "marker", "period", "span", NULL};
static const char *const rows_words[] = {"auto", "parts", "benchmarks", NULL};
static const char *const on_words[] = {"device", "host", "all", NULL};
static const char *const cv_words[] = {"sample", "population", NULL};
static const char *const names_words[] = {"short", "full", NULL};
static const char *const precision_words[] = {"us", "ns", NULL};
/* Options with one word only. */
static const char *const align_words[] = {"step", NULL};
static const char *const shell_words[] = {"auto", "none", NULL};
static const char *const like_words[] = {"key_averages", NULL};
static const char *const until_words[] = {"time", "rows", NULL};
static const char *const sheet_words[] = {"values", NULL};
/* Keys of texts that the policies of a gate read. */
static const char *const fail_on_words[] = {"regressed", "slower", NULL};
static const char *const blind_words[] = {"fail", "pass", NULL};

#define MEMBER(member)                                                                             \
	.at = offsetof(struct settings, member), .bytes = sizeof(((struct settings *)NULL)->member)
#define SWITCH(member, n) .kind = OPTION_SWITCH, .number = (n), MEMBER(member)
#define WORD(member, list, first)                                                                  \
	.kind = OPTION_WORD, .words = (list), .number = (first), MEMBER(member)
#define COUNT(member) .kind = OPTION_COUNT, MEMBER(member)
#define BYTES(member, least) .kind = OPTION_BYTES, .number = (least), MEMBER(member)
#define TIME(member) .kind = OPTION_TIME, MEMBER(member)
#define PERCENT(member, from, to)                                                                  \
	.kind = OPTION_PERCENT, .above = (from), .below = (to), MEMBER(member)
#define TYPED(member) .typed_at = offsetof(struct settings, member)
#define TEXT(member) .kind = OPTION_TEXT, TYPED(member)
#define TEXT_OF(member, list) .kind = OPTION_TEXT, .words = (list), TYPED(member)
#define STEPS(member) .kind = OPTION_STEPS, MEMBER(member)
#define RULE(rule) .kind = OPTION_RULE, .number = (rule)
#define HANDLER(name) .kind = OPTION_HANDLER, .apply = apply_##name
#define HANDLER_OF(name, list) HANDLER(name), .words = (list)
#define EARLIER .kind = OPTION_EARLIER
#define WORDS ""

#define OPTION(n, a, g, c, s, d, h, ...)                                                           \
	{.name = #n,                                                                               \
		.argument = a,                                                                     \
		.group = GROUP_##g,                                                                \
		.commands = #c,                                                                    \
		.short_for = s,                                                                    \
		.standard = d,                                                                     \
		.help = h,                                                                         \
		__VA_ARGS__},
const struct option_spec option_table[] = {
#include "cli/options/options.def"
};

const size_t option_count = sizeof(option_table) / sizeof(*option_table);

const char *const option_group_titles[GROUP_COUNT] = {
	[GROUP_SELECT] = "Which ops and names",
	[GROUP_STEPS] = "Which steps and runs",
	[GROUP_RUN] = "How commands are run",
	[GROUP_SIDES] = "What is compared",
	[GROUP_DECIDE] = "How it is decided",
	[GROUP_MEASURE] = "What is measured",
	[GROUP_SHOW] = "How it is shown",
	[GROUP_OUTPUT] = "Where it goes",
	[GROUP_INPUT] = "Behaviour",
};
