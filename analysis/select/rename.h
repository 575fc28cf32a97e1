/*
 * One rename of the form s/REGEX/TEXT/FLAGS: parsed, checked, applied to a name. It does not
 * know in which order renames run.
 */
#ifndef STEPSTAT_ANALYSIS_SELECT_RENAME_H
#define STEPSTAT_ANALYSIS_SELECT_RENAME_H

#include "analysis/select/pattern.h"

struct rename {
	struct pattern *pattern;
	const char *text; /* in PCRE2's form: $1, ${name}, $$ */
	size_t text_size;
	bool all; /* flag g */
};

/* A name on its way through the renames; the memory is the owner's, by memory_free. */
struct rename_buffer {
	char *data;
	size_t size, room;
};

/* True if the text has the three parts of a substitution. Their contents may be wrong. */
bool rename_is_substitution(const char *text);
/* NULL with ERROR_USAGE when the rule's text is not a substitution. */
struct rename *rename_new(struct matcher *matcher, const struct rule *rule, struct error *err);
/* Renames `from` into `to` (also when nothing changes). `op` is the recorded name, for messages. */
int rename_apply(struct matcher *matcher, const struct rename *rename, const char *op,
	const struct rename_buffer *from, struct rename_buffer *to, struct error *err);
/* Makes room for size bytes and a 0 after them. */
void rename_buffer_room(struct rename_buffer *buffer, size_t size);

#endif
