"""Causes that a report names: recordings of made steps with one known cause, or with none, in several formats and worlds.

usage: causes.py STEPSTAT [RECORDINGS [SEED]]

Counts how often the first finding (--table=findings) is the cause that was planted, with its row, and how often recordings without a cause have one.
Worlds of the noise: normal, heavy tails (t with 4 degrees of freedom), correlated steps (AR(1) 0.4), a common factor of all ops.
"""
import collections
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

OPS = ["conv", "matmul", "norm", "relu", "softmax", "copy", "load", "gc"]
SHARE = [0.25, 0.3, 0.1, 0.08, 0.12, 0.08, 0.05, 0.02]
KINDS = ["none", "shift", "shift-all", "trend", "trend-all", "spike", "spike-all", "same-step", "periodic", "more-calls", "longer-calls",
         "faster", "idle-spike"]
WORLDS = ["normal", "t4", "ar", "common"]


class Noise:
    def __init__(self, world, cv, draw):
        self.world, self.cv, self.draw, self.last = world, cv, draw, {}

    def one(self):
        if self.world != "t4":
            return self.draw.gauss(0, 1)
        return self.draw.gauss(0, 1) / math.sqrt(self.draw.gammavariate(2, 2) / 4) / math.sqrt(2)

    def step(self):
        common = self.one() if self.world == "common" else 0
        for op in OPS:
            now = self.one()
            self.last[op] = 0.4 * self.last.get(op, 0) + math.sqrt(1 - 0.16) * now if self.world == "ar" else now
        return {op: math.exp(self.cv * (common + (0.3 if self.world == "common" else 1) * self.last[op])) for op in OPS}


def make(kind, world, draw):
    """Runs of steps of {op: (us, calls)} with the idle time of each, and (codes, op or None for all alike) of the cause."""
    steps, runs = draw.randrange(40, 90), 5 if kind == "same-step" or draw.random() < 0.3 else 1
    cv, at = draw.uniform(0.005, 0.03), draw.randrange(15, steps - 15)
    op, size = draw.choice(OPS[:7]), draw.uniform(0.08, 0.3)
    every = draw.randrange(6, 12)
    share = dict(zip(OPS, SHARE))
    place = draw.randrange(8, steps - 4)
    out = []
    for run in range(runs):
        noise, rows = Noise(world, cv, draw), []
        for i in range(steps):
            us = {o: 20000 * share[o] * f for o, f in noise.step().items()}
            calls, idle = dict.fromkeys(OPS, 4), 200
            grown = 20000 * size
            if kind in ("shift", "longer-calls", "more-calls") and i >= at:
                us[op] += grown
                calls[op] = 4 * round(1 + size / share[op]) if kind == "more-calls" else 4
            if kind == "faster" and i >= at:
                us["matmul"] *= 0.4
            if kind == "shift-all" and i >= at:
                us = {o: v * (1 + size) for o, v in us.items()}
            if kind == "trend":
                us[op] += grown * i / steps * 2
            if kind == "trend-all":
                us = {o: v * (1 + size * i / steps) for o, v in us.items()}
            if kind == "spike" and i == place and run == 0:
                us[op] += 20000 * (0.5 + size) * runs
            if kind == "spike-all" and i == place and run == 0:
                us = {o: v * (1.5 + size * runs) for o, v in us.items()}
            if kind == "same-step" and i == place:
                us = {o: v * 1.5 for o, v in us.items()} if size < 0.19 else {**us, op: us[op] + 10000}
            if kind == "periodic" and i % every == every - 1:
                us["gc"] += 20000 * (0.3 + size)
            if kind == "idle-spike" and i == place and run == 0:
                idle += 20000 * (0.6 + size) * runs
            rows.append((us, calls, idle))
        out.append(rows)
    row = {"shift-all": None, "trend-all": None, "spike-all": None, "periodic": "gc", "faster": "matmul", "idle-spike": "not-in-ops",
           "same-step": None if size < 0.19 else op}.get(kind, op)
    code = {"shift": "level-shift", "shift-all": "level-shift", "more-calls": "level-shift", "longer-calls": "level-shift", "faster": "level-shift",
            "trend": "trend", "trend-all": "trend", "spike": "long-step", "spike-all": "long-step", "same-step": "recurring-step",
            "periodic": "periodic-steps", "idle-spike": "long-step"}.get(kind)
    return out, code, row


