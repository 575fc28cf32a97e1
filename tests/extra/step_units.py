"""Steps, runs and means of fresh recordings of Keras, JAX and PyTorch against a plain reading of the same files.

usage: step_units.py STEPSTAT    with a Python that has tensorflow, keras, jax, torch (each part without its package is skipped aloud)

A plain reading: every event with step_num (XPlane by TensorFlow's own classes, trace.json.gz by json), every ProfilerStep# of a Kineto
trace is a step, in the order of time; its time is the event's. Windows of one process are one run. TAP on standard output.
"""
import collections
import csv
import glob
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tempfile

KERAS = """
import keras, numpy
model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(10)])
model.compile(optimizer="sgd", loss="mse")
x, y = numpy.ones((8 * 32, 16), "float32"), numpy.ones((8 * 32, 10), "float32")
model.fit(x, y, batch_size=32, epochs=5, verbose=0, callbacks=[keras.callbacks.TensorBoard("logs", profile_batch=(2, 35))])
"""
JAX = """
import jax, jax.numpy as jnp
step = jax.jit(lambda w, x: w - 1e-3 * jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w))
loss = jax.jit(lambda w, x: jnp.mean((x @ w) ** 2))
w = x = jnp.ones((128, 128))
step(w, x).block_until_ready(), loss(w, x).block_until_ready()
with jax.profiler.trace("logs"):
    for epoch in range(3):
        for i in range(8):
            with jax.profiler.StepTraceAnnotation("train", step_num=i):
                w = step(w, x).block_until_ready()
        for i in range(2):
            with jax.profiler.StepTraceAnnotation("eval", step_num=i):
                loss(w, x).block_until_ready()
"""
JAX_PLAIN = re.sub(r"StepTraceAnnotation\((\"\w+\"), step_num=i\)", r"TraceAnnotation(\1)", JAX)
TORCH = """
import torch
from torch.profiler import profile, schedule, ProfilerActivity
model, x = torch.nn.Linear(64, 64), torch.ones(32, 64)
number = iter(range(99))
with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=3, repeat=6),
             on_trace_ready=lambda p: p.export_chrome_trace("window_%d.pt.trace.json" % next(number))) as p:
    for i in range(30):
        model(x).sum().backward()
        p.step()
"""
TORCH_ROTATION = """
import torch
from torch.profiler import profile, schedule, ProfilerActivity
model, x = torch.nn.Linear(64, 64), torch.ones(32, 64)
for window in range(6): # a profiler of its own for each: numbers begin again
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=0, warmup=1, active=4),
                 on_trace_ready=lambda p: p.export_chrome_trace("window_%d.pt.trace.json" % window)) as p:
        for i in range(5):
            model(x).sum().backward()
            p.step()
"""


def marks_of_xplane(path):
    from tensorflow.tsl.profiler.protobuf import xplane_pb2
    space = xplane_pb2.XSpace.FromString(open(path, "rb").read())
    for plane in space.planes:
        ids = {i for i, meta in plane.stat_metadata.items() if meta.name == "step_num"}
        for line in plane.lines:
            for event in line.events:
                if any(stat.metadata_id in ids for stat in event.stats):
                    name = plane.event_metadata[event.metadata_id].name
                    yield line.timestamp_ns * 1000 + event.offset_ps, event.duration_ps / 1e6, name.split(" ")[0]


def marks_of_json(path, is_step):
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    for event in json.loads(data)["traceEvents"]:
        if event.get("ph") == "X" and is_step(event):
            yield event["ts"], event["dur"], event["name"]


def rows(stepstat, options):
    made = subprocess.run([stepstat, "report", *options, "--table=steps", "--to=csv"], capture_output=True, text=True)
    if made.returncode:
        raise ValueError(made.stderr)
    return [row for row in csv.DictReader(io.StringIO(made.stdout)) if row["kept"] == "yes"]


