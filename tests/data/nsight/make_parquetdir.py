#!/usr/bin/env python3
"""Writes the tables of an SQLite export of Nsight Systems as a folder of Parquet files, as `nsys export --type parquetdir` has them: a
file for each table, columns of one type. A value of another type than its column becomes null.

usage: make_parquetdir.py FILE.sqlite FOLDER     (pip install pyarrow)
"""
import os
import sqlite3
import sys

import pyarrow
import pyarrow.parquet

TYPES = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string(), bytes: pyarrow.binary()}


def column(values):
    known = [type(value) for value in values if value is not None]
    kind = max(set(known), key=known.count) if known else int
    return pyarrow.array([value if isinstance(value, kind) else None for value in values], TYPES[kind])


def main():
    database, folder = sqlite3.connect(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    for (name,) in tables:
        rows = database.execute(f'SELECT * FROM "{name}"')
        names = [description[0] for description in rows.description]
        values = list(zip(*rows.fetchall())) or [()] * len(names)
        table = pyarrow.table({names[i]: column(values[i]) for i in range(len(names))})
        pyarrow.parquet.write_table(table, os.path.join(folder, name + ".parquet"), compression="zstd")


main()
