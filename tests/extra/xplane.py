#!/usr/bin/env python3
"""XPlane files against other readings of them: every event against a plain decoder (below), sums by plane, line and name against
tables of TensorFlow's protobuf classes (X.expected_names_ours.csv), and tables of xprof.

usage: xplane.py STEPSTAT FOLDER

FOLDER/profiles has the files and what other programs say of them; without it nothing is compared, and that is said. What make
check compares already (xprof's hlo_stats, framework_op_stats of TensorFlow on a CPU, times of steps, sums by step) is not done
again. TAP on standard output. Differences that are meant are listed in KNOWN, with their number: another number fails, too.
"""
import collections
import csv
import decimal
import gzip
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

# (file, table) -> how many of its values differ, and why.
KNOWN = {
    ("jax08_gemm", "framework_op_stats, device, counts"):
        (2, "xprof counts kernels of one op of XLA that follow each other as one, in whatever programs"),
    ("tpu_inference_2.older", "framework_op_stats, device, counts"):
        (1, "xprof counts ops of XLA of one op of the framework that follow each other as one"),
}


# ---- the file ----

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if size is None:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Event:
    """One event: meta is (name, display name, stats), stats the first of each name."""
    __slots__ = ("plane", "line", "meta", "stats", "start", "dur", "end")


def stat_of(data, names):
    key = value = None
    for number, field in fields(data):
        if number == 1:
            key = names.get(field)
        elif number == 2:
            value = struct.unpack("<d", field)[0]
        elif number == 4:
            value = signed(field)
        elif number == 5:
            value = field.decode("utf-8", "replace")
        elif number == 7:
            value = names.get(field)
        elif number == 8:
            value = gzip.decompress(field).decode()
        else:
            value = field
    return key, value


def first_stats(items):
    stats = {}
    for key, value in items:
        stats.setdefault(key, value)
    return stats


def meta_of(data, names):
    name = display = ""
    stats = []
    for number, field in fields(data):
        if number == 2:
            name = field.decode("utf-8", "replace")
        elif number == 4:
            display = field.decode("utf-8", "replace")
        elif number == 5:
            stats.append(stat_of(field, names))
    return name, display, first_stats(stats)


def entries(plane, number):
    for key, field in plane:
        if key == number:
            entry = dict(fields(field))
            yield entry.get(1, 0), entry.get(2, b"")


def read(path):
    """All events of the file, in the order of the file."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    for number, field in fields(data):
        if number != 1:
            continue
        plane = list(fields(field))
        name = dict((k, v) for k, v in plane if k == 2).get(2, b"").decode()
        if name == "/host:metadata":
            continue
        names = {key: dict(fields(entry)).get(2, b"").decode() for key, entry in entries(plane, 5)}
        metas = {key: meta_of(entry, names) for key, entry in entries(plane, 4)}
        for key, field in plane:
            if key == 3:
                yield from line_of(name, list(fields(field)), names, metas)


def line_of(plane, line, names, metas):
    texts = {key: value for key, value in line if key in (2, 3, 11)}
    label = (texts.get(11) or texts.get(2, b"")).decode()
    zero = texts.get(3, 0) * 1000
    for key, field in line:
        if key != 4:
            continue
        event, stats = Event(), []
        event.plane, event.line, event.start, event.dur = plane, label, zero, 0
        for number, value in fields(field):
            if number == 1:
                event.meta = metas[value]
            elif number == 2:
                event.start = zero + signed(value)
            elif number == 3:
                event.dur = signed(value)
            elif number == 4:
                stats.append(stat_of(value, names))
        event.end = event.start + event.dur
        event.stats = first_stats(stats)
        yield event


def is_device(event):
    return event.plane.startswith("/device:")


def is_listed(event):
    """Is it an op of the report?"""
    name = event.meta[0]
    if is_device(event):
        return event.line == "XLA Ops" if "TPU" in event.plane else event.line.startswith("Stream #")
    if name.startswith(("$", "end: ")) or name in ("MemoryAllocation", "MemoryDeallocation") or "step_num" in event.stats:
        return False
    return event.dur > 0 or "hlo_op" in event.stats and "correlation_id" not in event.stats


def name_of(event):
    name, display, stats = event.meta
    if not is_device(event):
        return name
    op = event.stats.get("hlo_op") or stats.get("hlo_op")
    return op.split("::")[-1] if op else display or name


def dur_of(event):
    """As the report has it: an op of a TPU that the file cuts, where recording pauses, lasts as long as by the device's clock."""
    return max(event.dur, event.stats.get("device_duration_ps", 0)) if is_device(event) else event.dur


