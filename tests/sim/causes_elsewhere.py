"""Causes in worlds on which no rule was tuned: what report, compare and gate name first of recordings that causes.py does not make.

usage: causes_elsewhere.py STEPSTAT [RECORDINGS [SEED [KIND...]]]     KIND: these alone; none: without a cause

Steps of 1.5 to 300 ms, 24 to 200 of them, in 4 to 25 ops whose shares are log-normal; noise of each op log-normal with a spread of its own (0.3 to
6 %), AR(1) of 0 to 0.7, at times a common walk or rare spikes; runs differ by 0.2 to 2 %. Tables, TensorFlow timelines, traces of ONNX Runtime and of
PyTorch with a device, jobs as a trace of each rank or as a table. Further kinds than there: short periods, ragged periods, a level that goes back, a run
that stands apart, events of jobs (in all ranks, or in one), an input that is slow in one rank, a slow network, two causes at one time.
"""
import collections
import gzip
import json
import math
import os
import random
import sys
import tempfile

import causes

NAMES = ["embed/Gather", "attn/qkv", "attn/scores", "attn/softmax", "attn/context", "mlp/up", "mlp/act", "mlp/down", "norm/pre", "norm/post", "rotary",
         "logits", "loss", "grad/mlp", "grad/attn", "grad/embed", "clip", "adam", "dropout", "pool", "concat", "pad", "cast", "metrics", "residual"]
SHIFT, LONG = ("level-shift",), ("long-step",)
# Of one process or of a job; codes of a report, place, further codes of a comparison (None: only op and place count).
ONE = {
    "shift": (SHIFT, "row", None), "shift-all": (SHIFT, "all", ("common-factor",)), "trend": (("trend",), "row", None),
    "spike": (LONG, "row", LONG), "spike-all": (LONG, "all", LONG), "same-step": (("recurring-step",), "row", None),
    "period": (("periodic-steps",), "row", None), "short-period": (("periodic-steps",), "row", None),
    "ragged-period": (("long-steps", "periodic-steps"), "row", None), "more-calls": (SHIFT, "row", ("more-calls",)),
    "throttling": (("trend", "level-shift"), "all", ("common-factor", "trend", "level-shift")),
    "level-back": (SHIFT, "row", None), "run-apart": (("run-apart",), "row", ("run-apart",)),
    "two": (None, "row", None),
}
JOB = {
    "slow-rank": (("slow-rank",), "rank", ("slow-rank",)), "slow-of-3": (("slow-rank",), "rank", ("slow-rank",)),
    "job-shift": (SHIFT, "row", None), "job-trend": (("trend",), "row", None), "job-same-step": (("recurring-step",), "row", None),
    "job-period": (("periodic-steps",), "row", None), "job-spike": (LONG, "row", LONG), "rank-spike": (LONG, "row", LONG),
    "rank-shift": (SHIFT + ("slow-rank",), "row", None),
}
TRACED = {"input": (("host-late",), "host", ("host-late",)), "rank-input": (("slow-rank", "host-late"), "host", ("slow-rank", "host-late"))}
KINDS = {**ONE, **JOB, **TRACED}
FORMS = ["csv.gz", "timeline", "onnxruntime", "kineto"]


