/* The request as lines: inputs, rules, options. */
#include "cli/options/input_lines.h"

#include "base/text.h"
#include "cli/options/options.h"
#include "config.h"

struct line_list {
	struct input_line *line;
	size_t count;
};

static void add(struct line_list *list, const char *what, const char *name, const char *value,
	const char *from)
{
	list->line[list->count++] = (struct input_line){what, name, value, from};
}

static void add_rules(struct line_list *list, const struct settings *s, struct arena *arena)
{
	static const char *const kinds[] = {[RULE_INCLUDE] = "include",
		[RULE_EXCLUDE] = "exclude",
		[RULE_RENAME] = "rename",
		[RULE_TYPE] = "type",
		[RULE_CLASS] = "class"};

	for (size_t i = 0; i < rules_count(s->job.rules); i++) {
		const struct rule *rule = rules_at(s->job.rules, i);

		add(list, "rule", kinds[rule->kind],
			rule->type ? arena_printf(arena, "%s: %s", rule->type, rule->text)
				   : rule->text,
			rule->place);
	}
}

/* Rules are listed one by one; the options that add them are not. */
static bool is_listed_elsewhere(const struct option_spec *spec)
{
	static const char *const names[] = {"include", "exclude", "rename", "help"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_equal(spec->name, names[i]))
			return true;
	return false;
}

/* Where and how fast things are done changes no number; the inputs have lines of their own. */
static bool is_beside_the_numbers(const struct option_spec *spec)
{
	static const char *const names[] = {"base", "new", "jobs", "quiet", "color", "config"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_equal(spec->name, names[i]))
			return true;
	return spec->group == GROUP_OUTPUT;
}

const struct input_line *input_lines_of_settings(
	const struct settings *s, bool given, struct arena *arena, size_t *count)
{
	struct line_list list = {0};

	list.line =
		arena_array(arena, rules_count(s->job.rules) + option_count, sizeof(*list.line));
	add_rules(&list, s, arena);
	for (size_t i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];
		const struct origin *origin = &s->origin[i];

		if (is_listed_elsewhere(spec) ||
			(given && (!origin->value || is_beside_the_numbers(spec))))
			continue;
		add(&list, "option", option_dashed_name(spec, arena),
			origin->value ? origin->value : spec->standard,
			origin->value ? origin->place : "default");
	}
	*count = list.count;
	return list.line;
}

static void add_inputs(struct line_list *list, const char *what, const struct vec *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		add(list, what, NULL, *(const char *const *)vec_at(paths, i), "command line");
}

static void add_lines(const struct settings *s, struct report *report)
{
	const struct compare_settings *compare = &s->job.compare;
	struct line_list list = {0};
	const struct input_line *setting;
	size_t settings;

	setting = input_lines_of_settings(s, true, report->arena, &settings);
	list.line = arena_array(report->arena,
		settings + s->job.input.count + compare->base.count + compare->new_side.count + 4,
		sizeof(*list.line));
	add(&list, "program", "stepstat", PACKAGE_VERSION, NULL);
	add(&list, "command", report->command, NULL, "command line");
	add_inputs(&list, "input", &s->job.input);
	add_inputs(&list, "base", &compare->base);
	add_inputs(&list, "new", &compare->new_side);
	if (s->config)
		add(&list, "configuration", s->config,
			arena_printf(report->arena, "SHA-256 %s", s->config_sha256), NULL);
	for (size_t i = 0; i < settings; i++)
		list.line[list.count++] = setting[i];
	extra_add_inputs(report, list.line, list.count);
}

void input_lines_add_extra(const struct settings *s, struct report *report,
	const struct extra_side *side, size_t sides)
{
	bool any = s->to && s->to->explains;

	for (size_t i = 0; i < s->output.count && !any; i++) {
		struct error unknown = {0};
		const struct writer *writer =
			writer_for_path(*(const char *const *)vec_at(&s->output, i), &unknown);

		any = writer && writer->explains;
	}
	extra_add_checks(report);
	if (!any)
		return;
	extra_add_runs(report, side, sides);
	extra_add_issues(report);
	add_lines(s, report);
	extra_add_columns(report);
}
