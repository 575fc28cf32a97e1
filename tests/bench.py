#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of benchmark tools against a plain reading of them: every value, with its run, step and benchmark.

bench.py PROGRAM FOLDER: FOLDER is tests/data/bench. The readings below know nothing of the program but the names of its measures.
"""
import array
import csv
import gzip
import io
import itertools
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

PROGRAM, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
SECONDS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
NO_RUN = ""  # the file is one


def text_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return file.read().decode("utf-8-sig")


def single(rows):
    """Where there is one run only, it has no name."""
    return {((NO_RUN,) + key[1:] if {k[0] for k in rows} <= {"1"} else key): value for key, value in rows.items()}


def google_benchmark(d):
    rows, seen = {}, {}
    iterated = {b.get("run_name", b["name"]) for b in d["benchmarks"] if b.get("run_type") != "aggregate"}
    for b in d["benchmarks"]:
        name = b.get("run_name", b["name"])
        if b.get("run_type") == "aggregate" and (name in iterated or b.get("aggregate_name", "mean") != "mean"):
            continue
        number = max(b.get("repetition_index", 0), seen.get(name, 0))
        seen[name] = seen.get(name, 0) + 1
        for key, measure in (("real_time", "time"), ("cpu_time", "cpu")):
            if key in b:
                rows[str(number + 1), number, name, measure] = b[key] * SECONDS[b.get("time_unit", "ns")]
    return single(rows)


def pytest_benchmark(d):
    rows = {}
    for b in d["benchmarks"]:
        data = b["stats"].get("data", [])
        if not data or any(isinstance(x, str) for x in data):
            data = [b["stats"]["mean"]]
        rows.update({(NO_RUN, i, b["fullname"], "time"): x for i, x in enumerate(data)})
    return rows


def hyperfine(d):
    return single({(str(i + 1), 0, r["command"], "time"): t for r in d["results"] for i, t in enumerate(r["times"])
                   if r.get("exit_codes", [0] * len(r["times"]))[i] == 0})


def pyperf(d):
    rows = {}
    for b in d["benchmarks"]:
        metadata = dict(d.get("metadata", {}), **b.get("metadata", {}))
        measure = {"byte": "memory"}.get(metadata.get("unit"), "time")
        runs = [r for r in b["runs"] if r.get("values")]
        rows.update({(str(n + 1), i, metadata["name"], measure): x for n, r in enumerate(runs) for i, x in enumerate(r["values"])})
    return single(rows)


def jmh(d):
    rows = {}
    for b in d:
        m = b["primaryMetric"]
        word, _, per = m["scoreUnit"].partition("/")
        measure, factor = ("throughput", 1) if b["mode"] == "thrpt" else ("time", SECONDS[word])
        rows.update({(str(f + 1), i, b["benchmark"], measure): x * factor
                     for f, fork in enumerate(m["rawData"]) for i, x in enumerate(fork)})
    return single(rows)


def benchmarkdotnet(d):
    rows = {(NO_RUN, i, b.get("FullName") or b["Method"], "time"): x * 1e-9 for b in d["Benchmarks"]
            for i, x in enumerate(b["Statistics"].get("OriginalValues") or [b["Statistics"]["Mean"]])}
    rows.update({(NO_RUN, 0, b["FullName"], "memory"): b["Memory"]["BytesAllocatedPerOperation"]
                 for b in d["Benchmarks"] if b.get("Memory")})
    return rows


def vitest(d):
    return {(NO_RUN, 0, g["fullName"] + " > " + b["name"], "time"): b["mean"] * 1e-3
            for f in d["files"] for g in f["groups"] for b in g["benchmarks"]}


def name_value(d):
    words = {"Percent": ("percent", 1), "Megabytes": ("memory", 1e6), "req/s": ("req_per_s", 1)}
    return {(NO_RUN, 0, b["name"], words[b["unit"]][0]): b["value"] * words[b["unit"]][1] for b in d}


def bencher(d):
    return {(NO_RUN, 0, name, "time"): m["latency"]["value"] * 1e-9 for name, m in d.items()}


def julia(d):
    rows = {}

    def walk(node, path):
        kind, content = node
        if kind == "BenchmarkGroup":
            for name, child in content["data"].items():
                walk(child, path + [name])
        else:
            rows[NO_RUN, 0, "/".join(path), "time"] = content["time"] * 1e-9
            rows[NO_RUN, 0, "/".join(path), "memory"] = content["memory"]
            rows[NO_RUN, 0, "/".join(path), "allocs"] = content["allocs"]
    for group in d[1]:
        walk(group, [])
    return rows


def sglang_kernels(d):
    words = {"GB/s": ("gb_per_s", 1e9), "us": ("time", 1e-6)}
    return {(NO_RUN, 0, case + "/" + key, words[c["metric"]][0]): x * words[c["metric"]][1]
            for case, c in d["cases"].items() for key, x in c["measurements"].items() if x is not None}


def kernelbench(d):
    return {(NO_RUN, 0, "%s/%s [%s]" % (level, name, k["hardware"]), "time"): k["mean"] * 1e-3
            for level, kernels in d.items() for name, k in kernels.items()}


def criterion(d):
    return {(NO_RUN, 0, "fast_time_timestamp_performance/timestamp_capture/std_instant/now", "time"): d["mean"]["point_estimate"] * 1e-9}


def pytorch_oss(d):
    rows = {}
    for r in d:
        name = r["benchmark"]["name"] + "/" + r["model"]["name"]
        for i, x in enumerate(r["metric"]["benchmark_values"]):
            rows[NO_RUN, 0, name + ("/" + r["shape"][i] if "shape" in r else ""), r["metric"]["name"]] = x
    return rows


def asv(d):
    rows = {}
    for name, (values, params, *_) in d["results"].items():
        measure = {"time": "time", "peakmem": "memory", "track": "track"}[name.split(".")[-1].split("_")[0]]
        names = ["(%s)" % ", ".join(c) for c in itertools.product(*params)] if params else [""]
        rows.update({(NO_RUN, 0, name + n, measure): x for n, x in zip(names, values or []) if x is not None})
    return rows


def go_text(text):
    rows, seen, package = {}, {}, ""
    words = {"ns/op": ("time", 1e-9), "MB/s": ("throughput", 1e6), "B/op": ("memory", 1), "allocs/op": ("allocs", 1)}
    for line in text.splitlines():
        if line.startswith("pkg: "):
            package = line[5:].strip() + "."
        found = re.match(r"Benchmark(\S+)\s+\d+\s+(.*)", line)
        if not found:
            continue
        name, pairs = package + found[1], found[2].split()
        number = seen[name] = seen.get(name, -1) + 1
        for value, unit in zip(pairs[::2], pairs[1::2]):
            measure, factor = words.get(unit, (re.sub("[^a-z0-9/]", "_", unit.lower()).replace("/", "_per_"), 1))
            rows[str(number + 1), number, name, measure] = float(value) * factor
    return single(rows)


def rust_text(text):
    rows = {}
    for name, value, unit in re.findall(r"^test (.+?) \.\.\. bench:\s+([\d,.]+) (\S+)", text, re.M):
        word = {"ns/iter": ("time", 1e-9), "cycles/iter": ("cycles_per_iter", 1), "MS/s": ("ms_per_s", 1)}[unit]
        rows[NO_RUN, 0, name, word[0]] = float(value.replace(",", "")) * word[1]
    for name, value, unit in re.findall(r"^(\S.*?)?\s+time:\s+\[\S+ \S+ (\S+) (\S+) ", text, re.M):
        name = name or re.search(r"^(.+)\n\s+time:\s+\[\S+ \S+ %s " % re.escape(value), text, re.M)[1]
        rows[NO_RUN, 0, name, "time"] = float(value) * SECONDS[unit.replace("µ", "u")]
    return rows


def catch2_text(text):
    rows, lines = {}, text.splitlines()
    for line, below in zip(lines, lines[1:]):
        head = re.match(r"(\S.*?)\s+\d+\s+\d+\s+[\d.]+ [mun]?s\s*$", line)
        if head:
            value, unit = below.split()[:2]
            rows[NO_RUN, 0, head[1], "time"] = float(value) * SECONDS[unit]
    return rows


def asv_text(text):
    rows = {}
    for name, value, unit in re.findall(r"··· (\S+\.\S+) +([\d.]+)(?:±[\d.]+)?(\S+)$", text, re.M):
        if ".mem_" in name:
            rows[NO_RUN, 0, name, "memory"] = float(value) * {"k": 1e3}[unit]
        else:
            rows[NO_RUN, 0, name, "time"] = float(value) * SECONDS[unit.replace("μ", "u")]
    return rows


def nvbench(d, folder=""):
    rows, names = {}, {x["id"]: x["name"] for x in d["devices"]}
    tags = {"nv/cold/time/cpu/mean": "cpu", "nv/cold/bw/global/bytes_per_second": "bandwidth", "nv/cold/bw/item_rate": "item_rate"}
    for b in d["benchmarks"]:
        for s in b["states"]:
            name = (b["name"] + " " + re.sub(r"^Device=\d+ ?", "", s["name"])).strip()
            name += " [%s]" % names[s["device"]] if len(b["devices"]) > 1 else ""
            data = {x["tag"]: {v["name"]: v["value"] for v in x["data"]} for x in s["summaries"] or []}
            times = [float(data["nv/cold/time/gpu/mean"]["value"])] if "nv/cold/time/gpu/mean" in data else []
            if "nv/json/bin:nv/cold/sample_times" in data:
                file = "/".join(data["nv/json/bin:nv/cold/sample_times"]["filename"].split("/")[-2:])
                times = array.array("f", open(os.path.join(folder, file), "rb").read())
                file = "/".join(data["nv/json/freqs-bin:nv/cold/sample_freqs"]["filename"].split("/")[-2:])
                rows.update({(NO_RUN, i, name, "clock"): x for i, x in enumerate(array.array("f", open(os.path.join(folder, file), "rb").read()))})
            rows.update({(NO_RUN, i, name, "time"): x for i, x in enumerate(times)})
            rows.update({(NO_RUN, 0, name, tags[tag]): float(x["value"]) for tag, x in data.items() if tag in tags})
    return rows


def serving(d):
    """One object, or a line a run."""
    rows, documents = {}, d if isinstance(d, list) else [d]
    rates = {"request_throughput": "request_throughput", "request_goodput": "request_goodput", "output_throughput": "output_throughput",
             "input_throughput": "input_throughput", "total_token_throughput": "total_throughput", "total_throughput": "total_throughput"}
    for number, x in enumerate(documents):
        name = x.get("model_id", "serving")
        for key, word in (("request_rate", "rate"), ("max_concurrency", "concurrency")):
            name += " %s=%s" % (word, x[key]) if x.get(key) is not None else ""
        run = str(number + 1)
        for key, value in x.items():
            tail = re.match(r"(p([\d.]+)|mean|median)_(ttft|tpot|itl|e2el|e2e_latency)_ms$", key)
            percent = tail and (float(tail[2]) if tail[2] else 50 if tail[1] == "median" else 0)
            requests = x.get("completed", x.get("num_prompts"))
            if key in rates and value is not None:
                rows[run, 0, name, rates[key]] = value
            elif tail and not (percent == 0 and "ttfts" in x) and (percent == 0 or requests * (100 - percent) >= 999.9):
                rows[run, 0, name, key[:-3]] = value / 1e3
        for i, ttft in enumerate(x.get("ttfts", [])):
            rows[run, i, name, "ttft"] = ttft
            gaps = x["itls"][i] if "itls" in x else []
            if gaps:
                rows[run, i, name, "e2e"] = ttft + sum(gaps)
                rows[run, i, name, "itl"] = sum(gaps) / len(gaps)
    return single(rows)


def aiperf(d):
    if not isinstance(d, list):
        rows = {}
        for name, x in d.items():
            if isinstance(x, dict) and "avg" in x:
                factor = 1e-3 if x["unit"] == "ms" else 1
                rows[NO_RUN, 0, "requests", "request_count_value" if name == "request_count" else name] = x["avg"] * factor
                rows.update({(NO_RUN, 0, "requests", "%s_%s" % (key, name)): value * factor for key, value in x.items()
                             if re.match(r"p\d+$", key) and d["request_count"]["avg"] * (100 - float(key[1:])) >= 1000})
        return rows
    return {(NO_RUN, i, "requests", name): m["value"] * (1e-3 if m["unit"] == "ms" else 1) for i, r in enumerate(d)
            if r["metadata"]["benchmark_phase"] == "profiling" and not r["error"]
            for name, m in r["metrics"].items() if not isinstance(m["value"], list)}


def events(_):
    """As its maker in the README says: five steps, then a record that is cut."""
    rows = {(NO_RUN, i + 1, "loss", "loss"): struct.unpack("f", struct.pack("f", 2.5 / (i + 1)))[0] for i in range(5)}
    rows.update({(NO_RUN, i + 1, "perf/step_time_ms", "time"): (12.5 + i / 4) * 1e-3 for i in range(5)})
    return rows


# Of each file the reading, or the words of the message that names it.
FILES = {
    "gbench/test1_run1.json": google_benchmark, "gbench/test1_run2.json": google_benchmark, "gbench/test3_run0.json": google_benchmark,
    "gbench/test3_run1.json": google_benchmark, "gbench/test4_run.json": "no real_time", "gbench/test4_run0.json": "no mean",
    "gab/googlecpp_output.json": google_benchmark,
    "gab/pytest_output.json": pytest_benchmark, "gab/pytest_several_units.json": pytest_benchmark,
    "bencher/python_pytest_four.json": pytest_benchmark,
    "bencher/shell_hyperfine_one.json.gz": hyperfine, "made/hf.json": hyperfine,
    "pyperf/mult_list_py36.json.gz": pyperf, "pyperf/mult_list_py37.json.gz": pyperf, "pyperf/telco.json.gz": pyperf,
    "pyperf/track_memory.json": pyperf, "made/pp.json": pyperf,
    "gab/jmh_output.json": jmh, "bencher/java_jmh_throughput.json": jmh,
    "gab/benchmarkdotnet.json.gz": benchmarkdotnet, "bencher/c_sharp_dot_net_null_namespace.json": benchmarkdotnet,
    "bencher/js_vitest_four.json": vitest,
    "gab/customBiggerIsBetter_output.json": name_value, "gab/customSmallerIsBetter_output.json": name_value,
    "bencher/json_report_bmf_mixed.json": bencher, "bencher/json_report_latency.json": bencher,
    "gab/julia_output.json": julia,
    "made/sglang_kernels_base.json": sglang_kernels, "made/sglang_kernels_new.json": sglang_kernels,
    "made/kernelbench_base.json": kernelbench, "made/kernelbench_new.json": kernelbench,
    "made/benchmarkdotnet.json": benchmarkdotnet, "made/pytorch_oss.json": pytorch_oss, "made/asv.json": asv,
    "bencher/cpp_catch2_four.txt": catch2_text, "gab/catch2_output_v3.txt": catch2_text,
    "bencher/go_bench_five.txt": go_text, "gab/go_fiber_duplicate_names_output.txt": go_text, "gab/go_output.txt": go_text,
    "gotext/issue19634.txt": go_text, "gotext/new.txt": go_text, "gotext/old.txt": go_text, "gotext/units.txt": go_text,
    "gotext/zero.txt": go_text,
    "bencher/rust_bench_failed.txt": rust_text, "bencher/rust_criterion_failed.txt": rust_text,
    "bencher/rust_criterion_many.txt": rust_text, "gab/cargo_output.txt": rust_text, "gab/cargo_output_units.txt": rust_text,
    "gab/criterion_output.txt": rust_text, "bencher/python_asv_six.txt": asv_text,
    "nvbench/test_ref.json.gz": nvbench, "nvbench/test_cmp.json.gz": nvbench, "made/nvbench.json": nvbench,
    "made/vllm_base_1.json": serving, "made/vllm_base_2.json": serving, "made/vllm_base_3.json": serving,
    "made/vllm_new_1.json": serving, "made/vllm_new_2.json": serving, "made/vllm_new_3.json": serving, "made/vllm_small.json": serving,
    "made/sglang.jsonl": serving, "made/aiperf.jsonl": aiperf, "made/aiperf_sums.json": aiperf,
    "made/events.out.tfevents.1790000000.vm.1.0": events, "made/jmh_report.txt": "-rf json",
    "criterion/estimates.json": criterion, "criterion/benchmark.json": "estimates.json",
}
UNITS = dict(SECONDS, KB=1e3, MB=1e6, GB=1e9)
UNITS.update({"KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9})


def exported(path):
    run = subprocess.run([PROGRAM, "export", path, "--to=csv"], capture_output=True, text=True)
    rows = {}
    for row in csv.DictReader(io.StringIO(run.stdout)):
        if row["benchmark"] and row["step"] and row["value"]:
            rows[row["run"] if row["run"].isdigit() else NO_RUN, int(row["step"]), row["benchmark"], row["measure"]] = float(row["value"]) * UNITS.get(row["unit"].split(":")[0], 1)
    return run, rows


def same(ours, plain, digits):
    return ours.keys() == plain.keys() and all(
        math.isclose(ours[k], plain[k], rel_tol=10.0 ** -digits, abs_tol=0.51e-12 if plain[k] < 1e-3 else 0) for k in plain)


def content(path, reading):
    if reading is events:
        return (None,)
    text = text_of(path)
    if reading in (go_text, rust_text, catch2_text, asv_text):
        return (text,)
    if path.endswith(".jsonl"):
        return ([json.loads(line) for line in text.splitlines()],)
    return (json.loads(text), os.path.dirname(path)) if reading is nvbench else (json.loads(text),)


def check(name, expected):
    run, rows = exported(os.path.join(FOLDER, name))
    if isinstance(expected, str):
        return run.returncode == 3 and expected in run.stderr, "named"
    plain = expected(*content(os.path.join(FOLDER, name), expected))
    if run.returncode or not same(rows, plain, 7 if expected in (nvbench, events) else 9):  # floats of 32 bits
        print("# %s: %s\n#   only ours: %s\n#   only plain: %s" % (
            name, run.stderr.strip(), sorted(rows.keys() - plain.keys())[:3], sorted(plain.keys() - rows.keys())[:3]))
        return False, "read"
    return True, "read"


# Lines as tools print them, words of the message that names them, and what --log of the hint reads of them in s; None: it has none.
TEXTS = (
    ("Mean +- std dev: 26.4 ns +- 0.4 ns\n", "pyperf console output", None),
    ("command,mean,stddev,median,user,system,min,max\nsleep 1,1.0,0.1,1.0,0,0,1,1\n", "hyperfine CSV", None),
    ("name,iterations,real_time,cpu_time,time_unit\nBM_a,10,1.5,1.5,ns\n", "google/benchmark CSV", None),
    ("============ Serving Benchmark Result ============\nSuccessful requests: 80\n", "serving benchmark console output", None),
    (":::MLLOG {\"namespace\": \"\"}\n", "MLPerf log", None),
    ("fib(10) x 1,431,759 ops/sec \u00b10.74% (93 runs sampled)\n", "benchmark.js text", None),
    ("SUCCESS: base64      :   15.041ms +/-  0.636% on luau\nSUCCESS: chess       :   69.560ms +/-  0.212% on luau\n",
     "Luau benchmark text", {"base64": 0.015041, "chess": 0.06956}),
    ("Template(RunTime): 1.5 us.\nForLoop(RunTime): 2.0 us.\n", "benchmark_harness", {"Template": 1.5e-6, "ForLoop": 2e-6}),
    ("default: 7617ms - timer ended\nthe 3rd: a/b: 8827ms - timer ended\n", "console.timeEnd", {"default": 7.617, "the 3rd: a/b": 8.827}),
    ("             user     system      total        real\nfor:      0.950000   0.000000   0.950000 (  0.952039)\n"
     "up to     0.950000   0.010000   0.960000 ( 10.946787)\n", "Ruby's Benchmark", {"for:": 0.952039, "up to": 10.946787}),
    ("running 0 tests\n\ntest result: ok. 0 passed\n\nf\n  Instructions:    1735\n  Estimated Cycles:   2404\n", "iai or Gungraun", None),
    ("running 0 tests\n\ntest result: ok. 0 passed\n\nf just_errors\n  Errors:    1|N/A   (*********)\n", "Gungraun text", None),
    ("running 0 tests\n\n{\"benchmark_exe\":\"x\",\"module_path\":\"a::b\"}\n", "Gungraun JSON", None),
    ("running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n", "cargo output without a benchmark", None),
)


def named_text(folder, text, words, values):
    path = os.path.join(folder, "text")
    with open(path, "w") as file:
        file.write(text)
    run, _ = exported(path)
    if run.returncode != 3 or words not in run.stderr:
        return False
    pattern = re.search("(--log=)'(.*)'\n", run.stderr)
    if values is None or not pattern:
        return values is None and not pattern
    run = subprocess.run([PROGRAM, "export", path, "--to=csv", pattern[1] + pattern[2]], capture_output=True, text=True)
    read = {row["benchmark"]: float(row["value"]) * UNITS[row["unit"]] for row in csv.DictReader(io.StringIO(run.stdout)) if row["value"]}
    return read.keys() == values.keys() and all(math.isclose(read[k], values[k], rel_tol=1e-9) for k in values)


def main():
    found = {os.path.relpath(os.path.join(folder, name), FOLDER) for folder, _, names in os.walk(FOLDER) for name in names} - {"README.md"}
    found = {name for name in found if not name.endswith(".bin")}
    counts, bad = {"read": 0, "named": 0}, sorted(found ^ set(FILES))
    for name in bad:
        print("# %s: in the folder or in the list of this script, but not in both" % name)
    for name, expected in FILES.items():
        right, word = check(name, expected)
        counts[word] += 1
        if not right:
            print("# %s: wrong" % name)
            bad.append(name)
    with tempfile.TemporaryDirectory() as folder:
        for text, words, values in TEXTS:
            if not named_text(folder, text, words, values):
                print("# not named, or not read by the hint: %s" % words)
                bad.append(words)
    print("# %d files: %d read, %d named" % (len(found), counts["read"], counts["named"]))
    return 1 if bad else 0


sys.exit(main())
