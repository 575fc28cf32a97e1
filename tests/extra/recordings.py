"""What stepstat.torch and stepstat.jax keep of real recordings, with the torch, jax and nbclient of this Python.

Callbacks record the steps that they say in the trainers of Lightning, Hugging Face and Keras.

usage: recordings.py TOP    with the module stepstat on Python's path

The .obs must be what `stepstat export` makes of the trace, byte for byte; a process that dies while it writes must leave nothing; and
frames of pandas, Polars and Arrow must have the numbers of the rows. What is not here is skipped, and said.
"""
import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
import time

import stepstat

TOP = os.path.abspath(sys.argv[1])
number = 0


# A training whose process is killed when its trace is half written.
DIES = """
import os, stepstat, torch
def dies(profiler):
    real = profiler.export_chrome_trace
    def half(path):
        real(path)
        os.truncate(path, os.path.getsize(path) // 2)
        open("reached", "w").close()
        os.kill(os.getpid(), 9)
    profiler.export_chrome_trace = half
    stepstat.torch.handler("dead", keep_trace=True)(profiler)
os.mkdir("dead")
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], on_trace_ready=dies) as profiler:
    torch.ones(9).sum()
"""


def check(name, good, more=""):
    global number
    number += 1
    print("%s %d - %s%s" % ("ok" if good else "not ok", number, name, more), flush=True)


def skip(name, module):
    check(name, True, " # SKIP no " + module)


def same_as_export(recording):
    """export, called on the trace that was kept with the facts that a trace does not have, makes the same file."""
    folder, name = os.path.split(recording.trace)
    facts = {row["fact"]: row["value"] for row in stepstat.report(recording.obs).table("facts")}
    subprocess.run([stepstat.program(), "export", name, "-o", os.path.abspath("expected.obs"),
                    *("--fact=%s=%s" % (fact, facts[fact]) for fact in ("process", "window", "host"))], cwd=folder, check=True)
    with open("expected.obs", "rb") as expected, open(recording.obs, "rb") as kept:
        return expected.read() == kept.read()


def of_torch():
    import torch
    model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 64))
    schedule = torch.profiler.schedule(wait=1, warmup=1, active=8, repeat=1)

    def record(handler):
        began = time.perf_counter()
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], schedule=schedule, on_trace_ready=handler) as profiler:
            for _ in range(11):
                model(torch.randn(32, 64)).sum().backward()
                profiler.step()
        return time.perf_counter() - began

    handler = stepstat.torch.handler("torch", keep_trace=True)
    took_s = record(handler)
    last = handler.last
    check("torch %s: the .obs is that of stepstat export" % torch.__version__, same_as_export(last))
    print("# %d bytes of %d; %.3f s of %.3f s" % (last.obs_bytes, last.trace_bytes, last.trace_s + last.obs_s, took_s))
    report = stepstat.report(last.obs)
    steps = [row["step"] for row in report.table("steps")]
    check("torch: the steps are those of the schedule", steps == list(range(2, 10)), " %s" % steps)
    check("torch: ops of the model", {"aten::addmm", "aten::mm"} <= {row["op"] for row in report.rows})
    facts = {row["fact"]: row["value"] for row in report.table("facts")}
    check("torch: the machine is a fact", facts.get("host") == socket.gethostname())
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29631")
    torch.distributed.init_process_group("gloo", rank=0, world_size=1)
    handler = stepstat.torch.handler("job", keep_trace=True)
    record(handler)
    torch.distributed.destroy_process_group()
    facts = {row["fact"]: row["value"] for row in stepstat.report(handler.last.obs).table("facts")}
    check("torch.distributed: rank, size and backend are facts",
          (facts.get("rank"), facts.get("world_size"), facts.get("backend")) == ("0", "1", "gloo"), " %s" % facts)
    check("torch.distributed: the .obs is that of stepstat export", same_as_export(handler.last))
    subprocess.run([sys.executable, "-c", DIES], timeout=120, stderr=subprocess.DEVNULL)
    check("torch: a process that dies half-way leaves nothing", os.path.exists("reached") and os.listdir("dead") == [])