# ---- the comparison ----

class Comparison:
    def __init__(self):
        self.cases = self.failed = self.values = self.different = 0

    def table(self, file, what, pairs):
        """pairs: (key, found, expected), compared for equality."""
        wrong = [p for p in pairs if p[1] != p[2]]
        known, why = KNOWN.get((file, what), (0, ""))
        good = len(pairs) > 0 and len(wrong) == known
        self.cases += 1
        self.failed += not good
        self.values += len(pairs)
        self.different += len(wrong)
        note = f", {known} known to differ: {why}" if known else ""
        print("ok" if good else "not ok", self.cases, "-", file, f"{what}: {len(pairs)} values, {len(wrong)} differ{note}")
        if not good:
            for key, found, expected in wrong[:8]:
                print("#", key, "found", found, "expected", expected)


def picoseconds(text):
    return int(decimal.Decimal(text) * 1000000)


def events_of(stepstat, path, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "events.csv")
        subprocess.run([stepstat, "events", path, *options, "-o", out], check=True, stderr=subprocess.DEVNULL)
        with open(out, newline="") as table:
            return list(csv.DictReader(table))


def counted(pairs):
    sums = collections.defaultdict(lambda: [0, 0, None, 0])
    for key, dur in pairs:
        row = sums[key]
        row[0] += 1
        row[1] += dur
        row[2] = dur if row[2] is None else min(row[2], dur)
        row[3] = max(row[3], dur)
    return sums


def key_of(event):
    return event.plane, event.line, event.start, dur_of(event), name_of(event)


def key_of_row(row):
    return row["process"], row["lane"], picoseconds(row["start_us"]), picoseconds(row["dur_us"]), row["op"].removesuffix(" (host)")


def table_pairs(found, expected, columns):
    """Two tables key -> values, as (key, column) pairs of both; a row of the expected ones may have less columns."""
    keys = sorted(set(found) | set(expected), key=str)
    return [((key, column), found[key][i] if key in found else None, expected[key][i] if key in expected else None)
            for key in keys for i, column in enumerate(columns) if i < len(expected.get(key, columns))]


def compare_events(check, file, listed, rows):
    """Each event of the report is one of the file, with its start and duration, and the other way round."""
    found, expected = collections.Counter(map(key_of_row, rows)), collections.Counter(map(key_of, listed))
    check.table(file, "events", [(k, found[k], expected[k]) for k in sorted(set(found) | set(expected))])


def compare_names(check, file, folder, listed, rows):
    """Sums of the report by plane, line, name, op of XLA and program."""
    path = next((p for p in (f"{folder}/expected/{file}.expected_names_ours.csv", f"{folder}/expected/{file}.expected_names_ours.csv.gz")
                 if os.path.exists(p)), None)
    if not path:
        return
    of = {key_of(e): e for e in listed}
    pairs, own = [], collections.Counter()
    for r in rows:
        e = of.get(key_of_row(r))
        if e:
            key = e.plane, e.line, e.meta[0], e.stats.get("hlo_op", ""), str(e.stats.get("program_id", ""))
            pairs.append((key, picoseconds(r["dur_us"])))
            own[key] += picoseconds(r["self_us"])
    found = counted(pairs)
    expected, clock, short = {}, collections.Counter(), 0
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", newline="") as table:
        for r in csv.DictReader(table):
            key = r["plane"], r["line"], r["name"], r["hlo_op"], r["program_id"]
            event = Event()
            event.plane, event.line, event.meta, event.stats = r["plane"], r["line"], (r["name"], r["display_name"], {}), {}
            event.dur = int(r["max_ps"])
            if not is_listed(event):
                continue
            values = [int(r["count"]), int(r["total_ps"]), int(r["min_ps"]), int(r["max_ps"])]
            old = expected.get(key)
            if old and len(old) > 1:  # two lines of one name
                values = [old[0] + values[0], old[1] + values[1], min(old[2], values[2]), max(old[3], values[3])]
            expected[key] = values
            if r["device_ps"]:
                clock[key] += int(r["device_ps"])
                expected[key] = values[:1]
    # Points in time of the host are no ops: count and least of such a name are of those that take time.
    for key, values in expected.items():
        if key in found and not key[0].startswith("/device:") and values[2] == 0:
            short += 1
            values[0], values[2] = found[key][0], found[key][2]
    check.table(file, "names" + (f" ({short} have points in time)" if short else ""),
                table_pairs(found, expected, ("count", "total", "least", "greatest")))
    if clock:  # ops of a TPU: own times are those of its clock
        check.table(file, "names, device_duration_ps", [(key, own[key], value) for key, value in clock.items()])


