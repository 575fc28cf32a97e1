"""What one would take instead of stepstat for a Chrome trace: load it, sum durations by name.

usage: trace_peers.py json|orjson|polars|duckdb FILE.json   prints names, slices and the sum in us
       trace_peers.py hta FILE.json                         rows and sum of HolisticTraceAnalysis' table of kernels
       trace_peers.py perfetto FILE.pftrace                 the same of a Perfetto trace
       trace_peers.py xprof FILE.xplane.pb                  bytes of xprof's table of framework ops
       trace_peers.py pyarrow FILE.csv|FILE.parquet         ops and the sum of the times of a table with columns op and time_us
       trace_peers.py --parquet FILE.csv FILE.parquet       writes a table as pyarrow does by default
       trace_peers.py --version MODULE                      prints its version, or fails

They know nothing of steps, nesting and launches (HTA of launches, xprof of steps, both without spread); their sums are over all
complete events.
"""
import importlib.metadata
import sys


def loop(events):
    sums = {}
    for event in events:
        if event.get("ph") == "X":
            row = sums.setdefault(event["name"], [0, 0])
            row[0] += 1
            row[1] += event.get("dur", 0)
    return len(sums), sum(r[0] for r in sums.values()), sum(r[1] for r in sums.values())


def with_json(path):
    import json
    with open(path, encoding="utf-8") as file:
        return loop(json.load(file)["traceEvents"])


def with_orjson(path):
    import orjson
    with open(path, "rb") as file:
        return loop(orjson.loads(file.read())["traceEvents"])


def with_polars(path):
    import polars
    frame = polars.read_json(path).select(polars.col("traceEvents").explode().struct.unnest())
    sums = frame.filter(polars.col("ph") == "X").group_by("name").agg(polars.len().alias("n"), polars.col("dur").sum())
    return len(sums), sums["n"].sum(), sums["dur"].sum()


def with_duckdb(path):
    import duckdb
    duckdb.execute("SET threads = 1")
    return duckdb.execute(
        "SELECT count(*), sum(n), sum(dur) FROM (SELECT e.name, count(*) n, sum(e.dur) dur FROM (SELECT unnest(traceEvents) e"
        " FROM read_json(?, maximum_object_size = 4294967295)) WHERE e.ph = 'X' GROUP BY 1)", [path]).fetchone()


def with_perfetto(path):
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
    trace, names, stacks, sums = pb.Trace(), {}, {}, {}
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    for packet in trace.packet:
        for name in packet.interned_data.event_names:
            names[name.iid] = name.name
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        if event.type == event.TYPE_SLICE_BEGIN:
            stacks.setdefault(event.track_uuid, []).append((names.get(event.name_iid, event.name), packet.timestamp))
        elif event.type == event.TYPE_SLICE_END:
            name, start = stacks[event.track_uuid].pop()
            row = sums.setdefault(name, [0, 0])
            row[0] += 1
            row[1] += packet.timestamp - start
    return len(sums), sum(r[0] for r in sums.values()), sum(r[1] for r in sums.values()) / 1000


def with_hta(path): # with pandas before 3
    import logging
    logging.disable()
    from hta.trace_analysis import TraceAnalysis
    kernels = TraceAnalysis(trace_files={0: path}, trace_dir="").get_gpu_kernel_breakdown(visualize=False)[1]
    return len(kernels), kernels["sum (us)"].sum()


def with_xprof(path):
    from xprof.convert import raw_to_tool_data
    return (len(raw_to_tool_data.xspace_to_tool_data([path], "framework_op_stats", {})[0]),)


def with_pyarrow(path):
    import pyarrow
    pyarrow.set_cpu_count(1)
    if path.endswith(".parquet"):
        from pyarrow import parquet
        table = parquet.read_table(path, columns=["op", "time_us"], use_threads=False)
    else:
        from pyarrow import csv
        table = csv.read_csv(path, csv.ReadOptions(use_threads=False))
    sums = table.group_by("op", use_threads=False).aggregate([("time_us", "mean"), ("time_us", "stddev")])
    return len(sums), sum(sums["time_us_mean"].to_pylist())


def version(module):
    loaded = importlib.import_module(module)
    return getattr(loaded, "__version__", "") or importlib.metadata.version({"hta": "HolisticTraceAnalysis"}.get(module, module))


if sys.argv[1] == "--version":
    print(sys.argv[2], version(sys.argv[2]))
elif sys.argv[1] == "--parquet":
    from pyarrow import csv, parquet
    parquet.write_table(csv.read_csv(sys.argv[2]), sys.argv[3])
else:
    print(*globals()["with_" + sys.argv[1]](sys.argv[2]))
