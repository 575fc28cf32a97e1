"""Every file of tests/data, and of a folder of cases, through every command and every writer.

usage: all_files.py STEPSTAT TOP [FOLDER...]     JOBS: programs side by side (2); SECONDS: the time to stop after, small files first
A run is wrong that is ended by a signal, takes more than 20 s (60 s with sanitizers), has an exit status that no page names, in which a
sanitizer speaks, or that ends with status 2 or 3 without a message. Meant for a build with --enable-sanitizers; TAP on standard output.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

STEPSTAT, TOP = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SECONDS = float(os.environ.get("SECONDS", "1e9"))
with open(STEPSTAT, "rb") as program:
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


def wrong(run, good):
    """A word for what no run may do, or None."""
    if b"Sanitizer" in run.stderr or b"runtime error:" in run.stderr:
        return "a sanitizer speaks: " + " ".join(re.findall(r"(?:ERROR: |runtime error: ).*|#[0-6] .*", run.stderr.decode("utf-8", "replace"))[:8])
    if run.returncode not in good:
        return "status %d" % run.returncode
    if run.returncode in (2, 3) and not run.stderr and not re.search(rb"unusable", run.stdout):
        return "status %d without a message" % run.returncode
    return None


def through(path):
    """(command, fault) of each run on a file that is wrong, and the number of runs."""
    found, runs = [], 0
    for words, good in COMMANDS:
        folder = tempfile.mkdtemp()
        words = [word.replace("IN", path) if word.startswith(("IN", "--profile_path=", "--config=")) else word for word in words]
        try:
            run = subprocess.run([STEPSTAT, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG)
            fault = wrong(run, good)
        except subprocess.TimeoutExpired:
            fault = "more than %d s" % HANG
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
    paths.sort(key=lambda path: (os.path.getsize(path), path))
    end, bad, runs, files = time.monotonic() + SECONDS, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for found, number in pool.map(lambda path: through(path) if time.monotonic() < end else ([], 0), paths):
            runs += number
            files += number > 0
            bad += len(found)
            for words, fault in found:
                print("# stepstat %s: %s" % (" ".join(words), fault), flush=True)
    print("# %d of %d files, %d runs, %d wrong" % (files, len(paths), runs, bad))
    print("%s 1 - every file through every command and writer" % ("not ok" if bad or not runs else "ok"))
    print("1..1")
    return 1 if bad or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
