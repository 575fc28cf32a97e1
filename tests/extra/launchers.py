"""Rows of launchers of PyTorch traces against a plain reading: json, and a bisection over the host's events by thread and time.

usage: launchers.py STEPSTAT TRACE...

A kernel belongs to what was open on the thread of its launch when the launch began: by op (PyTorch's Self CUDA and CUDA total),
user annotation, nn.Module, phase and stack of the user's code. Every step, every row, own time, total time and number of kernels must be equal, to the
picosecond. TAP on standard output; as a comment, how many kernels PyTorch's own link (External id) gives to another op.
"""
import bisect
import collections
import csv
import io
import math
import re
import subprocess
import sys

from pytorch_traces import CALL, DEVICE, FRAMES, NOWHERE, Threads, Trace, chosen, guess_forward, phase, picoseconds, rows_of, shaped

PRODUCTS = {"aten::mm": 0, "aten::addmm": 1, "aten::bmm": 0, "aten::baddbmm": 1, "aten::_int_mm": 0, "aten::_scaled_mm": 0}


def float_ops(event):
    """2 x batch x M x N x K of a product of matrices; 0: it is none."""
    shapes = event.args.get("Input Dims")
    if event.name not in PRODUCTS or not isinstance(shapes, list):
        return 0
    a, b = shapes[PRODUCTS[event.name]:PRODUCTS[event.name] + 2]
    return 2 * math.prod(a) * b[-1] if a[-1] == b[-2] and a[:-2] == b[:-2] else 0


SIZES = {"float": 4, "double": 8, "c10::BFloat16": 2, "c10::Half": 2, "long int": 8, "int": 4, "signed char": 1, "unsigned char": 1}


def matrix_bytes(event):
    """Bytes of what a product reads and writes, each element once; 0: it is none, or a type is unknown."""
    shapes, types, strides = (event.args.get(key) for key in ("Input Dims", "Input type", "Input Strides"))
    if not float_ops(event) or not types or event.name == "aten::_scaled_mm":
        return 0
    first = PRODUCTS[event.name]
    if any(kind not in SIZES for kind in types[:first + 2]):
        return 0
    read = sum(SIZES[types[i]] * math.prod(d for k, d in enumerate(shapes[i]) if not strides or strides[i][k]) for i in range(first + 2))
    written = math.prod(shapes[first][:-1]) * shapes[first + 1][-1]
    return read + written * (4 if event.name == "aten::_int_mm" else SIZES[types[first]])


