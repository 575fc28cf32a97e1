/* Protobuf's text format as a stream: fields one after the other, a message entered or passed over,
 * or turned into the binary form of a generated message. It knows no files' meaning. Unknown fields
 * are the caller's to pass over; errors have line and column. */
#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "ingest/input/input.h"

#define TEXT_PROTO_DEPTH 100 /* messages in each other, as protobuf's own limit */

struct text_proto;

/* Sets *text to true if the input looks like text. Binary messages have lengths and tags below a
 * blank in their first bytes. */
int text_proto_is_text(struct input *in, bool *text, struct error *err);

/* Reads from the input, which must outlive it; a value of more than max_bytes is ERROR_LIMIT
 * (max-record). */
struct text_proto *text_proto_new(struct input *in, size_t max_bytes);
void text_proto_free(struct text_proto *t); /* NULL is fine */

/* The next field of the message that is open (at first the whole input): 1 with its name, which is
 * good until the next call; 0 at the end of the message, which is then left; -1. The elements of a
 * list come as fields of the same name. After 1, exactly one of the four below must follow. */
int text_proto_next(struct text_proto *t, const char **name, struct error *err);

int text_proto_enter(
	struct text_proto *t, struct error *err);	      /* the value is a message: opens it */
int text_proto_skip(struct text_proto *t, struct error *err); /* any value */
/* The value is a string (or several, which join): adds its bytes. */
int text_proto_string(struct text_proto *t, struct text *out, struct error *err);
/* The value is a message: adds its binary form, without length; repeated numbers one by one. Fields
 * that the descriptor does not have, or that are integers of a fixed width, are passed over; so is
 * an enum's word that it does not know. */
int text_proto_encode(struct text_proto *t, const ProtobufCMessageDescriptor *message,
	struct text *out, struct error *err);

/* Allocator whose messages last as long as the arena; single messages are not freed. */
ProtobufCAllocator arena_allocator(struct arena *arena);