def of_jax():
    import jax
    import jax.numpy
    step = jax.jit(lambda x, w: jax.numpy.tanh(x @ w).sum())
    x, w = jax.numpy.ones((64, 256)), jax.numpy.ones((256, 256))
    step(x, w).block_until_ready()
    began = time.perf_counter()
    with stepstat.jax.trace("jax", keep_trace=True) as tracing:
        for i in range(6):
            with jax.profiler.StepTraceAnnotation("train", step_num=i):
                step(x, w).block_until_ready()
    took_s = time.perf_counter() - began
    last = tracing.recording
    check("jax %s: the .obs is that of stepstat export" % jax.__version__, same_as_export(last))
    print("# %d bytes of %d; %.3f s of %.3f s" % (last.obs_bytes, last.trace_bytes, last.trace_s + last.obs_s, took_s))
    facts = {row["fact"]: row["value"] for row in stepstat.report("jax").table("facts")}
    check("jax: the host is a fact", facts.get("host") == os.uname().nodename, " %s" % facts)
    steps = [row["step"] for row in stepstat.report("jax").table("steps")]
    check("jax: the steps are those that were named", steps == list(range(6)), " %s" % steps)
    try:
        with stepstat.jax.trace("broken", keep_trace=True):
            raise RuntimeError
    except RuntimeError:
        pass
    check("jax: a block that raises leaves nothing", os.listdir("broken") == [])
    with stepstat.jax.trace("job", rank=3, quiet=True):
        with jax.profiler.StepTraceAnnotation("train", step_num=1):
            step(x, w).block_until_ready()
    ranks = {row["rank"] for row in stepstat.observations("job/" + next(n for n in os.listdir("job") if "_rank3" in n)) if row["step"] is not None}
    check("jax: the rank is in the .obs", ranks == {"3"})


def window(name, callback, fit):
    """The callback's window has the steps that it says by their numbers."""
    with contextlib.redirect_stdout(sys.stderr):
        fit(callback)
    steps = [row["step"] for row in stepstat.report(callback.last.obs).table("steps")]
    check("%s: steps 10 to 29 of 40" % name, callback.last.error is None and steps == list(range(10, 30)), " %s %s" % (callback.last.error, steps))


def of_lightning():
    import lightning.pytorch
    import torch

    class Model(lightning.pytorch.LightningModule):
        def __init__(self):
            super().__init__()
            self.inner = torch.nn.Linear(64, 64)

        def training_step(self, batch, _):
            return self.inner(batch[0]).sum()

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), 0.01)

    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(320, 64)), batch_size=8)
    window("lightning " + lightning.pytorch.__version__, stepstat.callbacks.lightning("lightning", quiet=True), lambda callback: lightning.pytorch.Trainer(
        max_epochs=1, callbacks=[callback], logger=False, enable_checkpointing=False, enable_progress_bar=False, accelerator="cpu").fit(Model(), data))


def of_transformers():
    import torch
    import transformers

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = torch.nn.Linear(64, 64)

        def forward(self, x=None):
            return {"loss": self.inner(x).sum()}

    wish = transformers.TrainingArguments("out", max_steps=40, report_to=[], use_cpu=True, save_strategy="no", remove_unused_columns=False)
    window("transformers " + transformers.__version__, stepstat.callbacks.transformers("transformers", quiet=True), lambda callback: transformers.Trainer(
        model=Model(), args=wish, train_dataset=[{"x": torch.randn(64)} for _ in range(320)], callbacks=[callback]).train())


def of_keras():
    """With each backend that is here, each in a process of its own."""
    for backend in ("jax", "tensorflow", "torch"):
        if importlib.util.find_spec(backend):
            done = subprocess.run([sys.executable, "-c", KERAS], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=dict(os.environ, KERAS_BACKEND=backend, PYTHONPATH=os.pathsep.join(sys.path)))
            check("keras with %s: steps 10 to 29 of 40" % backend, done.stdout.endswith(b"None %s\n" % str(list(range(10, 30))).encode()),
                  " %s" % (done.stdout + done.stderr[-300:]))
        else:
            skip("keras with " + backend, backend)


KERAS = """
import keras, numpy, stepstat
model = keras.Sequential([keras.layers.Dense(64), keras.layers.Dense(1)])
model.compile("sgd", "mse")
callback = stepstat.callbacks.keras("keras", name=keras.backend.backend(), quiet=True)
model.fit(numpy.random.rand(320, 64), numpy.random.rand(320, 1), batch_size=8, verbose=0, callbacks=[callback])
print(callback.last.error, [row["step"] for row in stepstat.report(callback.last.obs).table("steps")])
"""


