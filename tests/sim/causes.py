"""Causes that a report, a comparison and a gate name: recordings of made steps with one known cause, or with none, in several formats and worlds.

usage: causes.py STEPSTAT [RECORDINGS [SEED]]

Counts how often the first finding (--table=findings) is the cause that was planted, with its place, and how often recordings without a cause have one:
of `report` about the recordings with the cause, and of `compare` and `gate` of recordings without it with those that have it.
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
SHARE = dict(zip(OPS, [0.25, 0.3, 0.1, 0.08, 0.12, 0.08, 0.05, 0.02]))
STEP = 20000  # us
IDLE = 200
# What is said first: codes of a report, and where: an op, "row" (the op that was drawn), "all", "host", "not-in-ops".
SHIFTS, LONG = ("level-shift",), ("long-step",)
KINDS = {
    "none": None,
    "shift": (SHIFTS, "row"),
    "trend": (("trend",), "row"),
    "spike": (LONG, "row"),
    "spike-all": (LONG, "all"),
    "same-step": (("recurring-step",), "all"),
    "same-step-op": (("recurring-step",), "row"),
    "slow-rank": (("slow-rank",), "row"),
    "victim": (("slow-rank",), "row"),
    "slow-input": (("host-late",), "host"),
    "periodic": (("periodic-steps",), "gc"),
    "more-calls": (SHIFTS, "row"),
    "longer-calls": (SHIFTS, "row"),
    "throttling": (("trend", "level-shift"), "all"),
    "shift-all": (SHIFTS, "all"),
    "faster": (SHIFTS, "matmul"),
    "idle-spike": (LONG, "not-in-ops"),
}
# Further codes of a comparison; of kinds that are not here the op alone counts.
COMPARED = {"more-calls": ("more-calls",), "longer-calls": ("longer-calls",), "throttling": ("common-factor",), "shift-all": ("common-factor",),
            "faster": ("shorter-calls", "level-shift"), "spike": LONG, "spike-all": LONG, "same-step": ("recurring-step", "common-factor"),
            "slow-rank": ("slow-rank",), "victim": ("slow-rank",), "slow-input": ("host-late",), "idle-spike": LONG}
WORLDS = ["normal", "t4", "ar", "common"]
FORMS = ["csv", "kineto", "chrome", "obs", "parquet", "exported.csv"]
RANKS = 6


class Noise:
    def __init__(self, world, cv, draw):
        self.world, self.cv, self.draw, self.last = world, cv, draw, {}
        self.run = {op: math.exp(0.003 * draw.gauss(0, 1)) for op in OPS}

    def one(self):
        if self.world != "t4":
            return self.draw.gauss(0, 1)
        return self.draw.gauss(0, 1) / math.sqrt(self.draw.gammavariate(2, 2) / 4) / math.sqrt(2)

    def step(self):
        common = self.one() if self.world == "common" else 0
        for op in OPS:
            now = self.one()
            self.last[op] = 0.4 * self.last.get(op, 0) + math.sqrt(1 - 0.16) * now if self.world == "ar" else now
        return {op: self.run[op] * math.exp(self.cv * (common + (0.3 if self.world == "common" else 1) * self.last[op])) for op in OPS}


class Plan:
    """What is planted, the same in all runs."""

    def __init__(self, kind, draw):
        self.kind = kind
        self.steps = draw.randrange(40, 90)
        self.cv, self.at = draw.uniform(0.005, 0.03), draw.randrange(15, self.steps - 15)
        self.op, self.size = draw.choice(OPS[:6]), draw.uniform(0.08, 0.3)
        self.every, self.place = draw.randrange(6, 12), draw.randrange(8, self.steps - 4)
        self.rank = draw.randrange(RANKS)
        self.runs = 5 if kind.startswith("same-step") or draw.random() < 0.3 else 1

    def step(self, us, calls, run, i, runs):
        """The idle time of step i, whose ops it makes longer."""
        kind, grown, alike = self.kind, STEP * self.size, 1
        if kind in ("shift", "longer-calls", "more-calls") and i >= self.at:
            us[self.op] += grown
            calls[self.op] = 4 * round(1 + self.size / SHARE[self.op]) if kind == "more-calls" else 4
        if kind == "faster" and i >= self.at:
            us["matmul"] *= 0.4
        if kind == "shift-all" and i >= self.at:
            alike = 1 + self.size
        if kind == "trend":
            us[self.op] += grown * i / self.steps * 2
        if kind == "throttling" and i >= self.at:  # the clock falls within some steps, then swings a little
            alike = 1 + self.size * (min(1, (i - self.at + 1) / self.every) + 0.1 * (i % 2))
        if kind == "spike" and i == self.place and run == 0:
            us[self.op] += STEP * (0.5 + self.size) * runs
        if kind == "spike-all" and i == self.place and run == 0:
            alike = 1 + (0.5 + self.size) * runs
        if kind == "same-step" and i == self.place:
            alike = 1.5
        if kind == "same-step-op" and i == self.place:
            us[self.op] += 0.5 * STEP
        if kind == "periodic" and i % self.every == self.every - 1:
            us["gc"] += STEP * (0.3 + self.size)
        for op in OPS:
            us[op] *= alike
        return IDLE + (STEP * (0.6 + self.size) * runs if kind == "idle-spike" and i == self.place and run == 0 else 0)


def make(plan, world, runs, draw):
    """Runs of steps: ({op: us}, {op: calls}, idle)."""
    out = []
    for run in range(runs):
        noise, rows = Noise(world, plan.cv, draw), []
        for i in range(plan.steps):
            us, calls = {op: STEP * SHARE[op] * f for op, f in noise.step().items()}, dict.fromkeys(OPS, 4)
            rows.append((us, calls, plan.step(us, calls, run, i, runs)))
        out.append(rows)
    return out


# ---- one process ----

def write_csv(runs, folder):
    with open(folder + "/steps.csv", "w") as out:
        out.write("run,step,op,time_us,calls\n")
        for r, rows in enumerate(runs):
            for i, (us, calls, idle) in enumerate(rows):
                for op in OPS:
                    out.write("r%d,%d,%s,%.3f,%d\n" % (r, i, op, us[op], calls[op]))
    return [folder + "/steps.csv"]


def write_trace(runs, folder, step_event, op_event):
    for r, rows in enumerate(runs):
        events, now = [], 0
        for i, (us, calls, idle) in enumerate(rows):
            begin, own = now, []
            for op in OPS:
                for k in range(calls[op]):
                    own.append(dict(op_event(op), ph="X", pid=1, tid=1, ts=round(now, 3), dur=round(us[op] / calls[op], 3)))
                    now += us[op] / calls[op]
            now += idle
            events += [dict(step_event(i), ph="X", pid=1, tid=1, ts=round(begin, 3), dur=round(now - begin, 3))] + own
        with open("%s/r%d.json" % (folder, r), "w") as out:
            json.dump({"schemaVersion": 1, "traceEvents": events} if "cpu_op" in str(events[1]) else {"traceEvents": events}, out)
    return [folder]


# ---- a job whose ranks wait for each other in all_reduce ----

def write_job(plan, runs, folder, form):
    """Half of the work of a step is done when the ranks meet in all_reduce, which ends for all when the last has come; `slow-rank` does not record it."""
    waits = plan.kind != "slow-rank"
    with open(folder + "/job.csv", "w") as out:
        out.write("run,rank,step,op,time_us\n")
        for r, ranks in enumerate(runs):
            for i in range(plan.steps):
                work = [sum(ranks[k][i][0].values()) for k in range(RANKS)]
                for k in range(RANKS):
                    us = dict(ranks[k][i][0])
                    if waits:
                        us["all_reduce"] = 400 + max(work) - work[k]
                    for op, value in us.items():
                        out.write("r%d,%d,%d,%s,%.3f\n" % (r, k, i, op, value))
    return [folder + "/job.csv"]


def make_job(plan, world, runs, draw):
    out = []
    for _ in range(runs):
        ranks = []
        for k in range(RANKS):
            rows = make(plan, world, 1, draw)[0]
            if k == plan.rank and plan.kind in ("slow-rank", "victim"):
                for us, _, _ in rows:
                    us[plan.op] += STEP * plan.size
            ranks.append(rows)
        out.append(ranks)
    return out


# ---- a device that waits for its input ----

def write_input(plan, slow, runs, folder, draw):
    """The host fetches a batch, then launches ten kernels, which run at once where the device is free."""
    for r in range(runs):
        events, now, free, correlation = [], 0.0, 0.0, 0
        for i in range(plan.steps):
            begin = now
            fetch = (0.05 + (plan.size + 0.2 if slow else 0)) * STEP * math.exp(plan.cv * draw.gauss(0, 1))
            events.append({"ph": "X", "cat": "user_annotation", "name": "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "pid": 9,
                           "tid": 9, "ts": round(now, 3), "dur": round(fetch, 3)})
            now += fetch
            for k in range(10):
                correlation += 1
                took = 0.1 * STEP * math.exp(plan.cv * draw.gauss(0, 1))
                start = max(free, now + 8)
                events.append({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": round(now, 3), "dur": 10})
                events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": round(now + 2, 3), "dur": 5,
                               "args": {"correlation": correlation}})
                events.append({"ph": "X", "cat": "kernel", "name": OPS[k % 5], "pid": 0, "tid": 7, "ts": round(start, 3), "dur": round(took, 3),
                               "args": {"device": 0, "stream": 7, "correlation": correlation}})
                free, now = start + took, now + 12
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "pid": 9, "tid": 9, "ts": round(now, 3),
                           "dur": round(max(5, free - now), 3), "args": {"correlation": 0}})
            now = max(now + 5, free)
            events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % i, "pid": 9, "tid": 9, "ts": round(begin, 3),
                           "dur": round(now - begin, 3)})
        with open("%s/r%d.json" % (folder, r), "w") as out:
            json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "made"}], "traceEvents": events}, out)
    return [folder]


def write(form, plan, kind, world, runs, folder, draw, stepstat):
    """A recording of the plan with its cause, or without (kind "none")."""
    os.mkdir(folder)
    own = Plan("none", draw)
    own.__dict__.update(dict(plan.__dict__, kind=kind))
    if plan.kind in ("slow-rank", "victim"):
        own.kind = kind if kind != "none" else "alike"
        paths = write_job(plan, make_job(own, world, runs, draw), folder, form)
    elif plan.kind == "slow-input":
        paths = write_input(plan, kind != "none", runs, folder, draw)
    elif form in ("kineto", "chrome"):
        made = make(own, world, runs, draw)
        if form == "kineto":
            return write_trace(made, folder, lambda i: {"name": "ProfilerStep#%d" % i, "cat": "user_annotation"},
                               lambda op: {"name": op, "cat": "cpu_op"})
        return write_trace(made, folder, lambda i: {"name": "step %d" % i, "cat": "loop"}, lambda op: {"name": op, "cat": "work"})
    else:
        paths = write_csv(make(own, world, runs, draw), folder)
    if form in ("csv", "kineto", "chrome"):
        return paths
    subprocess.run([stepstat, "export", *paths, "-o", folder + "/x." + form, "--quiet"], check=True)
    return [folder + "/x." + form]


def findings(stepstat, arguments):
    run = subprocess.run([stepstat, *arguments, "--table=findings", "--to=csv", "-o", "-", "--quiet"], capture_output=True, text=True)
    if run.returncode not in ((0, 1, 4) if arguments[0] == "gate" else (0,)):
        sys.exit(" ".join(arguments) + ": " + run.stderr)
    return list(csv.DictReader(io.StringIO(run.stdout)))


def is_right(found, codes, place, plan):
    if not found or (codes and found[0]["code"] not in codes):
        return False
    first, op = found[0], plan.op if place == "row" else place
    if place == "host":
        return first["where"] == "host" and "DataLoader" in first["op"]
    if place in ("all", "not-in-ops"):
        return first["where"] == place
    return first["op"] == op and (plan.kind not in ("slow-rank", "victim") or first["rank"] == str(plan.rank))


def is_too_many(false, of):
    """True if recordings of which 5 % have one name so many in less than one of a hundred tries."""
    return sum(math.comb(of, k) * 0.05 ** k * 0.95 ** (of - k) for k in range(false)) > 0.99


def main():
    stepstat, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 204
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    right, seen, met, nothing, false = (collections.Counter() for _ in range(5))
    kinds, shown = [kind for kind in KINDS if kind != "none"], []
    for n in range(count):
        kind = "none" if n % 6 == 5 else kinds[(n - n // 6) % len(kinds)]
        met[kind] += 1
        world, form = WORLDS[met[kind] % len(WORLDS)], FORMS[(met[kind] + len(kind)) % len(FORMS)]
        form = "kineto" if kind == "idle-spike" and form != "chrome" else form
        plan = Plan(kind, draw)
        codes, place = KINDS[kind] or (None, None)
        marker = ["--step-marker=^step "] if form == "chrome" and kind not in ("slow-rank", "victim", "slow-input") else []
        sides = draw.choice([3, 5])
        for command in ("report", "compare"):
            runs = plan.runs if command == "report" else sides
            with tempfile.TemporaryDirectory() as folder:
                paths = write(form, plan, kind, world, runs, folder + "/new", draw, stepstat)
                if command == "compare":
                    paths = ["--base", *write(form, plan, "none", world, runs, folder + "/base", draw, stepstat), "--new"] + paths
                for asked in ("report",) if command == "report" else ("compare", "gate"):
                    found = findings(stepstat, [asked, *paths, *marker])
                    if kind == "none":
                        nothing[asked] += 1
                        false[asked] += bool(found)
                        wrong = bool(found)
                    else:
                        wrong = not is_right(found, codes if asked == "report" else COMPARED.get(kind), place, plan)
                        seen[asked, kind] += 1
                        right[asked, kind] += not wrong
                    if wrong:
                        shown.append("# %s %s %s %s: %s %s, found %s" % (asked, kind, world, form, plan.op, place, [f["text"] for f in found][:2]))
    print("\n".join(shown))
    failed = False
    for kind in kinds:
        print("%-14s" % kind, "   ".join("%s %d of %d" % (c, right[c, kind], seen[c, kind]) for c in ("report", "compare", "gate")))
    for command in ("report", "compare", "gate"):
        of, hits = (sum(v for (c, _), v in counter.items() if c == command) for counter in (seen, right))
        print("%s: right first %d of %d   without a cause, one named: %d of %d" % (command, hits, of, false[command], nothing[command]))
        failed |= hits < 0.9 * of or is_too_many(false[command], nothing[command])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
