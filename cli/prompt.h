/* Lines typed at the prompt of tfprof or sql: with editing, history and completion on a terminal,
 * otherwise as they come. It does not know what a line means. */
#pragma once

struct prompt;

/* Completes the text before the cursor: returns candidates for its last part one by one, then
 * NULL; *part is where that part begins. The caller completes names of files. */
enum prompt_kind {
	PROMPT_COMMANDS,
	PROMPT_OPTIONS,
	PROMPT_SELECT,
	PROMPT_ORDER,
	PROMPT_OUTPUT,
	PROMPT_FILES
};

struct prompt_style {
	const char *text;    /* "tfprof> " */
	const char *history; /* file in the current folder; NULL: kept in memory only */
	enum prompt_kind (*part)(const char *text, const char **part);
	const char *(*candidate)(enum prompt_kind kind, unsigned long index);
};

extern const struct prompt_style prompt_style_tfprof, prompt_style_sql;

struct prompt *prompt_new(const struct prompt_style *style);
/* Shows another text before the next lines; NULL: the style's text again. It must outlive them. */
void prompt_set_text(struct prompt *prompt, const char *text);
/* The next line without its end, good until the next call; NULL at the end of input. */
const char *prompt_line(struct prompt *prompt);
void prompt_free(struct prompt *prompt);
