"""Outputs are whole or not there, however the program, or the machine, ends.

usage: whole_outputs.py PROGRAM TOP [KILLS]

1. KILLS (1000) processes that write every kind of output end by SIGKILL at random times: each output is then the old one or the new
   one, a folder of inputs reads no temporary file, and the next output of the name takes away what was left.
2. Three processes write one name at once, many times: it always holds what one of them wrote, and nothing is left.
3. The order of calls (tests/faults/fail_calls.c), replayed on a file system that loses all that was not synced, whenever the power
   fails: after each call each name holds the old bytes or all of the new ones, after the last call the new ones.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, TOP = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
DUMP, TRACE = os.path.join(TOP, "tests/data/golden/train"), os.path.join(TOP, "tests/data/kineto/mlp-base-r2.json.gz")
OLD = b"what was there before\n"
# The words before -o, and the names that they write.
LINES = [(["report", DUMP, "--quiet"], ("a.csv", "a.md", "a.json", "a.txt")), (["report", DUMP, "--quiet"], ("a.html",)),
         (["report", DUMP, "--quiet"], ("a.xlsx",)), (["report", DUMP, "--quiet"], ("tables/",)), (["export", TRACE], ("a.obs",)),
         (["export", TRACE], ("a.parquet",)), (["export", DUMP], ("a.sqlite",)), (["merge", TRACE], ("a.part",)),
         (["timeline", "merge", TRACE, TRACE], ("a.json.gz",)), (["events", TRACE], ("a.csv",)),
         (["compare", DUMP, DUMP, "--run-cv=2%", "--quiet"], ("a.html", "a.md"))]
number = failed = 0
random.seed(int(os.environ.get("SEED", "1")))


def check(name, wrong):
    global number, failed
    number += 1
    failed += bool(wrong)
    for line in wrong[:20]:
        print("# " + line)
    print("%s %d - %s" % ("not ok" if wrong else "ok", number, name), flush=True)


def words(line, folder):
    return [PROGRAM, *line[0], *[word for name in line[1] for word in ("-o", os.path.join(folder, name))]]


def prepare(line, folder):
    os.makedirs(folder, exist_ok=True)
    for name in line[1]:
        path = os.path.join(folder, name, "ops.csv" if name.endswith("/") else "").rstrip("/")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(OLD)


def files_of(folder):
    """All files below the folder: relative path, bytes."""
    found = {}
    for below, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(below, name)
            found[os.path.relpath(path, folder)] = open(path, "rb").read()
    return found


def temporary(files):
    return sorted(name for name in files if ".tmp-" in name)


def run(line, folder, **more):
    return subprocess.run(words(line, folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)


def good_of(line, folder):
    """What the line writes, and how long it takes."""
    prepare(line, folder)
    began = time.perf_counter()
    done = run(line, folder)
    took_s = time.perf_counter() - began
    files = files_of(folder)
    shutil.rmtree(folder)
    assert done.returncode == 0 and OLD not in files.values() and not temporary(files), (line, done.stderr)
    return files, took_s


def killed(work):
    goods = [good_of(line, work + "/out") for line in LINES]
    halves, read, kept, left = [], [], [], 0
    for turn in range(KILLS):
        line, (good, took_s) = LINES[turn % len(LINES)], goods[turn % len(LINES)]
        folder = work + "/out"
        prepare(line, folder)
        process = subprocess.Popen(words(line, folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.random() * took_s * 1.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        files = files_of(folder)
        names = [name for name in files if ".tmp-" not in name]
        for name in names:
            if files[name] not in (OLD, good.get(name)):
                halves.append("%s of %s" % (name, " ".join(line[0])))
        missing = [name for name in line[1] if not os.path.exists(os.path.join(folder, name))]
        halves += ["no %s" % name for name in missing]
        if temporary(files):
            left += 1
            # Nothing of it is read as an input.
            said = subprocess.run([PROGRAM, "report", folder, "--explain-inputs"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
            read += [name for name in temporary(files) if name.encode() in said]
            run(line, folder)
            kept += temporary(files_of(folder))
        shutil.rmtree(folder)
    check("%d kills: no half output" % KILLS, halves)
    check("%d kills left temporary files: none is read" % left, read)
    check("%d kills left temporary files: the next output takes them away" % left, kept)


def parallel(work):
    """Three writers of one name, of different contents."""
    wrong = []
    for line in LINES:
        folder = work + "/out"
        others = [line] * 3
        if line[0][0] == "report":
            others = [(line[0] + ["--by=" + by], line[1]) for by in ("name", "type", "device")]
        goods = [good_of(other, folder)[0] for other in others]
        for _ in range(5):
            prepare(line, folder)
            processes = [subprocess.Popen(words(other, folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for other in others]
            said = [process.communicate()[1] for process in processes]
            wrong += ["%s: status %d: %s" % (line, p.returncode, s) for p, s in zip(processes, said) if p.returncode]
            files = files_of(folder)
            for name in set(files) - set(temporary(files)):
                if not any(files[name] == good.get(name) for good in goods):
                    wrong.append("%s of %s is of none of them" % (name, line))
            wrong += temporary(files)
            shutil.rmtree(folder)
    check("three writers of one name", wrong)


class Disk:
    """What a file system has that keeps of a file what was synced, and of a folder at any time any of its states since the last sync."""

    def __init__(self, old):
        self.synced = {}  # bytes of each inode that are safe
        self.written = {}
        self.names = {name: [("old", None)] for name in old}  # what a name may hold after a power failure: the last is the latest

    def call(self, kind, result, inode, path):
        if kind == "write" and result > 0:
            self.written[inode] = self.written.get(inode, 0) + result
        elif kind == "fsync" and result == 0 and inode in self.written:
            self.synced[inode] = self.written[inode]
        elif kind == "fsync" and result == 0:  # a folder
            for name in self.names:
                if os.path.dirname(name) == path:
                    self.names[name] = self.names[name][-1:]

    def renamed(self, name, inode):
        self.names.setdefault(name, [("none", None)]).append(("new", inode))

    def lost(self, name):
        """Whether the name may hold a part of a file."""
        return any(kind == "new" and self.synced.get(inode, 0) < self.written.get(inode, 0) for kind, inode in self.names[name])


def replayed(line, folder, library, log):
    """What could be lost of the line's outputs, and how many calls there were."""
    wrong, inode_of, count = [], {}, 0
    prepare(line, folder)
    done = run(line, folder, env=dict(os.environ, LD_PRELOAD=library, FAULT_LOG=log))
    assert done.returncode == 0, done.stderr
    disk = Disk([os.path.join(folder, name) for name in line[1]])
    for call in open(log):
        kind, _, result, _, inode, path = call.rstrip("\n").split(" ", 5)
        count += 1
        if kind == "write":
            inode_of[path] = inode
        if kind == "rename" and result == "0":
            before, after = path.split("\t")
            disk.renamed(after, inode_of[before])
        else:
            disk.call(kind, int(result), inode, path)
        wrong += ["%s may be a part of a file after %s %s" % (name, kind, path) for name in disk.names if disk.lost(name)]
    for name in disk.names:
        if [kind for kind, _ in disk.names[name]] != ["new"]:
            wrong.append("%s may be the old one after the end" % name)
    os.unlink(log)
    shutil.rmtree(folder)
    return wrong, count


