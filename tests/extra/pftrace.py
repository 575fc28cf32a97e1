#!/usr/bin/env python3
"""Perfetto traces, read, against the protobuf classes of PyPI's package `perfetto`.

usage: pftrace.py STEPSTAT FOLDER...   (a Python that has the package)

Of every trace of PyTorch (*.json, *.json.gz) in the folders:
  - made a .pftrace in each layout of pftrace_of.py, its report (text of all rows, CSV of all rows) is that of
    the JSON. PyTorch's own layout (cuspy) has neither instants nor all categories of old writers: only files
    with kernels, or without memory, in the words of 2022 and later, are compared, and of these the numbers.
"""
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))

try:
    import perfetto.protos.perfetto.trace.perfetto_trace_pb2  # noqa: F401
except ImportError:
    print("skipped: this Python has no package `perfetto` (pip install perfetto)")
    sys.exit(0)


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        data = json.loads(f.read().decode("utf-8", "replace"), parse_float=Decimal, strict=False)
    return data if isinstance(data, list) else data["traceEvents"]


def report(stepstat, folder, name):
    """Text and CSV of all rows, without what names the file."""
    text = subprocess.run([stepstat, "report", name, "--top=all"], cwd=folder, capture_output=True, text=True)
    subprocess.run([stepstat, "report", name, "-o", "all.csv"], cwd=folder, capture_output=True)
    with open(os.path.join(folder, "all.csv")) as f:
        rows = f.read()
    os.remove(os.path.join(folder, "all.csv"))

    def plain(s):
        return s.replace(name, "FILE")

    return plain(text.stdout + text.stderr), plain(rows)


def numbers(rows):
    """Of the CSV of a report: name of the op and all that is a number."""
    out = []
    for row in csv.reader(rows.splitlines()):
        out.append([row[1] if len(row) > 1 else ""] + [c for c in row if c.replace(".", "").replace("-", "").isdigit()])
    return sorted(out)


def main():
    stepstat = os.path.abspath(sys.argv[1])
    files = sorted(os.path.join(root, f) for folder in sys.argv[2:] for root, _, found in os.walk(folder) for f in found
                   if f.endswith((".json", ".json.gz")) and "expected" not in f)
    bad = compared = 0

    def check(what, a, b):
        nonlocal bad, compared
        compared += 1
        if a != b:
            bad += 1
            print("not ok - %s" % what)

    for path in files:
        name = os.path.basename(path)
        events = load(path)
        categories = {e.get("cat") for e in events}
        if not categories & {"cpu_op", "Operator", "operator", "kernel", "Kernel", "python_function"}:
            continue
        with tempfile.TemporaryDirectory() as folder:
            stem = name[:name.index(".json")]
            source = os.path.join(folder, name)
            with open(path, "rb") as f, open(source, "wb") as g:
                g.write(f.read())
            text, rows = report(stepstat, folder, name)
            for layout in ("ordered", "grouped", "packed", "cuspy"):
                made = stem + ".pftrace"
                if layout == "cuspy" and (not categories & {"cpu_op"} or "cpu_instant_event" in categories or
                                          "mtia_ccp_events" in categories):
                    continue
                subprocess.run([sys.executable, os.path.join(HERE, "pftrace_of.py"), layout, source,
                                os.path.join(folder, made)], check=True)
                made_text, made_rows = report(stepstat, folder, made)
                if layout != "cuspy":
                    check("%s, %s: text" % (name, layout), made_text, text)
                    check("%s, %s: CSV" % (name, layout), made_rows, rows)
                else:
                    check("%s, %s: numbers" % (name, layout), numbers(made_rows), numbers(rows))
    print("%d comparisons of %d files, %d differ" % (compared, len(files), bad))
    sys.exit(bad > 0)


main()
