"""200 random trees of merges of the ranks of two jobs: one digest each, and the report of all files.

Usage: merge.py STEPSTAT MAKE_RANKS GLOO_FOLDER   (tests/bench/make_ranks makes the second job)
"""
import hashlib
import os
import random
import subprocess
import sys
import tempfile

TREES = 100  # of each job
TABLES = ["ops", "steps", "totals", "split", "culprits", "issues"]


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def tree(stepstat, files, folder, rng):
    pool, made = list(files), 0
    while len(pool) > 1 or not made:
        some = rng.sample(pool, rng.randint(1, min(5, len(pool))))
        made += 1
        out = os.path.join(folder, f"{made}.part")
        run(stepstat, "merge", *some, "-o", out)
        pool = [path for path in pool if path not in some] + [out]
    found = digest(pool[0])
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    return found


def without_run(table, name):
    return "\n".join(line[len(name) + 1:] if line.startswith(name + ",") else line for line in table.splitlines())


def check(stepstat, source, files, rng):
    with tempfile.TemporaryDirectory() as folder:
        whole = os.path.join(folder, "job.part")
        run(stepstat, "merge", *files, "-o", whole)
        expected = digest(whole)
        for table in TABLES:
            one = without_run(run(stepstat, whole, f"--table={table}", "--to=csv"), "job.part")
            all_files = without_run(run(stepstat, source, f"--table={table}", "--to=csv"), os.path.basename(source))
            assert one == all_files, (source, table)
        trees = os.path.join(folder, "trees")
        os.mkdir(trees)
        for _ in range(TREES):
            assert tree(stepstat, files, trees, rng) == expected, source
    print(f"{os.path.basename(source)}: {len(files)} ranks, {TREES} trees, one digest; {len(TABLES)} tables as of all files")


def main():
    stepstat, make_ranks, gloo = sys.argv[1:]
    rng = random.Random(20)
    with tempfile.TemporaryDirectory() as folder:
        first = os.path.join(folder, "gloo")
        os.mkdir(first)
        for name in sorted(os.listdir(gloo)):
            run(stepstat, "export", os.path.join(gloo, name), "-o", os.path.join(first, name.split(".")[0] + ".obs"))
        second = os.path.join(folder, "made")
        run(make_ranks, second, "40", "30", "20", "7", "20", "3")
        for job in (first, second):
            check(stepstat, job, [os.path.join(job, name) for name in sorted(os.listdir(job))], rng)


main()
