"""Failing input and output: each place from which a command line reaches files fails once (fail_calls.c, loaded before the C library).

usage: faults.py PROGRAM LIBRARY TOP [--every=N] [NAME...]

What must hold: EINTR and transfers of a part change nothing; every other failure ends with status 3 and a message that names the file
and the reason. Then no temporary file is left, and each output is the old one or the new one, whole. --every=N: only each N-th failure.
"""
import collections
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

EINTR, EIO, ENOSPC = 4, 5, 28
REASONS = {EIO: "Input/output error", ENOSPC: "No space left on device"}
SURVIVED = (EINTR, "short")
FAULTS = {
    "open": (EIO, EINTR), "opendir": (EIO,), "create": (ENOSPC, EINTR), "read": (EIO, EINTR, "short"), "write": (ENOSPC, EINTR, "short"),
    "fsync": (EIO, EINTR), "rename": (EIO,), "exchange": (EIO,), "mkdir": (ENOSPC,), "close": (EIO, EINTR), "close-read": (EIO, EINTR),
    "fread": (EIO,), "fwrite": (ENOSPC,), "fflush": (ENOSPC,), "fopen": (EIO,), "tmpfile": (ENOSPC,),
}
# What SQLite says instead.
SQLITE = ("disk I/O error", "database or disk is full", "attempt to write a readonly database", "database disk image is malformed")
OLD = b"what was there before\n"

# name: words; files that are written; what standard input is (None: nothing).
Line = collections.namedtuple("Line", "words outputs stdin status", defaults=((), None, 0))
LINES = {
    "text": Line("report in/dump"),
    "files": Line("report in/dump --quiet -o out/a.csv -o out/a.md -o out/a.json -o out/a.txt", ("a.csv", "a.md", "a.json", "a.txt")),
    "page": Line("report in/dump --quiet -o out/a.html", ("a.html",)),
    "workbook": Line("report in/dump --quiet --config=in/values.yaml -o out/a.xlsx", ("a.xlsx",)),
    "folder": Line("report in/dump --quiet -o out/a/", ("a/",)),
    "pipe": Line("report - --input-name=dump --to=csv", (), "in/dump"),
    "packed": Line("report in/torch.json.gz --to=json"),
    "xplane": Line("report in/jax.xplane.pb.gz --quiet -o out/a.csv", ("a.csv",)),
    "database": Line("report in/nsight.sqlite.gz --quiet -o out/a.csv", ("a.csv",)),
    "rules": Line("report in/dump --rules=in/rules.yaml --quiet -o out/a.csv", ("a.csv",)),
    "runs": Line("report in/runs --config=in/jobs.yaml --quiet -o out/a.csv", ("a.csv",)),
    "compare": Line("compare in/base in/new --config=in/jobs.yaml --quiet -o out/a.html -o out/a.md", ("a.html", "a.md")),
    "gate": Line("gate in/base in/new --config=in/jobs.yaml --quiet -o out/a.xml -o out/a.json", ("a.xml", "a.json"), None, 1),
    "obs": Line("export in/dump -o out/a.obs", ("a.obs",)),
    "parquet": Line("export in/torch.json.gz -o out/a.parquet", ("a.parquet",)),
    "tables": Line("export in/dump -o out/a.sqlite", ("a.sqlite",)),
    "csv": Line("export in/dump --to=csv"),
    "events": Line("events in/torch.json.gz -o out/a.csv", ("a.csv",)),
    "sql": Line("sql in/dump 'select count(*) from obs' -o out/a.csv", ("a.csv",)),
    "queries": Line("sql in/dump", (), "in/query"),
    "merge": Line("merge in/ranks --config=in/jobs.yaml -o out/a.part", ("a.part",)),
    "parts": Line("merge in/parts --config=in/jobs.yaml -o out/b.part", ("b.part",)),
    "timeline": Line("timeline generate in/meta -o out/a.json.gz", ("a.json.gz",)),
    "merged": Line("timeline merge in/torch.json.gz in/torch.json.gz -o out/a.json", ("a.json",)),
    "config": Line("config --config=in/stepstat.yaml"),
    "perfetto": Line("report in/any.pftrace --step-marker=step --quiet -o out/a.csv", ("a.csv",)),
    "audit": Line("audit in/torch.json.gz"),
    "ops": Line("ops in/dump"),
    "tfprof": Line("tfprof --profile_path=in/dump", (), "in/words"),
    "follow": Line("report in/base --follow -o out/a.csv", ("a.csv",), None, -signal.SIGINT),
}
number = failed = 0


def check(name, wrong):
    global number, failed
    number += 1
    failed += bool(wrong)
    for line in wrong[:20]:
        print("# " + line)
    print("%s %d - %s" % ("not ok" if wrong else "ok", number, name), flush=True)


class Outcome:
    """How a command line ended: status, what it wrote where, calls."""


