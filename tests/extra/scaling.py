"""Does the time of every command grow as its input does? Each format and command is measured at N and 4 N in one
direction: names, steps, runs, ops in steps of their own, lanes, marks, depth, equal times, links, issues, damage, devices, facts,
groups, ranks, sequences of packets, their tables of names, tracks. The exponent is
log4 of the ratio of CPU times without what starting costs, best of several; above 1.3 fails. The table of all exponents is printed.

usage: scaling.py [FORMAT | AXIS | COMMAND]...       only those that match every word
STEPSTAT names the program. It needs nothing but Python.
"""
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from recordings import field  # noqa: E402

PROGRAM = os.environ.get("STEPSTAT", "stepstat")
LIMIT = 1.3
FLOOR = 0.06  # seconds: where less is measured at 4 N, N is multiplied by 4
MOST = 120  # seconds of CPU for one command
START = 0.0  # seconds that starting costs; measured below

# ---- inputs: FORMAT(axis, n, seed) gives the text of a file, or None where the format has no such axis ----


def dur(i, seed):
    return 10 + (i * 7 + seed * 13) % 23


def csv_rows(axis, n, seed):
    if axis == "names":
        return [("r", s, f"net/part{i % 50}/op{i}", dur(i + s, seed)) for i in range(n) for s in (1, 2)]
    if axis == "steps":
        return [("r", s, f"op{i}", dur(i + s * 3, seed)) for s in range(n) for i in range(3)]
    if axis == "runs":
        return [(f"r{r}", s, "op", dur(r + s, seed)) for r in range(n) for s in (1, 2)]
    if axis == "own":
        return [("r", s, f"op{s}", dur(s, seed)) for s in range(n)]
    if axis == "depth":
        return [("r", 1, "/".join("abcdefghij"[k % 10] for k in range(i + 1)) + str(i), dur(i, seed))
                for i in range(int(math.sqrt(n)))]
    return None


def csv(axis, n, seed):
    head = "run,step,op,measure,value,unit\n"
    if axis == "devices":
        return head + "".join(f"r,{s},,gpu:{i}_compute,{dur(i + s, seed)},us\n" for i in range(n) for s in (1, 2)) + "r,1,op,cpu,5,us\nr,2,op,cpu,5,us\n"
    if axis == "facts":
        return head + "".join(f",,,fact,x{i} 1 x y,\n" for i in range(n)) + "r,1,op,cpu,5,us\n"
    if axis == "issues":
        return head + "".join(f",,,issue,info c{i} 1 x text (first: x),\n" for i in range(n)) + "r,1,op,cpu,1,us\n"
    rows = csv_rows(axis, n, seed)
    return rows and head + "".join(f"{r},{s},{o},cpu,{v},us\n" for r, s, o, v in rows)


def obs(axis, n, seed):
    """Made of the table by `stepstat export`."""
    return None if axis in ("issues", "facts") else csv(axis, n, seed)


def part(axis, n, seed):
    """Made of the table by `stepstat merge`: ranks, each in a group of its own, or with an op of its own; devices; names."""
    head = "run,rank,group,step,op,measure,value,unit\n"
    if axis in ("groups", "ranks", "own"):
        return head + "".join(f"r,{i},{f'g{i}' if axis == 'groups' else ''},{s},{f'op{i}' if axis == 'own' else 'op'},cpu,{dur(i + s, seed)},us\n"
                              for i in range(n) for s in (1, 2))
    if axis == "devices":
        return head + "".join(f"r,{k},,{s},,gpu:{i}_compute,{dur(i + s, seed)},us\n" for i in range(n) for s in (1, 2) for k in (0, 1)) + "".join(
            f"r,{k},,{s},op,cpu,5,us\n" for k in (0, 1) for s in (1, 2))
    if axis in ("names", "steps"):
        many = [(i, s) for i in range(n) for s in (1, 2)] if axis == "names" else [(i, s) for s in range(n) for i in range(3)]
        return head + "".join(f"r,{k},,{s},op{i},cpu,{dur(i + s + k, seed)},us\n" for i, s in many for k in (0, 1))
    return None