class Kernels(Trace):
    def __init__(self, path):
        super().__init__(path)
        self.kinds = kinds = re.compile(DEVICE.pattern + "|mtia_ccp_events")
        self.work = [e for e in self.events if kinds.fullmatch(e.category) and e.number("correlation") in self.launch]
        self.labels = {by: [e for e in self.events if chosen(by, e) and e not in self.serving] for by in ("launcher", "shape", "annotation", "module", "stack", "stack of")}
        host = [e for e in self.events if not kinds.fullmatch(e.category) and not CALL.fullmatch(e.category)]
        self.labels["phase"] = [e for e in host if phase(e)[0]] + guess_forward(host)

    def graphs(self, by):
        """Names of kernels that replays of graphs ran, by their id, of which nothing around the replay has one."""
        replays, names = collections.defaultdict(list), {}
        for event in self.work:
            link = event.number("correlation")
            if re.fullmatch(r"(cuda|hip|cu)GraphLaunch.*", self.launch[link].name):
                replays[link].append(event)
        for own in replays.values():
            for i, event in enumerate(sorted(own, key=lambda e: e.start), 1):
                is_op = by in ("launcher", "shape")
                names[id(event)] = "graph of %d, %d: %s" % (len(own), i, event.name) if is_op else "graph of %d kernel%s" % (len(own), "s"[:len(own) > 1])
        return names

    def rows(self, by):
        """Own and total time, and numbers of kernels, by step and row."""
        own, total = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
        by, _, renamed = by.partition(" renamed")
        threads, graphs = Threads(self.labels[by.split(":")[0]]), self.graphs(by)
        for event in self.work:
            launch = self.launch[event.number("correlation")]
            step = self.step(launch.start)
            if step is None:
                continue
            labels = rows_of(by, self.around(threads, by, launch.thread, launch.start))
            labels = [graphs.get(id(event), NOWHERE)] if labels == [NOWHERE] else labels
            labels = [(re.sub(renamed[1:], "", label) or "(empty)") if renamed else label for label in labels]
            for table, names in ((own, labels[:1]), (total, set(labels))):
                for name in names:
                    table[str(step), name][0] += event.duration
                    table[str(step), name][1] += 1
        return own, total

    def products(self, by, cost):
        """Float operations or bytes by step and row, of the innermost of products in each other; of rows for which a device worked."""
        found, worked = collections.defaultdict(lambda: [0, 0]), {key for key, value in self.rows(by)[0].items() if value[1]}
        threads = Threads([e for e in self.labels["shape"] if float_ops(e)])
        outer = {id(around) for own in threads.of.values() for e in own for around in threads.around(e.thread, e.start)
                 if around is not e and around.end >= e.end}
        calls = Threads(list(self.launch.values()))

        def launched(event):
            starts = calls.starts.get(event.thread, [])
            return bisect.bisect_left(starts, event.end) > bisect.bisect_left(starts, event.start)

        for event in (e for own in threads.of.values() for e in own):
            key = str(self.step(event.start)), shaped(event) if by == "shape" else event.name
            if id(event) not in outer and key in worked and launched(event):
                found[key][0] += cost(event)
        return found

    def other_by_id(self):
        """Kernels whose External id names another op than the launch's time does; those that have one."""
        threads, by_id, other, known = Threads(self.labels["launcher"]), {}, 0, 0
        for event in self.labels["launcher"]:
            by_id[event.number("External id", "external id")] = event
        for event in self.work:
            op = by_id.get(event.number("External id", "external id"))
            if op:
                launch = self.launch[event.number("correlation")]
                around = threads.around(launch.thread, launch.start)
                known += 1
                other += not around or around[0].name != op.name
        return other, known


def program_rows(stepstat, path, by, value, is_marked):
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
        # A single step that nothing marks may have a number.
        rows[row["step"] if is_marked else "", row["op"]] = [picoseconds(row["accelerator%s_us" % end]), int(row["occurrence" + end])]
    return rows


def program_products(stepstat, path, by, is_marked, measure):
    run = subprocess.run([stepstat, "export", path, "--by=" + by, "--to=csv", "--shape=wide", "--measures=" + measure, "-o", "-"],
                         capture_output=True, text=True)
    if run.returncode:
        return run.stderr
    rows, column = list(csv.DictReader(io.StringIO(run.stdout))), {"float_ops": "float_ops", "matrix_bytes": "matrix_bytes_bytes"}[measure]
    return {(row["step"] if is_marked else "", row["op"]): [int(row[column]), 0] for row in rows if row[column]}


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
        trace = Kernels(path)
        print("# %s: %d kernels, External id names another op for %d of %d" % ((path.split("/")[-1], len(trace.work)) + trace.other_by_id()))
        if trace.work and any(float_ops(e) for e in trace.labels["shape"]):
            for by, measure, cost in [(by, *of) for by in ("launcher", "shape") for of in (("float_ops", float_ops), ("matrix_bytes", matrix_bytes))]:
                expected = trace.products(by, cost)
                wrong = differences(expected, program_products(stepstat, path, by, bool(trace.steps), measure))
                number += 1
                failed += bool(wrong)
                print("%sok %d - %s --by=%s: %s, %d in %d rows" % ("not " if wrong else "", number, path.split("/")[-1], by, measure,
                                                                   sum(value[0] for value in expected.values()), len(expected)))
                print("".join(line + "\n" for line in wrong[:10]), end="")
        for by in ("launcher", "shape", "annotation", "module", "phase", "stack:1", "stack:2", "stack:100", "stack of:1", "stack of:4", "launcher renamed [_:0-9].*",
                   "module renamed _[0-9]+$"):
            if not trace.work or not trace.labels[by.split(" renamed")[0].split(":")[0]]:
                continue
            for value, expected in zip(("self", "total"), trace.rows(by)):
                wrong = differences(expected, program_rows(stepstat, path, by, value, bool(trace.steps)))
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
