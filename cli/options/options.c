/*
 * Parses the command line against the option table.
 */
#include "cli/options/options.h"

#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "cli/options/config_file.h"
#include "cli/options/command.h"
#include "cli/options/habits.h"
#include "cli/options/option_words.h"

/* Table names have underscores where the option has dashes. */
static bool is_named(const struct option_spec *spec, const char *word, size_t n)
{
	if (strlen(spec->name) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (spec->name[i] != word[i] && !(spec->name[i] == '_' && word[i] == '-'))
			return false;
	return !memchr(word, '_', n);
}

static const struct option_spec *find(const char *word, size_t n)
{
	for (size_t i = 0; i < option_count; i++)
		if (is_named(&option_table[i], word, n))
			return &option_table[i];
	return NULL;
}

/* The nearest, or the only one that begins like this: others take unique beginnings. */
static int nearest_option(const char *name, const char *const *known)
{
	int nearest = text_nearest(name, known, option_count);
	size_t found = 0;

	if (nearest >= 0 || strlen(name) < 3)
		return nearest;
	for (size_t i = 0; i < option_count; i++)
		if (text_starts(known[i], name)) {
			nearest = (int)i;
			found++;
		}
	return found == 1 ? nearest : -1;
}

static int unknown(struct settings *s, const char *word, size_t n, struct error *err)
{
	const char *name = arena_strndup(s->arena, word, n);
	const char **known = arena_array(s->arena, option_count, sizeof(*known));
	const struct habit *habit = habit_find(word, n);
	int nearest;

	while (*name == '-')
		name++;
	error_set(err, ERROR_USAGE, NULL, "unknown option \"%.*s\"", (int)n, word);
	if (habit && *habit->tool)
		return error_hint(err, "that is %s's; here: %s", habit->tool, habit->ours);
	if (habit)
		return error_hint(err, "%s", habit->ours);
	for (size_t i = 0; i < option_count; i++) {
		known[i] = option_dashed_name(&option_table[i], s->arena);
	}
	nearest = nearest_option(name, known);
	if (nearest >= 0)
		return error_hint(
			err, "did you mean --%s? --help=all lists the options", known[nearest]);
	return error_hint(err, "--help=all lists the options");
}

const struct option_spec *options_find(const char *name)
{
	return find(name, strlen(name));
}

/* What a configuration file chose for an option that adds up gives way to the command line. */
static void forget_file(struct settings *s, const struct option_spec *spec)
{
	if (text_equal(spec->name, "steps"))
		vec_clear(&s->job.range);
	else if (text_equal(spec->name, "skip"))
		vec_clear(&s->timeline.skip);
	else if (text_equal(spec->name, "window"))
		s->job.read.trace.window_count = 0;
}

/* Notes where the value came from, and sets it. */
static int take(struct settings *s, const struct option_spec *spec, const char *value,
	const char *place, bool from_file, struct error *err)
{
	struct origin *origin = &s->origin[spec - option_table];

	if (origin->from_file && !from_file)
		forget_file(s, spec);
	if (origin->value && origin->from_file == from_file && option_has_value(spec))
		origin->value = arena_printf(s->arena, "%s %s", origin->value, value);
	else
		origin->value = value ? arena_strdup(s->arena, value) : "yes";
	origin->place = arena_strdup(s->arena, place);
	origin->from_file = from_file;
	return option_set_value(s, spec, value ? arena_strdup(s->arena, value) : NULL, err);
}

/* The message of an option's handler, at the place in the file that the value stands. */
static int at_place(struct error *err, const char *place)
{
	if (*err->place)
		error_context(err, "%s", err->place);
	snprintf(err->place, sizeof(err->place), "%s", place);
	return -1;
}

/*
 * A file that lies in a folder, perhaps one that somebody else made, must not choose what is read,
 * what is written, which day it is, and whether a gate comes to its end.
 */
static bool is_command_line_only(const struct option_spec *spec)
{
	static const char *const names[] = {"config", "help", "o", "base", "new", "noise", "graph",
		"op_log", "rules", "explain", "explain_inputs", "self_test", "today", "write"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_equal(spec->name, names[i]))
			return true;
	return false;
}

int options_set(struct settings *settings, char letter, const char *name, const char *value,
	const char *place, struct error *err)
{
	const struct option_spec *spec = options_find(name);

	if (spec && is_command_line_only(spec)) {
		error_set(err, ERROR_USAGE, place, "\"%s\" is for the command line, not for a file",
			name);
		return error_hint(err,
			"a file that lies in a folder chooses no inputs, no outputs and "
			"nothing that ends a command early");
	}
	if (!spec) {
		unknown(settings, name, strlen(name), err);
		return at_place(err, place);
	}
	if (!strchr(spec->commands, letter)) /* of another command */
		return 0;
	if (!option_has_value(spec)) {
		if (text_equal(value, "false") || text_equal(value, "no"))
			return 0;
		if (!text_equal(value, "true") && !text_equal(value, "yes"))
			return error_set(err, ERROR_USAGE, place,
				"%s is true or false, found \"%s\"", name, value);
		value = NULL;
	}
	if (take(settings, spec, value, place, true, err) < 0)
		return at_place(err, place);
	return 0;
}

static int apply(struct settings *s, char letter, const char *command,
	const struct option_spec *spec, const char *typed, const char *value, struct error *err)
{
	struct text others;

	if (strchr(spec->commands, letter))
		return take(s, spec, value, "command line", false, err);
	text_init(&others);
	for (const struct command *c = command_next(NULL); c; c = command_next(c))
		if (c->letter && strchr(spec->commands, c->letter))
			text_printf(&others, "%s%s", others.size ? ", " : "", c->name);
	error_set(err, ERROR_USAGE, NULL, "\"%s\" takes no option %s", command, typed);
	error_hint(err, "it is an option of: %s", text_string(&others));
	text_release(&others);
	return -1;
}

/* One word that begins with "--"; moves *at over a value given as the next word. */
static int parse_long(struct settings *s, char letter, const char *command, int argc,
	char *const *argv, int *at, struct error *err)
{
	const char *word = argv[*at], *name = word + 2, *equals = strchr(name, '=');
	size_t n = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_spec *spec = find(name, n);
	const char *typed = arena_strndup(s->arena, word, n + 2);

	if (!spec || n < 2)
		return unknown(s, word, n + 2, err);
	if (!option_has_value(spec)) {
		if (equals && !text_equal(spec->name, "help"))
			return error_set(err, ERROR_USAGE, typed, "takes no value, found \"%s\"",
				equals + 1);
		return apply(s, letter, command, spec, typed, equals ? equals + 1 : NULL, err);
	}
	if (!equals && *at + 1 >= argc) {
		struct text argument;

		text_init(&argument);
		option_add_argument(spec, &argument);
		error_set(err, ERROR_USAGE, typed, "needs a value");
		error_hint(err, "%s=%s", typed, text_string(&argument));
		text_release(&argument);
		return -1;
	}
	return apply(s, letter, command, spec, typed, equals ? equals + 1 : argv[++*at], err);
}

/* -o FILE or -oFILE; a single dash with a longer word is tfprof's way. */
static int parse_short(struct settings *s, char letter, const char *command, int argc,
	char *const *argv, int *at, struct error *err)
{
	const char *word = argv[*at];
	const char *equals = strchr(word, '=');

	if (word[1] == 'h' && !word[2]) {
		s->help = true;
		return 0;
	}
	if (word[1] != 'o' || habit_find(word, equals ? (size_t)(equals - word) : strlen(word)))
		return unknown(s, word, equals ? (size_t)(equals - word) : strlen(word), err);
	if (!word[2] && *at + 1 >= argc) {
		error_set(err, ERROR_USAGE, "-o", "needs a file name");
		return error_hint(err, "-o FILE, for instance -o ops.csv; - is standard output");
	}
	return apply(s, letter, command, find("o", 1), "-o", word[2] ? word + 2 : argv[++*at], err);
}

/* Can the command write this? */
static int check_writer(const char *option, const struct writer *writer, const char *path,
	char letter, struct error *err)
{
	if (!writer->write) {
		static const char *const words[] = {[WRITER_OBSERVATIONS] = "observations",
			[WRITER_TABLES] = "tables",
			[WRITER_QUERIES] = "queries"};

		error_set(err, ERROR_USAGE, option, "%s holds %s, not a report", writer->name,
			words[writer->holds]);
		return error_hint(err, "stepstat export INPUT -o %s", path);
	}
	if (writer->of_gate && letter != 'G') {
		error_set(err, ERROR_USAGE, option, "%s holds the checks of a gate, not a report",
			writer->name);
		return error_hint(err, "stepstat gate BASE NEW writes it");
	}
	return 0;
}

/* Formats that are for one command alone; said before anything is read. */
static int check_writers(const struct settings *settings, char letter, struct error *err)
{
	if (letter == 'E' || settings->any_output)
		return 0;
	if (settings->to && check_writer("--to", settings->to, "FILE.obs", letter, err) < 0)
		return -1;
	for (size_t i = 0; i < settings->output.count; i++) {
		const char *path = *(const char **)vec_at(&settings->output, i);
		const struct writer *writer;

		if (text_equal(path, "-") || (letter == 'R' && output_ends_in_slash(path)))
			continue;		     /* report writes its tables into a folder */
		writer = writer_for_path(path, err); /* NULL: a folder, which is for export, too */
		if (!writer)
			return word_place("-o", err);
		if (letter == 'S' && text_equal(writer->name, "sqlite"))
			continue; /* sql keeps its database there */
		if (check_writer("-o", writer, path, letter, err) < 0)
			return -1;
	}
	return 0;
}

int options_parse(struct settings *settings, char letter, const char *command, int argc,
	char *const *argv, struct error *err)
{
	bool only_inputs = false;

	settings->origin = arena_array(settings->arena, option_count, sizeof(*settings->origin));
	if (config_read(settings, letter, argc, argv, err) < 0)
		return -1;

	for (int at = 0; at < argc; at++) {
		const char *word = argv[at];
		int failed = 0;

		if (!only_inputs && text_equal(word, "--"))
			only_inputs = true;
		else if (!only_inputs && text_starts(word, "--") &&
			 word[2] != ' ') /* "-- " begins SQL */
			failed = parse_long(settings, letter, command, argc, argv, &at, err);
		else if (!only_inputs && word[0] == '-' && word[1] && word[1] != '-')
			failed = parse_short(settings, letter, command, argc, argv, &at, err);
		else
			failed = job_settings_add_input(&settings->job, word, err);
		if (failed)
			return -1;
	}
	/* What a file says of the order may be meant for `report`. */
	settings->job.sort_optional =
		settings->origin[options_find("sort") - option_table].from_file;
	return check_writers(settings, letter, err);
}
