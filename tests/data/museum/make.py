#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the museum: small traces, each with one known bug of a producer (README.md).

make.py            writes all files of the museum beside itself, the same bytes each time
make.py DIR        the same into DIR
make.py --large DIR  only the traces of 1 000 000 events (146 to 216 MB each), which are not kept

Times of the events are in ns here; each producer's form of them is made when they are written.
"""

import json
import os
import sys

BASE = 1751410836000000000  # Kineto counts from the start of a quarter of a year, ns
START = 1428625731456000000 + 483000  # of the recording after BASE, ns
STEP = 2000000  # from step to step
US = 1000
GEMM = "ampere_sgemm_128x64_tn"
ADD = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>"
HIP_ADD = "void at::native::elementwise_kernel<512, 1>"


def fixed(ns):
    """Microseconds with 3 decimals, as Kineto prints ns."""
    return "%s%d.%03d" % ("-" if ns < 0 else "", abs(ns) // 1000, abs(ns) % 1000)


def members(pairs):
    return "{" + ", ".join('"%s": %s' % pair for pair in pairs) + "}"


class Kineto:
    """A PyTorch trace as libkineto's ChromeTraceLogger writes it since 2024, one event a line."""

    host, thread, gpu, stream = 25286, 25286, 0, 7

    def __init__(self, **header):
        self.events = []
        self.next_id = 1
        self.next_correlation = 675771
        self.last_ns = START
        self.header = header
        self.span = None

    def x(self, cat, name, pid, tid, ts, dur, args):
        event = {"cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur,
                 "args": args}
        self.events.append(event)
        self.last_ns = max(self.last_ns, ts + dur)
        return event

    def op(self, name, ts, dur, cat="cpu_op", **args):
        args = {"External id": self.next_id, "Record function id": 0, **args}
        self.next_id += 1
        return self.x(cat, name, self.host, self.thread, ts, dur, args)

    def step(self, number, ts, dur):
        return self.op("ProfilerStep#%d" % number, ts, dur, "user_annotation")

    def launch(self, op, name, ts, dur, cat="cuda_runtime", cbid=211):
        self.next_correlation += 7
        return self.x(cat, name, self.host, self.thread, ts, dur,
                      {"External id": op["args"]["External id"], "cbid": cbid,
                       "correlation": self.next_correlation})

    def device(self, launch, name, ts, dur, stream=None, cat="kernel", **args):
        stream = self.stream if stream is None else stream
        return self.x(cat, name, self.gpu, stream, ts, dur,
                      {"External id": launch["args"]["External id"], "device": self.gpu,
                       "context": 1, "stream": stream,
                       "correlation": launch["args"]["correlation"], **args})

    def call(self, at, op, kernel, kernel_at, kernel_dur, launch="cudaLaunchKernel",
             cat="cuda_runtime", **rest):
        """An op with a launch in it and the kernel that it launches."""
        the_op = self.op(op, at, 60 * US)
        the_launch = self.launch(the_op, launch, at + 20 * US, 12 * US, cat)
        return the_op, the_launch, self.device(the_launch, kernel, kernel_at, kernel_dur, **rest)

    def steps(self, count, first=5, gemm=GEMM, add=ADD, launch="cudaLaunchKernel"):
        """`count` steps of aten::mm and aten::add; [{step, mm, add}], each (op, launch, kernel)."""
        out = []
        for i in range(count):
            at = START + 500 * US + i * STEP
            out.append({
                "at": at,
                "step": self.step(first + i, at, 1900 * US),
                "mm": self.call(at + 100 * US, "aten::mm", gemm, at + 150 * US,
                                900 * US + 3 * US * i, launch),
                "add": self.call(at + 300 * US, "aten::add", add, at + 1100 * US,
                                 45 * US + 200 * i, launch),
            })
        return out

    def drop(self, event):
        self.events = [e for e in self.events if e is not event]

    def write(self, path, tail="]", text=lambda s: s):
        end = self.span if self.span is not None else self.last_ns + 100 * US
        head = {"schemaVersion": 1,
                "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "numSms": 108}],
                **self.header}
        lines = []
        for event in self.events:
            lines.append(members([
                ("ph", '"X"'), ("cat", json.dumps(event["cat"])),
                ("name", json.dumps(event["name"])),
                ("pid", json.dumps(event["pid"])), ("tid", json.dumps(event["tid"])),
                ("ts", fixed(event["ts"])), ("dur", fixed(event["dur"])),
                ("args", json.dumps(event["args"]))]))
        lines.append('{"name": "process_name", "ph": "M", "ts": %s, "pid": %d, "tid": 0, '
                     '"args": {"name": "python"}}' % (fixed(START), self.host))
        lines.append('{"name": "process_labels", "ph": "M", "ts": %s, "pid": %d, "tid": 0, '
                     '"args": {"labels": "GPU 0"}}' % (fixed(START), self.gpu))
        lines.append('{"ph": "X", "cat": "Trace", "ts": %s, "dur": %s, "pid": "Spans", '
                     '"tid": "PyTorch Profiler", "name": "PyTorch Profiler (0)", '
                     '"args": {"Op count": 0}}' % (fixed(START), fixed(end - START)))
        lines.append('{"name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g", '
                     '"pid": "Traces", "tid": "Trace PyTorch Profiler", "ts": %s}' % fixed(START))
        lines.append('{"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", '
                     '"ts": %s}' % fixed(end + 1000 * US))
        body = "{\n" + "".join('"%s": %s,\n' % (k, json.dumps(v)) for k, v in head.items())
        body += '"displayTimeUnit": "ms",\n"baseTimeNanoseconds": %d,\n"traceEvents": [\n' % BASE
        body += ",\n".join(lines) + "\n"
        if tail == "]":
            body += '],\n"traceName": "trace.json"\n}\n'
        put(path, text(body))


