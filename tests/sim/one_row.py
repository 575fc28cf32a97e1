#!/usr/bin/env python3
"""One row and its step are one test: random sets of one op, 2 to 12 runs a side, of any spread and
change, and any method. Counts the sets in which the gate says something else of the op than of
[the step]. Usage: one_row.py STEPSTAT [SETS [SEED]]; a set that differs is an exit status of 1."""
import json
import random
import subprocess
import sys
import tempfile


def write(path, rng, runs, mean, spread, grid):
    with open(path, "w") as out:
        out.write("run,step,op,time_ns\n")
        for run in range(runs):
            level = mean * rng.lognormvariate(0, spread)
            for step in range(4):
                value = level * rng.lognormvariate(0, 0.01)
                out.write("r%d,%d,op,%d\n" % (run, step, max(1, round(value / grid)) * grid))


def main():
    program, sets = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 39)
    differ = judged = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(sets):
            grid = rng.choice([1, 1, 1000, 50000])
            change = rng.choice([0, 0, 0.02, 0.05, -0.1, 0.3])
            for side, factor in (("base", 1), ("new", 1 + change)):
                write("%s/%s.csv" % (folder, side), rng, rng.randint(2, 12), 1e6 * factor,
                      rng.choice([0.002, 0.01, 0.05]), grid)
            method = rng.choice(["moderated", "welch", "ranksum"])
            command = [program, "gate", folder + "/base.csv", folder + "/new.csv", "--method=" + method,
                       "--to=json"]
            done = subprocess.run(command, capture_output=True, text=True)
            if not done.stdout:
                continue
            checks = json.loads(done.stdout)
            # What has no verdict is BLIND for the step and nothing for the op; no change at all is no
            # finding of the step.
            rows = {check["subject"]: (check["status"], check["verdict"] or "BLIND")
                    for check in checks["checks"] if check["measure"] == "time"}
            judged += 1
            if rows["op"] != rows.get("[the step]", rows["op"]):
                differ += 1
                print(number, " ".join(command[4:]), rows)
    print("%d sets judged, %d differ" % (judged, differ))
    return differ > 0 or not judged


if __name__ == "__main__":
    sys.exit(main())
