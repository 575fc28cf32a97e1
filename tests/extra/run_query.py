"""Runs a query over exported tables in an engine and prints the answer as CSV.

usage: run_query.py duckdb|duckdb-csv|duckdb-parquet|clickhouse|clickhouse-parquet|spark|spark-parquet TABLES QUERY.sql
Exit status 77: the engine's Python package is not installed.
"""
import csv
import glob
import os
import sys

engine, tables, path = sys.argv[1:]
with open(path) as file:
    query = file.read()
names = ["steps", "step_series"] if "step_series" in query else ["obs", "steps", "ops", "measures"]


def skip(error):
    print(error, file=sys.stderr)
    sys.exit(77)


def run_duckdb():
    try:
        import duckdb
    except ImportError as error:
        skip(error)
    connection = duckdb.connect()
    for name in names:
        if engine == "duckdb-parquet":
            source = "read_parquet('%s/%s.parquet')" % (tables, name)
        elif engine == "duckdb-csv":
            source = "read_csv('%s/%s.csv', header = true, nullstr = '')" % (tables, name)
        else:
            source = "read_json('%s/%s*.ndjson', format = 'newline_delimited')" % (tables, name)
        connection.execute("CREATE TABLE %s AS SELECT * FROM %s" % (name, source))
    answer = connection.execute(query)
    return [column[0] for column in answer.description], answer.fetchall()


def run_clickhouse():
    try:
        from chdb import session
    except ImportError as error:
        skip(error)
    connection = session.Session()
    connection.query("CREATE DATABASE t ENGINE = Atomic")
    connection.query("USE t")
    for name in names:
        files = "%s.parquet', 'Parquet" if engine == "clickhouse-parquet" else "%s*.ndjson', 'JSONEachRow"
        connection.query("CREATE TABLE %s ENGINE = Memory AS SELECT * FROM file('%s/%s')"
                         % (name, os.path.abspath(tables), files % name))
    lines = str(connection.query(query, "CSVWithNames")).splitlines()
    rows = list(csv.reader(lines))
    return rows[0], [[None if value == "\\N" else value for value in row] for row in rows[1:]]


def run_spark():
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        skip(error)
    spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
             .config("spark.sql.shuffle.partitions", "1").getOrCreate())
    for name in names:
        if engine == "spark-parquet":
            frame = spark.read.parquet("%s/%s.parquet" % (tables, name))
        else:
            frame = spark.read.json(sorted(glob.glob("%s/%s*.ndjson" % (tables, name))))
        frame.createOrReplaceTempView(name)
    answer = spark.sql(query.strip().rstrip(";"))
    rows = [list(row) for row in answer.collect()]
    spark.stop()
    return answer.columns, rows


header, rows = {"clickhouse": run_clickhouse, "spark": run_spark}.get(engine.split("-")[0], run_duckdb)()
writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow(header)
for row in rows:
    writer.writerow(["" if value is None else repr(value) if isinstance(value, float) else value for value in row])
