/*
 * Lines typed at tfprof's prompt: on a terminal with editing, history and completion, else as they
 * come. It does not know what a line means.
 */
#ifndef STEPSTAT_CLI_PROMPT_H
#define STEPSTAT_CLI_PROMPT_H

struct prompt;

struct prompt *prompt_new(void);
/* The next line without its end, good until the next call; NULL at the end of input. */
const char *prompt_line(struct prompt *prompt);
void prompt_free(struct prompt *prompt);

/* What a Tab makes of the text before the cursor: candidates for its last part, in turn, NULL past the last;
 * *part is where that part begins. For files, the caller looks at the folder. */
enum prompt_kind { PROMPT_COMMANDS, PROMPT_OPTIONS, PROMPT_SELECT, PROMPT_ORDER, PROMPT_OUTPUT, PROMPT_FILES };
enum prompt_kind prompt_part(const char *text, const char **part);
const char *prompt_candidate(enum prompt_kind kind, unsigned long index);

#endif