def put(path, text):
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        f.write(text)


# ---- PyTorch: kernels and their times


def zero_time_second_half(path):
    t = Kineto(cuda_runtime_version=13000, cuda_driver_version=13000)
    for i, s in enumerate(t.steps(6)):
        for op in ("mm", "add"):
            if i >= 3:
                s[op][2]["ts"] = s[op][2]["dur"] = 0
    t.write(path)


def zero_time_2021(path):
    """Times in whole us since 1970, types with capitals, threads as text: libkineto of 2021."""
    events = []
    base, host = 1615207264500000, 29463
    for i in range(3):
        at = base + i * 3000
        events.append(members([
            ("ph", '"X"'), ("cat", '"Operator"'), ("name", '"ProfilerStep#%d"' % (i + 2)),
            ("pid", host), ("tid", '"%d"' % host), ("ts", at), ("dur", 2800),
            ("args", '{"Device": %d, "External id": %d, "Trace name": "PyTorch Profiler", '
                     '"Trace iteration": 0}' % (host, 34000 + i))]))
        for k in range(2):
            corr, ext = 106100 + 10 * i + k, 34700 + 10 * i + k
            lost = i == 1 and k == 1
            begin, dur = (0, 0) if lost else (at + 400 + 1000 * k, 900 + 10 * i + k)
            events.append(members([
                ("ph", '"X"'), ("cat", '"Operator"'), ("name", '"aten::addmm"'), ("pid", host),
                ("tid", '"%d"' % host), ("ts", at + 100 + 200 * k), ("dur", 90),
                ("args", '{"Device": %d, "External id": %d, "Trace name": "PyTorch Profiler", '
                         '"Trace iteration": 0}' % (host, ext))]))
            events.append(members([
                ("ph", '"X"'), ("cat", '"Kernel"'), ("name", '"volta_sgemm_64x64_nt"'), ("pid", 0),
                ("tid", '"stream 7"'), ("ts", begin), ("dur", dur),
                ("args", '{"queued": 0, "device": 0, "context": 1, "stream": 7, '
                         '"correlation": %d, "external id": %d, "grid": [4, 4, 36], '
                         '"block": [64, 1, 1]}' % (corr, ext))]))
            events.append('{"ph": "f", "id": %d, "pid": 0, "tid": "stream 7", "ts": %d, '
                          '"cat": "async", "name": "launch", "bp": "e"}' % (corr, begin))
            events.append(members([
                ("ph", '"X"'), ("cat", '"Runtime"'), ("name", '"cudaLaunchKernel"'), ("pid", host),
                ("tid", '"%d"' % host), ("ts", at + 120 + 200 * k), ("dur", 6),
                ("args", '{"cbid": 211, "correlation": %d, "external id": %d, "external ts": %d}'
                 % (corr, ext, at + 100 + 200 * k))]))
            events.append('{"ph": "s", "id": %d, "pid": %d, "tid": %d, "ts": %d, "cat": "async", '
                          '"name": "launch"}' % (corr, host, host, at + 120 + 200 * k))
    events.append('{"ph": "X", "cat": "Trace", "ts": %d, "dur": %d, "pid": "Traces", '
                  '"tid": "PyTorch Profiler", "name": "PyTorch Profiler (0)", '
                  '"args": {"Op count": 0}}'
                  % (base - 100, 9300))
    put(path, '{\n"schemaVersion": 1,\n"deviceProperties": [{"id": 0, "name": "Tesla V100"}],\n'
              '"traceEvents": [\n' + ",\n".join(events) + "\n]}\n")


def zero_duration(path):
    t = Kineto()
    for i, s in enumerate(t.steps(4)):
        if i in (1, 3):
            s["add"][2]["dur"] = 0
    t.write(path)


def overflowing_duration(path):
    fmha = "ck_fmha_bwd_dq_dk_dv_kernel"
    t = Kineto(hip_runtime_version=70051831)
    steps = t.steps(4, gemm=fmha, add=HIP_ADD, launch="hipExtModuleLaunchKernel")
    steps[1]["mm"][2]["dur"] = 1600000 * US  # 1.6 s; the add on the stream begins after 0.95 ms
    t.span = steps[3]["at"] + 2000 * US
    t.write(path)


