/* Stats of an event as texts, for names of ops by a template. It changes nothing. */
#pragma once

#include "ingest/events/eventlog.h"
#include "ingest/trace/name_template.h"
#include "ingest/xplane/hlo_words.h"
#include "ingest/xplane/plane.h"

/* An event with the name and type that it has without a template. Its plane was loaded with
 * keep_stats. */
struct named_stat_event {
	const struct plane *plane;
	const struct event_meta *meta;
	struct wire bytes;
	struct xla_text name, type;
	struct eventlog *log;
	uint32_t lane;
	const struct hlo_words *words; /* NULL: none */
};

/* The fields of the event: {name}, {cat} is its type, {pid} and {tid} name plane and line, and
 * {args.KEY} is the stat of that name, of the event or else of all events of its id; long_name is
 * the whole instruction of an op of XLA; tf_op, source and hlo_module are those of the op's program
 * where the event has none of its own. */
struct name_source named_source(struct named_stat_event *named);
