/* The sentences on causes (analysis/causes/causes.h), what to look at next, and the table of
 * findings for programs. */
#pragma once

#include "analysis/causes/causes.h"
#include "report/build.h"

/* A side whose causes are told; name: the short form of each group's name. */
struct cause_teller {
	struct report *report;
	const struct summary *summary;
	const struct job_ranks *ranks; /* NULL: it is not of several */
	const struct build_options *opt;
	const char *const *name;
	double idle_ps; /* of the device that is idle for longest, the mean; 0: of none */
};

/* A row of the table. Names are as recorded; NULL: none. */
struct told_cause {
	const struct cause *cause;
	const char *side, *op, *rank, *device, *run;
	const struct step *step;
	const char *text, *next; /* a sentence each */
	bool not_of_time;	 /* its levels are of another measure */
	bool is_said;		 /* by an answer of its own */
};

/* A cause that a side shows by itself. */
struct told_cause cause_tell(const struct cause_teller *teller, const struct cause *cause);
/* ", 2 -> 6 calls", ", each call longer"; "": not known, or one call each. */
const char *phrase_calls(struct arena *arena, const struct cause *cause);
/* Answers with the first CAUSES_SHOWN; adds the table `findings` with all. */
void answers_tell(
	struct report *report, const struct told_cause *told, size_t count, bool of_sides);
/* The same of all causes of a report, with what to look at next for the largest. */
void answers_add_causes(struct report *report, const struct cause_sources *from,
	const struct summary *summary, const struct build_options *opt, const char *const *name,
	struct cause_list *causes);
/* A note where a side ("", "base: ") has too many single long steps. */
void report_note_single(struct report *report, const char *side, const struct cause_list *causes);