def copies_of_seconds(path):
    copy = "Memcpy DtoH (Device -> Pageable)"
    t = Kineto(hip_runtime_version=60443483)
    steps = t.steps(3, add=HIP_ADD, launch="hipLaunchKernel")
    for i, s in enumerate(steps):
        op = t.op("aten::copy_", s["at"] + 400 * US, 60 * US)
        launch = t.launch(op, "hipMemcpyWithStream", s["at"] + 410 * US, 40 * US)
        t.device(launch, copy, s["at"] + 1200 * US, (380 + i) * US, cat="gpu_memcpy", bytes=9700000)
    t.events[-1]["dur"] = 380 * US
    bad = [e for e in t.events if e["name"] == copy][:2]
    bad[0]["dur"], bad[1]["dur"] = 3151000 * US, 3148000 * US
    t.span = steps[-1]["at"] + 2000 * US
    t.write(path)


def ties(path):
    """Ends and starts of one ns, and an overlap of 27 ns: the resolution of the GPU's clock."""
    t = Kineto(hip_runtime_version=60200000)
    for i, s in enumerate(t.steps(3, gemm="MIOpenBatchNormFwdTrainSpatialNorm",
                                  add="batched_transpose_32x32_dword", launch="hipLaunchKernel")):
        first, second = s["mm"][2], s["add"][2]
        second["ts"] = first["ts"] + first["dur"] - (27 if i == 2 else 0)
    t.write(path)


def before_launch_nccl(path):
    a2a = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"
    t = Kineto()
    for i, s in enumerate(t.steps(4)):
        op = t.op("_c10d_functional::all_to_all_single", s["at"] + 400 * US, 60 * US)
        launch = t.launch(op, "cuLaunchKernelEx", s["at"] + 430 * US, 9 * US, "cuda_driver", 652)
        lead = {1: 4250, 3: 12750}.get(i, -3000)  # ns before the launch
        t.device(launch, a2a, launch["ts"] - lead, 120 * US, stream=20)
    t.write(path)


def gpu_clock_offset(path):
    """All device times 640 us too early: roctracer was aligned to another clock than the ops."""
    t = Kineto(roctracer_version=4.1)
    for s in t.steps(4, gemm="Cijk_Ailk_Bljk_SB_MT128x128x16", add=HIP_ADD,
                     launch="hipLaunchKernel"):
        s["mm"][2]["ts"] -= 640 * US
        s["add"][2]["ts"] -= 640 * US
    t.write(path)


def gpu_clock_late(path):
    """Device times are late, by more in each session: waiting ends before the kernels do."""
    t = Kineto(cuda_runtime_version=12090)
    for s in t.steps(3):
        op = t.op("cudaDeviceSynchronize", s["at"] + 400 * US, 770 * US, "cuda_runtime")
        t.next_correlation += 7
        op["args"] = {"cbid": 165, "correlation": t.next_correlation}
        s["mm"][2]["ts"] += 250 * US
        s["add"][2]["ts"] += 250 * US
    t.write(path)


def first_kernels_lost(path):
    t = Kineto()
    steps = t.steps(5)
    for s in steps[:2]:
        t.drop(s["mm"][2])
        t.drop(s["add"][2])
    t.write(path)


def all_kernels_out_of_range(path):
    t = Kineto(cuda_runtime_version=12010)
    for s in t.steps(3):
        t.drop(s["mm"][2])
        t.drop(s["add"][2])
    t.write(path)


def stopped_in_step(path):
    t = Kineto()
    steps = t.steps(4)
    last = steps[3]
    for event in last["add"]:
        t.drop(event)
    last["step"]["dur"] = 240 * US  # the recording ends here
    last["mm"][2]["dur"] = 90 * US
    t.last_ns = max(e["ts"] + e["dur"] for e in t.events)
    t.span = last["at"] + 241 * US
    t.write(path)


def dropped_buffers(path):
    t = Kineto()
    steps = t.steps(4)
    t.drop(steps[2]["add"][2])
    t.drop(steps[3]["mm"][2])
    t.drop(steps[3]["add"][2])
    t.write(path)


def correlation_zero(path):
    comm = "ncclDevKernel_Generic(ncclDevComm*, channelMasks, ncclWork*)"
    t = Kineto(roctracer_version=4.1)
    for i, s in enumerate(t.steps(3, add=HIP_ADD, launch="hipLaunchKernel")):
        op = t.op("c10d::allreduce_", s["at"] + 400 * US, 60 * US)
        launch = t.launch(op, "hipExtLaunchKernel", s["at"] + 420 * US, 12 * US)
        kernel = t.device(launch, comm, s["at"] + 1200 * US, (300 + 10 * i) * US, stream=2)
        kernel["args"]["correlation"] = 0
        del kernel["args"]["External id"]
    t.write(path)


def driver_launch_not_recorded(path):
    t = Kineto()
    for i, s in enumerate(t.steps(3)):
        op = t.op("triton_poi_fused_add_relu_0", s["at"] + 400 * US, 60 * US)
        launch = t.launch(op, "cuLaunchKernel", s["at"] + 420 * US, 7 * US, "cuda_driver", 307)
        kernel = t.device(launch, "triton_poi_fused_add_relu_0", s["at"] + 1200 * US, (70 + i) * US)
        del kernel["args"]["External id"]
        t.drop(launch)
    t.write(path)


