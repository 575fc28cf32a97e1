/* Outputs of a view: text, report, timeline, pprof, result messages, values of tensors. Views are
 * built in tfprof/view/; files are written where a function says so. */
#pragma once

#include "tfprof/files/checkpoint.h"
#include "tfprof/view/advise.h"
#include "tfprof/view/model.h"
#include "base/error.h"
#include "report/report.h"
#include "base/text.h"
#include "tfprof/view/view.h"

/* view_text.c: the text that tfprof prints. It computes no number.
 *
 * The text of a report: warning about missing streams, doc block, legend, rows. tensor(): text of a
 * tensor value after a node's line (scope, graph), or NULL where no checkpoint is given. */
struct view_text_options {
	bool misses_stream;
	void (*tensor)(void *context, const char *name, struct text *out, struct text *messages);
	void *context;
};
void view_text(const struct view *view, const struct tfprof_options *options,
	const struct view_text_options *text, struct text *out, struct text *messages);

/* view_op_text.c: text of the op view's rows. The frame around them and the legend are not made
 * here. */

/* Rows only. A graph without any node has one: the root, which the original prints without a
 * legend. */
void view_op_text(const struct view *view, const struct tfprof_options *options, struct text *out);

/* view_report.c: a view as a report: the shown nodes as rows of numbers with units, for the
 * writers of CSV, Markdown, JSON and text. It builds no view and knows no format. */

/* Rows in the order of printing. Columns: name, depth, then self and total of what is selected
 * (over several steps: mean and CV of each), then texts. The self value of a node that is not
 * accounted is unknown. report_free releases it. */
struct report *view_report(const struct view *view, const struct tfprof_options *options);

/* Writes it to the outfile of the options, in the format that their output names. */
int view_report_write(
	const struct view *view, const struct tfprof_options *options, struct error *err);

/* timeline.c: a view as a timeline for Chrome: scope and code as blocks below each other, graph
 * as what ran when and which memory was held. It writes the file; its messages go into texts. */

/* Writes FILE_STEP, FILE and STEP as the options name them. `view` must be that of this step; the
 * graph view needs the model, which it reads again for the executions. Notes go to `out` and
 * `messages` as the original's to stdout and stderr: a file that cannot be written is a message
 * and 1. -1: the model could not be read again, and no file. */
int tfprof_timeline(struct tfprof_model *model, const struct view *view,
	const struct tfprof_options *options, struct text *out, struct text *messages,
	struct error *err);

/* pprof.c: the code view as a profile for pprof: a sample for each graph node below a shown leaf,
 * with the calls that lead to the leaf. It makes the message; packing and writing are the
 * caller's. */

/* Adds the bytes of the message. One word of the options' select names the quantity; the view has
 * one slot. */
void pprof_write(const struct view *view, const struct tfprof_options *options, struct text *bytes);
/* True if the options' select can be written; if not, `messages` has the reason, as in the
 * original. */
bool pprof_is_possible(
	enum view_kind kind, const struct tfprof_options *options, struct text *messages);

/* result_proto.c: the result messages of tfprof's interface for programs, as protobuf bytes:
 * GraphNodeProto (scope, graph), MultiGraphNodeProto (op, code), AdviceProto. */

/* The source of tensor_value: add() adds the TFProfTensorProto of the variable of this name and
 * returns true, or returns false when there is none. */
struct result_tensors {
	bool (*add)(void *context, const char *name, struct text *bytes);
	void *context;
};

/* Adds the message of the view's root with all below. The rows of the op view are a chain: each is
 * the only child of the one before. The messages have one integer for each number: over several
 * slots it is the mean without its remainder, as in the average. Tensors (NULL: none) are those of
 * the shown nodes of scope and graph view, the root left out. */
void result_proto_write(
	const struct view *view, const struct result_tensors *tensors, struct text *bytes);
void result_proto_write_advice(const struct advice *advice, struct text *bytes);

/* tensor_value.c: a variable's value as tfprof shows it below the line of a node and in its
 * result messages. It has no state. */

/* Adds the text of the value, at most 10000 bytes and the closing bracket; nothing, and a line to
 * `messages`, when the checkpoint has no such variable or no text for its type. */
void tensor_value_text(
	struct checkpoint *checkpoint, const char *name, struct text *out, struct text *messages);
/* Adds the value as a TFProfTensorProto: its type and, where tfprof has a text for it, all elements
 * in the order of memory. False, with nothing added, when the checkpoint has no such variable or it
 * cannot be read. */
bool tensor_value_message(struct checkpoint *checkpoint, const char *name, struct text *bytes);
/* A number as tfprof stores it: with six significant digits. */
double tensor_value_rounded(double value);
