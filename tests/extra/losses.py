#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings that lack a part must not pass a gate: whole ones of several formats are green, each made loss ends it with status 3.

losses.py STEPSTAT

Five runs a side of 12 steps of 10 launches, times of kernels +-0.5 %. What is lost is taken out of the events before they are written.
Kernels run 130 us after their launch or, of "ranges", at once.
"""

import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import recordings  # noqa: E402

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
] + [(name, form, graph, base, new, RUNS) for form in ("xplane", "pftrace", "rocpd") for name, graph, base, new in (
    ("kernels of 3 steps", None, nothing, without_kernels({3, 4, 8})),
    ("kernels of 15 % of launches", None, nothing, some_kernels(0.15)),
    ("launches of the first 3 steps", None, nothing, without_launches({0, 1, 2})),
    ("a fifth of the launches", None, nothing, some_launches(0.2)),
    ("a fifth of both", None, some_kernels(0.2), some_kernels(0.2)),
    ("graphs of 2 steps", HIP if form == "rocpd" else CUDA, nothing, without_replays({2, 9})),
    ("the device", None, without_kernels(ALL), without_kernels(ALL)))
] + [("what is behind short marks", form + " ranges", None, short_marks, short_marks, RUNS) for form in ("xplane", "pftrace", "rocpd")]


# name, format of recordings.py, name of its markers, options
FORMATS = {"kineto": ("kineto", "ProfilerStep#%d"), "bare": ("kineto", None), "ranges": ("kineto", "batch %d", r"--step-marker=^batch (\d+)$"),
           "nsight": ("nsight", "step %d"), "jax": ("jax-trace", "train"), "xplane": ("xplane", "train"), "rocpd": ("rocpd", "step %d"),
           "pftrace": ("pftrace", "step %d", r"--step-marker=^step (\d+)$")}
FORMATS.update({form + " ranges": FORMATS[form] for form in ("xplane", "pftrace", "rocpd")})


def write(form, path, number, events):
    """Without the steps of the events, by which the losses choose."""
    marks, launches, kernels = events
    name = FORMATS[form][1]
    recordings.write(FORMATS[form][0], path, recordings.Made(
        [tuple(e) for e in marks] if name else [], [tuple(e[1:]) for e in launches], [tuple(e[1:]) for e in kernels], step=name or "",
        pid=4000 + number, began_ns=10**9 * (1 + number)))


def main():
    program = os.path.abspath(sys.argv[1])
    wrong = 0

    def gate(form, graph, base, new, lacking):
        with tempfile.TemporaryDirectory() as folder:
            for side, cut in enumerate((base, new)):
                for run in range(RUNS):
                    place = os.path.join(folder, "base" if not side else "new", "run%d" % run)
                    events = recording(100 * side + run, graph, form.endswith("ranges"))
                    if not side or run < lacking:
                        events = cut(*events)
                    write(form, os.path.join(place, "r"), 10 * side + run, events)
            return subprocess.run([program, "gate", "base", "new", "--margin=5%"] + list(FORMATS[form][2:]), cwd=folder,
                                  capture_output=True, text=True)

    cases = [("nothing", form, graph, nothing, nothing, RUNS) for form, graph in
             (("kineto", None), ("kineto", CUDA), ("bare", None), ("ranges", None), ("nsight", None), ("nsight", CUDA), ("jax", None), ("xplane", None), ("pftrace", None), ("rocpd", None), ("rocpd", HIP), ("xplane ranges", None),
              ("pftrace ranges", None), ("rocpd ranges", None))]
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
