#!/usr/bin/env python3
"""Makes a large database as Nsight Systems exports it: LAUNCHES calls, as many kernels and ranges of ops, a step for each thousand.

usage: make_database.py LAUNCHES FILE.sqlite
"""
import sqlite3
import sys

SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
 contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
 demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER,
 registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL,
 blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,
 localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
 globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER,
 color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER);
"""


def main(launches, path):
    process = 1 << 48 | 100 << 24
    thread = process | 100
    name = "void at::native::vectorized_elementwise_kernel<(int)4, at::native::functor_{}<float>, std::array<char *, (unsigned long)3>>(int)"
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)

    def add(table, columns, rows):
        db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * columns)})", rows)

    add("StringIds", 2, [(1, "cudaLaunchKernel_v7000")] + [(10 + i, name.format(i)) for i in range(200)])
    add("CUPTI_ACTIVITY_KIND_KERNEL", 25, (
        (i * 2000 + 900, i * 2000 + 2700, 0, 1, None, 7, i + 1, process, 10 + i % 200, 10 + i % 200, 10, 1, 1, 32, 100, 1, 1, 128, 1, 1, 0, 0,
         0, 250871808, i) for i in range(launches)))
    add("CUPTI_ACTIVITY_KIND_RUNTIME", 8, ((i * 2000 + 300, i * 2000 + 600, 0, thread, i + 1, 1, 0, None) for i in range(launches)))
    add("NVTX_EVENTS", 12, ((s * 2000000, (s + 1) * 2000000, 59, None, None, None, f"step {s}", thread, thread, None, 0, None)
                            for s in range(launches // 1000)))
    add("NVTX_EVENTS", 12, ((i * 2000 + 100, i * 2000 + 700, 59, None, None, None, f"aten::op_{i % 100}, seq = {i}, op_id = {i + 7}", thread,
                             thread, None, 0, None) for i in range(launches)))
    db.commit()


main(int(sys.argv[1]), sys.argv[2])
