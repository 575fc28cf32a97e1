#!/usr/bin/env python3
"""A plain reading of a database of Nsight Systems or of rocpd: calls, own time and bytes of every op in every step of every process.

usage: database_steps.py DATABASE[.gz] STEP-REGEX >STEPS.csv

Joins are dictionaries over whole tables. A step is a range of a thread that matches, of the number in its first group; an inner one is
no step. A host event is in the step of its process that contains its start; its own time is its duration less those of its direct
children on the same thread (of equal starts the longer is the parent). A device event is in the step of the call that has its
correlation id in its process, and keeps its whole duration. What is in no step is left out.
"""
import collections
import csv
import gzip
import json
import re
import shutil
import sqlite3
import sys
import tempfile

MEMORY = ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"]
COPY = ["Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"]
ROCM_COPY = {"HOST_TO_DEVICE": "HtoD (Host -> Device)", "DEVICE_TO_HOST": "DtoH (Device -> Host)"}


def rows(db, table):
    cursor = db.execute(f'SELECT * FROM "{table}"')
    names = [c[0] for c in cursor.description]
    return [dict(zip(names, r)) for r in cursor]


def nsight(db):
    """Yields (kind, process, thread, start, end, name, link, bytes)."""
    tables = {r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    text = {r["id"]: r["value"] for r in rows(db, "StringIds")}
    for r in rows(db, "NVTX_EVENTS"):
        if r["eventType"] == 59 and r["end"] is not None:
            name = r["text"] if r["text"] is not None else text[r["textId"]]
            yield "range", r["globalTid"] >> 24, r["globalTid"], r["start"], r["end"], re.split(r", (?:seq|op_id) = ", name)[0], None, 0
    for r in rows(db, "CUPTI_ACTIVITY_KIND_RUNTIME"):
        name = re.sub(r"_v\d{4,}$", "", text[r["nameId"]])
        yield "call", r["globalTid"] >> 24, r["globalTid"], r["start"], r["end"], name, r["correlationId"], 0
    for r in rows(db, "CUPTI_ACTIVITY_KIND_KERNEL"):
        yield "device", r["globalPid"] >> 24, None, r["start"], r["end"], text[r["demangledName"]], r["correlationId"], 0
    for r in rows(db, "CUPTI_ACTIVITY_KIND_MEMCPY") if "CUPTI_ACTIVITY_KIND_MEMCPY" in tables else []:
        name = f"Memcpy {COPY[r['copyKind']]} ({MEMORY[r['srcKind']]} -> {MEMORY[r['dstKind']]})"
        yield "device", r["globalPid"] >> 24, None, r["start"], r["end"], name, r["correlationId"], r["bytes"] if isinstance(r["bytes"], int) else 0
    for r in rows(db, "CUPTI_ACTIVITY_KIND_MEMSET") if "CUPTI_ACTIVITY_KIND_MEMSET" in tables else []:
        yield "device", r["globalPid"] >> 24, None, r["start"], r["end"], f"Memset ({MEMORY[r['memKind']]})", r["correlationId"], r["bytes"]


def rocpd(db):
    text = {r["id"]: r["string"] for r in rows(db, "rocpd_string")}
    event = {r["id"]: r for r in rows(db, "rocpd_event")}
    track = {r["id"]: r for r in rows(db, "rocpd_track")}
    pid_of = {r["id"]: r["pid"] for r in rows(db, "rocpd_info_process")}
    symbol = {r["id"]: r["display_name"] for r in rows(db, "rocpd_info_kernel_symbol")}
    views = {r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'view'")}
    stamp = {r["id"]: r["value"] for r in rows(db, "rocpd_timestamp")} if "rocpd_timestamp" in views else {}
    category = {r["id"]: r["name"] for r in rows(db, "rocpd_info_category")} if "rocpd_info_category" in views else text

    def common(r):
        owner = track[r["track_id"]] if "track_id" in r else r
        start, end = (r["start"], r["end"]) if "start" in r else (stamp[r["start_id"]], stamp[r["end_id"]])
        return pid_of[owner["pid"]], owner["tid"], start, end

    for r in rows(db, "rocpd_region"):
        e = event[r["event_id"]]
        pid, tid, start, end = common(r)
        if category[e["category_id"]].startswith("MARKER"):
            yield "range", pid, tid, start, end, json.loads(e["extdata"])["message"], None, 0
        else:
            yield "call", pid, tid, start, end, text[r["name_id"]], e["stack_id"], 0
    for r in rows(db, "rocpd_kernel_dispatch"):
        pid, _, start, end = common(r)
        yield "device", pid, None, start, end, symbol[r["kernel_id"]], event[r["event_id"]]["stack_id"], 0
    for r in rows(db, "rocpd_memory_copy"):
        pid, _, start, end = common(r)
        name = "Memcpy " + ROCM_COPY[text[r["name_id"]].removeprefix("MEMORY_COPY_")]
        yield "device", pid, None, start, end, name, event[r["event_id"]]["stack_id"], r["size"]


def own_times(lane):
    """(start, end, name, ...) of one thread -> own time of each."""
    lane.sort(key=lambda e: (e[0], -e[1]))
    own, stack = [e[1] - e[0] for e in lane], []
    for i, e in enumerate(lane):
        while stack and lane[stack[-1]][1] <= e[0] and not (e[0] == e[1] == lane[stack[-1]][1]):
            stack.pop()
        if stack and e[1] <= lane[stack[-1]][1]:
            own[stack[-1]] -= e[1] - e[0]
        stack.append(i)
    return own


def main(path, regex):
    with tempfile.NamedTemporaryFile() as plain:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as packed:
            shutil.copyfileobj(packed, plain)
        plain.flush()
        db = sqlite3.connect(f"file:{plain.name}?immutable=1", uri=True)
        is_rocpd = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'rocpd_region'").fetchone()[0]
        events = list((rocpd if is_rocpd else nsight)(db))
    worked = {process for kind, process, *_ in events if kind == "device"}
    steps, lanes, launch = collections.defaultdict(list), collections.defaultdict(list), {}
    for kind, process, thread, start, end, name, link, _ in events:
        match = re.search(regex, name) if kind == "range" else None
        if process not in worked or kind == "device":
            continue
        if match:
            steps[process].append((start, end, int(match[1])))
        else:
            lanes[process, thread].append((start, end, name))
        if kind == "call":
            launch[process, link] = start
    found = collections.defaultdict(lambda: [0, 0, 0, 0])

    def step_of(process, time):
        inside = [s for s in steps[process] if s[0] <= time < s[1]]
        return min(inside)[2] if inside else None

    def add(process, time, name, column, value, size):
        step = step_of(process, time) if time is not None else None
        if step is not None:
            row = found[process & 0xFFFFFF, step, name]
            row[column] += value
            row[2] += 1
            row[3] += size

    for (process, _), lane in lanes.items():
        for e, own in zip(lane, own_times(lane)):
            add(process, e[0], e[2], 1, own, 0)
    for kind, process, _, start, end, name, link, size in events:
        if kind == "device":
            add(process, launch.get((process, link)), name, 0, end - start, size)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["process", "step", "op", "accelerator_us", "cpu_us", "occurrence", "transferred_bytes"])
    for (process, step, name), (device, host, calls, size) in sorted(found.items()):
        out.writerow([process, step, name, f"{device / 1000:.3f}", f"{host / 1000:.3f}", calls, size])


main(sys.argv[1], sys.argv[2])
