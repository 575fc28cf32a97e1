/* The tables of one plane: what its ids of events and of stats mean, where its lines are. They may
 * stand behind the lines in the file. It does not read events. */
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "ingest/trace/step_names.h"
#include "ingest/trace/xla_rules.h"
#include "ingest/xplane/xspace.h"

/* Stats that say something for the report. */
enum stat_role {
	ROLE_NONE,
	ROLE_CATEGORY,
	ROLE_CORRELATION,
	ROLE_STEP_NUM,
	ROLE_GRAPH_TYPE,
	ROLE_STEP_NAME,
	ROLE_GROUP,
	ROLE_PRODUCER_TYPE,
	ROLE_PRODUCER,
	ROLE_CONSUMER_TYPE,
	ROLE_CONSUMER,
	ROLE_DEVICE_DURATION,
	ROLE_REQUESTED_BYTES,
	ROLE_TF_OP,
	ROLE_START_TIME,
	ROLE_PROCESS,
	ROLE_HLO_OP, /* the last: see event_windows.h */
	ROLE_COUNT
};

enum stat_value_kind {
	VALUE_NONE,
	VALUE_INTEGER,
	VALUE_REAL,
	VALUE_TEXT,
	VALUE_BYTES,
	VALUE_PACKED, /* a text, as gzip data */
};

/* Roles of stats of events that hand work to another thread, and of those that take it over. */
#define HANDED_ROLES                                                                               \
	(1u << ROLE_PRODUCER_TYPE | 1u << ROLE_PRODUCER | 1u << ROLE_CONSUMER_TYPE |               \
		1u << ROLE_CONSUMER)

struct stat_value {
	enum stat_value_kind kind;
	bool is_unsigned;
	uint32_t reference; /* of a text that is the name of a stat: its place + 1; else 0 */
	uint64_t bits;	    /* VALUE_INTEGER, VALUE_REAL */
	struct xla_text text;
};

struct stat_meta {
	struct xla_text name;
	uint8_t role; /* enum stat_role */
};

/* Facts about all events of one id; the second half is filled while events are read. */
struct event_meta {
	struct xla_text name;	   /* the name that the report shows */
	struct xla_text long_name; /* where there is a shorter one */
	struct xla_text category;  /* size 0: its stats do not say */
	struct xla_text stats;	   /* as in the file; only with keep_stats */
	struct xla_text hlo_op;	   /* of its stats; size 0: they do not say */
	uint8_t host_event;	   /* enum xla_host_event */
	uint8_t launch_traits;	   /* enum launch_traits */
	uint8_t marker;		   /* of --step-marker: 0 not asked, 1 no, 2 yes */
	uint8_t type[2];	   /* of the op below */
	struct marker_name step;   /* that the marker names */
	uint32_t op[2];		   /* + 1; of an event that is HLO's, and of one that is not */
	uint32_t reference;	   /* hlo_op of the event that has had op[1] last */
};

/* Places of ids in a table. */
struct id_map {
	uint32_t *dense; /* by id: place + 1 */
	size_t dense_count, dense_room;
	struct id_place {
		int64_t id;
		uint32_t place;
	} * sparse; /* sorted by id */
	size_t sparse_count, sparse_room;
};

struct xline {
	struct extent events; /* from its first event on */
	struct extent all;
	int64_t id, timestamp_ns;
	const char *name; /* "" when it has none; with zero bytes visible */
	/* Set by the reader. */
	int64_t zero_ps; /* its start since the base */
	bool is_wanted;	 /* its events are read, if there are any */
	bool is_modules; /* they are the programs that a device executes */
};

struct plane {
	struct extent extent;
	const char *name;
	bool is_device;	     /* by its name or its lines; see plane_scan */
	struct vec line;     /* struct xline */
	struct arena *arena; /* of the tables; NULL: not loaded */
	struct event_meta *event;
	size_t event_count, event_room;
	struct stat_meta *stat;
	size_t stat_count, stat_room;
	struct id_map events, stats;
	uint64_t start_time_ns; /* profile_start_time of its stats; 0: none */
	uint64_t process;	/* process_id of its stats; 0: none */
};

/* Finds name and lines of the plane with this extent, and whether it is a device's. Texts are in
 * the arena. */
int plane_scan(struct plane *plane, struct space *s, const struct extent *extent,
	struct arena *arena, struct error *err);
/* Loads the tables. `wanted`: bits of the roles that are looked for; others are ROLE_NONE. */
int plane_load(
	struct plane *plane, struct space *s, unsigned wanted, bool keep_stats, struct error *err);
void plane_unload(struct plane *plane);
void plane_release(struct plane *plane);

uint32_t id_map_find_sparse(const struct id_map *map, int64_t id);

/* The place of the id + 1; 0: it is not in the table. */
static inline uint32_t id_map_find(const struct id_map *map, int64_t id)
{
	if ((uint64_t)id < map->dense_count)
		return map->dense[id];
	return map->sparse_count ? id_map_find_sparse(map, id) : 0;
}

/* The value of a stat in a field of this number that is a varint. */
static inline struct stat_value plane_stat_number(
	const struct plane *plane, uint32_t field, uint64_t bits)
{
	struct stat_value value = {.kind = VALUE_INTEGER, .bits = bits};

	value.is_unsigned = field == STAT_UNSIGNED;
	if (field != STAT_REFERENCE)
		return value;
	value.bits = 0;
	value.reference = id_map_find(&plane->stats, (int64_t)bits);
	value.kind = value.reference ? VALUE_TEXT : VALUE_NONE;
	value.text =
		value.reference ? plane->stat[value.reference - 1].name : (struct xla_text){"", 0};
	return value;
}

/* One stat: its place in the table of stats + 1 (0: it has no name), and its value. False: damaged.
 * Texts are where the stat is. */
bool plane_stat(
	const struct plane *plane, struct wire stat, uint32_t *place, struct stat_value *value);
