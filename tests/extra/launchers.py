"""Rows of launchers of PyTorch traces against a plain reading: json, and a bisection over the host's events by thread and time.

usage: launchers.py STEPSTAT TRACE...

A kernel belongs to what was open on the thread of its launch when the launch began: by op (PyTorch's Self CUDA and CUDA total),
user annotation, nn.Module, phase and stack of the user's code. Every step, every row, own time, total time and number of kernels must be equal, to the
picosecond. TAP on standard output; as a comment, how many kernels PyTorch's own link (External id) gives to another op.
"""
import bisect
import collections
import csv
import decimal
import gzip
import io
import json
import math
import re
import subprocess
import sys

DEVICE = re.compile(r"kernel|gpu_memcpy|gpu_memset|memcpy|memset|collective_comm|mtia_insight|mtia_ccp_events|.*_kernel|.*_memcpy|.*_memset")
CALL = re.compile(r"(.*_)?(runtime|driver)")
NOWHERE = "[not attributed]"
LIBRARIES = set(sys.stdlib_module_names) - {"test"} | {"torch", "transformers", "tqdm"}  # of these traces
FRAMES = r"^(?!nn\.Module: |torch/|<)"


def is_users(event):
    """A frame of the user's code: file.py(line): function, where the file is none of PyTorch, a package or Python."""
    found = re.fullmatch(r"([^<].*)\((\d+)\): (.+)", event.name)
    if event.category != "python_function" or not found or event.name.startswith("nn.Module: "):
        return False
    parts = re.sub(r"\.py$", "", found[1]).split("/")
    return parts[0] not in LIBRARIES and not {"site-packages", "dist-packages"} & set(parts)


def picoseconds(value):
    return int(decimal.Decimal(value or 0) * 1000000)


class Event:
    def __init__(self, fields):
        self.name, self.type, self.args = fields["name"], fields.get("cat", ""), fields.get("args", {})
        self.category = self.type.lower()
        self.thread = (str(fields.get("pid")), str(fields.get("tid")))
        self.start = picoseconds(fields["ts"])
        self.duration = picoseconds(fields.get("dur"))
        self.end = self.start + self.duration

    def number(self, *keys):
        found = [self.args[key] for key in keys if str(self.args.get(key, "")).isdigit()]
        return int(found[0]) if found else 0


def is_op(event):
    return event.category in ("cpu_op", "operator") and not event.name.startswith("ProfilerStep#")


def shaped(event):
    """The row of --by=shape: the name and the shapes without blanks and without the empty ones at the end; None without shapes."""
    shapes = event.args.get("Input Dims")
    if not is_op(event) or not isinstance(shapes, list):
        return None
    while shapes and shapes[-1] == []:
        shapes = shapes[:-1]
    return event.name + (" " + json.dumps(shapes, separators=(",", ":")) if shapes else "")


PRODUCTS = {"aten::mm": 0, "aten::addmm": 1, "aten::bmm": 0, "aten::baddbmm": 1, "aten::_int_mm": 0, "aten::_scaled_mm": 0}


def float_ops(event):
    """2 x batch x M x N x K of a product of matrices; 0: it is none."""
    shapes = event.args.get("Input Dims")
    if event.name not in PRODUCTS or not isinstance(shapes, list):
        return 0
    a, b = shapes[PRODUCTS[event.name]:PRODUCTS[event.name] + 2]
    return 2 * math.prod(a) * b[-1] if a[-1] == b[-2] and a[:-2] == b[:-2] else 0


def is_annotation(event):
    return ((event.category == "user_annotation" or (event.category == "operator" and "#" in event.name))
            and not event.name.startswith("ProfilerStep#"))


def phase(event):
    """The phase, and whether it holds for all that is in the event."""
    if event.category == "python_function":
        return ("forward" if event.name.startswith("nn.Module: ") else None), False
    for start, name, holds in (("autograd::engine::evaluate_function", "backward", True),
                               ("torch::autograd::", "backward", True), ("Optimizer.step#", "optimiser", False),
                               ("Optimizer.zero_grad#", "optimiser", True), ("enumerate(DataLoader)", "input", True),
                               ("execute_context_", "forward", False)):
        if event.name.startswith(start):
            return name, holds
    if is_annotation(event):
        for word in ("forward", "backward"):
            if re.search(r"(?<![A-Za-z_])%s(?![A-Za-z_])" % word, event.name):
                return word, False
        return None, False
    if event.number("Fwd thread id") > 0 or re.fullmatch(r"[A-Z]\w*Backward\d*", event.name):
        return "backward", True
    return ("forward" if str(event.args.get("Sequence number", "")).isdigit() else None), False


