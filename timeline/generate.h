/* Timelines of RunMetadata files. A step's StepStats become Chrome trace events; for a single step
 * the bytes are those of TensorFlow's timeline.py. Further steps follow in the same file, each with
 * processes, objects and flows of its own. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include "tfprof/files/run_metadata.h"
#include "timeline/json_writer.h"
#include "ingest/reader.h"
#include "model/issue/issue.h"

struct generate_options {
	bool dataflow; /* arrows from producers to consumers */
	bool memory;   /* tensors with their lifetimes, and bytes per allocator; the steps need
			  descriptions */
};

/* A timeline that is being written. */
struct timeline_writer {
	struct json_writer json;
	struct generate_options options;
	int64_t process_count, flow_count; /* given so far */
};

void timeline_writer_begin(struct timeline_writer *writer, struct trace_file *file,
	const struct generate_options *options);
/* Writes one step. `label` is put before the names of its processes; NULL: none, as in the
 * original. -1: too many names of tensors (ERROR_LIMIT). */
int timeline_writer_add(struct timeline_writer *writer, const struct recorded_step *step,
	const char *label, struct error *err);
void timeline_writer_end(struct timeline_writer *writer);

/* ---- Parses the label of an execution, "NAME = OP(IN1, IN2)", by the rules of timeline.py. The
 * parts point into the label ---- */

struct op_label {
	struct recorded_text op;     /* "unknown" when the label is of another form */
	struct recorded_text inputs; /* what is between the parentheses, not yet walked */
	bool has_inputs;
};

struct op_label op_label_parse(struct recorded_text label);
/* Removes the next input from the label; false after the last. */
bool op_label_input(struct op_label *label, struct recorded_text *input);

/* An execution on a stream: name and op out of "NAME:OP", or out of the note "@@NAME:OP#" in its
 * label. */
void op_label_kernel(
	const struct recorded_node *node, struct recorded_text *name, struct recorded_text *op);

/* ---- Timeline of RunMetadata files: which files, in which order, under which labels ---- */

struct generate_job {
	const char *const *paths; /* files and folders; "-" is standard input */
	size_t path_count;
	const char *output;	   /* "-": standard output; gzipped when it ends in ".gz" */
	const char *input_name;	   /* stands for the name of standard input; NULL: none */
	const struct reader *from; /* NULL: files are recognised by their content */
	struct read_options read;
	struct generate_options options;
	bool strict; /* a loss is an error */
};

/* Writes the file, whole or not at all. A file that was named must be RunMetadata; in a folder
 * others are passed over. What was lost is added to issues. One file is in memory at a time. */
int generate_files(const struct generate_job *job, struct issue_list *issues, struct error *err);
