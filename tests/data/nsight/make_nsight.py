#!/usr/bin/env python3
"""Writes steps.sqlite: a small database as Nsight Systems exports it, by its documented schema (User Guide, "SQLite Schema Reference",
and the CREATE TABLE statements of a real export of version 2026.2, schema 3.25).

usage: make_nsight.py FILE.sqlite

Two processes on one host, 200 of rank 0 on device 0 and 100 of rank 1 on device 1, and a third one, 300, that only calls the runtime.
Each has three steps, "step 5" to "step 7", of 1 ms from 1 ms, 2 ms and 3 ms on. All times below are in us, from the start of the step;
the kernels run 900 us after their launch, so most of them in the next step. Process p of rank r, step k = 0, 1, 2:

   range    step                0 .. 1000     push and pop, by textId
   range    forward            10 .. 400      push and pop, text
   range    aten::mm           20 .. 60       "aten::mm, seq = 4, op_id = 71"
   call     cudaLaunchKernel   30 .. 40       -> gemm       920 ..  920 + 100 + 10 r + k
   range    aten::add         100 .. 120      "aten::add, op_id = 72", no number of autograd's
   call     cudaLaunchKernel  105 .. 110      -> add       1100 .. 1110
   range    backward          500 .. 800
   call     cudaMemcpyAsync   520 .. 540      -> copy 4096 bytes, device to host, 1120 .. 1125
   call     cuMemsetD8Async   600 .. 605      -> memset 512 bytes, 1126 .. 1127
   call     cudaLaunchKernel  700 .. 720      -> ncclDevKernel_AllReduce 1130 .. 1160, on stream 20
   call     cudaStreamSynchronize 900 .. 950

so a step has accelerator time 100 + 10 r + k + 10 + 5 + 1 + 30 us, and of the host's own time: forward 390 - 40 - 20 = 330, aten::mm 30,
aten::add 15, backward 300 - 20 - 5 - 20 = 255.

Beside that: a kernel without a launch before the steps, a mark, a range that never ends, a range of start and end, a row whose bytes
are a text, a diagnostic message. Correlation ids are the same in both processes.
"""
import os
import sqlite3
import sys

SCHEMA = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT NOT NULL, nameEnum INTEGER NOT NULL,
 value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT, systemClockNs INTEGER);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE MPI_RANKS (globalTid INTEGER NOT NULL, rank INTEGER NOT NULL);
CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER NOT NULL, timestampType INTEGER NOT NULL, source INTEGER NOT NULL,
 severity INTEGER NOT NULL, text TEXT NOT NULL, globalPid INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
 contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
 demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, gridX INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
 contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
 copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
 contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL,
 bytes INTEGER NOT NULL, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
 contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, graphId INTEGER, graphExecId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
 globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, text TEXT,
 globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
"""


class Texts:
    def __init__(self):
        self.ids = {}

    def __call__(self, text):
        return self.ids.setdefault(text, 100 + len(self.ids))


def main(path):
    if os.path.exists(path):
        os.remove(path)
    db, text = sqlite3.connect(path), Texts()
    db.executescript(SCHEMA)

    def add(table, *values):
        db.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)

    for pid, rank, thread in ((100, 1, 101), (200, 0, 202)):
        process = (1 << 48) | pid << 24
        tid = process | thread
        add("PROCESSES", process, pid, "python3")
        add("ThreadNames", text("main"), 20, tid)
        add("MPI_RANKS", tid, rank)
        device, context = rank, rank + 1

        def call(start, end, name, correlation, driver=0):
            add("CUPTI_ACTIVITY_KIND_RUNTIME", start * 1000, end * 1000, driver, tid, correlation, text(name), 0)

        def kernel(start, end, name, short, stream, correlation):
            add("CUPTI_ACTIVITY_KIND_KERNEL", start * 1000, end * 1000, device, context, None, stream, correlation, process, text(name),
                text(short), 8)

        def span(start, end, name, by_id=False, kind=59):
            add("NVTX_EVENTS", start * 1000, None if end is None else end * 1000, kind, None, None if by_id else name, tid, tid,
                text(name) if by_id else None, 0)

        kernel(700, 750, "gemm<(int)128>(float *)", "gemm", 7, 9)  # launched before the recording
        for k in range(3):
            t, c = 1000 * (k + 1), 10 * (k + 1)
            span(t, t + 1000, f"step {k + 5}", by_id=True)
            span(t + 10, t + 400, "forward")
            span(t + 20, t + 60, "aten::mm, seq = 4, op_id = 71")
            call(t + 30, t + 40, "cudaLaunchKernel_v7000", c)
            kernel(t + 920, t + 1020 + 10 * rank + k, "gemm<(int)128>(float *)", "gemm", 7, c)
            span(t + 100, t + 120, "aten::add, op_id = 72")
            call(t + 105, t + 110, "cudaLaunchKernel_v7000", c + 1)
            kernel(t + 1100, t + 1110, "add", "add", 7, c + 1)
            span(t + 500, t + 800, "backward")
            call(t + 520, t + 540, "cudaMemcpyAsync_v3020", c + 2)
            add("CUPTI_ACTIVITY_KIND_MEMCPY", (t + 1120) * 1000, (t + 1125) * 1000, device, context, 7, c + 2, process, 4096, 2, 2, 1)
            call(t + 600, t + 605, "cuMemsetD8Async", c + 3, driver=1)
            add("CUPTI_ACTIVITY_KIND_MEMSET", (t + 1126) * 1000, (t + 1127) * 1000, device, context, 7, c + 3, process, 0, 512, 2)
            call(t + 700, t + 720, "cudaLaunchKernel_v7000", c + 4)
            kernel(t + 1130, t + 1160, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)",
                   "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, c + 4)
            call(t + 900, t + 950, "cudaStreamSynchronize_v3020", c + 5)
            add("NVTX_EVENTS", (t + 5) * 1000, None, 34, None, "a mark", tid, None, None, 0)
        span(1200, 3400, "epoch", kind=60)
        span(3990, None, "never ends")
    tid = (1 << 48) | 300 << 24 | 300
    add("CUPTI_ACTIVITY_KIND_RUNTIME", 1000000, 1001000, 0, tid, 1, text("cudaGetDeviceCount_v3020"), 0)
    tid = (1 << 48) | 200 << 24
    add("CUPTI_ACTIVITY_KIND_MEMCPY", 3990000, 3991000, 0, 1, 8, 33, tid, "many", 1, 0, 2)
    add("DIAGNOSTIC_EVENT", 0, 0, 1, 2, "Not all NVTX events might have been collected.", None)
    add("DIAGNOSTIC_EVENT", 0, 0, 1, 1, "Profiling has started.", None)
    add("TARGET_INFO_SYSTEM_ENV", 0, "Local", "Hostname", 619, "node7")
    add("TARGET_INFO_SYSTEM_ENV", 0, "Local", "CudaDriverVersion", 611, "12080")
    add("TARGET_INFO_GPU", 0, 0, "NVIDIA H100 80GB HBM3", "0000:0b:00.0")
    add("TARGET_INFO_GPU", 0, 1, "NVIDIA H100 80GB HBM3", "0000:0c:00.0")
    add("TARGET_INFO_SESSION_START_TIME", 1779782330000500000, "", "", 500000)
    for value, number in text.ids.items():
        add("StringIds", number, value)
    db.commit()
    db.execute("VACUUM")
    db.close()


main(sys.argv[1])
