/* The prompt: libedit on a terminal, getline elsewhere. The history is a plain file of lines like
 * the original's, not libedit's own format. */
#include "cli/prompt.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "export/tables.h"
#include "tfprof/options/options.h"

#define HISTORY_LINES 100

struct prompt {
	const struct prompt_style *style;
	const char *shown; /* before the line */
	EditLine *edit;	   /* NULL: no terminal */
	History *history;
	char *line; /* of getline */
	size_t room;
	struct text edited;
};

static char *prompt_text(EditLine *edit)
{
	struct prompt *prompt;

	el_get(edit, EL_CLIENTDATA, &prompt);
	return (char *)prompt->shown; /* libedit's type; it does not write there */
}

/* Collects the texts that complete a part. */
struct completion_candidates {
	struct arena *arena;
	const char *word[256];
	size_t count;
};

static void add_candidate(
	struct completion_candidates *c, const char *part, const char *word, bool folder)
{
	if (c->count < sizeof(c->word) / sizeof(*c->word) && text_starts(word, part))
		c->word[c->count++] = arena_printf(c->arena, "%s%s", word, folder ? "/" : "");
}

static unsigned char complete_part(
	EditLine *edit, struct completion_candidates *c, const char *text)
{
	struct prompt *prompt;
	const char *part;
	enum prompt_kind kind;
	size_t typed, common;

	el_get(edit, EL_CLIENTDATA, &prompt);
	kind = prompt->style->part(text, &part);
	typed = strlen(part);

	const char *word;

	for (unsigned long i = 0; (word = prompt->style->candidate(kind, i)); i++)
		add_candidate(c, part, word, false);
	if (kind == PROMPT_FILES || (kind == PROMPT_OPTIONS && *part && *part != '-')) {
		const char *base = text_base_name(part);
		const char *folder = arena_strndup(c->arena, part, (size_t)(base - part));
		DIR *dir = opendir(*folder ? folder : ".");
		const struct dirent *entry;

		while (dir && (entry = readdir(dir))) {
			const char *path = arena_printf(c->arena, "%s%s", folder, entry->d_name);
			struct stat info;

			if (entry->d_name[0] != '.' || *base == '.')
				add_candidate(c, part, path,
					stat(path, &info) == 0 && S_ISDIR(info.st_mode));
		}
		if (dir)
			closedir(dir);
	}
	if (c->count == 0)
		return CC_REFRESH_BEEP;

	common = strlen(c->word[0]);

	for (size_t i = 1; i < c->count; i++)
		for (size_t k = 0; k < common; k++)
			if (c->word[i][k] != c->word[0][k])
				common = k;
	if (c->count > 1 && common == typed) {
		qsort(c->word, c->count, sizeof(*c->word), order_texts);
		fputs("\n", stdout);
		for (size_t i = 0; i < c->count; i++)
			printf("%s%s", c->word[i], i + 1 < c->count ? "  " : "\n");
		fflush(stdout);
		return CC_REDISPLAY;
	}
	el_insertstr(edit, arena_strndup(c->arena, c->word[0] + typed, common - typed));
	if (c->count == 1) {
		size_t n = strlen(c->word[0]);

		if (kind != PROMPT_SELECT && n && !strchr("=/(", c->word[0][n - 1]))
			el_insertstr(edit, " ");
	}
	return CC_REFRESH;
}

static unsigned char on_tab(EditLine *edit, int key)
{
	const LineInfo *line = el_line(edit);
	struct completion_candidates c = {.arena = arena_new()};
	unsigned char result;

	(void)key;
	result = complete_part(edit, &c,
		arena_strndup(c.arena, line->buffer, (size_t)(line->cursor - line->buffer)));
	arena_free(c.arena);
	return result;
}

/* The history is in the current folder, which may belong to someone else: a link there could
 * name any file of the user, and a pipe never ends. Only a regular file of the user, or a new
 * one, is a history. */
static bool has_own_history(const struct prompt_style *style)
{
	struct stat info;

	if (!style->history)
		return false;
	return lstat(style->history, &info) == 0 ? S_ISREG(info.st_mode) : errno == ENOENT;
}

