/* Facts of a table about its runs beside their values: the machine, the model of the devices, the
 * version of the program, the start. It does not compare them. */
#pragma once

#include "base/intern.h"
#include "ingest/table/csv_steps.h"
#include "model/profile.h"

struct run_facts {
	struct intern *said;			/* recording, fact and text */
	struct memory_of_text last[FACT_COUNT]; /* its id is the recording */
	struct memory_of_text device;
	struct vec start_ns; /* int64_t of each recording, 0: not known; of rows without a step */
	size_t bad_starts;   /* texts that are no point in time */
	char bad_place[600]; /* of the first */
};

void run_facts_init(struct run_facts *facts, struct arena *arena);
void run_facts_release(struct run_facts *facts);
/* A fact of a run, QUANTITY_OF_RUN. Of QUANTITY_DEVICE only a text that is the name of a model
 * ("H100 NVL"), not of one device of the machine ("gpu:0", "worker 3"): a DEVICE_MODEL. */
void run_facts_add(struct run_facts *facts, uint32_t recording, const struct csv_quantity *quantity,
	const struct table_cell *field);
/* True if the text is the name of a model. */
bool device_is_model(const char *device);
/* Where the start of a recording is kept, 0: not known; until the next call. */
int64_t *run_facts_start(struct run_facts *facts, uint32_t recording);
/* The earlier of *start_ns (0: none) and the cell becomes *start_ns; a cell that is no point in
 * time is counted. */
void run_facts_add_start(struct run_facts *facts, const struct cell_rows *rows, uint64_t line,
	const struct table_cell *field, const struct unit *unit, int64_t *start_ns);
/* Adds the facts of each recording with a step to those of the profile, unless that has lists of a
 * fact already. What a table says without a run is of all runs. */
void run_facts_finish(struct run_facts *facts, const struct csv_recordings *recordings,
	const bool *has_steps, struct profile *profile);
