"""Traces of made servers, whose markers execute_context_* are only the launch: servers.py FOLDER SEED [CAUSE].

Five runs of 12 steps in FOLDER, of a server that SEED chooses, as PyTorch's profiler writes them. With a CAUSE each period
is 10 % longer: idle (the host pauses between the steps), kernel (each kernel takes longer), queue (the first kernel waits
longer after its launch), marker (the host takes longer in the marker, after its launches). With `wait` no period is longer,
but the host waits for the work in the marker."""

import json
import os
import random
import sys

folder, seed, cause = sys.argv[1], int(sys.argv[2]), (sys.argv[3:] or [""])[0]
world = random.Random(seed)
kernels, period, marker = world.randint(2, 9), world.uniform(4000, 30000), world.uniform(200, 900)
busy, queue = world.uniform(0.55, 0.85) * period, world.uniform(20, 60)
rest = period - busy - queue
chance = random.Random(f"{folder} {seed} {cause}")
os.makedirs(folder, exist_ok=True)
for run in range(5):
    events, now, link = [], 1e6, 1
    speed = chance.gauss(1, 0.003)
    for _ in range(12):
        more = {c: 0.1 * period if c == cause else 0 for c in ("idle", "kernel", "queue", "marker")}
        wide = marker + more["marker"]
        mark = {"ph": "X", "cat": "user_annotation", "name": "execute_context_0(0)_generation_8(8)", "pid": 10, "tid": 1,
                "ts": round(now, 3), "dur": round(wide * speed, 3)}
        at = now + (queue + more["queue"]) * speed
        for k in range(kernels):
            took = (busy + more["kernel"]) / kernels * speed * chance.gauss(1, 0.01)
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 1, "ts": round(now + 5 + 9 * k, 3),
                           "dur": 4, "args": {"correlation": link}})
            events.append({"ph": "X", "cat": "kernel", "name": "gemm_%d" % k, "pid": 0, "tid": 7, "ts": round(at, 3), "dur": round(took, 3),
                           "args": {"device": 0, "stream": 7, "correlation": link}})
            at, link = at + took, link + 1
        if cause == "wait":
            mark["dur"] = round(at + 5 - now, 3)
        events.append(mark)
        now = at + (rest + more["idle"] + more["marker"]) * speed * chance.gauss(1, 0.02)
    trace = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100"}], "traceEvents": events}
    with open("%s/r%d.pt.trace.json" % (folder, run), "w") as file:
        json.dump(trace, file)
