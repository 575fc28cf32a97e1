# SPDX-License-Identifier: Apache-2.0
"""The report of many ranks, made on a Spark cluster: `python -m stepstat.spark TRACES... --out DIR [report options]`.

    from stepstat import spark
    spark.report(session, "s3://bucket/run_17", out="report_17")

Each task streams its traces into `stepstat export` and merges what came out; parts are merged in a tree. What runs on workers is sent
by the driver: the program as a file of the session, the functions by value. Workers need Python and pyarrow, nothing of this package.
"""
from __future__ import annotations

import argparse
import csv
import errno
import hashlib
import heapq
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple
from urllib.parse import quote, unquote

from ._arguments import Paths, paths_of
from ._program import Error, program, run
from ._tables import Report

FAN = 32  # so many parts become one in each level of the tree
CHUNK = 1 << 20  # bytes of a trace in memory
LOSS = "hint: without --strict this is a note, and the rest is used"
LONG_NAME = 200  # bytes; file systems have 255 with a suffix
TASK_BYTES = 4 << 30  # traces of one task, unless the number of partitions is given
FILES = "job string, bin long, path string, uri string"
ROWS = "job string, bin long, kind string, path string, status int, message string, data binary"


class Result(NamedTuple):
    """What was made: the folder, and a row (job, path, status, message) for each trace that could not be used."""

    out: str
    issues: List[Dict[str, Any]]


# Functions of workers: nothing else of this package may be named here, for it need not be installed there.

class _Unreadable(Exception):
    """A trace that its store does not give: no fault of the worker."""


def _reason(error: Exception) -> str:
    """The message of an error of a store, in one line."""
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else " ".join(str(error).split()) or type(error).__name__


class _Source:
    """A stream whose failures are those of the trace."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def read(self, size: int) -> bytes:
        try:
            data: bytes = self.stream.read(size)
            return data
        except (OSError, ValueError) as error:
            raise _Unreadable("cannot read: " + _reason(error)) from error


def _run(words: Sequence[str], folder: str, source: Any = None) -> Tuple[int, str]:
    """Runs the program, with the stream as its standard input: (status, messages). A file is given to it, others are copied."""
    is_file = isinstance(source, io.BufferedReader)
    with tempfile.TemporaryFile(dir=folder) as messages:
        stdin = source if is_file else subprocess.PIPE if source else subprocess.DEVNULL
        process = subprocess.Popen(words, bufsize=0, stdin=stdin, stdout=subprocess.DEVNULL, stderr=messages, cwd=folder,
                                   env={**os.environ, "LC_ALL": "C.UTF-8"})
        try:
            while process.stdin:
                rest = memoryview(source.read(CHUNK))
                if not rest:
                    break
                while rest:
                    rest = rest[process.stdin.write(rest):]
        except BrokenPipeError:  # it has read enough to know that it cannot use the trace
            pass
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            if process.stdin:
                process.stdin.close()
        status = process.wait()
        messages.seek(0)
        text = messages.read().decode("utf-8", "replace")
    if status < 0:
        text += "the program was ended by signal %d" % -status
    return status, "\n".join(re.sub("^stepstat: ", "", line) for line in text.splitlines())


def _merge(words: Sequence[str], files: Sequence[str], folder: str) -> Tuple[int, str]:
    """Makes merged.part in the folder of several files: the only place that merges."""
    status, messages = _run([*words, "--config=none", *sorted(files), "-o", os.path.join(folder, "merged.part")], folder)
    return status, messages.replace(folder + "/", "")


def _losses(binary: str, made: Dict[str, Optional[str]], folder: str) -> Iterator[Tuple[Optional[str], str]]:
    """(trace, message) of each of these observations with a loss; they hold their losses, so no trace is read again."""
    for file, path in sorted(made.items()):
        status, messages = _run([binary, "export", file, "--config=none", "--strict", "-o", os.path.join(folder, "checked.obs")], folder)
        if status and messages.endswith(LOSS):
            yield path, messages[:-len(LOSS)].strip()


def _ranks(binary: str, made: Dict[str, Optional[str]], folder: str) -> Dict[str, str]:
    """The trace of each rank that these observations have."""
    out = os.path.join(folder, "ranks.csv")
    query = ["SELECT rank, source FROM ranks WHERE rank IS NOT NULL", "--include=^$", "--allow-empty", "--config=none", "--quiet", "-o", out]
    if _run([binary, "sql", *sorted(made), *query], folder)[0]:
        return {}
    with open(out, newline="", encoding="utf-8") as file:
        # What follows the file is its process.
        return {row["rank"]: made.get(row["source"]) or made.get(row["source"].rpartition("; ")[0]) or row["source"] for row in csv.DictReader(file)}


def _merged(binary: str, job: str, bin_: int, made: Dict[str, Optional[str]], options: Sequence[str],
            folder: str, ranks: Sequence[Dict[str, str]] = ()) -> Iterator[Tuple[Any, ...]]:
    """Rows of one part of several files, and of the losses in them. The message of a part is JSON, the trace of each rank in it.

    made has for each file its trace, None for a part: its losses are known, and so are its ranks.
    """
    strict = ["--strict"] if all(made.values()) else []
    status, messages = _merge([binary, "merge", *strict, *options], list(made), folder)
    if status and strict:
        for path, loss in _losses(binary, made, folder):
            yield job, bin_, "issue", path, 0, loss, None
        status, messages = _merge([binary, "merge", *options], list(made), folder)
    if status < 0 or "merged.part: cannot write" in messages:  # the worker's fault
        raise RuntimeError(messages)
    if status:
        found = re.search('rank "(.*)" is also in', messages)
        twice = found[1] if found else ""
        traces = [known[twice] for known in ranks if twice in known]
        if len(traces) > 1:
            messages = "\n".join(['%s: rank "%s" is also in %s' % (traces[1], twice, traces[0]), *messages.splitlines()[1:]])
        yield job, bin_, "error", None, status, messages, None
        return
    out = os.path.join(folder, "merged.part")
    known = {rank: trace for some in ranks or [_ranks(binary, made, folder)] for rank, trace in some.items()}
    with open(out, "rb") as file:
        yield job, bin_, "part", None, 0, json.dumps(known), file.read()
    os.remove(out)


def _worker(level: Any, name: str) -> Any:
    """The function for mapInArrow: level(binary, folder, rows as dictionaries) gives tuples of ROWS; name is the program's file."""
    def batches_of(batches: Any) -> Iterator[Any]:
        import pyarrow
        from pyspark import SparkFiles
        names = ["job", "bin", "kind", "path", "status", "message", "data"]
        types = [pyarrow.string(), pyarrow.int64(), pyarrow.string(), pyarrow.string(), pyarrow.int32(), pyarrow.string(), pyarrow.binary()]
        root = os.path.abspath(SparkFiles.getRootDirectory())  # the application's: what a killed task leaves goes with it
        with tempfile.TemporaryDirectory(dir=root) as folder:
            rows = (row for batch in batches for row in batch.to_pylist())
            for made in level(os.path.abspath(SparkFiles.get(name)), folder, rows):
                arrays = [pyarrow.array([value], type_) for value, type_ in zip(made, types)]
                yield pyarrow.RecordBatch.from_arrays(arrays, names)
    return batches_of


