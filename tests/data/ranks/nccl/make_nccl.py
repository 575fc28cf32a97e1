#!/usr/bin/env python3
"""Makes rank0.json ... rank3.json: a job of four ranks with NCCL, in which only group and number tell
which calls are one collective. README.md has the arithmetic. Usage: make_nccl.py, in this folder."""
import json

ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
SEND_RECV = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"
GEMM = [100, 100, 160, 100]
# us, per step and rank; None: the kernel is not in the trace
PAIR = [[50, 20, 15, 75], [22, 61, 16, 40], [33.5, 20.25, 18, None]]
WORLD = [[70, 90, 30, 80], [64, 71, 31, 52], [45, 55, 29, 60]]


def event(category, name, pid, tid, ts, dur, **args):
    return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}


def described(collective, group, ranks, number):
    return {"Collective name": collective, "dtype": "Float", "In msg nelems": 1024, "Out msg nelems": 1024,
            "Group size": len(ranks), "Process Group Name": group, "Process Group Ranks": str(ranks), "Seq": number}


def step_of(rank, step):
    base, ids = 1000 * step, 100 * step
    pair = ("1", [0, 1]) if rank < 2 else ("2", [2, 3])
    yield event("user_annotation", f"ProfilerStep#{step}", 10, 10, base, 900)
    yield event("cpu_op", "aten::mm", 10, 10, base + 10, 20, **{"External id": ids})
    yield event("cuda_runtime", "cudaLaunchKernel", 10, 10, base + 15, 5, correlation=ids)
    yield event("kernel", "gemm", 0, 7, base + 100, GEMM[rank], device=0, stream=7, correlation=ids)
    # Which of the two starts first differs from rank to rank: they are on streams of their own.
    first = rank in (0, 3)
    calls = [(ALL_REDUCE, "allreduce", *pair, PAIR[step - 1][rank], 20, 300 if first else 310),
             (ALL_REDUCE, "allreduce", "0", [0, 1, 2, 3], WORLD[step - 1][rank], 24, 310 if first else 300),
             (SEND_RECV, "send", "0", [0, 1, 2, 3], 400 if rank == 0 else 3, 28, 420)]
    for i, (kernel, collective, group, ranks, us, stream, start) in enumerate(calls, 1):
        says = described(collective, group, ranks, step)
        yield event("cpu_op", "record_param_comms", 10, 10, base + 30 * i + 10, 20,
                    **{"External id": ids + i}, **says)
        yield event("cuda_runtime", "cudaLaunchKernelExC", 10, 10, base + 30 * i + 15, 5, correlation=ids + i)
        if us is None:
            continue
        # Kernels of ranks 1 and 3 refer to the op, as those of older versions.
        more = says if rank in (0, 2) else {}
        yield event("kernel", kernel, 0, stream, base + start, us, device=0, stream=stream, correlation=ids + i,
                    **{"External id": ids + i}, **more)


for rank in range(4):
    events = [e for step in (1, 2, 3) for e in step_of(rank, step)]
    with open(f"rank{rank}.json", "w") as file:
        file.write('{"schemaVersion": 1, "baseTimeNanoseconds": 1700000000000000000,\n"distributedInfo": ')
        json.dump({"backend": "nccl", "rank": rank, "world_size": 4}, file)
        file.write(',\n"traceEvents": [\n' + ",\n".join(map(json.dumps, events)) + "\n]}\n")
