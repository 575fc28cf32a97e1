"""Writes the files of this folder: pyarrow, polars, duckdb, chdb and fastparquet are needed.

usage: make.py FOLDER
"""

import decimal
import datetime
import os
import random
import sys

import chdb
import duckdb
import fastparquet
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet as parquet

OPS = ["tower/conv1", "tower/conv2", "loss, \"mean\"", "größe"]


def wide():
    """Two runs of 12 steps; values are missing here and there, the second op does not always run."""
    draw = random.Random(18)
    rows = []
    for run in ("a", "b"):
        for step in range(100, 112):
            for number, op in enumerate(OPS):
                if number == 1 and step % 3 == 0:
                    continue
                time = None if draw.random() < 0.1 else round(draw.uniform(1, 5000), 6)
                size = None if number == 3 or draw.random() < 0.3 else draw.randrange(1 << 40)
                rows.append((run, step, op, ["Conv2D", "Conv2D", "Mean", None][number], time, size,
                             draw.randrange(1, 4)))
    columns = list(zip(*rows))
    return pyarrow.table({
        "run": pyarrow.array(columns[0]), "step": pyarrow.array(columns[1], pyarrow.int64()),
        "op": pyarrow.array(columns[2]), "type": pyarrow.array(columns[3]),
        "time_us": pyarrow.array(columns[4], pyarrow.float64()),
        "requested_bytes": pyarrow.array(columns[5], pyarrow.int64()),
        "occurrence": pyarrow.array(columns[6], pyarrow.int32())})


def of_types():
    """One value of each kind that means something: the numbers are in tests/unit/test_reader_parquet.c."""
    return pyarrow.table({
        "run": pyarrow.array([datetime.date(2026, 2, 28)] * 3),
        "rank": pyarrow.array([0, 0, 0], pyarrow.int8()),
        "step": pyarrow.array([7, 8, 9], pyarrow.uint16()),
        "op": pyarrow.array(["x", "x", "x"]).dictionary_encode(),
        "type": pyarrow.array([True, None, True]),
        "time_us": pyarrow.array([decimal.Decimal("1.250"), None, decimal.Decimal("-0.001")],
                                 pyarrow.decimal128(12, 3)),
        "cpu_us": pyarrow.array([0.1, 2.5, None], pyarrow.float32()),
        "accelerator_us": pyarrow.array([0.1, 1e-6, 9007199254.740991], pyarrow.float64()),
        "requested_bytes": pyarrow.array([4294967295, None, 3000000000], pyarrow.uint32()),
        "peak_bytes": pyarrow.array([9223372036854775807, 0, None], pyarrow.uint64()),
        "occurrence": pyarrow.array([1, 2, 3], pyarrow.int8())})


def main():
    os.chdir(sys.argv[1])
    table = wide()
    pyarrow.csv.write_csv(table, "table.csv")
    write = parquet.write_table
    write(table, "pyarrow_none_v1_plain.parquet", compression="NONE", use_dictionary=False)
    write(table, "pyarrow_snappy_v1.parquet", compression="SNAPPY", row_group_size=40)
    write(table, "pyarrow_gzip_v2.parquet", compression="GZIP", data_page_version="2.0", data_page_size=200,
          write_batch_size=16)
    write(table, "pyarrow_zstd_v2_plain.parquet", compression="ZSTD", data_page_version="2.0",
          use_dictionary=False, row_group_size=30, write_page_checksum=True)
    # The dictionary becomes too big, and the rest is plain.
    write(table, "pyarrow_mixed.parquet", compression="ZSTD", dictionary_pagesize_limit=100, data_page_size=100,
          write_batch_size=8)
    polars.from_arrow(table).write_parquet("polars.parquet")
    duckdb.from_arrow(table).write_parquet("duckdb.parquet")
    chdb.query("insert into function file('chdb.parquet', Parquet) "
               "select * from file('pyarrow_snappy_v1.parquet', Parquet)")
    fastparquet.write("fastparquet.parquet", table.to_pandas().astype({"requested_bytes": "Int64"}),
                      compression="SNAPPY")

    write(of_types(), "types.parquet")
    one = {"step": [1], "op": ["x"], "time_us": [1.0]}
    write(pyarrow.table(one), "brotli.parquet", compression="BROTLI")
    write(pyarrow.table(one), "lz4.parquet", compression="LZ4")
    write(pyarrow.table(one), "delta.parquet", use_dictionary=False, column_encoding={"step": "DELTA_BINARY_PACKED"})
    write(pyarrow.table({**one, "time_us": pyarrow.array([1], pyarrow.timestamp("us"))}), "timestamp.parquet")
    write(pyarrow.table({**one, "time_us": pyarrow.array([1], pyarrow.duration("ns"))}), "duration.parquet")
    write(pyarrow.table({**one, "stack": [["a", "b"]], "place": [{"file": "f", "line": [1, 2]}]}), "nested.parquet")
    write(pyarrow.table({**one, "op": [["x"]]}), "nested_op.parquet")
    write(pyarrow.table({"globalTid": [1], "start": [2], "end": [3], "nameId": [4]}), "no_observations.parquet")
    write(pyarrow.table({"step": [1], "op": ["x"], "time_us": [float("nan")]}), "nan.parquet")
    write(pyarrow.table({"step": [1.5], "op": ["x"], "time_us": [1.0]}), "half_step.parquet")
    write(pyarrow.table(one).slice(0, 0), "no_rows.parquet")
    write(pyarrow.table({"step": [1, 1], "op": ["x", "x"], "time_us": [1.0, 2.0]}), "twice.parquet")
    first = datetime.datetime(2026, 11, 28, 3, 0, 0, 123456, tzinfo=datetime.timezone.utc)
    start = pyarrow.array([first + datetime.timedelta(seconds=10 * i) for i in range(6)], pyarrow.timestamp("us", tz="UTC"))
    for unit in "ms", "us", "ns":
        write(pyarrow.table({"run": [f"r{i // 2}" for i in range(6)], "step": [i % 2 for i in range(6)], "op": ["a"] * 6,
                             "time_us": [100.0 + i for i in range(6)],
                             "start": start.cast(pyarrow.timestamp(unit, tz="UTC"), safe=False), "machine": ["m1"] * 6}),
              f"start_{unit}.parquet")


main()
