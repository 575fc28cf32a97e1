#!/usr/bin/env python3
"""Perfetto traces, read and written, against the protobuf classes of PyPI's package `perfetto`.

usage: pftrace.py STEPSTAT FOLDER...   (a Python that has the package)

Of every trace of PyTorch (*.json, *.json.gz) in the folders:
  - made a .pftrace in each layout of pftrace_of.py, its report (text of all rows, CSV of all rows) is that of
    the JSON. PyTorch's own layout (cuspy) has neither instants nor all categories of old writers: only files
    with kernels, or without memory, in the words of 2022 and later, are compared, and of these the numbers.
  - `timeline merge FILE -o x.pftrace` has the same slices (process, thread, category, name, start, duration,
    args), instants and arrows, as this program finds them by pairing the events of each track by time, which
    is what Perfetto's own trace_processor does; and its report is that of the JSON.
Perfetto's trace_processor counts the slices, too, where the package has it; it wants to be downloaded.
"""
import collections
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
OVERLAP = "slices that overlap those of the thread"

try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
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


def ns(value):
    return int((Decimal(str(value)) * 1000).to_integral_value(rounding="ROUND_HALF_UP"))


def plain(value):
    """A JSON value in the form in which two of them are compared."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, (int, str)):
        return value
    if isinstance(value, (float, Decimal)):
        return float(value)
    if isinstance(value, dict):
        return tuple(sorted((k, plain(v)) for k, v in value.items()))
    return tuple(plain(v) for v in value)


def annotation(a, names):
    kind = a.WhichOneof("value")
    if a.dict_entries:
        return tuple(sorted((e.name, annotation(e, names)) for e in a.dict_entries))
    if a.array_values:
        return tuple(annotation(v, names) for v in a.array_values)
    if kind == "legacy_json_value":
        return plain(json.loads(a.legacy_json_value))
    if kind == "string_value_iid":
        return names["s", a.string_value_iid]
    value = getattr(a, kind)
    return str(value) if kind == "bool_value" else value


def read(path):
    """Slices, instants and arrows of a .pftrace that `timeline` wrote."""
    trace, names, tracks, events = pb.Trace(), {}, {}, collections.defaultdict(list)
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        trace.ParseFromString(f.read())
    for order, p in enumerate(trace.packet):
        for kind, entries in (("c", p.interned_data.event_categories), ("n", p.interned_data.event_names),
                              ("k", p.interned_data.debug_annotation_names)):
            for e in entries:
                names[kind, e.iid] = e.name
        if p.HasField("track_descriptor"):
            tracks[p.track_descriptor.uuid] = p.track_descriptor
        if p.HasField("track_event"):
            events[p.track_event.track_uuid].append((p.timestamp, order, p.track_event))

    def lane(uuid):
        d = tracks[uuid]
        if d.description == OVERLAP:
            return lane(d.parent_uuid)
        if d.HasField("thread"):
            return str(d.thread.pid), str(d.thread.tid)
        if d.HasField("process"):
            return str(d.process.pid), ""
        return (lane(d.parent_uuid)[0], d.name) if d.parent_uuid else (d.name, "")

    slices, instants = collections.Counter(), collections.Counter()
    ends = collections.defaultdict(list)
    for uuid, of_track in events.items():
        stack = []
        for time, _, e in sorted(of_track, key=lambda x: x[:2]):
            if e.type == pb.TrackEvent.TYPE_COUNTER:
                continue
            if e.type == pb.TrackEvent.TYPE_SLICE_END:
                start, begin = stack.pop()
            else:
                start, begin = time, e
            for ids, what in ((e.flow_ids, "from"), (e.terminating_flow_ids, "to")):
                for i in ids:
                    ends[i].append((what, lane(uuid), names.get(("n", begin.name_iid)), start))
            if e.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
                stack.append((time, e))
                continue
            args = tuple(sorted((names["k", a.name_iid], annotation(a, names)) for a in begin.debug_annotations))
            category = names["c", begin.category_iids[0]] if begin.category_iids else ""
            key = (*lane(uuid), category, names.get(("n", begin.name_iid), ""), start)
            if e.type == pb.TrackEvent.TYPE_INSTANT:
                instants[key, args] += 1
            else:
                slices[key, time - start, args] += 1
        assert not stack, "slices without an end"
    return slices, instants, ends


def expected(events):
    slices, instants, ids = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    for e in events:
        if e.get("ph") not in ("X", "i", "I", "s", "t", "f") or "ts" not in e:
            continue
        start = ns(e["ts"])
        end = int(((Decimal(str(e["ts"])) + Decimal(str(e.get("dur", 0)))) * 1000).to_integral_value(rounding="ROUND_HALF_UP"))
        args = tuple(sorted((k, plain(v)) for k, v in e.get("args", {}).items()))
        key = (str(e.get("pid", "")), str(e.get("tid", "")), e.get("cat", ""), e.get("name", ""), start)
        if e["ph"] == "X":
            slices[key, max(end - start, 0), args] += 1
        elif e["ph"] in ("i", "I"):
            instants[key, args] += 1
        else:
            ids[e.get("cat"), e.get("id")].append(("to" if e["ph"] == "f" else "from", key[:2], start))
    return slices, instants, ids


def arrows(ends):
    """Each as its ends: which way, on which lane."""
    return collections.Counter(tuple(sorted(e[:2] for e in of_id)) for of_id in ends.values())


def numbers(rows):
    """Of the CSV of a report: name of the op and all that is a number."""
    out = []
    for row in csv.reader(rows.splitlines()):
        out.append([row[1] if len(row) > 1 else ""] + [c for c in row if c.replace(".", "").replace("-", "").isdigit()])
    return sorted(out)


def count_by_processor(path):
    """None: there is no trace_processor."""
    try:
        from perfetto.trace_processor import TraceProcessor
        processor = TraceProcessor(trace=path)
    except Exception:
        return None
    rows = list(processor.query("select count(*) as n from slice where dur > 0 or dur = 0"))
    processor.close()
    return rows[0].n


def main():
    stepstat = os.path.abspath(sys.argv[1])
    files = sorted(os.path.join(root, f) for folder in sys.argv[2:] for root, _, found in os.walk(folder) for f in found
                   if f.endswith((".json", ".json.gz")) and "expected" not in f)
    bad = compared = processed = 0

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
            written = os.path.join(folder, stem + ".pftrace.gz")
            subprocess.run([stepstat, "timeline", "merge", source, "-o", written], check=True, capture_output=True)
            slices, instants, ends = read(written)
            wanted, wanted_instants, ids = expected(events)
            check("%s, written: slices" % name, slices, wanted)
            check("%s, written: instants" % name, instants, wanted_instants)
            check("%s, written: arrows" % name, arrows(ends), arrows(ids))
            written_text, written_rows = report(stepstat, folder, os.path.basename(written))
            check("%s, written: text" % name, written_text, text)
            check("%s, written: CSV" % name, written_rows, rows)
            count = count_by_processor(written)
            if count is not None:
                processed += 1
                check("%s, written: slices of trace_processor" % name, count, sum(wanted.values()) + sum(wanted_instants.values()))
    print("%d comparisons of %d files, %d differ" % (compared, len(files), bad))
    if not processed:
        print("skipped: Perfetto's trace_processor, which the package downloads, is not here; "
              "slices were counted from the protobuf alone")
    sys.exit(bad > 0)


main()