def on_demand(path):
    """Dynolog starts at any time: no ProfilerStep, and the first kernels were launched before."""
    t = Kineto()
    steps = t.steps(3)
    for s in steps:
        t.drop(s["step"])
    for event in steps[0]["mm"][:2] + steps[0]["add"][:2]:
        t.drop(event)
    t.write(path)


def cupti_236_years(path):
    t = Kineto()
    steps = t.steps(4)
    steps[2]["add"][2]["dur"] = 236 * 365 * 86400 * 10 ** 9
    t.last_ns = steps[3]["at"] + 1900 * US
    t.write(path)


def over_extended(path):
    t = Kineto()
    steps = t.steps(3)
    steps[2]["add"][2]["dur"] = 4 * 10 ** 9  # the last of its stream: no other begins in it
    t.span = steps[2]["at"] + 2000 * US
    t.write(path)


def negative_duration(path):
    """An op that has not ended has the end 0: its dur is minus its start since 1970."""
    t = Kineto()
    steps = t.steps(3)
    steps[1]["add"][0]["dur"] = -(BASE + steps[1]["add"][0]["ts"])
    steps[1]["add"][0]["name"] = "aten::add"
    t.write(path)


def unfinished_minus_one(path):
    t = Kineto()
    steps = t.steps(3)
    for s in steps[1:]:
        wait = t.op("aten::item", s["at"] + 1300 * US, 200 * US)
        wait["dur"] = -1
    t.op("aten::item", steps[0]["at"] + 1300 * US, 200 * US)
    t.write(path)


def kernels_twice(path):
    t = Kineto()
    for i, s in enumerate(t.steps(3)):
        if i > 0:
            t.events.append(dict(s["mm"][2]))
    t.write(path)


# ---- PyTorch: the host's slices


def lightning_steps(path):
    t = Kineto()
    steps = t.steps(4)
    for i, s in enumerate(steps):
        if i < 3:  # begins in this ProfilerStep and ends in the next
            t.op("Optimizer.step#Adam.step", s["at"] + 1500 * US, 700 * US, "user_annotation")
            s["step"]["dur"] = 1950 * US
    for s in steps[1:]:
        for event in s["mm"][:2]:
            event["ts"] += 250 * US
        s["mm"][2]["ts"] += 250 * US
        for event in s["add"]:
            event["ts"] += 250 * US
    t.last_ns = steps[3]["at"] + 2000 * US
    t.write(path)


def hip_call_outlives_op(path):
    t = Kineto(roctracer_version=4.1)
    for i, s in enumerate(t.steps(3, add=HIP_ADD, launch="hipLaunchKernel")):
        if i != 1:
            launch = s["mm"][1]
            launch["dur"] = 60 * US  # the op ends 20 us before its hip call
    t.write(path)


def never_returned(path):
    """Frames whose return was not seen end when the profiler stops."""
    t = Kineto(with_stack=1)
    steps = t.steps(2)
    stop = steps[1]["at"] + 1990 * US
    python = 0
    for s in steps:
        frame = t.op("train.py(12): forward", s["at"] + 50 * US, 800 * US, "python_function")
        python += 1
        frame["args"] = {"Python parent id": None, "Python id": python, "Ev Idx": python}
        child = t.op("<built-in method apply of FunctionMeta object>", s["at"] + 80 * US, 0,
                     "python_function")
        child["dur"] = stop - child["ts"]
        python += 1
        child["args"] = {"Python parent id": python - 1, "Python id": python, "Ev Idx": python}
    t.write(path)


def correlation_shared(path):
    """roctracer gives every copy to the host the same correlation."""
    t = Kineto(roctracer_version=4.1)
    for i, s in enumerate(t.steps(3, add=HIP_ADD, launch="hipLaunchKernel")):
        op = t.op("aten::copy_", s["at"] + 400 * US, 60 * US)
        launch = t.launch(op, "hipMemcpyAsync", s["at"] + 420 * US, 12 * US)
        launch["args"]["correlation"] = 5
        t.device(launch, "Memcpy DtoH (Device -> Pageable)", s["at"] + 1200 * US, (80 + i) * US,
                 cat="gpu_memcpy", bytes=4096)
    t.write(path)


# ---- PyTorch: rules of its own validator


def sync(t, name, ts, dur, stream, **args):
    t.next_correlation += 7
    return t.x("cuda_sync", name, t.gpu, stream, ts, dur,
               {"cuda_sync_kind": name, "stream": stream, "correlation": t.next_correlation,
                "device": t.gpu, "context": 1, **args})


def wait_without_record(path):
    t = Kineto()
    for i, s in enumerate(t.steps(3)):
        sync(t, "Stream Wait Event", s["at"] + 1160 * US, 1 * US, 20, wait_on_stream=-1,
             wait_on_cuda_event_record_corr_id=-1, wait_on_cuda_event_id=3 + i)
    t.write(path)