def xprof(folder, file, tool):
    for path in (f"{folder}/expected/{file}.expected_xprof_{tool}.json", f"{folder}/expected/{file}.expected_xprof_{tool}.json.gz"):
        if os.path.exists(path):
            with (gzip.open if path.endswith(".gz") else open)(path, "rt") as text:
                return json.load(text)
    return None


def rows_of(table):
    ids = [c["id"] for c in table["cols"]]
    return [dict(zip(ids, (c.get("v") for c in r["c"]))) for r in table["rows"]]


def ps(us):
    return round(us * 1000000)


def compare_kernels(check, file, folder, listed, rows):
    """kernel_stats: count, sum, least and greatest of each kernel by its name; xprof prints whole ns."""
    table = xprof(folder, file, "kernel_stats")
    if not table or not table["rows"]:
        return
    of = {key_of(e): e.meta[0] for e in listed if "kernel_details" in e.stats}
    pairs = []
    for r in rows:
        kernel = of.get(key_of_row(r))
        if kernel and r["process"].startswith("/device:"):
            pairs.append((kernel, picoseconds(r["dur_us"])))
    expected = {}
    for r in rows_of(table):
        new = [int(r["occurrences"]), ps(r["total_duration_us"]), ps(r["min_duration_us"]), ps(r["max_duration_us"])]
        old = expected.get(r["kernel_name"])
        expected[r["kernel_name"]] = [old[0] + new[0], old[1] + new[1], min(old[2], new[2]), max(old[3], new[3])] if old else new
    check.table(file, "kernel_stats", table_pairs(counted(pairs), expected, ("count", "total", "least", "greatest")))


def framework_op(event):
    """The op of the framework that an event is of, as xprof names it; None: none."""
    stats = {**event.meta[2], **event.stats}
    if not is_device(event):
        return "XlaModule:XlaModule" if stats.get("tf_op") == "XlaModule:" else event.meta[0]
    if stats.get("name"):
        return stats["name"]
    op = stats.get("tf_op", "").split(":")[0]
    return op if op and op != "XlaModule" else name_of(event) if "hlo_op" in stats or "TPU" in event.plane else None


def nested_less(rows):
    """Own times of these rows among themselves: a row's time without the rows that are in it on its thread."""
    own = [picoseconds(r["dur_us"]) for r in rows]
    order = sorted(range(len(rows)), key=lambda i: (rows[i]["process"], rows[i]["lane"], picoseconds(rows[i]["start_us"]), -own[i]))
    ends = {i: picoseconds(rows[i]["start_us"]) + own[i] for i in order}
    stack = []
    for i in order:
        where = rows[i]["process"], rows[i]["lane"]
        while stack and ((rows[stack[-1]]["process"], rows[stack[-1]]["lane"]) != where or ends[stack[-1]] < ends[i]
                         or ends[stack[-1]] <= picoseconds(rows[i]["start_us"])):
            stack.pop()
        if stack:
            own[stack[-1]] -= picoseconds(rows[i]["dur_us"])
        stack.append(i)
    return own


