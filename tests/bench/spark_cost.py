"""The CPU of a Spark job against the same exports and merge without Spark, on a real master and two workers on loopback.

usage: spark_cost.py STEPSTAT TOP [BYTES [RANKS [PARTITIONS [SCHEME]]]]    with Python's pyspark, pyarrow and pandas, and Java 17

BYTES is the size of a trace (100000000), PARTITIONS the number of tasks (8), SCHEME what stands before paths:
file:// streams them through pyarrow.fs. What is measured is user and system time from /proc: of Python and the program on workers, of the
executors' JVMs, of the driver. The first job has the starts of JVMs and Python in it, the later ones have
not.
"""
import os
import resource
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "extra"))
import spark_cluster  # noqa: E402
from spark_cluster import java_seconds, peaks_kb, python_seconds  # noqa: E402

JOBS = 4


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def alone(stepstat, paths, folder):
    """CPU of an export of each and of a merge of all."""
    before = children_seconds()
    made = []
    for number, path in enumerate(paths):
        made.append(os.path.join(folder, "%d.obs" % number))
        subprocess.run([stepstat, "export", path, "-o", made[-1], "--quiet"], check=True)
    exported = children_seconds()
    subprocess.run([stepstat, "merge", *made, "-o", os.path.join(folder, "alone.part")], check=True)
    return exported - before, children_seconds() - exported


def driver_seconds():
    """CPU of this process and of its JVM, with the report that it runs."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    jvm = sum(cpu for text, cpu, _ in spark_cluster.processes_below([os.getpid()]).values() if b"SparkSubmit" in text)
    return own.ru_utime + own.ru_stime + children_seconds() + jvm


class Peaks(threading.Thread):
    """The memory of Python on workers and of the exports there."""

    def __init__(self, pids):
        super().__init__()
        self.pids, self.is_over, self.python, self.program = pids, threading.Event(), 0, 0

    def run(self):
        while not self.is_over.wait(0.1):
            self.python = max([self.python, *peaks_kb(self.pids, b"pyspark.daemon")])
            self.program = max([self.program, *peaks_kb(self.pids, b"--input-name=")])


def main(made, stepstat, top, size, ranks, partitions, scheme):
    paths = spark_cluster.large_traces(os.path.join(made, "in"), range(ranks), size)
    best = min((alone(stepstat, paths, made) for _ in range(3)), key=sum)
    traces = ranks, os.path.getsize(paths[0]), partitions, scheme, os.getloadavg()[0]
    print("# %d traces of %d bytes, %d tasks, %s load %.1f" % traces)
    print("alone: exports %.2f s, merge %.2f s" % best, flush=True)
    spark_cluster.modules_of(stepstat, top, made)
    from stepstat import spark
    cluster = spark_cluster.Cluster(made)
    try:
        session = spark_cluster.session_of(cluster)
        pids = [worker.pid for worker in cluster.workers]
        for number in range(JOBS):
            before = python_seconds(pids), java_seconds(pids), driver_seconds()
            watch = Peaks(pids) if number == JOBS - 1 else None
            if watch:
                watch.start()
            spark.report(session, [scheme + path for path in paths], os.path.join(made, "out%d" % number), partitions=partitions)
            now = python_seconds(pids), java_seconds(pids), driver_seconds()
            python, java, driver = (b - a for a, b in zip(before, now))
            print("job %d: Python and program %.2f s (%.2f times alone), executors' JVMs %.2f s, driver with report %.2f s; load %.1f"
                  % (number + 1, python, python / sum(best), java, driver, os.getloadavg()[0]), flush=True)
            if watch:
                watch.is_over.set()
                watch.join()
                print("memory: Python %d kB, export %d kB" % (watch.python, watch.program))
        session.stop()
    finally:
        cluster.stop()


if __name__ == "__main__":
    words = sys.argv[3:] + ["100000000", "8", "8", ""][len(sys.argv) - 3:]
    with tempfile.TemporaryDirectory() as folder:
        main(folder, *(os.path.abspath(word) for word in sys.argv[1:3]), *map(int, words[:3]), words[3])