def guess_forward(events):
    """Ops of the framework, where a file has a backward pass and no word of the forward pass."""
    phases = {phase(event)[0] for event in events}
    return [event for event in events if not phase(event)[0] and event.category != "python_function" and not is_annotation(event)
            and event.name.startswith("aten::")] if "backward" in phases and "forward" not in phases else []


class Threads:
    """Events of each thread by start."""

    def __init__(self, events):
        self.of = collections.defaultdict(list)
        for event in events:
            self.of[event.thread].append(event)
        self.starts, self.last_end = {}, {}
        for thread, own in self.of.items():
            own.sort(key=lambda e: (e.start, -e.duration, e.number("External id", "external id", "Python id")))
            self.starts[thread] = [event.start for event in own]
            ends, most = [], None
            for event in own:
                most = event.end if most is None else max(most, event.end)
                ends.append(most)
            self.last_end[thread] = ends

    def around(self, thread, time):
        """The events that are open then, the innermost first."""
        found = []
        own = self.of.get(thread, [])
        i = bisect.bisect_right(self.starts.get(thread, []), time) - 1
        while i >= 0 and self.last_end[thread][i] > time:
            if own[i].end > time:
                found.append(own[i])
            i -= 1
        return found


def labels_of(by, around):
    if by.startswith("stack"):
        deep = int(by.split(":")[1])
        return [";".join(event.name for event in reversed(around[i:i + deep])) for i in range(len(around))] or [NOWHERE]
    if by == "shape":
        return [shaped(event) for event in around] or [NOWHERE]
    if by != "phase":
        return [event.name for event in around] or [NOWHERE]
    named = [phase(event) for event in around]
    named = [(name, holds) for name, holds in named if name]
    holding = [i for i, (name, holds) in enumerate(named) if holds]
    if holding:
        named = named[holding[-1]:]
    return [name for name, holds in named] or ["forward" if around else "other"]


class Trace:
    def __init__(self, path):
        raw = open(path, "rb").read()
        raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        content = json.loads(raw.decode("utf-8", "replace"), parse_float=str, strict=False)
        content = content["traceEvents"] if isinstance(content, dict) else content
        self.events = events = [Event(e) for e in content if e.get("ph") == "X" and isinstance(e.get("args", {}), dict)]
        self.steps = sorted((e.start, e.end, int(e.name.split("#")[1])) for e in events
                            if re.fullmatch(r"ProfilerStep#\d+", e.name) and not e.category.startswith("gpu"))
        self.launch = {}
        for e in events:
            link = e.number("correlation")
            if CALL.fullmatch(e.category) and link and (link not in self.launch or e.start < self.launch[link].start):
                self.launch[link] = e
        self.work = [e for e in events if DEVICE.fullmatch(e.category) and e.number("correlation") in self.launch]
        self.host = {"launcher": [e for e in events if is_op(e)], "annotation": [e for e in events if is_annotation(e)],
                     "module": [e for e in events if e.category == "python_function" and e.name.startswith("nn.Module: ")]}
        self.host["shape"] = [e for e in self.host["launcher"] if shaped(e)]
        self.host["stack"] = [e for e in events if is_users(e)]
        self.host["stack of"] = [e for e in events if e.category == "python_function" and re.search(FRAMES, e.name)]
        host = [e for e in events if not DEVICE.fullmatch(e.category) and not CALL.fullmatch(e.category)]
        self.host["phase"] = [e for e in host if phase(e)[0]] + guess_forward(host)

    def step(self, time):
        if not self.steps:
            return ""
        i = bisect.bisect_right(self.steps, (time, float("inf"), 0)) - 1
        return self.steps[i][2] if i >= 0 and time < self.steps[i][1] else None

    def rows(self, by):
        """Own and total time, and numbers of kernels, by step and row."""
        own, total = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
        by, _, renamed = by.partition(" renamed")
        threads = Threads(self.host[by.split(":")[0]])
        for event in self.work:
            launch = self.launch[event.number("correlation")]
            step = self.step(launch.start)
            if step is None:
                continue
            labels = labels_of(by, threads.around(launch.thread, launch.start))
            labels = [re.sub(renamed[1:], "", label) if renamed else label for label in labels]
            for table, names in ((own, labels[:1]), (total, set(labels))):
                for name in names:
                    table[str(step), name][0] += event.duration
                    table[str(step), name][1] += 1
        return own, total

    def products(self, by):
        """Float operations by step and row, of the innermost of products in each other; of rows for which a device worked."""
        found, worked = collections.defaultdict(lambda: [0, 0]), {key for key, value in self.rows(by)[0].items() if value[1]}
        threads = Threads([e for e in self.host["shape"] if float_ops(e)])
        outer = {id(around) for own in threads.of.values() for e in own for around in threads.around(e.thread, e.start)
                 if around is not e and around.end >= e.end}
        calls = Threads(list(self.launch.values()))

        def launched(event):
            starts = calls.starts.get(event.thread, [])
            return bisect.bisect_left(starts, event.end) > bisect.bisect_left(starts, event.start)

        for event in (e for own in threads.of.values() for e in own):
            key = str(self.step(event.start)), shaped(event) if by == "shape" else event.name
            if id(event) not in outer and key in worked and launched(event):
                found[key][0] += float_ops(event)
        return found

    def other_by_id(self):
        """Kernels whose External id names another op than the launch's time does; those that have one."""
        threads, by_id, other, known = Threads(self.host["launcher"]), {}, 0, 0
        for event in self.host["launcher"]:
            by_id[event.number("External id", "external id")] = event
        for event in self.work:
            op = by_id.get(event.number("External id", "external id"))
            if op:
                launch = self.launch[event.number("correlation")]
                around = threads.around(launch.thread, launch.start)
                known += 1
                other += not around or around[0].name != op.name
        return other, known


