/* stepstat sql: questions to the observations in SQL, answered by SQLite. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/text.h"
#include "cli/explain.h"
#include "cli/export_tables.h"
#include "cli/options/command.h"
#include "cli/prompt.h"
#include "cli/report_output.h"
#include "cli/screen.h"
#include "export/database.h"
#include "report/build.h"

#define SCRIPT_BYTES_MOST ((size_t)64 << 20)

/* Job that the words and options ask for. */
struct sql_job {
	const char *query;    /* NULL: from standard input */
	const char *keep;     /* -o FILE.sqlite; NULL: in memory */
	struct outfile *file; /* of keep */
	struct database *db;
	/* for the table flat; NULL: none, or it is there already */
	const struct event_files *traces;
};

/* Words that are not SQL, for users of SQLite's shell. */
static const char tables_query[] = "SELECT m.name AS \"table\", (SELECT group_concat(name, ', ') "
				   "FROM pragma_table_info(m.name)) AS columns FROM sqlite_schema "
				   "AS m WHERE m.type IN ('table', 'view') ORDER BY m.rowid;";
static const char help_text[] =
	"SELECT ...;          any SQL of SQLite; a statement ends with ;\n"
	".tables              the tables and their columns (flat, the events as in the file, "
	"if traces are given)\n"
	".help, help          this text\n"
	".quit, quit, exit    leave the prompt (Ctrl-D)\n"
	"\n"
	"  SELECT op, avg(value) / 1e6 AS us, cv(value) AS cv FROM obs\n"
	"    WHERE measure = 'time' GROUP BY op ORDER BY us DESC LIMIT 10;\n"
	"\n"
	"value is in ps, bytes or a count (table measures). Functions added to SQLite's: "
	"stddev_samp, stddev_pop, cv,\n"
	"median, quantile(x, p). More: doc/sql.md\n";

enum sql_word { WORD_NONE, WORD_TABLES, WORD_HELP, WORD_QUIT };

/* Word of the line that begins here, if the line is one of these words alone but for blanks and a
 * semicolon. *end: after it. */
static enum sql_word word_at(const char *at, const char **end)
{
	static const struct {
		const char *text;
		enum sql_word word;
	} words[] = {{".tables", WORD_TABLES}, {".help", WORD_HELP}, {"help", WORD_HELP},
		{".quit", WORD_QUIT}, {"quit", WORD_QUIT}, {"exit", WORD_QUIT}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i].text);

		if (!text_starts(at, words[i].text))
			continue;
		n += strspn(at + n, " \t\r;");
		if (at[n] && at[n] != '\n')
			continue;
		*end = at + n;
		return words[i].word;
	}
	return WORD_NONE;
}

/* Word that the whole text is; WORD_NONE if it is none of them. */
static enum sql_word word_of(const char *text)
{
	const char *end = "";
	enum sql_word word = word_at(text + strspn(text, " \t\r\n"), &end);

	return end[strspn(end, " \t\r\n;")] ? WORD_NONE : word;
}

/* Skips blanks, semicolons and comments between two statements. */
static const char *next_statement(const char *at)
{
	for (;;) {
		const char *end;

		at += strspn(at, " \t\r\n;");
		if (text_starts(at, "--")) {
			at += strcspn(at, "\n");
		} else if (text_starts(at, "/*")) {
			end = strstr(at + 2, "*/");
			if (!end)
				return at;
			at = end + 2;
		} else {
			return at;
		}
	}
}

/* Removes and returns the last input when it is a query: it is not a file, and contains a blank or
 * a semicolon or is a word of the shell. */
static const char *pop_query(struct settings *s)
{
	const char *last;
	struct stat info;

	if (!s->job.input.count)
		return NULL;
	last = *(const char **)vec_at(&s->job.input, s->job.input.count - 1);
	if (stat(last, &info) == 0 ||
		(!last[strcspn(last, " \t\n;")] && word_of(last) == WORD_NONE))
		return NULL;
	s->job.input.count--;
	return last;
}

/* True if the text has the table's name, in either case of letters. A false hit only costs a
 * reading. */
static bool names_flat(const char *text)
{
	for (; *text; text++)
		if ((text[0] | 0x20) == 'f' && (text[1] | 0x20) == 'l' && (text[2] | 0x20) == 'a' &&
			(text[3] | 0x20) == 't')
			return true;
	return false;
}

/* The table `flat` has every event: filled only when a query names it. */
static int add_flat(struct sql_job *job, struct error *err)
{
	const struct event_files *traces = job->traces;

	if (!traces)
		return 0;
	job->traces = NULL;
	if (database_begin(job->db, err) < 0 ||
		tables_write_flat(traces, database_sink(job->db), err) < 0)
		return -1;
	return database_end(job->db, err);
}

/* ---- answers ---- */

/* The answer to a statement, or the text of help. */
struct answer {
	struct report *report; /* NULL: help */
};