def compare_framework(check, file, folder, listed, others, rows):
    """framework_op_stats: own time and count of the framework's ops, on hosts total time, too. Own times of a host are those among
    these ops: xprof passes over what the runtime does in them."""
    expected = {"Device": {}, "Host": {}}
    for r in rows_of(xprof(folder, file, "framework_op_stats")[0]):
        if r["type"] != "IDLE":
            key = r["operation"] if r["host_or_device"] == "Device" or r["type"] == "Dataset" else r["operation"] + ":" + r["type"]
            expected[r["host_or_device"]][key] = [int(r["occurrences"]), ps(r["total_self_time"]), ps(r["total_time"])]
    found = {"Device": collections.defaultdict(lambda: [0, 0]), "Host": collections.defaultdict(lambda: [0, 0, 0])}
    of, kept = {key_of(e): e for e in listed}, []
    for r in rows:
        event = of.get(key_of_row(r))
        op = event and framework_op(event)
        if op and is_device(event):
            found["Device"][op][0] += 1
            found["Device"][op][1] += picoseconds(r["self_us"])
        elif op in expected["Host"]:
            kept.append((op, r))
    for (op, r), own in zip(kept, nested_less([r for _, r in kept])):
        row = found["Host"][op]
        row[0] += 1
        row[1] += own
        row[2] += picoseconds(r["dur_us"])
    names = {op.rsplit(":", 1)[0]: op for op in expected["Host"]}
    for event in others:  # xprof takes what is allocated for an op for a call of it
        op = names.get(event.stats.get("tf_op"))
        if event.meta[0] == "MemoryAllocation" and op:
            found["Host"][op][0] += 1
    for side, columns in (("Device", ("count", "own")), ("Host", ("count", "own", "total"))):
        if expected[side]:
            pairs = table_pairs(found[side], expected[side], columns)
            check.table(file, f"framework_op_stats, {side.lower()}, times", [p for p in pairs if p[0][1] != "count"])
            check.table(file, f"framework_op_stats, {side.lower()}, counts", [p for p in pairs if p[0][1] == "count"])


def compare_profile(check, file, folder, listed, rows):
    """op_profile: the ops of each category of each program; its times are own times."""
    expected = collections.defaultdict(lambda: [0, 0])
    for program in (xprof(folder, file, "op_profile") or {}).get("byProgram", {}).get("children") or []:
        number = re.search(r"\((\d+)\)$", program["name"])
        for category in program.get("children") or []:
            ops = category.get("children") or [category]
            for op in [o for op in ops for o in (op["children"] if "duplicate(s)" in op["name"] else [op])]:
                row = expected[number.group(1) if number else program["name"], op["name"]]
                row[0] += int(op["metrics"]["occurrences"])
                row[1] += round(op["metrics"]["rawTime"])
    if not expected:
        return
    of = {key_of(e): {**e.meta[2], **e.stats}.get("program_id") for e in listed if is_device(e)}
    found = collections.defaultdict(lambda: [0, 0])
    for r in rows:
        program = of.get(key_of_row(r))
        if program is not None:
            found[str(program), r["op"]][0] += 1
            found[str(program), r["op"]][1] += picoseconds(r["self_us"])
    check.table(file, "op_profile", table_pairs(found, expected, ("count", "own")))


def steps_of(stepstat, path, *options):
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "steps.csv")
        subprocess.run([stepstat, "report", path, "--table=steps", *options, "-o", out, "--quiet"], check=True, stderr=subprocess.DEVNULL)
        with open(out, newline="") as table:
            return {r["step"]: r for r in csv.DictReader(table)}


def compare_steps(check, file, folder, stepstat, path):
    """overview_page and input_pipeline_analyzer: how long each step takes."""
    steps = {step: picoseconds(r["step_time_us"] or 0) for step, r in steps_of(stepstat, path).items()}
    for tool in ("overview_page", "input_pipeline_analyzer"):
        expected = {}
        for table in xprof(folder, file, tool) or []:
            if table.get("cols") and table["cols"][-1]["id"] == "stepTimeMs":
                expected.update({r["stepnum"].split()[-1]: ps(r["stepTimeMs"] * 1000) for r in rows_of(table)})
        if expected:
            check.table(file, tool, [(k, steps.get(k), v) for k, v in expected.items()])


def merged(events):
    """Where some of these events run, as stretches; those of a TPU by its own clock."""
    stretches = []
    for event in sorted(events, key=lambda e: e.start):
        if stretches and event.start <= stretches[-1][1]:
            stretches[-1][1] = max(stretches[-1][1], event.start + dur_of(event))
        else:
            stretches.append([event.start, event.start + dur_of(event)])
    return stretches