def powerless(work, library):
    wrong, total = [], 0
    folder = os.path.realpath(work) + "/out"
    for line in LINES:
        # Folders: tests/unit/test_outfolder; SQLite writes at offsets, and its file is synced as a whole.
        if not any(name.endswith(("/", ".sqlite")) for name in line[1]):
            found, count = replayed(line, folder, library, work + "/log")
            wrong += found
            total += count
    check("%d calls, and the power fails after each" % total, wrong)
    with open(work + "/no-sync.yaml", "w") as file:
        file.write("report: {no-sync: true}\n")
    line = LINES[0][0] + ["--config=" + work + "/no-sync.yaml"], LINES[0][1]
    found, _ = replayed(line, folder, library, work + "/log")
    check("without syncs this test sees what may be lost", [] if any("part of" in text for text in found) else ["nothing is seen"])


def main():
    work = tempfile.mkdtemp(prefix="whole-outputs-")
    try:
        killed(work)
        parallel(work)
        library = work + "/fail_calls.so"
        made = subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", library, TOP + "/tests/faults/fail_calls.c", "-ldl"])
        seen = made.returncode == 0 and subprocess.run([PROGRAM, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                                      env=dict(os.environ, LD_PRELOAD=library, FAULT_LOG=work + "/log")).returncode == 0 and \
            os.path.getsize(work + "/log") > 0
        if seen:
            os.unlink(work + "/log")
            powerless(work, library)
        else:
            global number
            number += 1
            print("ok %d - the power fails # SKIP this build loads no library before the others" % number)
    finally:
        shutil.rmtree(work)
    print("1..%d" % number)
    sys.exit(failed > 0)


main()
