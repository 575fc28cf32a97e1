/*
 * What kind of work an event of a device is, by the words that libraries and producers use in its
 * name and category.
 */
#ifndef STEPSTAT_EVENTS_DEVICE_WORK_H
#define STEPSTAT_EVENTS_DEVICE_WORK_H

enum device_work {
	WORK_COMPUTE, /* all that is neither of the others */
	WORK_COMMUNICATION,
	WORK_COPY, /* memory moved or set, on the device, to it or from it */
	WORK_KINDS
};

/* `type` is "" when unknown. */
enum device_work device_work_of(const char *name, const char *type);

#endif