static int print(const char *text, struct error *err)
{
	struct outfile *out = screen_open(err);

	if (!out)
		return -1;
	outfile_puts(out, text);
	return outfile_commit(out, err);
}

static int write_answer(
	struct settings *s, const struct answer *answer, bool first, struct error *err)
{
	/* A blank line between answers on standard output. */
	if (!first && !s->output.count && print("\n", err) < 0)
		return -1;
	return answer->report ? report_output_write(s, answer->report, err) : print(help_text, err);
}

static int check_answers(const struct settings *s, const struct vec *answers, struct error *err)
{
	const struct answer *answer = answers->data;
	bool one = s->output.count || (s->to && text_equal(s->to->name, "json"));

	for (size_t i = 0; i < answers->count && s->output.count; i++)
		if (!answer[i].report)
			return error_set(err, ERROR_USAGE, "-o",
				"help is text for the screen, not an answer to write");
	if (!one || answers->count < 2)
		return 0;
	error_set(err, ERROR_USAGE, s->output.count ? "-o" : "--to",
		"several statements have answers, one document holds one");
	return error_hint(
		err, "run them one by one, or as text, CSV or Markdown on standard output");
}

/* Runs the next statement, or a word of the shell. Returns 0 at the end; *said: there is an
 * answer. */
static int run_next(struct sql_job *job, struct script *script, struct answer *answer, bool *said,
	struct error *err)
{
	struct script tables = {tables_query, tables_query};
	const char *at = next_statement(script->at), *end;
	int status;

	*answer = (struct answer){0};
	*said = true;
	switch (word_at(at, &end)) {
	case WORD_TABLES:
		script->at = end;
		return database_run(job->db, &tables, &answer->report, err);
	case WORD_HELP:
		script->at = end;
		return 1;
	case WORD_QUIT:
		*said = false;
		return 0;
	default:
		status = database_run(job->db, script, &answer->report, err);
		*said = answer->report != NULL;
		return status;
	}
}

/* All answers are computed before the first is written, so that a mistake in the last leaves no
 * output. */
static int run_script(struct settings *s, struct sql_job *job, const char *text, struct error *err)
{
	struct script script = {text, text};
	struct answer answer, *slot;
	struct vec answers;
	bool said;
	int status;

	if ((strstr(text, ".tables") || names_flat(text)) && add_flat(job, err) < 0)
		return -1;
	vec_init(&answers, sizeof(struct answer), 10000, "answers");
	while ((status = run_next(job, &script, &answer, &said, err)) > 0) {
		slot = said ? vec_push(&answers, err) : NULL;
		if (said && !slot) {
			report_free(answer.report);
			status = -1;
			break;
		}
		if (slot)
			*slot = answer;
	}
	if (!status)
		status = check_answers(s, &answers, err);
	for (size_t i = 0; i < answers.count; i++) {
		slot = vec_at(&answers, i);
		if (!status)
			status = write_answer(s, slot, i == 0, err);
		report_free(slot->report);
	}
	vec_release(&answers);
	return status;
}

static int read_script(struct text *text, struct error *err)
{
	char part[8192];
	size_t n;

	while ((n = fread(part, 1, sizeof(part), stdin)) > 0) {
		text_add_bytes(text, part, n);
		if (text->size > SCRIPT_BYTES_MOST)
			return error_set(err, ERROR_LIMIT, "standard input",
				"more than %zu bytes of SQL", SCRIPT_BYTES_MOST);
	}
	if (ferror(stdin))
		return error_set(
			err, ERROR_INPUT, "standard input", "cannot read: %s", strerror(errno));

	/* SQL has no zero bytes: SQLite would end the text there and not run the rest. */
	const char *zero = text->size ? memchr(text->data, 0, text->size) : NULL;
	size_t line = 1, column = 1;
	char place[64];

	if (!zero)
		return 0;
	for (const char *c = text->data; c < zero; c++, column++)
		if (*c == '\n') {
			line++;
			column = 0;
		}
	snprintf(place, sizeof(place), "query:%zu:%zu", line, column);
	error_set(err, ERROR_USAGE, place, "a zero byte, which SQL has none of");
	return error_hint(err, "statements are text in UTF-8; text in UTF-16 has such bytes: iconv "
			       "-f UTF-16 -t UTF-8");
}

/* Runs a script of the prompt; an error is printed, and the prompt continues. */
static void run_typed(struct settings *s, struct sql_job *job, const char *text)
{
	struct error err = {0};
	struct text line;

	if (run_script(s, job, text, &err) == 0)
		return;
	text_init(&line);
	text_printf(&line, "%s%s%s", err.place, *err.place ? ": " : "", err.message);
	diagnostic_line("", text_string(&line));
	if (*err.hint)
		diagnostic_line("hint: ", err.hint);
	text_release(&line);
}