def pftrace(axis, n, seed):
    """Slices of a Perfetto trace: each on a sequence of its own, with its names, or on a track; names; many at one time."""
    if axis not in ("names", "sequences", "interned", "tracks", "times"):
        return None
    out = []
    for i in range(n):
        sequence = i + 1 if axis in ("sequences", "interned") else 1
        where = field(11, i + 10 if axis == "tracks" else 7)
        start, name = 1000 if axis == "times" else 1000 + i * 100, b"op%d" % (i if axis == "names" else 0)
        names = field(13, 1) + field(12, field(2, field(1, 1) + field(2, name))) if axis == "interned" else b""
        if axis == "tracks":
            out.append(field(1, field(8, start) + field(10, 1) + field(60, field(1, i + 10) + field(2, b"t"))))
        out.append(field(1, field(8, start) + field(10, sequence) + names + field(11, field(9, 1) + (field(10, 1) if names else field(23, name)) + where)))
        out.append(field(1, field(8, start + dur(i, seed)) + field(10, sequence) + field(11, field(9, 2) + where)))
    return b"".join(out)


def x(name, pid, tid, ts, length, **more):
    return {"ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": length, **more}


def meta(what, name, pid, tid=0):
    return {"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}}


def plan(axis, n, seed):
    """Steps as (start, end), ops as (name, lane, start, duration), all in us: what the traces have in common."""
    if axis == "names":
        return [(0, 100 * n)], [(f"net/op{i}", 0, 100 * i + 5, dur(i, seed)) for i in range(n)]
    if axis == "steps":
        return ([(1000 * s, 1000 * s + 900) for s in range(n)],
                [(f"op{i}", 0, 1000 * s + 100 * i + 5, dur(i + s, seed)) for s in range(n) for i in range(2)])
    if axis == "own":
        return ([(1000 * s, 1000 * s + 900) for s in range(n)],
                [(f"op{s}", 0, 1000 * s + 5, dur(s, seed)) for s in range(n)])
    if axis == "lanes":
        return [(0, 1000)], [("op", k, 100 * i + 5, dur(k + i, seed)) for k in range(n) for i in range(2)]
    if axis == "marks":  # all at once
        return [(0, 1000)] * n, [(f"op{i}", 0, 100 * i + 5, dur(i, seed)) for i in range(9)]
    if axis == "depth":
        return [(0, 10 * n)], [(f"op{i % 20}", 0, 2 * i + 1, 8 * n - 4 * i + seed) for i in range(n)]
    if axis == "times":
        return [(0, 1000)], [(f"op{i % 20}", 0, 5, 100) for i in range(n)]
    return None


def kineto(axis, n, seed):
    events = [meta("process_name", "python", 7)]
    if axis == "damage":  # objects in each other in a member around the events, which all break at the same place
        event = json.dumps(x("aten::mm", 7, 7, 5, dur(0, seed), cat="cpu_op"))
        return '{"schemaVersion": 1, "junk": ' + '{"a":' * n + '], "traceEvents": [' + event + "]}"
    if axis == "links":
        steps, ops = [(0, 100 * n)], []
        for i in range(n):
            events.append(x("cudaLaunchKernel", 7, 7, 100 * i + 5, 3, cat="cuda_runtime",
                            args={"External id": i, "correlation": i + 1}))
            events.append(x(f"kernel{i % 20}", 0, 9, 100 * i + 20, dur(i, seed), cat="kernel",
                            args={"External id": i, "correlation": i + 1, "device": 0, "stream": 9}))
            events.append({"ph": "s", "id": i + 1, "pid": 7, "tid": 7, "ts": 100 * i + 5, "cat": "ac2g", "name": "ac2g"})
            events.append({"ph": "f", "id": i + 1, "pid": 0, "tid": 9, "ts": 100 * i + 20, "cat": "ac2g",
                           "name": "ac2g", "bp": "e"})
    else:
        made = plan(axis, n, seed)
        if not made:
            return None
        steps, ops = made
    for k, (start, end) in enumerate(steps):
        events.append(x(f"ProfilerStep#{k}", 7, 7, start, end - start, cat="user_annotation", args={"External id": k}))
    for k, (name, lane, start, length) in enumerate(ops):
        events.append(x(name, 7, 7 + lane, start, length, cat="cpu_op", args={"External id": k}))
    return json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}, indent=0)


