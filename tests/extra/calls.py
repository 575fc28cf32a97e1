"""Single executions of PyTorch traces against a plain reading: json, sorting, fractions.

usage: calls.py STEPSTAT TRACE...

Of work of devices, for each row of --per=call: how many, sum, mean, least, largest, percentiles (R type 7), part below 5 us; the same of
the delays from the start of the launch to the start of the work, and how many are known. A row is what works (name, type, device) or
what launched it (launchers.py). And the column `calls` of the report per step. TAP on standard output.
"""
import collections
import csv
import fractions
import io
import subprocess
import sys

from launchers import Kernels
from pytorch_traces import NOWHERE, Threads, rows_of

PERCENTILES = (50, 90, 99)
WORDS = [("n", "calls", "1"), ("sum", "sum_us", None), ("mean", "call_mean_us", None), ("min", "call_min_us", None),
         ("max", "call_max_us", None)] + [(p, "call_p%d_us" % p, None) for p in PERCENTILES]


class Trace(Kernels):
    def __init__(self, path):
        super().__init__(path)
        self.device_work = [e for e in self.events if self.kinds.fullmatch(e.category)]

    def calls(self, labels_of):
        """[row] is two lists: times, and known delays."""
        rows = collections.defaultdict(lambda: ([], []))
        any_launch = bool(self.work)
        for event in self.device_work:
            launch = self.launch.get(event.number("correlation"))
            step = "" if not self.steps else self.step(launch.start) if launch else None if any_launch else self.step(event.start)
            if step is None:
                continue
            for label in labels_of(event, launch):
                rows[label][0].append(event.duration)
                if launch:
                    rows[label][1].append(event.start - launch.start)
        return rows


def percentile(ordered, percent):
    place = fractions.Fraction(percent, 100) * (len(ordered) - 1)
    below = int(place)
    value = fractions.Fraction(ordered[below])
    return value + (place - below) * (ordered[below + 1] - value) if below + 1 < len(ordered) else value


def described(values):
    values = sorted(values)
    if not values:
        return {}
    known = {"n": len(values), "sum": sum(values), "mean": fractions.Fraction(sum(values), len(values)), "min": values[0],
             "max": values[-1]}
    known.update({p: percentile(values, p) for p in PERCENTILES})
    return known


def labels(trace, by, total):
    if by == "name":
        return lambda event, launch: [event.name]
    if by == "type":
        types = collections.defaultdict(set)
        for event in trace.device_work:
            types[event.name].add(event.type)
        return lambda event, launch: types[event.name] if len(types[event.name]) == 1 else [""]
    threads, graphs = Threads(trace.labels[by]), trace.graphs(by)

    def around(event, launch):
        found = rows_of(by, trace.around(threads, by, launch.thread, launch.start)) if launch else [NOWHERE]
        found = [graphs.get(id(event), NOWHERE)] if found == [NOWHERE] else found
        return set(found) if total else found[:1]
    return around


def program_rows(stepstat, path, *options):
    run = subprocess.run([stepstat, path, "--to=csv", "--on=device", *options], capture_output=True, text=True)
    if run.returncode:
        return run.stderr
    return {row["op"]: row for row in csv.DictReader(io.StringIO(run.stdout))}


def near(text, value, largest):
    """Is the text, in us, the value in ps? Of a percentile the place among the values is a double."""
    return text != "" and abs(fractions.Fraction(text) * 1000000 - value) <= largest * fractions.Fraction(1, 10**12)


def differences(rows, found):
    if isinstance(found, str):
        return [found.strip()]
    wrong = ["# only in the %s: %s" % (side, name) for side, names in (("trace", set(rows) - set(found)), ("program", set(found) - set(rows)))
             for name in sorted(names)]
    for name in sorted(set(rows) & set(found)):
        for measure, values in zip(("time", "delay"), rows[name]):
            known = described(values)
            for key, column, unit in WORDS:
                text = found[name].get(measure + "_" + column, "")
                if key in ("n", "sum") and not known:
                    good = text in ("", "0")
                elif not known:
                    good = text == ""
                else:
                    good = int(text) == known[key] if unit else near(text, known[key], max(map(abs, values)))
                if not good:
                    wrong.append("# %s: %s_%s is %r, not %s" % (name, measure, column, text, known.get(key)))
        short = fractions.Fraction(100 * sum(ps < 5000000 for ps in rows[name][0]), len(rows[name][0]))
        if abs(fractions.Fraction(found[name]["time_call_below5us_pct"]) - short) > fractions.Fraction(1, 10**9):
            wrong.append("# %s: %s %% below 5 us, not %s" % (name, found[name]["time_call_below5us_pct"], float(short)))
    return wrong


def count_differences(rows, found):
    if isinstance(found, str):
        return [found.strip()]
    counts = {name: str(len(times)) for name, (times, delays) in rows.items()}
    seen = {name: row["calls"] for name, row in found.items()}
    return ["# %s: calls is %s, not %s" % (name, seen.get(name), counts.get(name)) for name in sorted(set(counts) | set(seen))
            if counts.get(name) != seen.get(name)]


def main():
    stepstat, paths = sys.argv[1], sys.argv[2:]
    number = failed = 0
    for path in paths:
        trace = Trace(path)
        short = path.split("/")[-1]
        for by in ("name", "type", "launcher", "annotation", "module", "phase"):
            if not trace.device_work or (by in trace.labels and not (trace.labels[by] and trace.work)):
                continue
            for value in ("self", "total") if by in trace.labels else ("self",):
                options = ["--by=" + by, "--value=" + value]
                rows = trace.calls(labels(trace, by, value == "total"))
                rows = {name: row for name, row in rows.items() if sum(row[0])}  # a row needs some time on the device
                for what, wrong in (("--per=call", differences(rows, program_rows(stepstat, path, "--per=call", *options))),
                                    ("calls", count_differences(rows, program_rows(stepstat, path, *options)))):
                    number += 1
                    failed += bool(wrong)
                    print("%sok %d - %s %s, %s: %d rows, %d calls, %d delays" % (
                        "not " if wrong else "", number, short, " ".join(options), what, len(rows),
                        sum(len(row[0]) for row in rows.values()), sum(len(row[1]) for row in rows.values())))
                    print("".join(line + "\n" for line in wrong[:10]), end="")
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
