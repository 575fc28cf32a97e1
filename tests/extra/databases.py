#!/usr/bin/env python3
"""A database of Nsight Systems and the same events as a PyTorch trace give the same report: every observation, the times of the
steps, the parts of devices; rows of ops, launchers, annotations and phases.

usage: databases.py STEPSTAT TOP
"""
import csv
import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

MEMORY = ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"]
COPY = ["Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"]


def decimal_us(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def kineto(db, pid):
    """The events of one process as PyTorch's profiler writes them, one text for each."""
    db.row_factory = sqlite3.Row
    text = {r["id"]: r["value"] for r in db.execute("SELECT id, value FROM StringIds")}

    def slice_of(category, name, process, thread, row, **args):
        head = {"ph": "X", "cat": category, "name": name, "pid": process, "tid": thread}
        times = f', "ts": {decimal_us(row["start"])}, "dur": {decimal_us(row["end"] - row["start"])}'
        return json.dumps(head)[:-1] + times + ', "args": ' + json.dumps(args) + "}"

    for r in db.execute("SELECT * FROM NVTX_EVENTS WHERE eventType = 59 AND end IS NOT NULL"):
        if r["globalTid"] >> 24 & 0xFFFFFF == pid:
            full = text[r["textId"]] if r["text"] is None else r["text"]
            name = re.split(r", (?:seq|op_id) = ", full)[0]
            is_op = name != full and re.fullmatch(r"[A-Za-z0-9_:]+", name)
            name = re.sub(r"^step (\d+)$", r"ProfilerStep#\1", name)
            number = {"Sequence number": 1} if ", seq = " in full else {}
            yield slice_of("cpu_op" if is_op else "user_annotation", name, pid, r["globalTid"] & 0xFFFFFF, r, **number)
    for r in db.execute("SELECT * FROM CUPTI_ACTIVITY_KIND_RUNTIME"):
        if r["globalTid"] >> 24 & 0xFFFFFF == pid:
            name = re.sub(r"_v\d{4,}$", "", text[r["nameId"]])
            yield slice_of("cuda_driver" if r["eventClass"] == 1 else "cuda_runtime", name, pid, r["globalTid"] & 0xFFFFFF, r,
                           correlation=r["correlationId"])
    for table in ("KERNEL", "MEMCPY", "MEMSET"):
        for r in db.execute(f"SELECT * FROM CUPTI_ACTIVITY_KIND_{table}"):
            if r["globalPid"] >> 24 & 0xFFFFFF != pid:
                continue
            more = {"correlation": r["correlationId"], "device": r["deviceId"], "stream": r["streamId"]}
            if table == "KERNEL":
                category, name = "kernel", text[r["demangledName"]]
            elif table == "MEMCPY":
                category, name = "gpu_memcpy", f"Memcpy {COPY[r['copyKind']]} ({MEMORY[r['srcKind']]} -> {MEMORY[r['dstKind']]})"
            else:
                category, name = "gpu_memset", f"Memset ({MEMORY[r['memKind']]})"
            if table != "KERNEL" and isinstance(r["bytes"], int):
                more["bytes"] = r["bytes"]
            yield slice_of(category, name, r["deviceId"], r["streamId"], r, **more)


def values(stepstat, path, rank, options):
    """(step, op, measure, unit) -> value, of one rank."""
    out = path + ".csv"
    subprocess.run([stepstat, "export", path, *options, "--to=csv", "-o", out], check=True, stderr=subprocess.DEVNULL)
    with open(out, newline="") as table:
        return {(r["step"], r["op"], r["measure"], r["unit"]): r["value"] for r in csv.DictReader(table)
                if r["step"] and r.get("rank", "") in ("", rank)}


def main(stepstat, top):
    marker = r"--step-marker=^FSDP::pre_forward \(blocks\.(\d+)\."
    cases = [("mfu_2gpu_after", 148, "pid 148", [[marker], ["--by=launcher", "--value=total"], ["--by=annotation"]]),
             ("mfu_2gpu_after", 149, "pid 149", [[], ["--by=phase"], ["--by=class"]]),
             ("steps", 100, "1", [[], ["--by=launcher"], ["--by=phase"], ["--value=total"]]),
             ("steps", 200, "0", [[], ["--by=annotation"]])]
    failed = count = 0
    for name, pid, rank, choices in cases:
        with tempfile.TemporaryDirectory() as folder:
            plain, trace = os.path.join(folder, "x.sqlite"), os.path.join(folder, "x.pt.trace.json")
            with gzip.open(os.path.join(top, "tests/data/nsight", name + ".sqlite.gz")) as packed, open(plain, "wb") as file:
                file.write(packed.read())
            with sqlite3.connect(plain) as db, open(trace, "w") as file:
                file.write('{"schemaVersion": 1, "traceEvents": [\n' + ",\n".join(kineto(db, pid)) + "\n]}\n")
            for options in choices:
                count += 1
                found, expected = values(stepstat, plain, rank, options), values(stepstat, trace, rank, options)
                different = [k for k in sorted(set(found) | set(expected)) if found.get(k) != expected.get(k)]
                is_equal = bool(expected) and not different
                failed += not is_equal
                print("ok" if is_equal else "not ok", count, "-", name, pid, *options, f"({len(expected)} values)")
                for key in different[:5]:
                    print("#", key, "database", found.get(key), "trace", expected.get(key))
    print(f"1..{count}")
    return failed > 0


sys.exit(main(sys.argv[1], sys.argv[2]))
