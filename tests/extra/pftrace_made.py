#!/usr/bin/env python3
"""Makes the small Perfetto traces of tests/data/pftrace whose times can be added up by eye, with the protobuf
classes of PyPI's package `perfetto`, in the spelling of their producers.

usage: pftrace_made.py FOLDER
"""
import os
import sys
import zlib

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

CLEARED = pb.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
NEEDS = pb.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
BEGIN, END, INSTANT, COUNTER = (pb.TrackEvent.TYPE_SLICE_BEGIN, pb.TrackEvent.TYPE_SLICE_END,
                                pb.TrackEvent.TYPE_INSTANT, pb.TrackEvent.TYPE_COUNTER)


class Trace:
    def __init__(self):
        self.trace = pb.Trace()

    def packet(self, time=None, sequence=1, flags=NEEDS):
        p = self.trace.packet.add()
        if time is not None:
            p.timestamp = time
        p.trusted_packet_sequence_id, p.sequence_flags = sequence, flags
        return p

    def track(self, uuid, name=None, parent=None, pid=None, tid=None, process=None):
        d = self.trace.packet.add().track_descriptor
        d.uuid = uuid
        if parent:
            d.parent_uuid = parent
        if tid is not None:
            d.thread.pid, d.thread.tid, d.thread.thread_name = pid, tid, name or ""
        elif pid is not None:
            d.process.pid, d.process.process_name = pid, process or ""
        elif name:
            d.name = name
        return d

    def event(self, kind, time, track, name=None, category=None, sequence=1, **args):
        p = self.packet(time, sequence)
        e = p.track_event
        e.type, e.track_uuid = kind, track
        if name:
            e.name = name
        if category:
            e.categories.append(category)
        for key, value in args.items():
            a = e.debug_annotations.add()
            a.name = key
            if isinstance(value, str):
                a.string_value = value
            else:
                a.int_value = value
        return e

    def slice(self, start, end, track, name, category=None, **args):
        e = self.event(BEGIN, start, track, name, category, **args)
        self.event(END, end, track)
        return e

    def save(self, path):
        with open(path, "wb") as f:
            f.write(self.trace.SerializeToString())


def rocprofv3():
    """As rocprofv3 --output-format pftrace has it: threads and streams as tracks without a process, each slice
    begun and ended at once, calls and kernels joined by corr_id. Three steps of 100 us, marked by roctx; each
    launches gemm (20 us, of step 1 30) and a copy (5 us) that run when the step is over."""
    t = Trace()
    t.packet(flags=CLEARED)
    t.track(11, name="main", pid=7, tid=7)
    t.track(12, name="COMPUTE AGENT [4] STREAM [1] (GPU)")
    t.track(13, name="COPY to AGENT [4] STREAM [1] (GPU)")
    for i in range(3):
        at = 1000000 + 200000 * i
        t.slice(at, at + 100000, 11, "step %d" % i, "marker_api", corr_id=10 * i + 1)
        t.slice(at + 10000, at + 14000, 11, "hipLaunchKernel", "hip_api", corr_id=10 * i + 2).flow_ids.append(10 * i + 2)
        t.slice(at + 20000, at + 26000, 11, "hipMemcpyAsync", "hip_api", corr_id=10 * i + 3)
        kernel = t.slice(at + 110000, at + 130000 + 10000 * (i == 1), 12, "gemm", "kernel_dispatch", corr_id=10 * i + 2,
                         agent="Agent-4", queue=1)
        kernel.flow_ids.append(10 * i + 2)
        t.slice(at + 150000, at + 155000, 13, "MEMORY_COPY_HOST_TO_DEVICE", "memory_copy", corr_id=10 * i + 3,
                dst_agent="Agent-4", copy_bytes=4096)
    return t


def kinds():
    """Every kind of event, order and clock that is read: see README.md."""
    t = Trace()
    t.track(1, pid=5, process="worker")
    t.track(2, name="loop", parent=1, pid=5, tid=6)
    d = t.track(3, name="queue", parent=1)
    d.counter.unit_name = "items"
    t.track(4, name="request", parent=1)
    t.packet(flags=CLEARED)
    t.packet(flags=CLEARED, sequence=2)
    # What begins and ends at the same times: the first is around.
    for name in ("outer", "inner"):
        t.event(BEGIN, 1000, 2, name)
    t.event(END, 3000, 2)
    t.event(END, 3000, 2)
    # One after the other, of no length, with a text that has to be escaped, with args at its end.
    t.slice(3000, 5000, 2, "next")
    t.slice(5000, 5000, 2, "moment")
    t.slice(5000, 6000, 2, 'a "b" \\ c', note="line\nend")
    t.event(BEGIN, 6000, 2, "late args")
    t.event(END, 7000, 2, answer=42)
    # A group: all begin, then all end.
    for i in range(3):
        t.event(BEGIN, 10000 + 1000 * i, 2, "grouped %d" % i)
    for i in range(3):
        t.event(END, 11000 + 1000 * i, 2)
    # Two writers of one track, each with events of its own: sorted by time.
    for i in range(3):
        t.event(BEGIN, 20000 + 100 * i, 4, "sorted %d" % i, sequence=1)
    for i in range(3):
        t.event(END, 20050 + 100 * i, 4, sequence=2)
    t.event(INSTANT, 30000, 2, "point")
    t.event(COUNTER, 30000, 3).counter_value = 4
    first = t.event(BEGIN, 31000, 2, "from")
    first.flow_ids.append(77)
    t.event(END, 31500, 2)
    last = t.event(BEGIN, 32000, 2, "to")
    last.terminating_flow_ids.append(77)
    t.event(END, 32500, 2)
    # A clock of a sequence that counts on, packed packets, and a sequence that lost its beginning.
    inner = Trace()
    p = inner.packet(sequence=3, flags=CLEARED)
    p.trace_packet_defaults.timestamp_clock_id = 64
    p.trace_packet_defaults.track_event_defaults.track_uuid = 2
    for clock, time, incremental in ((6, 40000, False), (64, 500, True)):
        c = p.clock_snapshot.clocks.add()
        c.clock_id, c.timestamp, c.is_incremental = clock, time, incremental
    for kind, step, name in ((BEGIN, 0, "counted on"), (END, 700, None)):
        p = inner.packet(step, sequence=3)
        p.track_event.type = kind
        if name:
            p.interned_data.event_names.add(iid=9, name=name)
            p.track_event.name_iid = 9
    t.trace.packet.add().compressed_packets = zlib.compress(inner.trace.SerializeToString())
    t.event(BEGIN, 50000, 2, "lost", sequence=9)
    t.event(END, 51000, 2, sequence=9)
    # Not balanced.
    t.event(END, 60000, 4)
    t.event(BEGIN, 61000, 2, "open")
    return t


def main():
    folder = sys.argv[1]
    rocprofv3().save(os.path.join(folder, "rocprofv3.pftrace"))
    kinds().save(os.path.join(folder, "kinds.pftrace"))


main()
