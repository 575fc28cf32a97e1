#!/usr/bin/env python3
"""Decodes tfprof's inputs and accounts them by tfprof's rules; writes expected/NAME.tsv.

It shares nothing with stepstat: the wire format, the text format and the rules are here once more.
"""
import re

SHAPE = {2: ("dim", {1: ("size", int), 2: ("name", str)}), 3: ("unknown_rank", int)}
ATTR_VALUE = {1: ("list", {7: ("shape", SHAPE)}), 2: ("s", str), 7: ("shape", SHAPE)}
ATTR = {1: ("key", str), 2: ("value", ATTR_VALUE)}
GRAPH = {1: ("node", {1: ("name", str), 2: ("op", str), 3: ("input", str), 5: ("attr", ATTR)})}
CODE = {1: ("traces", {1: ("file", str), 2: ("lineno", int), 3: ("function", str), 4: ("line", str),
        5: ("func_start_line", int), 6: ("file_id", int), 7: ("function_id", int), 8: ("line_id", int)})}
TEXTS = {1: ("key", int), 2: ("value", str)}
LOG = {1: ("log_entries", {1: ("name", str), 2: ("float_ops", int), 3: ("types", str), 4: ("code_def", CODE)}),
       2: ("id_to_string", TEXTS)}
RECORD = {1: ("alloc_micros", int), 2: ("alloc_bytes", int)}
STATS = {1: ("node_name", str), 2: ("all_start_micros", int), 4: ("op_end_rel_micros", int),
         6: ("memory", {1: ("allocator_name", str), 2: ("total_bytes", int), 3: ("peak_bytes", int),
                        4: ("live_bytes", int), 5: ("allocator_bytes_in_use", int), 6: ("allocation_records", RECORD)}),
         7: ("output", {1: ("slot", int), 3: ("tensor_description", {
             4: ("allocation_description", {1: ("requested_bytes", int), 2: ("allocated_bytes", int)})})}),
         12: ("memory_stats", {1: ("temp_memory_size", int), 3: ("persistent_memory_size", int)})}
RUN = {1: ("step_stats", {1: ("dev_stats", {1: ("device", str), 2: ("node_stats", STATS)})})}
TUPLE = {1: ("int64_values", int)}
TIMES = {1: ("key", str), 2: ("value", {1: ("times", TUPLE)})}
MEMORY = {1: ("memory_micros", int), 5: ("accelerator_persistent_bytes", int), 6: ("requested_bytes", int),
          7: ("peak_bytes", int), 8: ("residual_bytes", int), 9: ("output_bytes", int),
          10: ("allocator_bytes_in_use", int)}
EXEC = {1: ("run_count", int), 2: ("all_start_micros", int), 3: ("latest_end_micros", int),
        4: ("accelerator_execs", TIMES), 5: ("cpu_execs", TIMES), 7: ("memory_execs", MEMORY), 11: ("allocations", RECORD)}
PAIR = {1: ("key", int), 2: ("value", int)}
PNODE = {1: ("name", str), 2: ("inputs", PAIR), 4: ("shape", int), 5: ("op_types", str), 6: ("canonical_device", str),
         7: ("host_device", str), 8: ("float_ops", int), 9: ("op", str), 10: ("trace", CODE), 11: ("attrs", ATTR),
         12: ("execs", {1: ("key", int), 2: ("value", EXEC)}), 14: ("src_output_index", PAIR),
         15: ("output_shapes", {1: ("key", int), 2: ("value", TUPLE)})}
PROFILE = {1: ("nodes", {1: ("key", int), 2: ("value", PNODE)}), 2: ("has_trace", int), 3: ("steps", int),
           4: ("id_to_string", TEXTS)}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value & (1 << 64) - 1, at


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def binary(data, schema):
    out, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        name, inside = schema.get(tag >> 3, (None, None))
        if kind == 0:
            value, at = varint(data, at)
            items = [signed(value)]
        elif kind == 2:
            size, at = varint(data, at)
            part, at = data[at:at + size], at + size
            if inside is int:
                items, k = [], 0
                while k < size:
                    value, k = varint(part, k)
                    items.append(signed(value))
            elif inside is str:
                items = [part.decode()]
            else:
                items = [binary(part, inside)] if inside else []
        else:
            at += 8 if kind == 1 else 4
            items = []
        if name:
            out.setdefault(name, []).extend(items)
    return out


def text(source):
    """Protobuf text: names to lists, without a schema."""
    tokens = re.findall(r'#[^\n]*|"(?:\\.|[^"\\])*"|[{}:]|[^\s{}:"]+', source)
    tokens = [t for t in tokens if not t.startswith("#")]
    at = 0

    def message():
        nonlocal at
        out = {}
        while at < len(tokens) and tokens[at] != "}":
            name = tokens[at]
            at += 1
            if tokens[at] == ":":
                at += 1
            if tokens[at] == "{":
                at += 1
                value = message()
                at += 1
            elif tokens[at][0] == '"':
                value = tokens[at][1:-1].encode().decode("unicode_escape")
                at += 1
            else:
                word = tokens[at]
                at += 1
                value = int(word) if re.fullmatch(r"-?\d+", word) else word == "true"
            out.setdefault(name, []).append(value)
        return out

    return message()


