/*
 * Inside the library: what its handles hold, and errors on their way out.
 */
#ifndef STEPSTAT_TFPROF_API_MODEL_H
#define STEPSTAT_TFPROF_API_MODEL_H

#include <stdbool.h>
#include "tfprof/api/stepstat.h"
#include "base/error.h"
#include "base/intern.h"
#include "tfprof/session.h"

struct stepstat_model {
	struct tfprof_model *inner;
	struct tfprof_session session; /* made at the first view, and again when a step was added */
	bool has_session;
	bool broken;		/* a step was read in part */
	bool is_unfinished;	/* steps were added: model_finish_steps before the graph is used */
	struct intern *numbers; /* of the steps that the graph has (8 bytes each); in `notes` */
	struct arena *notes;	/* texts of stepstat_model_note */
};

/* Completes the graph after steps were added. */
void model_finish_steps(struct stepstat_model *model);

/* Fills *to (NULL is fine) and returns -1. */
int api_error(struct stepstat_error *to, const struct error *from);
int api_fail(struct stepstat_error *to, enum stepstat_error_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
