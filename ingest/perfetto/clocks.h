/* The clocks of a Perfetto trace. Each packet names one, and snapshots say what several of them
 * showed at the same moment. It turns any time into nanoseconds of one clock: that of the trace
 * (CLOCK_BOOTTIME unless a snapshot names another). */
#pragma once

#include "ingest/perfetto/packet.h"

struct pf_clocks;

struct pf_clocks *pf_clocks_new(void);
void pf_clocks_free(struct pf_clocks *clocks); /* NULL is fine */

/* A ClockSnapshot in a packet of this sequence; false: damaged. */
bool pf_clocks_add(struct pf_clocks *clocks, uint32_t sequence, struct pf_bytes snapshot);
/* Time 0 of the trace in ns since 1970, by the first snapshot that says both; 0: none does. */
int64_t pf_clocks_epoch_ns(const struct pf_clocks *clocks);
/* The clock of packets that name none. */
#define PF_CLOCK_REALTIME 1
#define PF_CLOCK_MONOTONIC_RAW 5
#define PF_CLOCK_BOOTTIME 6
/* The time of a packet as nanoseconds of the trace; false: no snapshot relates its clock to that of
 * the trace. Clocks that count on from packet to packet (is_incremental) want each packet once, in
 * order. */
bool pf_clocks_time(struct pf_clocks *clocks, uint32_t sequence, uint32_t clock, uint64_t time,
	int64_t *time_ns);