def events_of(rows):
    now = 0
    for i, (us, calls, idle) in enumerate(rows):
        begin, own = now, []
        for op in OPS:
            for k in range(calls[op]):
                own.append((op, now, us[op] / calls[op]))
                now += us[op] / calls[op]
        now += idle
        yield i, begin, now, own


def write_csv(runs, folder):
    with open(folder + "/steps.csv", "w") as out:
        out.write("run,step,op,time_us,calls\n")
        for r, rows in enumerate(runs):
            for i, (us, calls, idle) in enumerate(rows):
                for op in OPS:
                    out.write("r%d,%d,%s,%.3f,%d\n" % (r, i, op, us[op], calls[op]))
    return [folder + "/steps.csv"]


def write_trace(runs, folder, step_event, op_event):
    paths = []
    for r, rows in enumerate(runs):
        events = []
        for i, begin, end, own in events_of(rows):
            events.append(dict(step_event(i), ph="X", pid=1, tid=1, ts=round(begin, 3), dur=round(end - begin, 3)))
            events += [dict(op_event(op), ph="X", pid=1, tid=1, ts=round(ts, 3), dur=round(dur, 3)) for op, ts, dur in own]
        paths.append("%s/r%d.json" % (folder, r))
        json.dump({"schemaVersion": 1, "traceEvents": events} if "cpu_op" in str(events[1]) else {"traceEvents": events}, open(paths[-1], "w"))
    return paths


def write(form, runs, folder, stepstat):
    if form == "kineto":
        return write_trace(runs, folder, lambda i: {"name": "ProfilerStep#%d" % i, "cat": "user_annotation"},
                           lambda op: {"name": op, "cat": "cpu_op"})
    if form == "chrome":
        return write_trace(runs, folder, lambda i: {"name": "step %d" % i, "cat": "loop"}, lambda op: {"name": op, "cat": "work"}) + [
            "--step-marker=^step "]
    paths = write_csv(runs, folder)
    if form == "csv":
        return paths
    subprocess.run([stepstat, "export", *paths, "-o", folder + "/x." + form, "--quiet"], check=True)
    return [folder + "/x." + form]


FORMS = ["csv", "kineto", "chrome", "obs", "parquet"]


def findings(stepstat, arguments):
    run = subprocess.run([stepstat, "report", *arguments, "--table=findings", "--to=csv", "-o", "-", "--quiet"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return list(csv.DictReader(io.StringIO(run.stdout)))


def is_right(found, code, row):
    if not found or found[0]["code"] != code:
        return False
    place = found[0]["where"]
    return place == "all" if row is None else place == "not-in-ops" if row == "not-in-ops" else found[0]["op"] == row


def main():
    stepstat, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 144
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    right, seen, met = collections.Counter(), collections.Counter(), collections.Counter()
    shown, nothing, false = [], 0, 0
    for n in range(count):
        kind = "none" if n % 6 == 5 else KINDS[1 + (n - n // 6) % (len(KINDS) - 1)]
        met[kind] += 1
        world, form = WORLDS[met[kind] % len(WORLDS)], FORMS[(met[kind] // len(WORLDS)) % len(FORMS)]
        form = "kineto" if kind == "idle-spike" and form != "chrome" else form
        runs, code, row = make(kind, world, draw)
        with tempfile.TemporaryDirectory() as folder:
            found = findings(stepstat, write(form, runs, folder, stepstat))
        if kind == "none":
            nothing += 1
            false += bool(found)
        else:
            seen[kind] += 1
            right[kind] += is_right(found, code, row)
        if bool(found) if kind == "none" else not is_right(found, code, row):
            shown.append("# %s %s %s: %s %s, found %s" % (kind, world, form, code, row, [f["text"] for f in found][:2]))
    print("\n".join(shown))
    for kind in seen:
        print("%-14s %d of %d" % (kind, right[kind], seen[kind]))
    print("right first: %d of %d   without a cause, one named: %d of %d" % (sum(right.values()), sum(seen.values()), false, nothing))
    return 0 if sum(right.values()) >= 0.9 * sum(seen.values()) and false <= max(1, 0.05 * nothing) else 1


if __name__ == "__main__":
    sys.exit(main())