def chrome(axis, n, seed):
    made = plan(axis, n, seed)
    if not made:
        return None
    steps, ops = made
    order = []
    for start, end in steps:
        order.append((start, 1, 0, 0, "step"))
        order.append((end, 0, 0, 0, "step"))
    for k, (name, lane, start, length) in enumerate(ops):
        order.append((start, 1, 1, lane, name))
        order.append((start + length, 0, 1, lane, name))
    order.sort(key=lambda e: e[0])
    return json.dumps([{"ph": "EB"[b], "name": name, "cat": "c", "pid": 1, "tid": kind + lane, "ts": ts}
                       for ts, b, kind, lane, name in order], indent=0)


def onnxruntime(axis, n, seed):
    made = plan(axis, n, seed)
    if not made or axis in ("lanes", "marks"):
        return None
    steps, ops = made
    events = [x("session_initialization", 3, 3, 0, 5, cat="Session", args={})]
    for start, end in steps:
        events.append(x("model_run", 3, 3, start + 10, end - start, cat="Session", args={}))
    for k, (name, lane, start, length) in enumerate(ops):
        events.append(x(name + "_kernel_time", 3, 3, start + 10, length, cat="Node",
                        args={"op_name": "Op", "provider": "CPUExecutionProvider", "node_index": str(k)}))
    return json.dumps(events, indent=0)


