"""Every file of tests/data, and of a folder of cases, through every command and every writer.

usage: all_files.py MANY_RUNS TOP [FOLDER...]    MANY_RUNS is tests/many_runs of the build, which runs the program many times in one process
JOBS: processes side by side (2); SECONDS: the time to stop after, small files first; MOST: bytes of the largest file (4000000)
A run is wrong that ends its process, takes more than 20 s (60 s with sanitizers), has an exit status that no page names, in which a
sanitizer speaks, or that ends with status 2 or 3 without a message. Meant for a build with --enable-sanitizers; TAP on standard output.
"""
import concurrent.futures
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time

MANY_RUNS, TOP = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SECONDS, MOST = float(os.environ.get("SECONDS", "1e9")), int(os.environ.get("MOST", "4000000"))
with open(MANY_RUNS, "rb") as program:
    HANG = 60 if b"__asan_init" in program.read() else 20


def outputs(*endings):
    return [word for ending in endings for word in ("-o", "OUT" + ending)]


# Commands and the statuses that their pages name.
COMMANDS = [
    (["report", "IN", *outputs(".html", ".xlsx", ".md", ".csv", ".json", ".txt")], {0, 3}),
    (["report", "IN", "--to=github", "--strict", "--explain-inputs"], {0, 2, 3}),
    (["report", "IN", "--by=type", "--value=total", "--per-run", "--to=md"], {0, 3}),
    (["report", "IN", "--per=call", "--stats=all", "--to=json"], {0, 2, 3}),
    (["compare", "IN", "IN", *outputs(".html", ".xlsx", ".md", ".csv", ".json", ".txt")], {0, 3}),
    (["gate", "IN", "IN", "--allow-mixed", *outputs(".html", ".xlsx", ".md", ".csv", ".json", ".xml")], {0, 1, 3, 4}),
    (["gate", "IN", "IN", "--to=github"], {0, 1, 3, 4}),
    (["audit", "IN", "--to=json", *outputs(".md", ".csv", ".html", ".xlsx", ".txt")], {0, 1, 3}),
    (["ops", "IN", "--include=."], {0, 3}),
    (["events", "IN", "--to=ndjson"], {0, 3}),
    (["export", "IN", *outputs(".csv", ".obs", ".parquet", ".sqlite", ".sql", "/")], {0, 2, 3}),
    (["export", "IN", "--events", *outputs(".csv", ".sqlite")], {0, 2, 3}),
    (["merge", "IN", *outputs(".part")], {0, 3}),
    (["sql", "IN", "SELECT op, count(*), avg(value) FROM obs GROUP BY op ORDER BY 1 LIMIT 5"], {0, 3}),
    (["timeline", "generate", "IN", *outputs(".json")], {0, 3}),
    (["timeline", "merge", "IN", *outputs(".json")], {0, 3}),
    (["timeline", "mean", "IN", *outputs(".json")], {0, 3}),
    (["tfprof", "--profile_path=IN", "op"], {0, 1, 2, 3}),
    (["config", "--config=IN"], {0, 2, 3}),
]


class Runs:
    """A process that runs command lines; another one after one that was ended."""

    def __init__(self):
        self.folder, self.process = tempfile.mkdtemp(), None

    def run(self, folder, words):
        """(status, or None where the process was ended; messages; output)"""
        if not self.process:
            self.messages = open(os.path.join(self.folder, "messages"), "w+b")
            self.process = subprocess.Popen([MANY_RUNS, os.path.join(self.folder, "output")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=self.messages)
        self.messages.truncate(0)
        os.lseek(self.messages.fileno(), 0, os.SEEK_SET)
        self.process.stdin.write("\t".join([folder, *words]).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline() if select.select([self.process.stdout], [], [], HANG)[0] else b"late"
        status = int(answer) if answer[:-1].isdigit() else None
        if status is None:
            self.process.kill()
            self.process.wait()
            self.process = None
        with open(self.messages.name, "rb") as said, open(os.path.join(self.folder, "output"), "rb") as output:
            return status, answer == b"late", said.read(), output.read()


RUNS = threading.local()


def wrong(run, good):
    """A word for what no run may do, or None."""
    status, is_late, said, output = run
    if b"Sanitizer" in said or b"runtime error:" in said:
        return "a sanitizer speaks: " + " ".join(re.findall(r"(?:ERROR: |runtime error: ).*|#[0-6] .*", said.decode("utf-8", "replace"))[:8])
    if is_late:
        return "more than %d s" % HANG
    if status not in good:
        return "status %s" % status
    if status in (2, 3) and not said and not re.search(rb"unusable", output):
        return "status %d without a message" % status
    return None


def through(path):
    """(command, fault) of each run on a file that is wrong, and the number of runs."""
    found, runs = [], 0
    if not hasattr(RUNS, "one"):
        RUNS.one = Runs()
    for words, good in COMMANDS:
        folder = tempfile.mkdtemp()
        words = [word.replace("IN", path) if word.startswith(("IN", "--profile_path=", "--config=")) else word for word in words]
        fault = wrong(RUNS.one.run(folder, words), good)
        left = [name for name in os.listdir(folder) if not name.startswith("OUT")]
        fault = fault or ("left behind: " + ", ".join(left) if left else None)
        if fault:
            found.append((words, fault))
        runs += 1
        shutil.rmtree(folder)
    return found, runs


def main():
    paths = [os.path.join(folder, name) for top in [os.path.join(TOP, "tests/data"), *sys.argv[3:]]
             for folder, _, names in os.walk(os.path.abspath(top)) for name in names]
    large = sum(os.path.getsize(path) > MOST for path in paths)
    paths = [path for path in paths if os.path.getsize(path) <= MOST and "\t" not in path and "\n" not in path]
    paths.sort(key=lambda path: (os.path.getsize(path), path))
    end, bad, runs, files = time.monotonic() + SECONDS, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for found, number in pool.map(lambda path: through(path) if time.monotonic() < end else ([], 0), paths):
            runs += number
            files += number > 0
            bad += len(found)
            for words, fault in found:
                print("# stepstat %s: %s" % (" ".join(words), fault), flush=True)
    print("# %d of %d files, %d runs, %d wrong; %d larger ones were left out" % (files, len(paths), runs, bad, large))
    print("%s 1 - every file through every command and writer" % ("not ok" if bad or not runs else "ok"))
    print("1..1")
    return 1 if bad or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
