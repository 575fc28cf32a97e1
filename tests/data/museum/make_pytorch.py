# SPDX-License-Identifier: GPL-3.0-or-later
"""The PyTorch traces of the museum; make.py writes them. Times here are ns."""

import json
import os

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


# ---- PyTorch: several ranks


def ranks(folder, starts):
    """Traces of ranks of one job, each by its own clock; steps of rank 1 become shorter."""
    os.makedirs(folder, exist_ok=True)
    for rank, start in enumerate(starts):
        t = Kineto(distributedInfo={"backend": "nccl", "rank": rank, "world_size": len(starts)})
        for i, s in enumerate(t.steps(4)):
            s["step"]["dur"] -= 100 * US * i * (rank == 1)
        for event in t.events:
            event["ts"] += start
        t.write(os.path.join(folder, "rank%d.json" % rank))


def rank_clocks(path):
    """The machine of rank 2 is 2.6 ms ahead, longer than a step of 2 ms."""
    ranks(path, [0, 40 * US, 2600 * US])


def rank_times(path):
    """The machine of rank 1 is a second ahead, longer than the recording."""
    ranks(path, [0, 1000000 * US])


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
        op = t.op("Torch-Compiled Region: 0/0", s["at"] + 400 * US, 60 * US)
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
