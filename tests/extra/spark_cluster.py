"""A real master and two workers of Spark on loopback, large traces, and what processes cost; for the tests and for the measurement, which
end here where a package or Java is missing."""
import json
import os
import socket
import subprocess
import sys
import time

try:
    import pandas  # noqa: F401, mapInArrow asks for it
    import pyarrow  # noqa: F401
    import pyspark
    subprocess.run(["java", "-version"], check=True, capture_output=True)
except (ImportError, OSError, subprocess.CalledProcessError) as error:
    print("%s: skipped, not here: %s" % (os.path.basename(sys.argv[0]), error))
    sys.exit(0)


def modules_of(stepstat, top, made):
    """The package as the wheel has it, in sys.path; what a session needs of the environment."""
    modules = os.path.join(made, "modules")
    build = os.path.join(top, "packaging/python/build.py")
    subprocess.run([sys.executable, build, "--program", stepstat, "--modules", modules], check=True)
    sys.path.insert(0, modules)
    os.environ["STEPSTAT"] = stepstat
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable


def large_traces(folder, ranks, size, ops=500):
    """A Kineto trace of about this many bytes for each of the ranks, alike but for the rank; nothing is lost in them."""
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(folder, "large%d.json" % rank) for rank in ranks]
    shapes = [[64, 256], [256, 64]]
    events = [{"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % (n % ops), "pid": 1, "tid": 1, "ts": 0, "dur": 5 + n * 7919 % 396,
               "args": {"External id": n, "Record function id": 0, "Ev Idx": n, "Input Dims": shapes}} for n in range(10 * ops)]
    files = [open(path, "w") for path in paths]
    try:
        for rank, file in zip(ranks, files):
            place = {"backend": "nccl", "rank": rank, "world_size": max(ranks) + 1}
            file.write('{"schemaVersion": 1, "distributedInfo": %s, "traceEvents": [\n' % json.dumps(place))
        now, step, written = 1_000_000, 0, 0
        while written < size:
            begin = now
            for event in events:
                event["ts"] = now
                now += event["dur"] + 1
            mark = {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": begin,
                    "dur": now - begin}
            text = (",\n" if step else "") + ",\n".join(map(json.dumps, (*events, mark)))
            for file in files:
                file.write(text)
            now, step, written = now + 10, step + 1, written + len(text)
        for file in files:
            file.write("\n]}\n")
    finally:
        for file in files:
            file.close()
    return paths


def session_of(cluster, **settings):
    from pyspark.sql import SparkSession
    fixed = {"driver.bindAddress": "127.0.0.1", "driver.host": "127.0.0.1", "ui.enabled": "false", "executor.memory": "512m",
             "ui.showConsoleProgress": "false", "executor.cores": "1"}
    builder = SparkSession.builder.master(cluster.url).appName("test")
    for name, value in {**fixed, **settings}.items():
        builder = builder.config("spark." + name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


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


def processes_below(pids):
    """(command line, CPU s, CPU s of its children that have ended) by pid, of every process below these."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as file:
                fields = file.read().rsplit(")", 1)[1].split()
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                found[int(pid)] = (int(fields[1]), file.read(), *(int(field) for field in fields[11:15]))
        except OSError:
            continue
    below = {}
    for pid, (_, text, *ticks) in found.items():
        above = pid
        while above in found and above not in pids:
            above = found[above][0]
        if above in pids and pid not in pids:
            second = os.sysconf("SC_CLK_TCK")
            below[pid] = (text, (ticks[0] + ticks[1]) / second, (ticks[2] + ticks[3]) / second)
    return below


def python_seconds(pids):
    """CPU of the Python processes below these, with that of their children which have ended."""
    return sum(own + ended for text, own, ended in processes_below(pids).values() if b"pyspark.daemon" in text)


def java_seconds(pids):
    """CPU of the executors' JVMs below these, without their children."""
    return sum(own for text, own, _ in processes_below(pids).values() if b"CoarseGrainedExecutorBackend" in text)


def peaks_kb(pids, word):
    """The largest resident memory so far of each process below these that has the word in its command line."""
    peaks = []
    for pid, (text, _, _) in processes_below(pids).items():
        try:
            with open("/proc/%d/status" % pid) as file:
                lines = dict(line.split(":", 1) for line in file)
        except OSError:
            continue
        if word in text and "VmHWM" in lines:
            peaks.append(int(lines["VmHWM"].split()[0]))
    return peaks
