#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of benchmark tools against what others say of them.

bench_peers.py PROGRAM DATA: benchstat's own examples (medians, p and changes to the digits that it prints), and throughputs of files of others that
fall by a fifth and must be worse, while their times that fall are better.
"""
import csv
import io
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

PROGRAM, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PREFIX = {"": 1, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "Mi": 2.0**20, "Gi": 2.0**30, "Ki": 2.0**10}
COLUMNS = {"sec/op": ("time", "us", 1e-6), "B/s": ("throughput", "bytes_per_s", 1)}
# Measures that a file has more of when it is better, by hand from what the tool says of them.
RATES = {
    "bench/gab/customBiggerIsBetter_output.json": ["req_per_s"],
    "bench/gab/jmh_output.json": ["throughput"],
    "bench/gab/cargo_output_units.txt": ["ms_per_s"],
    "bench/bencher/java_jmh_throughput.json": ["throughput"],
    "bench/nvbench/test_cmp.json.gz": ["bandwidth", "item_rate"],
    "bench/made/nvbench.json": ["bandwidth", "clock"],
    "bench/made/sglang_kernels_base.json": ["gb_per_s"],
    "bench/made/sglang.jsonl": ["request_throughput", "output_throughput", "total_throughput"],
    "bench/made/vllm_base_1.json": ["request_throughput", "output_throughput", "total_throughput"],
    "bench/made/aiperf_sums.json": ["request_throughput"],
    "bench/made/pytorch_oss.json": ["tokens_per_second", "speedup"],
    "benchstat/crc-old.txt.gz": ["throughput"],
}
wrong = 0


def check(what, ours, theirs):
    global wrong
    if ours != theirs:
        wrong += 1
        print("# %s: ours %s, theirs %s" % (what, ours, theirs))


def table(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.csv")
        subprocess.run([PROGRAM, *arguments, "-o", out], check=True, stdout=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as file:
            return {row["op"].split(".", 1)[-1].split("testdata.")[-1]: row for row in csv.DictReader(file)}


def printed(value, digits, decimals=None):
    """A number with as many digits as they print."""
    return ("%.*f" % (decimals, value)) if decimals is not None else "%.*g" % (digits, value)


def same_rounded(ours, text):
    """True if ours is within half of the last digit of the text; of ties either way."""
    half = 0.5 * 10 ** -len(text.partition(".")[2])
    return abs(ours - float(text)) <= half * (1 + 1e-6)


def benchstat_text(old, new, stdout):
    """Lines NAME  MEDIANu ± N%  MEDIANu ± N%  CHANGE% (p=P n=N) under a header with the unit."""
    sides = [table("report", path, "--stats=median", "--measures=time,throughput") for path in (old, new)]
    tests = table("compare", old, new, "--method=ranksum")
    seen, unit = 0, None
    for line in open(stdout, encoding="utf-8"):
        for name in COLUMNS:
            unit = name if re.search(r"│\s+%s\s+│" % re.escape(name), line) else unit
        found = re.match(r"(\S+)\s+([\d.]+)(\D*?) ± \S+\s+([\d.]+)(\D*?) ± \S+\s+(~|[+-][\d.]+%) \(p=([\d.]+)", line)
        if not found:
            continue
        name, measure = found[1], COLUMNS[unit]
        medians = [float(side[name]["%s_median_%s" % measure[:2]]) * measure[2] for side in sides]
        for ours, text, prefix in zip(medians, found.group(2, 4), found.group(3, 5)):
            check(name + " median", same_rounded(ours / PREFIX[prefix], text), True)
        if found[6] != "~":
            check(name + " change", same_rounded(100 * (medians[1] / medians[0] - 1), found[6][:-1]), True)
        check(name + " p", same_rounded(float(tests[name][measure[0] + "_p"]), found[7]), True)
        seen += 1
    return seen


def benchstat_csv(old, new, stdout):
    sides = [table("report", path, "--stats=median") for path in (old, new)]
    tests = table("compare", old, new, "--method=ranksum")
    seen = 0
    for row in csv.reader(open(stdout, encoding="utf-8")):
        if len(row) < 7 or not row[6].startswith("p="):
            continue
        name = row[0].partition("Encode/")[1] + row[0].partition("Encode/")[2]
        medians = [float(side[name]["time_median_us"]) * 1e-6 for side in sides]
        for ours, text in zip(medians, (row[1], row[3])):
            check(name + " median", printed(ours, 12), printed(float(text), 12))
        if row[5] != "~":
            check(name + " change", same_rounded(100 * (medians[1] / medians[0] - 1), row[5][:-1]), True)
        check(name + " p", same_rounded(float(tests[name]["time_p"]), row[6].split()[0][2:]), True)
        seen += 1
    return seen


def changed_copies(path, factor, folder, side, seed):
    """Four tables of the values of the file, each near to `factor` times what it has."""
    text = subprocess.run([PROGRAM, "export", path, "-o", "-"], check=True, stdout=subprocess.PIPE).stdout.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    noise, names = random.Random(seed), []
    for run in range(4):
        names.append(os.path.join(folder, "%s%d.csv" % (side, run)))
        with open(names[-1], "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["run", "step", "benchmark", "measure", "value", "unit"])
            for row in rows:
                if row["measure"] not in ("source", "type", "wall", "busy", "start") and row["value"]:
                    value = float(row["value"]) * factor * (1 + noise.gauss(0, 0.001))
                    out.writerow(["%s-%s" % (run, row["run"]), row["step"], row["benchmark"], row["measure"], repr(value), row["unit"]])
    return names


def directions():
    for path, rates in sorted(RATES.items()):
        with tempfile.TemporaryDirectory() as folder:
            base = changed_copies(os.path.join(DATA, path), 1, folder, "base", 1)
            new = changed_copies(os.path.join(DATA, path), 0.8, folder, "new", 2)
            rows = table("compare", "--base", *base, "--new", *new)
        for rate in rates:
            said = {row[rate + "_verdict"] for row in rows.values() if row[rate + "_base" + unit_end(row, rate)]}
            check("%s %s that falls" % (path, rate), said, {"REGRESSED"})
            change = [float(row[rate + "_change_pct"]) for row in rows.values() if row[rate + "_change_pct"]]
            check("%s %s is shown as it is" % (path, rate), bool(change) and -21 < statistics.median(change) < -19, True)
        times = {row["time_verdict"] for row in rows.values() if row.get("time_change_pct")}
        check("%s time that falls" % path, times <= {"IMPROVED"}, True)


def unit_end(row, measure):
    """The unit in the name of the column MEASURE_base_UNIT."""
    return next(key[len(measure + "_base"):] for key in row if key.startswith(measure + "_base"))


gotext, theirs = os.path.join(DATA, "bench/gotext"), os.path.join(DATA, "benchstat")
count = benchstat_text(*(os.path.join(theirs, name) for name in ("crc-old.txt.gz", "crc-new.txt.gz", "crcIgnore.stdout")))
check("rows of crcIgnore.stdout", count, 72)
count = benchstat_csv(os.path.join(gotext, "old.txt"), os.path.join(gotext, "new.txt"), os.path.join(theirs, "csvOldNew.stdout"))
check("rows of csvOldNew.stdout", count, 2)
directions()
sys.exit(wrong > 0)
