/* Rules of the user on op names: include, exclude, rename, types. It decides for one name at a time
 * and counts what each rule did; it knows no cube and no statistics. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"
#include "base/error.h"

enum rule_kind {
	RULE_INCLUDE,
	RULE_EXCLUDE,
	RULE_RENAME,
	RULE_TYPE,
	RULE_CLASS,
	/* Rules of a name map, in order with its renames: the whole name becomes another one, by
	 * the name as it is then or by the type of the op. */
	RULE_MAP,
	RULE_MAP_TYPE,
	RULE_POLICY, /* these two are in struct policies, never in struct rules */
	RULE_WAIVER,
};

struct rule {
	enum rule_kind kind;
	const char *text;  /* as typed: the pattern, or s/REGEX/TEXT/g */
	const char *type;  /* RULE_TYPE, RULE_CLASS, RULE_MAP...: type, class or name it gives */
	const char *place; /* "--include" or "rules.yaml:3:5" */
	size_t hits;	   /* names it included, dropped, changed or typed so far */
	size_t whole;	   /* RULE_INCLUDE: of these, names that it matches from end to end */
	void *code;	   /* rules.c only */
};

struct rules;

struct rules *rules_new(void);
void rules_free(struct rules *rules); /* NULL is fine */

/* Adds a rule at the end of its kind. `type` only for the kinds that give one. Bad patterns:
 * ERROR_USAGE with place, the pattern, a mark where it went wrong ("at character 5: missing closing
 * parenthesis").
 */
int rules_add(struct rules *rules, enum rule_kind kind, const char *text, const char *type,
	const char *place, struct error *err);
/* Keys of a rules file that hold something and are for a configuration file alone. */
struct rules_unread {
	bool report, gate;
};
/* Reads select, rename and types of a YAML file; `report` and `gate` are accepted and not read; any
 * other key is ERROR_USAGE with FILE:LINE:COLUMN and the nearest known key. */
int rules_read_file(
	struct rules *rules, const char *path, struct rules_unread *unread, struct error *err);
/* The same from bytes in memory; `place` is FILE in the messages. */
int rules_read_memory(
	struct rules *rules, const void *bytes, size_t size, const char *place, struct error *err);
/* Settings of a configuration file: called for every key under `report`, in order; a list arrives
 * joined by commas. */
struct rules_settings {
	int (*apply)(void *context, const char *key, const char *value, const char *place,
		struct error *err);
	void *context;
};
/* Reads as rules_read_memory does, and passes the keys under `report` to `settings`. */
int rules_read_config(struct rules *rules, const void *bytes, size_t size, const char *place,
	const struct rules_settings *settings, struct error *err);
/* Patterns must match the whole name instead of anywhere in it (also `match: full`). Applies to all
 * include, exclude and type rules, whenever they were added. */
void rules_set_full_match(struct rules *rules, bool full);

size_t rules_count(const struct rules *rules);
const struct rule *rules_at(
	const struct rules *rules, size_t index); /* in order of kind, then of adding */
bool rules_have(const struct rules *rules, enum rule_kind kind);

struct rule_outcome {
	bool kept;
	/* the exclude rule; NULL when kept, or when no include matched */
	const struct rule *dropped_by;
	const char *name; /* after the renames, in the arena; the recorded name when unchanged;
			     "(empty)" when the renames left nothing */
	const struct rule **changed_by; /* the rename rules that changed it, in order */
	size_t changed_count;
	const char *type; /* of the first type rule that matches; NULL when none */
};

/* Decides for one recorded name (0-terminated bytes, perhaps not UTF-8). Patterns see the recorded
 * name. Exclude wins over include; without an include rule all names are included. Renames run in
 * order, each on the result of the one before, also for names that are dropped (`kept` is false).
 *
 * Hits do not depend on the order of the rules: each include rule that matches is counted, then for
 * the included names each exclude rule that matches; a rename rule only for kept names that it
 * changed, a type rule only for kept names that got its type.
 *
 * A name that is not UTF-8 is matched byte by byte. A match limit reached is ERROR_USAGE with
 * pattern and op. */
int rules_apply(struct rules *rules, const char *name, struct arena *arena,
	struct rule_outcome *out, struct error *err);
/* Applies only the renames and maps, for a name that need not be recorded; `type` is that of its
 * op, "" when unknown. Maps count as hits where their pattern matches, also when the name was that
 * already. */
int rules_map(struct rules *rules, const char *name, const char *type, struct arena *arena,
	const char **out, struct error *err);
void rules_reset_hits(struct rules *rules);

/* The class of an op: of the first class rule whose pattern matches anywhere in its type (in its
 * name where the type is unknown, in TYPE:NAME where the type is a mere category), NULL when none
 * does. Without class rules of the user's the shipped ones are read first. */
int rules_class(struct rules *rules, const char *type, const char *name, const char **class_name,
	struct error *err);
/* The shipped class rules as YAML, for users to copy. */
const char *rules_shipped_classes(void);
/* True if the type is not a kind of op but a category of a trace ("cpu_op", "kernel",
 * "cuda_runtime"). */
bool class_type_is_category(const char *type);
