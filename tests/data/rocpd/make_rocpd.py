#!/usr/bin/env python3
"""Writes a small database as ROCm's rocprofv3 does, by the schemas in rocprofiler-sdk (source/share/rocprofiler-sdk-rocpd,
versions/3.0.3 and 4.1.0/rocpd_tables.sql): the columns of both that matter, with the views that stand before the tables.

usage: make_rocpd.py 3|3t|4 PID RANK FILE.db [PROCESS-ID THREAD-ID]

3t is schema 3 with a table of timestamps (rocpd_timestamp). Rows name their process and thread by the ids of these in rocpd_info_process
and rocpd_info_thread (the schemas' foreign keys); unless given they are the numbers of the system, as rocprofv3 has them. Two steps, "step 0" and "step 1", of 1 ms from 1 ms and 2 ms on; in us
from the start of step k, of rank r:

   roctx    step               0 .. 1000
   roctx    forward           10 .. 400
   call     hipLaunchKernel   30 .. 40         -> gemm  910 .. 1000 + 10 r + 2 k, on device r
   call     hsa_queue_create  32 .. 35         inside of it
   call     hipMemcpyAsync   500 .. 520        -> copy host to device of 8192 bytes 1050 .. 1070
   call     hipLaunchKernel  600 .. 610        -> ncclDevKernel_Generic 1080 .. 1100

so a step has accelerator time 90 + 10 r + 2 k + 20 + 20, and of the host's own time: forward 390 - 10 = 380, hipLaunchKernel 7 + 10,
hsa_queue_create 3, hipMemcpyAsync 20.
"""
import json
import os
import sqlite3
import sys

GUID = "0000a1b2_c3d4_7e5f_8a9b_%012d"
CALLS = {"hip": "HIP_RUNTIME_API_EXT", "hsa": "HSA_CORE_API"}


def tables(schema, uuid):
    by_track = schema != "3"
    times = '"start_id" INTEGER NOT NULL, "end_id" INTEGER NOT NULL' if schema == "3t" else '"start" BIGINT NOT NULL, "end" BIGINT NOT NULL'
    owner = '"track_id" INTEGER NOT NULL' if by_track else '"nid" INTEGER NOT NULL, "pid" INTEGER NOT NULL, "tid" INTEGER'
    stream = "" if by_track else ', "queue_id" INTEGER, "stream_id" INTEGER'
    key = '"id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "guid" TEXT NOT NULL'
    made = {
        "metadata": '"id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "tag" TEXT NOT NULL, "value" TEXT NOT NULL',
        "string": f'{key}, "string" TEXT NOT NULL UNIQUE ON CONFLICT ABORT',
        "info_node": f'{key}, "hash" BIGINT NOT NULL UNIQUE, "machine_id" TEXT NOT NULL UNIQUE, "hostname" TEXT',
        "info_process": f'{key}, "nid" INTEGER NOT NULL, "pid" INTEGER NOT NULL, "name" TEXT, "environment" JSONB DEFAULT "{{}}" NOT NULL',
        "info_thread": f'{key}, "nid" INTEGER NOT NULL, "pid" INTEGER NOT NULL, "tid" INTEGER NOT NULL, "name" TEXT',
        "info_agent": f'{key}, "type" TEXT CHECK ("type" IN (\'CPU\', \'GPU\')), "type_index" INTEGER, "product_name" TEXT',
        "info_kernel_symbol": f'{key}, "kernel_name" TEXT, "display_name" TEXT',
        "track": f'{key}, "nid" INTEGER NOT NULL, "pid" INTEGER, "tid" INTEGER, "agent_id" INTEGER, "queue_id" INTEGER, "stream_id" INTEGER',
        "event": f'{key}, "category_id" INTEGER, "stack_id" INTEGER, "parent_stack_id" INTEGER, "correlation_id" INTEGER, '
                 '"extdata" JSONB DEFAULT "{}" NOT NULL',
        "region": f'{key}, {owner}, {times}, "name_id" INTEGER NOT NULL, "event_id" INTEGER',
        "kernel_dispatch": f'{key}, {owner}{"" if by_track else ", " + chr(34) + "agent_id" + chr(34) + " INTEGER NOT NULL"}, {times}, '
                           f'"kernel_id" INTEGER NOT NULL, "dispatch_id" INTEGER NOT NULL{stream}, "event_id" INTEGER',
        "memory_copy": f'{key}, {owner}, {times}, "name_id" INTEGER NOT NULL, "dst_agent_id" INTEGER, "src_agent_id" INTEGER, '
                       f'"size" INTEGER NOT NULL{stream}, "event_id" INTEGER',
    }
    if schema == "4":
        made["info_category"] = f'{key}, "name" TEXT NOT NULL'
    if schema == "3t":
        made["timestamp"] = f'{key}, "value" BIGINT NOT NULL'
    for name, columns in made.items():
        yield f"CREATE TABLE `rocpd_{name}_{uuid}` ({columns})"
        yield f"CREATE VIEW `rocpd_{name}` AS SELECT * FROM `rocpd_{name}_{uuid}`"


