/* Kind of work that an event of a device does, by the words that libraries and producers use in its
 * name and category. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum device_work {
	WORK_COMPUTE, /* all that is neither of the others */
	WORK_COMMUNICATION,
	WORK_COPY, /* memory moved or set, on the device, to it or from it */
	WORK_KINDS
};

/* True if the text has a word for an operation in which every process needs data of all others,
 * however it is spelled ("AllReduce", "all_to_allv", "reduce-scatter.3"). False for the halves of
 * an asynchronous one ("all-reduce-start"): neither takes as long as the whole. */
bool device_work_is_of_all(const char *text, size_t n);

/* Types of ops that say what they are, where their names are rows and do not. */
#define DEVICE_WORK_COMMUNICATION "communication"
#define DEVICE_WORK_COPY "memcpy"

/* `type` is "" when unknown. */
enum device_work device_work_of(const char *name, const char *type);
