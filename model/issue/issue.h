/* Everything lost, odd or assumed in an input: counted, with its first position. It is data; the
 * report prints it. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/text.h"

enum issue_severity {
	ISSUE_INFO,  /* nothing is lost: "the step list was empty" */
	ISSUE_LOSS,  /* something could not be used; --strict makes it an error */
	ISSUE_ERROR, /* a part of the input is wrong */
};

enum effect_unit {
	EFFECT_NONE,   /* no number is changed */
	EFFECT_PS,     /* time */
	EFFECT_STEPS,  /* how many there are */
	EFFECT_EVENTS, /* how many there are */
};

#define EFFECT_UNKNOWN INT64_MIN /* a bound that the input does not give */

/* Effect of an issue on the row, or part, that it changes most: bounds of the total over the whole
 * of one input, including time outside of steps. */
struct issue_effect {
	enum effect_unit unit;
	const char *row;   /* an op as recorded, or "all kernels", "step 7", "steps" */
	int64_t low, high; /* 0 or above, or EFFECT_UNKNOWN */
	int64_t recorded;  /* what it is if the input is believed, or EFFECT_UNKNOWN */
	const char *steps; /* numbers of the steps that it changes ("0..2, 7"); "": not known */
};

/* Kinds of lost things; a loss is a part of all of its kind in one recording. */
enum loss_kind {
	LOSS_NONE,
	LOSS_LAUNCHES,	  /* of kernels in steps, whose work the device's records lack */
	LOSS_REPLAYS,	  /* the same of graphs */
	LOSS_STEPS,	  /* marks that are no step of the table */
	LOSS_DEVICE_TIME, /* of devices, in no step */
	LOSS_OP_TIME,	  /* of a host without devices, in no step */
	LOSS_BEFORE,	  /* time of devices, launched before the recording: of no step */
	LOSS_KINDS
};

struct issue_loss {
	enum loss_kind kind;
	int64_t lost, all; /* counts, or ps */
};

struct issue {
	enum issue_severity severity;
	const char *code;  /* short, stable, for files: "start-missing" */
	const char *text;  /* one sentence without the count: "executions without a start time" */
	const char *place; /* of the first: "FILE:byte 120" or "FILE: op conv1, step 3" */
	size_t count;
	struct issue_effect effect;
	struct issue_loss loss;
};

struct issue_list {
	struct arena *arena;
	struct issue *issue;
	size_t count, room;
	struct intern *codes; /* of a long list, by place; NULL: it is short */
};

void issue_list_init(struct issue_list *list, struct arena *arena);
/* Adds `count` to the issue of this code, or a new one; only the first place is kept (place is
 * copied then). */
void issue_add(struct issue_list *list, enum issue_severity severity, const char *code,
	const char *text, size_t count, const char *place);
/* The issue of this code; NULL: there is none. */
const struct issue *issue_list_find(const struct issue_list *list, const char *code);
/* Says what the issue of this code changes (texts are copied); nothing without such an issue. Of
 * two effects the wider one stays. */
void issue_set_effect(struct issue_list *list, const char *code, const struct issue_effect *effect);
/* Says of how much the issue of this code is a part; nothing without such an issue. The largest
 * part stays, as each is of a recording. One above LOSS_MUCH is more than information. */
#define LOSS_MUCH 0.05
void issue_set_loss(struct issue_list *list, const char *code, const struct issue_loss *loss);
double issue_lost_part(const struct issue_loss *loss); /* from 0 to 1; 0: nothing is known */
const char *issue_loss_word(enum loss_kind kind); /* "launches", "device time"; "" for LOSS_NONE */
/* "gemm: 4.50 ms to 271 ms in all, 271 ms if the file is believed"; nothing where no number is
 * changed. */
void issue_add_effect(struct text *out, const struct issue_effect *effect);
const char *issue_effect_unit(enum effect_unit unit); /* "ps", "steps", "events", "" */
/* A sentence with the count: "3 executions without a start time (first: PLACE)", "1 execution ...
 * (PLACE)", "the trace has no steps (PLACE)". A text whose singular is not certain is "1 case:
 * events that end ...". Then the effect, where there is one. Bytes are as recorded. */
void issue_add_sentence(struct text *out, const struct issue *issue);
/* The same without the place. */
void issue_add_count(struct text *out, const struct issue *issue);
/* Advice about an issue of this code; NULL: nothing is known. */
const char *issue_advice(const char *code);
/* Each code with advice; NULL past the last one. */
const char *issue_advice_code(size_t index);
/* Check for --strict: the first issue that is more than information becomes an error. Returns 0
 * when there is none. */
int issue_list_refuse_losses(const struct issue_list *list, struct error *err);
/* Steps that nothing marks: whole recordings, and windows of fixed length. */
#define STEPS_UNMARKED "steps-unmarked"
#define STEPS_WINDOWS "steps-windows"
size_t issue_list_unmarked(const struct issue_list *list);
bool issue_is_unmarked(const char *code); /* it counts such steps */
/* True if times or events are missing: steps differ because of that, and to leave out those that
 * differ may leave out the good ones. */
bool issue_list_in_doubt(const struct issue_list *list);
/* Adds all of `from`, in its order. */
void issue_list_join(struct issue_list *list, const struct issue_list *from);
/* Adds those of `from` whose code `without` (NULL: none) does not have. */
void issue_list_join_without(
	struct issue_list *list, const struct issue_list *from, const struct issue_list *without);
