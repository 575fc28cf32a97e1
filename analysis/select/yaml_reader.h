/* A YAML file event by event, so that every error has its line and column, and mappings with
 * known keys by table. It does not know what the keys are for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"

#define YAML_FILE_MOST (1024 * 1024) /* bytes */
#define YAML_PLACE_SIZE 512	     /* as in struct error */
#define YAML_KEYS_MOST 32

struct yaml_reader {
	yaml_parser_t parser;
	yaml_event_t event; /* the current one; a reading function ends on the last of its node */
	int depth;
	const char *file, *bytes;
	size_t size;
	const char *key;     /* whose value a function of struct yaml_key begins to read */
	void *context;	     /* the caller's */
	struct arena *arena; /* ends with the file */
	struct intern *seen; /* what was given, to find what is given twice; of the caller */
	struct error *err;
};

/* Called on the first event of the key's value, ends on its last. */
struct yaml_key {
	const char *name;
	int (*read)(struct yaml_reader *reader);
};

struct yaml_keys {
	const struct yaml_key *key;
	size_t count;	/* at most YAML_KEYS_MOST */
	const char *of; /* "select": what they are under; NULL for those of the file */
	/* Tables where a key in the wrong place may belong; NULL: nowhere. */
	const struct yaml_keys *inner[2], *outer;
};

/* The bytes of a YAML file, and what messages call it. */
struct yaml_source {
	const void *bytes;
	size_t size;
	const char *place; /* FILE in FILE:LINE:COLUMN */
	const char *noun;  /* "rules", for "cannot open the rules file" */
};

/* Reads a file of one mapping with the keys of `top` (an empty file has none). Errors are
 * ERROR_USAGE with FILE:LINE:COLUMN. */
int yaml_read_file(const char *path, const char *noun, const struct yaml_keys *top, void *context,
	struct error *err);
/* The same from bytes in memory. */
int yaml_read_memory(const struct yaml_source *source, const struct yaml_keys *top, void *context,
	struct error *err);

int yaml_next(struct yaml_reader *reader);	    /* the next event, checked */
int yaml_read_anything(struct yaml_reader *reader); /* walks over a node */
/* A mapping whose keys are known; nothing, as commenting out leaves it, has none. */
int yaml_read_keys(struct yaml_reader *reader, const struct yaml_keys *keys);
/* Calls `item` on each item of a list, or on a single value. */
int yaml_read_items(struct yaml_reader *reader, int (*item)(struct yaml_reader *reader));

bool yaml_is_nothing(const struct yaml_reader *reader); /* a key without a value */
bool yaml_is_text(const struct yaml_reader *reader);	/* a scalar, perhaps nothing */
/* The string of the current scalar; no 0 byte is in it. */
const char *yaml_text(const struct yaml_reader *reader);
/* Words for the current item after "found": "text" in quotes, a list, a mapping, nothing. */
const char *yaml_found(struct yaml_reader *reader);

/* FILE:LINE:COLUMN in out[YAML_PLACE_SIZE]. */
void yaml_place(const struct yaml_reader *reader, yaml_mark_t mark, char *out);
/* ERROR_USAGE at a mark; returns -1. */
int yaml_fail_at(struct yaml_reader *reader, yaml_mark_t mark, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same where the current event starts. */
#define YAML_FAIL(reader, ...) yaml_fail_at(reader, (reader)->event.start_mark, __VA_ARGS__)
