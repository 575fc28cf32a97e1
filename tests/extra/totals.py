"""Rows of --value=total with --rename and --by=type against a plain reading: what runs inside of another op of its row counts once.

usage: totals.py STEPSTAT TRACE... -- DUMP...

Traces of PyTorch on a CPU: the duration of each event that no other one of its row is around, on its thread and in its step. Dumps
of TensorFlow: the ops' own times (as exported) of all that a scope of the row has below it. Every step, every row, to the
picosecond. TAP on standard output.
"""
import bisect
import collections
import csv
import decimal
import gzip
import io
import json
import re
import subprocess
import sys

HOST = ("cpu_op", "user_annotation", "cuda_runtime", "cuda_driver")
RENAMES = [r"s/.*//", r"s/.*(conv|Conv).*/C/", r"s/^aten::(.).*/$1/", r"s#.*/##", r"s/[_:0-9].*//", r"s#^[^/]*/#top/#"]


def picoseconds(value):
    return int(decimal.Decimal(value or 0) * 1000000)


def changed(name, rename):
    _, pattern, text, _ = rename.split(rename[1])
    name = re.sub(pattern, re.sub(r"\$(\d)", r"\\\1", text), name, count=1)
    return name or "(empty)"


def exported(stepstat, path, *options):
    run = subprocess.run([stepstat, "export", path, "--to=csv", "--shape=wide", "--measures=cpu", "-o", "-", *options],
                         capture_output=True, text=True)
    return list(csv.DictReader(io.StringIO(run.stdout))) if run.returncode == 0 else run.stderr


def trace_rows(path, row):
    """row: of an event."""
    events = [e for e in json.load(gzip.open(path), parse_float=str)["traceEvents"] if e.get("ph") == "X" and e.get("cat") in HOST]
    for e in events:
        e["start"], e["dur"] = picoseconds(e["ts"]), picoseconds(e["dur"])
    steps = sorted((e["start"], e["start"] + e["dur"], e["name"][13:]) for e in events if e["name"].startswith("ProfilerStep#"))
    threads = collections.defaultdict(list)
    for e in events:
        i = bisect.bisect_right(steps, (e["start"], float("inf"), "")) - 1
        if not e["name"].startswith("ProfilerStep#") and i >= 0 and e["start"] < steps[i][1]:
            threads[e["pid"], e["tid"]].append((e["start"], -e["dur"], e["args"].get("External id", 0), steps[i][2], row(e)))
    sums = collections.Counter()
    for own in threads.values():
        own.sort(key=lambda e: e[:3])
        around = []
        for start, minus, _, step, name in own:
            around = [(end, of) for end, of in around if end > start and end >= start - minus]
            if (step, name) not in [of for end, of in around]:
                sums[step, name] -= minus
            around.append((start - minus, (step, name)))
    return sums


def tree_rows(stepstat, path, row_of_scope):
    sums = collections.Counter()
    for own in exported(stepstat, path):
        parts = own["op"].split("/")
        scopes = ["/".join(parts[:i + 1]) for i in range(len(parts))]
        for row in {row_of_scope(scope) for scope in scopes if scope}:
            sums[own["step"], row] += picoseconds(own["cpu_us"])
    return sums


def differences(expected, rows):
    if isinstance(rows, str):
        return [rows]
    found = {(r["step"], r["op"]): picoseconds(r["cpu_total_us"]) for r in rows if r["cpu_total_us"] != "0"}
    expected = {key: value for key, value in expected.items() if value}
    return ["# %s: %s expected, %s found\n" % (key, expected.get(key), found.get(key))
            for key in sorted(set(expected) | set(found)) if expected.get(key) != found.get(key)]


def main():
    stepstat, paths = sys.argv[1], sys.argv[2:]
    cut = paths.index("--")
    number = failed = 0
    for path in paths[:cut] + paths[cut + 1:]:
        is_trace = path in paths[:cut]
        cases = [("--rename=" + rename, lambda name, r=rename: changed(name, r)) for rename in RENAMES]
        if is_trace:
            cases = [(option, lambda e, f=f: f(e["name"])) for option, f in cases] + [("--by=type", lambda e: e["cat"])]
        for option, row in cases:
            expected = trace_rows(path, row) if is_trace else tree_rows(stepstat, path, row)
            wrong = differences(expected, exported(stepstat, path, "--value=total", option))
            number += 1
            failed += bool(wrong)
            print("%sok %d - %s %s: %d rows in %d steps" % ("not " if wrong else "", number, path.split("/")[-1], option,
                  len({name for step, name in expected}), len({step for step, name in expected})))
            print("".join(wrong[:10]), end="")
    print("1..%d" % number)
    return 1 if failed else 0


sys.exit(main())