def wait_for_the_future(path):
    t = Kineto()
    for i, s in enumerate(t.steps(3)):
        op = t.op("record_event", s["at"] + 400 * US, 30 * US)
        record = t.launch(op, "cudaEventRecord", s["at"] + 410 * US, 3 * US, cbid=135)
        late = -30 * US if i == 2 else 700 * US
        sync(t, "Stream Wait Event", record["ts"] + late, 1 * US, 20, wait_on_stream=7,
             wait_on_cuda_event_record_corr_id=record["args"]["correlation"],
             wait_on_cuda_event_id=3)
    t.write(path)


def sync_over_kernel(path):
    t = Kineto()
    for i, s in enumerate(t.steps(3)):
        kernel = s["add"][2]
        end = kernel["ts"] + kernel["dur"]
        sync(t, "Stream Sync", end - (30 * US if i == 1 else -5 * US), 10 * US, 7)
    t.write(path)


def nccl_metadata(path):
    comm = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
    t = Kineto(distributedInfo={"backend": "nccl", "rank": 0, "world_size": 2})
    for i, s in enumerate(t.steps(3)):
        args = {"Collective name": "allreduce", "dtype": "Float", "In msg nelems": 25557032,
                "Out msg nelems": 25557032, "Group size": 2, "Comms Id": 13835058055282163712 + i}
        if i == 1:
            del args["dtype"], args["In msg nelems"], args["Out msg nelems"]
        op = t.op("record_param_comms", s["at"] + 400 * US, 60 * US, **args)
        launch = t.launch(op, "cudaLaunchKernelExC", s["at"] + 420 * US, 12 * US, cbid=430)
        t.device(launch, comm, s["at"] + 1200 * US, (300 + 10 * i) * US, stream=20)
    t.write(path)


def backward_shared(path):
    t = Kineto()
    for i, s in enumerate(t.steps(3)):
        for k, name in enumerate(("AddmmBackward0", "ReluBackward0")):
            number = 40 + 2 * i + (0 if i == 1 else k)
            t.op("autograd::engine::evaluate_function: " + name, s["at"] + (400 + 100 * k) * US,
                 60 * US, **{"Sequence number": number, "Fwd thread id": 1})
    t.write(path)


# ---- PyTorch: text that is not JSON, numbers that are large


def large_ids(path):
    t = Kineto(distributedInfo={"backend": "nccl", "rank": 70, "world_size": 128})
    t.next_correlation = 2 ** 32 - 20
    for i, s in enumerate(t.steps(3)):
        t.op("record_param_comms", s["at"] + 400 * US, 60 * US,
             **{"Collective name": "allreduce", "dtype": "Float", "In msg nelems": 4,
                "Out msg nelems": 4, "Group size": 128, "Comms Id": 2 ** 64 - 1 - i})
    t.write(path)


def quotes_in_names(path):
    name = '{"device": "cpu", "dtype": "float32"}(12): run'
    t = Kineto(with_stack=1)
    for i, s in enumerate(t.steps(2)):
        frame = t.op(name, s["at"] + 50 * US, 800 * US, "python_function")
        frame["args"] = {"Python id": i + 1, "Ev Idx": i + 1}
    t.write(path, text=lambda s: s.replace(json.dumps(name), '"%s"' % name))


def windows_paths(path):
    name = "C:\\models\\unet.py(12): forward"
    t = Kineto()
    for i, s in enumerate(t.steps(2)):
        t.op(name, s["at"] + 50 * US, 800 * US, "user_annotation")
    t.write(path, text=lambda s: s.replace(json.dumps(name), '"%s"' % name))


# ---- ONNX Runtime


def ort_event(cat, name, ts, dur, args="{}", tid=11118):
    return ('{"cat" : "%s","pid" :11118,"tid" :%d,"dur" :%d,"ts" :%d,"ph" : "X","name" :"%s",'
            '"args" : %s}'
            % (cat, tid, dur, ts, name, args))


def ort_node(name, op, ts, dur, shape='[{"float":[64,256]}]', provider="CPUExecutionProvider"):
    return ort_event("Node", name + "_kernel_time", ts, dur,
                     '{"op_name" : "%s","provider" : "%s","node_index" : "10",'
                     '"input_type_shape" : %s,"output_size" : "65536"}' % (op, provider, shape))


def ort_head():
    return [ort_event("Session", "model_loading_array", 6, 415),
            ort_event("Session", "session_initialization", 462, 3271)]


def ort_runs(count, **rest):
    lines = ort_head()
    for i in range(count):
        at = 4000 + 700 * i
        lines.append(ort_node("fc1/MatMul", "FusedGemm", at + 20, 180 + i, **rest))
        lines.append(ort_node("act", "Relu", at + 230, 40, **rest))
        lines.append(ort_event("Session", "SequentialExecutor::Execute", at + 10, 300))
        lines.append(ort_event("Session", "model_run", at, 330))
    return lines


def ort_comma(path):
    lines = ort_runs(3, shape='[{"float":[64,256]},]')
    put(path, "[\n" + ",\n".join(lines) + "\n]\n")


