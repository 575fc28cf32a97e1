#!/usr/bin/env python3
"""Writes the small profiles of this folder (ProfileProto, field by field), so that every expected
number of the golden cases can be worked out on paper. Run it in this folder; the files do not
change when it is run again. The times are in the README."""
import os

CPU = b"/job:localhost/replica:0/task:0/device:cpu:0"
GPU = b"/job:localhost/replica:0/task:0/device:gpu:0"
BASE = 1_500_000_000_000_000  # us; a step begins each second


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, n):
    return varint(field << 3) + varint(n)


def text(field, b):
    return varint(field << 3 | 2) + varint(len(b)) + b


def times(device, spans):
    tuples = b"".join(text(1, text(1, varint(a) + varint(d))) for a, d in spans)
    return text(1, device) + text(2, tuples)


def execution(step, cpu, gpu=(), memory=(0, 0, 0, 0)):
    """cpu and gpu: (start, duration) in us from the beginning of the step, one for each execution."""
    base = BASE + step * 1_000_000
    cpu = [(base + a, d) for a, d in cpu]
    gpu = [(base + a, d) for a, d in gpu]
    spans = cpu + gpu
    out = number(1, max(len(cpu), len(gpu)))
    out += number(2, min(a for a, d in spans)) + number(3, max(a + d for a, d in spans))
    if gpu:
        out += text(4, times(GPU + b"/stream:all", gpu))
    out += text(5, times(CPU, cpu))
    out += text(7, b"".join(number(6 + i, n) for i, n in enumerate(memory)))
    return text(12, number(1, step) + text(2, out))


def node(key, name, kind, device=CPU, shape=(), flops=0, execs=b""):
    out = text(1, name) + b"".join(number(4, n) for n in shape)
    out += text(5, kind) + text(5, device) + text(6, device) + text(7, device)
    if flops:
        out += number(8, flops)
    out += text(9, kind) + execs
    return text(1, number(1, key) + text(2, out))


def profile(nodes, steps):
    listed = text(3, b"".join(varint(s) for s in steps)) if steps else b""
    return b"".join(nodes) + number(2, 0) + listed


def write(name, data):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as f:
        f.write(data)


def model(steps, read, matmul, merge, extra=()):
    """One after the other on the CPU: Read, MatMul, BiasAdd, Merge, then extra; beside them the GPU."""
    r, m, b, g, d, e = [], [], [], [], [], []
    for s in steps:
        at = 0
        r.append(execution(s, [(at, read[s])], memory=(1_000_000, 1_000_000, 0, 1_000_000)))
        at += read[s]
        m.append(execution(s, [(at, matmul[s])], memory=(4000, 4096, 0, 4000)))
        at += matmul[s]
        b.append(execution(s, [(at, 20)]))
        at += 20
        if s in merge:
            g.append(execution(s, [(at, merge[s])], memory=(500, 500, 0, 500)))
            at += merge[s]
        d.append(execution(s, [(0, 2), (30, 3)], [(0, 30), (30, 20)], (2000, 2048, 48, 2000)))
        if extra:
            e.append(execution(s, [(at, extra[s])]))
    nodes = [
        node(0, b"init/Assign", b"Assign", shape=(5, 10)),
        node(1, b"input/Read", b"ReadFile", execs=b"".join(r)),
        node(2, b"conv/MatMul", b"MatMul", flops=1000, execs=b"".join(m)),
        node(3, b"conv/BiasAdd", b"BiasAdd", shape=(10,), execs=b"".join(b)),
        node(4, b"summary/Merge", b"MergeSummary", execs=b"".join(g)),
        node(5, b"dense/MatMul", b"MatMul", GPU, shape=(2, 3), execs=b"".join(d)),
    ]
    if extra:
        nodes.append(node(6, b"extra/Log", b"Log", execs=b"".join(e)))
    return profile(nodes, steps)


def series(*values, first=1):
    return {first + i: v for i, v in enumerate(values)}


READ = series(10, 10, 10, 10, 10, 40)
MATMUL = series(100, 102, 98, 100, 101, 99)
MERGE = {2: 30, 4: 30, 6: 30}
SIX = range(1, 7)

write("train", model(SIX, READ, MATMUL, MERGE))
write("train_3", model(range(1, 4), READ, MATMUL, MERGE))
for s in (2, 3, 10):
    flat = {s: 10}
    write(f"steps/step_{s}", model([s], flat, {s: 100 + s}, {}))
write("again", model(SIX, dict.fromkeys(SIX, 20), dict.fromkeys(SIX, 110), {}, dict.fromkeys(SIX, 10)))
write("runs/a/part", model(range(1, 4), READ, MATMUL, MERGE))
write("runs/b/part", model(range(1, 4), dict.fromkeys(SIX, 20), MATMUL, MERGE))

# Two kinds of step: 1, 2, 4, 5 train; 3 and 6 evaluate.
train = b"".join(execution(s, [(0, 80)]) for s in (1, 2, 4, 5))
test = b"".join(execution(s, [(0, 300)]) for s in (3, 6))
both = b"".join(execution(s, [(300, 20)]) for s in SIX)
write("mixed", profile([
    node(0, b"train/Step", b"Train", execs=train),
    node(1, b"eval/Step", b"Eval", execs=test),
    node(2, b"Count", b"Count", execs=both)], SIX))

# Warm-up: two slow steps, then steps around 100 us.
slow = series(900, 500, 100, 102, 98, 100, 101, 99, 100, 100)
write("warm", profile([node(0, b"work", b"Work", execs=b"".join(
    execution(s, [(0, t)]) for s, t in slow.items()))], slow))

# Names that do harm where nobody looks.
hostile = [b"=SUM(A1)", b"+1", b"-1", b"@x", b"a,b", b'say "hi"', b"two\nlines", b"tab\there",
           b"bad \xff byte", b"<b>|`x`", b"gr\xc3\xbc\xc3\x9fe"]
write("names", profile([
    node(i, name, b"Op", execs=execution(1, [(0, 10)])) for i, name in enumerate(hostile)], [1]))

# A name of 3000 bytes, and one of 4101 levels.
write("long", profile([node(0, b"long/" + b"x" * 2995, b"Op", execs=execution(1, [(0, 10)]))], [1]))
write("deep", profile([node(0, b"a/" * 4100 + b"b", b"Op", execs=execution(1, [(0, 10)]))], [1]))

# Nodes and no execution.
write("idle", profile([node(0, b"a", b"Add"), node(1, b"b", b"Mul")], []))
