"""Causes in a second world on which no rule was tuned, written and frozen before any rule was changed.

usage: causes_afar.py STEPSTAT [RECORDINGS [SEED [KIND...]]]

Steps of 0.4 ms to 2 s, 20 to 500 of them, in 2 to 48 ops with shares of a gamma distribution. Each op has a spread of its own (0.2 to 8 %) with t (3
degrees of freedom), Laplace, skewed or normal tails; all ops share an AR(1) of 0, 0.3, 0.6 or 0.9, at times a slow sway (0.4 %), and at times one op
has two levels between which steps go at random. Warm-up of 0 to 12 % of the steps decays from up to 6 times the level. Runs differ by 0.1 to 2.5 %.
Lines of a log, tables in ms, pairs of begin and end, traces of JAX, Perfetto and Nsight Systems; jobs of 3 to 24 ranks as one table or as a database a
rank. A quarter has no cause. Causes are 7 to 35 % of the step, and at least five standard deviations of its noise, so that a reader of the plot sees
them; single steps cost 1.5 to 5 % of the recording. Kinds beyond those of causes_elsewhere.py: a late change, a change down, a trend of all, two long
steps in a row, collections outside of ops, a rank that is slow in all ops, one that becomes slow, and what only a base shows (codes of a report: ()).
"""
import math
import os
import sqlite3
import sys

import causes_elsewhere

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import gzip  # noqa: E402
import json  # noqa: E402

from recordings import field  # noqa: E402

STEMS = ["fusion", "dot_general", "conv_fprop", "conv_wgrad", "transpose", "reduce", "scatter_add", "topk", "layernorm_fwd", "layernorm_bwd", "gelu",
         "flash_fwd", "flash_bwd", "memcpy32", "rng_uniform", "select_and_scatter"]
SHIFT, LONG, ALIKE = ("level-shift",), ("long-step", "long-steps"), ("common-factor", "level-shift", "trend")
OUTSIDE = ("periodic-steps", "outside-ops", "idle", "waiting")
ONE = {
    "shift": (SHIFT, "row", None), "shift-late": (SHIFT, "row", None), "shift-down": (SHIFT, "row", None), "shift-all": (SHIFT, "all", ALIKE),
    "trend": (("trend",), "row", None), "trend-all": (("trend",), "all", ALIKE),
    "spike": (LONG, "row", LONG), "spike-all": (LONG, "all", LONG), "spike-pair": (LONG, "row", LONG),
    "same-step": (("recurring-step",), "row", None), "same-step-all": (("recurring-step",), "all", ("recurring-step", "common-factor")),
    "gc": (("periodic-steps",), "row", None), "gc-outside": (("periodic-steps",), "not-in-ops", OUTSIDE),
    "more-calls": (SHIFT, "row", ("more-calls",)), "longer-calls": (SHIFT, "row", ("longer-calls", "level-shift")),
    "throttling": (("trend", "level-shift"), "all", ALIKE),
    "const-op": ((), "row", None), "const-calls": ((), "row", ("more-calls",)), "const-long": ((), "row", ("longer-calls",)),
    "const-all": ((), "all", ("common-factor",)),
}
JOB = {
    "slow-rank": (("slow-rank",), "rank-op", ("slow-rank",)), "slow-rank-all": (("slow-rank",), "rank", ("slow-rank",)),
    "victim": (("slow-rank",), "rank-op", ("slow-rank",)), "late-rank": (SHIFT + ("slow-rank",), "row", None), "job-shift": (SHIFT, "row", None),
    "job-gc": (("periodic-steps",), "row", None),
}
TRACED = {"input": (("host-late",), "host", ("host-late",))}
KINDS = {**ONE, **JOB, **TRACED}
FORMS = ["log", "tsv", "pairs", "jax", "pftrace", "nsys"]
LINE = r"--log=^#(?<step>\d+) (?<op>\S+) x(?<calls>\d+) took (?<time_ms>[0-9.]+) ms"
NONE_EVERY, NONE_OF, SIDES = 4, ["shift", "shift", "gc-outside", "slow-rank", "victim", "input"], [3, 4, 6]
TOGETHER = ("same-step", "same-step-all", "spike", "spike-all", "spike-pair")


