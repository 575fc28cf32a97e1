/* A store as the base of a gate: which of its runs, of which machine, since which change of their
 * level; what it lacks. The test is that of sessions (stats/sessions.h). */
#pragma once

#include "analysis/gate/findings.h"
#include "cli/options/settings.h"
#include "pipeline/store.h"
#include "pipeline/two_sides.h"
#include "report/report.h"

struct gate_store {
	struct settings *settings;
	const char *base, *reference; /* "STORE:last=30"; NULL: none */
	/* The base that was loaded last. */
	bool of_reference;
	const struct cube *new_side;
	const char *folder, *machine;
	const char *start;	/* of new; NULL: not known */
	size_t runs, of_others; /* chosen; left out, of other machines */
	size_t later;		/* runs of this machine that are not before new */
	const char *unreadable; /* files of the folder, in words; NULL: none */
	const char *lack;	/* why it is no base yet; NULL: it is one, or never will be */
	int64_t since_ns;	/* earlier runs are left out: they have another level */
	const char *level;	/* the change of level in words; NULL: none */
	const char *drifting;	/* the row that drifts instead; NULL: none */
};

/* Takes the stores out of the words of --base, or of "STORE NEW": the first is the base, a second
 * one the reference beside it; words that are no stores follow as new. In the arena of the
 * settings; NULL: the base is none. ERROR_USAGE sets err. */
struct gate_store *gate_store_new(struct settings *s, struct error *err);
/* Loads both sides, with the runs of the store that belong to new's machine. NULL with err set,
 * and `lack` where the store is what is to blame. */
struct two_sides *gate_store_load(struct gate_store *g, const char *base, struct error *err);
/* Finds new among base where it has no start that tells it apart: its values are those of a run. */
void gate_store_find_new(const struct gate_store *g, struct two_sides *v);
/* True if the base has two levels: it is to be loaded again, without the earlier one. */
bool gate_store_splits(struct gate_store *g, const struct two_sides *v);
/* Says what was compared, and what can be seen. */
void gate_store_describe(
	const struct gate_store *g, const struct two_sides *v, struct report *report);
/* Adds the verdict of the gate against the reference, with the checks and the words of its own
 * report; the worse of both becomes that of the report. */
void gate_store_add_reference(const struct gate_store *g, const struct two_sides *v,
	const struct gate *gate, const struct report *own, struct report *report, int *status);
/* Says that the reference is lacking, with --first=pass. */
void gate_store_pass_reference(
	const struct gate_store *g, struct report *report, const int *status);
/* The report where the base is lacking and --first=pass. */
struct report *gate_store_first(const struct gate_store *g);
