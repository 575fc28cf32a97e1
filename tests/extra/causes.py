"""Idle time of devices by what the host did, in PyTorch traces, against a plain reading: json, sorted lists and a sweep in Python.

usage: causes.py STEPSTAT TRACE...

A gap of a device is late where the next work was launched after it began, or nothing was launched any more. Each piece of it, cut by the
windows of the steps, goes to what is open on the thread of that launch (after the last one: of the launch before): to the event that
began first and does not cover the whole window, and to the one that began last. Frames of Python count from 0.1 ms on. Every step, every
name must be equal, to the picosecond; names beyond the 32 largest are [other]. TAP on standard output.
"""
import bisect
import collections
import csv
import io
import re
import subprocess
import sys

from pytorch_traces import CALL, DEVICE, Trace, picoseconds

SERVING = re.compile(r"execute_\d*_?context_.*|step\[.*\].*")
FRAME_LEAST = 100 * 1000000
NOTHING, REST, MOST = "[nothing recorded]", "[other]", 32


class Idle(Trace):
    def __init__(self, path):
        super().__init__(path)
        self.work = [e for e in self.events if DEVICE.fullmatch(e.category)]
        serving = [] if self.marks else [e for e in self.host if e.category == "user_annotation" and SERVING.fullmatch(e.name)]
        self.is_server = bool(serving)  # whose steps are from mark to mark: other windows
        self.find_windows(self.marks)

    def launch_of(self, event):
        return self.launch.get(event.number("correlation"))

    def find_windows(self, marks):
        """(step, start, end) of each step; without marks all is one."""
        ops = [e for e in self.host if e.category != "python_function"]
        if not marks:
            both = ops + self.work
            self.windows = [("0", min(e.start for e in both), max(e.end for e in both))]
            return
        self.windows = []
        numbers = [int(e.name.split("#")[1]) for e in marks]
        ends = [marks[i + 1].start if i + 1 < len(marks) else float("inf") for i in range(len(marks))]
        for i, mark in enumerate(marks):
            within = min(mark.end, ends[i])
            mine = [e for e in ops if mark.start <= e.start < within]
            mine += [e for e in self.work if self.launch_of(e) and mark.start <= self.launch_of(e).start < within]
            last = max([within] + [e.end for e in mine])
            if i + 1 < len(marks):
                last = ends[i] if numbers[i + 1] == numbers[i] + 1 or numbers[i + 1] <= numbers[i] else min(last, ends[i])
            if mine:
                self.windows.append((str(numbers[i]), mark.start, last))

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

    def causes(self):
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
        for thread, own in pieces.items():
            self.add(sorted(threads[thread], key=order), own, sums)
        return sums, whole

    @staticmethod
    def add(events, pieces, sums):
        points = sorted({e.start for e in events} | {e.end for e in events} | {p[0] for p in pieces} | {p[1] for p in pieces})
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
            for start, end, device, step, first, last in inside.get(i, []):
                size = points[i + 1] - point
                inner = running[-1].name if running else NOTHING
                ops = [e for e in running if e.category != "python_function"]
                below = [e for k, e in enumerate(running) if not is_around(e, running[k + 1:], first, last)]
                chosen = [e for e in below if e in ops] or below or running[-1:]
                sums["innermost"][step, device, inner] += size
                sums["outermost"][step, device, chosen[0].name if chosen else NOTHING] += size


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


def program(stepstat, path):
    run = subprocess.run([stepstat, "export", path, "--to=csv", "-o", "-", "--unit=ps"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    found = {"outermost": collections.Counter(), "innermost": collections.Counter(), "whole": collections.Counter()}
    for row in csv.DictReader(io.StringIO(run.stdout)):
        kind = re.fullmatch(r"(gpu:[^ ]*?)(?: in (.*)_host_late_(outermost|innermost)|_idle_host_late)", row["measure"], re.S)
        value = picoseconds(row["value"]) // {"us": 1, "ps": 1000000, "ns": 1000, "": 1}[row["unit"]] if kind else 0
        if kind and value:
            key = (row["step"], kind[1]) + ((kind[2],) if kind[3] else ())
            found[kind[3] or "whole"][key] += value
    return found


def main(stepstat, paths):
    print("1..%d" % len(paths))
    failed = False
    for n, path in enumerate(paths, 1):
        trace = Idle(path)
        if trace.is_server:
            print("ok %d - %s # SKIP steps of a server" % (n, path))
            continue
        sums, whole = trace.causes()
        got, bad = program(stepstat, path), []
        for kind, expected in (("whole", +whole), ("outermost", fold(sums["outermost"])), ("innermost", fold(sums["innermost"]))):
            bad += ["%s %s: %s is not %s" % (kind, key, got[kind][key], expected[key])
                    for key in sorted(set(expected) | set(got[kind])) if expected[key] != got[kind][key]]
        failed |= bool(bad)
        late = sum(whole.values())
        print("%sok %d - %s: %d ps late, %d names" % ("not " if bad else "", n, path, late, len({k[2] for k in sums["innermost"]})))
        for line in bad[:10]:
            print("# " + line)
        top = sums["outermost"] and fold(collections.Counter({("", d, name): sum(v for (s, dd, nn), v in sums["outermost"].items() if (dd, nn) == (d, name))
                                                              for (s, d, name) in sums["outermost"]})).most_common(1)
        if top and late:
            print("# outermost: %s, %.1f %%" % (top[0][0][2], 100 * top[0][1] / late))
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
