/* Words of the programs in a file: what each instruction of XLA has for an op_name and a line of
 * source (xla/service/hlo.proto), by the id of the program and the name of the instruction. It is
 * read only when somebody asks. What cannot be read, or is too much, has no words and is
 * counted. */
#pragma once

#include "ingest/trace/xla_rules.h"
#include "ingest/xplane/xspace.h"
#include "model/profile.h"

struct hlo_words;

/* An instruction; texts are "" when unknown. */
struct hlo_word {
	const char *op_name;	 /* "jit(f)/scope/add:Type", as in the stat tf_op */
	const char *caller;	 /* the same of the innermost that has one of those that call it */
	const char *source;	 /* "model.py:12", of the innermost frame */
	const char *user_source; /* of the innermost that is not of an installed package */
};

struct hlo_words *hlo_words_new(void);
void hlo_words_free(struct hlo_words *words); /* NULL is fine */
/* Adds the programs of the plane with this extent. -1: reading failed, which damage does not. */
int hlo_words_add(
	struct hlo_words *words, struct space *s, const struct extent *plane, struct error *err);
void hlo_words_report(const struct hlo_words *words, struct profile *p);

/* The instruction of this name: of the program of this id, or without one of all programs of this
 * name that have it alike. False: it is in none. */
bool hlo_words_find(const struct hlo_words *words, const uint64_t *program, struct xla_text module,
	struct xla_text op, struct hlo_word *out);
/* The name of the program; "": unknown. */
const char *hlo_words_module(const struct hlo_words *words, uint64_t program);