def _plain(uri: str) -> str:
    """The URI as a path."""
    return unquote(uri.split("://", 1)[1].partition("?")[0]) if "://" in uri else uri


def _inside(folder: str, path: str) -> str:
    """A path below the folder for any path or key: "..", long names become other names; different paths stay different."""
    parts = []
    for part in filter(None, path.split("/")):
        part = part.replace("%", "%25")
        if len(part.encode("utf-8", "surrogateescape")) > LONG_NAME:
            digest = hashlib.sha256(part.encode("utf-8", "surrogateescape")).hexdigest()
            part = digest + "_" + part[-16:]
        parts.append(part if part.strip(".") else part.replace(".", "%2e"))
    return os.path.join(folder, *parts)


def _attempt() -> int:
    from pyspark import TaskContext
    context = TaskContext.get()
    return context.attemptNumber() if context else 0


def _open(uri: str) -> Any:
    """The stream of a trace; _Unreadable where its store refuses it."""
    try:
        if "://" not in uri:
            return open(uri, "rb")
        from pyarrow import fs
        system, path = fs.FileSystem.from_uri(uri)
        return _Source(system.open_input_stream(path, compression=None))
    except (OSError, ValueError) as error:
        raise _Unreadable("cannot open: " + _reason(error)) from error


REFUSED = re.compile(r"ACCESS_DENIED|Forbidden|\b40[134]\b|Permission denied|No such file|NO_SUCH|[Nn]ot found|Is a directory|"
                     r"too long|Cannot parse|[Ii]nvalid")


def _export(words: Sequence[str], folder: str, path: str, uri: str) -> Tuple[int, str]:
    """Status and messages of the export of one trace. A store that does not answer is asked again, one that refuses is not."""
    for wait_s in (1, 4, None):
        try:
            source = _open(uri)
            with source.stream if isinstance(source, _Source) else source:
                return _run(words, folder, source)
        except _Unreadable as error:
            if wait_s is None or REFUSED.search(str(error)):
                return 3, "%s: %s" % (path, error)
        time.sleep(wait_s)
    raise AssertionError("the last attempt returns")


