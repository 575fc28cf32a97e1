#!/usr/bin/env python3
"""families.py STEPSTAT COUNT: in how many comparisons of the same program something is claimed, by
family: rows on logarithms, rows with a run of 0, ops on one side, how often ops ran, the step. Then how often
an op +3 % among 9 is found. 5 v 5 runs. The figures are in doc/comparison.md."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

RUNS, STEPS = 5, 10
CHANGED = ("REGRESSED", "IMPROVED", "SLOWER", "FASTER")


def write_side(path, draw):
    with open(path, "w") as out:
        out.write("run,step,op,time_us\n")
        for run in range(RUNS):
            own = [math.exp(draw.gauss(0, 0.02)) for _ in range(37)]
            for step in range(STEPS):
                for op in range(37):
                    # All steps; some; so few that a run may have none.
                    share, time, spread = (1, 100, 0.01) if op < 25 else (0.4, 80, 0.01) if op < 31 else (0.12, 300, 0.2)
                    if draw.random() < share:
                        out.write("%d,%d,op%d,%.4f\n" % (run, step, op, time * own[op] * math.exp(draw.gauss(0, spread))))
                for op in range(8):
                    if draw.random() < 0.025:
                        out.write("%d,%d,rare%d,%.4f\n" % (run, step, op, 50 * math.exp(draw.gauss(0, 0.2))))


def write_ops(path, draw, factor):
    with open(path, "w") as out:
        out.write("run,step,op,time_us\n")
        for run in range(RUNS):
            for op in range(9):
                out.write("%d,0,op%d,%.5f\n" % (run, op, 100 * (1 if op else factor) * math.exp(draw.gauss(0, 0.01))))


def compare(program, base, new):
    return json.loads(subprocess.run([program, "compare", base, new, "--min-share=0", "--warmup=none", "--to=json",
                                      "-o", "-", "--quiet"], capture_output=True, text=True, check=True).stdout)


def claims_of(report):
    found = set()
    for row in report["rows"]:
        if row["time_verdict"] in CHANGED:
            found.add("with a run of 0" if "zero" in (row["notes"] or "") else "logarithms")
        if row["time_verdict"] in ("NEW", "GONE"):
            found.add("one side")
    if report["answer"][0].startswith(("new is SLOWER", "new is FASTER")):
        found.add("step")
    return found | ({"any"} if found else set())


program, count = sys.argv[1], int(sys.argv[2])
total, power = {}, 0
with tempfile.TemporaryDirectory() as folder:
    base, new = os.path.join(folder, "base.csv"), os.path.join(folder, "new.csv")
    for seed in range(count):
        draw = random.Random(seed)
        write_side(base, draw)
        write_side(new, draw)
        for family in claims_of(compare(program, base, new)):
            total[family] = total.get(family, 0) + 1
        write_ops(base, draw, 1)
        write_ops(new, draw, 1.03)
        power += any(row["op"] == "op0" and row["time_verdict"] in ("REGRESSED", "SLOWER")
                     for row in compare(program, base, new)["rows"])
for family in sorted(total):
    print("%-16s %.3f" % (family, total[family] / count))
print("op +3 %% among 9: %.3f" % (power / count))
