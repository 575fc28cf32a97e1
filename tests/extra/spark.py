"""The report of a Spark cluster against that of one machine, byte for byte: a real master and two workers on loopback.

usage: spark.py STEPSTAT TOP    with Python's pyspark, pyarrow and pandas, and Java 17; skipped where one of them is missing

Jobs: real Kineto ranks, the job of tests/data/ranks, 300 simulated ranks; 1, 7 and 64 partitions, shuffled, with speculation; a cut, an
empty and a foreign file among them; at last one worker is killed by its pid in the middle.
"""
import csv
import filecmp
import gzip
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

try:
    import pandas  # noqa: F401, mapInArrow asks for it
    import pyarrow  # noqa: F401
    import pyspark
    subprocess.run(["java", "-version"], check=True, capture_output=True)
except (ImportError, OSError, subprocess.CalledProcessError) as error:
    print("spark.py: skipped, not here: %s" % error)
    sys.exit(0)

STEPSTAT, TOP = (os.path.abspath(word) for word in sys.argv[1:3])
FILES = ("ops.csv", "report.json", "report.html")
RANKS, STEPS, OPS = 300, 6, 12


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
            else:
                messages.append((job, path, "\n".join(re.sub("^stepstat: ", "", line) for line in tried.stderr.splitlines())))
        subprocess.run([STEPSTAT, "merge", *good, "-o", os.path.join(out, job + ".part")], check=True)
    words = [job + ".part" for job in sorted(jobs)] + ["--quiet"] + [word for name in FILES for word in ("-o", name)]
    subprocess.run([STEPSTAT, "report", *words], check=True, cwd=out)
    return messages


class Cluster:
    def __init__(self, folder):
        home = os.path.dirname(pyspark.__file__)
        self.command = [os.path.join(home, "bin", "spark-class"), "org.apache.spark.deploy."]
        self.folder, self.started = folder, []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = "spark://127.0.0.1:%d" % self.port
        self.master = self.start("master.Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0")
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.1)
        self.workers = [self.start("worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "600m", "--webui-port", "0",
                                   "--work-dir", os.path.join(folder, "work%d" % n), self.url) for n in range(2)]

    def start(self, name, *words):
        log = open(os.path.join(self.folder, "log%d" % len(self.started)), "w")
        environment = {**os.environ, "SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_IP": "127.0.0.1"}
        # Workers know nothing of the package: what they need comes from the driver.
        for variable in ("PYTHONPATH", "STEPSTAT"):
            environment.pop(variable, None)
        process = subprocess.Popen([self.command[0], self.command[1] + name, *words], env=environment, stdout=log, stderr=log)
        self.started.append(process)
        return process

    def stop(self):
        for process in reversed(self.started):
            if process.poll() is None:
                process.terminate()
        for process in self.started:
            process.wait()


def python_seconds(pids):
    """CPU of the Python processes below these, with that of their children which have ended."""
    parents, texts = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as file:
                fields = file.read().rsplit(")", 1)[1].split()
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                texts[int(pid)] = file.read()
        except OSError:
            continue
        parents[int(pid)] = (int(fields[1]), sum(map(int, fields[11:15])))
    total = 0
    for pid, (_, ticks) in parents.items():
        above = pid
        while above in parents and above not in pids:
            above = parents[above][0]
        if above in pids and b"pyspark.daemon" in texts[pid]:
            total += ticks
    return total / os.sysconf("SC_CLK_TCK")


def main(made):
    modules = os.path.join(made, "modules")
    build = os.path.join(TOP, "packaging/python/build.py")
    subprocess.run([sys.executable, build, "--program", STEPSTAT, "--modules", modules], check=True)
    sys.path.insert(0, modules)
    os.environ["STEPSTAT"] = STEPSTAT
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from stepstat import spark
    rng = random.Random(7)
    jobs = {}
    gloo = os.path.join(TOP, "tests/data/ranks/gloo")
    for run in ("run1", "run2", "run3"):
        jobs[run] = [os.path.join(gloo, run, name) for name in os.listdir(os.path.join(gloo, run))]
    tables_of_ranks(os.path.join(TOP, "tests/data/ranks/AR.csv.gz"), os.path.join(made, "in/table"))
    simulated(os.path.join(made, "in/simulated"))
    with open(jobs["run1"][0], "rb") as file, open(os.path.join(made, "in/table/rank97.json.gz"), "wb") as cut:
        cut.write(file.read()[:3000])
    open(os.path.join(made, "in/table/rank98.json"), "w").close()
    shutil.copy("/bin/true", os.path.join(made, "in/table/rank99.json"))
    for job in ("table", "simulated"):
        folder = os.path.join(made, "in", job)
        jobs[job] = [os.path.join(folder, name) for name in os.listdir(folder)]
    sets = {"kineto": {job: jobs[job] for job in ("run1", "run2", "run3")}, "table": {"table": jobs["table"]},
            "simulated": {"simulated": jobs["simulated"]}}
    messages = {name: one_machine(group, os.path.join(made, "one", name)) for name, group in sets.items()}
    assert len(messages["table"]) == 3, messages
    cluster = Cluster(made)
    try:
        session = SparkSession.builder.master(cluster.url).appName("test").config("spark.driver.bindAddress", "127.0.0.1") \
            .config("spark.driver.host", "127.0.0.1").config("spark.ui.enabled", "false").config("spark.executor.memory", "512m") \
            .config("spark.ui.showConsoleProgress", "false") \
            .config("spark.executor.cores", "1").config("spark.speculation", "true").config("spark.speculation.interval", "100ms") \
            .config("spark.speculation.multiplier", "1.1").config("spark.speculation.quantile", "0.5").getOrCreate()
        session.sparkContext.setLogLevel("OFF")

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

        for name in sets:
            for partitions in (1, 7, 64):
                # URIs are streamed through pyarrow.fs, paths are opened.
                check(name, partitions, "%d partitions" % partitions, "file://" if partitions == 7 else "")
        print("# CPU of Python and the program on workers so far: %.1f s" % python_seconds([w.pid for w in cluster.workers]))

        # Two files of one rank: an error, whether one task has both or not, and nothing is written.
        twice = [os.path.join(made, "in/simulated", name) for name in os.listdir(os.path.join(made, "in/simulated"))][:5]
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
