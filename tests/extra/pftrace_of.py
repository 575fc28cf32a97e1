#!/usr/bin/env python3
"""Makes a Perfetto trace (.pftrace) of a Chrome trace with the protobuf classes of PyPI's package
`perfetto`, independent of stepstat.

usage: pftrace_of.py LAYOUT INPUT.json[.gz] OUTPUT.pftrace[.gz]

LAYOUT:
  ordered   names, categories, keys and texts of args interned; events of a track in order of time; what
            overlaps on a thread is on a track below it
  grouped   all slices begin, then all end, in the same order, as PyTorch writes them; nothing interned
  cuspy     what PyTorch 2.15 writes with CuspyConfig: no categories, work of the device as stages
            (GpuRenderStageEvent), calls of the runtime with cbid and correlation only
  packed    as ordered, in packets packed with zlib, names interned anew every 500 slices, times of a clock
            of the sequence's own that counts on from packet to packet

Members around the events become attributes of the trace (TraceAttributes), as `stepstat timeline` has
them. Times are those of the file, rounded to ns.
"""
import gzip
import json
import sys
import zlib
from decimal import Decimal

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

OVERLAP = "slices that overlap those of the thread"
CLEARED = pb.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
NEEDS = pb.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
HOST = ("cpu_op", "user_annotation", "python_function", "operator", "cpu_instant_event")
DEVICE = {"kernel": 1, "gpu_memcpy": 2, "gpu_memset": 3, "gpu_user_annotation": 4}


def open_any(path, mode):
    return gzip.open(path, mode) if path.endswith(".gz") else open(path, mode)


def load(path):
    with open_any(path, "rb") as f:
        text = f.read().decode("utf-8", "replace")
    data = json.loads(text, parse_float=Decimal, strict=False)
    return ({}, data) if isinstance(data, list) else (data, data["traceEvents"])


def ns(microseconds):
    return int((Decimal(str(microseconds)) * 1000).to_integral_value(rounding="ROUND_HALF_UP"))


class Tracks:
    """A track for each pid and tid; texts become tracks with a name."""

    def __init__(self, add):
        self.add, self.uuid, self.named, self.thread_name = add, {}, {}, {}

    def names(self, events):
        for e in events:
            if e.get("ph") == "M" and "name" in e.get("args", {}):
                if e["name"] == "process_name":
                    self.named[e.get("pid")] = str(e["args"]["name"])
                elif e["name"] == "thread_name":
                    self.thread_name[e.get("pid"), e.get("tid")] = str(e["args"]["name"])

    def new(self, key):
        self.uuid[key] = len(self.uuid) + 1
        packet = pb.TracePacket()
        packet.track_descriptor.uuid = self.uuid[key]
        return packet

    def process(self, pid):
        key = ("p", pid)
        if key in self.uuid:
            return self.uuid[key]
        packet = self.new(key)
        if isinstance(pid, int) and -2**31 <= pid < 2**31:
            packet.track_descriptor.process.pid = pid
            packet.track_descriptor.process.process_name = self.named.get(pid, "")
        else:
            packet.track_descriptor.name = str(pid)
            if self.named.get(pid, str(pid)) != str(pid):
                packet.track_descriptor.description = self.named[pid]
        self.add(packet)
        return self.uuid[key]

    def thread(self, pid, tid, layer=0):
        key = ("t", pid, tid, layer)
        if key in self.uuid:
            return self.uuid[key]
        parent = self.thread(pid, tid) if layer else self.process(pid)
        packet = self.new(key)
        descriptor = packet.track_descriptor
        descriptor.parent_uuid = parent
        if layer:
            descriptor.name = "overlap %d" % layer
            descriptor.description = OVERLAP
        elif isinstance(tid, int) and -2**63 <= tid < 2**63 and isinstance(pid, int) and -2**31 <= pid < 2**31:
            descriptor.thread.pid = pid
            descriptor.thread.tid = tid
            descriptor.thread.thread_name = self.thread_name.get((pid, tid), "")
        else:
            descriptor.name = str(tid)
        self.add(packet)
        return self.uuid[key]


class Names:
    """InternedData of one packet and those before it."""

    def __init__(self):
        self.known = {}

    def iid(self, data, field, text):
        key = (field, text)
        if key not in self.known:
            self.known[key] = len(self.known) + 1
            entry = getattr(data, field).add()
            entry.iid = self.known[key]
            if field == "debug_annotation_string_values":
                entry.str = text.encode()
            else:
                entry.name = text
        return self.known[key]


