# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes made recordings in the formats of several profilers, for tests that hold the formats against each other.

A recording is a Made: markers, launches and kernels with times in us, and the process that recorded them. write(format, path, made)
adds the format's suffix. What a format has no place for (the host of a Perfetto trace, the process of a viewer's trace) is not written.
"""
import hashlib
import json
import os
import sqlite3
from dataclasses import dataclass, field as member


@dataclass
class Made:
    marks: list  # (number, start, duration)
    launches: list  # (start, duration, link, name)
    kernels: list  # (start, duration, link, name)
    step: str = "step %d"  # the marker's name, where the format has no own
    pid: int = 4242
    host: str = "node7"
    rank: int = -1  # of 4; -1: alone
    epoch_ns: int = 1_700_000_000 * 10**9  # of time 0; 0: the producer does not say it
    began_ns: int = 0  # the process, where the format says it; 0: not said
    events: dict = member(default_factory=dict)  # more members of a JSON trace


# ---- protobuf

def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


# ---- traces in JSON

def kineto(path, made):
    out = []

    def add(cat, name, pid, tid, ts, dur, **args):
        out.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": round(ts, 3), "dur": round(dur, 3), "args": args})

    for number, start, dur in made.marks:
        add("user_annotation", made.step % number, made.pid, made.pid, start, dur)
    for start, dur, link, name in made.launches:
        add("cuda_runtime", name, made.pid, made.pid, start, dur, correlation=link)
    for start, dur, link, name in made.kernels:
        add("kernel", name, 0, 7, start, dur, device=0, stream=7, correlation=link)
    trace = {"schemaVersion": 1, "traceEvents": out, "host_name": made.host, **made.events}
    if made.epoch_ns:
        trace["baseTimeNanoseconds"] = made.epoch_ns
    if made.rank >= 0:
        trace["distributedInfo"] = {"rank": made.rank, "world_size": 4}
    with open(path + ".pt.trace.json", "w") as file:
        json.dump(trace, file)


def jax(path, made):
    out = [{"ph": "M", "pid": pid, "name": "process_name", "args": {"name": name}} for pid, name in ((1, "/device:GPU:0"), (701, "/host:CPU"))]
    out.append({"ph": "M", "pid": 1, "tid": 7, "name": "thread_name", "args": {"name": "Stream #7(Compute)"}})

    def add(pid, tid, name, ts, dur, **args):
        out.append({"ph": "X", "pid": pid, "tid": tid, "name": name, "ts": round(ts, 3), "dur": round(dur, 3), "args": args})

    for number, start, dur in made.marks:
        add(701, 1, "train", start, dur, step_num=str(number))
    for start, dur, link, name in made.launches:
        add(701, 1, name.replace("cudaLaunch", "cuLaunch"), start, dur, correlation_id=str(link))
    for start, dur, link, name in made.kernels:
        add(1, 7, name, start, dur, correlation_id=str(link), hlo_op=name, hlo_module="jit_train")
    with open(path + ".trace.json", "w") as file:
        json.dump({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": out}, file)


# ---- XPlane

def plane(name, lines, stats=()):
    """Lines: (id, name, timestamp_ns, [(name, start_us, duration_us, {stat: number or text})])."""
    names, ids, body = {}, {}, field(2, name)

    def one_stat(key, value):
        return field(1, ids.setdefault(key, len(ids) + 1)) + field(4 if isinstance(value, int) else 5, value)

    for number, line_name, stamp_ns, events in lines:
        line = field(1, number) + field(2, line_name) + field(3, stamp_ns)
        for event_name, start, dur, values in events:
            line += field(4, field(1, names.setdefault(event_name, len(names) + 1)) + field(2, round(start * 10**6)) +
                          field(3, round(dur * 10**6)) + b"".join(field(4, one_stat(*stat)) for stat in values.items()))
        body += field(3, line)
    body += b"".join(field(6, one_stat(*stat)) for stat in dict(stats).items())
    for table, of in ((names, 4), (ids, 5)):
        body += b"".join(field(of, field(1, number) + field(2, field(1, number) + field(2, text))) for text, number in table.items())
    return field(1, body)


def xplane(path, made):
    host = [("train", start, dur, {"step_num": number}) for number, start, dur in made.marks]
    host += [(name.replace("cudaLaunch", "cuLaunch"), start, dur, {"correlation_id": link}) for start, dur, link, name in made.launches]
    device = [(name, start, dur, {"correlation_id": link, "hlo_op": name, "hlo_module": "jit_train"})
              for start, dur, link, name in made.kernels]
    out = plane("/device:GPU:0", [(7, "Stream #7(Compute)", 5000, device)])
    out += plane("/host:CPU", [(77, "python", 5000, host)], {"process_id": made.pid} if made.pid else {})
    out += plane("Task Environment", [], {"profile_start_time": made.epoch_ns} if made.epoch_ns else {})
    with open(path + ".xplane.pb", "wb") as file:
        file.write(out + field(4, made.host))


# ---- Perfetto, as rocprofv3 writes it by the SDK, which numbers the track of a process by a hash of its number and start

def pftrace(path, made):
    packets = []

    def track(uuid, inside):
        packets.append(field(60, field(1, uuid) + inside))

    if made.epoch_ns:  # the clock of the trace and that of the day
        packets.append(field(6, field(1, field(1, 6) + field(2, 10**12)) + field(1, field(1, 1) + field(2, made.epoch_ns))))
    process = 10 if not made.began_ns else int.from_bytes(hashlib.sha256(b"%d %d" % (made.pid, made.began_ns)).digest()[:8], "little") | 1 << 63
    track(process, field(3, field(1, made.pid) + field(6, "python")))
    track(11, field(5, process) + field(4, field(1, made.pid) + field(2, made.pid) + field(5, "main")))
    track(12, field(2, "COMPUTE AGENT [4] STREAM [1] (GPU)"))

    slices = [(start, -dur, 11, made.step % number, "marker_api", 10**6 + number) for number, start, dur in made.marks]
    slices += [(start, -dur, 11, name.replace("cuda", "hip"), "hip_api", link) for start, dur, link, name in made.launches]
    slices += [(start, -dur, 12, name, "kernel_dispatch", link) for start, dur, link, name in made.kernels]
    events = []
    for start, minus_dur, uuid, name, category, link in slices:
        inside = field(22, category) + field(23, name) + field(4, field(10, "corr_id") + field(4, link))
        end = round(1000 * (start - minus_dur))
        events.append((round(1000 * start), 1, minus_dur, uuid, inside))
        events.append((end, 0, -minus_dur, uuid, b""))
    for at, kind, _, uuid, inside in sorted(events, key=lambda e: e[:3]):
        packets.append(field(8, 10**12 + at) + field(10, 1) + field(11, field(9, 1 if kind else 2) + field(11, uuid) + inside))
    with open(path + ".pftrace", "wb") as file:
        file.write(b"".join(field(1, packet) for packet in packets))


# ---- databases

NSIGHT = """
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT, name TEXT, nameEnum INTEGER, value TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT, systemClockNs INTEGER);
CREATE TABLE META_DATA_CAPTURE (id INTEGER, name TEXT, value TEXT);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, globalTid INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER,
    nameId INTEGER, returnValue INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
    correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