class Place:
    """A folder with inputs, and an output folder that is as before for each run."""

    def __init__(self, program, library, top):
        self.program, self.library = os.path.abspath(program), os.path.abspath(library)
        self.root = tempfile.mkdtemp(prefix="faults-")
        os.chdir(self.root)
        os.mkdir("in")
        os.mkdir("tmp")
        for name, path in (("dump", "tests/data/golden/train"), ("torch.json.gz", "tests/data/kineto/mlp-base-r2.json.gz"),
                           ("jax.xplane.pb.gz", "tests/data/xplane/jax-mlp-base-r1.xplane.pb.gz"), ("nsight.sqlite.gz", "tests/data/nsight/steps.sqlite.gz"),
                           ("table.parquet", "tests/data/parquet/duckdb.parquet"), ("any.pftrace", "tests/data/pftrace/atrace.pftrace"),
                           ("runs", "tests/data/golden/runs"), ("base", "examples/ci/base"), ("new", "examples/ci/new"),
                           ("ranks", "tests/data/ranks/gloo/run1"), ("meta", "tests/data/tfprof-cli/synth/run_meta_0")):
            source = os.path.join(top, path)
            (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, "in/" + name)
        for name, text in (("rules.yaml", "rename: ['s#^#x/#']\n"), ("stepstat.yaml", "report:\n  top: 3\n"), ("jobs.yaml", "report: {jobs: 1}\n"),
                           ("values.yaml", "report: {sheets: values}\n"), ("words", "scope -max_depth 3\n"),
                           ("query", "select count(*) from obs;\n")):
            with open("in/" + name, "w") as file:
                file.write(text)
        os.mkdir("in/parts")
        for rank in "01":
            subprocess.run([self.program, "merge", "in/ranks/rank%s.json.gz" % rank, "-o", "in/parts/%s.part" % rank], check=True)

    def run(self, line, fault=None):
        shutil.rmtree("out", ignore_errors=True)
        os.mkdir("out")
        for name in line.outputs:
            if name.endswith("/"):
                os.mkdir("out/" + name)
            with open("out/" + name + ("ops.csv" if name.endswith("/") else ""), "wb") as file:
                file.write(OLD)
        env = {"PATH": os.environ["PATH"], "HOME": self.root, "LC_ALL": "C.UTF-8", "TMPDIR": os.path.join(self.root, "tmp"),
               "LD_PRELOAD": self.library, "FAULT_LOG": os.path.join(self.root, "log")}
        if fault:
            env["FAULT"] = "%s:%s:%s" % fault
        open("log", "w").close()
        with open(line.stdin or os.devnull, "rb") as stdin, open("shown", "wb") as shown, open("said", "wb") as said:
            process = subprocess.Popen([self.program, *words_of(line.words)], stdin=stdin, stdout=shown, stderr=said, env=env)
            if "--follow" in line.words:
                try:
                    process.wait(0.4)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGINT)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        outcome = Outcome()
        outcome.status = process.returncode
        outcome.files = {}
        for folder, _, names in os.walk("out"):
            for name in names:
                path = os.path.join(folder, name)
                outcome.files[path] = open(path, "rb").read()
        outcome.temporary = os.listdir("tmp")
        outcome.shown = open("shown", "rb").read()
        outcome.said = open("said", "rb").read().decode("utf-8", "replace")
        outcome.calls = [call.split(" ", 5) for call in open("log", errors="replace").read().splitlines()]
        return outcome


def words_of(text):
    import shlex
    return shlex.split(text)


def sites(place, good):
    """The places from which the command line reaches files that are its own: {(kind, site): path}."""
    found = {}
    for kind, site, result, _, _, path in good.calls:
        if int(result) < 0 or kind not in FAULTS:
            continue
        if not path or path.startswith(("/proc", "/sys", "/etc", "/usr", "/lib", "/dev", "/root", "/memfd", "pipe:")) or path == os.path.join(place.root, "said"):
            continue
        found.setdefault((kind, site), path)
    return found


def names_of(path, line):
    """By which names a message may call the file."""
    names = set()
    for part in path.split("\t"):
        base = os.path.basename(part.rstrip("/").replace(" (deleted)", ""))
        base = re.sub(r"^\.(.*)\.tmp-[a-z0-9]+$", r"\1", base)
        names.add(base)
    if path.endswith("/shown"):
        names = {"standard output"}
    if line.stdin and path.endswith(line.stdin):
        names = {"standard input", "dump"}
    if "/tmp" in path or "deleted" in path:  # made for this file
        names |= {"tmp"} | set(line.outputs) | {word for word in line.words.split() if word.startswith("in/")}
    return names


