/* Ops of the host and ops of devices in one cube. Where the host launches a device's work they are
 * different rows, and a table of both would add up a kernel and the call that waits for it. */
#pragma once

#include "model/cube.h"

enum rows_on {
	ON_AUTO, /* ON_DEVICE where the ops of the host are apart, else ON_ALL */
	ON_DEVICE,
	ON_HOST,
	ON_ALL
};

/* True if most of the accelerator time is in rows without cpu time, and some rows have cpu time
 * only. False for TensorFlow's dumps, where one op has both. */
bool cube_host_is_apart(const struct cube *cube);

/* Keeps the ops with accelerator time, or those without; of an op with both the host keeps the cpu
 * time. Its totals (cube->given) likewise. */
void cube_keep_on(struct cube *cube, enum rows_on on);
