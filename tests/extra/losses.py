#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings that lack a part must not pass a gate: whole ones of several formats are green, each made loss ends it with status 3.

losses.py STEPSTAT TOP

Five runs a side of 12 steps of 10 launches, times of kernels +-0.5 %. What is lost is taken out of the events before they are written.
Kernels run 130 us after their launch or, of "ranges", at once.
"""

import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

RUNS, STEPS, KERNELS = 5, 12, 10
STEP_US = 1000


def recording(seed, graph=None, is_prompt=False):
    """(marks, launches, kernels) of a run, times in us; a launch and its kernels have the same number."""
    rng, marks, launches, kernels, link = random.Random(seed), [], [], [], 0
    for step in range(STEPS):
        start = 10000 + step * STEP_US
        marks.append([step, start, STEP_US])
        for k in range(KERNELS):
            link += 1
            replays = graph and k == 0
            launches.append([step, start + (120 + 80 * k if is_prompt else 20 + 8 * k), 5, link,
                             graph if replays else "cudaLaunchKernel"])
            for part in range(9 if replays else 1):
                dur = 40 * rng.uniform(0.995, 1.005) / (9 if replays else 1)
                kernels.append([step, start + 150 + 80 * k + 6 * part, dur, link, "op%d" % k])
    return marks, launches, kernels


# ---- formats

def kineto(path, events, step="ProfilerStep#%d"):
    marks, launches, kernels = events
    out = []

    def add(cat, name, pid, tid, ts, dur, **args):
        out.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": round(ts, 3), "dur": round(dur, 3), "args": args})

    for number, start, dur in marks if step else []:
        add("user_annotation", step % number, 9, 9, start, dur)
    for _, start, dur, link, name in launches:
        add("cuda_runtime", name, 9, 9, start, dur, correlation=link)
    for _, start, dur, link, name in kernels:
        add("kernel", name, 0, 7, start, dur, device=0, stream=7, correlation=link)
    with open(path + ".json", "w") as file:
        json.dump({"schemaVersion": 1, "traceEvents": out}, file)


def jax(path, events):
    marks, launches, kernels = events
    out = [{"ph": "M", "pid": pid, "name": "process_name", "args": {"name": name}} for pid, name in ((1, "/device:GPU:0"), (2, "/host:CPU"))]
    out.append({"ph": "M", "pid": 1, "tid": 7, "name": "thread_name", "args": {"name": "Stream #7(Compute)"}})

    def add(pid, tid, name, ts, dur, **args):
        out.append({"ph": "X", "pid": pid, "tid": tid, "name": name, "ts": round(ts, 3), "dur": round(dur, 3), "args": args})

    for number, start, dur in marks:
        add(2, 1, "train", start, dur, step_num=str(number))
    for _, start, dur, link, name in launches:
        add(2, 1, name.replace("cudaLaunch", "cuLaunch"), start, dur, correlation_id=str(link))
    for _, start, dur, link, name in kernels:
        add(1, 7, name, start, dur, correlation_id=str(link), hlo_op=name, hlo_module="jit_train")
    with open(path + ".trace.json", "w") as file:
        json.dump({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": out}, file)


def nsight(path, events, schema):
    marks, launches, kernels = events
    db, texts = sqlite3.connect(path + ".sqlite"), {}
    db.executescript(schema)

    def text(name):
        return texts.setdefault(name, 100 + len(texts))

    def add(table, start, dur, **values):
        values.update(start=round(1000 * start), end=round(1000 * (start + dur)))
        db.execute("INSERT INTO %s (%s) VALUES (%s)" % (table, ",".join(values), ",".join("?" * len(values))), list(values.values()))

    process, thread = 1 << 48 | 100 << 24, 1 << 48 | 100 << 24 | 101
    db.execute("INSERT INTO PROCESSES VALUES (?,?,?)", (process, 100, "python"))
    for number, start, dur in marks:
        add("NVTX_EVENTS", start, dur, eventType=59, text="step %d" % number, globalTid=thread)
    for _, start, dur, link, name in launches:
        add("CUPTI_ACTIVITY_KIND_RUNTIME", start, dur, eventClass=0, globalTid=thread, correlationId=link,
            nameId=text(name + "_v7000"), returnValue=0)
    for _, start, dur, link, name in kernels:
        add("CUPTI_ACTIVITY_KIND_KERNEL", start, dur, deviceId=0, contextId=1, streamId=7, correlationId=link, globalPid=process,
            demangledName=text(name), shortName=text(name), gridX=1)
    db.executemany("INSERT INTO StringIds VALUES (?,?)", [(number, name) for name, number in texts.items()])
    db.commit()
    db.close()


# ---- losses: each takes the events of a run and gives what is left

def without_kernels(steps):
    return lambda m, l, k: (m, l, [e for e in k if e[0] not in steps])


def without_launches(steps):
    return lambda m, l, k: (m, [e for e in l if e[0] not in steps], k)


def some_kernels(part, seed=7):
    def cut(m, l, k):
        rng = random.Random(seed)
        lost = {e[3] for e in l if rng.random() < part}
        return m, l, [e for e in k if e[3] not in lost]
    return cut


def some_launches(part):
    def cut(m, l, k):
        rng = random.Random(3)
        return m, [e for e in l if rng.random() >= part], k
    return cut


def without_replays(steps):
    def cut(m, l, k):
        lost = {e[3] for e in l if "Graph" in e[4] and e[0] in steps}
        return m, l, [e for e in k if e[3] not in lost]
    return cut


def short_marks(m, l, k):
    return [[number, start, 275] for number, start, dur in m], l, k


def nothing(m, l, k):
    return m, l, k


ALL = range(STEPS)
CUDA, HIP = "cudaGraphLaunch", "hipGraphLaunch"
# name, format, graph, of base, of new, how many runs of new lack it, options
LOSSES = [
    ("kernels of 3 steps", "kineto", None, nothing, without_kernels({3, 4, 8}), RUNS),
    ("kernels of 15 % of launches", "kineto", None, nothing, some_kernels(0.15), RUNS),
    ("kernels of the last 2 steps", "kineto", None, nothing, without_kernels({10, 11}), RUNS),
    ("kernels of the first 3 steps", "kineto", None, nothing, without_kernels({0, 1, 2}), RUNS),
    ("launches of the first 3 steps", "kineto", None, nothing, without_launches({0, 1, 2}), RUNS),
    ("a fifth of the launches", "kineto", None, nothing, some_launches(0.2), RUNS),
    ("graphs but one", "kineto", HIP, nothing, without_replays(set(ALL) - {7}), RUNS),
    ("all graphs", "kineto", CUDA, nothing, without_replays(set(ALL)), RUNS),
    ("graphs of 2 steps", "kineto", CUDA, nothing, without_replays({2, 9}), RUNS),
    ("the device", "kineto", None, without_kernels(ALL), without_kernels(ALL), RUNS),
    ("the device of new", "kineto", None, nothing, without_kernels(ALL), RUNS),
    ("the device, without steps", "bare", None, without_kernels(ALL), without_kernels(ALL), RUNS),
    ("30 % of kernels, without steps", "bare", None, nothing, some_kernels(0.3), RUNS),
    ("what is behind short marks", "ranges", None, short_marks, short_marks, RUNS),
    ("what is behind short marks of new", "ranges", None, nothing, short_marks, RUNS),
    ("a fifth of both", "kineto", None, some_kernels(0.2), some_kernels(0.2), RUNS),
    ("a fifth of base", "kineto", None, some_kernels(0.2), nothing, RUNS),
    ("half of one run", "kineto", None, nothing, some_kernels(0.5), 1),
    ("7 % of new", "kineto", None, nothing, some_kernels(0.07, 1), RUNS),
    ("kernels of 3 steps", "nsight", None, nothing, without_kernels({3, 4, 8}), RUNS),
    ("the device", "nsight", None, without_kernels(ALL), without_kernels(ALL), RUNS),
    ("graphs of 6 steps", "nsight", CUDA, nothing, without_replays(range(6)), RUNS),
    ("kernels of 3 steps", "jax", None, nothing, without_kernels({3, 4, 8}), RUNS),
    ("the device", "jax", None, without_kernels(ALL), without_kernels(ALL), RUNS),
]


def main():
    program, top = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(os.path.join(top, "tests/data/nsight/make_nsight.py")) as file:
        schema = file.read().split('SCHEMA = """')[1].split('"""')[0]
    write = {"kineto": kineto, "bare": lambda path, e: kineto(path, e, None), "ranges": lambda path, e: kineto(path, e, "batch %d"),
             "nsight": lambda path, e: nsight(path, e, schema), "jax": jax}
    options = {"ranges": [r"--step-marker=^batch (\d+)$"]}
    wrong = 0

    def gate(form, graph, base, new, lacking):
        with tempfile.TemporaryDirectory() as folder:
            for side, cut in enumerate((base, new)):
                for run in range(RUNS):
                    place = os.path.join(folder, "base" if not side else "new", "run%d" % run)
                    os.makedirs(place)
                    events = recording(100 * side + run, graph, form == "ranges")
                    if not side or run < lacking:
                        events = cut(*events)
                    write[form](os.path.join(place, "r"), events)
            return subprocess.run([program, "gate", "base", "new", "--margin=5%"] + options.get(form, []), cwd=folder,
                                  capture_output=True, text=True)

    cases = [("nothing", form, graph, nothing, nothing, RUNS) for form, graph in
             (("kineto", None), ("kineto", CUDA), ("bare", None), ("ranges", None), ("nsight", None), ("nsight", CUDA), ("jax", None))]
    for number, (name, form, graph, base, new, lacking) in enumerate(cases + LOSSES, 1):
        got = gate(form, graph, base, new, lacking)
        is_right = got.returncode == 0 if name == "nothing" else got.returncode == 3 and (" lost " in got.stderr or
                                                                                                " ran on a " in got.stderr)
        wrong += not is_right
        print("%s %d - %s lacks %s: status %d" % ("ok" if is_right else "not ok", number, form, name, got.returncode))
        if not is_right:
            print("\n".join("# " + line for line in (got.stderr + got.stdout).splitlines()[:12]))
    print("1..%d" % (len(cases) + len(LOSSES)))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
