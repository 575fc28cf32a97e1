/* The sentences of a report on its devices: how busy each kind of them is, and why they are
 * idle. */
#pragma once

#include "analysis/causes/causes.h"
#include "report/build.h"

/* Answers for each kind of device. What a sentence on one of `causes` says is not said again. */
void answers_add_devices(struct report *report, const struct device_parts *device, size_t count,
	const struct cause_list *causes);
/* "gpu:0 waits 42.4 % of the time because the host is late: 33.1 % in DataLoader." */
const char *phrase_host_late(struct report *report, const struct cause *cause);
