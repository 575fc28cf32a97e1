#!/usr/bin/env python3
"""The time of each kernel in each step of a database of Nsight Systems, by the call that launched it: Python's sqlite3 and a loop.

usage: database_peer.py FILE.sqlite   prints rows, cells and their sum
"""
import bisect
import collections
import re
import sqlite3
import sys


def main(path):
    db = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    text = dict(db.execute("SELECT id, value FROM StringIds"))
    launch, steps, found, rows = {}, [], collections.defaultdict(int), 0
    for start, thread, link in db.execute("SELECT start, globalTid, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME"):
        rows += 1
        launch[thread >> 24, link] = start
    for start, end, name, name_id in db.execute("SELECT start, end, text, textId FROM NVTX_EVENTS"):
        rows += 1
        match = re.match(r"step (\d+)$", text[name_id] if name is None else name)
        if match:
            steps.append((start, end, int(match[1])))
    steps.sort()
    starts = [step[0] for step in steps]
    for start, end, process, link, name in db.execute(
            "SELECT start, end, globalPid, correlationId, demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL"):
        rows += 1
        launched = launch.get((process >> 24, link))
        i = -1 if launched is None else bisect.bisect_right(starts, launched) - 1
        if i >= 0 and launched < steps[i][1]:
            found[steps[i][2], text[name]] += end - start
    print(rows, "rows,", len(found), "cells,", sum(found.values()), "ns")


main(sys.argv[1])