"""

ROCPD = """
CREATE TABLE rocpd_string_1 (id INTEGER PRIMARY KEY, string TEXT);
CREATE TABLE rocpd_info_node_1 (id INTEGER PRIMARY KEY, hostname TEXT);
CREATE TABLE rocpd_info_process_1 (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, start INTEGER, environment TEXT);
CREATE TABLE rocpd_info_agent_1 (id INTEGER PRIMARY KEY, type_index INTEGER);
CREATE TABLE rocpd_info_kernel_symbol_1 (id INTEGER PRIMARY KEY, display_name TEXT);
CREATE TABLE rocpd_event_1 (id INTEGER PRIMARY KEY, stack_id INTEGER, category_id INTEGER, extdata TEXT);
CREATE TABLE rocpd_region_1 (start INTEGER, end INTEGER, pid INTEGER, tid INTEGER, name_id INTEGER, event_id INTEGER);
CREATE TABLE rocpd_kernel_dispatch_1 (start INTEGER, end INTEGER, pid INTEGER, agent_id INTEGER, stream_id INTEGER, kernel_id INTEGER,
    event_id INTEGER);
"""


class Database:
    def __init__(self, path, schema):
        self.db, self.texts = sqlite3.connect(path), {}
        self.db.executescript("BEGIN;" + schema)

    def text(self, name):
        return self.texts.setdefault(name, 100 + len(self.texts))

    def add(self, table, **values):
        self.db.execute("INSERT INTO %s (%s) VALUES (%s)" % (table, ",".join(values), ",".join("?" * len(values))), list(values.values()))

    def spend(self, table, start, dur, **values):
        self.add(table, start=10**12 + round(1000 * start), end=10**12 + round(1000 * (start + dur)), **values)

    def close(self, table, column):
        for name, number in self.texts.items():
            self.add(table, id=number, **{column: name})
        self.db.commit()
        self.db.close()


def nsight(path, made):
    db = Database(path + ".sqlite", NSIGHT)
    process = made.pid << 24
    db.add("PROCESSES", globalPid=process, pid=made.pid, name="python")
    db.add("TARGET_INFO_SYSTEM_ENV", name="Hostname", value=made.host)
    if made.epoch_ns:
        db.add("TARGET_INFO_SESSION_START_TIME", utcEpochNs=made.epoch_ns, systemClockNs=10**12)
    if made.rank >= 0:
        for name, value in (("RANK", made.rank), ("WORLD_SIZE", 4)):
            db.add("META_DATA_CAPTURE", name="PROCESS_0:ENVIRONMENT_VARIABLE", value='%s="%d"' % (name, value))
    for number, start, dur in made.marks:
        db.spend("NVTX_EVENTS", start, dur, eventType=59, text=made.step % number, globalTid=process + made.pid)
    for start, dur, link, name in made.launches:
        db.spend("CUPTI_ACTIVITY_KIND_RUNTIME", start, dur, eventClass=0, globalTid=process + made.pid, correlationId=link,
                 nameId=db.text(name + "_v7000"), returnValue=0)
    for start, dur, link, name in made.kernels:
        db.spend("CUPTI_ACTIVITY_KIND_KERNEL", start, dur, deviceId=0, contextId=1, streamId=7, correlationId=link, globalPid=process,
                 demangledName=db.text(name), shortName=db.text(name))
    db.close("StringIds", "value")


def rocpd(path, made):
    db, kernels = Database(path + ".db", ROCPD), {}
    env = {"RANK": str(made.rank), "WORLD_SIZE": "4"} if made.rank >= 0 else {}
    db.add("rocpd_info_node_1", id=1, hostname=made.host)
    db.add("rocpd_info_process_1", id=1, nid=1, pid=made.pid, start=made.began_ns or None, environment=json.dumps(env))
    db.add("rocpd_info_agent_1", id=4, type_index=0)
    for event, (number, start, dur) in enumerate(made.marks, 10**9):
        db.add("rocpd_event_1", id=event, stack_id=0, category_id=db.text("MARKER_CORE_API"),
               extdata=json.dumps({"message": made.step % number}))
        db.spend("rocpd_region_1", start, dur, pid=1, tid=made.pid, name_id=db.text("roctxRangePushA"), event_id=event)
    for start, dur, link, name in made.launches:
        db.add("rocpd_event_1", id=2 * link, stack_id=link, category_id=db.text("HIP_RUNTIME_API"), extdata="{}")
        db.spend("rocpd_region_1", start, dur, pid=1, tid=made.pid, name_id=db.text(name.replace("cuda", "hip")), event_id=2 * link)
    for event, (start, dur, link, name) in enumerate(made.kernels, 10**10):
        if name not in kernels:
            kernels[name] = len(kernels) + 1
            db.add("rocpd_info_kernel_symbol_1", id=kernels[name], display_name=name)
        db.add("rocpd_event_1", id=event, stack_id=link, extdata="{}")
        db.spend("rocpd_kernel_dispatch_1", start, dur, pid=1, agent_id=4, stream_id=1, kernel_id=kernels[name], event_id=event)
    db.close("rocpd_string_1", "string")


FORMATS = {"kineto": kineto, "jax-trace": jax, "xplane": xplane, "pftrace": pftrace, "nsight": nsight, "rocpd": rocpd}


def write(name, path, made):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    FORMATS[name](path, made)
