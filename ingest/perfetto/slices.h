/* Slices of a Perfetto trace: each is two events of a track, where it begins and where it ends.
 * What ends does not say which slice it is, so that the order decides:
 *
 * - As events happen, the last that began on a track is the first that ends. Most writers write so,
 *   or one slice after the other.
 * - PyTorch writes slices in groups, all beginnings and then all ends, each in the same order. Then
 *   the n-th end is that of the n-th beginning. A group is known by ends that are too early for the
 *   first rule, or by more beginnings than slices can be nested. (By time alone, as Perfetto's own
 *   viewer pairs them, a slice would lose its end to one that begins at that moment.)
 * - Where neither is so, as on a track that several threads write to, the events of the track are
 *   sorted by time. */
#pragma once

#include "base/error.h"
#include "ingest/perfetto/names.h"

struct pf_half { /* a beginning or an end */
	int64_t time_ns;
	uint64_t offset; /* of its packet */
	uint32_t track;	 /* number of its track, from 0 */
	struct pf_names *names;
	struct pf_bytes event; /* the TrackEvent; PF_HAS_PLAIN_NAME: a name */
	/* Ids and kinds of names found in the event. */
	uint64_t name_iid, category_iid;
	unsigned has; /* enum pf_event_has */
};

struct pf_slices_options {
	/* A slice; what it is given is valid during the call. */
	int (*slice)(void *context, const struct pf_half *begin, const struct pf_half *end,
		struct error *err);
	void *context;
	const char *path;	 /* of the input, for errors */
	const char *folder;	 /* of a temporary file, as in base/spool.h */
	uint64_t max_disk_bytes; /* of it */
};

struct pf_lost {
	uint64_t count, offset; /* offset: of the first */
};

struct pf_slices_lost {
	struct pf_lost open, stray; /* beginnings without an end; ends without a beginning */
	struct pf_lost sorted;	    /* that are too many to be sorted */
};

struct pf_slices;

struct pf_slices *pf_slices_new(const struct pf_slices_options *options);
void pf_slices_free(struct pf_slices *slices); /* NULL is fine */

/* Adds a beginning or an end, in the order of the file. Slices that are open may take 256 MiB, then
 * ERROR_LIMIT. `sequence`: number of the packets' sequence, from 0. The names gain an owner for as
 * long as they are needed. */
int pf_slices_begin(struct pf_slices *slices, uint32_t sequence, const struct pf_half *begin,
	struct error *err);
int pf_slices_end(
	struct pf_slices *slices, uint32_t sequence, const struct pf_half *end, struct error *err);
/* Hands over the remaining slices, after the last event; *lost: counts of halves without a
 * partner. */
int pf_slices_finish(struct pf_slices *slices, struct pf_slices_lost *lost, struct error *err);