def _export_level(options: Sequence[str], merge_options: Sequence[str]) -> Any:
    def level(binary: str, folder: str, rows: Any) -> Iterator[Tuple[Any, ...]]:
        files: Dict[Tuple[str, int], Dict[str, Optional[str]]] = {}
        for row in rows:
            path = row["path"]
            # Ranks may be named by their paths, so those of observations end as those of the traces do.
            out = _inside(os.path.join(folder, "ranks"), _plain(row["uri"])) + ".obs"
            os.makedirs(os.path.dirname(out), exist_ok=True)
            words = [binary, "export", "-", "--input-name=" + path, "--config=none", *options, "--quiet", "-o", out]
            status, messages = _export(words, folder, path, row["uri"])
            if out in messages or (status < 0 and _attempt() < 2):  # the worker's fault: its disk, its memory
                raise RuntimeError(messages)
            if status:
                yield row["job"], row["bin"], "issue", path, status, messages, None
            else:
                files.setdefault((row["job"], row["bin"]), {})[out] = path
        for (job, bin_), made in sorted(files.items()):
            # An op that no rank of this task has may be one of another task.
            yield from _merged(binary, job, bin_, made, [*merge_options, "--allow-empty"], folder)
    return level


def _merge_level() -> Any:
    """Parts of parts. Options of merge are for files of ranks: rows are renamed once."""
    def level(binary: str, folder: str, rows: Any) -> Iterator[Tuple[Any, ...]]:
        files: Dict[Tuple[str, int], Dict[str, Optional[str]]] = {}
        ranks: Dict[Tuple[str, int], List[Dict[str, str]]] = {}
        for number, row in enumerate(rows):
            if row["kind"] != "part":
                yield tuple(row.values())
                continue
            path = os.path.join(folder, "%d.part" % number)
            with open(path, "wb") as file:
                file.write(row["data"])
            key = row["job"], row["bin"] // FAN
            files.setdefault(key, {})[path] = None
            ranks.setdefault(key, []).append(json.loads(row["message"]))
        for (job, bin_), made in sorted(files.items()):
            yield from _merged(binary, job, bin_, made, (), folder, ranks[job, bin_])
    return level


# What runs on the driver.

# What to do, by the path and the store's words.
HINTS = (
    ("^abfss?://", "Azure's stores are not read: mount them, or copy to s3, gs, hdfs or a file system"),
    ("Unrecognized filesystem type", "file, s3 (also s3a), gs and hdfs are read"),
    ("ACCESS_DENIED|Forbidden|403", "the credentials are those that the store finds on the machine; s3://anonymous@BUCKET/KEY asks without any"),
    ("NETWORK_CONNECTION|[Cc]ould not connect|[Tt]imed out", "another store than Amazon's: s3://BUCKET/KEY?endpoint_override=HOST:PORT&scheme=http"),
)


def _listed(paths: Paths) -> List[Tuple[str, str, int]]:
    """(path as the user says it, URI or absolute path, size) of each file; contents are not read."""
    found = []
    for given in paths_of(paths, "paths"):
        try:
            found += _listed_one(given)
        except (OSError, ValueError, NotImplementedError) as error:
            reason = _reason(error)
            hints = [hint for pattern, hint in HINTS if re.search(pattern, "%s %s" % (given, reason))]
            raise Error("%s: cannot open: %s" % (given, reason), hints[0] if hints else None) from error
    if not found:
        raise Error("no file in %s" % ", ".join(paths_of(paths, "paths")))
    return sorted(set(found))


def _listed_one(given: str) -> List[Tuple[str, str, int]]:
    """The files of one path or URI, in which blanks and the like may stand as they are; a percent sign, too, where it is no escape of a name that exists."""
    if "://" in given and "%" in given:
        try:
            return _listed_as(given, True)
        except (FileNotFoundError, ValueError):
            return _listed_as(given, False)
    return _listed_as(given, True)


