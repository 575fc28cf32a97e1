"""Idle time of devices by what the host did, in PyTorch traces, against a plain reading: json, sorted lists and a sweep in Python.

usage: causes.py STEPSTAT TRACE...

A gap of a device is late where the next work was launched after it began, or nothing was launched any more. Each piece of it, cut by the
windows of the steps, goes to what is open on the thread of that launch (after the last one: of the launch before): to the event that
began first and does not cover the whole window, and to the one that began last; where rows are launchers, annotations, modules and so on
to the row of what that thread would launch then. Frames of Python count from 0.1 ms on. Every step, every name must be equal, to the
picosecond; names beyond the 32 largest are [other]. TAP on standard output.
"""
import bisect
import collections
import csv
import io
import re
import subprocess
import sys

from launchers import Kernels
from pytorch_traces import CALL, DEVICE, NOWHERE, Threads, picoseconds, rows_of, shaped

FRAME_LEAST = 100 * 1000000
NOTHING, REST, MOST = "[nothing recorded]", "[other]", 32
ROWS = ("launcher", "shape", "annotation", "module", "phase", "stack:1", "stack:3")


class Idle(Kernels):
    def __init__(self, path):
        super().__init__(path)
        self.launched, self.has_launches = self.work, bool(self.work)
        self.work = [e for e in self.events if DEVICE.fullmatch(e.category) or (self.kinds.fullmatch(e.category) and self.launch_of(e))]
        self.is_server = bool(self.serving)  # whose steps are from mark to mark: other windows
        self.find_windows(self.marks)

    def rows(self, by):
        self.work, work = self.launched, self.work
        found = super().rows(by)
        self.work = work
        return found

    def launch_of(self, event):
        return self.launch.get(event.number("correlation"))

    def find_windows(self, marks):
        """(step, start, end) of each step; without marks all is one."""
        ops = [e for e in self.host if e.category != "python_function"]
        if not marks:
            both = ops + self.work
            self.windows = [("0", min(e.start for e in both), max(e.end for e in both))]
            return
        self.windows, steps = [], []
        for i, mark in enumerate(marks):
            within = min(mark.end, marks[i + 1].start if i + 1 < len(marks) else mark.end)
            mine = [e for e in ops if mark.start <= e.start < within]
            mine += [e for e in self.work if self.launch_of(e) and mark.start <= self.launch_of(e).start < within]
            if mine:
                steps.append((int(mark.name.split("#")[1]), mark.start, max([within] + [e.end for e in mine])))
        for (number, start, last), after in zip(steps, steps[1:] + [None]):
            if after:
                last = after[1] if after[0] == number + 1 or after[0] <= number else min(last, after[1])
            self.windows.append((str(number), start, last))

    def late(self):
        """(device, thread, from, to) of each gap, from the first window on."""
        devices = collections.defaultdict(list)
        for e in self.work:
            if e.end > e.start:
                devices["gpu:" + str(e.args.get("device", e.process))].append(e)
        for device, work in devices.items():
            work.sort(key=lambda e: e.start)
            now, thread, i = self.windows[0][1], None, 0
            while i < len(work):
                together = [e for e in work[i:i + 100] if e.start == work[i].start]
                launches = [self.launch_of(e) for e in together if self.launch_of(e)]
                first = min(launches, key=lambda e: (e.start, e.thread)) if launches else None
                if first:
                    thread = first.thread
                if together[0].start > now and first and first.start >= now:
                    yield device, thread, now, together[0].start
                now = max([now] + [e.end for e in together])
                i += len(together)
            yield device, thread, now, self.windows[-1][2]

    def causes(self, by=None):
        """{"outermost", "innermost"}: {(step, device, name): ps}; the whole by step and device."""
        pieces, whole = collections.defaultdict(list), collections.Counter()
        for device, thread, start, end in self.late():
            for step, first, last in self.windows:
                if min(end, last) > max(start, first):
                    pieces[thread].append((max(start, first), min(end, last), device, step, first, last))
                    whole[step, device] += min(end, last) - max(start, first)
        sums = {"outermost": collections.Counter(), "innermost": collections.Counter()}
        threads = collections.defaultdict(list)
        for e in self.host:
            if e.end > e.start and (e.category != "python_function" or e.end - e.start >= FRAME_LEAST):
                threads[e.thread].append(e)
        labels = Threads(self.labels[by.split(":")[0]]) if by else None
        for thread, own in pieces.items():
            self.add(thread, sorted(threads[thread], key=order), own, sums, by, labels)
        return sums, whole

    def add(self, thread, events, pieces, sums, by, labels):
        others = labels.of.get(thread, []) + self.backward.of.get(thread, []) if labels and thread else []
        points = sorted({e.start for e in events + others} | {e.end for e in events + others} | {p[0] for p in pieces} | {p[1] for p in pieces})
        inside = collections.defaultdict(list)
        for piece in pieces:
            for i in range(bisect.bisect_left(points, piece[0]), bisect.bisect_left(points, piece[1])):
                inside[i].append(piece)
        starts = collections.defaultdict(list)
        for e in events:
            starts[e.start].append(e)
        running = []
        for i, point in enumerate(points[:-1]):
            running = [e for e in running if e.end > point] + starts[point]
            row = rows_of(by, self.around(labels, by, thread, point))[0] if labels and thread and i in inside else None
            for start, end, device, step, first, last in inside.get(i, []):
                size = points[i + 1] - point
                inner = row or (running[-1].name if running else NOTHING)
                ops = [e for e in running if e.category != "python_function"]
                below = [e for k, e in enumerate(running) if not is_around(e, running[k + 1:], first, last)]
                chosen = [e for e in below if e in ops] or below or running[-1:]
                sums["innermost"][step, device, inner] += size
                outer = chosen[0] if chosen else None
                sums["outermost"][step, device, (by == "shape" and shaped(outer) or outer.name) if outer else NOTHING] += size


