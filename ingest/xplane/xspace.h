/* The parts of an XSpace (xla/tsl/profiler/protobuf/xplane.proto) by their places in the file:
 * planes, and the fields of a message that is too large to be held. It knows framing, not what
 * planes mean. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include "ingest/input/span_file.h"
#include "ingest/protobuf/wire.h"

/* The contents of a message in the file. */
struct extent {
	uint64_t start, end;
};

/* Numbers of fields. */
enum space_field { SPACE_PLANE = 1, SPACE_ERROR, SPACE_WARNING, SPACE_HOST };
enum plane_field {
	PLANE_ID = 1,
	PLANE_NAME,
	PLANE_LINE,
	PLANE_EVENT_METADATA,
	PLANE_STAT_METADATA,
	PLANE_STAT
};
enum line_field {
	LINE_ID = 1,
	LINE_NAME,
	LINE_TIMESTAMP,
	LINE_EVENT,
	LINE_DURATION = 9,
	LINE_DISPLAY_ID,
	LINE_DISPLAY_NAME
};
enum xevent_field {
	XEVENT_ID = 1,
	XEVENT_OFFSET,
	XEVENT_DURATION,
	XEVENT_STAT,
	XEVENT_OCCURRENCES
};
enum stat_field {
	STAT_METADATA_ID = 1,
	STAT_REAL,
	STAT_UNSIGNED,
	STAT_SIGNED,
	STAT_TEXT,
	STAT_BYTES,
	STAT_REFERENCE,
	STAT_PACKED_TEXT /* gzip */
};

/* A file that is walked through. */
struct space {
	struct span_window window;
	size_t most_bytes; /* of a message that has to be in memory: max-record */
	size_t lines;	   /* of all planes, so far */
	bool is_damaged;   /* space_damaged was called */
};

/* The next field of the message whose rest this is, which moves behind it. Of WIRE_BYTES *inside is
 * where its contents are; field->bytes is NULL. 1; 0 at the end; -1: damaged. */
int space_next(struct space *s, struct extent *rest, const char *what, struct wire_field *field,
	struct extent *inside, struct error *err);
/* Loads these contents into memory, until the next call. ERROR_LIMIT when they are too many. */
int space_load(struct space *s, const struct extent *inside, const char *what, struct wire *out,
	struct error *err);
/* ERROR_INPUT with the place. Always -1. */
int space_damaged(struct space *s, uint64_t offset, const char *what, struct error *err);
