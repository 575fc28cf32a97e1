/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stepstat as a library: TensorFlow profiles in, the views of tfprof out as trees of numbers; and
 * reports of profiles of any kind as text.
 *
 *	struct stepstat_error error;
 *	struct stepstat_model *model = stepstat_open_profile("profile_100", &error);
 *	struct stepstat_view *view = NULL;
 *
 *	if (model)
 *		view = stepstat_run(model, "op -step 50 -order_by micros", &error);
 *	if (!view)
 *		fprintf(stderr, "%s\n", error.text);
 *	else
 *		use(stepstat_view_root(view));
 *	stepstat_view_free(view);
 *	stepstat_model_free(model);
 *
 * The library keeps no state of its own, prints nothing and ends no process, with two exceptions:
 * when memory runs out it calls abort(), and RE2 prints a line on standard error for a regular
 * expression that it refuses. Models are independent: each may be used in a thread of its own, one
 * model in one thread at a time. Files are read whole when they are given, and not looked at again.
 * Texts are UTF-8 as far as the files are.
 *
 * This header may be used under the Apache License 2.0; a program that the library is linked into
 * is under the library's conditions, the GNU General Public License, version 3 or later.
 *
 * This header is C99 and C++98. Link with what `pkg-config --static --libs stepstat` says.
 */
#ifndef STEPSTAT_TFPROF_API_STEPSTAT_H
#define STEPSTAT_TFPROF_API_STEPSTAT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---- */

enum stepstat_error_kind {
	STEPSTAT_NO_ERROR,
	STEPSTAT_BAD_CALL,  /* an argument, or a line of options, is wrong */
	STEPSTAT_BAD_INPUT, /* a file cannot be read, or is not what it should be */
	STEPSTAT_TOO_LARGE  /* a limit of the library is passed */
};

/* Filled by a function that fails, untouched by one that does not. Every function
 * accepts NULL instead. */
struct stepstat_error {
	enum stepstat_error_kind kind;
	char text[2048]; /* "FILE:byte 12: what was found, what was expected (what to do)"; without
			    a line end */
};

/* ---- models ---- */

/* A graph with the executions of its steps. */
struct stepstat_model;

/* A profile (ProfileProto, profile_N) of TensorFlow 1.4 or later, also gzipped. NULL: an error. The
 * caller frees it. */
struct stepstat_model *stepstat_open_profile(const char *path, struct stepstat_error *error);
/* A graph (GraphDef, text or binary), or NULL for none (eager execution), and an op log
 * (tfprof_log, binary), or NULL. Steps are added to it. NULL: an error. The caller frees it. */
struct stepstat_model *stepstat_open_graph(
	const char *graph_path, const char *op_log_path, struct stepstat_error *error);
/* Adds what one RunMetadata file (binary or text) recorded as a step of this number, 0 or more,
 * which the model must not have yet. Returns 0; or -1, and the model is as it was. */
int stepstat_add_step(struct stepstat_model *model, int64_t step, const char *run_meta_path,
	struct stepstat_error *error);
/* NULL is fine. Views of the model end with it: free them first. */
void stepstat_model_free(struct stepstat_model *model);

/* Numbers of the steps, ascending; good until a step is added. */
const int64_t *stepstat_model_steps(const struct stepstat_model *model, size_t *count);
/* Notes about values lost, odd or assumed while the files were read: one sentence for each index,
 * NULL past the last. A text is good as long as the model. Adding a step may change the
 * sentences. */
const char *stepstat_model_note(struct stepstat_model *model, size_t index);

/* ---- views ---- */

/* Quantities, in the order of the numbers of a node. Times in microseconds; bytes; the rest are
 * counts. */
