"""The module for Python: the numbers of the command line, its options, its messages; recordings with profilers that are made up.

usage: module.py TOP    with the module on Python's path, and STEPSTAT set where it is not that of an installed wheel

The program's CSV, read here, is what tables are held against; a fake program stands in for what a real one does not do on demand.
"""
import ast
import contextlib
import copy
import csv
import glob
import gzip
import importlib.util
import inspect
import io
import itertools
import json
import os
import pathlib
import pickle
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import warnings

import stepstat

TOP = sys.argv.pop(1)
REPORTED = os.path.join(TOP, "examples/resnet_tower/profile_14")
BASE, NEW = os.path.join(TOP, "examples/ci/base"), os.path.join(TOP, "examples/ci/new")
KINETO = os.path.join(TOP, "tests/data/kineto/mlp-base-r2.json.gz")
JAX_TRACE = gzip.open(os.path.join(TOP, "tests/data/xplane/jax-mlp-base-r1.xplane.pb.gz")).read()
# Nothing of the environment that is said of a job, and no configuration of the folder where the test runs.
for variable in ("RANK", "WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"):
    os.environ.pop(variable, None)


def shell(*words, **more):
    """What the program writes on standard output."""
    return subprocess.run([stepstat.program(), *words], stdout=subprocess.PIPE, check=True, **more).stdout


def rows_of(*words):
    return list(csv.DictReader(io.StringIO(shell(*words).decode(), newline="")))


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="module-test-")
        self.temporary = os.path.join(self.folder, "temporary")
        os.mkdir(self.temporary)
        self.before = tempfile.tempdir, os.environ.get("STEPSTAT"), os.getcwd()
        tempfile.tempdir = self.temporary
        os.chdir(self.folder)

    def tearDown(self):
        tempfile.tempdir = self.before[0]
        self.own()
        os.chdir(self.before[2])
        shutil.rmtree(self.folder)

    def own(self):
        """The program of the module or of the caller's STEPSTAT, from now on the one that is run."""
        os.environ.pop("STEPSTAT", None)
        if self.before[1] is not None:
            os.environ["STEPSTAT"] = self.before[1]

    def fake(self, script):
        """A program that is a shell script, from now on the one that is run."""
        path = os.path.join(self.folder, "fake")
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(path, 0o755)
        os.environ["STEPSTAT"] = path

    def fails(self, kind, function, *words, **options):
        with self.assertRaises(kind) as caught:
            function(*words, **options)
        return caught.exception


