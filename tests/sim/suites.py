#!/usr/bin/env python3
"""Random suites of benchmarks over nine decades, judged by the program.

Usage: suites.py ./stepstat SUITES [SEED]

Each suite has 3 to 3,000 rows (uniform in the logarithm), times from 1 ns to 1 s, 5 runs a side, a
spread between runs of 0.3 to 2 %. In a half of them nothing changes; in the others one row, the
smallest or the largest in turns, takes twice the margin (of 5 %) more. Printed are the part of
changes that were found in the smallest and in the largest row, and the part of suites without a
change in which anything was claimed.
"""
import csv
import io
import math
import random
import subprocess
import sys
import tempfile
import os

MARGIN = 0.05


def side(path, base, sd, factor, rng):
    with open(path, "w") as out:
        out.write("run,benchmark,time_ps\n")
        for run in range(1, 6):
            for i, value in enumerate(base):
                out.write(
                    "%d,b%04d,%d\n"
                    % (run, i, value * factor.get(i, 1) * math.exp(rng.gauss(0, sd[i])))
                )


def claims(program, folder):
    done = subprocess.run(
        [program, "compare", folder + "/base.csv", folder + "/new.csv", "--margin=5%", "--to=csv"],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(done.stderr)
    rows = csv.DictReader(io.StringIO(done.stdout))
    column = next(c for c in rows.fieldnames if c.endswith("verdict"))
    name = "op" if "op" in rows.fieldnames else rows.fieldnames[0]
    return {r[name]: r[column] for r in rows if r[column] in ("REGRESSED", "IMPROVED")}


def main():
    program, suites = sys.argv[1], int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    found = {"smallest": [0, 0], "largest": [0, 0]}
    false = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for suite in range(suites):
            count = int(round(3 * 1000 ** rng.random()))
            base = sorted(1e3 * 10 ** (9 * rng.random()) for _ in range(count))
            sd = [rng.uniform(0.003, 0.02)] * count
            which = ("smallest", "largest")[suite // 2 % 2]
            factor = {}
            if suite % 2:
                factor[0 if which == "smallest" else count - 1] = 1 + 2 * MARGIN
            side(os.path.join(folder, "base.csv"), base, sd, {}, rng)
            side(os.path.join(folder, "new.csv"), base, sd, factor, rng)
            said = claims(program, folder)
            if not factor:
                false[0] += bool(said)
                false[1] += 1
                continue
            row = "b%04d" % next(iter(factor))
            found[which][0] += said.get(row) == "REGRESSED"
            found[which][1] += 1
    for which, (k, n) in found.items():
        print("found in the %s row: %d of %d (%.1f %%)" % (which, k, n, 100 * k / max(n, 1)))
    print("false claims: %d of %d suites (%.1f %%)" % (false[0], false[1], 100 * false[0] / max(false[1], 1)))


main()