enum stepstat_quantity {
	STEPSTAT_REQUESTED_BYTES,
	STEPSTAT_PEAK_BYTES,
	STEPSTAT_RESIDUAL_BYTES,
	STEPSTAT_OUTPUT_BYTES,
	STEPSTAT_MICROS, /* accelerator and CPU together */
	STEPSTAT_ACCELERATOR_MICROS,
	STEPSTAT_CPU_MICROS,
	STEPSTAT_PARAMETERS,
	STEPSTAT_FLOAT_OPS,
	STEPSTAT_RUNS,	      /* executions */
	STEPSTAT_DEFINITIONS, /* nodes of the graph */
	STEPSTAT_QUANTITIES
};

/* The word that options have for it ("bytes", "micros"; "definitions" is not an option); NULL for
 * other numbers. */
const char *stepstat_quantity_name(enum stepstat_quantity quantity);

/* A row of a view. */
struct stepstat_node {
	const char *name; /* of a node, scope, op type or line of code; "_TFProfRoot" at the root */
	const char *op; /* of the graph's node; "" where the row is none: scopes, op types, lines of
			   code */
	const char *device; /* where that node ran, as
			       "/job:localhost/replica:0/task:0/device:gpu:0"; "" unknown */
	int counted; /* 0: its own values are not asked for (-account_type_regexes); tfprof prints
			"--" */
	/* Own values, and those with everything below: [quantity * stepstat_view_slots(view) +
	 * slot]. */
	const int64_t *self, *total;
	const struct stepstat_node *const *child; /* in the order of printing */
	size_t child_count;
};

struct stepstat_view;

/* Runs a line as it is typed at tfprof's prompt: scope, graph, op or code, or a set of options
 * (time_and_memory), and its options, with the defaults of the program: -max_depth 10 is 11 rows of
 * the op view. doc/tfprof.md has them all. -output and -proto_out are refused: nothing is written.
 * NULL: an error, with tfprof's words. The caller frees it, before the model. */
struct stepstat_view *stepstat_run(
	struct stepstat_model *model, const char *line, struct stepstat_error *error);
void stepstat_view_free(struct stepstat_view *view); /* NULL is fine */

/* The rows, as long as the view. The op view has one level below the root in which each row's total
 * goes on to the rows after it, as tfprof has it. */
const struct stepstat_node *stepstat_view_root(const struct stepstat_view *view);
/* Number of values of a quantity: 1, or one for each step where -step names several ("-step
 * 3:5"). */
size_t stepstat_view_slots(const struct stepstat_view *view);
/* The step of each slot; NULL for the average over steps (-step -1), which is one slot. */
const int64_t *stepstat_view_steps(const struct stepstat_view *view);
/* Messages of tfprof for standard error meanwhile, whole lines; "" for none. */
const char *stepstat_view_messages(const struct stepstat_view *view);

/* Values of one slot; 0 where the quantity or the slot does not exist. */
int64_t stepstat_self(const struct stepstat_view *view, const struct stepstat_node *node,
	enum stepstat_quantity quantity, size_t slot);
int64_t stepstat_total(const struct stepstat_view *view, const struct stepstat_node *node,
	enum stepstat_quantity quantity, size_t slot);
/* Over the slots, of `self` or `total` of a node. A step without the node counts as 0. The CV is
 * the sample standard deviation by the mean, a fraction; 0 where all values are equal, NaN where it
 * is not defined (one slot, a mean of 0). */
double stepstat_mean(
	const struct stepstat_view *view, const int64_t *values, enum stepstat_quantity quantity);
double stepstat_cv(
	const struct stepstat_view *view, const int64_t *values, enum stepstat_quantity quantity);

/* ---- reports ---- */

/* The report that `stepstat report PATH...` computes with its defaults, of files and folders of any
 * kind that the program reads: all ops, in the text of a format: "json" (all tables;
 * doc/schema/report-1.json), "csv" or "md". A zero byte ends the text. NULL: an error. The caller
 * frees the text. It reads one file at a time, and traces that outgrow memory go through nameless
 * files in /tmp. It switches off the error handler of GSL, which would end the process. */
char *stepstat_report(
	const char *const *paths, size_t count, const char *format, struct stepstat_error *error);
void stepstat_report_free(char *report); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