def _listed_as(given: str, escaped: bool) -> List[Tuple[str, str, int]]:
    from pyarrow import fs
    given = re.sub("^s3[an]://", "s3://", given)  # Hadoop's names
    if "://" not in given:
        base, mark, query, start = given, "", "", ""
        system, inner = fs.LocalFileSystem(), os.path.abspath(given).rstrip("/")
    else:
        base, mark, query = given.partition("?")
        scheme, _, rest = base.partition("://")
        host, slash, key = rest.partition("/")
        system, inner = fs.FileSystem.from_uri(scheme + "://" + host + slash + quote(key, safe="/:@!$&'()*+,;=~" + "%" * escaped) + mark + query)
        inner = inner.rstrip("/")
        # s3://BUCKET/KEY is BUCKET/KEY in its file system, hdfs://HOST/PATH is /PATH.
        plain = (unquote(base) if escaped else base).rstrip("/")
        if not inner or not plain.endswith(inner):
            raise ValueError("its path is %s: write it so" % (inner or "/"))
        start = plain[:-len(inner)]
    found = []
    info = system.get_file_info(inner)
    if info.type == fs.FileType.NotFound:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    entries = [info]
    if info.type == fs.FileType.Directory:
        entries = system.get_file_info(fs.FileSelector(inner, recursive=True))
    for entry in entries:
        rest = entry.path[len(inner):]
        if entry.type == fs.FileType.File and not re.search(r"/(?!\.\.?/)[._]", rest):
            uri = start + quote(entry.path) + mark + query if start else entry.path
            found.append((base.rstrip("/") + rest if rest else base, uri, entry.size or 0))
    return found


def _jobs(files: Sequence[Tuple[str, str, int]], regex: Optional[str]) -> List[str]:
    """The job of each file: what the regular expression captures of its path, else its folder."""
    if regex is not None:
        matches = [re.search(regex, path) for path, _, _ in files]
        for (path, _, _), match in zip(files, matches):
            if match is None:
                raise Error("%s: --job=%s does not match" % (path, regex))
        names = [match.group(match.re.groups and 1) or "" for match in matches if match]
    else:
        folders = [os.path.dirname(_plain(uri)) for _, uri, _ in files]
        above = os.path.dirname(folders[0]) if len(set(folders)) == 1 else os.path.commonpath(folders)
        names = [os.path.relpath(folder, above) if folder != above else os.path.basename(folder) for folder in folders]
    safe = [name.replace("/", "_").lstrip(".") or "job" for name in names]
    if len(set(safe)) != len(set(names)):
        raise Error("two jobs would have one name", "name them: --job=REGEX")
    return safe


def _bins(files: Sequence[Tuple[str, str, int]], jobs: Sequence[str], count: int) -> List[List[Tuple[str, int, str, str]]]:
    """As many bins of about the same size: the largest file first, each into the smallest bin."""
    heap = [(0, number) for number in range(count)]
    bins: List[List[Tuple[str, int, str, str]]] = [[] for _ in range(count)]
    # A trace costs something even if it is small, so that bins of small ones have about as many.
    for (path, uri, size), job in sorted(zip(files, jobs), key=lambda file: (-file[0][2], file[0])):
        total, number = heapq.heappop(heap)
        bins[number].append((job, number, path, uri))
        heapq.heappush(heap, (total + size + CHUNK, number))
    return bins


