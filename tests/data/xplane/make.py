#!/usr/bin/env python3
"""Writes a small XPlane file by hand to standard output.

usage: make.py tpu|gpu|host|nostep|odd|launchers [backwards]

The first four have the events of the traces in tests/golden/jax_trace/made.golden: a report of them
is known. `odd` has what files may have and few do: tables in front of the lines, ids below zero and
far above, lines of the same low half of an id, sums of events without a place in time, a packed
text, a stat twice, a whole number as text, references to nothing, messages of the profiler, fields
of later versions. `launchers`: kernels launched in a function of JAX, in an op of TensorFlow, by
nothing, and by a thread that has taken the work over from the step before. `backwards`: the fields
of events and of stats in the reverse order, which protobuf allows and no known writer has.
"""
import gzip
import struct
import sys


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def text(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


BACKWARDS = sys.argv[2:] == ["backwards"]


def message(parts):
    return b"".join(reversed(parts) if BACKWARDS else parts)


class Plane:
    def __init__(self, name, tables_first=False, first_id=1):
        self.name, self.tables_first = name, tables_first
        self.lines, self.stats, self.events, self.first_id = [], {}, {}, first_id

    def stat_id(self, name):
        return self.stats.setdefault(name, len(self.stats) + 1)

    def event_id(self, name, display, stats):
        return self.events.setdefault((name, display, tuple(sorted(stats.items()))), self.first_id + len(self.events))

    def stat(self, name, value):
        head = number(1, self.stat_id(name))
        if isinstance(value, bytes):
            return message([head, text(8, gzip.compress(value, mtime=0))])
        if isinstance(value, float):
            return message([head, varint(2 << 3 | 1) + struct.pack("<d", value)])
        if isinstance(value, int):
            return message([head, number(4 if value < 0 else 3, value)])
        if value.startswith("@"):
            return message([head, number(7, self.stat_id(value[1:]))])
        return message([head, text(5, value)])

    def event(self, name, start_us, dur_us, stats=(), display="", meta=(), occurrences=None):
        parts = [number(1, self.event_id(name, display, dict(meta))),
                 number(5, occurrences) if occurrences is not None else number(2, round(start_us * 1000000)),
                 number(3, round(dur_us * 1000000))]
        for key, value in (stats.items() if isinstance(stats, dict) else stats):
            parts.append(text(4, self.stat(key, value)))
        return text(4, message(parts))

    def line(self, id, name, events, timestamp_ns=0, display=""):
        out = number(1, id) + text(2, name) + number(3, timestamp_ns) + b"".join(events)
        self.lines.append(text(3, out + (text(11, display) if display else b"")))

    def bytes(self, stats=()):
        own = b"".join(text(6, self.stat(k, v)) for k, v in stats)
        tables = b""
        for (name, display, meta), id in self.events.items():
            m = number(1, id) + text(2, name) + (text(4, display) if display else b"")
            m += b"".join(text(5, self.stat(k, v)) for k, v in meta)
            tables += text(4, number(1, id) + text(2, m))
        for name, id in self.stats.items():
            tables += text(5, number(1, id) + text(2, number(1, id) + text(2, name)))
        lines = b"".join(self.lines)
        return text(1, text(2, self.name) + (tables + lines if self.tables_first else lines + tables) + own)


def hlo(category):
    return {"hlo_category": category}


def tpu():
    a, b, host = Plane("/device:TPU:0"), Plane("/device:TPU:1"), Plane("/host:CPU")
    a.line(1, "Steps", [a.event("7", 100, 100), a.event("8", 200, 100)])
    a.line(2, "XLA Modules", [a.event("jit_step(1)", 100, 90), a.event("jit_step(1)", 200, 90)])
    a.line(3, "XLA Ops", [a.event("%while.1 = ()", 100, 60, display="while.1", meta=hlo("while")),
                          a.event("%fusion.2 = ()", 110, 20, display="fusion.2", meta=hlo("loop fusion")),
                          a.event("%fusion.2 = ()", 140, 10, display="fusion.2", meta=hlo("loop fusion")),
                          a.event("%while.1 = ()", 200, 80, display="while.1", meta=hlo("while")),
                          a.event("bitcast", 200, 0, {"hlo_category": "bitcast"})])
    a.line(4, "Framework Name Scope", [a.event("scope", 100, 90)])
    b.line(1, "Steps", [b.event("7", 101, 100)])
    b.line(3, "XLA Ops", [b.event("fusion.2", 150, 7, {"hlo_category": "@loop fusion"})])
    host.line(9, "python", [host.event("train", 0, 50, {"step_num": 7, "_r": 1}),
                            host.event("train", 50, 50, {"step_num": 8, "_r": 1}),
                            host.event("PjitFunction", 105, 5)])
    return a.bytes() + b.bytes() + host.bytes()


def gpu():
    d, host = Plane("/device:GPU:0"), Plane("/host:CPU")
    d.line(13, "Stream #13(Kernel)", [
        d.event("void gemm<float>", 55, 30, {"correlation_id": 21, "hlo_op": "@while::body::dot.3", "hlo_module": "@jit_step"}),
        d.event("void copy", 90, 5, {"correlation_id": 22})])
    d.line(99, "XLA Ops", [d.event("dot.3", 55, 30)])
    host.line(9, "python", [host.event("train", 0, 50, {"step_num": 0}),
                            host.event("cuLaunchKernel", 10, 4, {"correlation_id": 21}),
                            host.event("train", 50, 50, {"step_num": 1}),
                            host.event("cuLaunchKernel", 60, 3, {"correlation_id": 22})])
    return d.bytes() + host.bytes()


def host():
    h = Plane("/host:CPU")
    h.line(9, "python", [h.event("early", -10, 5), h.event("train", 0, 100, {"step_num": 3}),
                         h.event("$loop.py:12 run", 1, 90), h.event("ThreadpoolListener::Record", 5, 0)])
    h.line(10, "tf_XLAEigen/1", [h.event("dot.1", 10, 20, {"hlo_op": "@dot.1", "hlo_module": "@jit_step"}),
                                 h.event("end: dot.1", 28, 2), h.event("run(4)", 35, 20),
                                 h.event("model/dense/MatMul:MatMul", 40, 8, display="MatMul")])
    return h.bytes()


def nostep():
    h = Plane("/host:CPU")
    h.line(10, "", [h.event("dot.1", 10, 20, {"hlo_op": "@dot.1"})])
    return h.bytes()


def launchers():
    d, host = Plane("/device:GPU:0"), Plane("/host:CPU")
    d.line(13, "Stream #13(Kernel)", [
        d.event("gemm", 55, 30, {"correlation_id": 21}), d.event("gemm", 90, 5, {"correlation_id": 22}),
        d.event("fill", 96, 2, {"correlation_id": 23}), d.event("gemm", 100, 7, {"correlation_id": 24})])
    host.line(9, "python", [
        host.event("train", 0, 50, {"step_num": 0}), host.event("PjitFunction(f)", 5, 35),
        host.event("cuLaunchKernel", 10, 4, {"correlation_id": 21}),
        host.event("Execute", 20, 5, {"_pt": 5, "_p": 77}),
        host.event("train", 50, 50, {"step_num": 1}), host.event("PjitFunction(g)", 55, 20),
        host.event("model/MatMul:MatMul", 60, 10), host.event("cuLaunchKernel", 62, 3, {"correlation_id": 22}),
        host.event("cuLaunchKernel", 80, 3, {"correlation_id": 23})])
    host.line(10, "py_xla_execute/10", [
        host.event("Enqueue", 70, 20, {"_ct": 5, "_c": 77}), host.event("jit_f:XLA GPU module", 72, 10),
        host.event("cuLaunchKernel", 75, 3, {"correlation_id": 24})])
    return d.bytes() + host.bytes()


def odd():
    h = Plane("node7 /host:CPU", tables_first=True, first_id=1 << 62)
    stats = [("hlo_op", "dot.1"), ("_src", "@a.cc"), ("_src", "@b.cc"), ("fragmentation", 0.25), ("note", b"packed"),
             ("kind", "@nothing")]
    h.line(-5, "python", [h.event("train", 0, 100, {"step_num": "3", "_r": 1}),
                          h.event("train", 100, 100, {"step_num": 4, "_r": 1})], timestamp_ns=-20)
    low = (1 << 32) - 5
    h.line(low + (7 << 32), "worker/7", [
        h.event("dot.1", 10, 20, stats), h.event("dot.1", 5, 2, stats), h.event("dot.1", 40, 20, stats),
        h.event("sum", 0, 500, occurrences=12),
        h.event("MemoryAllocation", 12, 0, {"requested_bytes": 64, "tf_op": "@dense/MatMul"}),
        h.event("MemoryDeallocation", 120, 0, {"requested_bytes": 64, "tf_op": "@dense/MatMul"}),
        text(4, number(1, 99) + number(2, 5000000) + number(3, 1000000))], timestamp_ns=-20, display="worker seven")
    h.line(low + (7 << 32) + (1 << 62), "worker/8", [h.event("dot.2", 110, 30, {"hlo_op": "dot.2", "later": 1})])
    env = Plane("Task Environment").bytes([("profile_start_time", 1700000000000000000)])
    meta = Plane("/host:metadata")
    meta.event("a program", 0, 0)
    return (h.bytes([("process_id", 5)]) + meta.bytes() + env + text(2, "lost 5 events") + text(3, "no root") +
            text(4, "node7") + text(17, "of a later version") + number(18, 1))


if __name__ == "__main__":
    sys.stdout.buffer.write({f.__name__: f for f in (tpu, gpu, host, nostep, odd, launchers)}[sys.argv[1]]())
