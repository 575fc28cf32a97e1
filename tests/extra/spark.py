"""The report of a Spark cluster against that of one machine, byte for byte: a real master and two workers on loopback.

usage: spark.py STEPSTAT TOP    with Python's pyspark, pyarrow and pandas, and Java 17; skipped where one of them is missing

Jobs: real Kineto ranks, the job of tests/data/ranks, 300 simulated ranks; 1, 7 and 64 partitions, shuffled, with speculation; a cut, an
empty and a foreign file among them; traces of 100 MB among small ones, with a limit of time and of memory; at last one worker is killed
by its pid in the middle.
"""
import csv
import filecmp
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from urllib.parse import quote, unquote

from spark_cluster import Cluster, large_traces, modules_of, peaks_kb, python_seconds, session_of

STEPSTAT, TOP = (os.path.abspath(word) for word in sys.argv[1:3])
FILES = ("ops.csv", "report.json", "report.html")
RANKS, STEPS, OPS = 300, 6, 12
LARGE, SECONDS = 100 << 20, 90  # bytes of a large trace; a job that runs where others have run before must end within them
PYTHON_KB, PROGRAM_KB = 250_000, 200_000  # their memory must not grow with the trace


def simulated(folder):
    """Small Kineto traces of one job; rank 17 is slow in one op."""
    os.makedirs(folder)
    rng = random.Random(20)
    for rank in range(RANKS):
        events, now = [], 1_000_000
        for step in range(STEPS):
            begin = now
            for op in range(OPS):
                taken = int(100 * (op + 1) * rng.uniform(0.95, 1.05) * (1.4 if rank == 17 and op == 5 else 1))
                events.append({"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % op, "pid": 1, "tid": 1, "ts": now, "dur": taken})
                now += taken + 1
            events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1,
                           "ts": begin, "dur": now - begin})
            now += 5
        trace = {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": RANKS}, "traceEvents": events}
        with gzip.GzipFile(os.path.join(folder, "rank%d.json.gz" % rank), "wb", mtime=0) as file:
            file.write(json.dumps(trace).encode())


def tables_of_ranks(source, folder):
    """The job of tests/data/ranks, a file for each rank."""
    os.makedirs(folder)
    with gzip.open(source, "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    for rank in sorted({row["rank"] for row in rows}):
        with open(os.path.join(folder, "rank%s.csv" % rank), "w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(row for row in rows if row["rank"] == rank)


def odd_names(made):
    """Each file is found and opened, by folder and by name, with a URI that is escaped and with one that is not."""
    from stepstat import spark
    names = ["100%", "a%41b", "%2e%2e", "%2e%2e%2fx", "a [1]", "[x]", "-lead", "--out=x", "\u00fc", "a#b", " lead", "trail ", "a+b", "a:b", "a&b;c=d",
             "%", "%zz", "a%20b", "{a}", "a|b", "a\\b", "'q'", '"q"', "~", "*", "a\tb", "a\nb", "%00"]
    for name in names:
        os.makedirs(os.path.join(made, "names", name))
        with open(os.path.join(made, "names", name, name + ".json"), "wb") as file:
            file.write(name.encode())
    top = os.path.join(made, "names")
    named = ["file://" + top + "/" + word(name) + "/" + word(name) + ".json" for name in names for word in (quote, str)]
    for given, count in [(top, len(names)), ("file://" + top, len(names)), *((uri, 1) for uri in named)]:
        found = spark._listed(given)
        assert len(found) == count, (given, found)
        for path, uri, _ in found:
            base = os.path.basename(path)
            assert spark._open(uri).read(1 << 20).decode() + ".json" in (base, unquote(base)), (path, uri)
    print("ok - %d odd names: each file is found by its path, its URI and its folder" % len(names))


@contextmanager
def watched(session, cluster):
    """What a job does: the most tasks that may run at once, the memory of Python and of the program. It is ended after SECONDS."""
    tracker, is_over = session.sparkContext.statusTracker(), threading.Event()
    seen = {"tasks": 0, "python": 0, "program": 0, "late": False}
    pids = [worker.pid for worker in cluster.workers]

    def watch():
        end = time.monotonic() + SECONDS
        while not is_over.wait(0.02):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            seen["tasks"] = max([seen["tasks"], *(stage.numTasks for stage in stages if stage)])
            seen["program"] = max([seen["program"], *peaks_kb(pids, b"--input-name=")])
            seen["python"] = max([seen["python"], *peaks_kb(pids, b"pyspark.daemon")])
            if time.monotonic() > end:
                seen["late"] = True
                session.sparkContext.cancelAllJobs()
                return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    except Exception as error:
        if seen["late"]:
            raise AssertionError("the job did not end within %d s" % SECONDS) from error
        raise
    finally:
        is_over.set()
        thread.join()


def one_machine(jobs, out):
    """What the program makes without Spark; the messages of what it cannot use."""
    os.makedirs(out)
    messages = []
    for job, files in sorted(jobs.items()):
        good = []
        for path in sorted(files):
            tried = subprocess.run([STEPSTAT, "export", path, "-o", out + "/x.obs"], capture_output=True, text=True)
            if tried.returncode == 0:
                good.append(path)
                tried = subprocess.run([STEPSTAT, "export", "--strict", path, "-o", out + "/x.obs"], capture_output=True, text=True)
            if tried.returncode:
                lines = [line for line in tried.stderr.splitlines() if "without --strict" not in line]
                messages.append((job, path, "\n".join(re.sub("^stepstat: ", "", line) for line in lines)))
        subprocess.run([STEPSTAT, "merge", *good, "-o", os.path.join(out, job + ".part")], check=True)
    words = ["--quiet"] + [word for name in FILES for word in ("-o", name)] + ["--"] + [job + ".part" for job in sorted(jobs)]
    subprocess.run([STEPSTAT, "report", *words], check=True, cwd=out)
    return messages


def main(made):
    modules_of(STEPSTAT, TOP, made)
    from stepstat import spark
    odd_names(made)
    rng = random.Random(7)
    jobs = {}
    gloo = os.path.join(TOP, "tests/data/ranks/gloo")
    for run in ("run1", "run2", "run3"):
        jobs[run] = [os.path.join(gloo, run, name) for name in os.listdir(os.path.join(gloo, run))]
    tables_of_ranks(os.path.join(TOP, "tests/data/ranks/AR.csv.gz"), os.path.join(made, "in/table"))
    simulated(os.path.join(made, "in/simulated"))
    simulated(os.path.join(made, "in/large"))
    os.mkdir(os.path.join(made, "in/loss"))
    for rank in range(4, RANKS):
        os.rename(os.path.join(made, "in/large/rank%d.json.gz" % rank), os.path.join(made, "in/loss/rank%d.json.gz" % rank))
    # A cut trace without compression can be used but for its end.
    whole = os.path.join(made, "in/loss/rank%d.json.gz" % (RANKS - 1))
    with gzip.open(whole) as file, open(whole[:-len(".gz")], "wb") as cut:
        text = file.read()
        cut.write(text[:len(text) * 4 // 5])
    os.remove(whole)
    large_traces(os.path.join(made, "in/large"), range(4, 8), LARGE)
    with open(jobs["run1"][0], "rb") as file, open(os.path.join(made, "in/table/rank97.json.gz"), "wb") as cut:
        cut.write(file.read()[:3000])
    open(os.path.join(made, "in/table/rank98.json"), "w").close()
    shutil.copy("/bin/true", os.path.join(made, "in/table/rank99.json"))
    for job in ("table", "simulated", "large", "loss"):
        folder = os.path.join(made, "in", job)
        jobs[job] = [os.path.join(folder, name) for name in os.listdir(folder)]
    sets = {"kineto": {job: jobs[job] for job in ("run1", "run2", "run3")}, "table": {"table": jobs["table"]},
            "simulated": {"simulated": jobs["simulated"]}, "large": {"large": jobs["large"]},
            "loss": {"loss": jobs["loss"][:20] + [path for path in jobs["loss"][20:] if path.endswith("rank%d.json" % (RANKS - 1))]}}
    messages = {name: one_machine(group, os.path.join(made, "one", name)) for name, group in sets.items()}
    assert [len(messages[name]) for name in sets] == [0, 3, 0, 0, 1], messages
    # Names that a shell, a URI, or the program could take for something else.
    odd = os.path.join(made, "in/-odd job")
    os.mkdir(odd)
    sets["odd"] = {"-odd job": []}
    for path in jobs["run1"]:
        sets["odd"]["-odd job"].append(os.path.join(odd, "-%2e%2e " + os.path.basename(path)))
        shutil.copy(path, sets["odd"]["-odd job"][-1])
    messages["odd"] = one_machine(sets["odd"], os.path.join(made, "one/odd"))
    cluster = Cluster(made)
    try:
        session = session_of(cluster, speculation="true", **{"speculation.interval": "100ms", "speculation.multiplier": "1.1",
                                                             "speculation.quantile": "0.5"})

        def check(name, partitions, text, scheme=""):
            paths = [scheme + path for files in sets[name].values() for path in files]
            rng.shuffle(paths)
            out = os.path.join(made, "spark", "%s-%s" % (name, text.replace(" ", "-")))
            result = spark.report(session, paths, out, partitions=partitions)
            for file in (*FILES, *(job + ".part" for job in sets[name])):
                assert filecmp.cmp(os.path.join(out, file), os.path.join(made, "one", name, file), shallow=False), (name, partitions, file)
            assert [(i["job"], i["path"], i["message"]) for i in result.issues] == \
                [(job, scheme + path, message.replace(path, scheme + path)) for job, path, message in messages[name]], result.issues
            assert not [left for left in os.listdir(os.path.dirname(out)) if left.endswith(".tmp")]
            print("ok - %s, %d files, %s: as on one machine" % (name, len(paths), text), flush=True)

        for name in ("kineto", "table", "simulated"):
            for partitions in (1, 7, 64):
                # URIs are streamed through pyarrow.fs, paths are opened.
                check(name, partitions, "%d partitions" % partitions, "file://" if partitions == 7 else "")
        print("# CPU of Python and the program on workers so far: %.1f s" % python_seconds([w.pid for w in cluster.workers]))

        for partitions, scheme in ((1, ""), (4, ""), (4, "file://")):
            with watched(session, cluster) as seen:
                check("large", partitions, "%d partitions%s" % (partitions, scheme and ", streamed"), scheme)
            assert seen["tasks"] == partitions, seen
            assert 0 < seen["python"] < PYTHON_KB and seen["program"] < PROGRAM_KB, seen
            print("# %(tasks)d tasks in a stage, Python %(python)d kB, the program %(program)d kB" % seen, flush=True)

        check("loss", 3, "one with a loss")
        check("odd", 2, "odd names")
        check("odd", 2, "odd names, streamed", "file://")

        # Two files of one rank: an error, whether one task has both or not, and nothing is written.
        twice = [os.path.join(made, "in/simulated/rank%d.json.gz" % rank) for rank in range(5)]
        os.mkdir(os.path.join(made, "in/twice"))
        with gzip.open(twice[3]) as first, gzip.open(twice[2]) as other:
            trace = {**json.load(first), "traceEvents": json.load(other)["traceEvents"]}
        twice.append(os.path.join(made, "in/twice", os.path.basename(twice[3])))
        with gzip.open(twice[5], "wt") as file:
            json.dump(trace, file)
        for partitions in (1, 6):
            said = None
            try:
                spark.report(session, twice, os.path.join(made, "spark/twice"), job="/(in)/", partitions=partitions)
            except spark.Error as error:
                said = str(error)
            assert said and "is also in" in said, said
            # Parts do not hold the names of their files, so only a task that has both can name them.
            assert partitions > 1 or (os.path.join("simulated", os.path.basename(twice[3])) in said and "in/twice/" in said), said
            assert not os.path.exists(os.path.join(made, "spark/twice"))
            print("ok - a rank that is there twice, %d partitions: %s" % (partitions, said.splitlines()[0]))

        tracker, killed = session.sparkContext.statusTracker(), []

        def kill():
            while not killed:
                for stage in tracker.getActiveStageIds():
                    info = tracker.getStageInfo(stage)
                    if info and info.numTasks == 64 and 5 <= info.numCompletedTasks < 50:
                        cluster.workers[0].kill()
                        killed.append("%d of %d" % (info.numCompletedTasks, info.numTasks))
                        return
                time.sleep(0.01)

        thread = threading.Thread(target=kill, daemon=True)
        thread.start()
        check("simulated", 64, "a worker killed")
        assert killed, "the worker was not killed in the middle"
        print("# killed after %s tasks" % killed[0])
        session.stop()
    finally:
        cluster.stop()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_folder:
        main(made_folder)
