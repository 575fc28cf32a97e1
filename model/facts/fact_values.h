/*
 * The facts of several files: for each fact its different values, and how many files have each.
 */
#ifndef STEPSTAT_MODEL_FACTS_FACT_VALUES_H
#define STEPSTAT_MODEL_FACTS_FACT_VALUES_H

#include "base/intern.h"
#include "base/text.h"
#include "model/facts/facts.h"

struct fact_value {
	const char *text;
	uint64_t files;	   /* that have it, 1 or more */
	const char *place; /* path of the first of them by name */
};

/* Files that do not say are in no value. */
struct fact_values {
	struct fact_value *value;
	size_t count, room;
	struct intern *texts; /* of a long list, by place; NULL: it is short */
};

struct fact_lists {
	struct fact_values of[FACT_COUNT]; /* by enum fact_id */
};

/* Adds files to the value of this text, or a new value; the text is copied into the arena, bytes
 * that cannot be shown made visible. */
void fact_lists_add(struct fact_lists *lists, struct arena *arena, enum fact_id id,
	const struct fact_value *value);
/* Adds all facts of one file. */
void fact_lists_add_file(
	struct fact_lists *lists, struct arena *arena, const struct facts *facts, const char *path);
void fact_lists_join(struct fact_lists *lists, struct arena *arena, const struct fact_lists *from);
/* Orders the values of each fact as people sort names. Nothing is added after it. */
void fact_lists_sort(struct fact_lists *lists);
bool fact_lists_are_empty(const struct fact_lists *lists);
/* The value that all files that say it have; NULL: none says it, or they differ. */
const char *fact_lists_common(const struct fact_lists *lists, enum fact_id id);

/* A value as one line of text, "device_model 2 x NVIDIA A100", for tables of observations. */
void fact_line_add(struct text *out, enum fact_id id, const struct fact_value *value);
/* Adds the value to the lists, with this place; false when the text is none. A fact of a later
 * version has a name that is not known here: it is passed over. */
bool fact_line_parse(
	const char *text, struct fact_lists *lists, struct arena *arena, const char *place);

#endif