def is_around(event, inner, first, last):
    """It leaves nothing of the window; or at most a tenth, and another op of its kind is open in it."""
    rest = (last - first) - (min(event.end, last) - max(event.start, first))
    return rest == 0 or (rest * 10 <= last - first and event.category != "python_function" and any(e.category == event.category for e in inner))


def order(event):
    """As the program sorts a thread: frames are in another list, which comes first where all is equal."""
    is_frame = event.category == "python_function"
    is_call = bool(CALL.fullmatch(event.category))
    link = event.number("Python id") if is_frame else event.number("correlation") if is_call else event.number("External id")
    return event.start, -(event.end - event.start), not is_frame, is_call, link


def fold(sums):
    """Names of a device beyond the largest are one."""
    totals, out = collections.Counter(), collections.Counter()
    for (step, device, name), value in sums.items():
        totals[device, name] += value
    for device in {device for device, name in totals}:
        names = sorted((name for d, name in totals if d == device), key=lambda n: (-totals[device, n], n.encode()))
        kept = set(names if len(names) <= MOST + 1 else names[:MOST])
        for (step, d, name), value in sums.items():
            if d == device and value:
                out[step, d, name if name in kept else REST] += value
    return out


def program(stepstat, path, by):
    run = subprocess.run([stepstat, "export", path, "--to=csv", "-o", "-", "--unit=ps", "--by=" + by], capture_output=True, text=True)
    if run.returncode:
        return run.stderr
    found = {"outermost": collections.Counter(), "innermost": collections.Counter(), "whole": collections.Counter()}
    for row in csv.DictReader(io.StringIO(run.stdout)):
        kind = re.fullmatch(r"(gpu:[^ ]*?)(?: in (.*)_host_late_(outermost|innermost)|_idle_host_late)", row["measure"], re.S)
        value = picoseconds(row["value"]) // {"us": 1, "ps": 1000000, "ns": 1000, "": 1}[row["unit"]] if kind else 0
        if kind and value:
            key = (row["step"], kind[1]) + ((kind[2],) if kind[3] else ())
            found[kind[3] or "whole"][key] += value
    return found


def check(stepstat, path, trace, by):
    """Differences, and a line on what was compared."""
    got, bad = program(stepstat, path, by), []
    if isinstance(got, str):
        is_right = " around the launches " in got and {name for step, name in trace.rows(by)[0]} <= {NOWHERE}
        return [] if is_right else [got.strip()], "nothing is launched in one"
    sums, whole = trace.causes(None if by == "name" else by)
    for kind, expected in (("whole", +whole), ("outermost", fold(sums["outermost"])), ("innermost", fold(sums["innermost"]))):
        bad += ["%s %s: %s is not %s" % (kind, key, got[kind][key], expected[key])
                for key in sorted(set(expected) | set(got[kind])) if expected[key] != got[kind][key]]
    text, late = "%d ps late, %d names" % (sum(whole.values()), len({k[2] for k in sums["innermost"]})), sum(whole.values())
    totals = collections.Counter()
    for (step, device, name), value in sums["innermost" if by != "name" else "outermost"].items():
        totals[device, name] += value
    if late:
        (device, name), value = max(totals.items(), key=lambda item: item[1])
        text += "; %s %s %.1f %%" % (device, name, 100 * value / late)
    return bad, text


def main(stepstat, paths):
    number = failed = 0
    for path in paths:
        trace = Idle(path)
        for by in ("name",) + ROWS:
            if by != "name" and not (trace.has_launches and trace.labels[by.split(":")[0]]):
                continue
            number += 1
            if trace.is_server:
                print("ok %d - %s # SKIP steps of a server" % (number, path))
                break
            bad, text = check(stepstat, path, trace, by)
            failed += bool(bad)
            print("%sok %d - %s --by=%s: %s" % ("not " if bad else "", number, path.split("/")[-1], by, text))
            print("".join("# %s\n" % line for line in bad[:10]), end="")
    print("1..%d" % number)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
