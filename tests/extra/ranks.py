#!/usr/bin/env python3
"""A plain reading of PyTorch traces of several ranks, without stepstat: gloo on processors, NCCL on GPUs.

Prints, per run, rank and step (and for all steps of a rank, step `all`), in ns:

  work        the time of the ops of the main thread that are no collectives and in no other op; on
              GPUs that of the kernels that do not communicate
  collective  the time of the calls of collectives: the events gloo:*, which run on threads of their
              own, or kernels of NCCL
  transfer    of these what the shortest of each match took
  waiting     the rest

gloo: the k-th all_reduce of each rank are a match. NCCL: those of one group (name and ranks) and number,
which the kernel or the op record_param_comms of the same External id says; where a rank of the group has
no such call, the match is left out. Point-to-point calls are no collectives.

An event belongs to the step in which it starts, a kernel to that of its launch. Times are exact: they are
read as decimals.
Usage: ranks.py FOLDER                     (FOLDER/RUN/rankN.json.gz, or FOLDER/rankN.json of one run)
       ranks.py --check STEPSTAT FOLDER    holds the table `ranks` of each run and step, and of all
                                           together, against this reading
"""
import collections
import csv
import decimal
import gzip
import json
import pathlib
import re
import subprocess
import sys

SAME = 1e-9 # of the means over steps: 15 digits are printed


def read(path):
    with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as file:
        trace = json.load(file, parse_float=decimal.Decimal)
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    for e in events:
        e["start"] = int(decimal.Decimal(e["ts"]) * 1000)
        e["end"] = e["start"] + int(decimal.Decimal(e["dur"]) * 1000)
    return trace["distributedInfo"]["rank"], sorted(events, key=lambda e: (e["start"], -e["end"]))


def steps_of(events):
    found = ((re.fullmatch(r"ProfilerStep#(\d+)", e["name"]), e) for e in events)
    return [(int(match[1]), e) for match, e in found if match]


def step_at(steps, time):
    for number, e in steps:
        if e["start"] <= time < e["end"]:
            return number
    return None


def launch_steps(events, steps):
    return {e["args"]["correlation"]: step_at(steps, e["start"])
            for e in events if e["cat"] == "cuda_runtime"}


def work(events, steps):
    """Per step; ops of a thread nest, so what begins before the end of the last outer one is inside."""
    main = steps[0][1]["tid"]
    sums, end = dict.fromkeys((n for n, _ in steps), 0), 0
    kernels = [e for e in events if e["cat"] == "kernel"]
    launched = launch_steps(events, steps)
    for e in kernels:
        if "nccl" not in e["name"]:
            sums[launched[e["args"]["correlation"]]] += e["end"] - e["start"]
    for e in events:
        if kernels or e["cat"] != "cpu_op" or e["tid"] != main or e["start"] < end:
            continue
        end = e["end"]
        number = step_at(steps, e["start"])
        if number is not None and not e["name"].startswith("c10d::"):
            sums[number] += e["end"] - e["start"]
    return sums


def collective_calls(events, steps):
    """(name of the match, step, ns) of each call."""
    launched, said, order = launch_steps(events, steps), {}, collections.Counter()
    for e in events:
        if e["name"] == "record_param_comms":
            said[e["args"]["External id"]] = e["args"]
    for e in events:
        if e["name"].startswith("gloo:"):
            order[e["name"]] += 1
            yield (e["name"], order[e["name"]]), step_at(steps, e["start"]), e["end"] - e["start"]
        if e["cat"] == "kernel" and "nccl" in e["name"]:
            args = said[e["args"]["External id"]]
            if args["Collective name"] not in ("send", "recv"):
                group = args["Process Group Name"], args["Process Group Ranks"]
                yield (group, args["Seq"]), launched[e["args"]["correlation"]], e["end"] - e["start"]


class Run:
    """steps, and of each (rank, step): work, time in collectives, transfer and waiting, matches as the last."""

    def __init__(self, folder):
        self.name, calls, ranks_of = folder.name, {}, collections.defaultdict(set)
        self.steps, self.cells = [], collections.defaultdict(lambda: [0, 0, 0, 0, 0])
        for path in folder.glob("rank*.json*"):
            rank, events = read(path)
            steps = steps_of(events)
            self.steps = [n for n, _ in steps]
            for number, ns in work(events, steps).items():
                self.cells[rank, number][0] = ns
            for key, step, ns in collective_calls(events, steps):
                calls.setdefault(key, {})[rank] = step, ns
                ranks_of[key[0]].add(rank)
        self.ranks = sorted({rank for rank, _ in self.cells})
        for key, of_rank in calls.items():
            for rank, (step, ns) in of_rank.items():
                self.cells[rank, step][1] += ns
            if of_rank.keys() == ranks_of[key[0]]:
                self.match(of_rank)

    def match(self, of_rank):
        least = min(ns for _, ns in of_rank.values())
        last = [rank for rank, (_, ns) in of_rank.items() if ns == least]
        for rank, (step, ns) in of_rank.items():
            cell = self.cells[rank, step]
            cell[2] += least
            cell[3] += ns - least
            cell[4] += last == [rank]

    def of(self, rank, steps):
        return [sum(part) for part in zip(*(self.cells[rank, step] for step in steps))]


def runs_of(folder):
    runs = sorted(p for p in folder.iterdir() if p.is_dir() and any(p.glob("rank*.json*")))
    return [Run(p) for p in runs or [folder]]


def show(folder):
    print("run,rank,step,work_ns,collective_ns,transfer_ns,waiting_ns")
    for run in runs_of(folder):
        for rank in run.ranks:
            for step, steps in [(n, [n]) for n in run.steps] + [("all", run.steps)]:
                print(",".join(map(str, [run.name, rank, step, *run.of(rank, steps)[:4]])))


def table(stepstat, path, *options):
    command = [stepstat, path, "--table=ranks", "--to=csv", "--quiet", *options]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {int(row["rank"]): row for row in csv.DictReader(text.splitlines())}


def check_row(row, sums, steps, what):
    columns = zip(("work_mean_us", "transfer_mean_us", "waiting_mean_us"), (sums[0], sums[2], sums[3]))
    for column, ns in columns:
        found = decimal.Decimal(row[column]) * 1000 * steps
        exact = found == ns if steps == 1 else abs(found - ns) <= SAME * abs(ns)
        assert exact, (what, column, row[column], ns / 1000 / steps)
    assert int(row["last_in"]) == sums[4], (what, row, sums)


def check(stepstat, folder):
    runs, values = runs_of(folder), 0
    for run in runs:
        path = folder / run.name if len(runs) > 1 else folder
        for step in run.steps:
            found = table(stepstat, path, f"--steps={step}")
            assert sorted(found) == run.ranks
            for rank in run.ranks:
                check_row(found[rank], run.of(rank, [step]), 1, (run.name, rank, step))
                values += 4
    for rank, row in table(stepstat, folder).items():
        sums = [sum(part) for part in zip(*(run.of(rank, run.steps) for run in runs))]
        check_row(row, sums, sum(len(run.steps) for run in runs), rank)
        values += 4
    print(f"{folder.name}: {values} values agree")


def main():
    if sys.argv[1] == "--check":
        check(sys.argv[2], pathlib.Path(sys.argv[3]))
    else:
        show(pathlib.Path(sys.argv[1]))


main()