def ort_webgpu_clock(path):
    lines = ort_runs(3, provider="WebGpuExecutionProvider")
    for i in range(3):  # the device counts from 0 where the host counts from the session's start
        args = ('{"stream" : "7","grid_x" : "4","block_x" : "64"}')
        lines.append(ort_event("Kernel", "FusedGemm&MatMul", 10 + 700 * i, 150 + i, args, tid=0))
        lines.append(ort_event("Kernel", "Relu", 170 + 700 * i, 25, args, tid=0))
    put(path, "[\n" + ",\n".join(lines) + "\n]\n")


# ---- TensorFlow and JAX


def tf_process(pid, name):
    return {"args": {"name": name}, "pid": pid, "name": "process_name", "ph": "M"}


def tf_op(pid, tid, node, op, ts, dur):
    return {"pid": pid, "tid": tid, "cat": "Op", "args": {"name": node, "op": op}, "name": op,
            "ts": ts, "dur": dur, "ph": "X"}


def tf_timeline(path, events):
    body = ",\n".join("        " + json.dumps(e) for e in events)
    put(path, '{\n    "traceEvents": [\n%s\n    ]\n}\n' % body)


TF_START = 1531302016698000
TF_GPU = "/job:localhost/replica:0/task:0/device:GPU:0"


def tf_rows():
    return [tf_process(1, TF_GPU + " Compute"), tf_process(3, "/device:GPU:0/stream:all Compute"),
            tf_process(5, "/device:GPU:0/memcpy Compute")]


def tf_wrapped_start(path):
    """Kernels without a time have the start 0: minus the trace's start, without sign, in us."""
    at = TF_START
    events = tf_rows()
    for i, (node, op) in enumerate((("conv1/Conv2D", "Conv2D"), ("conv2/Conv2D", "Conv2D"),
                                    ("linear/MatMul", "MatMul"))):
        events.append(tf_op(1, 0, node, op, at + 100 * i, 60))
        events.append(tf_op(3, 0, node, op, at + 150 + 700 * i, 600 + 10 * i))
    events[-1]["ts"], events[-1]["dur"] = 19978045970716470, 359
    tf_timeline(path, events)


def tf_relative_gpu(path):
    """TensorFlow 2 makes StepStats of an XSpace: its device times begin with the trace."""
    at = TF_START
    events = tf_rows()
    for i, (node, op) in enumerate((("conv1/Conv2D", "Conv2D"), ("conv2/Conv2D", "Conv2D"),
                                    ("linear/MatMul", "MatMul"))):
        events.append(tf_op(1, 0, node, op, at + 100 * i, 60))
        events.append(tf_op(3, 0, node, op, 150 + 700 * i, 600 + 10 * i))
    events.append(tf_op(1, 0, "labels", "Const", at + 320, 4))
    events.append(tf_op(1, 0, "loss/Mean", "Mean", at + 330, 7))
    tf_timeline(path, events)


def tf_merged_pids(path):
    """Five runs merged with one list of processes; the order of devices differs in the last."""
    events = [tf_process(1, "/job:localhost/replica:0/task:0/cpu:0 Compute"),
              tf_process(3, "/job:localhost/replica:0/task:0/gpu:0 Compute")]
    for i in range(3):
        at = TF_START + 10000 * i
        cpu, gpu = (3, 1) if i == 2 else (1, 3)
        events.append(tf_op(cpu, 0, "_SOURCE", "NoOp", at, 8))
        events.append(tf_op(gpu, 0, "_SOURCE", "NoOp", at + 5, 9))
        events.append(tf_op(cpu, 0, "input/Const", "Const", at + 20, 15))
        events.append(tf_op(gpu, 0, "MatMul", "MatMul", at + 50, 900 + i))
    tf_timeline(path, events)


def tf_no_stream_all(path):
    at = TF_START
    events = [tf_process(1, TF_GPU + " Compute"), tf_process(3, "/device:GPU:0/stream:12 Compute"),
              tf_process(5, "/device:GPU:0/stream:14 Compute")]
    events.append(tf_op(1, 0, "linear/MatMul", "MatMul", at, 60))
    events.append(tf_op(3, 0, "linear/MatMul", "MatMul", at + 40, 700))
    events.append(tf_op(5, 0, "act/Relu", "Relu", at + 800, 90))
    tf_timeline(path, events)


def run_metadata_wrapped(path):
    def node(name, label, start, dur):
        return ('    node_stats {\n      node_name: "%s"\n      all_start_micros: %d\n'
                '      op_end_rel_micros: %d\n      all_end_rel_micros: %d\n'
                '      timeline_label: "%s"\n    }\n' % (name, start, dur, dur, label))

    text = "step_stats {\n"
    text += '  dev_stats {\n    device: "%s"\n' % TF_GPU
    for i, name in enumerate(("conv1/Conv2D", "conv2/Conv2D", "linear/MatMul")):
        text += node(name, "%s = %s()" % (name, name.split("/")[1]), TF_START + 100 * i, 60)
    text += '  }\n  dev_stats {\n    device: "/device:GPU:0/stream:all"\n'
    for i, name in enumerate(("conv1/Conv2D", "conv2/Conv2D")):
        text += node(name, "%s:%s" % (name, name.split("/")[1]), TF_START + 150 + 700 * i,
                     600 + 10 * i)
    text += node("linear/MatMul", "linear/MatMul:MatMul", 19978045970716470, 359)
    text += "  }\n}\n"
    put(path, text)