def compare_idle(check, file, listed, others, stepstat, path):
    """GPUs: how long they did something in the step, and why they did not: the next kernel was launched after the gap began, a gap of
    at most 2 us, or it waited. The windows are the events of the line Steps, else all of the file."""
    launches = {}
    for event in sorted((e for e in listed if not is_device(e)), key=lambda e: e.start):
        launches.setdefault(event.stats.get("correlation_id"), event.start)
    row = steps_of(stepstat, path)
    if len(row) != 1:
        return
    row, pairs = list(row.values())[0], []
    for plane in sorted({e.plane for e in listed if is_device(e)}):
        device = plane.removeprefix("/device:").lower()
        events = sorted((e for e in listed if e.plane == plane), key=lambda e: e.start)
        own = [e for e in others if e.plane == plane and e.line == "Steps"]
        if not own and any(e.line == "Steps" for e in others):
            continue
        start = own[0].start if own else min(e.start for e in listed)
        end = own[0].end if own else max(e.end for e in listed)
        inside = lambda a, b: max(0, min(b, end) - max(a, start))
        busy = merged(events)
        short = waited = 0
        for (_, gap), (stop, _) in zip(busy, busy[1:]):
            after = min((e for e in events if e.start == stop), key=lambda e: launches.get(e.stats["correlation_id"], 0))
            launch = launches.get(after.stats["correlation_id"])
            if launch is not None and launch >= gap:
                continue
            if stop - gap <= 2000000:
                short += inside(gap, stop)
            elif launch is not None:
                waited += inside(gap, stop)
        work = sum(inside(a, b) for a, b in busy)
        expected = {"window": end - start, "busy": work, "idle": end - start - work, "idle_short_gaps": short,
                    "idle_waiting": waited, "idle_host_late": end - start - work - short - waited}
        pairs += [((device, k), picoseconds(row[f"{device}_{k}_us"] or 0), v) for k, v in expected.items()]
    check.table(file, "parts of devices", pairs)


def compare_groups(check, file, stepstat, path, marker):
    """With the runs of functions as steps: what TensorFlow itself has put into the group of the first of them (group_id 0) is in its
    step, wherever its threads work, and no other work of a device is in any."""
    events = {key_of(e): e.stats.get("group_id") for e in read(path) if is_listed(e) and is_device(e)}
    rows = [r for r in events_of(stepstat, path, "--step-marker=" + marker) if r["process"].startswith("/device:")]
    check.table(file, "group_id", [(key_of_row(r), r["step"], "0" if events[key_of_row(r)] == 0 else "") for r in rows])


def compare_launchers(check, file, listed, stepstat, path):
    """--by=launcher: calls and time of the kernels that each op of TensorFlow launched, as the driver has noted it on the kernels
    themselves (annotation); copies that no op launched are in the row of none."""
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "launchers.csv")
        subprocess.run([stepstat, "export", path, "--by=launcher", "--window=0:", "--measures=accelerator,occurrence", "--shape=wide",
                        "-o", out], check=True, stderr=subprocess.DEVNULL)
        with open(out, newline="") as table:
            rows = list(csv.DictReader(table))
    found = {r["op"]: [int(r["occurrence"]), picoseconds(r["accelerator_us"])] for r in rows if r["accelerator_us"]}
    expected = collections.defaultdict(lambda: [0, 0])
    for e in listed:
        if is_device(e):
            op = e.stats.get("annotation", "").split("#")[0].split("::")[-1]
            row = expected[op if re.search(r":[A-Z_][A-Za-z0-9_]*$", op) else "[not attributed]"]
            row[0] += 1
            row[1] += e.dur
    # Of some copies the driver notes an op that is not in the file.
    ops = {e.meta[0] for e in listed if not is_device(e)}
    for op in [op for op in expected if op != "[not attributed]" and op not in ops]:
        for i, value in enumerate(expected.pop(op)):
            expected["[not attributed]"][i] += value
    check.table(file, "launchers", table_pairs(found, expected, ("calls", "time")))


