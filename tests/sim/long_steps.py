"""How many long steps a report counts where ordinary steps vary: found and planted, by their spread, the size of long steps and their share.

usage: long_steps.py STEPSTAT [RECORDINGS [STEPS [SEED]]]
"""
import math
import os
import random
import statistics
import sys
import tempfile

import causes

OPS = {"conv": 0.4, "matmul": 0.3, "norm": 0.1, "relu": 0.1, "load": 0.1}


def record(draw, path, steps, cv, size, share, tails):
    """Writes steps of CV `cv`, of which a share lasts `size` times as long; how many."""
    planted = max(1, round(share * steps))
    long = set(draw.sample(range(steps // 5, steps), planted))
    with open(path, "w") as out:
        out.write("step,op,time_us\n")
        for i in range(steps):
            z = draw.gauss(0, 1) / (math.sqrt(draw.gammavariate(2, 2) / 4) * math.sqrt(2) if tails else 1)
            level = 1e4 * max(0.2, 1 + cv * z)
            for op, of in OPS.items():
                out.write("%d,%s,%.3f\n" % (i, op, of * level + (i in long) * (op == "load") * (size - 1) * 1e4))
    return planted


def main():
    stepstat, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 30
    draw = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    print("cv   size planted   found: mean, all, more, none, fewer (said so), all but \"at least\"")
    for cv in (0.05, 0.1, 0.2):
        for size in (1, 1.3, 1.5, 2, 3):
            for share in (0.03, 0.1, 0.17):
                found = []
                for n in range(count):
                    with tempfile.TemporaryDirectory() as folder:
                        planted = record(draw, folder + "/x.csv", steps, cv, size, share, n % 2)
                        rows = causes.findings(stepstat, ["report", folder + "/x.csv"])
                    rows = [f for f in rows if f["code"] in ("long-step", "long-steps", "periodic-steps")]
                    found.append((sum(int(f["steps"]) for f in rows), any("t least" in f["text"] for f in rows)))
                of = {word: sum(map(is_so, found)) / count for word, is_so in (
                    ("all", lambda f: f[0] == planted), ("more", lambda f: f[0] > planted), ("none", lambda f: f[0] == 0),
                    ("fewer", lambda f: 0 < f[0] < planted), ("said", lambda f: 0 < f[0] < planted and f[1]),
                    ("least", lambda f: f[0] == planted and f[1]))}
                print("%4.2f %4.1f %7d   %5.2f  %.2f  %.2f  %.2f  %.2f (%.2f)  %.2f" % (cv, size, planted, statistics.mean(k for k, _ in found), *of.values()),
                      flush=True)


if __name__ == "__main__":
    main()