def of_mlflow():
    """A tracker that is strict about names takes the metrics."""
    import mlflow
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    mlflow.set_tracking_uri("file://" + os.path.abspath("mlflow"))
    metrics = stepstat.report(os.path.join(TOP, "tests/data/kineto/mlp-base-r2.json.gz")).metrics()
    with mlflow.start_run() as run:
        mlflow.log_metrics(metrics)
    check("mlflow %s has the metrics" % mlflow.__version__, len(metrics) > 20 and mlflow.get_run(run.info.run_id).data.metrics == metrics)


def tables():
    return [stepstat.report(os.path.join(TOP, "examples/resnet_tower/profile_14")).table(),
            stepstat.compare(os.path.join(TOP, "examples/ci/base"), os.path.join(TOP, "examples/ci/new")).table(),
            stepstat.observations(os.path.join(TOP, "examples/resnet_tower/profile_14"), measures="time"),
            stepstat.events(os.path.join(TOP, "tests/data/kineto/mlp-base-r2.json.gz"), steps="5")]


def of_pandas():
    import pandas
    good = all(
        [None if pandas.isna(v) else v for v in table.to_pandas()[column]] == table[column] for table in tables() for column in table.columns)
    check("pandas %s has the numbers of the rows" % pandas.__version__, good)


def of_polars():
    import polars
    check("polars %s has the numbers of the rows" % polars.__version__, all(table.to_polars().to_dicts() == list(table) for table in tables()))


def of_pyarrow():
    import pyarrow
    check("pyarrow %s has the numbers of the rows" % pyarrow.__version__, all(table.to_arrow().to_pylist() == list(table) for table in tables()))


def of_nbclient():
    import nbclient
    import nbformat
    folder = os.path.join(TOP, "examples/notebook")
    notebook = nbformat.read(os.path.join(folder, "stepstat.ipynb"), as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}}).execute()
    shown = [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]
    pages = [out for out in shown if "text/html" in out.get("data", {})]
    check("the notebook runs in Jupyter and shows tables", len(pages) >= 2 and not any(out.output_type == "error" for out in shown))


def of_mypy():
    with open("typed.py", "w") as file:
        file.write("import stepstat\nframe = stepstat.report('x', by='type', strict=True).table()\n"
                   "for row in frame:\n    print(row['op'])\nprint(stepstat.gate(['a'], 'b', margin='2%').green)\n"
                   "h = stepstat.torch.handler('x', keep_trace=True)\n")
    good = subprocess.run([sys.executable, "-m", "mypy", "--strict", "typed.py"], stdout=subprocess.PIPE)
    with open("wrong.py", "w") as file:
        file.write("import stepstat\nstepstat.report('x', warmpu='auto')\nstepstat.report('x', value='seld')\n")
    bad = subprocess.run([sys.executable, "-m", "mypy", "--strict", "wrong.py"], stdout=subprocess.PIPE)
    print("".join("# %s\n" % line for line in (good.stdout + bad.stdout).decode().splitlines()), end="")
    check("mypy --strict accepts what is right and finds what is wrong",
          good.returncode == 0 and b"warmpu" in bad.stdout and b"Found 2 errors" in bad.stdout)


def main():
    os.environ["MYPYPATH"] = os.pathsep.join(sys.path[1:2]) if "site-packages" not in stepstat.__file__ else ""
    with tempfile.TemporaryDirectory(prefix="recordings-test-") as folder:
        os.chdir(folder)
        for module, test in (("torch", of_torch), ("jax", of_jax), ("lightning", of_lightning),
                             ("transformers", of_transformers), ("keras", of_keras), ("mlflow", of_mlflow), ("pandas", of_pandas), ("polars", of_polars), ("pyarrow", of_pyarrow),
                             ("nbclient", of_nbclient), ("mypy", of_mypy)):
            if importlib.util.find_spec(module):
                try:
                    test()
                except Exception as error:  # the other tests go on
                    check("%s: %r" % (module, error), False)
            else:
                skip(test.__name__.replace("_", " "), module)
        os.chdir(TOP)
    print("1..%d" % number)


main()