def set_value(annotation, value, names, data):
    if isinstance(value, bool):
        annotation.bool_value = value
    elif isinstance(value, int):
        if 0 <= value < 2**64 and value >= 2**63:
            annotation.uint_value = value
        elif -2**63 <= value < 2**63:
            annotation.int_value = value
        else:
            annotation.string_value = str(value)
    elif isinstance(value, (float, Decimal)):
        annotation.double_value = float(value)
    elif isinstance(value, str):
        if names is None or len(value) > 200:
            annotation.string_value = value
        else:
            annotation.string_value_iid = names.iid(data, "debug_annotation_string_values", value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            entry = annotation.dict_entries.add()
            entry.name = key
            set_value(entry, inner, names, data)
    elif isinstance(value, list):
        for inner in value:
            set_value(annotation.array_values.add(), inner, names, data)
        if not value:
            annotation.legacy_json_value = "[]"
    else:
        annotation.legacy_json_value = "null"


class Writer:
    def __init__(self, layout):
        self.layout, self.out, self.names, self.first = layout, pb.Trace(), Names(), True
        self.interned = layout in ("ordered", "packed")
        self.slices, self.pack, self.clock = 0, [], None
        self.tracks = Tracks(self.add)

    def add(self, packet):
        if self.layout == "packed" and not packet.HasField("track_descriptor"):
            self.pack.append(packet)
            if len(self.pack) >= 100:
                self.flush()
        else:
            self.out.packet.append(packet)

    def flush(self):
        if self.pack:
            inner = pb.Trace()
            inner.packet.extend(self.pack)
            self.out.packet.add().compressed_packets = zlib.compress(inner.SerializeToString())
            self.pack = []

    def packet(self, time):
        anew = self.first or (self.layout == "packed" and self.slices % 500 == 0)
        self.slices += 1
        if anew and self.layout == "packed":
            self.snapshot(time)
        packet = pb.TracePacket()
        packet.trusted_packet_sequence_id = 1
        packet.sequence_flags = CLEARED | NEEDS if anew and self.layout != "packed" else NEEDS
        if anew:
            self.first, self.names = False, Names()
        if self.layout == "packed":
            if time < self.clock:
                packet.timestamp, packet.timestamp_clock_id = time, 6
            else:
                packet.timestamp, self.clock = time - self.clock, time
        else:
            packet.timestamp = time
        return packet

    def snapshot(self, time):
        """A packet with which the sequence begins anew."""
        packet = pb.TracePacket()
        packet.trusted_packet_sequence_id, packet.sequence_flags = 1, CLEARED
        packet.trace_packet_defaults.timestamp_clock_id = 64
        for clock, incremental in ((6, False), (64, True)):
            shown = packet.clock_snapshot.clocks.add()
            shown.clock_id, shown.timestamp, shown.is_incremental = clock, time, incremental
        self.clock = time
        self.add(packet)

    def event(self, time, kind, track, event=None, args=None):
        packet = self.packet(time)
        te = packet.track_event
        te.type, te.track_uuid = kind, track
        names, data = (self.names, packet.interned_data) if self.interned else (None, None)
        if event is not None:
            name, category = str(event.get("name", "")), event.get("cat")
            if names:
                te.name_iid = names.iid(data, "event_names", name)
                if category:
                    te.category_iids.append(names.iid(data, "event_categories", category))
            else:
                te.name = name
                if category and self.layout != "cuspy":
                    te.categories.append(category)
        for key, value in (args or {}).items():
            annotation = te.debug_annotations.add()
            if names:
                annotation.name_iid = names.iid(data, "debug_annotation_names", key)
            else:
                annotation.name = key
            set_value(annotation, value, names, data)
        self.add(packet)

    def save(self, path):
        self.flush()
        with open_any(path, "wb") as f:
            f.write(self.out.SerializeToString())


def attributes(writer, members):
    packet = pb.TracePacket()
    for key, value in members.items():
        if key != "traceEvents":
            attribute = packet.trace_attributes.attribute.add()
            attribute.key = "chrome." + key
            attribute.string_value = json.dumps(value, default=float)
    if packet.trace_attributes.attribute:
        writer.add(packet)


def is_slice(e):
    return e.get("ph") == "X" and "ts" in e


def slices_ordered(writer, events):
    """Each track in order of time, an end before a beginning of the same time."""
    lanes = {}
    for e in events:
        if is_slice(e):
            lanes.setdefault((e.get("pid"), e.get("tid")), []).append(e)
    for (pid, tid), lane in lanes.items():
        spans = [(ns(e["ts"]), max(ns(e["ts"]) + ns(e.get("dur", 0)), ns(e["ts"])), e) for e in lane]
        spans.sort(key=lambda s: (s[0], -s[1]))
        layers = []
        for start, end, e in spans:
            layer = 0
            while True:
                if layer == len(layers):
                    layers.append([])
                stack = layers[layer]
                while stack and stack[-1] <= start:
                    writer.event(stack.pop(), pb.TrackEvent.TYPE_SLICE_END, writer.tracks.thread(pid, tid, layer))
                if not stack or end <= stack[-1]:
                    break
                layer += 1
            stack.append(end)
            writer.event(start, pb.TrackEvent.TYPE_SLICE_BEGIN, writer.tracks.thread(pid, tid, layer), e, e.get("args"))
        for layer, stack in enumerate(layers):
            while stack:
                writer.event(stack.pop(), pb.TrackEvent.TYPE_SLICE_END, writer.tracks.thread(pid, tid, layer))


def slices_grouped(writer, events):
    group = [e for e in events if is_slice(e)]
    tracks = [writer.tracks.thread(e.get("pid"), e.get("tid")) for e in group]
    for e, track in zip(group, tracks):
        writer.event(ns(e["ts"]), pb.TrackEvent.TYPE_SLICE_BEGIN, track, e, e.get("args"))
    for e, track in zip(group, tracks):
        writer.event(ns(e["ts"]) + ns(e.get("dur", 0)), pb.TrackEvent.TYPE_SLICE_END, track)


def slices_cuspy(writer, events):
    host = [e for e in events if is_slice(e) and e.get("cat") in HOST]
    calls = [e for e in events if is_slice(e) and e.get("cat") in ("cuda_runtime", "cuda_driver")]
    work = [e for e in events if is_slice(e) and e.get("cat") in DEVICE]
    packet = pb.TracePacket()
    packet.trusted_packet_sequence_id = 1
    packet.sequence_flags, writer.first = CLEARED, False
    data, names, streams = packet.interned_data, {}, sorted({e["tid"] for e in work}, key=str)
    for e in host + calls + work:
        if e["name"] not in names:
            names[e["name"]] = len(names) + 1
            data.event_names.add(iid=names[e["name"]], name=e["name"])
    for iid, name in ((1, "Kernel"), (2, "Memcpy"), (3, "Memset"), (4, "Annotation")):
        data.gpu_specifications.add(iid=iid, name=name)
    for i, stream in enumerate(streams):
        digits = str(stream).replace("stream", "").strip()
        data.gpu_specifications.add(iid=100 + i, name="stream %05d" % int(digits))
    writer.out.packet.append(packet)
    for group in (host, calls):
        tracks = [writer.tracks.thread(e.get("pid"), e.get("tid")) for e in group]
        for e, track in zip(group, tracks):
            args = e.get("args", {})
            if group is calls:
                args = {"cbid": int(args.get("cbid", 0)), "correlation": int(args.get("correlation", 0))}
            packet = pb.TracePacket()
            packet.timestamp, packet.trusted_packet_sequence_id, packet.sequence_flags = ns(e["ts"]), 1, NEEDS
            te = packet.track_event
            te.type, te.track_uuid, te.name_iid = pb.TrackEvent.TYPE_SLICE_BEGIN, track, names[e["name"]]
            for key, value in args.items():
                annotation = te.debug_annotations.add()
                annotation.name = key
                set_value(annotation, value, None, None)
            writer.out.packet.append(packet)
        for e, track in zip(group, tracks):
            packet = pb.TracePacket()
            packet.timestamp, packet.trusted_packet_sequence_id = ns(e["ts"]) + ns(e.get("dur", 0)), 1
            packet.track_event.type = pb.TrackEvent.TYPE_SLICE_END
            packet.track_event.track_uuid = track
            writer.out.packet.append(packet)
    for e in work:
        args = e.get("args", {})
        packet = pb.TracePacket()
        packet.timestamp, packet.trusted_packet_sequence_id, packet.sequence_flags = ns(e["ts"]), 1, NEEDS
        stage = packet.gpu_render_stage_event
        stage.event_id, stage.duration = int(args.get("correlation", 0)), ns(e.get("dur", 0))
        stage.gpu_id, stage.context = int(args.get("device", e["pid"])), 1
        stage.hw_queue_iid, stage.stage_iid = 100 + streams.index(e["tid"]), DEVICE[e["cat"]]
        stage.name_iid = names[e["name"]]
        if e["cat"] == "kernel" and "grid" in args:
            for size, key in ((stage.launch.grid_size, "grid"), (stage.launch.workgroup_size, "block")):
                size.x, size.y, size.z = args[key]
        for key, arg in (("device id", "device"), ("stream id", "stream"), ("correlation", "correlation"), ("bytes", "bytes")):
            if arg in args:
                stage.extra_data.add(name=key, value=str(args[arg]))
        writer.out.packet.append(packet)


def others(writer, events):
    """Instants; counters, arrows and lives of objects are no slices."""
    for e in events:
        if e.get("ph") in ("i", "I") and "ts" in e and writer.layout != "cuspy":
            writer.event(ns(e["ts"]), pb.TrackEvent.TYPE_INSTANT, writer.tracks.thread(e.get("pid"), e.get("tid")), e, e.get("args"))


def main():
    layout, source, target = sys.argv[1:4]
    members, events = load(source)
    writer = Writer(layout)
    writer.tracks.names(events)
    attributes(writer, members)
    {"ordered": slices_ordered, "packed": slices_ordered, "grouped": slices_grouped, "cuspy": slices_cuspy}[layout](writer, events)
    others(writer, events)
    writer.save(target)


main()
