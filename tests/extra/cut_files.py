"""Cut files in a folder beside a whole one: nothing that was cut is passed over in silence.

usage: cut_files.py STEPSTAT TOP    each format, plain and .gz, with its own name, in capitals, and with a name that tells nothing, cut at every
byte of the first 64, after 200, 1 000 bytes, half, all but one byte, and at PLACES (20) more; a small file at every byte where PLACES is larger
Named on the command line such a file is an error or a report with a loss; in a folder it is the same, and --strict ends with status 3.
What nothing can tell is in UNTOLD and is_whole() (doc/limits.md).
"""
import concurrent.futures
import gzip
import os
import random
import shutil
import subprocess
import sys
import tempfile

STEPSTAT, TOP = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FILES = {
    "profile_14": "examples/resnet_tower/profile_14",
    "run_meta_7": "tests/data/run_metadata/mnist_softmax/run_meta_7.gz",
    "meta_7.pbtxt": "tests/data/run_metadata/text/run_meta_0.gz",
    "scope_7.txt": "tests/data/tfprof_text/resnet_tower/scope_7.txt.gz",
    "op_7.txt": "tests/data/tfprof_text/resnet_tower/op_7.txt.gz",
    "timeline.json": "tests/data/tf_timeline/mnist_softmax/timeline_8.json.gz",
    "x.pt.trace.json": "tests/data/kineto/two_steps_2021.json.gz",
    "x.trace.json": "tests/data/xplane/jax-mlp-base-r2.trace.json.gz",
    "x.xplane.pb": "tests/data/xplane/tf2-mlp-jit-r1.xplane.pb.gz",
    "x.pftrace": "tests/data/pftrace/rocprofv3.pftrace",
    "ort.json": "tests/data/onnxruntime/mlp-base-r3.json.gz",
    "rocprof.db": "tests/data/rocpd/410_results.db.gz",
    "nsight.sqlite": "tests/data/nsight/recordings/base/report1.sqlite.gz",
    "times.json": "tests/data/tensorrt/fp16/resnet.onnx.engine.timing.json.gz",
    "google.json": "tests/data/bench/gab/googlecpp_output.json",
    "pyperf.json": "tests/data/bench/pyperf/mult_list_py36.json.gz",
    "serving.jsonl": "tests/data/bench/made/sglang.jsonl",
    "go.txt": "tests/data/bench/gotext/old.txt",
}
PLACES = int(os.environ.get("PLACES", "20"))

def run(*words):
    done = subprocess.run([STEPSTAT, *words], capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


def samples(made):
    """(name, bytes) of a small file of each format."""
    found = {}
    for name, path in FILES.items():
        with (gzip.open if path.endswith(".gz") else open)(os.path.join(TOP, path), "rb") as file:
            found[name] = file.read()
    for name, words in (("x.obs", ()), ("x.parquet", ()), ("x.csv", ())):
        out = os.path.join(made, name)
        subprocess.run([STEPSTAT, "export", os.path.join(TOP, FILES["profile_14"]), "--quiet", "-o", out, *words], check=True)
        with open(out, "rb") as file:
            found[name] = file.read()
    ranks = os.path.join(TOP, "tests/data/ranks/gloo/run1")
    subprocess.run([STEPSTAT, "merge", *(os.path.join(ranks, name) for name in sorted(os.listdir(ranks))), "-o", os.path.join(made, "x.part")],
                   check=True)
    with open(os.path.join(made, "x.part"), "rb") as file:
        found["x.part"] = file.read()
    return found


# How many bytes of a format say nothing yet, where the name says nothing either.
UNTOLD = {"profile_14": 9, "run_meta_7": 8, "x.xplane.pb": 6, "x.pftrace": 4, "rocprof.db": 4, "nsight.sqlite": 4, "x.obs": 4, "x.part": 4, "x.parquet": 4,
          "x.csv": 11, "meta_7.pbtxt": 12, "scope_7.txt": 60, "op_7.txt": 60}


def ends_of_packets(data):
    """Places between the packets of a Perfetto trace, where it is whole."""
    found, at = {0}, 0
    while at < len(data):
        at, size, shift = at + 1, 0, 0
        while True:
            size, shift, at = size | (data[at] & 127) << shift, shift + 7, at + 1
            if data[at - 1] < 128:
                break
        at += size
        found.add(at)
    return found


def is_whole(name, data, at, packed, form):
    """True if the cut is between rows of a text or packets, in bytes that say nothing, or takes only the bracket at the end of a list of events."""
    if form == "neutral" and at < (1 if packed else UNTOLD.get(name, 1)):
        return not packed
    if packed:
        return False
    if name.endswith("pftrace"):
        return at > 0 and at in ends_of_packets(data)
    return (name.endswith(("csv", "txt")) and (data[:at].rstrip(b" ")[-1:] == b"\n" or data[at:at + 1] == b"\n")) or (name.endswith("txt") and at < (145 if name == "go.txt" else 60)) or data[at:].strip() in (b"", b"]")


def name_of(name, packed, form):
    """What the cut file is called: as its format's producer does, in capitals, or like nothing."""
    base, dot, rest = name.partition(".")
    own = (base.rstrip("0123456789") + "99" + dot + rest if "_" in base else base + "_9" + dot + rest) + (".gz" if packed else "")
    return {"own": own, "capital": own.upper(), "neutral": "recording" + (".gz" if packed else "")}[form]


def folder_of(made, name, whole):
    folder = tempfile.mkdtemp(dir=made)
    with open(os.path.join(folder, "0_" + name if name.endswith(("csv", "obs")) else name), "wb") as file:
        file.write(whole)
    return folder


def tried(made, name, whole, data, cut_name):
    """What is wrong where the file is cut to these bytes, or None."""
    folder = folder_of(made, name, whole)
    cut = os.path.join(folder, cut_name)
    with open(cut, "wb") as file:
        file.write(data)
    status, text = run("report", folder, "--strict")
    text += run("report", folder, "--explain-inputs")[1]
    named = run("report", cut, "--strict")[0]
    shutil.rmtree(folder)
    if status == 0 and "its last value may be cut (" + cut in text:
        return None  # the last line of a text may be whole, and it is named
    if status != 3:
        return "status %d" % status
    if named != 3:
        return "read where it is named"
    return None if cut_name in text else "not named: %s" % text.splitlines()[-1:]


def main():
    rng = random.Random(1)
    jobs, wrong = [], []
    with tempfile.TemporaryDirectory() as made, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for name, whole in sorted(samples(made).items()):
            if run("report", folder_of(made, name, whole), "--strict")[0] != 0:
                wrong.append("%s is a loss where it is whole" % name)
            for packed in (False, True):
                data = gzip.compress(whole, mtime=0) if packed else whole
                for form in ("own", "capital", "neutral"):
                    places = {*range(64), 200, 1000, len(data) // 2, len(data) - 1, *rng.sample(range(len(data)), min(PLACES, len(data)))}
                    for at in sorted(place for place in places if place < len(data) and not is_whole(name, data, place, packed, form)):
                        cut_name = name_of(name, packed, form)
                        jobs.append((cut_name, at, len(data), pool.submit(tried, made, name, whole, data[:at], cut_name)))
        for cut_name, at, size, job in jobs:
            if job.result():
                wrong.append("%s cut after %d of %d bytes: %s" % (cut_name, at, size, job.result()))
    for line in wrong:
        print("not ok - " + line)
    print("# %d cut files, %d passed over" % (len(jobs), len(wrong)))
    print("%s 1 - cut files of a folder are losses" % ("not ok" if wrong else "ok"))
    print("1..1")
    return 1 if wrong else 0


sys.exit(main())
