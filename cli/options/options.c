/* Parses the command line against the option table. */
#include "cli/options/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "cli/options/config_file.h"
#include "cli/options/command.h"
#include "cli/options/foreign_options.h"
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

/* Words of options that are options by themselves, too: --per-run is --per=run, and --log=REGEX is
 * --from=log:REGEX. One whose word is empty or ends in a sign has a value. `commands`: of the word.
 */
static const struct spelling {
	const char *typed, *option, *word, *commands;
} spellings[] = {
	{"allow-empty", "allow", "empty", "RCGOESVJ"},
	{"allow-mixed", "allow", "mixed", "CG"},
	{"allow-loss", "allow", "loss=", "CG"},
	{"as-printed", "layout", "as-printed", "R"},
	{"csv-safe", "csv", "safe", "RCGOSVD"},
	{"input-name", "from", "name:", "RCGOETSMVADJ"},
	{"jitter-of", "of", "jitter=", "R"},
	{"kilobyte", "unit", "KB=", "RCGES"},
	{"log", "from", "log:", "RCGES"},
	{"op-log", "graph", "op-log:", "RCGOESD"},
	{"pair", "method", "pair:", "CG"},
	{"per-rank", "per", "rank", "R"},
	{"per-run", "per", "run", "R"},
	{"shape", "csv", "", "RCGE"},
	/* words that are no options */
	{"", "csv", "wide", "RCGE"},
	{"", "csv", "long", "RCGE"},
	{"", "csv", "comma", "RCG"},
};

#define SPELLINGS (sizeof(spellings) / sizeof(*spellings))

static bool spelling_has_value(const struct spelling *s)
{
	return !*s->word || !isalpha((unsigned char)s->word[strlen(s->word) - 1]);
}

static const struct spelling *spelling_find(const char *word, size_t n)
{
	for (size_t i = 0; i < SPELLINGS; i++)
		if (n && strlen(spellings[i].typed) == n &&
			memcmp(spellings[i].typed, word, n) == 0)
			return &spellings[i];
	return NULL;
}

void options_add_spellings(const struct option_spec *spec, char letter, struct text *out)
{
	const char *before = " (also ";

	for (size_t i = 0; i < SPELLINGS; i++) {
		const struct spelling *s = &spellings[i];

		if (!*s->typed || !text_equal(s->option, spec->name) ||
			(letter && !strchr(s->commands, letter)))
			continue;
		text_printf(out, "%s--%s%s", before, s->typed, spelling_has_value(s) ? "=" : "");
		before = ", ";
	}
	text_add(out, *before == ',' ? ")" : "");
}

static const struct option_spec *find(const char *word, size_t n)
{
	const struct spelling *spelling = spelling_find(word, n);

	if (spelling)
		return find(spelling->option, strlen(spelling->option));
	for (size_t i = 0; i < option_count; i++)
		if (is_named(&option_table[i], word, n))
			return &option_table[i];
	return NULL;
}

/* The nearest name, or the first that begins like this where no other one does, but for those that
 * go on with it: other tools accept unique beginnings. */
static int nearest_option(const char *name, const char *const *known)
{
	int nearest = text_nearest(name, known, option_count);
	size_t found = 0;

	if (nearest >= 0 || strlen(name) < 3)
		return nearest;
	for (size_t i = 0; i < option_count; i++)
		if (text_starts(known[i], name) &&
			(nearest < 0 || !text_starts(known[nearest], known[i]))) {
			found += nearest < 0 || !text_starts(known[i], known[nearest]);
			nearest = (int)i;
		}
	return found == 1 ? nearest : -1;
}

