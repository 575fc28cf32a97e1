"""Benchmark tools as people have them: what they write is read value by value, and their own comparisons say the same as ours.

usage: bench_tools.py STEPSTAT DATA    DATA is tests/data/bench; with a Python that has pytest-benchmark and pyperf, and Debian's libbenchmark-dev,
hyperfine and golang; for NVBench's compare NVBENCH_SCRIPTS is its folder python/scripts (it needs tabulate, colorama and jsondiff)

Each part whose tool is missing is skipped aloud. A plain reading is json, or words of a line. TAP on standard output.
"""
import csv
import gzip
import importlib.util
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

STEPSTAT, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
PYTEST = """
import pytest
@pytest.mark.parametrize("n", [100, 1000])
def test_sum(benchmark, n):
    benchmark(sum, range(n))
def test_sorted(benchmark):
    benchmark(sorted, list(range(500))[::-1])
"""
GOOGLE = """
#include <benchmark/benchmark.h>
static void add(benchmark::State &s) { for (auto _ : s) { int sum = 0; for (int i = 0; i < s.range(0); i++) benchmark::DoNotOptimize(sum += i); } }
BENCHMARK(add)->Arg(64)->Arg(4096);
BENCHMARK_MAIN();
"""
GO = """
package x
import "testing"
func BenchmarkAppend(b *testing.B) { b.ReportAllocs(); for i := 0; i < b.N; i++ { s := []int{}; for j := 0; j < 100; j++ { s = append(s, j) } } }
func BenchmarkSum(b *testing.B) { b.SetBytes(800); t := 0; for i := 0; i < b.N; i++ { for j := 0; j < 100; j++ { t += j } }; if t < 0 { b.Fail() } }
"""
count = failed = 0


def tap(good, name, reason=""):
    global count, failed
    count += 1
    failed += not good
    print("%sok %d - %s%s" % ("" if good else "not ", count, name, " # SKIP " + reason if reason else ""))


def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode:
        print("# %s: %s" % (" ".join(command[:4]), (result.stderr or result.stdout)[-400:].replace("\n", "\n# ")))
    return result


def times_of(path):
    """Sorted seconds of each benchmark."""
    rows = {}
    for row in csv.DictReader(io.StringIO(run(STEPSTAT, "export", path, "--to=csv").stdout)):
        if row["benchmark"] and row["measure"] == "time" and row["value"]:
            rows.setdefault(row["benchmark"], []).append(float(row["value"]) * SECONDS[row["unit"]])
    return {name: sorted(values) for name, values in rows.items()}


def same(ours, plain):
    right = ours.keys() == plain.keys() and all(
        len(ours[k]) == len(plain[k]) and all(math.isclose(a, b, rel_tol=1e-9, abs_tol=0.51e-12) for a, b in zip(ours[k], sorted(plain[k])))
        for k in plain)
    if not right:
        print("# ours %s\n# plain %s" % (str(ours)[:300], str(plain)[:300]))
    return right and bool(plain)


def lacks_module(*names):
    return next((name for name in names if importlib.util.find_spec(name) is None), None)


def pytest_benchmark(folder):
    with open("test_x.py", "w") as file:
        file.write(PYTEST)
    run(sys.executable, "-m", "pytest", "-q", "--benchmark-json=x.json", "--benchmark-save-data", "--benchmark-max-time=0.05", "test_x.py")
    with open("x.json") as file:
        return {b["fullname"]: b["stats"]["data"] for b in json.load(file)["benchmarks"]}


def pyperf(folder):
    run(sys.executable, "-m", "pyperf", "timeit", "--fast", "-p", "3", "-n", "4", "--name", "sort", "sorted(range(300))", "-o", "x.json")
    with open("x.json") as file:
        d = json.load(file)
    return {"sort": [v for r in d["benchmarks"][0]["runs"] for v in r.get("values", [])]}


def google_benchmark(folder):
    with open("x.cc", "w") as file:
        file.write(GOOGLE)
    run("g++", "-O1", "x.cc", "-o", "x", "-lbenchmark", "-lpthread")
    run("./x", "--benchmark_out=x.json", "--benchmark_out_format=json", "--benchmark_repetitions=3", "--benchmark_min_time=0.01")
    rows = {}
    with open("x.json") as file:
        for b in json.load(file)["benchmarks"]:
            if b["run_type"] == "iteration":
                rows.setdefault(b["run_name"], []).append(b["real_time"] * SECONDS[b["time_unit"]])
    return rows


def hyperfine(folder):
    run("hyperfine", "--runs=4", "--shell=none", "--export-json=x.json", "true", "sleep 0.01")
    with open("x.json") as file:
        return {r["command"]: r["times"] for r in json.load(file)["results"]}


def go(folder):
    with open("x_test.go", "w") as file:
        file.write(GO)
    with open("go.mod", "w") as file:
        file.write("module x\ngo 1.19\n")
    text = run("go", "test", "-bench=.", "-count=3", "-benchtime=1000x", env=dict(os.environ, GOFLAGS="-mod=mod", GOTOOLCHAIN="local")).stdout
    with open("x.txt", "w") as file:
        file.write(text)
    rows = {}
    for name, value in re.findall(r"^(Benchmark\S+)\s+\d+\s+([\d.]+) ns/op", text, re.M):
        rows.setdefault(re.sub(r"-\d+$", "", name), []).append(float(value) * 1e-9)
    return rows


