"""Rows of the host's own ops in PyTorch traces without a device against a plain reading: json, and a stack for each thread.

usage: host_rows.py STEPSTAT TRACE...

The own time of an op, what it takes without the ops in it, belongs to the innermost user annotation, nn.Module, op with shapes, stack of
the user's code, or phase, that is open when the op begins (an op that makes such a row is in its own); modules and stacks have what the
backward pass does for them. Every step, every row, own time, total time and number of ops must be equal, to the picosecond; and the total
of an annotation must be the time for which it is open, or more where an op begins in it and ends after it. A made trace has such ops.
TAP on standard output.
"""
import collections
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

from pytorch_traces import CALL, FRAMES, DEVICE, Threads, Trace, chosen, guess_forward, phase, picoseconds, rows_of


class Host(Trace):
    def __init__(self, path):
        super().__init__(path)
        self.has_device = any(DEVICE.fullmatch(e.category) for e in self.events)
        self.ops = [e for e in self.host if e.category != "python_function"]
        self.labels = {by: [e for e in self.host if chosen(by, e)] for by in ("shape", "annotation", "module", "stack", "stack of")}
        named = [e for e in self.host if not CALL.fullmatch(e.category)]
        self.labels["phase"] = [e for e in named if phase(e)[0]] + guess_forward(named)
        self.find_own()

    def find_own(self):
        """Own time by op: an op that ends after the one in which it begins comes after that."""
        self.own = {e: e.duration for e in self.ops}
        threads = collections.defaultdict(list)
        for e in self.ops:
            threads[e.thread].append(e)
        for ops in threads.values():
            stack = []
            for e in sorted(ops, key=lambda e: (e.start, -e.duration, bool(CALL.fullmatch(e.category)), e.id())):
                while stack and (stack[-1].end <= e.start or e.end > stack[-1].end):
                    stack.pop()
                if stack:
                    self.own[stack[-1]] -= e.duration
                stack.append(e)

    def rows(self, by):
        """Own and total time, and numbers of ops, by step and row."""
        own, total = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
        threads = Threads(self.labels[by.split(":")[0]])
        for event in self.ops:
            step = self.step(event.start)
            if step is None:
                continue
            rows = rows_of(by, self.around(threads, by, event.thread, event.start, event))
            for table, names in ((own, rows[:1]), (total, set(rows))):
                for name in names:
                    table[str(step), name][0] += max(0, self.own[event])
                    table[str(step), name][1] += 1
        return own, total

    def open_time(self):
        """How long annotations of each name are open, one in another of its name once; and whether ops begin in it that end after it."""
        found, threads = collections.defaultdict(lambda: [0, False]), Threads(self.labels["annotation"])
        crossed = {a for e in self.ops for a in threads.around(e.thread, e.start) if a.end < e.end and a.start < e.start}
        for e in self.labels["annotation"]:
            around = [a for a in threads.around(e.thread, e.start) if a is not e and a.name == e.name and a.end >= e.end]
            step = self.step(e.start)
            if step is not None and not [a for a in around if a.start < e.start or a.end > e.end]:
                found[str(step), e.name][0] += e.duration
                found[str(step), e.name][1] |= e in crossed
        return found


def program_rows(stepstat, path, by, value, is_marked):
    command = [stepstat, "export", path, "--by=" + by.replace(" of", ""), "--value=" + value, "--to=csv", "--shape=wide",
               "--measures=cpu,occurrence", "-o", "-"] + (["--config=/dev/stdin"] if " of" in by else [])
    run = subprocess.run(command, capture_output=True, text=True, input="report: {user-code: '%s'}" % FRAMES)
    if run.returncode:
        return run.stderr
    end = "_total" if value == "total" else ""
    # A single step that nothing marks may have a number.
    return {(row["step"] if is_marked else "", row["op"]): [picoseconds(row["cpu%s_us" % end]), int(row["occurrence" + end] or 0)]
            for row in csv.DictReader(io.StringIO(run.stdout))}


def differences(expected, found):
    if isinstance(found, str):
        return ["# " + found.strip()]
    expected, found = ({key: value for key, value in table.items() if value != [0, 0]} for table in (expected, found))
    return ["# %s: %s expected, %s found" % (key, expected.get(key), found.get(key))
            for key in sorted(set(expected) | set(found)) if expected.get(key) != found.get(key)]


class Tap:
    number = failed = 0

    def case(self, text, wrong):
        self.number += 1
        self.failed += bool(wrong)
        print("%sok %d - %s" % ("not " if wrong else "", self.number, text))
        print("".join(line + "\n" for line in wrong[:10]), end="")


def overlapping(path):
    """Annotations A and B that overlap, and an op that ends after C, in which it begins."""
    spans = [("user_annotation", "ProfilerStep#1", 0, 10000), ("user_annotation", "A", 100, 1000), ("cpu_op", "aten::mm", 200, 50),
             ("user_annotation", "B", 600, 1000), ("cpu_op", "aten::add", 700, 300), ("user_annotation", "C", 3000, 1000),
             ("cpu_op", "aten::copy_", 3900, 1000), ("user_annotation", "D", 6000, 1000), ("cpu_op", "aten::sum", 6100, 900)]
    with open(path, "w") as file:
        json.dump({"schemaVersion": 1, "traceEvents": [
            {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": start, "dur": duration, "args": {"External id": i + 1}}
            for i, (cat, name, start, duration) in enumerate(spans)]}, file)
    return path


def main(stepstat, paths):
    tap, folder = Tap(), tempfile.TemporaryDirectory()
    for path in paths + [overlapping(os.path.join(folder.name, "overlapping.json"))]:
        trace, name = Host(path), path.split("/")[-1]
        if trace.has_device:
            tap.case("%s # SKIP it has a device" % name, [])
            continue
        for by in ("annotation", "phase", "module", "shape", "stack:1", "stack:2", "stack:100", "stack of:1", "stack of:4"):
            if not trace.labels[by.split(":")[0]]:
                continue
            for value, expected in zip(("self", "total"), trace.rows(by)):
                tap.case("%s --by=%s --value=%s: %d rows in %d steps" % (name, by, value, len({row for step, row in expected}),
                                                                         len({step for step, row in expected})),
                         differences(expected, program_rows(stepstat, path, by, value, bool(trace.steps))))
        if trace.labels["annotation"]:
            total = program_rows(stepstat, path, "annotation", "total", bool(trace.steps))
            tap.case("%s: time for which annotations are open" % name,
                     ["# %s: open for %d, total %s" % (key, time, total.get(key)) for key, (time, is_crossed) in sorted(trace.open_time().items())
                      if not (total.get(key, [0])[0] > time if is_crossed else total.get(key, [0])[0] == time)])
    print("1..%d" % tap.number)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