class Database:
    def __init__(self, path, schema, uuid):
        self.schema, self.uuid, self.kept = schema, uuid, {}
        self.db = sqlite3.connect(path)
        for statement in tables(schema, uuid):
            self.db.execute(statement)

    def add(self, table, **values):
        values.setdefault("guid", self.uuid)
        if table == "metadata":
            del values["guid"]
        names = ",".join(f'"{name}"' for name in values)
        row = self.db.execute(f'INSERT INTO "rocpd_{table}_{self.uuid}" ({names}) VALUES ({",".join("?" * len(values))})',
                              list(values.values()))
        return row.lastrowid

    def once(self, table, **values):
        key = (table, *values.items())
        if key not in self.kept:
            self.kept[key] = self.add(table, **values)
        return self.kept[key]

    def text(self, text):
        return self.once("string", string=text)

    def category(self, name):
        return self.once("info_category", name=name) if self.schema == "4" else self.text(name)

    def times(self, start_us, end_us):
        if self.schema != "3t":
            return {"start": start_us * 1000, "end": end_us * 1000}
        return {"start_id": self.add("timestamp", value=start_us * 1000), "end_id": self.add("timestamp", value=end_us * 1000)}

    def owner(self, pid, tid, **where):
        if self.schema == "3":
            return {"nid": 1, "pid": pid, "tid": tid, **where}
        return {"track_id": self.once("track", nid=1, pid=pid, tid=tid, **where)}

    def event(self, category, stack, **more):
        return self.add("event", category_id=self.category(category), stack_id=stack, parent_stack_id=stack, correlation_id=0, **more)


def main(schema, pid, rank, path, process=None, thread=None):
    if os.path.exists(path):
        os.remove(path)
    db = Database(path, schema, GUID % pid)
    tid = pid + 1
    process, thread = process or pid, thread or tid
    db.add("metadata", tag="schema_version", value=schema[0])
    db.add("info_node", id=1, hash=7, machine_id="m", hostname="mi300-3")
    db.add("info_process", id=process, nid=1, pid=pid, environment=json.dumps({"HOME": "/", "RANK": str(rank), "WORLD_SIZE": "2"}))
    db.add("info_thread", id=thread, nid=1, pid=process, tid=tid, name="python")
    db.add("info_agent", id=0, type="CPU", type_index=0, product_name="AMD EPYC 9654")
    for i in range(2):
        db.add("info_agent", id=4 + i, type="GPU", type_index=i, product_name="AMD Instinct MI300X")
    gpu = 4 + rank
    gemm = db.add("info_kernel_symbol", kernel_name="_Z4gemmPf.kd", display_name="gemm(float*)")
    nccl = db.add("info_kernel_symbol", kernel_name="ncclDevKernel_Generic.kd", display_name="ncclDevKernel_Generic(ncclDevComm*)")

    def region(start, end, name, category, stack, **extdata):
        more = {"extdata": json.dumps(extdata, indent=4)} if extdata else {}
        db.add("region", **db.owner(process, thread), **db.times(start, end), name_id=db.text(name), event_id=db.event(category, stack, **more))

    def kernel(start, end, symbol, stack, number):
        db.add("kernel_dispatch", **db.owner(process, thread, agent_id=gpu, queue_id=1, stream_id=2), **db.times(start, end), kernel_id=symbol,
               dispatch_id=number, event_id=db.event("KERNEL_DISPATCH", stack))

    for k in range(2):
        t, s = 1000 * (k + 1), 10 * (k + 1)
        region(t, t + 1000, "roctxThreadRangeA", "MARKER_CORE_RANGE_API", s + 8, message=f"step {k}")
        region(t + 10, t + 400, "roctxThreadRangeA", "MARKER_CORE_RANGE_API", s + 9, message="forward")
        region(t + 30, t + 40, "hipLaunchKernel", CALLS["hip"], s)
        region(t + 32, t + 35, "hsa_queue_create", CALLS["hsa"], s + 1)
        kernel(t + 910, t + 1000 + 10 * rank + 2 * k, gemm, s, s)
        region(t + 500, t + 520, "hipMemcpyAsync", CALLS["hip"], s + 2)
        db.add("memory_copy", **db.owner(process, thread, queue_id=None, stream_id=2), **db.times(t + 1050, t + 1070),
               name_id=db.text("MEMORY_COPY_HOST_TO_DEVICE"), dst_agent_id=gpu, src_agent_id=0, size=8192,
               event_id=db.event("MEMORY_COPY", s + 2))
        region(t + 600, t + 610, "hipLaunchKernel", CALLS["hip"], s + 3)
        kernel(t + 1080, t + 1100, nccl, s + 3, s + 3)
    db.db.commit()
    db.db.close()


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], *map(int, sys.argv[5:]))
