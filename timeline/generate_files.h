/*
 * Timeline of RunMetadata files: which files, in which order, under which labels.
 */
#ifndef STEPSTAT_TIMELINE_GENERATE_FILES_H
#define STEPSTAT_TIMELINE_GENERATE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include "ingest/reader.h"
#include "model/issue/issue.h"
#include "timeline/generate.h"

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

#endif