def jax_events(steps):
    out = ['{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}}',
           '{"ph":"M","pid":701,"tid":11,"name":"thread_name","args":{"name":"python"}}',
           '{"ph":"M","pid":701,"tid":12,"name":"thread_name","args":{"name":"tf_XLAEigen/12"}}']
    for i in range(steps):
        at = 31 + 3000 * i
        out.append('{"ph":"X","pid":701,"tid":11,"ts":%d.079,"dur":2896.7449999999999,'
                   '"name":"train","args":{"step_num":"%d"}}' % (at, i))
        out.append('{"ph":"X","pid":701,"tid":12,"ts":%d.25,"dur":%d.5,"name":"dot.2",'
                   '"args":{"hlo_op":"dot.2","hlo_module":"jit_train_step","run_id":"%d"}}'
                   % (at + 40, 700 + i, i))
        out.append('{"ph":"X","pid":701,"tid":12,"ts":%d.5,"dur":120.25,"name":"add_tanh_fusion",'
                   '"args":{"hlo_op":"add_tanh_fusion","hlo_module":"jit_train_step",'
                   '"run_id":"%d"}}'
                   % (at + 900, i))
    return out


def jax_put(path, events):
    put(path, '{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":['
        + ",".join(events) + "]}")


def jax_empty_event(path):
    jax_put(path, jax_events(3) + ["{}"])


# ---- other Chrome traces


def minitrace_int(path):
    lines = []
    for i in range(3):
        dur = -2147483648 if i == 1 else 2000000000 + i
        lines.append('{"cat":"load","pid":1788,"tid":7504,"ts":%d,"ph":"X","name":"load_model",'
                     '"args":{},"dur":%d}' % (42561811891 + 3000000000 * i, dur))
        lines.append('{"cat":"load","pid":1788,"tid":7504,"ts":%d,"ph":"X","name":"verify",'
                     '"args":{},"dur":1500}' % (42561811891 + 3000000000 * i + 2500000000))
    put(path, '{"traceEvents":[\n' + ",\n".join(lines) + "\n]}\n")


def flutter_twice(path):
    def event(name, ph, ts):
        return ('{"name":"%s","cat":"Embedder","tid":22275,"pid":42223,"ts":%d,"ph":"%s","args":{}}'
                % (name, ts, ph))

    lines = []
    for i in range(2):
        at = 41314299193 + 16667 * i
        lines.append(event("GPURasterizer::Draw", "B", at))
        if i == 0:
            lines.append(event("GPURasterizer::Draw", "B", at))
        lines.append(event("PipelineConsume", "B", at + 10))
        lines.append(event("PipelineConsume", "E", at + 7600))
        lines.append(event("GPURasterizer::Draw", "E", at + 7625))
        if i == 0:
            lines.append(event("GPURasterizer::Draw", "E", at + 7625))
    put(path, '{"traceEvents":[\n' + ",\n".join(lines) + "\n]}\n")


def raster_without_end(path):
    lines = []
    for i in range(3):
        at = 9000000 + 16667 * i
        lines.append('{"args":{},"cat":"cc","dur":%d,"name":"RasterTask","ph":"X","pid":7,"tid":9,'
                     '"ts":%d}'
                     % (4000 + i, at))
    lines.append('{"args":{},"cat":"cc","name":"RasterTask","ph":"B","pid":7,"tid":9,"ts":%d}'
                 % (9000000 + 16667 * 3))
    put(path, '{"traceEvents":[\n' + ",\n".join(lines) + "\n]}\n")


def mxnet_event(name, ph, ts, cat="operator"):
    return ('    {\n        "name": "%s",\n        "cat": "%s",\n        "ph": "%s",\n'
            '        "ts": %d,\n        "pid": 0,\n        "tid": 140322\n    }'
            % (name, cat, ph, ts))


def mxnet_events(count):
    out = []
    for i in range(count):
        at = 1572550809482846 + 1000 * i
        out.append(mxnet_event("Convolution", "B", at))
        out.append(mxnet_event("Convolution", "E", at + 700 + i))
    return out


def mxnet_no_end(path):
    text = '{\n    "traceEvents": [\n' + ",\n".join(mxnet_events(4))
    put(path, text[:text.rindex('"pid"')])


def mxnet_interleaved(path):
    parts = mxnet_events(4)
    broken = parts[2][:parts[2].index('"cat"') + 14]  # another thread writes into the middle
    text = '{\n    "traceEvents": [\n' + ",\n".join(parts[:2]) + ",\n" + broken + parts[4] + ",\n"
    text += ",\n".join([parts[5]] + parts[6:]) + '\n    ],\n    "displayTimeUnit": "ms"\n}\n'
    put(path, text)


# ---- limits of writers: too large to keep

CAP = 1000000