static int unknown(struct settings *s, const char *word, size_t n, struct error *err)
{
	const char *name = arena_strndup(s->arena, word, n);
	const char **known = arena_array(s->arena, option_count, sizeof(*known));
	const struct foreign_option *habit = foreign_option_find(word, n);
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

/* The value as the option has it: "loss=10%" of --allow-loss=10%. */
static const char *spelling_value(
	struct settings *s, const struct spelling *spelling, const char *value)
{
	return spelling ? arena_printf(s->arena, "%s%s", spelling->word, value ? value : "")
			: value;
}

/* Sets the value and records where it came from. */
static int set_option(struct settings *s, const struct option_spec *spec, const char *value,
	const char *place, bool from_file, struct error *err)
{
	struct origin *origin = &s->origin[spec - option_table];

	if (origin->from_file && !from_file) {
		/* The command line replaces the file's values of an option that adds up. */
		if (text_equal(spec->name, "steps"))
			vec_clear(&s->job.range);
		else if (text_equal(spec->name, "skip"))
			vec_clear(&s->timeline.skip);
		else if (text_equal(spec->name, "window"))
			s->job.read.trace.window_count = 0;
	}
	if (origin->value && origin->from_file == from_file && option_has_value(spec))
		origin->value = arena_printf(s->arena, "%s %s", origin->value, value);
	else
		origin->value = value ? arena_strdup(s->arena, value) : "yes";
	origin->place = arena_strdup(s->arena, place);
	origin->from_file = from_file;
	return option_set_value(s, spec, value ? arena_strdup(s->arena, value) : NULL, err);
}

/* Puts the place of the value in the file before the message of its option. */
static int at_place(struct error *err, const char *place)
{
	if (*err->place)
		error_context(err, "%s", err->place);
	snprintf(err->place, sizeof(err->place), "%s", place);
	return -1;
}

/* A file found in a folder, perhaps written by somebody else, must not choose what is read, what
 * is written, which day it is or whether a gate finishes. */
static bool is_command_line_only(const struct option_spec *spec)
{
	static const char *const names[] = {"config", "help", "o", "base", "new", "noise", "graph",
		"rules", "map", "explain", "explain_inputs", "self_test", "today", "write",
		"prepare", "cleanup", "resume", "reads"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_equal(spec->name, names[i]))
			return true;
	return false;
}

/* True if none of the words of the value belongs to other commands only: `report` has --allow but
 * not --allow=mixed. */
static bool has_words(char letter, const struct option_spec *spec, const char *value)
{
	bool has = true;

	for (size_t i = 0; value && has && i < SPELLINGS; i++) {
		const struct spelling *s = &spellings[i];

		if (!text_equal(s->option, spec->name) || strchr(s->commands, letter))
			continue;
		for (const char *p = value; *s->word && p; p = strchr(p, ','), p = p ? p + 1 : NULL)
			has &= !text_starts(p, s->word);
	}
	return has;
}

/* True if the option may be typed after the command of the letter, with this value. A key of the
 * command may be typed where it is an option of others, although the help does not list it: who
 * knows --names=full of `report` types it after `gate`. */
static bool is_of_command(char letter, const struct option_spec *spec, const char *value)
{
	return (option_is_typed(spec, letter) ||
		       (option_is_key(spec, letter) && *option_dashes(spec))) &&
	       has_words(letter, spec, value);
}

/* The words of a file's value that the command has; NULL: none. A value that begins with a word
 * like "log:" is one word. */
static const char *words_of_command(
	struct settings *s, char letter, const struct option_spec *spec, const char *value)
{
	struct text own;
	const char *result;

	if (!value || has_words(letter, spec, value))
		return value;
	text_init(&own);
	for (size_t n; *value; value += n + (value[n] == ',')) {
		n = strcspn(value, ",");

		const char *word = arena_strndup(s->arena, value, n);

		if (has_words(letter, spec, word))
			text_printf(&own, "%s%s", own.size ? "," : "", word);
		else if (strchr(word, ':'))
			break;
	}
	result = own.size ? arena_strdup(s->arena, text_string(&own)) : NULL;
	text_release(&own);
	return result;
}

int options_set(struct settings *settings, char letter, const char *name, const char *value,
	const char *place, struct error *err)
{
	const struct option_spec *spec = options_find(name);
	const struct spelling *spelling = spelling_find(name, strlen(name));
	const char *own;

	if (spec && is_command_line_only(spec)) {
		error_set(err, ERROR_USAGE, place, "\"%s\" is for the command line, not for a file",
			name);
		return error_hint(err, "a file found in the folder cannot choose inputs or "
				       "outputs, or end a command early");
	}
	if (!spec) {
		unknown(settings, name, strlen(name), err);
		return at_place(err, place);
	}
	if ((!option_is_typed(spec, letter) && !option_is_key(spec, letter)) ||
		(spelling && !strchr(spelling->commands, letter))) /* of another command */
		return 0;
	if (spelling ? !spelling_has_value(spelling) : !option_has_value(spec)) {
		if (text_equal(value, "false") || text_equal(value, "no"))
			return 0;
		if (!text_equal(value, "true") && !text_equal(value, "yes"))
			return error_set(err, ERROR_USAGE, place,
				"%s is true or false, found \"%s\"", name, value);
		value = NULL;
	}
	value = spelling_value(settings, spelling, value);
	own = words_of_command(settings, letter, spec, value);
	if (value && !own) /* words of other commands alone */
		return 0;
	if (set_option(settings, spec, own, place, true, err) < 0)
		return at_place(err, place);
	return 0;
}

/* The words of a command line. */
struct command_line {
	struct settings *settings;
	char letter;	     /* of the command */
	const char *command; /* its name */
	char *const *argv;
	int argc, at; /* at: the current word */
	struct error *err;
};

static int set_typed(struct command_line *line, const struct option_spec *spec, const char *typed,
	const char *value)
{
	const bool of_others =
		option_is_key(spec, line->letter) && /* typed or not: --allow=mixed */
		text_equal(typed + 2, option_dashed_name(spec, line->settings->arena));
	const struct foreign_option *habit =
		line->letter == 'R' ? foreign_option_find(spec->name, strlen(spec->name)) : NULL;
	struct text others;

	if (is_of_command(line->letter, spec, value))
		return set_option(line->settings, spec, value, "command line", false, line->err);
	if (option_is_key(spec, line->letter) && !*option_dashes(spec)) {
		/* A key that was typed: where to write it. */
		error_set(line->err, ERROR_USAGE, NULL, "%s of \"%s\" is a key of stepstat.yaml",
			typed, line->command);
		return error_hint(line->err,
			"write \"%s: %s\" below \"report:\" there, or in a file that --config=FILE "
			"names",
			option_dashed_name(spec, line->settings->arena), value ? value : "true");
	}
	text_init(&others);
	for (const struct command *c = command_next(NULL); c; c = command_next(c))
		if (is_of_command(c->letter, spec, value))
			text_printf(&others, "%s%s", others.size ? ", " : "", c->name);
	error_set(line->err, ERROR_USAGE, NULL, "\"%s\" does not have the option %s%s%s",
		line->command, typed, of_others ? "=" : "", of_others ? value : "");
	if (others.size) {
		error_hint(line->err, "it is an option of: %s%s%s", text_string(&others),
			habit ? "; in a report: " : "", habit ? habit->ours : "");
	} else {
		for (const struct command *c = command_next(NULL); c; c = command_next(c))
			if (option_is_key(spec, c->letter))
				text_printf(&others, "%s%s", others.size ? ", " : "", c->name);
		error_hint(line->err, "it is a key of stepstat.yaml for: %s", text_string(&others));
	}
	text_release(&others);
	return -1;
}

/* One word that begins with "--"; steps over a value that is the next word. */
static int parse_long(struct command_line *line)
{
	const char *word = line->argv[line->at], *name = word + 2, *equals = strchr(name, '=');
	const char *value = equals ? equals + 1 : NULL;
	size_t n = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_spec *spec = find(name, n);
	const struct spelling *spelling = spelling_find(name, n);
	const bool has_value =
		spec && (spelling ? spelling_has_value(spelling) : option_has_value(spec));
	const char *typed = arena_strndup(line->settings->arena, word, n + 2);

	if (!spec || n < 2)
		return unknown(line->settings, word, n + 2, line->err);
	if (!has_value && value && !text_equal(spec->name, "help"))
		return error_set(
			line->err, ERROR_USAGE, typed, "expected no value, found \"%s\"", value);
	if (has_value && !value) {
		if (line->at + 1 >= line->argc) {
			struct text argument;

			text_init(&argument);
			option_add_argument(spec, &argument);
			error_set(line->err, ERROR_USAGE, typed, "needs a value");
			error_hint(line->err, "--%s=%s",
				option_dashed_name(spec, line->settings->arena),
				text_string(&argument));
			text_release(&argument);
			return -1;
		}
		value = line->argv[++line->at];
	}
	value = spelling_value(line->settings, spelling, value);
	return set_typed(line, spec, typed, value);
}

/* -o FILE or -oFILE; a single dash with a longer word is tfprof's way. */
static int parse_short(struct command_line *line)
{
	const char *word = line->argv[line->at], *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) : strlen(word);

	if (word[1] == 'h' && !word[2]) {
		line->settings->help = true;
		return 0;
	}
	if (word[1] != 'o' || foreign_option_find(word, n))
		return unknown(line->settings, word, n, line->err);
	if (!word[2] && line->at + 1 >= line->argc) {
		error_set(line->err, ERROR_USAGE, "-o", "needs a file name");
		return error_hint(
			line->err, "-o FILE, for instance -o ops.csv; - is standard output");
	}
	return set_typed(line, find("o", 1), "-o", word[2] ? word + 2 : line->argv[++line->at]);
}

