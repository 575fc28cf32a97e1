"""Known steps of public series, by the rules of a gate for one and two nights: found by the second night after them, and how often a night without a step is claimed.

usage: second_night.py STEPSTAT DATA [SERIES]

DATA has the folders tcpd, otava and mongodb-spa of the sources in tests/data/stats/README.md. A night is judged by the 30 before it, or those since the
step before, in the raw unit, by the formula of `gate --base=STORE` for one run each (doc/statistics.md); `history` is the program's. Made series, with
SERIES of each kind, give the rate of false claims of the same rules.
"""
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

LAST, LEAST = 30, 6
# The first value of the new level: of TCPD what its authors and most of its five people say, of otava what several of its settings without a least size
# say, of MongoDB's series what its levels show (28 900, 31 000, 28 800, 31 200).
STEPS = {"quality_control_1": [146], "quality_control_2": [97], "quality_control_3": [179], "quality_control_4": [341], "nile": [28],
         "tigerbeetle": [71, 95, 131, 192, 212], "mongodb": [25, 69, 114]}


def tail(t, df):
    """P(|T| > t), by Simpson's rule over the angle atan(t / sqrt(df))."""
    c = 2 * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    a, b, n = math.atan(t / math.sqrt(df)), math.pi / 2, 200
    h = (b - a) / n
    return c * h / 3 * sum((1 if i in (0, n) else 4 if i % 2 else 2) * max(0, math.cos(a + i * h)) ** (df - 1) for i in range(n + 1))


def p_of(base, new):
    """Of new's mean against the nights of base: T of S."""
    n, m = len(base), sum(base) / len(base)
    v = sum((x - m) ** 2 for x in base) / (n - 1)
    d = sum(new) / len(new) - m
    return 1 if d == 0 else 0 if v == 0 else tail(abs(d) / math.sqrt(v * (1 / n + 1 / len(new))), n - 1)


def one(x, i, first):
    """As today: the night alone."""
    return p_of(x[max(first, i - LAST):i], x[i:i + 1])


def two(x, i, first):
    """The night and the one before it, against those before both."""
    return p_of(x[max(first, i - 1 - LAST):i - 1], x[i - 1:i + 1])


RULES = {"one night at 0.05": lambda x, i, first: one(x, i, first) <= 0.05,
         "two nights at 0.05": lambda x, i, first: two(x, i, first) <= 0.05,
         "one or two at 0.05": lambda x, i, first: min(one(x, i, first), two(x, i, first)) <= 0.05,
         "one or two at 0.025": lambda x, i, first: min(one(x, i, first), two(x, i, first)) <= 0.025}


def series_of(data):
    out = {row[0]: [float(v) for v in row[1:] if v] for row in csv.reader(open(os.path.join(os.environ.get("top_srcdir", "."), "tests/data/stats/tcpd/series.csv")))}
    for k in (1, 2, 3, 4):
        out["quality_control_%d" % k] = json.load(open("%s/tcpd/quality_control_%d.json" % (data, k)))["series"][0]["raw"]
    out["tigerbeetle"] = json.load(open(data + "/otava/tigerbeetle.json"))["series"]
    out["mongodb"] = json.load(open(data + "/mongodb-spa/robust_series.json"))
    return out


def history_finds(stepstat, x, at):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.write("run,benchmark,time_ns,start\n")
        for i, v in enumerate(x):
            f.write("n%04d,x,%r,%d\n" % (i, v, 1700000000 + 86400 * i))
        f.flush()
        out = subprocess.run([stepstat, "history", f.name, "--to=csv", "--config=none"], capture_output=True, text=True).stdout
    return any(row["class"] != "noise" and row["place"] and abs(int(row["place"]) - 1 - at) <= 3 for row in csv.DictReader(out.splitlines()))


def made(rng, memory, n):
    y, out = rng.gauss(0, 1 / math.sqrt(1 - memory * memory)), []
    for _ in range(n):
        out.append(y)
        y = memory * y + rng.gauss(0, 1)
    return out


def main():
    stepstat, series = os.path.abspath(sys.argv[1]), series_of(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 4000
    found, total = {name: 0 for name in [*RULES, "history"]}, 0
    quiet = {name: [0, 0] for name in RULES}
    for name, steps in STEPS.items():
        x = series[name]
        for k, at in enumerate(steps):
            first = steps[k - 1] if k else 0
            said = {rule: any(claims(x, i, first) for i in ((at, at + 1) if "two nights" not in rule else (at + 1,))) for rule, claims in RULES.items()}
            said["history"] = history_finds(stepstat, x[:at + 2], at)
            total += 1
            for rule in said:
                found[rule] += said[rule]
            b = x[max(first, at - LAST):at]
            m = sum(b) / len(b)
            s = math.sqrt(sum((v - m) ** 2 for v in b) / (len(b) - 1))
            print("# %-18s %4d, nights at %+.1f and %+.1f sd of %d: %s" % (name, at, (x[at] - m) / s, (x[at + 1] - m) / s, len(b),
                                                                        ", ".join(r for r in said if said[r]) or "none"))
            # Nights of the level before the step, but for its last two.
            for i in range(first + LEAST + 1, at - 1):
                for rule, claims in RULES.items():
                    quiet[rule][0] += claims(x, i, first)
                    quiet[rule][1] += 1
    for rule in found:
        print("%s: %d of %d known steps by the second night" % (rule, found[rule], total) +
              (", %.3f of %d nights between them" % (quiet[rule][0] / quiet[rule][1], quiet[rule][1]) if rule in quiet else ""))
    rng = random.Random(46)
    for memory in (0, 0.5):
        for n in (10, 30):
            claims = {rule: 0 for rule in RULES}
            for _ in range(count):
                x = made(rng, memory, n + 2)
                for rule in RULES:
                    claims[rule] += RULES[rule](x, n + 1, 0)
            print("made, AR(1) %.1f, %d nights: %s" % (memory, n, ", ".join("%s %.3f" % (rule, claims[rule] / count) for rule in RULES)))


if __name__ == "__main__":
    main()