class Results(Folder):
    def same(self, table, expected):
        """The table has the rows and columns of the CSV: texts as they are, numbers to the last digit."""
        self.assertEqual(len(table), len(expected))
        self.assertTrue(expected)
        numbers = 0
        for have, row in zip(table, expected):
            for column, text in row.items():
                value = have[column]
                if value is None:
                    self.assertEqual(text, "", column)
                elif isinstance(value, str):
                    self.assertEqual(value, text)
                else:
                    numbers += 1
                    self.assertEqual(value, float(text), column)
        return numbers

    def test_report_has_the_numbers_of_the_command_line(self):
        report = stepstat.report(REPORTED, by="type", measures=["time", "requested"], stats="mean,cv,share", include=["Conv", "Relu"])
        words = ["report", REPORTED, "--by=type", "--measures=time,requested", "--stats=mean,cv,share", "--include=Conv",
                 "--include=Relu", "--to=csv"]
        numbers = self.same(report.table(), rows_of(*words))
        self.assertGreater(numbers, 20)
        self.assertEqual(report.json["command"], "report")
        self.assertEqual(set(report.tables), {"ops", "findings", "step", "runs", "steps", "totals", "series", "levels", "stacks"})
        for name in ("steps", "totals"):
            self.same(report.table(name), rows_of(*words, "--table=" + name))
        self.assertIn("12 steps", str(report))

    def test_kinds_of_columns_do_not_depend_on_the_values(self):
        kinds = stepstat.report(REPORTED).table().kinds
        self.assertEqual((kinds["op"], kinds["ran"], kinds["time_mean_us"], kinds["requested_min_bytes"]), ("text", "int", "float", "float"))
        for part in stepstat.report(REPORTED, steps="3:4"), stepstat.report(REPORTED, include="no such op", allow_empty=True):
            mine = part.table().kinds
            self.assertEqual({name: kinds[name] for name in mine if name in kinds and len(part.table())},
                             {name: kind for name, kind in mine.items() if name in kinds and len(part.table())})

    def test_compare(self):
        words = ["compare", BASE, NEW, "--by=class", "--margin=5%", "--to=csv"]
        self.assertGreater(self.same(stepstat.compare(BASE, NEW, by="class", margin="5%").table(), rows_of(*words)), 10)
        sides = [sorted(glob.glob(side + "/*.gz")) for side in (BASE, NEW)]
        several = stepstat.compare(*sides, by="class", margin="5%")
        self.assertEqual(several.json["answer"], stepstat.compare(BASE, NEW, by="class", margin="5%").json["answer"])

    def side(self, name, factors, change=1):
        """Five steps of one op in each run, which takes 100 us times the run's factor."""
        with open(name, "w") as file:
            file.write("run,step,op,time_us\n")
            for run, factor in enumerate(factors):
                for step in range(5):
                    file.write("%d,%d,matmul,%f\n" % (run, step, 100 * factor * change * (1 + step / 1000)))
        return name

    def test_gate_is_a_result_with_each_status(self):
        base = self.side("base.csv", (1, 1.002, 0.998, 1.001, 0.999))
        steady = (1.001, 1.003, 0.999, 1, 0.998)
        with open("report.yaml", "w") as file:
            file.write("gate: {improved: report}\n")
        green = stepstat.gate(base, self.side("same.csv", steady), margin="5%")
        self.assertEqual((green.status, green.green), (0, True))
        red = stepstat.gate(base, self.side("slow.csv", steady, 1.2), margin="5%")
        self.assertEqual((red.status, red.green, red.json["exit_status"]), (1, False, 1))
        self.assertIn("red", red.result)
        self.assertEqual({check["verdict"] for check in red.checks if check["status"] == "failed"}, {"REGRESSED"})
        unusable = stepstat.gate(self.side("one.csv", (1,)), self.side("other.csv", (1.2,)))
        self.assertEqual((unusable.status, unusable.green), (3, False))
        blind = stepstat.gate(base, self.side("noisy.csv", (0.8, 1.3, 1, 1.2, 0.7)), margin="1%")
        self.assertEqual((blind.status, blind.green), (4, False))
        improved = stepstat.gate(base, self.side("fast.csv", steady, 0.8), margin="5%", config="report.yaml")
        self.assertEqual((improved.status, improved.green), (5, True))
        self.assertEqual(self.fails(stepstat.Error, stepstat.gate, base, "nothing").status, 3)
        self.assertEqual(self.fails(stepstat.Error, stepstat.gate, base, base, margin="2").status, 2)

    def test_observations_and_events(self):
        observations = stepstat.observations(REPORTED, measures="time")
        self.same(observations, rows_of("export", REPORTED, "--measures=time", "--to=csv"))
        self.assertEqual(observations.kinds["value"], "float")
        events = stepstat.events(KINETO, steps="5:6")
        self.same(events, rows_of("events", KINETO, "--steps=5:6", "--to=csv"))
        self.assertEqual([events.kinds[c] for c in ("op", "step", "dur_us", "bytes")], ["text", "int", "float", "int"])
        wide = stepstat.observations(REPORTED, shape="wide")
        self.same(wide, rows_of("export", REPORTED, "--shape=wide", "--to=csv"))

    def test_texts_that_look_like_numbers_stay_texts(self):
        with open("table.csv", "w") as file:
            file.write("step,op,time_us\n1,007,1\n1,NA,2\n1,1e3,3\n")
        self.assertEqual({row["op"] for row in stepstat.observations("table.csv", measures="time") if row["op"] and row["step"]}, {"007", "NA", "1e3"})

    def test_metrics_are_flat(self):
        report = stepstat.report(REPORTED)
        self.assertEqual((len(report), next(iter(report)), bool(report)), (len(report.rows), report.rows[0], True))
        metrics = report.metrics(top=2)
        totals = {row["series"]: row for row in rows_of("report", REPORTED, "--table=totals", "--to=csv")}
        self.assertEqual(metrics["stepstat/step_time/mean_us"], float(totals["step_time"]["mean_us"]))
        for row in report.rows[:2]:
            self.assertEqual(metrics["stepstat/op/%s/time_mean_us" % row["op"]], row["time_mean_us"])
        self.assertEqual({key.rsplit("/", 1)[0] for key in metrics if "/op/" in key}, {"stepstat/op/" + row["op"] for row in report.rows[:2]})
        self.assertTrue(all(isinstance(value, float) for value in metrics.values()))
        with open("table.csv", "w") as file:
            file.write("run,step,op,time_us\n" + "".join("%s,%d,//a::b/../é,%d\n" % (run, step, step) for run in "xy" for step in (1, 2)))
        found = stepstat.report("table.csv", per="run").metrics(prefix="")
        self.assertEqual([key for key in found if key.startswith("op/") and key.endswith("/time_mean_us")],
                         ["op/a__b/_/x/time_mean_us", "op/a__b/_/y/time_mean_us"])
        # The rows a of run x, a of run y and b of run x: each has one name for each top.
        with open("table.csv", "w") as file:
            file.write("run,step,op,time_us\n" + "".join("%s,%d,%s,%d\n" % (run, step, op, time)
                       for run, op, time in (("x", "a", 9), ("x", "b", 8), ("y", "a", 7)) for step in (1, 2)))
        named = [{key.rsplit("/", 1)[0] for key in stepstat.report("table.csv", per="run").metrics(top, "") if key.startswith("op/")} for top in range(4)]
        self.assertEqual((list(map(len, named)), named[3]), ([0, 1, 2, 3], {"op/a/x", "op/a/y", "op/b/x"}))
        self.assertTrue(named[1] < named[2] < named[3])
        rows = [{"op": op, "run": run} for op, run in (("a", "x"), ("b", "x"), ("a", "y"), ("c", None), ("c", None), ("c?", "y"))]
        self.assertEqual(stepstat._tables._keys(rows, ["op", "run"]), ["a/x", "b", "a/y", "c/1", "c/2", "c_"])
        for top in (-1, 1.5, "3", True, None):
            self.fails(stepstat.OptionError, report.metrics, top)
        gate = stepstat.gate(BASE, NEW)
        self.assertEqual(gate.metrics()["stepstat/exit_status"], 1)
        self.assertEqual(gate.metrics(top=1)["stepstat/op/%s/time_change_pct" % gate.rows[0]["op"]], gate.rows[0]["time_change_pct"])

    def test_steps_below_0_are_refused(self):
        for steps in (range(-3, 2), range(2, -3, -1)):
            self.assertIn("below 0", self.fails(stepstat.OptionError, stepstat.report, REPORTED, steps=steps).message)

    def test_numbers_of_steps_as_python_counts(self):
        for steps, text in ((range(6, 9), "6:8"), (range(6, 12, 2), "6,8,10"), ([7, 9], "7,9")):
            self.assertEqual(stepstat.report(KINETO, steps=steps).json, json.loads(shell("report", KINETO, "--steps=" + text, "--to=json")))
        for flag, word in ((True, "auto"), (False, "none")):
            self.assertEqual(stepstat.compare(BASE, NEW, warmup=flag).json["heading"], stepstat.compare(BASE, NEW, warmup=word).json["heading"])
        self.assertIn("empty", self.fails(stepstat.OptionError, stepstat.report, KINETO, steps=range(9, 9)).message)

    def test_outputs_beside(self):
        stepstat.report(REPORTED, o=["ops.html", "ops.csv"])
        self.assertEqual(open("ops.csv", newline="").read().encode(), shell("report", REPORTED, "--to=csv"))
        self.assertTrue(open("ops.html").read().startswith("<!"))
        for function, name in ((stepstat.observations, "made.csv"), (stepstat.events, "events.csv")):
            self.same(function(KINETO, o=name), list(csv.DictReader(open(name, newline=""))))

    def test_events_are_the_same_without_pyarrow(self):
        with unittest.mock.patch("importlib.util.find_spec", return_value=None):
            plain = stepstat.events(KINETO, steps="5:6")
        events = stepstat.events(KINETO, steps="5:6")
        self.assertEqual((list(plain), plain.kinds), (list(events), events.kinds))
        self.assertEqual(plain._repr_html_(), events._repr_html_())

    @unittest.skipUnless(importlib.util.find_spec("pyarrow") and importlib.util.find_spec("pandas"), "no pyarrow and pandas")
    def test_events_as_frames(self):
        import pandas
        with unittest.mock.patch("importlib.util.find_spec", return_value=None):
            plain = stepstat.events(KINETO)
        events = stepstat.events(KINETO)
        frame = events.to_pandas()
        self.assertEqual([str(frame[c].dtype) for c in ("op", "step", "dur_us", "bytes", "rank")], ["category", "int64", "float64", "Int64", "category"])
        for column in events.columns:
            for made in frame[column], plain.to_pandas()[column]:
                self.assertEqual([None if pandas.isna(value) else value for value in made], plain[column], column)
        copied = pickle.loads(pickle.dumps(events))
        self.assertEqual((len(copied), list(copied)), (len(events), list(plain)))
        self.assertEqual(len(events.to_arrow()), len(events))

    def table_of(self, name):
        """The table of a file of CSV as pyarrow has it."""
        from pyarrow import csv as arrow_csv
        return arrow_csv.read_csv(name)

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "no pyarrow")
    def test_tables_of_arrow_are_inputs(self):
        import pyarrow
        base = self.table_of(self.side("base.csv", (1, 1.002, 0.998)))
        new = self.table_of(self.side("new.csv", (1, 1.002, 0.998), 1.2))
        expected = stepstat.compare("base.csv", "new.csv")
        batch = new.combine_chunks().to_batches()[0]
        self.assertFalse(hasattr(batch.to_struct_array(), "__arrow_c_stream__"))
        words = base.set_column(base.column_names.index("op"), "op", base["op"].dictionary_encode())
        words = words.set_column(0, "run", words["run"].cast(pyarrow.int32()))
        for one, other in ((base, new), (base, batch), (words, batch.to_struct_array()), ("base.csv", [new]), (stepstat.observations("base.csv"), new)):
            self.assertEqual(stepstat.compare(one, other).rows, expected.rows)
        for module, made in (("polars", lambda polars: polars.from_arrow(base)),
                             ("polars", lambda polars: polars.from_arrow(base).with_columns(polars.col("op").cast(polars.Categorical))), ("pandas", lambda pandas: base.to_pandas()),
                             ("duckdb", lambda duckdb: duckdb.sql("SELECT * FROM 'base.csv'"))):
            if importlib.util.find_spec(module):
                self.assertEqual(stepstat.compare(made(importlib.import_module(module)), new).rows, expected.rows, module)
        self.assertEqual(stepstat.report(base).heading[0].partition(":")[0], "table.parquet")
        both = stepstat.report([base, new])
        self.assertEqual(sorted({row["run"].partition(":")[0] for row in both.json["steps"]["rows"]}), ["table-1.parquet", "table-2.parquet"])
        self.assertEqual(both.rows, stepstat.report(["base.csv", "new.csv"]).rows)
        self.assertNotIn(tempfile.gettempdir(), json.dumps(both.json))
        error = self.fails(stepstat.Error, stepstat.report, pyarrow.table({"op": ["x"]}))
        self.assertTrue(error.message.startswith("table.parquet"), error.message)
        if importlib.util.find_spec("pandas"):
            pandas = importlib.import_module("pandas")
            error = self.fails(stepstat.OptionError, stepstat.report, pandas.DataFrame({"op": ["x\udc80"], "step": [1], "time_us": [1.0]}))
            self.assertIn("a table of pandas cannot be an input", error.message)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_what_is_no_table(self):
        lazy = type("Lazy", (), {"__repr__": lambda self: "x" * 100 + "\ny", "collect": None})()
        error = self.fails(stepstat.OptionError, stepstat.report, lazy)
        self.assertEqual((error.message, error.hint), ("paths: expected a path, a table or several, found " + "x" * 80, "a LazyFrame is a table after .collect()"))

    def test_a_table_without_pyarrow(self):
        table = type("Table", (), {"__module__": "polars.frame", "__arrow_c_stream__": None})()
        with unittest.mock.patch.dict(sys.modules, {"pyarrow": None}):
            error = self.fails(stepstat.OptionError, stepstat.report, table)
        self.assertIn("a table of polars", error.message)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_json_and_html(self):
        report = stepstat.report(REPORTED)
        self.assertEqual(report.json, json.loads(shell("report", REPORTED, "--to=json")))
        with open("table.csv", "w") as file:
            file.write("step,op,time_us\n1,<script>alert(1)</script>,1\n2,<script>alert(1)</script>,2\n")
        for shown in (stepstat.report("table.csv")._repr_html_(), stepstat.observations("table.csv")._repr_html_()):
            self.assertIn("&lt;script&gt;", shown)
            self.assertNotIn("<script>", shown)
        json.dumps(stepstat.observations("table.csv").json)

    def test_inputs_that_look_like_options(self):
        shutil.copy(REPORTED, "--strict")
        self.assertEqual(len(stepstat.report("--strict").table()), len(stepstat.report(REPORTED).table()))


