/* Names that a sequence of packets has once and refers to by number: of events, categories, args
 * and devices (InternedData). They are valid until the sequence begins anew; a slice that has begun
 * keeps them for longer. */
#pragma once

#include "ingest/json/json_table.h"
#include "ingest/perfetto/packet.h"

enum pf_name {
	PF_EVENT_NAME,
	PF_CATEGORY,
	PF_ARG_NAME,
	PF_ARG_TEXT,
	PF_SPECIFICATION, /* of a queue or a stage of a device */
	PF_KERNEL,
	PF_KERNEL_ARG,
	PF_NAME_KINDS
};

struct pf_names;

struct pf_names *pf_names_new(void);
struct pf_names *pf_names_keep(struct pf_names *names); /* the same: one owner more; NULL is fine */
void pf_names_release(struct pf_names *names);		/* by an owner; NULL is fine */

/* Adds an InternedData. Of a number that is given twice the later counts. Returns how many entries
 * could not be kept: they are damaged, or more than 256 MiB. */
size_t pf_names_add(struct pf_names *names, struct pf_bytes interned);
/* The text, escaped as the inside of a JSON string; kind 0: there is none of this number. */
struct json_value pf_name(const struct pf_names *names, enum pf_name kind, uint64_t iid);

/* The bytes as the inside of a JSON string: themselves where that needs no escape, else added to
 * the text of `scratch` (an arena). */
struct arena;
struct json_value pf_json_string(struct pf_bytes bytes, struct arena *scratch);
