#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes recordings with made markers of steps, in every format that has some, and compares what stepstat says of their steps
with the markers: each is a step, in order of time, with its number, kind and duration.

markers.py PROGRAM DIR [SEEDS]: prints a line for each format. Events and rows are written in random order.
"""
import csv
import gzip
import io
import json
import os
import random
import sqlite3
import subprocess
import sys

from recordings import field

PATTERN = r"--step-marker=^(?:train|eval)[ _](\d+)$"


def worlds(seed):
    """Markers (kind, number) of runs whose numbers are not the order of time."""
    r = random.Random(seed)
    n = r.randint(3, 7)
    epochs = [("train", i) for _ in range(r.randint(2, 4)) for i in range(n)]
    both = [(k, i) for i in range(n) for k in (["train", "eval"] if i % 2 else ["train"])]
    down = [("train", n - i) for i in range(n)]
    gaps = [("train", i * i + 5) for i in range(n)] + [("train", i) for i in (2, 90, 3)]
    twins = [("train", i // 2) for i in range(2 * n)]
    mixed = [(r.choice(["train", "train", "eval"]), r.randint(0, 4)) for _ in range(3 * n)]
    return [epochs, both, down, gaps, twins, mixed]


def timed(markers, r):
    """(kind, number, start_us, duration_us): they do not touch."""
    out, at = [], 1000
    for kind, number in markers:
        dur = r.randint(20, 90)
        out.append((kind, number, at, dur))
        at += dur + r.randint(1, 9)
    return out


def shuffled(items, r):
    items = list(items)
    r.shuffle(items)
    return items


# ---- formats: each writes a file and says its options, and whether kinds are in it

def chrome(path, marks, r):
    events = []
    for kind, number, at, dur in marks:
        events.append({"ph": "X", "pid": 1, "tid": 1, "name": "%s %d" % (kind, number), "ts": at, "dur": dur})
        events.append({"ph": "X", "pid": 1, "tid": 1, "name": "work", "ts": at + 1, "dur": dur - 2})
    json.dump({"traceEvents": shuffled(events, r)}, open(path, "w"))
    return [PATTERN, "--from=chrome"], True


def chrome_pairs(path, marks, r):
    events = []
    for kind, number, at, dur in marks:
        name = "%s_%d" % (kind, number)
        events += [{"ph": "B", "pid": 1, "tid": 1, "name": name, "ts": at},
                   {"ph": "B", "pid": 1, "tid": 1, "name": "work", "ts": at + 1},
                   {"ph": "E", "pid": 1, "tid": 1, "name": "work", "ts": at + dur - 2},
                   {"ph": "E", "pid": 1, "tid": 1, "name": name, "ts": at + dur}]
    json.dump({"traceEvents": shuffled(events, r)}, open(path, "w"))
    return [PATTERN, "--from=chrome"], True


def kineto(path, marks, r):
    events = []
    for _, number, at, dur in marks:
        events.append({"ph": "X", "cat": "user_annotation", "pid": 1, "tid": 1, "name": "ProfilerStep#%d" % number, "ts": at, "dur": dur})
        events.append({"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, "name": "aten::mm", "ts": at + 1, "dur": dur - 2})
    json.dump({"schemaVersion": 1, "traceEvents": shuffled(events, r)}, open(path, "w"))
    return [], False


def jax_trace(path, marks, r):
    events = []
    for kind, number, at, dur in marks:
        events.append({"ph": "X", "pid": 7, "tid": 1, "name": kind, "ts": at, "dur": dur, "args": {"step_num": str(number)}})
        events.append({"ph": "X", "pid": 7, "tid": 2, "name": "dot.1", "ts": at + 1, "dur": dur - 2,
                       "args": {"hlo_op": "dot.1", "hlo_module": "jit_step"}})
    meta = [{"ph": "M", "pid": 7, "name": "process_name", "args": {"name": "/host:CPU"}}]
    with gzip.open(path, "wt") as out:
        json.dump({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": meta + shuffled(events, r)}, out)
    return [], True


def onnxruntime(path, marks, r):
    lines = []

    def event(cat, name, ts, dur, args):
        lines.append({"cat": cat, "pid": 5, "tid": 5, "dur": dur, "ts": ts, "ph": "X", "name": name, "args": args})

    event("Session", "session_initialization", 1, 10, {})
    for _, _, at, dur in marks:
        event("Node", "fc_kernel_time", at + 1, dur - 2, {"op_name": "Gemm", "provider": "CPUExecutionProvider", "node_index": "1"})
        event("Session", "model_run", at, dur, {})
    json.dump(lines, open(path, "w"))
    return [], False


def xplane(path, marks, r):
    names = ["train", "eval", "dot.1"]

    def event(name, at, dur, stat):
        return field(4, field(1, names.index(name) + 1) + field(2, at * 10**6) + field(3, dur * 10**6) + field(4, stat))

    steps = [event(k, at, dur, field(1, 1) + field(4, number)) for k, number, at, dur in marks]
    ops = [event("dot.1", at + 1, dur - 2, field(1, 2) + field(5, "dot.1")) for _, _, at, dur in marks]
    plane = field(2, "/host:CPU")
    for number, name, events in ((1, "python", steps), (2, "tf_XLAEigen", ops)):
        plane += field(3, field(1, number) + field(2, name) + field(3, 10**9) + b"".join(shuffled(events, r)))
    for i, name in enumerate(names):
        plane += field(4, field(1, i + 1) + field(2, field(1, i + 1) + field(2, name)))
    for i, name in enumerate(("step_num", "hlo_op")):
        plane += field(5, field(1, i + 1) + field(2, field(1, i + 1) + field(2, name)))
    open(path, "wb").write(field(1, plane))
    return [], True


def nsys(path, marks, r):
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
                     "INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'gemm');"
                     "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);"
                     "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
                     " correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);"
                     "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, globalTid INTEGER);")
    pid = 10 << 24
    for i, (kind, number, at, dur) in shuffled(enumerate(marks), r):
        db.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, NULL, ?)", (at * 1000, (at + dur) * 1000, "%s %d" % (kind, number), pid + 11))
        db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, 1)", (at * 1000 + 100, at * 1000 + 900, pid + 11, i + 1))
        db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 7, ?, ?, 2)", (at * 1000 + 1000, (at + dur - 2) * 1000, i + 1, pid))
    db.commit()
    return [PATTERN], True


def rocpd(path, marks, r, length=1):
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE rocpd_string_1 (id INTEGER PRIMARY KEY, string TEXT);"
                     "CREATE TABLE rocpd_info_process_1 (id INTEGER PRIMARY KEY, pid INTEGER);"
                     "CREATE TABLE rocpd_info_agent_1 (id INTEGER PRIMARY KEY, type_index INTEGER);"
                     "CREATE TABLE rocpd_info_kernel_symbol_1 (id INTEGER PRIMARY KEY, display_name TEXT);"
                     "CREATE TABLE rocpd_event_1 (id INTEGER PRIMARY KEY, stack_id INTEGER, category_id INTEGER, extdata TEXT);"
                     "CREATE TABLE rocpd_region_1 (start INTEGER, end INTEGER, pid INTEGER, tid INTEGER, name_id INTEGER, event_id INTEGER);"
                     "CREATE TABLE rocpd_kernel_dispatch_1 (start INTEGER, end INTEGER, pid INTEGER, agent_id INTEGER, stream_id INTEGER,"
                     " kernel_id INTEGER, event_id INTEGER);"
                     "INSERT INTO rocpd_info_process_1 VALUES (1, 77); INSERT INTO rocpd_info_agent_1 VALUES (4, 0);"
                     "INSERT INTO rocpd_info_kernel_symbol_1 VALUES (1, 'gemm');"
                     "INSERT INTO rocpd_string_1 VALUES (1, 'MARKER_CORE_API'), (2, 'HIP_RUNTIME_API'), (3, 'roctxRangePushA'), (4, 'hipLaunchKernel');")
    for i, (kind, number, at, dur) in shuffled(enumerate(marks), r):
        db.execute("INSERT INTO rocpd_event_1 VALUES (?, 0, 1, ?)", (3 * i + 1, json.dumps({"message": "%s %d" % (kind, number)})))
        db.execute("INSERT INTO rocpd_event_1 VALUES (?, ?, 2, '{}'), (?, ?, NULL, '{}')", (3 * i + 2, i + 1, 3 * i + 3, i + 1))
        db.execute("INSERT INTO rocpd_region_1 VALUES (?, ?, 1, 5, 3, ?)", (at * 1000, (at + length * dur) * 1000, 3 * i + 1))
        db.execute("INSERT INTO rocpd_region_1 VALUES (?, ?, 1, 5, 4, ?)", (at * 1000 + 100, at * 1000 + 900, 3 * i + 2))
        db.execute("INSERT INTO rocpd_kernel_dispatch_1 VALUES (?, ?, 1, 4, 1, 1, ?)", (at * 1000 + 1000, (at + dur - 2) * 1000, 3 * i + 3))
    db.commit()
    return [PATTERN], True


def rocpd_points(path, marks, r):
    return rocpd(path, marks, r, 0)


def pftrace(path, marks, r):
    """TrackEvents of a thread. Numbers of fields: 1 packet, 8 timestamp, 10 sequence, 11 event, 60 track."""
    packets = [field(60, field(1, 1) + field(4, field(1, 1) + field(2, 1) + field(5, "main")))]
    for kind, number, at, dur in marks:
        for start, name in ((at, "%s %d" % (kind, number)), (at + 1, "work"), (at + dur - 1, ""), (at + dur, "")):
            event = field(9, 1 if name else 2) + field(11, 1) + (field(23, name) if name else b"")
            packets.append(field(8, 1000 * start) + field(10, 1) + field(11, event))
    with open(path, "wb") as file:
        file.write(b"".join(field(1, packet) for packet in packets))
    return [PATTERN], True


FORMATS = {"chrome": (chrome, ".json"), "chrome, B and E": (chrome_pairs, ".json"), "kineto": (kineto, ".json"),
           "jax-trace": (jax_trace, ".trace.json.gz"), "onnxruntime": (onnxruntime, ".json"), "xplane": (xplane, ".xplane.pb"),
           "nsys": (nsys, ".sqlite"), "rocpd": (rocpd, ".db"), "rocpd, points": (rocpd_points, ".db"),
           "perfetto": (pftrace, ".pftrace")}


def table(*arguments):
    out = subprocess.run([sys.argv[1], *arguments, "--to=csv"], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(out)))


def steps(path, options):
    return table(path, *options, "--table=steps")


def check_tables(name, path, options, rows, kinds):
    """The tables for databases have the same steps, and the query of a report, which joins them, the same mean."""
    found = table("sql", path, *options, "SELECT s.step_index, s.step, kind_name, sum(value) AS ps FROM steps AS s JOIN obs AS o"
                  " ON s.run = o.run AND s.step_index = o.step_index WHERE measure = 'time' GROUP BY s.run, s.step_index")
    assert [[r["step_index"], r["step"]] for r in found] == [[r["index"], r["step"]] for r in rows], (name, path)
    if not name.startswith(("nsys", "rocpd")):  # whose reports are of the device alone
        assert [float(r["ps"]) for r in found] == [round(1e6 * float(r["op_time_us"])) for r in rows], (name, path)
    if kinds and len({r["kind"] for r in rows}) > 1:
        assert [r["kind_name"] for r in found] == [r["kind"] for r in rows], (name, path)
    query = subprocess.run([sys.argv[1], "export", "--queries=sqlite"], check=True, capture_output=True, text=True).stdout
    means = {r["op"]: float(r["mean"]) for r in table("sql", path, *options, query) if r["measure"] == "time"}
    for row in table(path, *options, "--stats=mean"):
        assert abs(means[row["op"]] - float(row["time_mean_us"])) < 1e-9 * means[row["op"]], (name, path, row)


def check_events(name, path, options, rows):
    """Events have the place, number and kind of their step; places choose steps, and a mean timeline counts them."""
    found = table("events", path, *options)
    assert [(r["index"], r["step"]) for r in found] == [(r["index"], r["step"]) for r in rows], (name, path)
    some = table("events", path, *options, "--steps=@2:3")
    assert [r["index"] for r in some] == ["1", "2"], (name, path, some)
    subprocess.run([sys.argv[1], "timeline", "mean", path, *options, "-o", path + ".mean.json"], check=True, capture_output=True)
    counts = [e["args"]["n"] for e in json.load(open(path + ".mean.json"))["traceEvents"] if e["ph"] == "X"]
    assert counts == [len(rows)], (name, path, counts)


def check(name, make, path, marks, r):
    options, kinds = make(path, marks, r)
    rows = steps(path, options)
    is_point, has_number = name.endswith("points"), name != "onnxruntime"
    assert len(rows) == len(marks), (name, path, len(rows), len(marks))
    for i, (row, (kind, number, at, dur)) in enumerate(zip(rows, marks)):
        assert int(row["index"]) == i, (name, path, i, row)
        assert int(row["step"]) == (number if has_number else i), (name, path, i, row, number)
        if not is_point:
            assert float(row["step_time_us"]) == dur, (name, path, i, row, dur)
        if kinds and len({k for k, *_ in marks}) > 1:
            assert row["kind"] == kind, (name, path, i, row, kind)
    if kinds:  # the tables that are written keep all of it
        for ending in ("csv", "obs", "parquet"):
            again = "%s.again.%s" % (path, ending)
            subprocess.run([sys.argv[1], "export", path, *options, "-o", again, "--quiet"], check=True)
            what = [[(s["index"], s["step"], s["kind"], s["op_time_us"]) for s in t] for t in (rows, steps(again, []))]
            assert what[0] == what[1], (name, again)
    check_tables(name, path, options, rows, kinds)
    if not name.startswith(("nsys", "rocpd", "onnx", "xplane")):  # of whose ops the markers are some, or which are no traces of events
        check_events(name, path, options, rows)
    return len(rows)


def main():
    folder, seeds = sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for name, (make, ending) in FORMATS.items():
        count = files = 0
        for seed in range(seeds):
            for w, markers in enumerate(worlds(seed)):
                r = random.Random(100 * seed + w)
                path = os.path.join(folder, "%s-%d-%d%s" % (name.replace(", ", "-").replace(" ", "-"), seed, w, ending))
                count += check(name, make, path, timed(markers, r), r)
                files += 1
        print("%s: %d files, %d markers, %d steps" % (name, files, count, count))


main()
