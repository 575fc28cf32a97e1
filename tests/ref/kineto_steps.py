#!/usr/bin/env python3
"""A plain reading of a PyTorch (Kineto) trace: calls, own time and bytes of every op in every step.

usage: kineto_steps.py TRACE.json.gz >STEPS.csv   (how many device events had no launch, and other counts: standard error)

Times are decimals. A step is a host event ProfilerStep#N. A host event is in the step that contains its start; its own time is
its duration less those of its direct children on the same thread (of equal starts the longer is the parent; what ends after the
event in which it starts is no child of it; of equal times the lower External id is the parent, runtime calls are within ops). A device event is in the step of the call of the runtime that has its correlation
id, and keeps its whole duration. What is in no step is left out.
"""
import collections
import csv
import gzip
import json
import re
import sys
from decimal import Decimal

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"}
RUNTIME = {"cuda_runtime", "cuda_driver", "runtime"}
LEFT_OUT = {"trace", "python_function", "gpu_user_annotation", "overhead", "cuda_sync", "cuda_event"}


def main(path):
    text = gzip.open(path, "rb").read().decode("utf-8", "replace")
    steps, launch, device, lanes = [], {}, [], collections.defaultdict(list)
    for e in json.loads(text, parse_float=str, parse_int=str)["traceEvents"]:
        if e.get("ph") != "X" or e["cat"].lower() in LEFT_OUT:
            continue
        kind, args = e["cat"].lower(), e.get("args", {})
        start, dur = Decimal(e["ts"]), Decimal(e.get("dur", 0))
        m = re.fullmatch(r"ProfilerStep#(\d+)", e["name"])
        if m:
            steps.append((start, start + dur, int(m[1])))
        elif kind in DEVICE:
            device.append((start, dur, e["name"], args))
        else:
            order = (kind in RUNTIME, int(args.get("correlation" if kind in RUNTIME else "External id", 0)))
            lanes[e["pid"], e["tid"]].append((start, -dur, order, e["name"]))
        if kind in RUNTIME:
            launch[args.get("correlation")] = start

    def step_at(time):
        return next((n for a, b, n in steps if a <= time < b), None)

    rows = collections.defaultdict(lambda: {"accelerator_us": 0, "cpu_us": 0, "occurrence": 0, "transferred_bytes": 0})
    count = collections.Counter()
    for lane in lanes.values():
        stack = []
        for start, minus, _, name in sorted(lane):
            end = start - minus
            while stack and (stack[-1][0] <= start or stack[-1][0] < end):
                stack.pop()
            if stack and stack[-1][1] is not None:
                rows[stack[-1][1]]["cpu_us"] += minus
            key = None if step_at(start) is None else (step_at(start), name)
            stack.append((end, key))
            if key:
                rows[key]["cpu_us"] -= minus
                rows[key]["occurrence"] += 1
    for start, dur, name, args in device:
        if args.get("correlation") not in launch:
            count["without launch"] += 1
            continue
        step = step_at(launch[args["correlation"]])
        count["ran in another step"] += step is not None and step_at(start) != step
        if step is not None:
            row = rows[step, name]
            row["accelerator_us"] += dur
            row["occurrence"] += 1
            row["transferred_bytes"] += int(args.get("bytes", 0))
    print(path, len(device), "device events", dict(count), file=sys.stderr)
    columns = ["accelerator_us", "cpu_us", "occurrence", "transferred_bytes"]
    columns = [c for c in columns if any(r[c] for r in rows.values())]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["step", "op"] + columns)
    for key in sorted(rows):
        out.writerow(list(key) + [rows[key][c] for c in columns])


main(sys.argv[1])