class Options(Folder):
    def test_every_option_of_the_help_is_known(self):
        """Those that the module does not take it names with what to do instead."""
        functions = {"report": stepstat.report, "compare": stepstat.compare, "gate": stepstat.gate,
                     "export": stepstat.observations, "events": stepstat.events}
        counted = 0
        for command, function in functions.items():
            text = shell(command, "--help=all").decode()
            words = re.findall(r"^  --?([a-z][a-z-]*)", text, re.M)
            parameters = inspect.signature(function).parameters
            for word in words:
                name = word.replace("-", "_") + ("_" if word == "from" else "")
                counted += 1
                if name not in parameters:
                    error = self.fails(stepstat.OptionError, function, *([REPORTED] * (2 if command in ("compare", "gate") else 1)), **{name: "x"})
                    self.assertIn("is not for Python", error.message)
                    self.assertTrue(error.hint)
            self.assertEqual(len(words), len(set(words)))
        self.assertGreater(counted, 150)

    def test_wrong_names(self):
        error = self.fails(stepstat.OptionError, stepstat.report, REPORTED, warmpu="auto")
        self.assertEqual((error.message, error.hint, error.status), ("report has no option warmpu", "did you mean warmup?", 2))
        self.assertIn("step_marker", self.fails(TypeError, stepstat.report, REPORTED, **{"step-marker": "x"}).hint)
        self.assertEqual(self.fails(TypeError, stepstat.report, REPORTED, margin="2%").hint, "it is an option of compare and gate")

    def test_wrong_values(self):
        for options in ({"by": True}, {"by": ["type", "name"]}, {"strict": "yes"}, {"include": {"a": 1}}, {"top": b"3"}, {"by": "a\0"}):
            self.fails(stepstat.OptionError, stepstat.report, REPORTED, **options)
        for paths in ([], "", [""], 3, [3], b"x"):
            self.fails(stepstat.OptionError, stepstat.report, paths)
        self.assertEqual(self.fails(FileNotFoundError, stepstat.report, REPORTED, config="nothing.yaml").status, 2)
        error = self.fails(stepstat.OptionError, stepstat.report, REPORTED, by="tpye")
        self.assertEqual((error.status, error.command[1]), (2, "report"))
        self.assertIn("--by", error.message)
        stepstat.report(REPORTED, strict=False, by=None)

    def test_a_program_of_other_sources_is_refused(self):
        real = stepstat.program()
        self.fake('case "$*" in --version) echo "stepstat 0" ;; *) "%s" "$@" | sed s/--warmup/--warmth/ ;; esac\n' % real)
        build = [sys.executable, os.path.join(TOP, "packaging/python/build.py"), "--modules", "made", "--program"]
        done = subprocess.run([*build, os.environ["STEPSTAT"]], stderr=subprocess.PIPE)
        self.assertIn(b"is version 0, the sources are", done.stderr)
        self.fake('"%s" "$@" | sed s/--warmup/--warmth/\n' % real)
        done = subprocess.run([*build, os.environ["STEPSTAT"]], stderr=subprocess.PIPE)
        self.assertIn(b"--warmth, --warmup", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_python_3_9_can_read_the_modules(self):
        folder = os.path.dirname(stepstat.__file__)
        names = glob.glob(folder + "/*.py*")
        self.assertGreater(len(names), 8)
        for name in names:
            if name.endswith((".py", ".pyi")):
                ast.parse(open(name).read(), name, feature_version=(3, 9))


class Messages(Folder):
    def test_message_hint_and_status(self):
        error = self.fails(FileNotFoundError, stepstat.report, "profile_1")
        self.assertIsInstance(error, stepstat.Error)
        self.assertEqual((error.message, error.status), ("profile_1: cannot open: No such file or directory", 3))
        with open("comma.csv", "w") as file:
            file.write('step,op,time_us\n1,a,"1,5"\n')
        error = self.fails(stepstat.Error, stepstat.report, "comma.csv")
        self.assertEqual(error.message, 'comma.csv:2:5: "1,5" has a comma, expected a number like 1234.5')
        self.assertEqual(error.hint, "decimals are written with a point, thousands without a separator")
        self.assertIn("hint: decimals", str(error))

    def test_programs_that_die(self):
        self.fake('echo "stepstat: x" >&2; kill -9 $$\n')
        error = self.fails(stepstat.Error, stepstat.report, "x")
        self.assertEqual((error.status, error.message), (-9, "x\nthe program was ended by signal SIGKILL"))
        self.fake("exit 7\n")
        self.assertIn("status 7", self.fails(stepstat.Error, stepstat.report, "x").message)
        for text in ("half a {", "[]", ""):
            self.fake("printf '%s'\n" % text)
            self.assertIn("the program wrote no", self.fails(stepstat.Error, stepstat.report, "x").message)
        os.environ["STEPSTAT"] = os.path.join(self.folder, "nothing")
        self.assertIn("cannot be run", self.fails(stepstat.Error, stepstat.report, "x").message)

    def test_notes_are_kept(self):
        self.fake('echo "stepstat: note: a" >&2; echo \'{"command": "report"}\'\n')
        self.assertEqual(stepstat.report("x").messages, ["a"])

    def test_progress_is_shown_on_a_terminal_and_not_in_messages(self):
        self.fake("""test -t 2 || exit 9
printf '\\rreading: 1.0 of 2.0 MB\\033[K' >&2; sleep 0.1; printf '\\r\\033[K' >&2
echo "stepstat: bad" >&2; echo "stepstat: hint: good" >&2; exit 3
""")
        script = ("import stepstat\ntry:\n    stepstat.report('x')\nexcept stepstat.Error as e:\n"
                  "    print(repr((e.message, e.hint, e.status)), flush=True)\n")
        child, descriptor = pty.fork()
        if child == 0:
            os.execve(sys.executable, [sys.executable, "-c", script], dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
        seen = b""
        while True:
            try:
                data = os.read(descriptor, 4096)
            except OSError:  # its other side is closed
                data = b""
            if not data:
                break
            seen += data
        os.waitpid(child, 0)
        os.close(descriptor)
        self.assertIn(b"\rreading: 1.0 of 2.0 MB", seen)
        self.assertIn(b"('bad', 'good', 3)", seen)

    def test_progress_is_shown_in_a_notebook(self):
        self.fake("""printf '\\rreading: 1.0 of 2.0 MB\\033[K\\r\\033[K' >&2; echo "stepstat: note: read" >&2; echo '{}'\n""")
        stream = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()
        with contextlib.redirect_stderr(stream):
            self.assertEqual(stepstat.report("x").messages, ["read"])
        self.assertEqual(stream.getvalue(), "\rreading: 1.0 of 2.0 MB\r%s\r" % (" " * len("reading: 1.0 of 2.0 MB")))

    def test_an_interrupt_ends_the_program(self):
        self.fake("trap 'echo gone >mark; kill $!; exit 0' TERM\nsleep 20 & wait\n")

        def interrupt(*_):
            raise KeyboardInterrupt
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            self.fails(KeyboardInterrupt, stepstat.report, "x")
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertTrue(os.path.exists("mark"))

    def test_nothing_is_shown_elsewhere(self):
        self.fake("test -t 2 && exit 9\necho '{}'\n")
        done = subprocess.run([sys.executable, "-c", "import stepstat; stepstat.report('x')"], stderr=subprocess.PIPE,
                              env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
        self.assertEqual((done.returncode, done.stderr), (0, b""))


class FakeProfiler:
    """What on_trace_ready gets, as far as it is used: a trace that PyTorch wrote once."""

    def __init__(self, die=None):
        self.die = die
        self.trace = gzip.open(KINETO).read()

    def export_chrome_trace(self, path):
        with open(path, "wb") as file:
            file.write(self.trace[:len(self.trace) // 2] if self.die else self.trace)
        if self.die:
            self.die()


class RecordingFolder(Folder):
    def setUp(self):
        super().setUp()
        stepstat._recording._windows = itertools.count(1)

    def expected(self, trace, name, window=1):
        """What export makes of the trace under this name, of this window of this process."""
        with open(name, "wb") as file:
            file.write(trace)
        shell("export", name, "-o", "expected.obs", "--fact=process=%s" % stepstat._recording._process_of[os.getpid()],
              "--fact=window=%d" % window, "--fact=host=%s" % socket.gethostname())
        return open("expected.obs", "rb").read()

    @contextlib.contextmanager
    def one_warning(self, text):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        self.assertEqual([str(w.message) for w in caught if not re.search(text, str(w.message))], [])
        self.assertEqual(len(caught), 1)
        # At a line of the training, not of the module.
        self.assertNotEqual(os.path.dirname(caught[0].filename), os.path.dirname(stepstat.__file__))

    @contextlib.contextmanager
    def no_warning(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        self.assertEqual([str(w.message) for w in caught], [])

    def nothing_left(self):
        self.assertEqual(os.listdir(self.temporary), [])


class TorchRecordings(RecordingFolder):
    def test_torch_keeps_only_observations(self):
        handler = stepstat.torch.handler("runs/base", name="first", quiet=True)
        profiler = FakeProfiler()
        handler(profiler)
        self.assertEqual(os.listdir("runs/base"), ["first.obs"])
        self.assertEqual(open("runs/base/first.obs", "rb").read(), self.expected(profiler.trace, "first.pt.trace.json"))
        self.assertEqual((handler.last.trace, handler.last.trace_bytes, handler.last.obs_bytes),
                         (None, len(profiler.trace), os.path.getsize("runs/base/first.obs")))
        self.nothing_left()
        without_run = [{**row, "run": None} for row in stepstat.report(KINETO).rows]
        self.assertEqual([{**row, "run": None} for row in stepstat.report("runs/base").rows], without_run)

    def test_torch_keeps_the_trace_on_request(self):
        handler = stepstat.torch.handler("runs", keep_trace=True, quiet=True)
        profiler = FakeProfiler()
        handler(profiler)
        handler(profiler)
        self.assertEqual(sorted(name.split(".", 1)[1] for name in os.listdir("runs")), ["obs", "obs", "traces"])
        self.assertEqual(os.path.dirname(handler.last.trace), "runs/.traces")
        self.assertEqual(len(os.listdir("runs/.traces")), 2)
        self.assertEqual(open(handler.last.trace, "rb").read(), profiler.trace)
        self.assertEqual(open(handler.last.obs, "rb").read(), self.expected(profiler.trace, os.path.basename(handler.last.trace), 2))
        self.assertNotIn("same run", " ".join(stepstat.report(handler.last.obs).notes))
        stepstat.torch.handler("runs", keep_trace="traces/base", name="b", quiet=True)(profiler)
        self.assertEqual(os.listdir("traces/base"), ["b.pt.trace.json"])

    def test_windows_of_a_process_are_one_run(self):
        class Window(FakeProfiler):
            def __init__(self, us):
                super().__init__()
                self.trace = json.dumps({"schemaVersion": 1, "traceEvents": [
                    {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": 100 * step + start, "dur": dur}
                    for step in (1, 2) for cat, name, start, dur in (("user_annotation", "ProfilerStep#%d" % step, 0, 90),
                                                                     ("cpu_op", "aten::mm", 1, us + step))]}).encode()
        for side in ("base", "new"):
            for us in (20, 30, 40):
                stepstat.torch.handler(side, quiet=True)(Window(us))
        self.assertIn("1 run x 6 steps", " ".join(stepstat.compare("base", "new").heading))
        steps = [row for row in rows_of("export", "base", "--measures=time", "--to=csv") if row["measure"] == "time"]
        self.assertEqual([float(row["value"]) for row in steps], [21, 22, 31, 32, 41, 42])

    def test_a_fork_is_another_process(self):
        process, window = stepstat._recording.recorded_process()
        self.assertEqual((process, window + 1), stepstat._recording.recorded_process())
        self.assertTrue(process.startswith("%d, " % os.getpid()))
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.write(writing, stepstat._recording.recorded_process()[0].encode())
            os._exit(0)
        os.wait()
        self.assertNotEqual(os.read(reading, 100).decode(), process)

    def test_rank(self):
        for rank in (3, 5):
            os.environ.update(RANK=str(rank), WORLD_SIZE="8")
            try:
                stepstat.torch.handler("job", name="a", quiet=True)(FakeProfiler())
            finally:
                os.environ.pop("RANK"), os.environ.pop("WORLD_SIZE")
        stepstat.torch.handler("job", name="a", rank=6, quiet=True)(FakeProfiler())
        self.assertEqual(sorted(os.listdir("job")), ["a_rank3.obs", "a_rank5.obs", "a_rank6.obs"])
        self.assertEqual({row["rank"] for row in rows_of("export", "job/a_rank3.obs", "--to=csv") if row["op"] and row["step"]}, {"3"})
        self.assertEqual(open("job/a_rank3.obs", "rb").read(), self.expected(FakeProfiler().trace, "a_rank3.pt.trace.json"))
        self.assertEqual(sorted({row["rank"] for row in rows_of("export", "job", "--to=csv") if row["op"] and row["step"]}), ["3", "5", "6"])

    def test_a_job_of_one_process_has_no_rank(self):
        os.environ.update(RANK="0", WORLD_SIZE="1")
        try:
            stepstat.torch.handler("job", name="a", quiet=True)(FakeProfiler())
        finally:
            os.environ.pop("RANK"), os.environ.pop("WORLD_SIZE")
        self.assertEqual(os.listdir("job"), ["a.obs"])

    def test_a_process_that_dies_leaves_nothing(self):
        child = os.fork()
        if child == 0:
            stepstat.torch.handler("runs", keep_trace=True)(FakeProfiler(lambda: os.kill(os.getpid(), 9)))
        os.waitpid(child, 0)
        self.assertEqual(os.listdir("runs"), [])

    def test_wrong_options_are_found_before_the_training(self):
        self.fails(stepstat.OptionError, stepstat.torch.handler, "runs", keep_trase=True)
        self.fails(stepstat.OptionError, stepstat.torch.handler, "runs", o="x.obs")
        for name in ("", "a/b", ".a", ".."):
            self.fails(stepstat.OptionError, stepstat.torch.handler, "runs", name=name)
        for timeout in (0, -1, float("nan"), "1", None, True):
            self.fails(stepstat.OptionError, stepstat.torch.handler, "runs", timeout=timeout)
        for rank in (-1, True, "3", 1.0):
            self.fails(stepstat.OptionError, stepstat.torch.handler, "runs", rank=rank)
        for keep_trace in (None, 1, "", ["a"], b"a"):
            self.fails(stepstat.OptionError, stepstat.jax.trace, "runs", keep_trace=keep_trace)

    def test_the_program_reads_options_before_the_training(self):
        for function in (stepstat.torch.handler, stepstat.jax.trace):
            for options, text in (({"step_marker": "("}, "missing closing parenthesis"), ({"steps": "x"}, "cannot read"), ({"by": "nonsense"}, "nonsense"),
                                  ({"rules": "missing.yaml"}, "missing.yaml")):
                with self.subTest(function=function.__name__, options=options), self.no_warning():
                    error = self.fails(stepstat.Error, function, "runs", **options)
                    self.assertEqual((text in error.message, error.status), (True, 2))
            with self.no_warning():
                function("runs", step_marker="a", steps=range(2, 4), warmup=False, keep_trace=pathlib.Path("traces"), rank=0)
        self.assertEqual(os.listdir("runs"), [])
        self.nothing_left()
        with self.assertRaises(stepstat.OptionError):
            with stepstat.jax.trace("runs", keep_trase=True):
                self.fail("the block runs")

    def test_the_line_about_size_and_time(self):
        done = subprocess.run([sys.executable, "-c", "import sys\nsys.argv = ['', %r]\nexec(open(%r).read().split('class RecordingFolder')[0])\n"
                               "stepstat.torch.handler('runs', name='a')(FakeProfiler())" % (TOP, os.path.abspath(__file__))],
                              stderr=subprocess.PIPE, env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
        size = os.path.getsize("runs/a.obs")
        self.assertRegex(done.stderr.decode(), r"^stepstat: runs/a\.obs: %d bytes of a trace of %d \(\d+\.\d{3} s: .*\)\n$" % (size, len(FakeProfiler().trace)))


class Trainings(RecordingFolder):
    """A training of 20 steps, a window of three of them each fifth step, in which recordings fail."""

    # All but what an export with the wrong words or a version needs.
    GOOD = 'test "$1" = --version && exit 0\n'

    def train(self, handler, profiler=None):
        done = 0
        for step in range(1, 21):
            if step % 5 == 0:
                handler(profiler or FakeProfiler())
            done = step
        self.assertEqual(done, 20)
        return handler.last

    def fails_at_once(self, text, folder="runs", **options):
        """The warning is there before the first step, and no other comes."""
        with self.one_warning(text):
            handler = stepstat.torch.handler(folder, quiet=True, **options)
        with self.no_warning():
            return self.train(handler)

    def fails_later(self, text, change=None, profiler=None, **options):
        with self.no_warning():
            handler = stepstat.torch.handler("runs", quiet=True, **options)
        if change:
            change()
        with self.one_warning(text):
            return self.train(handler, profiler)

    def kept(self, last, folder):
        """Traces are kept where there are no observations, whole."""
        self.assertIsNone(last.obs)
        self.assertTrue(last.error)
        self.assertEqual(os.path.dirname(last.trace), folder)
        self.assertEqual(open(last.trace, "rb").read(), FakeProfiler().trace)

    def test_eight_failures_end_neither_training(self):
        """20 of 20 steps with PyTorch's and JAX's profiler, one warning, and the trace where there are no observations."""
        def replaced():
            shutil.rmtree("runs")

        def file_instead():
            shutil.rmtree("runs")
            open("runs", "w").close()

        def says(text):
            return lambda: self.fake(self.GOOD + "echo 'stepstat: runs/a.obs: cannot write: %s' >&2; exit 3\n" % text)

        def missing():
            os.environ["STEPSTAT"] = os.path.join(self.folder, "nothing")

        nothing = b'{"schemaVersion": 1, "traceEvents": []}'
        for number, (fail, text, is_kept, trace) in enumerate((
                (replaced, None, False, None), (file_instead, "runs", False, None), (says("No space left on device"), "No space left", True, None),
                (missing, "cannot be run", True, None), (lambda: self.fake(self.GOOD + "kill -9 $$\n"), "SIGKILL", True, None),
                (lambda: None, "", True, nothing), (says("Disk quota exceeded"), "quota", True, None),
                (lambda: self.fake(self.GOOD + "sleep 1000\n"), "was ended after 0.3 s", True, None))):
            for profiled in (self.train_torch, self.train_jax):
                with self.subTest(number=number, profiler=profiled.__name__):
                    shutil.rmtree("runs") if os.path.isdir("runs") else os.path.exists("runs") and os.unlink("runs")
                    self.own()
                    with self.no_warning() if text is None else self.one_warning(text):
                        last = profiled(fail, trace)
                    self.assertEqual(last.error is None, text is None)
                    self.assertEqual(last.obs is None, text is not None)
                    if is_kept:
                        self.assertEqual(os.path.dirname(last.trace), "runs/.traces")
                        self.assertEqual(open(last.trace, "rb").read(), trace or (JAX_TRACE if profiled == self.train_jax else FakeProfiler().trace))

    def train_torch(self, fail, trace):
        handler = stepstat.torch.handler("runs", quiet=True, timeout=0.3 if fail.__name__ == "<lambda>" else 60)
        fail()
        profiler = FakeProfiler()
        profiler.trace = trace or profiler.trace
        return self.train(handler, profiler)

    def train_jax(self, fail, trace):
        done = 0
        with unittest.mock.patch.dict(sys.modules, {"jax": FakeJax}), unittest.mock.patch.object(FakeJax.profiler, "written", trace):
            for step in range(1, 21):
                if step == 5:
                    with stepstat.jax.trace("runs", quiet=True, timeout=0.3 if fail.__name__ == "<lambda>" else 60) as tracing:
                        fail()
                        done += 1
                else:
                    done += 1
        self.assertEqual(done, 20)
        return tracing.recording

    def test_a_test_may_ask_for_errors(self):
        handler = stepstat.torch.handler("runs", quiet=True, on_error="raise")
        self.fake(self.GOOD + "echo 'stepstat: bad' >&2; exit 3\n")
        with self.no_warning():
            self.assertEqual(self.fails(stepstat.Error, handler, FakeProfiler()).message, "bad")
        self.kept(handler.last, "runs/.traces")
        os.environ["STEPSTAT"] = os.path.join(self.folder, "nothing")
        self.assertIn("cannot be run", self.fails(stepstat.Error, stepstat.torch.handler, "runs", on_error="raise").message)
        self.fails(stepstat.OptionError, stepstat.torch.handler, "runs", on_error="ignore")
        self.nothing_left()

    def test_a_limit_of_the_size_of_files(self):
        """As a quota does, the system refuses what is too large: the trace."""
        script = ("import resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))\nsys.argv = ['', %r]\n"
                  "exec(open(%r).read().split('class RecordingFolder')[0])\nh = stepstat.torch.handler('runs')\n"
                  "for step in range(20):\n    h(FakeProfiler())\nprint(step + 1, h.last.error)" % (TOP, os.path.abspath(__file__)))
        done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
        self.assertEqual(done.stdout.decode(), "20 [Errno 27] File too large\n", done.stderr)
        self.assertEqual(done.stderr.count(b"RuntimeWarning"), 1)
        self.nothing_left()

    def test_no_program(self):
        os.environ["STEPSTAT"] = os.path.join(self.folder, "nothing")
        self.kept(self.fails_at_once("cannot be run"), "runs/.traces")
        self.assertEqual(len(os.listdir("runs/.traces")), 4)
        self.nothing_left()

    def test_programs_that_fail(self):
        for script, text in (("echo 'stepstat: bad' >&2; exit 3\n", "bad"), ("kill -9 $$\n", "SIGKILL"), ("exit 1\n", "status 1")):
            with self.subTest(script):
                self.fake(script)
                self.kept(self.fails_at_once(text), "runs/.traces")
                self.fake(self.GOOD + script)
                self.kept(self.fails_later(text), "runs/.traces")
        self.fake("exit 0\n")  # and writes nothing
        self.kept(self.fails_later("No such file"), "runs/.traces")
        self.assertEqual(os.listdir("runs"), [".traces"])
        self.nothing_left()

    def test_a_program_that_hangs(self):
        # The second holds the pipes of the first; both are ended.
        self.fake(self.GOOD + "sleep 1000 & sleep 1000\n")
        with self.no_warning():
            handler = stepstat.torch.handler("runs", quiet=True, timeout=0.3)
        with self.one_warning("the program was ended after 0.3 s"):
            handler(FakeProfiler())
        self.kept(handler.last, "runs/.traces")

    def test_a_folder_that_cannot_be_made(self):
        open("file", "w").close()
        last = self.fails_at_once("Not a directory", "file/x")
        self.assertIsNone(last.obs)
        # The trace of the first window is where it was; those of further ones would fill the disk.
        self.assertIsNone(last.trace)
        left = glob.glob(os.path.join(self.temporary, "*", "*.pt.trace.json"))
        self.assertEqual([open(path, "rb").read() for path in left], [FakeProfiler().trace])

    def test_a_folder_that_cannot_be_written(self):
        # Not even by root.
        self.assertIsNone(self.fails_at_once("/proc/self", "/proc/self").obs)

    def test_a_folder_that_is_removed(self):
        with self.no_warning():
            handler = stepstat.torch.handler("runs", quiet=True)
            shutil.rmtree("runs")
            self.assertIsNone(self.train(handler).error)
        self.assertEqual(len(os.listdir("runs")), 4)

        def replace():
            shutil.rmtree("runs")
            open("runs", "w").close()
        last = self.fails_later("runs", replace)
        self.assertIsNone(last.obs)

    def test_a_full_disk(self):
        def full(*_, **__):
            raise OSError(28, "No space left on device")
        self.fake(self.GOOD + "echo 'stepstat: runs/a.obs: cannot write: No space left on device' >&2; exit 3\n")
        with unittest.mock.patch("shutil.copyfile", full):
            last = self.fails_later("No space left", keep_trace=True)
        self.assertIsNone(last.obs)
        self.assertEqual(os.listdir("runs/.traces"), [])
        # Of the trace that was wished for only the copy fails.
        self.own()
        with unittest.mock.patch("shutil.copyfile", full):
            last = self.fails_later("the trace is not kept as wished: .*No space left", keep_trace=True)
        self.assertTrue(os.path.exists(last.obs))
        # Where temporary files are.
        with unittest.mock.patch("tempfile.mkdtemp", full):
            self.assertIsNone(self.fails_later("No space left").obs)

    def test_no_temporary_folder(self):
        tempfile.tempdir = os.path.join(self.folder, "nothing")
        self.assertIsNone(self.fails_at_once("nothing").obs)

    def test_a_profiler_that_raises(self):
        def fail():
            raise RuntimeError("the profiler is broken")
        for keep in (False, True):
            last = self.fails_later("the profiler is broken", profiler=FakeProfiler(fail), keep_trace=keep)
            self.assertEqual((last.obs, last.trace, last.error), (None, None, "the profiler is broken"))
        self.assertEqual(os.listdir("runs"), [])
        self.nothing_left()

    def test_a_profile_of_nothing(self):
        for trace in (b"", b'{"schemaVersion": 1, "traceEvents": []}', b"{"):
            with self.subTest(trace):
                profiler = FakeProfiler()
                profiler.trace = trace
                last = self.fails_later("", profiler=profiler)
                self.assertIsNone(last.obs)
                self.assertEqual(open(last.trace, "rb").read(), trace)

    def test_a_later_window_is_kept(self):
        def fail():
            raise RuntimeError("once")
        handler = stepstat.torch.handler("runs", quiet=True)
        with self.one_warning("once"):
            handler(FakeProfiler(fail))
        with self.no_warning():
            self.assertIsNone(self.train(handler).error)
        self.assertEqual(len(os.listdir("runs")), 4)

    def test_errors_that_cannot_be_shown(self):
        class Mute(Exception):
            def __str__(self):
                raise ValueError("no text")
        circle, other = ValueError("a"), ValueError("b")
        circle.__cause__, other.__cause__ = other, circle
        for error, text in ((Mute(), "Mute"), (circle, "a")):
            def fail(error=error):
                raise error
            with self.subTest(text):
                self.assertEqual(self.fails_later(text, profiler=FakeProfiler(fail)).error, text)

    def test_errors_of_warnings_and_no_standard_error(self):
        self.fake("exit 3\n")
        shown = io.StringIO()
        with warnings.catch_warnings(), contextlib.redirect_stderr(shown):
            warnings.simplefilter("error")
            self.train(stepstat.torch.handler("runs", quiet=True))
        self.assertEqual(shown.getvalue().count("\n"), 1)
        closed = io.StringIO()
        closed.close()
        self.own()
        for stream in (None, closed):
            with contextlib.redirect_stderr(stream), contextlib.redirect_stdout(io.StringIO()) as out, self.no_warning():
                self.assertIsNone(self.train(stepstat.torch.handler("runs")).error)
            self.assertEqual(out.getvalue(), "")

    def test_signals_of_the_training(self):
        """What their handlers raise is the training's, whatever is being done; else they change nothing."""
        class Preempted(Exception):
            pass

        def preempt(*_):
            raise Preempted
        self.fake(self.GOOD + "sleep 0.3; exit 3\n")
        for raised, what in ((Preempted, preempt), (None, lambda *_: None)):
            before = signal.signal(signal.SIGALRM, what)
            try:
                handler = stepstat.torch.handler("runs", quiet=True)
                signal.setitimer(signal.ITIMER_REAL, 0.1)
                with self.no_warning() if raised else self.one_warning("status 3"):
                    with self.assertRaises(raised) if raised else contextlib.nullcontext():
                        handler(FakeProfiler())
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)
        self.nothing_left()
        self.own()
        before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        try:
            with self.no_warning():
                self.assertIsNone(self.train(stepstat.torch.handler("runs", quiet=True)).error)
        finally:
            signal.signal(signal.SIGCHLD, before)

    def test_threads_and_forks(self):
        with self.no_warning():
            handler = stepstat.torch.handler("runs", quiet=True)
            thread = threading.Thread(target=self.train, args=(handler,))
            thread.start()
            thread.join()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12, of a thread that has not quite ended
                child = os.fork()
            if child == 0:
                try:
                    handler(FakeProfiler())
                finally:
                    os._exit(handler.last.error is not None)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertIsNone(handler.last.error)
        self.assertEqual(len(os.listdir("runs")), 5)
        self.nothing_left()


class FakeJax:
    """jax, as far as it is used: a trace that JAX wrote once, in the folders that it makes."""

    class profiler:
        written = None

        @classmethod
        def start_trace(cls, folder):
            cls.folder = folder

        @classmethod
        def stop_trace(cls):
            place = os.path.join(cls.folder, "plugins/profile/2026_01_01_00_00_00")
            os.makedirs(place)
            with open(os.path.join(place, "node7.xplane.pb"), "wb") as file:
                file.write(cls.written or JAX_TRACE)

        @classmethod
        @contextlib.contextmanager
        def StepTraceAnnotation(cls, name, step_num):
            cls.marked.append(step_num)
            yield

        marked = []

    processes = 1

    @classmethod
    def process_count(cls):
        return cls.processes

    @classmethod
    def process_index(cls):
        return 2


class JaxRecordings(RecordingFolder):
    def setUp(self):
        super().setUp()
        sys.modules["jax"] = FakeJax
        FakeJax.processes = 1

    def tearDown(self):
        del sys.modules["jax"]
        super().tearDown()

    def test_jax_keeps_only_observations(self):
        with stepstat.jax.trace("runs", name="a", quiet=True) as tracing:
            self.assertIsNone(tracing.recording)
        self.assertEqual(os.listdir("runs"), ["a.obs"])
        self.assertEqual(open("runs/a.obs", "rb").read(), self.expected(JAX_TRACE, "a.xplane.pb"))
        self.assertEqual(tracing.recording.trace_bytes, len(JAX_TRACE))
        self.nothing_left()

    def test_jax_rank_and_trace(self):
        FakeJax.processes = 4
        with stepstat.jax.trace("runs", name="a", quiet=True, keep_trace=True):
            pass
        self.assertEqual(sorted(os.listdir("runs")), [".traces", "a_rank2.obs"])
        self.assertEqual(os.listdir("runs/.traces"), ["a_rank2.xplane.pb"])
        self.assertEqual({row["rank"] for row in rows_of("export", "runs/a_rank2.obs", "--to=csv") if row["op"] and row["step"]}, {"2"})
        self.assertIn("1 run x 16 steps", " ".join(stepstat.report("runs").heading))

    def test_a_block_that_raises_leaves_nothing(self):
        with self.assertRaises(KeyboardInterrupt):
            with stepstat.jax.trace("runs", keep_trace=True):
                raise KeyboardInterrupt
        self.assertEqual(os.listdir("runs"), [])
        self.nothing_left()

    def test_what_jax_raises_ends_no_training(self):
        def fail(*_):
            raise RuntimeError("only one profile may be run at a time")
        for name in ("start_trace", "stop_trace"):
            with self.subTest(name), unittest.mock.patch.object(FakeJax.profiler, name, fail), self.one_warning("only one profile"):
                with stepstat.jax.trace("runs", quiet=True) as tracing:
                    done = name
                self.assertEqual((done, tracing.recording.obs, tracing.recording.trace), (name, None, None))
                self.assertIn("only one profile", tracing.recording.error)
            # An error of the training is not hidden by one of the profiler.
            with self.subTest(name), unittest.mock.patch.object(FakeJax.profiler, name, fail), self.one_warning("only one profile"):
                with self.assertRaises(ZeroDivisionError):
                    with stepstat.jax.trace("runs", quiet=True):
                        1 / 0
        self.assertEqual(os.listdir("runs"), [])
        self.nothing_left()

    def test_jax_keeps_the_trace_when_the_program_fails(self):
        self.fake("echo 'stepstat: disk full' >&2; exit 3\n")
        with self.one_warning("disk full"):
            with stepstat.jax.trace("runs", name="a", quiet=True) as tracing:
                pass
        self.assertEqual(tracing.recording.trace, "runs/.traces/a.xplane.pb")
        self.assertEqual(open("runs/.traces/a.xplane.pb", "rb").read(), JAX_TRACE)
        self.nothing_left()

    def test_no_jax(self):
        sys.modules["jax"] = None
        with self.one_warning("jax"):
            with stepstat.jax.trace("runs") as tracing:
                pass
        self.assertIsNone(tracing.recording.obs)


class FakeTorch:
    """torch.profiler, as far as callbacks use it: the schedule decides what is done between steps, as PyTorch 2 does."""

    class profiler:
        class ProfilerAction:
            NONE, WARMUP, RECORD, RECORD_AND_SAVE = range(4)

        class profile:
            recorded = []
            alive = 0

            def __init__(self, schedule, on_trace_ready):
                self.step_num, self.schedule, self.ready, self.action = 0, schedule, on_trace_ready, schedule(0)

            def start(self):
                type(self).alive += 1

            def step(self):
                before = self.action
                if before >= 2:
                    self.recorded.append(self.step_num)
                self.step_num += 1
                self.action = self.schedule(self.step_num)
                if before == 3:
                    self.ready(FakeProfiler())

            def stop(self):
                type(self).alive -= 1
                if self.action >= 2:
                    self.ready(FakeProfiler())


class Callbacks(RecordingFolder):
    """Trainers that call what real ones call, in their order (tests/extra/recordings.py has the real ones)."""

    def setUp(self):
        super().setUp()
        self.profile = FakeTorch.profiler.profile
        self.profile.recorded, self.profile.alive, FakeJax.profiler.marked = [], 0, []
        callback = type("Callback", (), {})
        keras = type("keras", (), {"callbacks": type("", (), {"Callback": callback}), "backend": type("", (), {"backend": staticmethod(lambda: self.backend)})})
        made = {"torch": FakeTorch, "jax": FakeJax, "keras": keras, "lightning.pytorch": type("", (), {"Callback": callback}),
                "transformers": type("", (), {"TrainerCallback": callback})}
        patch = unittest.mock.patch.dict(sys.modules, made)
        patch.start()
        self.addCleanup(patch.stop)

    def train(self, callback, begin, before, after, end, steps=20):
        getattr(callback, begin)("trainer", "module")
        for step in range(steps):
            if before:
                getattr(callback, before)(step, {})
            getattr(callback, after)("trainer", "module", None, None, batch_idx=step)
        getattr(callback, end)("trainer", "module")
        self.assertEqual(self.profile.alive, 0)

    LIGHTNING = "on_train_start", None, "on_train_batch_end", "on_train_end"
    TRANSFORMERS = "on_train_begin", None, "on_step_end", "on_train_end"
    KERAS = "on_train_begin", "on_train_batch_begin", "on_train_batch_end", "on_train_end"

    def test_callbacks_record_the_steps_that_were_asked_for(self):
        self.backend = "torch"
        for make, hooks in ((stepstat.callbacks.lightning, self.LIGHTNING), (stepstat.callbacks.transformers, self.TRANSFORMERS),
                            (stepstat.callbacks.keras, self.KERAS)):
            for record, steps in ((range(3, 6), [3, 4, 5]), (range(0, 2), [0, 1]), (range(18, 30), [18, 19]), (range(40, 50), [])):
                said = self.no_warning() if steps else self.one_warning("nothing is recorded: the training had 20 steps, record begins at 40;")
                with self.subTest(make=make.__name__, record=record), said:
                    self.profile.recorded.clear()
                    shutil.rmtree("runs", ignore_errors=True)
                    callback = make("runs", record=record, quiet=True)
                    self.train(callback, *hooks)
                    self.assertEqual(self.profile.recorded, steps)
                    self.assertEqual(len(os.listdir("runs")), 1 if steps else 0)
                    self.assertEqual(callback.last.error, None if steps else "the training had 20 steps, record begins at 40")
        self.nothing_left()

    def test_a_training_that_is_too_short_says_so(self):
        self.backend = "jax"
        for make, hooks in ((stepstat.callbacks.lightning, self.LIGHTNING), (stepstat.callbacks.keras, self.KERAS)):
            with self.subTest(make.__name__):
                callback = make("runs", record=range(3, 5), quiet=True)
                with self.one_warning("the training had 3 steps, record begins at 3;"):
                    self.train(callback, *hooks, steps=3)
                with self.no_warning():  # the next training of the same callback is long enough
                    self.train(callback, *hooks, steps=4)
                self.assertIsNone(callback.last.error)
                with self.no_warning():  # one warning is enough
                    self.train(callback, *hooks, steps=1)
                self.assertEqual(callback.last.error, "the training had 1 step, record begins at 3")
        strict = stepstat.callbacks.keras("runs", record=range(3, 5), on_error="raise")
        self.fails(stepstat.Error, self.train, strict, *self.KERAS, steps=2)
        self.nothing_left()

    def test_callbacks_can_be_pickled(self):
        self.backend = "jax"
        for make, hooks in ((stepstat.callbacks.lightning, self.LIGHTNING), (stepstat.callbacks.transformers, self.TRANSFORMERS),
                            (stepstat.callbacks.keras, self.KERAS)):
            for copied in (lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy):
                with self.subTest(make.__name__), self.no_warning():
                    shutil.rmtree("runs", ignore_errors=True)
                    again = copied(make("runs", record=range(3, 5), name="a", quiet=True))
                    self.train(again, *hooks)
                    self.assertEqual((again.last.obs, os.listdir("runs")), ("runs/a.obs", ["a.obs"]))

    def test_a_training_that_raises_keeps_its_window(self):
        with self.no_warning():
            self.train(stepstat.callbacks.lightning("runs", record=range(3, 9), quiet=True), *self.LIGHTNING[:3], "on_exception", steps=5)
        self.assertEqual((self.profile.recorded, len(os.listdir("runs"))), ([3, 4], 1))

    def test_keras_with_the_profiler_of_its_backend(self):
        FakeJax.processes = 1
        experimental = type("", (), {"start": FakeJax.profiler.start_trace, "stop": FakeJax.profiler.stop_trace,
                                     "Trace": staticmethod(lambda name, step_num, _r: FakeJax.profiler.StepTraceAnnotation(name, step_num))})
        tensorflow = type("", (), {"profiler": type("", (), {"experimental": experimental})})
        for self.backend in ("jax", "tensorflow"):
            with unittest.mock.patch.dict(sys.modules, {"tensorflow": tensorflow}), self.no_warning():
                FakeJax.profiler.marked.clear()
                shutil.rmtree("runs", ignore_errors=True)
                callback = stepstat.callbacks.keras("runs", record=range(3, 6), name="a", quiet=True)
                self.train(callback, *self.KERAS)
            self.assertEqual((FakeJax.profiler.marked, os.listdir("runs")), ([3, 4, 5], ["a.obs"]))
            self.assertEqual(callback.last.trace_bytes, len(JAX_TRACE))
        self.backend = "numpy"
        self.assertIn("numpy", self.fails(stepstat.OptionError, stepstat.callbacks.keras, "runs").message)
        self.nothing_left()

    def test_no_callback_ends_a_training(self):
        def fail(*_, **__):
            raise RuntimeError("the profiler is broken")
        self.backend = "jax"
        for owner, name, make, hooks in ((self.profile, "start", stepstat.callbacks.transformers, self.TRANSFORMERS),
                                         (self.profile, "step", stepstat.callbacks.lightning, self.LIGHTNING),
                                         (FakeJax.profiler, "start_trace", stepstat.callbacks.keras, self.KERAS),
                                         (FakeJax.profiler, "stop_trace", stepstat.callbacks.keras, self.KERAS),
                                         (FakeJax.profiler, "StepTraceAnnotation", stepstat.callbacks.keras, self.KERAS)):
            with self.subTest(name), unittest.mock.patch.object(owner, name, fail), self.one_warning("the profiler is broken"):
                self.train(make("runs", record=range(3, 6), quiet=True), *hooks)
        for record in (3, range(0), range(3, 9, 2), range(-3, 3)):
            self.fails(stepstat.OptionError, stepstat.callbacks.keras, "runs", record=record)
        self.fails(stepstat.OptionError, stepstat.callbacks.lightning, "runs", keep_trase=True)
        self.nothing_left()


class Notebook(Folder):
    def test_the_cells_of_the_example_run(self):
        """Without Jupyter: the code of the cells, one after the other, in the notebook's folder."""
        path = os.path.join(TOP, "examples/notebook/stepstat.ipynb")
        cells = [cell for cell in json.load(open(path))["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 3)
        os.chdir(os.path.dirname(path))
        names = {"display": lambda shown: self.assertTrue(shown._repr_html_())}
        for cell in cells:
            self.assertEqual(cell["outputs"], [], "outputs are not committed")
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile("".join(cell["source"]), "cell", "exec"), names)
        self.assertEqual(names["gate"].status, 1)


class Fleet(Folder):
    """What tasks of a Spark job do, without Spark."""

    def part_of(self, tasks, *options):
        from stepstat import spark
        made = []
        for number, paths in enumerate(tasks):
            rows = [{"job": "j", "bin": number, "path": path, "uri": path} for path in paths]
            folder = tempfile.mkdtemp(dir=self.folder)
            made += spark._export_level((), options)(stepstat.program(), folder, rows)
        names = ["job", "bin", "kind", "path", "status", "message", "data"]
        folder = tempfile.mkdtemp(dir=self.folder)
        (row,) = spark._merge_level()(stepstat.program(), folder, [dict(zip(names, row)) for row in made])
        self.assertIn(row[2], ("part", "error"), row)
        return row[6] or row[5]

    def test_both_traces_of_a_rank_are_named(self):
        paths = sorted(glob.glob(os.path.join(TOP, "tests/data/ranks/gloo/run1/*.gz")))
        copy = shutil.copy(paths[5], os.path.join(self.folder, "again.json.gz"))
        error = self.part_of([paths[:3], paths[3:], [copy]])
        self.assertTrue(error.startswith('%s: rank "5" is also in %s\n' % (copy, paths[5])), error)
        self.assertIn("hint: each rank of a job once", error)

    def test_rows_are_renamed_once_and_left_out_of_any_task(self):
        paths = []
        for rank in range(4):
            paths.append(os.path.join(self.folder, "rank%d.csv" % rank))
            with open(paths[-1], "w") as file:
                file.write("rank,step,op,measure,value,unit\n" + "".join(
                    "%d,%d,%s,time,%d,us\n" % (rank, step, op, 10 + rank)
                    for step in (1, 2) for op in (["a", "b"] if rank == 3 else ["a"])))
        for options in (["--rename=s/a/aa/"], ["--include=b"], []):
            whole = shell("merge", *options, *paths)
            self.assertEqual(self.part_of([paths], *options), whole)
            self.assertEqual(self.part_of([paths[:1], paths[1:3], paths[3:]], *options), whole)

    def issues_of(self, rows, opened=open):
        """Issues, parts of the export of these rows, and files that lie outside of the task's folder."""
        from stepstat import spark
        outer = tempfile.mkdtemp(dir=self.folder)
        folder = os.path.join(outer, "in", "task")
        os.makedirs(folder)
        before, sleep = spark._open, spark.time.sleep
        spark._open, spark.time.sleep = opened, lambda _: None
        try:
            made = list(spark._export_level((), ())(stepstat.program(), folder, rows))
        finally:
            spark._open, spark.time.sleep = before, sleep
        outside = [name for above, _, names in os.walk(outer) if not above.startswith(folder) for name in names]
        return [row for row in made if row[2] == "issue"], [row for row in made if row[2] == "part"], outside

    def test_no_key_leads_out_of_the_folder(self):
        table = os.path.join(self.folder, "t.csv")
        with open(table, "w") as file:
            file.write("step,op,measure,value,unit\n1,a,time,5,us\n")
        keys = ["s3://b/../../../x", "s3://b/%2e%2e/%2e%2e/%2e%2e/y", "s3://b/%252e%252e/z", "s3://b/a b/-c", "s3://b/-d", "s3://b/./e",
                "s3://b/" + "n" * 300 + "/f", "s3://b/a%20b/-c2"]
        rows = [{"job": "j%d" % i, "bin": 0, "path": key, "uri": key} for i, key in enumerate(keys)]
        issues, parts, outside = self.issues_of(rows, lambda uri: open(table, "rb"))
        self.assertEqual((issues, outside), ([], []))
        self.assertEqual(len(parts), len(keys))
        from stepstat import spark
        self.assertEqual(len({spark._inside("/f", spark._plain(key)) for key in [*keys, "s3://b/../%2e%2e"]}), len(keys) + 1)

    def test_a_store_that_refuses_is_an_issue_of_that_path(self):
        from stepstat import spark

        class Cut:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                return None

            def read(self, _):
                raise OSError("When reading: AWS Error NETWORK_CONNECTION during GetObject")

        asked = []

        def refuse(uri):
            asked.append(uri)
            if uri == "s3://b/busy" and len(asked) < 3:
                raise spark._Unreadable("cannot open: AWS Error SLOW_DOWN: 503")
            if uri == "s3://b/cut":
                return spark._Source(Cut())
            raise spark._Unreadable("cannot open: AWS Error ACCESS_DENIED during HeadObject operation: No response body.")

        for uri, count, text in (("s3://b/no", 1, "ACCESS_DENIED"), ("s3://b/busy", 3, "ACCESS_DENIED"),
                                 ("s3://b/cut", 3, "cannot read: When reading: AWS Error NETWORK_CONNECTION")):
            asked.clear()
            issues, parts, _ = self.issues_of([{"job": "j", "bin": 0, "path": uri, "uri": uri}], refuse)
            self.assertEqual((len(issues), parts, len(asked)), (1, [], count))
            self.assertEqual(issues[0][3], uri)
            self.assertIn(text, issues[0][5])
            self.assertTrue(issues[0][5].startswith(uri + ": cannot "), issues[0][5])
        issues, _, _ = self.issues_of([{"job": "j", "bin": 0, "path": "gone", "uri": "/nowhere/gone"}], spark._open)
        self.assertEqual(issues[0][5], "gone: cannot open: No such file or directory")

    def test_a_store_that_cannot_be_listed_is_one_line_with_a_hint(self):
        from stepstat import spark
        denied = OSError("When getting information for key 'k' in bucket 'no': AWS Error ACCESS_DENIED during HeadObject operation: No response body.")
        down = OSError("When listing objects in bucket 'down': AWS Error NETWORK_CONNECTION during ListObjectsV2 operation: curlCode: 7,\nCould not connect to server")

        class Store:
            def get_file_info(self, asked):
                if not isinstance(asked, str):
                    return [kind(path="b/run/" + name, type=2, size=size) for name, size in (("a b", 3), ("empty", 0), ("_tmp", 9))]
                for word, raised in (("no", denied), ("down", down)):
                    if asked.startswith(word):
                        raise raised
                return kind(path=asked, type=0 if "gone" in asked else 1 if asked.endswith("run") else 2, size=1)

        def from_uri(uri):
            scheme, _, rest = uri.partition("://")
            if scheme == "abfss":
                return Store(), "c/x"
            if scheme != "s3":
                raise ValueError("Unrecognized filesystem type in URI: " + uri)
            return Store(), spark.unquote(rest.partition("?")[0])
        kind = lambda **values: type("info", (), values)
        fs = type("fs", (), {"FileSystem": type("", (), {"from_uri": staticmethod(from_uri)}), "FileSelector": lambda *_, **__: None,
                             "FileType": type("", (), {"NotFound": 0, "Directory": 1, "File": 2})})
        with unittest.mock.patch.dict(sys.modules, {"pyarrow": type("pyarrow", (), {"fs": fs}), "pyarrow.fs": fs}):
            for given in ("s3://b/run?region=R", "s3a://b/run?region=R"):
                self.assertEqual(spark._listed([given]), [("s3://b/run/a b", "s3://b/run/a%20b?region=R", 3), ("s3://b/run/empty", "s3://b/run/empty?region=R", 0)])
            self.assertEqual(spark._listed(["s3://b/a b"]), [("s3://b/a b", "s3://b/a%20b", 1)])
            for given, text, hint in (("s3://no/k", "ACCESS_DENIED", "credentials"), ("s3://down/k", "NETWORK_CONNECTION", "endpoint_override"),
                                      ("s3://b/gone", "No such file", None), ("wasb://c@a/x", "Unrecognized", "s3a"), ("abfss://c@a.b/x", "c/x", "Azure")):
                error = self.fails(stepstat.Error, spark._listed, [given])
                self.assertTrue(error.message.startswith(given + ": cannot open: "), error.message)
                self.assertNotIn("\n", error.message)
                self.assertIn(text, error.message)
                self.assertIn(hint, error.hint) if hint else self.assertIsNone(error.hint)

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "no pyarrow")
    def test_a_table_is_taken_by_those_that_take_arrow(self):
        import pyarrow
        table = stepstat.report(REPORTED).table()
        taken = pyarrow.RecordBatchReader.from_stream(table).read_all()
        self.assertEqual(taken.column_names, table.columns)
        for name in table.columns:
            self.assertEqual(taken[name].to_pylist(), table[name], name)

    def test_outputs_of_a_folder_leave_the_current_one(self):
        from stepstat._program import run
        before = os.getcwd()
        there = tempfile.mkdtemp(dir=self.folder)
        shutil.copy(REPORTED, os.path.join(there, "-job.part"))
        run(["report", "--quiet", "-o", "ops.csv", "--", "-job.part"], folder=there)
        self.assertEqual((os.getcwd(), sorted(os.listdir(there))), (before, ["-job.part", "ops.csv"]))

    def test_steps_of_the_whole_job_are_no_matter_of_a_task(self):
        from stepstat import spark
        for option in ("--warmup=auto", "--kind=1", "--steps=@2:"):
            with self.assertRaisesRegex(stepstat.Error, "steps of the whole job"):
                spark.report(None, self.folder, os.path.join(self.folder, "out"), merge_options=[option])


class Tap(unittest.TestResult):
    """A line for each test, as the other tests of the project have them."""

    number = 0

    def line(self, test, verdict, more=""):
        self.number += 1
        print("%s %d - %s%s" % (verdict, self.number, test.id().split(".", 1)[1], more), flush=True)

    def addSuccess(self, test):
        self.line(test, "ok")

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            print("".join("# %s\n" % line for line in (self.failures + self.errors)[-1][1].splitlines()), end="")
            self.line(subtest, "not ok")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        print("".join("# %s\n" % line for line in self.failures[-1][1].splitlines()), end="")
        self.line(test, "not ok")

    def addError(self, test, error):
        super().addError(test, error)
        print("".join("# %s\n" % line for line in self.errors[-1][1].splitlines()), end="")
        self.line(test, "not ok")


def main():
    result = Tap()
    unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]).run(result)
    print("1..%d" % result.number)
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