def names_alike(ours, plain):
    """Go's names without their prefix and number of processors, and without the package."""
    bare = {re.sub(r"^(.*\.)?(Benchmark)?", "", re.sub(r"-\d+$", "", name)): values for name, values in ours.items()}
    return same(bare, {name.replace("Benchmark", "", 1): values for name, values in plain.items()})


def read_part(name, lacking, record, written, compare=same):
    if lacking:
        tap(True, name + ": what it writes is read", "no " + lacking)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        plain = record(folder)
        tap(compare(times_of(written), plain), name + ": what it writes is read")
        os.chdir("/")


def table(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.csv")
        run(STEPSTAT, "compare", *arguments, "-o", out)
        with open(out, encoding="utf-8") as file:
            return list(csv.DictReader(file))


def has_interval(row):
    return float(row["time_low_pct"]) <= float(row["time_change_pct"]) <= float(row["time_high_pct"])


def pyperf_compare():
    what = "pyperf compare_to: same direction, and its ratio in our interval"
    if lacks_module("pyperf"):
        tap(True, what, "no pyperf")
        return
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, "mult_list_py%d.json" % n) for n in (36, 37)]
        for path in files:
            with gzip.open(os.path.join(DATA, "pyperf", os.path.basename(path) + ".gz")) as packed, open(path, "wb") as file:
                file.write(packed.read())
        good, seen = True, 0
        for base, new in (files, files[::-1]):
            ours = {row["op"]: row for row in table(base, new)}
            text = run(sys.executable, "-m", "pyperf", "compare_to", "-v", base, new).stdout
            for name, change in re.findall(r"^(\S.*)\n=+\n(?:.*\n)*?.*?(\d[\d.]*x (?:faster|slower)|no change)", text, re.M):
                ratio = 1 if change == "no change" else float(change.split("x")[0])
                ratio = 1 / ratio if "faster" in change else ratio
                change, low, high = (float(ours[name]["time_%s_pct" % key]) for key in ("change", "low", "high"))
                rounded = 0.51 * max(1, ratio)
                good &= (change > 0) == (ratio > 1) and low - rounded <= 100 * (ratio - 1) <= high + rounded and has_interval(ours[name])
                seen += 1
        print("# %d changes" % seen)
        tap(good and seen >= 4, what)


def nvbench_compare():
    what = "nvbench_compare.py: same times and changes, ours with an interval"
    scripts, lacking = os.environ.get("NVBENCH_SCRIPTS"), lacks_module("tabulate", "colorama", "jsondiff")
    if not scripts or lacking:
        tap(True, what, "no NVBENCH_SCRIPTS" if not scripts else "no " + lacking)
        return
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name + ".json") for name in ("ref", "cmp")]
        for path in files:
            with gzip.open(os.path.join(DATA, "nvbench", "test_" + os.path.basename(path) + ".gz")) as packed, open(path, "wb") as file:
                file.write(packed.read())
        text = run(sys.executable, os.path.join(scripts, "nvbench_compare.py"), "--no-color", *files, env=dict(os.environ, PYTHONPATH=scripts)).stdout
        rows = [row for row in table(*files, "--run-cv=1%") if row["time_change_pct"]]
        ours = sorted((float(row["time_base_us"]), float(row["time_new_us"])) for row in rows)
    theirs = []
    for ref, ref_unit, new, new_unit, percent in re.findall(
            r"\| +([\d.]+) (us|ms|s) \| +[\d.]+% \| +([\d.]+) (us|ms|s) \| +[\d.]+% \| +\S+ \S+ \| +(-?[\d.]+)% ", text):
        theirs.append((float(ref) * SECONDS[ref_unit] * 1e6, float(new) * SECONDS[new_unit] * 1e6, float(percent)))
    unmatched = [t for t in theirs if not any(
        abs(b - t[0]) <= 0.0006 * max(1, t[0]) and abs(n - t[1]) <= 0.0006 * max(1, t[1])
        and abs(100 * (n / b - 1) - t[2]) <= 0.0051 for b, n in ours)]
    print("# %d of their rows, %d of ours; unmatched: %s" % (len(theirs), len(ours), unmatched[:3]))
    tap(len(theirs) >= 50 and not unmatched and all(has_interval(row) for row in rows), what)


read_part("pytest-benchmark", lacks_module("pytest", "pytest_benchmark"), pytest_benchmark, "x.json")
read_part("pyperf", lacks_module("pyperf"), pyperf, "x.json")
read_part("google/benchmark", None if os.path.exists("/usr/include/benchmark/benchmark.h") and shutil.which("g++") else "libbenchmark-dev", google_benchmark, "x.json")
read_part("hyperfine", None if shutil.which("hyperfine") else "hyperfine", hyperfine, "x.json")
read_part("Go's testing", None if shutil.which("go") else "go", go, "x.txt", names_alike)
pyperf_compare()
nvbench_compare()
print("1..%d" % count)
sys.exit(failed > 0)