def ort_cap(path):
    """ONNX Runtime stops at 1 000 000 events: 3 of a run, the last run is not complete."""
    lines = ort_head()
    i = 0
    while len(lines) < CAP:
        at = 4000 + 700 * i
        for line in (ort_node("fc1/MatMul", "FusedGemm", at + 20, 180),
                     ort_event("Session", "SequentialExecutor::Execute", at + 10, 300),
                     ort_event("Session", "model_run", at, 330)):
            if len(lines) < CAP:
                lines.append(line)
        i += 1
    put(path, "[\n" + ",\n".join(lines) + "\n]\n")


def ort_cap_kernels(path):
    """Device events are merged after the limit: more than 1 000 000 lines, and cut all the same."""
    lines, hosts, i = [], 0, 0
    for line in ort_head():
        lines.append(line)
        hosts += 1
    while hosts < CAP:
        at = 4000 + 700 * i
        for line in (ort_node("fc1/MatMul", "FusedGemm", at + 20, 180,
                              provider="CUDAExecutionProvider"),
                     ort_event("Session", "SequentialExecutor::Execute", at + 10, 300),
                     ort_event("Session", "model_run", at, 330)):
            if hosts < CAP:
                lines.append(line)
                hosts += 1
                if "Node" in line:
                    lines.append(ort_event("Kernel", "sgemm", at + 60, 150, '{"stream" : "7"}'))
        i += 1
    put(path, "[\n" + ",\n".join(lines) + "\n]\n")


def jax_cap(path):
    """The converter of XPlane keeps 1 000 000 events (metadata apart)."""
    events = jax_events(CAP // 3 + 1)
    jax_put(path, events[:3 + CAP] + ["{}"])


FILES = [
    ("01-zero-time-second-half.json", zero_time_second_half),
    ("02-zero-time-2021.json", zero_time_2021),
    ("03-zero-duration.json", zero_duration),
    ("04-overflowing-duration.json", overflowing_duration),
    ("05-copies-of-seconds.json", copies_of_seconds),
    ("06-ties.json", ties),
    ("07-before-launch-nccl.json", before_launch_nccl),
    ("08-gpu-clock-offset.json", gpu_clock_offset),
    ("09-gpu-clock-late.json", gpu_clock_late),
    ("10-first-kernels-lost.json", first_kernels_lost),
    ("11-all-kernels-out-of-range.json", all_kernels_out_of_range),
    ("12-stopped-in-step.json", stopped_in_step),
    ("13-dropped-buffers.json", dropped_buffers),
    ("14-correlation-zero.json", correlation_zero),
    ("15-driver-launch-not-recorded.json", driver_launch_not_recorded),
    ("16-on-demand.json", on_demand),
    ("17-cupti-236-years.json", cupti_236_years),
    ("18-over-extended.json", over_extended),
    ("19-negative-duration.json", negative_duration),
    ("20-unfinished-minus-one.json", unfinished_minus_one),
    ("21-kernels-twice.json", kernels_twice),
    ("22-lightning-steps.json", lightning_steps),
    ("23-hip-call-outlives-op.json", hip_call_outlives_op),
    ("24-never-returned.json", never_returned),
    ("25-correlation-shared.json", correlation_shared),
    ("26-wait-without-record.json", wait_without_record),
    ("27-wait-for-the-future.json", wait_for_the_future),
    ("28-sync-over-kernel.json", sync_over_kernel),
    ("29-nccl-metadata.json", nccl_metadata),
    ("30-backward-shared.json", backward_shared),
    ("31-large-ids.json", large_ids),
    ("32-quotes-in-names.json", quotes_in_names),
    ("33-windows-paths.json", windows_paths),
    ("34-ort-comma.json", ort_comma),
    ("35-ort-webgpu-clock.json", ort_webgpu_clock),
    ("36-tf-wrapped-start.json", tf_wrapped_start),
    ("37-tf-relative-gpu.json", tf_relative_gpu),
    ("38-tf-merged-pids.json", tf_merged_pids),
    ("39-tf-no-stream-all.json", tf_no_stream_all),
    ("40-run-metadata-wrapped.pbtxt", run_metadata_wrapped),
    ("41-jax-empty-event.json", jax_empty_event),
    ("42-minitrace-int.json", minitrace_int),
    ("43-flutter-twice.json", flutter_twice),
    ("44-raster-without-end.json", raster_without_end),
    ("45-mxnet-no-end.json", mxnet_no_end),
    ("46-mxnet-interleaved.json", mxnet_interleaved),
]

LARGE = [
    ("L1-ort-cap.json", ort_cap),
    ("L2-ort-cap-kernels.json", ort_cap_kernels),
    ("L3-jax-cap.json", jax_cap),
]


def main():
    args = sys.argv[1:]
    files = FILES
    if args and args[0] == "--large":
        files, args = LARGE, args[1:]
        if not args:
            sys.exit("usage: make.py [--large] DIR")
    folder = args[0] if args else os.path.dirname(os.path.abspath(__file__))
    os.makedirs(folder, exist_ok=True)
    for name, maker in files:
        maker(os.path.join(folder, name))


if __name__ == "__main__":
    main()