/* NULL: there is none, or it was replaced after the check. */
static FILE *open_history(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;
	FILE *file = NULL;

	if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
		file = fdopen(fd, "r");
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static void read_history(struct prompt *prompt)
{
	FILE *file;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	HistEvent event;

	if (prompt->style->history && !has_own_history(prompt->style)) {
		fprintf(stderr, "%s is not a plain file: lines typed here are not stored\n",
			prompt->style->history);
		return;
	}
	file = prompt->style->history ? open_history(prompt->style->history) : NULL;
	while (file && (n = getline(&line, &room, file)) > 0) {
		line[strcspn(line, "\r\n")] = 0;
		if (*line)
			history(prompt->history, &event, H_ENTER, line);
	}
	free(line);
	if (file)
		fclose(file);
}

/* A history that cannot be written does not stop the program. */
static void write_history(const struct prompt *prompt)
{
	struct error err = {0};
	struct outfile *out;
	HistEvent event;

	if (!has_own_history(prompt->style))
		return;
	out = outfile_open(prompt->style->history, &err);
	if (!out)
		return;
	for (int more = history(prompt->history, &event, H_LAST); more >= 0;
		more = history(prompt->history, &event, H_PREV))
		outfile_printf(out, "%s\n", event.str);
	outfile_commit(out, &err);
}

struct prompt *prompt_new(const struct prompt_style *style)
{
	struct prompt *prompt = memory_alloc(sizeof(*prompt));
	HistEvent event;

	prompt->style = style;
	prompt->shown = style->text;
	text_init(&prompt->edited);
	if (!isatty(STDIN_FILENO))
		return prompt;
	prompt->edit = el_init("tfprof", stdin, stdout, stderr);
	prompt->history = history_init();
	if (!prompt->edit || !prompt->history)
		return prompt;
	history(prompt->history, &event, H_SETSIZE, HISTORY_LINES);
	history(prompt->history, &event, H_SETUNIQUE, 1);
	el_set(prompt->edit, EL_HIST, history, prompt->history);
	/* Ctrl-C ends the program as the end of input does, with status 0: while a line is typed it
	 * is a key, not a signal. */
	el_set(prompt->edit, EL_CLIENTDATA, prompt);
	el_set(prompt->edit, EL_PROMPT, prompt_text);
	el_set(prompt->edit, EL_EDITOR, "emacs");
	/* The narrow form copies the texts and never frees them. */
	el_wset(prompt->edit, EL_ADDFN, L"tfprof-complete", L"completes a word", on_tab);
	el_set(prompt->edit, EL_BIND, "^I", "tfprof-complete", NULL);
	el_set(prompt->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
	el_set(prompt->edit, EL_SETTY, "-d", "-isig", NULL);
	el_set(prompt->edit, EL_BIND, "^C", "ed-end-of-file", NULL);
	read_history(prompt);
	return prompt;
}

static const char *edited_line(struct prompt *prompt)
{
	const char *line;
	HistEvent event;
	int n;

	/* libedit reads single keys only while its prompt is shown: otherwise Ctrl-C would
	 * still be a signal. */
	el_set(prompt->edit, EL_PREP_TERM, 1);
	line = el_gets(prompt->edit, &n);

	if (!line || n <= 0) {
		fputs("\n", stdout);
		return NULL;
	}
	text_clear(&prompt->edited);
	text_add_bytes(&prompt->edited, line, strcspn(line, "\r\n"));
	line = text_string(&prompt->edited);
	if (*line) {
		history(prompt->history, &event, H_ENTER, line);
		write_history(prompt);
	}
	return line;
}

const char *prompt_line(struct prompt *prompt)
{
	ssize_t n;

	if (prompt->edit)
		return edited_line(prompt);
	n = getline(&prompt->line, &prompt->room, stdin);
	if (n <= 0)
		return NULL;
	if (prompt->line[n - 1] == '\n')
		prompt->line[n - 1] = 0;
	return prompt->line;
}

void prompt_set_text(struct prompt *prompt, const char *text)
{
	prompt->shown = text ? text : prompt->style->text;
}

void prompt_free(struct prompt *prompt)
{
	if (prompt->history)
		history_end(prompt->history);
	if (prompt->edit)
		el_end(prompt->edit);
	free(prompt->line);
	text_release(&prompt->edited);
	memory_free(prompt);
}

/* tfprof's prompt and its completion: which words are possible at the cursor. */

/* The position after the last of these bytes, or the start. */
static const char *behind(const char *text, const char *bytes)
{
	const char *part = text;

	for (const char *p = text; *p; p++)
		if (strchr(bytes, *p))
			part = p + 1;
	return part;
}

/* True if `word` is the last word but the one that begins at `part`. */
static bool follows(const char *text, const char *part, const char *word)
{
	size_t n = strlen(word);
	const char *end = part;

	while (end > text && end[-1] == ' ')
		end--;
	return (size_t)(end - text) > n && end[-(ptrdiff_t)n - 1] == ' ' &&
	       memcmp(end - n, word, n) == 0;
}

static enum prompt_kind find_tfprof_word(const char *text, const char **part)
{
	const char *word = behind(text, " ");

	*part = word;
	if (!strchr(text, ' '))
		return PROMPT_COMMANDS;
	if (follows(text, word, "-select")) {
		*part = behind(word, ",\"'");
		return PROMPT_SELECT;
	}
	if (follows(text, word, "-order_by"))
		return PROMPT_ORDER;
	if (follows(text, word, "-output")) {
		*part = behind(word, "=");
		return *part > word ? PROMPT_FILES : PROMPT_OUTPUT;
	}
	return PROMPT_OPTIONS;
}

static const char *tfprof_candidate(enum prompt_kind kind, unsigned long index)
{
	static const char *const outputs[] = {"stdout",
		"file:outfile=", "timeline:outfile=", "pprof:outfile=", "none",
		"csv:outfile=", "json:outfile=", "md:outfile=", "txt:outfile="};

	switch (kind) {
	case PROMPT_COMMANDS:
		return tfprof_command_name(index);
	case PROMPT_OPTIONS:
		return tfprof_option_name(index);
	case PROMPT_SELECT:
		return tfprof_select_name(index);
	case PROMPT_ORDER:
		return tfprof_order_name(index);
	case PROMPT_OUTPUT:
		return index < sizeof(outputs) / sizeof(*outputs) ? outputs[index] : NULL;
	default:
		return NULL;
	}
}

const struct prompt_style prompt_style_tfprof = {
	.text = "tfprof> ",
	.history = ".tfprof_history.txt",
	.part = find_tfprof_word,
	.candidate = tfprof_candidate,
};

/* The prompt of sql: words of SQL, tables, columns and functions. */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static enum prompt_kind find_sql_word(const char *text, const char **part)
{
	const char *p = text + strlen(text);

	while (p > text && is_word(p[-1]))
		p--;
	*part = p;
	return PROMPT_COMMANDS;
}

static const char *sql_candidate(enum prompt_kind kind, unsigned long index)
{
	static const char *const words[] = {"SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY",
		"LIMIT", "JOIN", "USING", "DISTINCT", "DESC", "HAVING", "WITH", "select", "from",
		"where", "group by", "order by", "limit", "join", "using", "distinct", "desc",
		"having", "with", "count(*)", "sum(", "avg(", "min(", "max(", "stddev_samp(",
		"stddev_pop(", "cv(", "median(", "quantile("};
	const size_t count = sizeof(words) / sizeof(*words);

	if (kind != PROMPT_COMMANDS)
		return NULL;
	if (index < count)
		return words[index];
	index -= count;
	for (size_t t = 0; t < table_form_count; t++) {
		if (index == 0)
			return table_forms[t]->name;
		index--;
		if (index < table_forms[t]->field_count)
			return table_forms[t]->field[index].name;
		index -= table_forms[t]->field_count;
	}
	return NULL;
}

const struct prompt_style prompt_style_sql = {
	.text = "sql> ",
	.part = find_sql_word,
	.candidate = sql_candidate,
};
