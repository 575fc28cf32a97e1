/* Slices that programs write into the kernel's trace, as Android and TensorFlow Lite do: ftrace
 * events "print" with a text of atrace, "B|PID|NAME" where a slice of the thread begins and "E|PID"
 * or "E" where the last one ends. Each processor has a buffer of its own, which comes as a bundle
 * (FtraceEventBundle), so that events of a thread come out of order: they are sorted by time, as
 * far as the order is wrong by less than 32 MiB of them, then paired as other slices.
 *
 * Sources: protos/perfetto/trace/ftrace/ftrace_event_bundle.proto of google/perfetto, version 59;
 * the texts are those of Android's system/core/libcutils/include/cutils/trace.h. */
#pragma once

#include "ingest/perfetto/slices.h"
#include "ingest/perfetto/tracks.h"

/* The events of one processor, of which those before this place were taken. */
struct pf_bundle {
	struct wire events;
	bool is_damaged;
	bool has_lost;	/* the kernel's buffer was full: events before these are lost */
	uint32_t clock; /* of their times, as in a packet */
	uint64_t add;	/* to their times */
};

/* One text of atrace. */
struct pf_print {
	uint64_t time;		 /* of the bundle's clock */
	int64_t process, thread; /* process: 0 where the text has none */
	char phase; /* as in a Chrome trace: B, E, S, F, C, i; 0: it is of no program */
	struct pf_bytes name, id; /* id: of S and F */
	int64_t value;		  /* of C */
};

struct pf_bundle pf_bundle_open(struct pf_bytes bundle);
/* The next event that is a print; false after the last, or where they are damaged. */
bool pf_bundle_next(struct pf_bundle *bundle, struct pf_print *print);

struct pf_prints;

struct pf_prints *pf_prints_new(const struct pf_slices_options *options, struct pf_tracks *tracks);
void pf_prints_free(struct pf_prints *prints); /* NULL is fine */
/* A beginning or an end (phase B, E). Slices are handed over later. */
int pf_prints_add(struct pf_prints *prints, const struct pf_print *print, int64_t time_ns,
	uint64_t offset, struct error *err);
/* Hands over the remaining slices, after the last print; *lost: counts of prints without a
 * partner. */
int pf_prints_finish(struct pf_prints *prints, struct pf_slices_lost *lost, struct error *err);