static int run_prompt(struct settings *s, struct sql_job *job)
{
	struct prompt *prompt = prompt_new(&prompt_style_sql);
	struct text typed;
	const char *line;

	text_init(&typed);
	while ((line = prompt_line(prompt))) {
		if (!typed.size && word_of(line) == WORD_QUIT)
			break;
		if (!typed.size && !line[strspn(line, " \t")])
			continue;
		text_add(&typed, line);
		text_add(&typed, "\n");
		if (word_of(text_string(&typed)) != WORD_NONE || typed.size > SCRIPT_BYTES_MOST ||
			database_is_complete(text_string(&typed))) {
			run_typed(s, job, text_string(&typed));
			text_clear(&typed);
		}
		prompt_set_text(prompt, typed.size ? "...> " : NULL);
	}
	text_release(&typed);
	prompt_free(prompt);
	return 0;
}

/* ---- the command ---- */

static int answer(struct settings *s, struct sql_job *job, struct side *side, struct error *err)
{
	int status;

	if (side_select(side, &s->job, err) < 0)
		return -1;

	struct table_source source;

	if (export_source(s, side, &source, err) < 0)
		return -1;
	if (job->keep) {
		job->file = outfile_open(job->keep, err);
		if (!job->file)
			return -1;
	}
	job->db = database_open(job->file, err);
	if (!job->db || database_begin(job->db, err) < 0 ||
		tables_write(&source, database_sink(job->db), err) < 0 ||
		database_end(job->db, err) < 0)
		return -1;
	job->traces = export_events(s, side);
	if (!s->write)
		database_only_reads(job->db);
	diagnostic_issue(&side->self->issues, "steps-unknown");
	if (job->query)
		status = run_script(s, job, job->query, err);
	else if (isatty(STDIN_FILENO))
		status = run_prompt(s, job);
	else {
		struct text text;

		text_init(&text);
		status = read_script(&text, err);
		if (!status)
			status = run_script(s, job, text_string(&text), err);
		text_release(&text);
	}
	if (status < 0)
		return -1;
	status = database_close(job->db, err);
	job->db = NULL;
	if (!status && job->file) {
		status = outfile_commit(job->file, err);
		job->file = NULL;
	}
	return status;
}

static int run(struct settings *s, struct error *err)
{
	struct sql_job job = {.query = pop_query(s)};
	struct side *side;
	int status;

	if (!s->job.input.count && job.query && word_of(job.query) == WORD_HELP)
		return print(help_text, err);
	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err,
			"stepstat sql FILE... \"SELECT op, avg(value) / 1e6 AS us FROM obs "
			"WHERE measure = 'time' GROUP BY op ORDER BY us DESC\"");
	}
	for (size_t i = 0; i < s->job.input.count && !job.query; i++)
		if (text_equal(*(const char **)vec_at(&s->job.input, i), "-")) {
			error_set(err, ERROR_USAGE, NULL,
				"standard input cannot be both profile and SQL");
			return error_hint(err, "give the query as the last word");
		}
	/* -o FILE.sqlite is the database; the other outputs are answers. */
	const char **path = s->output.data;
	size_t kept = 0;

	for (size_t i = 0; i < s->output.count; i++) {
		bool database = !text_equal(path[i], "-") &&
				writer_for_path(path[i], NULL)->holds == WRITER_TABLES;

		if (database && job.keep)
			return error_set(err, ERROR_USAGE, "-o",
				"expected one database, found \"%s\" and \"%s\"", job.keep,
				path[i]);
		if (database)
			job.keep = path[i];
		else
			path[kept++] = path[i];
	}
	s->output.count = kept;
	s->job.ranks_apart = true;
	side = side_load(&s->job, s->job.input.data, s->job.input.count, err);
	if (!side)
		return -1;
	status = s->explain_inputs ? explain_inputs(s, side, err) : answer(s, &job, side, err);
	database_free(job.db);
	outfile_discard(job.file);
	side_free(side);
	return status;
}

const struct command command_sql = {
	.name = "sql",
	.letter = 'S',
	.arguments = "INPUT... ['SELECT ...']",
	.summary = "SQL queries on the observations",
	.about = "Tables obs (run, rank, step, op, measure, value), steps, ranks, step_series, "
		 "ops, measures, meta; of traces\n"
		 "flat, with --events events; in ps and bytes. .tables lists them, .help prints "
		 "help. "
		 "Functions added to SQLite's: stddev_samp,\n"
		 "stddev_pop, cv, median, quantile(x, p). Without a query: a prompt, or statements "
		 "from standard input.\n"
		 "-o FILE.sqlite saves the database.",
	.examples =
		"  stepstat sql profile_100 \"SELECT op, avg(value)/1e6 us, cv(value) FROM obs\n"
		"    WHERE measure = 'time' GROUP BY op ORDER BY us DESC LIMIT 10\"\n"
		"  stepstat sql runs/ -o runs.sqlite 'SELECT count(*) FROM obs'\n",
	.run = run,
	.shows_all_rows = true,
};