def check(what, stepstat, inputs, marks, runs=1, options=()):
    """Counts, runs, and the time of each step in the order of time."""
    try:
        found = rows(stepstat, [*inputs, *options])
    except ValueError as error:
        return what, [str(error)]
    wrong = []
    marks = sorted(marks)
    if len(found) != len(marks):
        wrong.append("%d steps, expected %d" % (len(found), len(marks)))
    if len({row["run"] for row in found}) != runs:
        wrong.append("%d runs, expected %d" % (len({row["run"] for row in found}), runs))
    times = [float(row["step_time_us"] or "nan") for row in found]
    mean, expected = (sum(x) / max(len(x), 1) for x in (times, [mark[1] for mark in marks]))
    if not abs(mean - expected) <= 1e-6 * expected:
        wrong.append("mean %.6f us, expected %.6f" % (mean, expected))
    wrong += ["step %d takes %s, expected %.6f" % (i, time, mark[1]) for i, (time, mark) in enumerate(zip(times, marks))
              if not abs(time - mark[1]) <= 1e-3][:3]
    print("# %s: %s" % (what, dict(collections.Counter(re.sub(r"\d+$", "N", mark[2]) for mark in marks))))
    return what, wrong


def record(program, packages):
    folder = tempfile.mkdtemp(prefix="step_units-")
    for package in packages:
        if subprocess.run([sys.executable, "-c", "import " + package], capture_output=True).returncode:
            return None, "module %s cannot be imported" % package
    made = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True,
                          env=dict(os.environ, CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3"))
    return (folder, None) if made.returncode == 0 else (None, "recording failed: " + made.stderr.strip()[-200:])


def one(folder, pattern):
    return glob.glob(os.path.join(folder, "**", pattern), recursive=True)


def has_number(event):
    return "step_num" in event.get("args", {})


def parts(stepstat):
    folder, why = record(KERAS, ["keras", "tensorflow"])
    if folder:
        path, = one(folder, "*.xplane.pb")
        yield check("keras: fit with 5 epochs", stepstat, [path], marks_of_xplane(path))
    else:
        yield "keras # SKIP " + why, []
    folder, why = record(JAX, ["jax", "tensorflow"])
    if folder:
        path, = one(folder, "*.xplane.pb")
        trace, = one(folder, "*.trace.json.gz")
        marks = list(marks_of_xplane(path))
        yield check("jax: train and eval, XPlane", stepstat, [path], marks)
        yield check("jax: train and eval, trace.json.gz", stepstat, [trace], marks_of_json(trace, has_number))
        yield check("jax: train alone", stepstat, [path], [m for m in marks if m[2] == "train"], options=["--kind=train"])
    else:
        yield "jax # SKIP " + why, []
    folder, why = record(JAX_PLAIN, ["jax"])
    if folder:
        trace, = one(folder, "*.trace.json.gz")
        yield check("jax: --step-marker", stepstat, [trace], marks_of_json(trace, lambda e: e["name"] in ("train", "eval")),
                    options=["--step-marker=^(train|eval)$"])
    else:
        yield "jax without steps # SKIP " + why, []
    for what, program in (("one profiler", TORCH), ("a profiler each", TORCH_ROTATION)):
        folder, why = record(program, ["torch"])
        if not folder:
            yield "torch, %s # SKIP %s" % (what, why), []
            continue
        files = sorted(one(folder, "window_*.json"))
        marks = [m for f in files for m in marks_of_json(f, lambda e: e["name"].startswith("ProfilerStep#"))]
        yield check("torch: %d windows of one process, %s" % (len(files), what), stepstat, files, marks)


def main():
    number = failed = 0
    for number, (what, wrong) in enumerate(parts(os.path.abspath(sys.argv[1])), 1):
        print("%s %d - %s" % ("not ok" if wrong else "ok", number, what))
        for line in wrong:
            print("#   " + line)
        failed += bool(wrong)
    print("1..%d" % number)
    sys.exit(failed > 0)


main()
