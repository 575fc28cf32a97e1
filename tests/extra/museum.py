#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds bugs of producers in traces with plain Python: a check on stepstat audit and the museum.

museum.py                     the files of tests/data/museum: what is found here and findings.csv
museum.py STEPSTAT            the same, and what STEPSTAT audit finds against findings.csv
museum.py --report STEPSTAT   the issues of a report instead: they are the same findings
museum.py --large STEPSTAT    also the traces of 1 000 000 events, which are made for it
museum.py --show FILE...      what is found in these files
museum.py --real DIR OUT.csv  what is found in the traces below DIR, as a table

The codes, and what their bounds are, are in tests/data/museum/README.md. It takes nothing from
stepstat: JSON is read by Python's reader, and only text that is not JSON is left to stepstat.
"""

import bisect
import collections
import csv
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

US = 1000000  # ps
MS = 1000 * US
SECOND = 1000 * MS
DAY = 86400 * SECOND
RESOLUTION = US  # clocks of two producers agree to this, and old traces have whole us
CAP = 1000000
TAIL = 0.8  # of the device events of the step before: torch_tb_profiler's overall_parser.py
MUSEUM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "museum")

Finding = collections.namedtuple("Finding", "code count row low high unit")

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"}
CALLS = {"cuda_runtime", "cuda_driver", "runtime", "privateuse1_runtime", "privateuse1_driver",
         "xpu_runtime", "xpu_driver"}
HOST = CALLS | {"cpu_op", "operator", "user_annotation"}
# not copies and memsets: one of 0 bytes leaves no event of the device
LAUNCH = re.compile(r"^(cuda|cu|hip)\w*Launch(\w*Kernel|Cooperative)")
REPLAY = re.compile(r"^(cuda|cu|hip)GraphLaunch")
COMM_FIELDS = {"Collective name", "dtype", "In msg nelems", "Out msg nelems", "Group size"}
RECORDS = {"cudaEventRecord", "cudaEventRecord_ptsz", "cudaEventRecordWithFlags",
           "cudaEventRecordWithFlags_ptsz"}


class Event:
    """An event with a duration; times in ps."""

    __slots__ = ("name", "cat", "pid", "tid", "ts", "dur", "args", "end", "is_exact")

    def __init__(self, name, cat, pid, tid, ts, dur, args, is_exact=True):
        self.name, self.cat, self.pid, self.tid = name, cat, pid, tid
        self.ts, self.dur, self.args, self.end = ts, dur, args, ts + dur
        self.is_exact = is_exact

    def arg(self, *names):
        for name in names:
            if name in self.args:
                return self.args[name]
        return None


class Trace:
    def __init__(self, kind, events, others=0, hosts=0):
        self.kind, self.events = kind, events
        self.others, self.hosts = others, hosts  # events in all; those that ORT's limit counts


def ps(value):
    return int((Decimal(value) * US).to_integral_value())


def us_text(value):
    if value is None or value >= 2 ** 63:  # ps beyond 64 bits are no bound in any program
        return ""
    number = Decimal(value) / US
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def read_text(path):
    with (gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")) as f:
        return f.read().decode("utf-8", "replace")


# ---- reading


def run_metadata(text):
    events, device = [], ""
    node = {}
    for line in text.splitlines():
        key, _, value = line.strip().partition(": ")
        value = value.strip('"')
        if key == "device":
            device = value
        elif key in ("node_name", "all_start_micros", "op_end_rel_micros"):
            node[key] = value
        elif line.strip() == "}" and "node_name" in node:
            events.append(Event(node["node_name"], "op", device, 0,
                                int(node["all_start_micros"]) * US,
                                int(node["op_end_rel_micros"]) * US, {}))
            node = {}
    return Trace("run-metadata", events)


def kind_of(data, events):
    cats = {str(e.get("cat", "")) for e in events[:5000]}
    if isinstance(data, list) and any(e.get("cat") == "Session" for e in events[:5]):
        return "onnxruntime"
    if isinstance(data, dict) and "schemaVersion" in data:
        return "kineto"
    if isinstance(data, dict) and "highres-ticks" in (data.get("metadata") or {}):
        return "jax"
    if cats & {"Op"} and any("Compute" in str((e.get("args") or {}).get("name", ""))
                             for e in events if e.get("ph") == "M"):
        return "timeline"
    return "chrome"


def name_of(kind, raw):
    name = str(raw.get("name", ""))
    if kind == "timeline":
        return str((raw.get("args") or {}).get("name", name))
    if kind == "onnxruntime" and name.endswith("_kernel_time"):
        return name[:-len("_kernel_time")]
    return name


def read_trace(path):
    """None where the text is no JSON."""
    text = read_text(path)
    if text.startswith("step_stats {"):
        return run_metadata(text)
    try:
        data = json.loads(text, strict=False, parse_float=str, parse_int=int)
    except ValueError:
        return None
    raws = data if isinstance(data, list) else data.get("traceEvents", [])
    raws = [r for r in raws if isinstance(r, dict)]
    kind = kind_of(data, raws)
    events, begun = [], collections.defaultdict(list)
    hosts = 0
    for raw in raws:
        ph, cat = raw.get("ph"), str(raw.get("cat", "")).lower()
        hosts += cat != "kernel" and ph is not None
        if ph not in ("X", "B", "E"):
            continue
        place = (str(raw.get("pid", "")), str(raw.get("tid", "")))
        if ph == "B":
            begun[place].append(raw)
            continue
        if ph == "E":
            if begun[place]:
                first = begun[place].pop()
                at = ps(first["ts"])
                events.append(Event(name_of(kind, first), str(first.get("cat", "")).lower(), *place,
                                    at, ps(raw["ts"]) - at, first.get("args") or {}))
            continue
        is_exact = "." in str(raw.get("dur", "")) or "." in str(raw.get("ts", ""))
        events.append(Event(name_of(kind, raw), cat, *place, ps(raw.get("ts", 0)),
                            ps(raw.get("dur", 0)), raw.get("args") or {}, is_exact))
    return Trace(kind, events, len(raws), hosts)


# ---- bounds


class Bounds:
    """Totals of rows, and how much lower or higher they can be."""

    def __init__(self, events):
        self.total = collections.Counter()
        self.longest = collections.Counter()
        for e in events:
            self.total[e.name] += max(e.dur, 0)
            self.longest[e.name] = max(self.longest[e.name], e.dur)
        self.low, self.high = collections.Counter(), collections.Counter()

    def lose(self, name, amount):  # as recorded, but perhaps less
        self.low[name] += amount

    def gain(self, name, amount):
        self.high[name] += amount

    def finding(self, code, count):
        names = set(self.low) | set(self.high)
        row = min(names, key=lambda n: (-(self.low[n] + self.high[n]), n))
        total = self.total[row]
        return Finding(code, count, row, us_text(total - self.low[row]),
                       us_text(total + self.high[row]), "us")


def without(events, bad):
    ids = {id(e) for e in bad}
    return [e for e in events if id(e) not in ids]


def steps_of(events):
    """Intervals of the host's ProfilerStep, by number."""
    steps = []
    for e in events:
        found = re.match(r"ProfilerStep#(\d+)$", e.name)
        if found and e.cat in ("user_annotation", "cpu_op", "operator"):
            steps.append((e.ts, e.end, int(found.group(1))))
    return sorted(steps)