def is_harmless(line, bad, kind, path):
    """True if nothing is lost: what was only read, what is synced later, what is looked for to be cleared away, and what is done another way."""
    if kind == "close":
        at = next(i for i, call in enumerate(bad.calls) if call[3] != "0")
        return ".tmp-" not in os.path.basename(path) or any(call[0] == "fsync" and call[5] == path for call in bad.calls[at:])
    if kind == "opendir":  # what is to be cleared away; a look at what may be a recording in several files, before it is listed
        return os.path.basename(path.rstrip("/")) in ("out", ".") or any(call[0] == kind and call[5] == path and call[2] == "0" for call in bad.calls)
    if kind in ("open", "read") and "sql" in line.words.split():  # whether there is a table of events, should a query name it
        return True
    if kind in ("open", "read"):  # a look that is not the only one
        at = next(i for i, call in enumerate(bad.calls) if call[3] != "0")
        return any(call[0] == "read" and int(call[2]) > 0 and call[5].endswith(path.lstrip(".")) for call in bad.calls[at + 1:])
    return kind in ("close-read", "exchange") or (kind == "create" and os.path.basename(path) == "tmp") or (kind == "fwrite" and not bad.shown)


def judge(line, good, bad, kind, fault, path):
    """What is wrong with the outcome."""
    wrong = []
    harmless = is_harmless(line, bad, kind, path)
    where = bad.said + bad.shown.decode("utf-8", "replace") + "".join(data.decode("utf-8", "replace") for data in bad.files.values())
    # One of the files of a folder: a loss that is said by name.
    in_folder = "/in/" in os.path.abspath(path) and os.path.dirname(os.path.abspath(path)) != os.path.abspath("in")
    lost = kind in ("open", "read", "opendir") and fault == EIO and in_folder and os.path.basename(path) in where
    extra = sorted(set(bad.files) - set(good.files) - {"out/" + name + "ops.csv" for name in line.outputs if name.endswith("/")})
    # The old folder, after both changed their names, cannot be listed.
    if extra and kind == "open" and fault == EIO and bad.status == good.status and all(os.path.basename(os.path.dirname(name)).startswith(".a.tmp-") for name in extra):
        extra, bad.files = [], {name: data for name, data in bad.files.items() if name not in extra}
        harmless = True
    if extra or bad.temporary:
        wrong.append("left: %s" % (extra + bad.temporary))
    for name, data in good.files.items():
        have = bad.files.get(name)
        if have not in (data, OLD) and not lost and not (have is None and "/a/" in name):
            wrong.append("%s is neither the old nor the new one: %r" % (name, have if have is None else have[:60]))
    if not wrong and bad.status == good.status and bad.shown == good.shown and bad.files == good.files:
        if fault in SURVIVED or harmless or "--follow" in line.words:  # which tries again
            return []
        return ["status %d, as if nothing had failed: %s" % (bad.status, bad.said[:200])]
    if "--follow" in line.words:  # it says so and goes on; what was written before stays
        return wrong if fault in SURVIVED or bad.shown != good.shown or bad.said else ["silent"]
    if fault in SURVIVED or (harmless and kind not in ("open", "read") and bad.status != 3):
        return wrong + ["status %d, expected what it says without: %s" % (bad.status, bad.said[:200])]
    if lost:
        return wrong
    if bad.status == good.status and "tfprof" in line.words and "the profile was not read" in bad.said:
        return wrong  # TensorFlow's words and status
    if bad.status != 3 and not (bad.status == 2 and path.endswith(".yaml")):
        wrong.append("status %d: %s" % (bad.status, bad.said[:200]))
    elif not any(reason in bad.said for reason in (REASONS[fault], *(SQLITE if "sqlite" in line.words else ()))):
        wrong.append("no reason: %s" % bad.said[:300])
    elif not any(name in bad.said for name in names_of(path, line)):
        wrong.append("no name: %s" % bad.said[:300])
    return wrong


def main():
    words = sys.argv[1:]
    every = 1
    for word in list(words):
        if word.startswith("--every="):
            every = int(word.split("=")[1])
            words.remove(word)
    program, library, top = words[:3]
    place = Place(program, library, os.path.abspath(top))
    turn = 0
    try:
        for name, line in LINES.items():
            if words[3:] and name not in words[3:]:
                continue
            good = place.run(line)
            wrong, count, absent = [], 0, 0
            if good.status != line.status or any(data == OLD for data in good.files.values()):
                check(name, ["without a failure: status %d: %s" % (good.status, good.said)])
                continue
            for (kind, site), path in sites(place, good).items():
                for fault in FAULTS[kind]:
                    turn += 1
                    if turn % every:
                        continue
                    bad = place.run(line, (kind, site, fault))
                    count += 1
                    path = next((call[5] for call in bad.calls if call[3] != "0"), None)
                    if path is None:  # threads took another turn
                        absent += 1
                        continue
                    wrong += ["%s of %s, %s (%s): %s" % (kind, path.replace(place.root, "."), fault, site, said)
                              for said in judge(line, good, bad, kind, fault, path)]
            if absent > count / 10:
                wrong.append("%d of %d failures did not come" % (absent, count))
            check("%s: %d failures" % (name, count - absent), wrong)
    finally:
        os.chdir("/")
        shutil.rmtree(place.root)
    print("1..%d" % number)
    sys.exit(failed > 0)


main()