class World:
    """What programs of this world do: the same on both sides and in all runs."""

    def __init__(self, kind, draw):
        self.kind, self.draw = kind, draw
        self.ops = ["%s.%d" % (draw.choice(STEMS), i) for i in range(draw.choice([2, 3, 5, 8, 13, 24, 48]))]
        shares = [draw.gammavariate(0.7, 1) + 0.002 for _ in self.ops]
        self.step = math.exp(draw.uniform(math.log(400), math.log(2e6)))
        self.us = {op: self.step * share / sum(shares) for op, share in zip(self.ops, shares)}
        self.cv = {op: math.exp(draw.uniform(math.log(0.002), math.log(0.08))) for op in self.ops}
        self.tails, self.run_cv = draw.choice(["t3", "laplace", "skewed", "normal"]), draw.uniform(0.001, 0.025)
        self.phi, self.common = draw.choice([0, 0.3, 0.6, 0.9]), draw.choice([0, 0.003, 0.01, 0.02])
        self.sway, self.two = draw.choice([0, 0, 0.004]), draw.choice([0, 0, 0.03])
        self.steps = round(math.exp(draw.uniform(math.log(20), math.log(500))))
        self.ranks = draw.choice([3, 5, 6, 12, 24])
        if kind in JOB or kind in TRACED:
            self.steps = min(self.steps, 90)
        self.warm, self.first = draw.choice([0, 0, 1, 2, math.floor(0.12 * self.steps)]), draw.uniform(0.3, 5)
        self.calls = {op: draw.choice([1, 1, 2, 6]) for op in self.ops}
        largest = max(self.ops, key=self.us.get)
        self.swings = draw.choice(self.ops)
        noise = math.sqrt(sum((self.us[op] * self.cv[op]) ** 2 for op in self.ops) / self.step ** 2 + self.common ** 2 + (self.two / 2) ** 2)
        self.size = max(draw.uniform(0.07, 0.35), 5 * noise)
        self.once, self.every = draw.uniform(0.015, 0.05), draw.randrange(3, max(4, min(25, self.steps // 5)))
        self.op = largest if kind == "shift-down" else draw.choice([op for op in self.ops if self.us[op] > 0.02 * self.step])
        if kind == "shift-down":
            self.size = min(self.size, 0.8 * self.us[largest] / self.step)
        if kind == "gc":
            self.op = "gc.collect"
            self.ops, self.us[self.op], self.cv[self.op], self.calls[self.op] = self.ops + [self.op], 0.003 * self.step, 0.05, 1
        low, high = (0.8, 0.88) if kind == "shift-late" else (0.3, 0.75)
        self.at, self.rank, self.phase = math.ceil(draw.uniform(low, high) * self.steps), draw.randrange(self.ranks), draw.randrange(self.every)

    def __str__(self):
        return "+%.2f cv %.3f %s phi %.1f common %.3f sway %.3f two %.2f warm %d x %.1f, run %.3f, %d ops, %d steps at %d every %d" % (
            self.size, self.cv.get(self.op, 0), self.tails, self.phi, self.common, self.sway, self.two, self.warm, self.first, self.run_cv,
            len(self.ops), self.steps, self.at, self.every)

    def one(self):
        draw = self.draw
        if self.tails == "t3":
            return draw.gauss(0, 1) / math.sqrt(draw.gammavariate(1.5, 2) / 3) / math.sqrt(3)
        if self.tails == "laplace":
            return draw.choice([-1, 1]) * draw.expovariate(1) / math.sqrt(2)
        if self.tails == "skewed":
            return draw.expovariate(1) - 1
        return draw.gauss(0, 1)

    def cause(self, run, rank, i, us, calls, runs):
        """Makes the ops of step i longer; what it adds outside of them."""
        by, kind, steps = self.size * self.step, self.kind, self.steps
        is_from, once = i >= self.at, self.once * steps * runs * (run == runs // 2)
        own = rank == self.rank
        add = {"shift": by * is_from, "shift-late": by * is_from, "shift-down": -by * is_from, "trend": 2 * by * i / steps,
               "spike": once * self.step * (i == self.at), "spike-pair": once / 2 * self.step * (i - self.at in (0, 1)),
               "same-step": self.once * steps * self.step * (i == self.at), "gc": 3 * by * (i % self.every == self.phase),
               "more-calls": by * is_from, "longer-calls": by * is_from, "const-op": by, "const-calls": by, "const-long": by,
               "slow-rank": by * own, "victim": by * own, "late-rank": by * own * is_from, "job-shift": by * is_from,
               "job-gc": 3 * by * (i % self.every == self.phase)}.get(kind, 0)
        if kind in ("more-calls", "const-calls") and add:
            calls[self.op] = max(calls[self.op] + 1, round(calls[self.op] * (1 + add / self.us[self.op])))
        if kind in ("longer-calls", "const-long"):
            calls[self.op] = 3
        us[self.op] = max(us[self.op] + add, 0.1 * us[self.op])
        saw = 1 + 0.15 * ((i - self.at) % 9 / 9 - 0.5)
        alike = {"shift-all": self.size * is_from, "trend-all": 2 * self.size * i / steps, "spike-all": once * (i == self.at),
                 "same-step-all": self.once * steps * (i == self.at), "const-all": self.size, "slow-rank-all": self.size * own,
                 "throttling": self.size * saw * min(1, max(0, (i - self.at) / (0.08 * steps)))}.get(kind, 0)
        for op in us:
            us[op] *= 1 + alike
        return 3 * by * (i % self.every == self.phase) if kind == "gc-outside" else 0

    def record(self, runs, planted):
        """runs[run][rank][step]: ({op: us}, {op: calls}, input, outside)."""
        draw, out = self.draw, []
        for run in range(runs):
            own, ranks = {op: draw.lognormvariate(0, self.run_cv) for op in self.ops}, []
            turn = draw.uniform(0, 6.3)
            for rank in range(self.ranks if self.kind in JOB else 1):
                last, rows = draw.gauss(0, 1), []
                natural = draw.lognormvariate(0, 0.004)
                for i in range(self.steps):
                    last = self.phi * last + math.sqrt(1 - self.phi ** 2) * draw.gauss(0, 1)
                    all_ops = natural * math.exp(self.common * last + self.sway * math.sin(turn + 6.3 * i / self.steps))
                    if i < self.warm:
                        all_ops *= 1 + self.first * 0.5 ** (4 * i / self.warm)
                    us = {op: self.us[op] * own[op] * all_ops * math.exp(self.cv[op] * max(-4, min(8, self.one()))) for op in self.ops}
                    us[self.swings] += self.two * self.step * (draw.random() < 0.4)
                    calls, fetch, outside = {op: self.calls[op] for op in self.ops}, 0.03 * self.step * draw.lognormvariate(0, 0.2), 0
                    if self.kind == "longer-calls" or self.kind == "const-long":
                        calls[self.op] = 3
                    if planted:
                        outside = self.cause(run, rank, i, us, calls, runs)
                        fetch += self.size * self.step * (self.kind == "input")
                    rows.append((us, calls, fetch, outside))
                ranks.append(rows)
            out.append(ranks)
        return out


# ---- files ----

def write_logs(runs, folder):
    for r, ranks in enumerate(runs):
        with open("%s/attempt%d.log" % (folder, r), "w") as out:
            out.write("loaded 3 shards, seed %d\n" % (91 * r))
            for i, (us, calls, _, _) in enumerate(ranks[0]):
                out.writelines("#%d %s x%d took %.6f ms\n" % (i, op, calls[op], us[op] / 1000) for op in us)
                out.write("saved nothing at %d\n" % i)
    return ["%s/attempt%d.log" % (folder, r) for r in range(len(runs))]


def with_collective(ranks, i, waits):
    """Ops of each rank in a step: the last to come in waits for nobody."""
    work = [sum(rows[i][0].values()) for rows in ranks]
    took = 0.03 * sum(work) / len(work)
    return [dict(rows[i][0], **({"AllReduce": took + max(work) - work[k]} if waits else {})) for k, rows in enumerate(ranks)]


def write_tsv(runs, folder, is_job, waits):
    with open(folder + "/table.tsv", "w") as out:
        out.write("op\ttime_ms\tcalls\tstep\t%srun\n" % ("rank\t" if is_job else ""))
        for r, ranks in enumerate(runs):
            for i in range(len(ranks[0])):
                for k, us in enumerate(with_collective(ranks, i, waits)):
                    for op, value in us.items():
                        out.write("%s\t%.6f\t%d\t%d\t%srun %d\n" % (op, value / 1000, ranks[k][i][1].get(op, 1), 100 + i, "%d\t" % k if is_job else "", r))
    return [folder + "/table.tsv"]


def spans(rows):
    """Of each step its begin, end and calls of ops in us."""
    now = 1000
    for us, calls, _, outside in rows:
        begin, own = now, []
        now += 0.002 * sum(us.values())
        for op, value in us.items():
            for _ in range(calls[op]):
                own.append((op, now, value / calls[op]))
                now += value / calls[op]
        now += outside + 0.002 * sum(us.values())
        yield begin, now, own
        now += 2


def write_pairs(rows, path):
    events = []
    for i, (begin, end, own) in enumerate(spans(rows)):
        events.append({"ph": "B", "pid": 12, "tid": 3, "name": "loop %d" % i, "ts": round(begin, 3)})
        for op, at, took in own:
            events += [{"ph": "B", "pid": 12, "tid": 3, "name": op, "ts": round(at, 3)}, {"ph": "E", "pid": 12, "tid": 3, "ts": round(at + took, 3)}]
        events.append({"ph": "E", "pid": 12, "tid": 3, "ts": round(end, 3)})
    with open(path + ".json", "w") as out:
        json.dump(events, out)


def write_jax(rows, path):
    events = [{"ph": "M", "pid": 7, "name": "process_name", "args": {"name": "/host:CPU"}}]
    for i, (begin, end, own) in enumerate(spans(rows)):
        events.append({"ph": "X", "pid": 7, "tid": 1, "name": "train", "ts": round(begin, 3), "dur": round(end - begin, 3), "args": {"step_num": str(i)}})
        events += [{"ph": "X", "pid": 7, "tid": 2, "name": op, "ts": round(at, 3), "dur": round(took, 3), "args": {"hlo_op": op, "hlo_module": "jit_f"}}
                   for op, at, took in own]
    with gzip.open(path + ".trace.json.gz", "wt", 1) as out:
        json.dump({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": events}, out)


def write_pftrace(rows, path):
    """TrackEvents of a thread. Numbers of fields: 1 packet, 8 timestamp, 10 sequence, 11 event, 60 track."""
    packets = [field(60, field(1, 1) + field(4, field(1, 1) + field(2, 1) + field(5, "main")))]

    def add(at, name):
        event = field(9, 1 if name else 2) + field(11, 1) + (field(23, name) if name else b"")
        packets.append(field(8, round(1000 * at)) + field(10, 1) + field(11, event))

    for i, (begin, end, own) in enumerate(spans(rows)):
        add(begin, "loop %d" % i)
        for op, at, took in own:
            add(at, op)
            add(at + took, "")
        add(end, "")
    with open(path + ".pftrace", "wb") as out:
        out.write(b"".join(field(1, packet) for packet in packets))


def write_nsys(ranks, waits, folder):
    """A database a rank: the host prepares a batch, launches the kernels of the step, and waits for its device."""
    text = {"cudaLaunchKernel": 1, "cudaDeviceSynchronize": 2}
    dbs, now, link = [], 1e5, 0
    for k in range(len(ranks)):
        dbs.append(sqlite3.connect("%s/node%d.sqlite" % (folder, k)))
        dbs[k].executescript("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
                             "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);"
                             "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
                             " correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);"
                             "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, globalTid INTEGER);"
                             "CREATE TABLE MPI_RANKS (globalTid INTEGER NOT NULL, rank INTEGER NOT NULL);")
    for i in range(len(ranks[0])):
        most = 0
        for k, us in enumerate(with_collective(ranks, i, waits)):
            _, calls, fetch, outside = ranks[k][i]
            pid, ns, tables = (10 + k) << 24, lambda us: round(1000 * us), ([], [], [])
            host, device = now + fetch + 1, now + fetch + 6
            tables[2].append((ns(now + 1), ns(now + fetch), 59, "prepare_batch", None, pid + 11))
            for op, value in us.items():
                for _ in range(calls.get(op, 1)):
                    link, took = link + 1, value / calls.get(op, 1)
                    device = max(device, host + 4)
                    tables[0].append((ns(host), ns(host + 2), pid + 11, link, 1))
                    tables[1].append((ns(device), ns(device + took), 0, 7, link, pid, text.setdefault(op, 10 + len(text))))
                    host, device = host + 2.2, device + took
            link += 1
            end = max(host, device) + outside + 3
            tables[0].append((ns(host), ns(max(host, device) + 1), pid + 11, link, 2))
            tables[2].append((ns(now), ns(end), 59, "step %d" % i, None, pid + 11))
            most = max(most, end)
            for name, rows in zip(("CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL", "NVTX_EVENTS"), tables):
                dbs[k].executemany("INSERT INTO %s VALUES (%s)" % (name, ",".join("?" * len(rows[0]))), rows)
        now = most + 5
    for k, db in enumerate(dbs):
        if len(dbs) > 1:
            db.execute("INSERT INTO MPI_RANKS VALUES (?, ?)", (((10 + k) << 24) + 11, k))
        db.executemany("INSERT INTO StringIds VALUES (?, ?)", [(number, value) for value, number in text.items()])
        db.commit()
        db.close()


def write(form, world, runs, planted, folder):
    os.mkdir(folder)
    made, is_job = world.record(runs, planted), world.kind in JOB
    waits = is_job and world.kind != "slow-rank"
    if form == "log":
        return write_logs(made, folder)
    if form == "tsv":
        return write_tsv(made, folder, is_job, waits)
    for r, ranks in enumerate(made):
        if form == "nsys":
            os.mkdir("%s/run%d" % (folder, r))
            write_nsys(ranks, waits, "%s/run%d" % (folder, r))
        else:
            {"pairs": write_pairs, "jax": write_jax, "pftrace": write_pftrace}[form](ranks[0], "%s/run%d" % (folder, r))
    return ["%s/run%d" % (folder, r) for r in range(len(made))] if form == "nsys" else [folder]


def form_of(kind, n):
    form = FORMS[(n // 4 + n) % len(FORMS)]
    if kind in TRACED:
        return "nsys"
    if kind in JOB:
        return "nsys" if n % 2 else "tsv"
    return ["pairs", "jax", "pftrace"][n % 3] if kind == "gc-outside" else form


def options_of(form):
    return {"log": [LINE], "pairs": [r"--step-marker=^loop (\d+)$"], "pftrace": [r"--step-marker=^loop (\d+)$"]}.get(form, [])


def is_right(found, codes, place, world):
    if not found or (codes and found["code"] not in codes):
        return False
    if place == "host":
        return "prepare_batch" in found["op"] or "prepare_batch" in found["text"]
    if place in ("all", "not-in-ops"):
        return found["where"] == place
    if place.startswith("rank") and found["rank"] != str(world.rank):
        return False
    return place == "rank" or found["op"] == world.op


if __name__ == "__main__":
    sys.exit(causes_elsewhere.measure(sys.modules[__name__]))