def _rows(session: Any, bins: Sequence[Any], export_options: Sequence[str], merge_options: Sequence[str]) -> Iterator[Any]:
    """The rows of the last level of the tree, one partition after the other."""
    from pyspark import cloudpickle
    from pyspark.sql import functions
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    session.sparkContext.addFile(os.path.abspath(program()))
    name = os.path.basename(program())
    setting = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = session.conf.get(setting)
    session.conf.set(setting, "1")  # one part in memory
    try:
        spread = session.sparkContext.parallelize(list(bins), len(bins)).flatMap(lambda files: files)
        frame = session.createDataFrame(spread, FILES).mapInArrow(_worker(_export_level(export_options, merge_options), name), ROWS)
        # The iterator runs one partition after the other, so the tree ends in one: what is below runs in parallel.
        count = len(bins)
        while count > 1:
            count = -(-count // FAN)
            key = (functions.col("bin") / FAN).cast("long")
            frame = frame.repartition(count, key).mapInArrow(_worker(_merge_level(), name), ROWS)
        yield from frame.toLocalIterator()
    finally:
        session.conf.set(setting, before)


def _write(folder: str, issues: List[Dict[str, Any]], words: Sequence[str]) -> None:
    """Everything that the folder holds beside the parts."""
    import pyarrow
    from pyarrow import parquet
    jobs = sorted(name[:-len(".part")] for name in os.listdir(folder))
    with open(os.path.join(folder, "issues.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["job", "path", "status", "message"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(issues)
    types = [("job", pyarrow.string()), ("path", pyarrow.string()), ("status", pyarrow.int32()), ("message", pyarrow.string())]
    os.mkdir(os.path.join(folder, "tables"))
    parquet.write_table(pyarrow.Table.from_pylist(issues, pyarrow.schema(types)), os.path.join(folder, "tables", "inputs.parquet"))
    # Runs are called as their files, options of outputs are relative to the folder.
    run(["report", *words, "--quiet", "-o", "ops.csv", "-o", "report.json", "-o", "report.html", "--", *(job + ".part" for job in jobs)],
        folder=folder)
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        made = Report(json.load(file), [], 0)
    for name in made.tables:
        parquet.write_table(made.to_arrow(name), os.path.join(folder, "tables", name + ".parquet"))


def report(session: Any, paths: Paths, out: str, words: Sequence[str] = (), *, job: Optional[str] = None, partitions: Optional[int] = None,
           export_options: Sequence[str] = (), merge_options: Sequence[str] = ()) -> Result:
    """Writes the folder: ops.csv, report.json, report.html, a .part for each job, tables/*.parquet, issues.csv; whole or not at all.

    paths are files and folders, or URIs of them; words are options of `stepstat report`. job is a regular expression whose
    first group names a trace's job (else its folder does). Raises Error where nothing can be reported.
    """
    out = os.path.abspath(out)
    for option in merge_options:
        if re.match(r"--(warmup|kind)|--steps=.*@", option):
            raise Error("--merge: %s needs the steps of the whole job, and a task has some of its ranks" % option,
                        "make the report without it, then give the numbers: --merge=--steps=A:B")
    if os.path.exists(out):
        raise Error("%s: exists already" % out)
    files = _listed(paths)
    jobs = _jobs(files, job)
    if partitions is None:
        total = sum(size for _, _, size in files)
        partitions = min(len(files), max(4 * session.sparkContext.defaultParallelism, total // TASK_BYTES))
    os.makedirs(os.path.dirname(out), exist_ok=True)
    work = tempfile.mkdtemp(prefix=os.path.basename(out) + ".", suffix=".tmp", dir=os.path.dirname(out))
    made = os.path.join(work, "made")  # with the permissions of a folder that is made
    try:
        os.mkdir(made)
        issues: List[Dict[str, Any]] = []
        for row in _rows(session, _bins(files, jobs, partitions), export_options, merge_options):
            if row.kind == "error":
                raise Error("job %s: %s" % (row.job, row.message), None, row.status)
            if row.kind == "issue":
                issues.append({"job": row.job, "path": row.path, "status": row.status, "message": row.message})
                continue
            with open(os.path.join(made, row.job + ".part"), "xb") as part:  # one of each job
                part.write(row.data)
        issues.sort(key=lambda issue: (issue["job"], issue["path"]))
        if not os.listdir(made):
            raise Error("none of %d traces can be used:\n%s" % (len(files), "\n".join(issue["message"] for issue in issues[:9])))
        _write(made, issues, words)
        os.rename(made, out)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Result(out, issues)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stepstat.spark", allow_abbrev=False,
                                     description="The report of many ranks, made on a Spark cluster. "
                                     "Other options are those of stepstat report.")
    parser.add_argument("traces", nargs="+", help="files and folders, or their URIs (file, s3, gs, hdfs)")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write; it appears when it is complete")
    parser.add_argument("--job", metavar="REGEX", help="what it captures of a path is the job (default: its folder)")
    parser.add_argument("--partitions", type=int, metavar="N", help="the number of tasks (default: by the sizes of the traces)")
    parser.add_argument("--export", action="append", default=[], metavar="OPTION",
                        help="an option for stepstat export (repeatable): --export=--from=chrome")
    parser.add_argument("--merge", action="append", default=[], metavar="OPTION",
                        help="an option for stepstat merge (repeatable): --merge=--steps=10:99")
    parser.add_argument("--strict", action="store_true", help="exit status 3 when a trace could not be used as it should be")
    options, words = parser.parse_known_args(arguments)
    from pyspark.sql import SparkSession
    session = SparkSession.builder.appName("stepstat").getOrCreate()
    try:
        made = report(session, options.traces, options.out, words, job=options.job, partitions=options.partitions,
                      export_options=options.export, merge_options=options.merge)
    except Error as error:
        print("stepstat: %s" % error, file=sys.stderr)
        return error.status if error.status > 0 else 3
    finally:
        session.stop()
    for issue in made.issues:
        print("stepstat: %s" % issue["message"], file=sys.stderr)
    print(made.out)
    return 3 if options.strict and made.issues else 0


if __name__ == "__main__":
    # Workers get functions of the module, not of the program that was started.
    from stepstat import spark
    sys.exit(spark.main())
