"""Parquet against other programs. What pyarrow, polars, DuckDB and ClickHouse (chdb) write of a table gives the report of
the CSV of it, in every codec, version of pages, size of groups and pages, with and without dictionaries and nulls. What
export writes has in each of them the rows, nulls, different values and sums of the SQLite database.

usage: parquet.py STEPSTAT TOP    A program whose Python package is missing is skipped, and said.
"""

import importlib
import itertools
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

STEPSTAT, TOP = (os.path.abspath(path) for path in sys.argv[1:3])
number = failed = 0


def verdict(what, problem):
    """Prints one result; problem is a text, empty when there is none."""
    global number, failed
    number += 1
    if problem:
        failed += 1
        print("".join("# %s\n" % line for line in str(problem).splitlines()[:20]), end="")
    print("%s %d - %s" % ("not ok" if problem else "ok", number, what), flush=True)


def package(name):
    """The module, or None with a line that says so."""
    global number
    try:
        return importlib.import_module(name)
    except ImportError:
        number += 1
        print("ok %d - %s # SKIP the Python package %s is missing" % (number, name, name))
        return None


def stepstat(*arguments):
    done = subprocess.run([STEPSTAT, *arguments], capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return done.stdout


# ---- reading ----

def columns(long, nulls):
    """A table of two runs as columns; a share of the values is None."""
    draw = random.Random(len(long) * 100 + int(nulls * 100))
    rows = []
    for run, step, op in itertools.product("ab", range(40), range(23)):
        name = "model/layer_%d/größe, \"%d\"" % (op, op % 3)
        values = [round(draw.gammavariate(2, 50), 6), draw.randrange(1 << 40), draw.randrange(1, 5)]
        values = [None if draw.random() < nulls else value for value in values]
        if long == "wide":
            rows.append((run, step, name, "type%d" % (op % 5), *values))
        else:
            rows += [(run, step, name, measure, float(value) if value is not None else None, unit)
                     for measure, value, unit in zip(("time", "requested"), values, ("us", "B"))]
    names = ("run", "step", "op", "type", "time_us", "requested_bytes", "occurrence") if long == "wide" else \
        ("run", "step", "op", "measure", "value", "unit")
    return dict(zip(names, map(list, zip(*rows))))


def plain(report):
    """A report without what differs by design: the name of the format and the places in the file."""
    report = re.sub(rb"t\.(csv|parquet)(:\d+|: row \d+)?", b"T", report)
    return re.sub(rb"observations \((CSV|Parquet)\)", b"observations", report).replace(b'"parquet"', b'"csv"')


def answers(path):
    return [plain(stepstat("report", path, "--to=json")), plain(stepstat("export", path))]


def written_by_pyarrow(pyarrow, table):
    parquet = importlib.import_module("pyarrow.parquet")
    for codec, version, dictionary, rows, small in itertools.product(
            ("NONE", "SNAPPY", "GZIP", "ZSTD"), ("1.0", "2.0"), (True, False, ["op"]), (1 << 20, 97), (False, True)):
        pages = {"data_page_size": 500, "write_batch_size": 64, "dictionary_pagesize_limit": 300} if small else {}
        parquet.write_table(table, "t.parquet", compression=codec, data_page_version=version,
                            use_dictionary=dictionary, row_group_size=rows, write_page_checksum=small, **pages)
        yield "%s, pages %s, dictionary %s, groups of %d rows%s" % (
            codec, version, dictionary, rows, ", small pages" if small else "")


def check_reading(pyarrow, others):
    csv = importlib.import_module("pyarrow.csv")
    parquet = importlib.import_module("pyarrow.parquet")
    for long, nulls in itertools.product(("wide", "long"), (0, 0.3, 0.97)):
        table = pyarrow.table(columns(long, nulls))
        csv.write_csv(table, "t.csv")
        expected, problem, count = answers("t.csv"), "", 0
        for what in written_by_pyarrow(pyarrow, table):
            count += 1
            if answers("t.parquet") != expected:
                problem += what + "\n"
        verdict("read, %s, %d %% null: %d files of pyarrow" % (long, 100 * nulls, count), problem)
        for name, module in others.items():
            parquet.write_table(table, "given.parquet")
            os.remove("t.parquet")
            if name == "polars":
                module.read_parquet("given.parquet").write_parquet("t.parquet")
            elif name == "duckdb":
                module.sql("COPY (FROM 'given.parquet') TO 't.parquet' (FORMAT parquet)")
            elif name == "chdb":
                module.query("INSERT INTO FUNCTION file('t.parquet', Parquet) SELECT * FROM file('given.parquet', Parquet)")
            verdict("read, %s, %d %% null: %s" % (long, 100 * nulls, name),
                    "" if answers("t.parquet") == expected else "another report than of the CSV")


# ---- writing ----

def is_text(rows, at):
    return any(isinstance(row[at], str) for row in rows)


def facts_of(rows, count):
    """Of each column: values, different values, and of numbers the sum."""
    facts = [len(rows)]
    for at in range(count):
        values = [row[at] for row in rows if row[at] is not None]
        total = None if is_text(rows, at) or not values else sum(values)
        facts.append((len(values), len(set(values)), total))
    return facts


def of_engine(name, module, path, names):
    """The same facts by the engine itself, in SQL where it has that."""
    if name == "pyarrow":
        table = importlib.import_module("pyarrow.parquet").read_table(path)
        return facts_of(list(zip(*(table.column(column).to_pylist() for column in names))), len(names))
    if name == "polars":
        frame = module.read_parquet(path, columns=names)
        facts = [frame.height]
        for column in names:
            series = frame[column].drop_nulls()
            number = series.dtype.is_numeric() and len(series)
            facts.append((len(series), series.n_unique(), series.cast(module.Int128).sum() if number and
                          series.dtype.is_integer() else series.sum() if number else None))
        return facts
    schema = importlib.import_module("pyarrow.parquet").read_schema(path)
    kinds = {field.name: str(field.type) for field in schema}
    parts = ["count(*)"]
    for column in names:
        quoted = '"%s"' % column
        number = kinds[column] in ("int64", "double")
        wide = "toInt128(%s)" if name == "chdb" else "%s"
        total = "sum(%s)" % (wide % quoted if kinds[column] == "int64" else quoted) if number else "NULL"
        parts += ["count(%s)" % quoted, "count(distinct %s)" % quoted, total]
    if name == "duckdb":
        row = module.sql("SELECT %s FROM '%s'" % (", ".join(parts), path)).fetchall()[0]
    else:
        text = str(module.query("SELECT %s FROM file('%s', Parquet)" % (", ".join(parts), path), "JSONCompact"))
        row = json.loads(text)["data"][0]
    row = [None if value is None else value if isinstance(value, float) else int(value) for value in row]
    return [row[0]] + [tuple(row[i:i + 3]) for i in range(1, len(row), 3)]


def same(found, expected):
    if found[0] != expected[0]:
        return False
    for (n, distinct, total), (m, different, sum_) in zip(found[1:], expected[1:]):
        if n != m or distinct != different:
            return False
        if n and (total is None) != (sum_ is None):
            return False
        if n and total is not None and abs(total - sum_) > (1e-9 * abs(sum_) if isinstance(sum_, float) else 0):
            return False
    return True


def check_tables(source, options, engines):
    base = os.path.relpath(source, TOP)
    stepstat("export", source, *options, "--to=parquet", "-o", "tables/")
    stepstat("export", source, *options, "-o", "t.sqlite")
    with sqlite3.connect("t.sqlite") as database:
        for file in sorted(os.listdir("tables")):
            name = file.split(".")[0]
            cursor = database.execute('SELECT * FROM "%s"' % name)
            names = [column[0] for column in cursor.description]
            expected = facts_of(cursor.fetchall(), len(names))
            for engine, module in engines.items():
                found = of_engine(engine, module, "tables/" + file, names)
                verdict("written, %s: %s, %d rows, in %s" % (base, name, expected[0], engine),
                        "" if same(found, expected) else "%s\n%s" % (found, expected))
    os.remove("t.sqlite")


def check_observations(source, engines):
    """The table of observations: its CSV in ps, because the unit of Parquet is that."""
    base = os.path.relpath(source, TOP)
    csv = importlib.import_module("csv")
    for shape in ("long", "wide"):
        stepstat("export", source, "--shape=" + shape, "-o", "t.parquet")
        stepstat("export", source, "--shape=" + shape, "--unit=ps", "-o", "t.csv")
        rows = list(csv.reader(open("t.csv", encoding="utf-8")))
        names = rows.pop(0)
        number = [all(re.fullmatch(r"(-?\d+)?", row[at]) for row in rows) and any(row[at] for row in rows)
                  for at in range(len(names))]
        rows = [[None if cell == "" else int(cell) if number[at] else cell for at, cell in enumerate(row)] for row in rows]
        expected = facts_of(rows, len(names))
        for engine, module in engines.items():
            found = of_engine(engine, module, "t.parquet", names)
            # A text may look like a number in CSV: a rank is a name.
            expected_here = [e if i == 0 or names[i - 1] not in ("run", "rank", "group") else (e[0], e[1], None)
                             for i, e in enumerate(expected)]
            verdict("written, %s: observations, %s, %d rows, in %s" % (base, shape, expected[0], engine),
                    "" if same(found, expected_here) else "%s\n%s" % (found, expected_here))


def main():
    modules = {name: package(name) for name in ("pyarrow", "duckdb", "polars", "chdb")}
    modules = {name: module for name, module in modules.items() if module}
    if "pyarrow" in modules:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            others = {name: module for name, module in modules.items() if name != "pyarrow"}
            check_reading(modules["pyarrow"], others)
            check_tables(TOP + "/examples/resnet_tower/profile_14", (), modules)
            check_tables(TOP + "/tests/data/kineto/two_steps_v100.json.gz", ("--events",), modules)
            check_tables(TOP + "/tests/data/kineto/mlp-base-r2.json.gz", ("--layout=flat",), modules)
            check_tables(TOP + "/tests/data/ranks/gloo", (), modules)
            for source in ("examples/resnet_tower/profile_14", "tests/data/ranks/gloo",
                           "tests/data/kineto/two_steps_v100.json.gz"):
                check_observations(TOP + "/" + source, modules)
            os.chdir("/")
    print("1..%d" % number)
    sys.exit(failed > 0)


main()