class World:
    """What programs of this world do: the same on both sides and in all runs."""

    def __init__(self, kind, draw):
        self.kind, self.draw = kind, draw
        self.ops = draw.sample(NAMES, draw.randrange(4, len(NAMES)))
        shares = [draw.lognormvariate(0, 1) for _ in self.ops]
        self.step = math.exp(draw.uniform(math.log(1500), math.log(300000)))
        self.us = {op: self.step * share / sum(shares) for op, share in zip(self.ops, shares)}
        self.cv = {op: math.exp(draw.uniform(math.log(0.003), math.log(0.06))) for op in self.ops}
        self.phi, self.run_cv = draw.choice([0, 0, 0.3, 0.7]), draw.uniform(0.002, 0.02)
        self.walk, self.wild = draw.choice([0, 0, 0.01]), draw.choice([0, 0, 0.02])
        self.steps, self.ranks = draw.randrange(24, 200), 3 if kind == "slow-of-3" else draw.choice([4, 8, 16])
        if kind in JOB or kind in TRACED:
            self.steps = min(self.steps, 80)
        # the cause: an op that is no trifle, and 8 to 40 % of the step
        large = [op for op in self.ops if self.us[op] > 0.04 * self.step]
        self.op, self.other = draw.choice(large), draw.choice(large)
        self.size = 0.2 if kind == "slow-of-3" else draw.uniform(0.1, 0.4)
        self.at = draw.randrange(math.ceil(0.3 * self.steps), math.floor(0.75 * self.steps))
        self.back = self.at + draw.randrange(6, max(7, self.steps // 5))
        self.every = draw.choice([2, 3, 4]) if kind == "short-period" else draw.randrange(5, 10)
        self.phase, self.rank = draw.randrange(self.every), draw.randrange(self.ranks)

    def __str__(self):
        return "+%.2f cv %.3f phi %.1f walk %.2f wild %.2f, %d steps" % (self.size, self.cv[self.op], self.phi, self.walk, self.wild, self.steps)

    def cause(self, run, rank, i, us, calls, runs):
        """Makes the ops of step i longer."""
        by, kind, odd, add = self.size * self.step, self.kind, run == runs - 1, 0
        once = max(2.5 * by, 0.01 * self.steps * self.step)  # what a step has that is 1 % of a run
        if kind in ("shift", "job-shift", "more-calls", "two"):
            add = by * (i >= self.at)
        elif kind == "level-back":
            add = 1.5 * by * (self.at <= i < self.back)
        elif kind in ("trend", "job-trend"):
            add = 2 * by * i / self.steps
        elif kind in ("same-step", "job-same-step"):
            add = once * (i == self.at)
        elif kind in ("spike", "job-spike"):
            add = once * runs * (i == self.at and odd)
        elif kind in ("period", "short-period", "job-period"):
            add = 2 * by * (i % self.every == self.phase)
        elif kind == "ragged-period":
            add = 2 * by * ((i + (i // self.every) % 2) % self.every == 0)
        elif kind == "run-apart":
            add = by * odd
        elif kind in ("slow-rank", "slow-of-3"):
            add = by * (rank == self.rank)
        elif kind == "rank-spike":
            add = once * runs * (rank == self.rank and i == self.at and odd)
        elif kind == "rank-shift":
            add = by * (rank == self.rank and i >= self.at)
        us[self.op] += add
        if kind == "more-calls" and i >= self.at:
            calls[self.op] = max(2, round(1 + add / self.us[self.op]))
        if kind == "two" and i == min(self.steps - 1, self.at + 7) and odd:
            us[self.other] += once * runs
        alike = {"shift-all": self.size * (i >= self.at), "spike-all": once / self.step * runs * (odd and i == self.at),
                 "throttling": self.size * min(1, max(0, i - self.at) / 5)}.get(kind, 0)
        for op in self.ops:
            us[op] *= 1 + alike

    def record(self, runs, planted):
        """runs[run][rank][step]: ({op: us}, {op: calls}, input)."""
        draw, out = self.draw, []
        for run in range(runs):
            own, ranks = {op: draw.lognormvariate(0, self.run_cv) for op in self.ops}, []
            for rank in range(self.ranks if self.kind in JOB or self.kind == "rank-input" else 1):
                last, walk, rows = dict.fromkeys(self.ops, 0), 0, []
                natural = draw.lognormvariate(0, 0.003)
                for i in range(self.steps):
                    walk = 0.95 * walk + self.walk * draw.gauss(0, 1)
                    us = {}
                    for op in self.ops:
                        last[op] = self.phi * last[op] + math.sqrt(1 - self.phi ** 2) * draw.gauss(0, 1)
                        wild = 1 + (abs(draw.gauss(0, 0.1)) if draw.random() < self.wild else 0)
                        us[op] = self.us[op] * own[op] * natural * math.exp(self.cv[op] * last[op] + walk) * wild
                    calls, fetch = dict.fromkeys(self.ops, 1), 0.02 * self.step * draw.lognormvariate(0, 0.1)
                    if planted:
                        self.cause(run, rank, i, us, calls, runs)
                        fetch += self.size * self.step * (self.kind == "input" or (self.kind == "rank-input" and rank == self.rank))
                    rows.append((us, calls, fetch))
                ranks.append(rows)
            out.append(ranks)
        return out


def write_table(runs, folder, is_job):
    with gzip.open(folder + "/steps.csv.gz", "wt") as out:
        out.write("run,%sstep,op,time_us,calls\n" % ("rank," if is_job else ""))
        for r, ranks in enumerate(runs):
            for i in range(len(ranks[0])):
                work = [sum(rows[i][0].values()) for rows in ranks]
                for k, rows in enumerate(ranks):
                    us, calls, _ = rows[i]
                    if is_job:
                        us = dict(us, all_reduce=0.02 * max(work) + max(work) - work[k])
                    for op, value in us.items():
                        out.write("r%d,%s%d,%s,%.3f,%d\n" % (r, "%d," % k if is_job else "", i, op, value, calls.get(op, 1)))
    return [folder + "/steps.csv.gz"]


def write_timelines(runs, folder):
    for r, ranks in enumerate(runs):
        os.mkdir("%s/r%d" % (folder, r))
        now = 1500000000000000
        for i, (us, calls, _) in enumerate(ranks[0]):
            events = [{"args": {"name": "/job:localhost/replica:0/task:0/device:CPU:0 Compute"}, "name": "process_name", "ph": "M", "pid": 1}]
            for op, value in us.items():
                for _ in range(calls[op]):
                    events.append({"args": {"name": op, "op": op.split("/")[-1].title()}, "cat": "Op", "name": op.split("/")[-1].title(), "ph": "X", "pid": 1,
                                   "tid": 0, "ts": round(now), "dur": round(value / calls[op])})
                    now += round(value / calls[op]) + 1
            with open("%s/r%d/timeline_%d.json" % (folder, r, i), "w") as out:
                json.dump({"traceEvents": events}, out)
            now += 5000
    return ["%s/r%d" % (folder, r) for r in range(len(runs))]


def write_onnxruntime(runs, folder):
    for r, ranks in enumerate(runs):
        pid = 4000 + 17 * r
        events, now = [{"cat": "Session", "pid": pid, "tid": pid, "dur": 3000, "ts": 400, "ph": "X", "name": "session_initialization", "args": {}}], 5000
        for us, calls, _ in ranks[0]:
            start = now
            for op, value in us.items():
                for _ in range(calls[op]):
                    events.append({"cat": "Node", "pid": pid, "tid": pid, "dur": round(value / calls[op]), "ts": now, "ph": "X", "name": op + "_kernel_time",
                                   "args": {"op_name": op.split("/")[-1], "provider": "CPUExecutionProvider", "node_index": str(list(us).index(op))}})
                    now += round(value / calls[op])
            for name in ("SequentialExecutor::Execute", "model_run"):
                events.append({"cat": "Session", "pid": pid, "tid": pid, "dur": now - start, "ts": start, "ph": "X", "name": name, "args": {}})
            now += 50
        with open("%s/r%d.json" % (folder, r), "w") as out:
            json.dump(events, out)
    return [folder]


def write_kineto(runs, folder, is_job):
    """Each rank fetches, launches all kernels, meets the others in an all-reduce and waits for its device."""
    for r, ranks in enumerate(runs):
        files, begin, number = [[] for _ in ranks], 1e6, 0
        for i in range(len(ranks[0])):
            ready = [begin + rows[i][2] + 30 + sum(rows[i][0].values()) for rows in ranks]
            end = max(ready) + (0.02 * (max(ready) - begin) if is_job else 0) + 20
            for k, rows in enumerate(ranks):
                us, calls, fetch = rows[i]
                device, now = begin + fetch + 30, begin + fetch
                own = [{"cat": "user_annotation", "name": "ProfilerStep#%d" % i, "ts": begin, "dur": end - begin},
                       {"cat": "user_annotation", "name": "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "ts": begin + 1, "dur": fetch - 2}]
                kernels = [(op, us[op] / calls[op]) for op in us for _ in range(calls[op])]
                if is_job:
                    kernels.append(("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", end - 10 - ready[k]))
                for name, took in kernels:
                    number += 1
                    own += [{"cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": now, "dur": 0.5, "args": {"correlation": number}},
                            {"cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": device, "dur": took,
                             "args": {"device": 0, "stream": 7, "correlation": number}}]
                    now, device = now + 0.6, device + took
                own.append({"cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "ts": now, "dur": max(1, end - 5 - now), "args": {"correlation": 0}})
                files[k] += [{"ph": "X", "pid": 90, "tid": 90, **e, "ts": round(e["ts"], 3), "dur": round(e["dur"], 3)} for e in own]
            begin = end + 1
        for k, events in enumerate(files):
            top = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "made"}], "traceEvents": events}
            where = "%s/r%d" % (folder, r)
            if is_job:
                top["distributedInfo"] = {"backend": "nccl", "rank": k, "world_size": len(files)}
                os.makedirs(where, exist_ok=True)
                where += "/rank%d" % k
            with open(where + ".json", "w") as out:
                json.dump(top, out)
    return ["%s/r%d" % (folder, r) for r in range(len(runs))] if is_job else [folder]


def write(form, world, runs, planted, folder):
    os.mkdir(folder)
    made = world.record(runs, planted)
    is_job = world.kind in JOB or world.kind == "rank-input"
    if world.kind in TRACED or (form == "kineto" and (not is_job or world.steps * world.ranks * runs < 1500)):
        return write_kineto(made, folder, is_job)
    if is_job or form == "csv.gz":
        return write_table(made, folder, is_job)
    return write_timelines(made, folder) if form == "timeline" else write_onnxruntime(made, folder)


def is_right(found, codes, place, world):
    if not found or (codes and found["code"] not in codes):
        return False
    if place == "host":
        return "DataLoader" in found["op"] and (world.kind != "rank-input" or found["rank"] == str(world.rank))
    if place == "all":
        return found["where"] == place
    if place == "rank":
        return found["op"] == world.op and found["rank"] == str(world.rank)
    return found["op"] in (world.op, world.other if world.kind == "two" else world.op)


def options_of(form):
    return []


def form_of(kind, n):
    return FORMS[(n // 5 + n) % len(FORMS)]


NONE_EVERY, NONE_OF, SIDES, TOGETHER = 5, ["shift", "shift", "slow-rank", "input"], [3, 5], ("same-step", "job-same-step", "spike", "run-apart")


def measure(made):
    """Tallies the cases of a module that has what this one has; the status."""
    stepstat, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    draw, only = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1), sys.argv[4:]
    kinds, tally, shown = [k for k in (*made.KINDS, "none") if (k in only if only else k != "none")], collections.Counter(), []
    for n in range(count):
        kind = "none" if n % made.NONE_EVERY == made.NONE_EVERY - 1 and not only else kinds[(n if only else n - n // made.NONE_EVERY) % len(kinds)]
        base_kind = kind if kind != "none" else draw.choice(made.NONE_OF)
        world, form = made.World(base_kind, draw), made.form_of(base_kind, n)
        runs = draw.choice(made.SIDES)
        alone = kind in made.TOGETHER or draw.random() < 0.3
        codes, place, compared = made.KINDS.get(kind, (None, None, None))
        with tempfile.TemporaryDirectory() as folder:
            new = made.write(form, world, runs, kind != "none", folder + "/new")
            base = made.write(form, world, runs, False, folder + "/base")
            one = new if alone else made.write(form, world, 1, kind != "none", folder + "/one")
            for command in ("report", "compare", "gate"):
                if command == "report" and codes == ():  # a cause that only a base shows
                    continue
                paths = one if command == "report" else ["--base", *base, "--new", *new]
                found = causes.findings(stepstat, [command, *paths, *made.options_of(form)])
                first = found[0] if found else None
                good = not found if kind == "none" else made.is_right(first, codes if command == "report" else compared, place, world)
                if kind == "two":
                    good &= len({f["op"] for f in found[:3]} & {world.op, world.other}) == len({world.op, world.other})
                tally[command, kind, good] += 1
                if not good:
                    shown.append("# %d %s %s %s %s: %s %s %s, found %s" % (
                        n, command, kind, form, runs, world.op, place, world, [f["text"] for f in found][:2]))
    print("\n".join(shown))
    for kind in kinds + ["none"] * (not only):
        print("%-14s" % kind, "   ".join("%s %d of %d" % (c, tally[c, kind, True], tally[c, kind, True] + tally[c, kind, False])
                                          for c in ("report", "compare", "gate")))
    failed = False
    for command in ("report", "compare", "gate"):
        right, wrong = (sum(v for (c, k, good), v in tally.items() if c == command and k != "none" and good == is_good) for is_good in (True, False))
        false, of = tally[command, "none", False], tally[command, "none", True] + tally[command, "none", False]
        print("%s: right first %d of %d   without a cause, one named: %d of %d" % (command, right, right + wrong, false, of))
        failed |= right < 0.9 * (right + wrong) or causes.is_too_many(false, of)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(measure(sys.modules[__name__]))
