"""Cut files in a folder beside a whole one: nothing that was cut is passed over in silence.

usage: cut_files.py STEPSTAT TOP    each format cut after 0, 10, 40, 200, 1 000 bytes, half, all but one byte, and at PLACES more, plain and .gz
Named on the command line such a file is an error or a report with a loss; in a folder it is the same, and --strict ends with status 3.
"""
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
    "meta_7.pbtxt": "tests/data/run_metadata/synth/run_meta_0.pbtxt.gz",
    "scope_7.txt": "tests/data/tfprof_text/resnet_tower/scope_7.txt.gz",
    "op_7.txt": "tests/data/tfprof_text/resnet_tower/op_7.txt.gz",
    "timeline.json": "tests/data/tf_timeline/mnist_softmax/timeline_8.json.gz",
    "x.pt.trace.json": "tests/data/kineto/two_steps_2021.json.gz",
    "x.trace.json": "tests/data/xplane/jax-mlp-base-r2.trace.json.gz",
    "x.xplane.pb": "tests/data/xplane/tf2-mlp-jit-r1.xplane.pb.gz",
    "x.pftrace": "tests/data/pftrace/rocprofv3.pftrace",
    "ort.json": "tests/data/onnxruntime/mlp-base-r3.json.gz",
    "rocprof.db": "tests/data/rocpd/410_results.db.gz",
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


def is_whole(name, data, at, packed):
    """True if the cut is between rows of a text, in the first 60 bytes of one with the suffix of any text, or takes only the bracket at the end of a list of events, which may be missing."""
    if packed:
        return False
    return (name.endswith(("csv", "txt")) and (data[:at].rstrip(b" ")[-1:] == b"\n" or data[at:at + 1] == b"\n")) or (name.endswith("txt") and at < 60) or data[at:].strip() in (b"", b"]")


def main():
    rng = random.Random(1)
    silent, tried = [], 0
    with tempfile.TemporaryDirectory() as made:
        for name, whole in sorted(samples(made).items()):
            for packed in (False, True):
                data = gzip.compress(whole, mtime=0) if packed else whole
                folder = os.path.join(made, "folder")
                places = {0, 10, 40, 200, 1000, len(data) // 2, len(data) - 1, *(rng.randrange(len(data)) for _ in range(PLACES))}
                for at in sorted(place for place in places if place < len(data) and not is_whole(name, data, place, packed)):
                    shutil.rmtree(folder, ignore_errors=True)
                    os.mkdir(folder)
                    with open(os.path.join(folder, "0_" + name if name.endswith(("csv", "obs")) else name), "wb") as file:
                        file.write(whole)
                    base, dot, rest = name.partition(".")
                    cut = os.path.join(folder, (base.rstrip("0123456789") + "99" + dot + rest if "_" in base else base + "_9" + dot + rest) + (".gz" if packed else ""))
                    with open(cut, "wb") as file:
                        file.write(data[:at])
                    tried += 1
                    status, text = run("report", folder, "--strict")
                    if status != 3:
                        silent.append("%s%s cut after %d of %d bytes: status %d" % (name, ".gz" if packed else "", at, len(data), status))
                    elif run("report", cut, "--strict")[0] != 3:
                        silent.append("%s cut after %d of %d bytes: read where it is named" % (os.path.basename(cut), at, len(data)))
                    elif os.path.basename(cut) not in run("report", folder, "--explain-inputs")[1]:
                        silent.append("%s cut after %d of %d bytes: not named: %s" % (os.path.basename(cut), at, len(data), text.splitlines()[-1:]))
    for line in silent:
        print("not ok - " + line)
    print("# %d cut files, %d passed over" % (tried, len(silent)))
    print("%s 1 - cut files of a folder are losses" % ("not ok" if silent else "ok"))
    print("1..1")
    return 1 if silent else 0


sys.exit(main())
