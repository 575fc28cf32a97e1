"""Views as tfprof prints them, accounted by ../decode.py and the rules once more; nothing of it comes from stepstat.

usage: account.py op|scope STEP TYPE FILE...   rows whose op types include TYPE (any: all), columns requested bytes,
                                               the three times, occurrence
       account.py advise FILE                  utilization of accelerators
One FILE that is named profile is a dump; others are RunMetadata without a graph.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
import decode


def unit(n, words):
    if n < 1000:
        return "%d%s" % (n, words[0])
    return "%.2f%s" % ((n / 1e3, words[1]) if n < 1000000 else (n / 1e6, words[2]))


def memory(n):
    return unit(n, ("B", "KB", "MB"))


def micros(n):
    return unit(n, ("us", "ms", "sec"))


def length(times):
    return sum(d for t in times.values() for _, d in t)


def values(node, step):
    """Requested bytes, total, accelerator and cpu micros, runs."""
    rows = []
    for number, e in node.execs.items():
        if step < 0 or number == step:
            acc, cpu = length(e["acc"]), length(e["cpu"])
            rows.append((e["bytes"][0], acc + cpu, acc, cpu, e["run"]))
    count = len(rows) or 1
    return [sum(column) // count for column in zip(*rows)] if rows else [0] * 5


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def op_view(nodes, step, wanted):
    rows = {}
    for node in nodes.values():
        if wanted == "any" or wanted in node.types:
            own, count = rows.get(node.op, ([0] * 5, 0))
            rows[node.op] = add(own, values(node, step)), count + 1
    total = [0] * 5
    for own, _ in rows.values():
        total = add(total, own)
    below = total
    for op in sorted(rows):
        own, count = rows[op]
        cells = []
        for i in range(4):
            known = (own if i == 0 else below)[i]
            shares = [100 * x / total[i] if known else 0 for x in (below[i], own[i])]
            cells.append("%30s" % ("%s (%.2f%%, %.2f%%)" % ((micros if i else memory)(own[i]), *shares)))
        print("%-25s%s" % (op, ", ".join(cells + ["%10s" % ("%d|%d" % (own[4], count))])))
        below = [x - y for x, y in zip(below, own)]


def scope_view(nodes, step):
    tree = {}
    for name in nodes:
        parts = name.split("/")
        for k in range(len(parts)):
            tree.setdefault("/".join(parts[:k]), set()).add("/".join(parts[:k + 1]))

    def walk(name, depth):
        own = values(nodes[name], step) if name in nodes else [0] * 5
        total, count, lines = own, 1 if name else 0, []
        for child in sorted(tree.get(name, ())):
            sub, defined, more = walk(child, depth + 1)
            total, count, lines = add(total, sub), count + defined, lines + more
        shown = zip(own, total, (memory, micros, micros, micros))
        cells = ["%s/%s" % (f(s) if name else "--", f(t)) for s, t, f in shown]
        cells.append("%s/%d|%s/%d" % (own[4] if name else "--", total[4], 1 if name else "--", count))
        return total, count, ["%s%s (%s)" % ("  " * depth, name or "_TFProfRoot", ", ".join(cells))] + lines

    print("\n".join(walk("", 0)[2]))


def advise(nodes):
    for device in sorted({n.device for n in nodes.values() if "gpu" in n.device}):
        last = [n.execs[max(n.execs)] for n in nodes.values() if n.device == device and n.execs]
        starts = [e["start"] for e in last if e["start"]]
        share = sum(length(e["acc"]) for e in last) / (max(e["end"] for e in last) - min(starts))
        print("device: %s %sutilization: %.2f" % (device, "" if share >= 0.5 else "low ", share))


def read(files):
    if os.path.basename(files[0]) == "profile":
        return decode.read_profile(files[0])
    nodes = {}
    for step, path in enumerate(files):
        decode.read_run(path, nodes, step)
    return nodes


if sys.argv[1] == "advise":
    advise(read(sys.argv[2:]))
elif sys.argv[1] == "op":
    op_view(read(sys.argv[4:]), int(sys.argv[2]), sys.argv[3])
else:
    scope_view(read(sys.argv[4:]), int(sys.argv[2]))