/* Whether the command can write this format. */
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

static bool is_stdin_in(const struct vec *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		if (text_equal(*(const char *const *)vec_at(paths, i), "-"))
			return true;
	return false;
}

/* A name without what it is for would change nothing, unnoticed. */
static int check_input_name(const struct job_settings *job, struct error *err)
{
	if (!job->input_name || is_stdin_in(&job->input) || is_stdin_in(&job->compare.base) ||
		is_stdin_in(&job->compare.new_side) ||
		(job->compare.noise_path && text_equal(job->compare.noise_path, "-")))
		return 0;
	error_set(err, ERROR_USAGE, "--input-name", "no input is standard input");
	return error_hint(err,
		"give - as an input: gzip -dc run1.json.gz | stepstat - --input-name=run1.json");
}

int options_parse(struct settings *settings, char letter, const char *command, int argc,
	char *const *argv, struct error *err)
{
	struct command_line line = {settings, letter, command, argv, argc, 0, err};
	bool only_inputs = false;

	settings->origin = arena_array(settings->arena, option_count, sizeof(*settings->origin));
	if (config_read(settings, letter, argc, argv, err) < 0)
		return -1;

	for (; line.at < argc; line.at++) {
		const char *word = argv[line.at];
		int failed = 0;

		if (!only_inputs && text_equal(word, "--"))
			only_inputs = true;
		else if (!only_inputs && text_starts(word, "--") &&
			 word[2] != ' ') /* "-- " begins SQL */
			failed = parse_long(&line);
		else if (!only_inputs && word[0] == '-' && word[1] && word[1] != '-')
			failed = parse_short(&line);
		else
			failed = job_settings_add_input(&settings->job, word, err);
		if (failed)
			return -1;
	}
	/* The order in a configuration file may be meant for `report`. */
	settings->job.sort_optional =
		settings->origin[options_find("sort") - option_table].from_file;
	if (check_input_name(&settings->job, err) < 0)
		return -1;
	/* Formats of other commands are an error before anything is read. */
	if (letter == 'E' || settings->any_output)
		return 0;
	if (settings->to && check_writer("--to", settings->to, "FILE.obs", letter, err) < 0)
		return -1;
	for (size_t i = 0; i < settings->output.count; i++) {
		const char *path = *(const char **)vec_at(&settings->output, i);
		const struct writer *writer;

		/* reports write their tables into a folder */
		if (text_equal(path, "-") || (strchr("RCG", letter) && output_ends_in_slash(path)))
			continue;
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
