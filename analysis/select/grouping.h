/* Grouping of ops into rows: rules decide which ops stay and under which name, then ops are grouped
 * by name, type, device or scope. Values are summed by grouping_series; nothing here is
 * averaged. */
#pragma once

#include "analysis/select/rules.h"
#include "model/cube.h"

/* Keys of rows. Those from BY_LAUNCHER on are chosen when a trace is read, whose ops are the
 * launchers, or lines of source, then. */
enum group_by {
	BY_NAME,
	BY_TYPE,
	BY_DEVICE,
	BY_CLASS,
	BY_SCOPE,
	BY_LAUNCHER,
	BY_SHAPE,
	BY_ANNOTATION,
	BY_MODULE,
	BY_PHASE,
	BY_STACK,
	BY_SOURCE
};
enum { GROUPING_KINDS = 20 };
enum collision { COLLISION_SUM, COLLISION_KEEP, COLLISION_ERROR };
/* Words that users write, in the order of the enums, then NULL. */
extern const char *const group_by_words[], *const collision_words[];
/* The row of ops without a class. */
#define GROUPING_NO_CLASS "(no class)"

/* True if a row has the ops of one name. */
bool group_by_is_name(enum group_by by);

struct group_options {
	enum group_by by;
	size_t scope_depth; /* BY_SCOPE: leading components of the name; 0: all but the last */
	enum collision collision;
	bool never_run;		    /* also ops without an observation in these steps */
	const uint32_t *step_index; /* steps that are looked at (not UINT32_MAX); NULL: all */
	bool allow_empty;	    /* an include pattern that matches nothing is not an error */
	struct rules *map;	    /* renames of rows, after all else; NULL: none. Of a side of a
				       comparison: analysis/select/rename.h */
	/* A row for each kind of step in which its ops ran: 1 under the name of the row, the others
	 * with " [kind eval]", those above GROUPING_KINDS together with " [other kinds]". Kinds of
	 * the steps of the cube, from 1; NULL: rows are of all steps. */
	const uint32_t *kind_of_step;
	const char *const *kind_name; /* of kind k: kind_name[k - 1]; NULL: its number */
};

/* Behind the name of a row of some kinds of step. */
#define GROUPING_KIND " [kind "
#define GROUPING_OTHER_KINDS " [other kinds]"

struct group {
	const char *name;
	const char *type, *device; /* "" when unknown or not the same for all its ops */
	uint32_t *op;		   /* indexes in the cube: those that ran first */
	size_t op_count;
	/* Kind of the steps that are in it (GROUPING_KINDS + 1: kinds above those); 0: all are. */
	uint32_t kind;
	const uint32_t *kind_of_step;
	/* True if some of its ops may run inside of others, and it is not known which: it has no
	 * values. Only of totals. */
	bool overlaps;
};

/* True if the step of the cube is of the kind that the group is of. */
bool group_has_step(const struct group *group, uint32_t step);

struct grouping {
	struct group *group; /* sorted by name (bytes) */
	size_t count;
	size_t ops, ops_kept; /* ops that ran (or all, with never_run); those that the rules kept */
	size_t collided,
		collisions; /* ops that share a name with another after renaming; such names */
	const char *collision_name; /* the first such name */
	bool collisions_kept;	    /* each is a row, with COLLISION_KEEP */
	size_t overlaps;	    /* groups whose ops overlap */
	const char **dead_renames;  /* texts of rename rules that changed nothing */
	size_t dead_rename_count;
	/* The first include pattern, itself without anchors, that is the whole name of some ops and
	 * a part of others; NULL: none. */
	const char *loose_include;
	size_t loose_ops, loose_whole; /* that it matches; of these, whole names */
};

/* The row of an op by the rules, in the arena; NULL: they drop it. */
int grouping_row(struct rules *rules, const struct group_options *opt, const struct op *op,
	struct arena *arena, const char **row, struct error *err);

/* Fills the arena. Of totals a group has the ops that are in no other of it. Errors: an include
 * pattern that matches no op (ERROR_INPUT with the three nearest names), a collision with
 * COLLISION_ERROR. */
int grouping_make(const struct cube *cube, struct rules *rules, const struct group_options *opt,
	struct arena *arena, struct grouping *out, struct error *err);

/* The sums of a measure over a group's ops, for each of the steps that are looked at. The caller
 * provides the arrays. */
struct group_series {
	const struct cube *cube;
	const uint32_t *step_index; /* [step of the cube] is the index below, or UINT32_MAX; struct
				       step_set has it */
	size_t count;		    /* steps: room of the arrays */
	int64_t *value;
	unsigned char *state; /* 0 absent, 1 present, 2 present but not known (a part is unknown),
				 3 out of range (a part, or the sum in 64 bits) */
	uint32_t *touched;    /* indexes whose state is not 0, ascending; NULL: not wanted */
};

/* Zeroes value and state, then sums. */
void grouping_values(
	const struct group_series *series, const struct group *group, enum measure_id id);
/* The same for a series that is 0 and absent everywhere on entry; its time does not grow with the
 * number of steps. Returns the number of indexes in touched. */
size_t grouping_series(
	const struct group_series *series, const struct group *group, enum measure_id id);
/* The sum of a static measure over the group's ops; false when unknown for all of them. */
bool grouping_static(
	const struct cube *cube, const struct group *group, enum measure_id id, int64_t *value);
/* The shape of the group's outputs: that of its ops; "" when unknown or not the same for all. */
const char *grouping_shape(const struct cube *cube, const struct group *group);

/* Scopes of names as rows: all that the parts before a '/' name, each with every op below it, as a
 * tree shows them. Rows overlap. It applies no rules. */

/* A row for each op and scope of the rows of `of` whose weight, that of its rows added up, is at
 * least `least`; weight[row of `of`] is not negative. Scopes that hold just one such row, and
 * nothing beside it, are that row. At most `most` rows, the heaviest. */
void scopes_make(const struct grouping *of, const double *weight, double least, size_t most,
	struct arena *arena, struct grouping *out);