def one(message, name, default=0):
    return message.get(name, [default])[-1]


def dims(shape):
    sizes = [one(d, "size") for d in shape.get("dim", [])]
    return sizes or ([] if one(shape, "unknown_rank") else [1])


class Node:
    def __init__(self, name, op):
        self.name, self.op, self.types = name, op, {op}
        self.device = self.host = self.format = ""
        self.flops, self.shape = 0, []
        self.inputs, self.outputs, self.trace = [], {}, None
        self.taken, self.execs = {}, {}


def frames(code, texts):
    out = []
    for f in code.get("traces", []):
        words = [one(f, a, "") or texts.get(one(f, a + "_id"), "") for a in ("file", "function", "line")]
        out.append((one(f, "lineno"), one(f, "func_start_line"), *words))
    return out


def new_exec():
    return dict(run=0, acc={}, cpu={}, memory=[], alloc=[], bytes=[0, 0, 0, 0], start=0, end=0)


def read_graph(path):
    data = open(path, "rb").read()
    graph = text(data.decode()) if path.endswith(".pbtxt") else binary(data, GRAPH)
    nodes = {}
    for d in graph.get("node", []):
        name = one(d, "name", "")
        if name in nodes:
            continue
        node = nodes[name] = Node(name, one(d, "op", ""))
        for i, word in enumerate(d.get("input", [])):
            parts = word.split(":")
            source = parts[0].lstrip("^")
            node.inputs.append((i, source))
            node.taken[source] = 0  # whatever the name says: see SOURCES.md
        for a in d.get("attr", []):
            value = one(a, "value", {})
            key = one(a, "key", "")
            if key == "shape" and "shape" in value:
                node.shape = dims(one(value, "shape"))
            if key == "_output_shapes" and "list" in value:
                node.outputs = dict(enumerate(map(dims, one(value, "list").get("shape", []))))
            if key == "data_format":
                node.format = one(value, "s", "")
    return nodes


def read_log(path, nodes):
    log = binary(open(path, "rb").read(), LOG)
    texts = {one(e, "key"): one(e, "value", "") for e in log.get("id_to_string", [])}
    for entry in log.get("log_entries", []):
        node = nodes.get(one(entry, "name", ""))
        if not node:
            continue
        node.types |= set(entry.get("types", []))
        node.flops = one(entry, "float_ops") or node.flops
        if "code_def" in entry and node.trace is None:
            node.trace = frames(one(entry, "code_def"), texts)


def add_stat(node, step, device, s):
    canonical = re.fullmatch(r".*/(device:gpu|gpu|device:cpu|cpu|device:sycl):\d+", device)
    if canonical and not node.device:
        node.device = device
        node.host = re.sub(r"device:sycl:\d+", "cpu:0", re.sub(r"gpu:\d+", "cpu:0", device))
        node.types.add(device)
    if canonical and node.device != device:
        return
    e = node.execs.setdefault(step, new_exec())
    start, length = one(s, "all_start_micros"), one(s, "op_end_rel_micros")
    if start > 0:
        e["start"] = min(e["start"], start) if e["start"] else start
        e["end"] = max(e["end"], start + (length or 1))
        if "stream:all" in device:
            e["acc"].setdefault(device, []).append((start, length or 1))
        elif canonical:
            e["cpu"].setdefault(device, []).append((start, length or 1))
            e["run"] += 1
    if not canonical or start == 0:
        return
    stats = one(s, "memory_stats", {})
    temp, kept = one(stats, "temp_memory_size"), one(stats, "persistent_memory_size")
    totals = [sum(one(m, k) for m in s.get("memory", [])) for k in ("total_bytes", "peak_bytes", "live_bytes")]
    output = 0
    for o in s.get("output", []):
        a = one(one(o, "tensor_description", {}), "allocation_description", None)
        if a is not None:
            output += max(one(a, "allocated_bytes"), one(a, "requested_bytes"))
    values = [totals[0] + temp + kept, totals[1] + temp + kept, totals[2] + kept, output]
    e["bytes"] = [a + b for a, b in zip(e["bytes"], values)]
    gpu = [m for m in s.get("memory", []) if "GPU" in one(m, "allocator_name", "")]
    in_use = max([0] + [one(m, "allocator_bytes_in_use") for m in gpu])
    e["memory"].append((start + length, in_use, 0 if "cpu" in device else kept))
    for m in gpu:
        for r in m.get("allocation_records", []):
            e["alloc"].append((one(r, "alloc_micros"), one(r, "alloc_bytes")))