def step_at(steps, at):
    for begin, end, number in steps:
        if begin <= at < end:
            return number
    return None


def correlation(e):
    value = e.arg("correlation")
    return None if value is None else int(value)


# ---- rules for times of single events


def zero_times(out, events, devices):
    times = sorted(e.ts for e in events if e.ts > 0)
    far = bool(times) and times[len(times) // 2] > 1000 * SECOND
    exact = any(e.is_exact for e in devices)
    bad = [e for e in devices if e.dur == 0 and (exact or (e.ts == 0 and far))]
    if bad:
        bounds = Bounds(devices)
        for e in bad:
            bounds.gain(e.name, bounds.longest[e.name])
        out.append(bounds.finding("zero-time", len(bad)))
    return bad


def negative_times(out, events):
    bad = [e for e in events if e.dur < 0]
    if bad:
        bounds = Bounds(e for e in events if e.name in {b.name for b in bad})
        for e in bad:
            bounds.gain(e.name, max(bounds.longest[e.name], 0))
        out.append(bounds.finding("negative-time", len(bad)))
    return bad


def taken_out(out, code, events, bad):
    if bad:
        bounds = Bounds(events)
        for e in bad:
            bounds.lose(e.name, max(e.dur, 0))
        out.append(bounds.finding(code, len(bad)))
    return bad


def clock_jumps(out, events):
    times = sorted(e.ts for e in events)
    middle = times[len(times) // 2] if times else 0
    return taken_out(out, "clock-jump", events, [e for e in events if abs(e.ts - middle) > DAY])


def duplicates(out, events):
    seen, bad = set(), []
    for e in events:
        key = (e.name, e.cat, e.pid, e.tid, e.ts, e.dur, correlation(e),
               str(e.arg("External id", "external id")), str(e.arg("Python id")),
               str(e.arg("Ev Idx")))
        if key in seen and e.dur > 0 and (e.is_exact or correlation(e) is not None or
                                          e.dur > 100 * US):
            bad.append(e)
        seen.add(key)
    return taken_out(out, "duplicate-event", events, bad)


# ---- rules for lanes


def overlaps(out, devices):
    bounds, count, bad = Bounds(devices), 0, []
    lanes = collections.defaultdict(list)
    for e in devices:
        lanes[e.pid, e.tid].append(e)
    for lane in lanes.values():
        lane.sort(key=lambda e: e.ts)
        for e, after in zip(lane, lane[1:]):
            same = correlation(e) is not None and correlation(e) == correlation(after)
            if e.end > after.ts + RESOLUTION and not same:  # a graph may run side by side
                bounds.lose(e.name, e.end - after.ts)
                count += 1
                bad.append(e)
    if count:
        out.append(bounds.finding("stream-overlap", count))
    return bad


def nesting(out, events):
    bounds, count = Bounds(events), 0
    crossing, crossings = Bounds(events), 0
    for python in (False, True):
        lanes = collections.defaultdict(list)
        for e in events:
            if e.cat == "python_function" if python else e.cat in HOST:
                lanes[e.pid, e.tid].append(e)
        for lane in lanes.values():
            steps = [e for e in lane if e.name.startswith("ProfilerStep#")]
            lane = without(lane, steps)
            for e in lane:
                step = next((s for s in steps if s.ts <= e.ts < s.end), None)
                if step and e.end > step.end + RESOLUTION:
                    crossing.lose(e.name, e.end - step.end)
                    crossings += 1
            lane.sort(key=lambda e: (e.ts, -e.dur))
            around = []
            for e in lane:
                while around and around[-1].end <= e.ts:
                    around.pop()
                if around and e.end > around[-1].end + RESOLUTION and e.ts > around[-1].ts:
                    bounds.lose(e.name, e.end - around[-1].end)
                    count += 1
                around.append(e)
    if count:
        out.append(bounds.finding("bad-nesting", count))
    if crossings:
        out.append(crossing.finding("step-crossing", crossings))


# ---- rules for links


def links(out, events, devices, steps):
    calls = collections.defaultdict(list)
    for e in events:
        if e.cat in CALLS and correlation(e) is not None:
            calls[correlation(e)].append(e)
    begun = {}
    lead, row, count = 0, None, 0
    for e in sorted(devices, key=lambda e: e.ts):
        call = calls.get(correlation(e))
        if call:
            begun.setdefault((e.pid, e.tid), e.ts)
            early = call[0].ts - e.ts
            if len(call) == 1 and early > RESOLUTION:
                count += 1
                if early > lead:
                    lead, row = early, e.name
    if count:
        out.append(Finding("before-launch", count, row, us_text(lead), "", "us"))
    late_syncs(out, events, devices, calls)
    ran = {correlation(e) for e in devices}
    idle = [e for e in events if e.cat in CALLS and correlation(e) is not None and
            correlation(e) not in ran and (not steps or step_at(steps, e.ts) is not None)]
    lost = [e for e in idle if LAUNCH.match(e.name)]
    replays = [e for e in idle if REPLAY.match(e.name)]
    if (lost or replays) and not devices:
        missing = len(lost) + len(replays)
        out.append(Finding("device-missing", missing, "events of the device", str(missing), "",
                           "events"))
        lost, replays = [], []
    if replays:
        work = collections.Counter()
        for e in devices:
            if any(REPLAY.match(c.name) for c in calls.get(correlation(e), [])):
                work[correlation(e)] += e.dur
        total = sum(e.dur for e in devices)
        high = us_text(total + len(replays) * max(work.values())) if work else ""
        out.append(Finding("replay-lost", len(replays), "all kernels", us_text(total), high, "us"))
    if lost:
        total = sum(e.dur for e in devices)
        high = us_text(total + len(lost) * max(e.dur for e in devices)) if devices else ""
        out.append(Finding("launch-lost", len(lost), "all kernels", us_text(total), high, "us"))
    if steps and any(LAUNCH.match(e.name) for c in calls.values() for e in c):
        first = min(begun.values(), default=None)
        orphans = [e for e in devices if correlation(e) not in calls and
                   (first is None or e.ts >= begun.get((e.pid, e.tid), first))]
        taken_out(out, "kernel-lost", devices, orphans)
    shared = [c for c in calls.values() if len(c) > 1 and
              len({step_at(steps, e.ts) for e in c if LAUNCH.match(e.name)} - {None}) > 1]
    if shared:
        count = sum(len({step_at(steps, e.ts) for e in c}) - 1 for c in shared)
        out.append(Finding("launch-ambiguous", count, "", "", "", ""))
    return calls


def late_syncs(out, events, devices, calls):
    """A device's synchronisation returns when all that was launched before it has ended."""
    waits = sorted((e for e in events if e.cat in CALLS and
                    re.match(r"(cuda|hip)DeviceSynchronize$", e.name)), key=lambda e: e.ts)
    latest, row, count = 0, None, 0
    for e in devices:
        call = calls.get(correlation(e))
        if not call or len(call) > 1:
            continue
        after = next((w for w in waits if w.ts >= call[0].end), None)
        if after and e.end > after.end + RESOLUTION:
            count += 1
            if e.end - after.end > latest:
                latest, row = e.end - after.end, e.name
    if count:
        out.append(Finding("after-sync", count, row, us_text(latest), "", "us"))


def tails(out, devices, calls, steps, events):
    if len(steps) < 2:
        return
    count, time = collections.Counter(), collections.Counter()
    for e in devices:
        call = calls.get(correlation(e))
        number = step_at(steps, call[0].ts if call else e.ts)
        count[number] += 1
        time[number] += e.dur
    if not devices:
        for e in events:
            if e.cat in ("cpu_op", "operator") and not e.name.startswith("ProfilerStep#"):
                count[step_at(steps, e.ts)] += 1
                time[step_at(steps, e.ts)] += e.dur
    cut = [a for a, b in ((steps[0][2], steps[1][2]), (steps[-1][2], steps[-2][2]))
           if count[a] < TAIL * count[b]]
    if cut:
        row = min(cut, key=lambda n: (time[n], n))
        best = max(time[s[2]] for s in steps)
        out.append(Finding("cut-step", len(cut), "step %d" % row, us_text(time[row]), us_text(best),
                           "us"))


# ---- the other rules of PyTorch's _trace_validator.py


def validator(out, events, devices):
    unlinked, future = 0, 0
    records = {}
    for e in events:
        if e.name in RECORDS:
            for key in ("External id", "correlation"):
                if e.arg(key) is not None:
                    records[int(e.arg(key))] = min(e.ts, records.get(int(e.arg(key)), e.ts))
    bounds, syncs, comms, described = Bounds(devices), 0, 0, 0
    names = collections.defaultdict(set)
    for e in events:
        sync = e.arg("cuda_sync_kind")
        ref = e.arg("wait_on_cuda_event_record_corr_id")
        if sync in ("Stream Wait Event", "Event Sync") and (ref is None or int(ref) < 0):
            unlinked += 1
        elif sync == "Stream Wait Event":
            at = records.get(int(ref))
            future += at is None or at > e.ts + RESOLUTION
        if sync == "Stream Sync":
            for k in devices:
                if (k.arg("device"), k.arg("stream")) == (e.arg("device"), e.arg("stream")) and \
                        k.cat == "kernel" and k.ts < e.ts and k.end > e.ts + RESOLUTION:
                    bounds.lose(k.name, k.end - e.ts)
                    syncs += 1
        if e.name == "record_param_comms":
            comms += bool(COMM_FIELDS - set(e.args))
            described += bool(COMM_FIELDS & set(e.args))
        if "autograd::engine::evaluate_function:" in e.name and e.arg("Sequence number"):
            names[e.arg("Fwd thread id"), e.arg("Sequence number")].add(e.name)
    if unlinked:
        out.append(Finding("wait-unlinked", unlinked, "", "", "", ""))
    if future:
        out.append(Finding("wait-future", future, "", "", "", ""))
    if syncs:
        out.append(bounds.finding("sync-overlap", syncs))
    if comms and described:  # PyTorch of 2023 and before has none of them
        out.append(Finding("comm-metadata", comms, "", "", "", ""))
    shared = sum(len(n) > 1 for n in names.values())
    if shared:
        out.append(Finding("backward-shared", shared, "", "", "", ""))


# ---- a file


def kineto(out, trace):
    events = [e for e in trace.events if e.cat in HOST or e.cat in DEVICE or
              e.cat in ("cuda_sync", "python_function")]
    devices = [e for e in events if e.cat in DEVICE]
    steps = steps_of(events)
    spans = [e for e in trace.events if e.cat == "trace"]
    bad = zero_times(out, events, devices)
    kernels = {correlation(e) for e in bad}
    events = without(events, bad)
    events = without(events, negative_times(out, events))
    huge = [e for e in events if e.dur > 7 * DAY]
    good = without(events, huge)
    events_all = events
    events = without(good, clock_jumps(out, good))
    devices = [e for e in events if e.cat in DEVICE]
    events = without(events, duplicates(out, events))
    devices = [e for e in events if e.cat in DEVICE]
    cut = overlaps(out, devices)
    there = {correlation(e) for e in huge if e.cat in DEVICE}  # for links; their times are not true
    if spans:
        end = max(e.end for e in spans)
        huge += [e for e in without(events, cut) if e.end > end + SECOND]
    taken_out(out, "long-event", events_all, huge)
    nesting(out, without(events, huge))
    events = [e for e in events if not (e.cat in CALLS and correlation(e) in kernels | there)]
    calls = links(out, events, devices, steps)
    if not bad:
        tails(out, devices, calls, steps, events)
    validator(out, events, devices)


def onnxruntime(out, trace):
    events = [e for e in trace.events if e.cat in ("node", "kernel")]
    runs = [e for e in trace.events if e.name == "model_run"]
    events = without(events, negative_times(out, events))
    kernels = [e for e in events if e.cat == "kernel"]
    runs.sort(key=lambda e: e.ts)
    begun = [r.ts for r in runs]
    outside = []
    for e in kernels:  # runs of one session follow each other
        at = bisect.bisect_right(begun, e.ts)
        if at == 0 or e.ts >= runs[at - 1].end:
            outside.append(e)
    if outside and len(outside) == len(kernels):
        taken_out(out, "device-clock", events, outside)
    if trace.hosts >= CAP:
        out.append(Finding("producer-cap", 1, "steps", str(len(runs)), "", "steps"))


def of_ranks(out, traces):
    """Steps of one number of two ranks of a job have a moment in common."""
    steps = {}
    for path in traces:
        data = json.loads(read_text(path), parse_float=Decimal)
        own = data["distributedInfo"]
        assert own["world_size"] == len(traces)
        base = data["baseTimeNanoseconds"] * 1000
        steps[own["rank"]] = {e["name"]: (base + ps(e["ts"]), base + ps(e["ts"]) + ps(e["dur"]))
                              for e in data["traceEvents"]
                              if e["ph"] == "X" and e["name"].startswith("ProfilerStep#")}
    order = sorted(steps, key=lambda r: min(steps[r].values()))
    middle = steps[order[len(order) // 2]]
    together = lambda a, b: (min(a.values())[0] <= max(b.values())[1] and
                             min(b.values())[0] <= max(a.values())[1])
    if all(together(middle, of) for of in steps.values()):
        code = "rank-clock"
    else:
        code, middle = "rank-times", steps[order[0]]
    apart = {}
    for rank, of in steps.items():
        low = max(middle[n][0] - of[n][1] for n in middle)
        high = min(middle[n][1] - of[n][0] for n in middle)
        if max(low, -high) > RESOLUTION:
            apart[rank] = max(low, -high)
    if apart:
        rank = max(apart, key=apart.get)
        out.append(Finding(code, len(apart), "rank %d" % rank, us_text(apart[rank]), "", "us"))


def find(path):
    """The findings of a file, sorted; None where it is no JSON. A folder has the ranks of a job."""
    if os.path.isdir(path):
        names = sorted(os.path.join(path, name) for name in os.listdir(path))
        out = [finding for name in names for finding in find(name)]
        of_ranks(out, names)
        return sorted(out)
    trace = read_trace(path)
    if trace is None:
        return None
    out = []
    if trace.kind == "kineto":
        kineto(out, trace)
    elif trace.kind == "onnxruntime":
        onnxruntime(out, trace)
    else:
        events = without(trace.events, negative_times(out, trace.events))
        if trace.kind in ("timeline", "run-metadata"):
            clock_jumps(out, events)
        else:
            duplicates(out, events)
        if trace.kind == "jax" and len(trace.events) >= CAP:
            steps = sum(e.name == "train" for e in trace.events)
            out.append(Finding("producer-cap", 1, "steps", str(steps), "", "steps"))
    return sorted(out)


# ---- comparison


def expected(folder):
    table = collections.defaultdict(list)
    with open(os.path.join(folder, "findings.csv"), newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            table[row["file"]].append(row)
    return table


def ours(folder, table, files):
    """Differences between findings.csv and the plain reading. Codes of text that is no JSON, and
    of issues that every report has, are for stepstat only: they have no row and no bounds."""
    wrong = []
    for name in files:
        found = find(os.path.join(folder, name))
        if found is None:
            continue
        want = {(r["code"], int(r["count"]), r["row"], r["low"], r["high"], r["unit"])
                for r in table[name] if r["by"] in ("rule", "reading") and r["code"] != "clean"}
        found = [f for f in found if f.code != "launch-ambiguous"]  # an issue of every report
        for miss in sorted(want - set(map(tuple, found))):
            wrong.append("%s: not found by the plain reading: %s" % (name, miss))
        for more in sorted(set(map(tuple, found)) - want):
            wrong.append("%s: found, not in findings.csv: %s" % (name, more))
    return wrong


def changed(files):
    """Files that make.py no longer writes as they are."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(MUSEUM, "make.py"), folder], check=True)
        wrong = []
        for name in sorted(set(files) | set(os.listdir(folder))):
            texts = []
            for where in (MUSEUM, folder):
                path = os.path.join(where, name)
                texts.append(None)
                if os.path.isdir(path):
                    texts[-1] = [(n, read_text(os.path.join(path, n)))
                                 for n in sorted(os.listdir(path))]
                elif os.path.exists(path):
                    with open(path, "rb") as f:
                        texts[-1] = f.read()
            if texts[0] != texts[1]:
                wrong.append("%s: not what make.py writes" % name)
        return wrong


def audit(command, path):
    run = subprocess.run([*command, "--to=json", path], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        raise RuntimeError("%s: exit %d: %s" % (path, run.returncode, run.stderr.strip()[:300]))
    return run.returncode, json.loads(run.stdout)


def findings_in(data):
    """Every object with a code and a count, wherever the JSON has it."""
    if isinstance(data, dict):
        if "code" in data and "count" in data:
            yield data
        for value in data.values():
            yield from findings_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from findings_in(value)


def theirs(command, folder, table, files):
    wrong, rules = [], {r["code"] for rows in table.values() for r in rows if r["by"] == "rule"}
    for name in files:
        try:
            status, data = audit(command, os.path.join(folder, name))
        except (RuntimeError, ValueError) as error:
            wrong.append("%s: %s" % (name, error))
            continue
        found = {f["code"]: f for f in findings_in(data)}
        want = {r["code"]: r for r in table[name]
                if r["code"] != "clean" and r["by"] != "reading"}
        for code, row in sorted(want.items()):
            if code not in found:
                wrong.append("%s: %s not found by audit (has: %s)"
                             % (name, code, " ".join(sorted(found)) or "nothing"))
            elif row["count"] and int(found[code]["count"]) != int(row["count"]):
                wrong.append("%s: %s: audit counts %s, expected %s"
                             % (name, code, found[code]["count"], row["count"]))
            elif row["by"] == "rule":
                wrong += bounds_differ(name, row, found[code])
        for code in sorted(set(found) & rules - set(want)):
            wrong.append("%s: audit finds %s (%s), not expected"
                         % (name, code, found[code]["count"]))
        lies = want and any(r["by"] == "rule" for r in table[name])
        if status == 0 and command[-1] == "audit" and lies:
            wrong.append("%s: exit status 0 with findings" % name)
    return wrong


def bounds_differ(name, row, found):
    """The JSON of audit has the bounds in `effect`, times in ps, null where they are not known."""
    effect = found.get("effect") or {}
    have = {"row": effect.get("row") or ""}
    for key in ("low", "high"):
        value = effect.get(key)
        in_ps = effect.get("unit") == "ps"
        have[key] = "" if value is None else us_text(value) if in_ps else str(value)
    return ["%s: %s: %s is %s by audit, expected %s %s"
            % (name, row["code"], key, have[key] or "not known", row[key] or "not known",
               row["unit"])
            for key in ("row", "low", "high") if have[key] != row[key]]


def real(folder, path):
    """What is found in the traces below a folder; other JSON is passed over."""
    names = []
    for pattern in ("**/*.json", "**/*.json.gz"):
        names += glob.glob(os.path.join(folder, pattern), recursive=True)
    with open(path, "w", newline="", encoding="utf-8") as f:
        table = csv.writer(f, lineterminator="\n")
        table.writerow(("file", "code", "count", "row", "low", "high", "unit"))
        for name in sorted(names):
            short = os.path.relpath(name, folder)
            if "expected" in short or re.match(r"tensorrt|xplane", short):
                continue
            try:
                found = find(name)
            except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
                print("%s: %s" % (short, error), file=sys.stderr)
                continue
            for finding in found or []:
                table.writerow((short, *finding))
            if found == []:
                table.writerow((short, "clean", 0, "", "", "", ""))


def main():
    args = sys.argv[1:]
    if args and args[0] == "--show":
        for name in args[1:]:
            for finding in find(name) or []:
                print(name, *finding, sep=",")
        return 0
    if args and args[0] == "--real":
        real(args[1], args[2])
        return 0
    large, report = "--large" in args, "--report" in args
    programs = [a for a in args if not a.startswith("--")]
    command = [programs[0], "report" if report else "audit"] if programs else None
    table = expected(MUSEUM)
    files = sorted(n for n in os.listdir(MUSEUM) if re.match(r"\d\d-", n))
    checked = len(files)
    wrong = ["%s: not in findings.csv" % n for n in files if n not in table]
    wrong += changed(files)
    wrong += ours(MUSEUM, table, files)
    if command:
        wrong += theirs(command, MUSEUM, table, files)
    if large:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, os.path.join(MUSEUM, "make.py"), "--large", folder],
                           check=True)
            files = sorted(os.listdir(folder))
            checked += len(files)
            wrong += ours(folder, table, files)
            if command:
                wrong += theirs(command, folder, table, files)
    for line in wrong:
        print(line)
    print("museum: %d files, %d differences" % (checked, len(wrong)))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