def program_rows(stepstat, path, by, value):
    by, _, renamed = by.partition(" renamed")
    rows = ["--rename=s/%s//" % renamed[1:]] if renamed else []
    rows += ["--by=" + by.replace(" of", "")] + (["--config=/dev/stdin"] if " of" in by else [])
    command = [stepstat, "export", path, *rows, "--value=" + value, "--to=csv", "--shape=wide",
               "--measures=accelerator,occurrence", "-o", "-"]
    run = subprocess.run(command, capture_output=True, text=True, input="report: {user-code: '%s'}" % FRAMES)
    if run.returncode:
        return run.stderr
    rows, end = {}, "_total" if value == "total" else ""
    for row in csv.DictReader(io.StringIO(run.stdout)):
        rows[row["step"], row["op"]] = [picoseconds(row["accelerator%s_us" % end]), int(row["occurrence" + end])]
    return rows


def program_products(stepstat, path, by):
    run = subprocess.run([stepstat, "export", path, "--by=" + by, "--to=csv", "--shape=wide", "--measures=float_ops", "-o", "-"],
                         capture_output=True, text=True)
    if run.returncode:
        return run.stderr
    return {(row["step"], row["op"]): [int(row["float_ops"]), 0] for row in csv.DictReader(io.StringIO(run.stdout)) if row["float_ops"]}


def differences(expected, found):
    if isinstance(found, str):
        return [found.strip()]
    found = {key: value for key, value in found.items() if value != [0, 0]}
    return ["# %s: %s expected, %s found" % (key, expected.get(key), found.get(key))
            for key in sorted(set(expected) | set(found)) if expected.get(key) != found.get(key)]


def main():
    stepstat, paths = sys.argv[1], sys.argv[2:]
    number = failed = 0
    for path in paths:
        trace = Trace(path)
        print("# %s: %d kernels, External id names another op for %d of %d" % ((path.split("/")[-1], len(trace.work)) + trace.other_by_id()))
        if trace.work and any(float_ops(e) for e in trace.host["shape"]):
            for by in ("launcher", "shape"):
                wrong = differences(trace.products(by), program_products(stepstat, path, by))
                number += 1
                failed += bool(wrong)
                print("%sok %d - %s --by=%s: float operations" % ("not " if wrong else "", number, path.split("/")[-1], by))
                print("".join(line + "\n" for line in wrong[:10]), end="")
        for by in ("launcher", "shape", "annotation", "module", "phase", "stack:1", "stack:2", "stack:100", "stack of:1", "stack of:4", "launcher renamed [_:0-9].*",
                   "module renamed _[0-9]+$"):
            if not trace.work or not trace.host[by.split(" renamed")[0].split(":")[0]]:
                continue
            for value, expected in zip(("self", "total"), trace.rows(by)):
                wrong = differences(expected, program_rows(stepstat, path, by, value))
                number += 1
                failed += bool(wrong)
                print("%sok %d - %s --by=%s --value=%s: %d rows in %d steps" % (
                    "not " if wrong else "", number, path.split("/")[-1], by, value, len({name for step, name in expected}),
                    len({step for step, name in expected})))
                print("".join(line + "\n" for line in wrong[:10]), end="")
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