def read_run(path, nodes, step):
    run = binary(open(path, "rb").read(), RUN)
    for stats in run["step_stats"]:
        for dev in stats.get("dev_stats", []):
            for s in dev.get("node_stats", []):
                name = one(s, "node_name", "").split(":")[0]
                if name not in nodes:
                    if name in ("RecvTensor", "_SOURCE") or "MEMCPY" in name:
                        continue
                    nodes[name] = Node(name, name)
                add_stat(nodes[name], step, one(dev, "device", "").lower(), s)


def read_profile(path):
    profile = binary(open(path, "rb").read(), PROFILE)
    texts = {one(e, "key"): one(e, "value", "") for e in profile.get("id_to_string", [])}
    by_key = {one(e, "key"): one(e, "value") for e in profile["nodes"]}
    nodes = {}
    for key in sorted(by_key):
        p = by_key[key]
        node = nodes[one(p, "name", "")] = Node(one(p, "name", ""), one(p, "op", ""))
        node.types = set(p.get("op_types", []))
        node.device, node.host = one(p, "canonical_device", ""), one(p, "host_device", "")
        node.flops, node.shape = one(p, "float_ops"), p.get("shape", [])
        name = lambda k: one(by_key[k], "name", "")
        node.inputs = sorted((one(e, "key"), name(one(e, "value"))) for e in p.get("inputs", []))
        node.taken = {name(one(e, "key")): one(e, "value") for e in p.get("src_output_index", [])}
        node.outputs = {one(e, "key"): one(e, "value", {}).get("int64_values", []) for e in p.get("output_shapes", [])}
        node.trace = frames(one(p, "trace"), texts) if "trace" in p else None
        for a in p.get("attrs", []):
            if one(a, "key", "") == "data_format":
                node.format = one(one(a, "value", {}), "s", "")
        for entry in p.get("execs", []):
            x, e = one(entry, "value", {}), new_exec()
            e["run"], e["start"] = one(x, "run_count"), one(x, "all_start_micros")
            e["end"] = one(x, "latest_end_micros")
            for field, to in (("accelerator_execs", "acc"), ("cpu_execs", "cpu")):
                for t in x.get(field, []):
                    e[to][one(t, "key", "")] = [tuple(v["int64_values"]) for v in one(t, "value", {}).get("times", [])]
            for m in x.get("memory_execs", []):
                values = [one(m, k) for k in ("requested_bytes", "peak_bytes", "residual_bytes", "output_bytes")]
                e["bytes"] = [a + b for a, b in zip(e["bytes"], values)]
                e["memory"].append((one(m, "memory_micros"), one(m, "allocator_bytes_in_use"),
                                    one(m, "accelerator_persistent_bytes")))
            e["alloc"] = [(one(r, "alloc_micros"), one(r, "alloc_bytes")) for r in x.get("allocations", [])]
            node.execs[one(entry, "key")] = e
    return nodes


def write(path, nodes, wanted):
    with open(path, "w") as out:
        def line(*words):
            print(*words, sep="\t", file=out)

        for n in nodes.values():
            line("node", n.name, n.op, " ".join(sorted(n.types)), n.device, n.host, n.flops,
                 " ".join(map(str, n.shape)), n.format)
            for i, source in n.inputs:
                line("input", i, source if source in nodes else "-", n.taken[source])
            for i in sorted(n.outputs):
                line("output", i, " ".join(map(str, n.outputs[i])))
            for f in n.trace or []:
                line("frame", *f)
            for step in sorted(n.execs):
                e = n.execs[step]
                total = lambda t: sum(d for times in t.values() for _, d in times)
                line("exec", step, e["run"], total(e["acc"]), total(e["cpu"]), *e["bytes"], e["start"], e["end"])
                if step == wanted:
                    for device, kind, times in sorted([(d, 0, t) for d, t in e["cpu"].items()] +
                                                      [(d, 1, t) for d, t in e["acc"].items()]):
                        for t in times:
                            line("time", device, kind, *t)
                for m in e["memory"]:
                    line("memory", *m)
                for a in e["alloc"]:
                    line("allocation", *a)


def main():
    for folder in ("tf-1.2", "tf-1.4", "tf-2.0"):
        nodes = read_graph(folder + "/graph.pbtxt")
        read_log(folder + "/tfprof_log", nodes)
        read_run(folder + "/run_meta", nodes, 0)
        write("expected/%s.tsv" % folder, nodes, 0)
    write("expected/synth_profile.tsv", read_profile("synth/profile_1"), 1)
    nodes = read_graph("synth/graph.pb")
    read_log("synth/op_log", nodes)
    read_run("synth/run_meta_0", nodes, 0)
    read_run("synth/run_meta_1", nodes, 1)
    write("expected/synth.tsv", nodes, 1)


if __name__ == "__main__":
    main()
