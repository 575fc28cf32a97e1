#!/usr/bin/env python3
"""A plain reading of PyTorch traces of several ranks with gloo, without stepstat.

Prints, per run, rank and step (and for all steps of a rank, step `all`), in ns:

  work        the time of the ops of the main thread that are no collectives and in no other op
  collective  the time of the events gloo:*, which run on threads of their own
  transfer    of these what the shortest of each match took: the k-th all_reduce of each rank are
              a match
  waiting     the rest

An event belongs to the step in which it starts. Times are exact: they are read as decimals.
Usage: ranks.py FOLDER    (FOLDER/RUN/rankN.json.gz)
"""
import decimal
import gzip
import json
import pathlib
import re
import sys


def read(path):
    with gzip.open(path, "rt") as file:
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


def work(events, steps):
    """Per step; ops of a thread nest, so what begins before the end of the last outer one is inside."""
    main = steps[0][1]["tid"]
    sums, end = dict.fromkeys((n for n, _ in steps), 0), 0
    for e in events:
        if e["cat"] != "cpu_op" or e["tid"] != main or e["start"] < end:
            continue
        end = e["end"]
        number = step_at(steps, e["start"])
        if number is not None and not e["name"].startswith("c10d::"):
            sums[number] += e["end"] - e["start"]
    return sums


def collectives(events, steps):
    return [(step_at(steps, e["start"]), e["end"] - e["start"])
            for e in events if e["name"].startswith("gloo:")]


def read_run(folder):
    ranks = {}
    for path in folder.glob("rank*.json.gz"):
        rank, events = read(path)
        steps = steps_of(events)
        ranks[rank] = steps, work(events, steps), collectives(events, steps)
    counts = {len(c) for _, _, c in ranks.values()}
    if len(counts) != 1:
        sys.exit(f"{folder}: ranks have {counts} collectives, which do not match")
    shortest = [min(c[k][1] for _, _, c in ranks.values()) for k in range(counts.pop())]
    for rank, (steps, of_step, calls) in sorted(ranks.items()):
        total = [0, 0, 0]
        for number, _ in steps:
            mine = [(ns, least) for (at, ns), least in zip(calls, shortest) if at == number]
            row = [of_step[number], sum(ns for ns, _ in mine), sum(least for _, least in mine)]
            total = [a + b for a, b in zip(total, row)]
            print(f"{folder.name},{rank},{number},{','.join(map(str, row))},{row[1] - row[2]}")
        print(f"{folder.name},{rank},all,{','.join(map(str, total))},{total[1] - total[2]}")


def main():
    print("run,rank,step,work_ns,collective_ns,transfer_ns,waiting_ns")
    for folder in sorted(p for p in pathlib.Path(sys.argv[1]).iterdir() if p.is_dir()):
        read_run(folder)


main()