def compare_executions(check, file, listed, others, stepstat, path, marker, program):
    """With the calls of a program on the host as steps: what each device does in its k-th execution of the program is in the step of
    the k-th call, however late it does it."""
    runs = {}
    for e in sorted(others, key=lambda e: e.start):
        if e.line == "XLA Modules" and e.meta[0].startswith(program):
            runs.setdefault(e.plane, []).append((e.start, e.end))
    rows, pairs = events_of(stepstat, path, "--step-marker=" + marker), []
    for r in rows:
        start = picoseconds(r["start_us"])
        for k, (a, b) in enumerate(runs.get(r["process"], ())):
            if a <= start < b:
                pairs.append((key_of_row(r), r["step"], str(k)))
    check.table(file, "executions", pairs)
    # By time each device is busy in the window of a call, which ends where the next one begins.
    calls = []
    for e in sorted((e for e in listed if re.search(marker, e.meta[0])), key=lambda e: (e.start, -e.dur)):
        if not calls or e.start >= calls[-1].end:
            calls.append(e)
    steps, pairs = steps_of(stepstat, path, "--step-marker=" + marker), []
    for plane in runs:
        device = plane.removeprefix("/device:").lower()
        busy = merged([e for e in listed if e.plane == plane])
        for k, (call, after) in enumerate(zip(calls, calls[1:])):
            work = sum(max(0, min(b, after.start) - max(a, call.start)) for a, b in busy)
            for part, value in (("window", after.start - call.start), ("busy", work)):
                pairs.append(((device, k, part), picoseconds(steps[str(k)][f"{device}_{part}_us"]), value))
    check.table(file, "windows of calls", pairs)


def main(stepstat, shared):
    folder = os.path.join(shared, "profiles")
    if not os.path.isdir(folder):
        print(f"1..0 # SKIP {folder} is not there: XPlane files are not compared with xprof")
        return False
    real = os.path.join(folder, "xplane")
    files = {"jax08_gemm": "AMD-AGI__TraceLens/tests/traces/mi300/jax08_gemm/tw003.xplane.pb",
             "jax_conv_minimal_08": "AMD-AGI__TraceLens/tests/traces/mi300/jax_conv_minimal_08/tw003.xplane.pb",
             "jax_conv_minimal_legacy":
                 "AMD-AGI__TraceLens/tests/traces/mi300/jax_conv_minimal_legacy/chi-mi300x-013.ord.vultr.cpe.ice.amd.com.xplane.pb",
             "GPU-multi-worker": "openxla__xprof/demo/plugins/profile/GPU-multi-worker/34.83.195.179_6003.xplane.pb",
             "tpu_inference_2.older": "openxla__xprof/xprof/convert/test_xplanes/tpu_inference_2.older.xplane.pb"}
    files = {name: os.path.join(real, path) for name, path in files.items()}
    for kind in ("jax", "tf2"):
        made = os.path.join(folder, "made", kind)
        for name in sorted(os.listdir(made)):
            if name.endswith(".xplane.pb"):
                files[kind + "-" + name.removesuffix(".xplane.pb")] = os.path.join(made, name)
    check = Comparison()
    for file, path in files.items():
        listed, others = [], []
        for event in read(path):
            (listed if is_listed(event) else others).append(event)
        rows = events_of(stepstat, path)
        compare_events(check, file, listed, rows)
        compare_names(check, file, folder, listed, rows)
        compare_kernels(check, file, folder, listed, rows)
        if "tpu" in file:
            compare_executions(check, file, listed, others, stepstat, path, r"^PjitFunction\(f\)$", "jit_f(")
        if any(e.plane.startswith("/device:GPU") for e in listed):
            compare_idle(check, file, listed, others, stepstat, path)
        if xprof(folder, file, "framework_op_stats"):
            compare_framework(check, file, folder, listed, others, rows)
            compare_profile(check, file, folder, listed, rows)
            compare_steps(check, file, folder, stepstat, path)
    path = files["GPU-multi-worker"]
    compare_launchers(check, "GPU-multi-worker", [e for e in read(path) if is_listed(e)], stepstat, path)
    compare_groups(check, "GPU-multi-worker", stepstat, files["GPU-multi-worker"], "^FunctionRun$")
    print(f"# {check.values} values compared, {check.different} differ")
    print(f"1..{check.cases}")
    return check.failed > 0


sys.exit(main(sys.argv[1], sys.argv[2]))