def jax(axis, n, seed):
    made = plan(axis, n, seed)
    if not made or axis == "marks":
        return None
    steps, ops = made
    events = [meta("process_name", "/host:CPU", 701), meta("thread_name", "python", 701, 1),
              meta("process_name", "/device:GPU:0", 1)]
    lanes = sorted({lane for _, lane, _, _ in ops})
    for lane in lanes:
        events.append(meta("thread_name", f"Stream #{lane}(Compute)", 1, 10 + lane))
    for k, (start, end) in enumerate(steps):
        events.append(x("train", 701, 1, start, end - start, args={"step_num": str(k)}))
    for name, lane, start, length in ops:
        events.append(x(name, 1, 10 + lane, start, length, args={"hlo_op": name, "hlo_module": "jit_f"}))
    return json.dumps({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": events}, indent=0)


def timeline(axis, n, seed):
    made = plan(axis, n, seed)
    if not made or axis in ("steps", "own", "marks"):
        return None
    ops = made[1]
    events = []
    devices = 1 + max(lane for _, lane, _, _ in ops) if axis == "lanes" else 1
    for d in range(devices):
        events.append(meta("process_name", f"/job:localhost/replica:0/task:0/device:CPU:{d} Compute", d + 1))
    for name, lane, start, length in ops:
        events.append(x("Op", 1 + (lane if devices > 1 else 0), 0, start + 10**15, length, cat="Op",
                        args={"name": name, "op": "Op"}))
    return json.dumps({"traceEvents": events}, indent=0)


def run_metadata(axis, n, seed):
    made = plan(axis, n, seed)
    if not made or axis in ("steps", "own", "marks"):
        return None
    lanes = {}
    for name, lane, start, length in made[1]:
        lanes.setdefault(lane, []).append((name, start, length))
    text = ["step_stats {\n"]
    for lane, ops in sorted(lanes.items()):
        text.append(f'  dev_stats {{\n    device: "/job:localhost/replica:0/task:0/device:CPU:{lane}"\n')
        for name, start, length in ops:
            text.append(f'    node_stats {{\n      node_name: "{name}"\n      all_start_micros: {10**15 + start}\n'
                        f"      op_end_rel_micros: {length}\n      all_end_rel_micros: {length}\n    }}\n")
        text.append("  }\n")
    text.append("}\n")
    return "".join(text)


def tfprof_text(axis, n, seed):
    head = ("Profile:\nnode name | requested bytes | total execution time | accelerator execution time"
            " | cpu execution time\n")
    if axis == "names":
        rows = [("  " * 1 + f"op{i}", dur(i, seed), dur(i, seed)) for i in range(n)]
    elif axis == "depth":
        rows, name = [], ""
        for i in range(int(math.sqrt(n))):
            name += ("/" if name else "") + f"s{i}"
            rows.append(("  " * (i + 1) + name, 1, int(math.sqrt(n)) - i))
    else:
        return None
    total = sum(row[1] for row in rows)
    text = [head, f"_TFProfRoot (--/0B, --/{total}us, --/0us, --/{total}us)\n"]
    for name, own, all_of_it in rows:
        text.append(f"{name} (0B/0B, {own}us/{all_of_it}us, 0us/0us, {own}us/{all_of_it}us)\n")
    return "".join(text)


# Format: its text, suffix, options of all commands, is it a trace, how many files a side (a step each: more).
FORMATS = {
    "csv": (csv, ".csv", [], False),
    "obs": (obs, ".obs", [], False),
    "part": (part, ".part", [], False),
    "pftrace": (pftrace, ".pftrace", [], True),
    "kineto": (kineto, ".pt.trace.json", [], True),
    "chrome": (chrome, ".json", ["--step-marker=^step$"], True),
    "onnxruntime": (onnxruntime, ".json", [], True),
    "jax": (jax, ".trace.json", [], True),
    "timeline": (timeline, ".json", [], True),
    "run-metadata": (run_metadata, ".pbtxt", [], False),
    "tfprof-text": (tfprof_text, ".txt", [], False),
}
FIRST = {"names": 1000, "steps": 500, "runs": 100, "own": 500, "lanes": 100, "marks": 100, "depth": 100, "times": 500,
         "links": 500, "issues": 500, "damage": 500, "devices": 100, "facts": 500, "groups": 100, "ranks": 100, "sequences": 500, "interned": 500, "tracks": 500}
LARGEST = 64000  # no N above it: 4 N has to be generated, too

# Command: arguments, exit statuses, for traces alone? Without --min-share=0% many ops of little time each are tested as one.
COMMANDS = {
    "report": (["report", "A1"], (0,), False),
    "total": (["report", "A1", "--value=total"], (0,), False),
    "all rows": (["report", "A1", "--top=all"], (0,), False),
    "per run": (["report", "A1", "--per-run"], (0,), False),
    "several": (["report", "A1", "A2", "--runs=files", "-o", "OUT.csv"], (0,), False),
    "compare": (["compare", "--base", "A1", "A2", "--new", "B1", "B2", "--runs=files", "--kind=all", "--warmup=none",
                 "--min-share=0%"], (0,), False),
    "nearest": (["compare", "--base", "A1", "A2", "--new", "C1", "C2", "--runs=files", "--kind=all", "--warmup=none",
                 "--min-share=0%", "--match=nearest"], (0,), False),
    "gate": (["gate", "--base", "A1", "A2", "--new", "B1", "B2", "--runs=files", "--min-share=0%"], (0, 1, 3, 4), False),
    "merge": (["timeline", "merge", "A1", "A2", "-o", "OUT.json"], (0,), True),
    "mean": (["timeline", "mean", "A1", "-o", "OUT.json"], (0,), True),
    "events": (["events", "A1", "-o", "OUT.csv"], (0,), True),
    "export csv": (["export", "A1", "-o", "OUT.csv"], (0,), False),
    "export obs": (["export", "A1", "-o", "OUT.obs"], (0,), False),
    "sql": (["sql", "A1", "SELECT count(*), sum(value) FROM obs"], (0,), False),
}


class Refused(Exception):
    """The command does not do this with such an input; its words."""


def run(command, statuses):
    """CPU seconds, user and system: their sum is exact, the kernel only samples which is which."""
    def cap():
        resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=said, preexec_fn=cap)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode < 0:
            return math.inf
        if child.returncode not in statuses:
            said.seek(0)
            raise Refused(said.read().decode(errors="replace").splitlines()[0])
    return usage.ru_utime + usage.ru_stime


class Inputs:
    """The files of one format and axis, made when they are asked for and kept until the next axis."""

    def __init__(self, folder, name, axis):
        self.folder, self.name, self.axis, self.made = folder, name, axis, {}

    def path(self, which, n):
        make, suffix, _, _ = FORMATS[self.name]
        path = os.path.join(self.folder, f"{which}_{n}{suffix}")
        if path in self.made:
            return path
        text = make(self.axis, n, "A1 A2 B1 B2 C1 C2".split().index(which))
        if which[0] == "C" and self.axis == "names" and isinstance(text, str):  # other names for the same ops: the nearest is looked for
            text = text.replace("/op", "/op_x").replace("  op", "  op_x")
        table = os.path.splitext(path)[0] + ".csv" if suffix in (".obs", ".part") else path
        with open(table, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        if table != path:
            subprocess.run([PROGRAM, "export" if suffix == ".obs" else "merge", table, "-o", path], check=True)
        self.made[path] = True
        return path

    def command(self, words, n):
        if self.axis == "runs":  # they are in the file
            words = [w for w in words if w not in ("--runs=files", "A2", "B2", "C2")]
        files = {w: self.path(w, n) for w in words if w in ("A1", "A2", "B1", "B2", "C1", "C2")}
        out = os.path.join(self.folder, "OUT")
        return [files.get(w) or (out + w[3:] if w.startswith("OUT.") else w) for w in words] + FORMATS[self.name][2]


def best(inputs, words, statuses, n, times):
    command = inputs.command(words, n)
    return min(run(command, statuses) for _ in range(times))


def exponent_of(one, four):
    return math.log(max(four - START, 1e-3) / max(one - START, 1e-3), 4)


def measure(inputs, command):
    """N, seconds at N and 4 N, exponent; the exponent is None where 4 N is too fast to be measured."""
    words, statuses, _ = COMMANDS[command]
    n = FIRST[inputs.axis]
    most = LARGEST
    if command == "nearest" and inputs.axis == "names":  # no more than 3000 names are compared
        n = most = 700
    while True:
        four = best(inputs, words, statuses, 4 * n, 1)
        if four >= FLOOR or n >= most:
            break
        n *= 4
    one = best(inputs, words, statuses, n, 2)
    if four < FLOOR / 2:
        return n, one, four, None
    exponent = exponent_of(one, four)
    if exponent > LIMIT - 0.1 and four < 10:  # other jobs only make it slower
        one = min(one, best(inputs, words, statuses, n, 4))
        four = min(four, best(inputs, words, statuses, 4 * n, 4))
        exponent = exponent_of(one, four)
    return n, one, four, exponent


def main(words):
    global START
    START = min(run(["--version"], (0,)) for _ in range(9))
    number = failed = 0
    table = []
    for name, (make, _, _, is_trace) in FORMATS.items():
        for axis in FIRST:
            if make(axis, 4, 0) is None:
                continue
            folder = tempfile.mkdtemp(prefix="stepstat-scaling-")
            inputs = Inputs(folder, name, axis)
            for command in COMMANDS:
                if COMMANDS[command][2] and not is_trace:
                    continue
                if not all(w in (name, axis, command) for w in words):
                    continue
                number += 1
                what = f"{number} - {name}, {axis}, {command}"
                try:
                    n, one, four, exponent = measure(inputs, command)
                except Refused as why:
                    print(f"ok {what} # SKIP {why}", flush=True)
                    table.append((name, axis, command, "refused"))
                    continue
                good = exponent is None or exponent <= LIMIT
                failed += not good
                told = "too fast" if exponent is None else f"{exponent:.2f}"
                print(f"{'ok' if good else 'not ok'} {what}: {told} ({one:.3f} s at {n}, {four:.3f} s at {4 * n})",
                      flush=True)
                table.append((name, axis, command, told))
            shutil.rmtree(folder)
    print(f"1..{number}")
    print(f"# {len({(a, b) for a, b, _, _ in table})} shapes")
    print("# exponents of CPU time; -: below what can be measured; .: refused")
    rows = sorted({(a, b) for a, b, _, _ in table}, key=lambda r: (list(FORMATS).index(r[0]), list(FIRST).index(r[1])))
    print("# " + f"{'':24}" + "".join(f"{c:>11}" for c in COMMANDS))
    short = {"too fast": "-", "refused": "."}
    for row in rows:
        cells = {c: short.get(t, t) for a, b, c, t in table if (a, b) == row}
        print("# " + f"{row[0] + ', ' + row[1]:24}" + "".join(f"{cells.get(c, ''):>11}" for c in COMMANDS))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
