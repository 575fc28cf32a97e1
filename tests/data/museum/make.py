#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the museum: small traces, each with one known bug of a producer (README.md).

make.py            writes all files of the museum beside itself, the same bytes each time
make.py DIR        the same into DIR
make.py --large DIR  only the traces of 1 000 000 events (146 to 216 MB each), which are not kept

The PyTorch traces are in make_pytorch.py.
"""

import json
import os
import sys

sys.dont_write_bytecode = True
import make_pytorch as pytorch  # noqa: E402
from make_pytorch import put  # noqa: E402

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
                   % (at + 40, 700 + i % 10, i))
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
    ("01-zero-time-second-half.json", pytorch.zero_time_second_half),
    ("02-zero-time-2021.json", pytorch.zero_time_2021),
    ("03-zero-duration.json", pytorch.zero_duration),
    ("04-overflowing-duration.json", pytorch.overflowing_duration),
    ("05-copies-of-seconds.json", pytorch.copies_of_seconds),
    ("06-ties.json", pytorch.ties),
    ("07-before-launch-nccl.json", pytorch.before_launch_nccl),
    ("08-gpu-clock-offset.json", pytorch.gpu_clock_offset),
    ("09-gpu-clock-late.json", pytorch.gpu_clock_late),
    ("10-first-kernels-lost.json", pytorch.first_kernels_lost),
    ("11-all-kernels-out-of-range.json", pytorch.all_kernels_out_of_range),
    ("12-stopped-in-step.json", pytorch.stopped_in_step),
    ("13-dropped-buffers.json", pytorch.dropped_buffers),
    ("14-correlation-zero.json", pytorch.correlation_zero),
    ("15-driver-launch-not-recorded.json", pytorch.driver_launch_not_recorded),
    ("16-on-demand.json", pytorch.on_demand),
    ("17-cupti-236-years.json", pytorch.cupti_236_years),
    ("18-over-extended.json", pytorch.over_extended),
    ("19-negative-duration.json", pytorch.negative_duration),
    ("20-unfinished-minus-one.json", pytorch.unfinished_minus_one),
    ("21-kernels-twice.json", pytorch.kernels_twice),
    ("22-lightning-steps.json", pytorch.lightning_steps),
    ("23-hip-call-outlives-op.json", pytorch.hip_call_outlives_op),
    ("24-never-returned.json", pytorch.never_returned),
    ("25-correlation-shared.json", pytorch.correlation_shared),
    ("26-wait-without-record.json", pytorch.wait_without_record),
    ("27-wait-for-the-future.json", pytorch.wait_for_the_future),
    ("28-sync-over-kernel.json", pytorch.sync_over_kernel),
    ("29-nccl-metadata.json", pytorch.nccl_metadata),
    ("30-backward-shared.json", pytorch.backward_shared),
    ("31-large-ids.json", pytorch.large_ids),
    ("32-quotes-in-names.json", pytorch.quotes_in_names),
    ("33-windows-paths.json", pytorch.windows_paths),
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
    ("47-rank-clocks", pytorch.rank_clocks),
    ("48-rank-times", pytorch.rank_times),
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
