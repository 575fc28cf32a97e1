"""Damaged traces and tables through the commands of the program, as a user types them.

usage: fuzz_commands.py TOP [SECONDS [SEED]]

Takes files of tests/robust.list, changes each in several ways (bytes, numbers, names, whole events), and runs a command with
options chosen at random on it. A run must end with a status that the manual names and with a report or a message; the
sanitizers must not speak; no temporary file may stay. What breaks a rule is kept with its command line.
Meant for a build with --enable-sanitizers; TAP on standard output.
"""
import gzip
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

NUMBERS = ["0", "-1", "1e400", "-1e400", "null", "{}", "[]", '""', "9223372036854775807", "9223372036854775808",
           "-9223372036854775808", "18446744073709551616", "0.0000001", "1e-400", "NaN", "Infinity", "true", '"x"',
           "4294967296", "1e18", "123456789012345678901234567890"]
TEXTS = ["\0", "\n", "\r\n", "\t", ",", '"', '\\"', "\\u0000", "\\ud800", "::error::x", "=1+1", "\u2028", "\u200b", "\x1b[31m",
         "\ufeff", "..", "/", "%s%n", "`", "|", "<b>", "-", "{", "}", "[", "]", "x" * 5000]
REPORT = ["--by=type", "--by=class", "--by=device", "--by=scope:2", "--by=launcher", "--by=phase", "--value=total", "--per=call", "--warmup=auto",
          "--top=all", "--top=3", "--absent=skip", "--kind=1", "--steps=1:3", "--per-run", "--to=md", "--to=csv",
          "--to=json", "--strict", "--sort=cv", "--min-share=1%", "--stats=mean,cv,p95,max", "--cv=population",
          "--step-marker=Step|run|train", "--window=0ms:5ms", "--name={name}", "--include=.", "--exclude=^a",
          "--measures=time,calls", "--explain-inputs"]
COMPARE = ["--method=welch", "--method=ranksum", "--method=limma", "--run-cv=2%", "--match=nearest", "--match=type+shape",
           "--by=class", "--to=md", "--to=csv", "--to=json", "--margin=5%", "--explain=."]
# Command, options, statuses that the manual names.
COMMANDS = [
    (["report", "IN"], REPORT, {0, 2, 3}),
    (["report", "IN", "WHOLE"], REPORT, {0, 2, 3}),
    (["compare", "WHOLE", "IN"], COMPARE, {0, 2, 3}),
    (["compare", "IN", "WHOLE"], COMPARE, {0, 2, 3}),
    (["gate", "WHOLE", "IN"], [word for word in COMPARE if "--match" not in word] + ["--self-test", "-o", "OUT.xml"], {0, 1, 2, 3, 4, 5}),
    (["timeline", "merge", "IN", "WHOLE", "-o", "OUT.json"], ["--max-size=20KB", "--align=step", "--top=5"], {0, 2, 3}),
    (["timeline", "mean", "IN", "-o", "OUT.json"], ["--warmup=auto"], {0, 2, 3}),
    (["events", "IN"], ["--to=csv", "--to=ndjson", "--layout=flat", "--name={name}"], {0, 2, 3}),
    (["export", "IN", "-o", "OUT.obs"], ["--warmup=auto", "--per=call"], {0, 2, 3}),
    (["export", "IN", "-o", "OUT.csv"], ["--events", "--shape=wide"], {0, 2, 3}),
    (["export", "IN", "-o", "OUT.sqlite"], ["--events"], {0, 2, 3}),
    (["sql", "IN", "SELECT op, count(*), avg(value) FROM obs GROUP BY op ORDER BY 1 LIMIT 5"], [], {0, 2, 3}),
    (["ops", "IN"], ["--include=.", "--by=type"], {0, 2, 3}),
]


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        return f.read()


def change(data, other, rng):
    """One change of the bytes; `other` is another file of the list."""
    if not data:
        return data
    at = rng.randrange(len(data))
    how = rng.randrange(9)
    if how == 0:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
    if how == 1:
        return data[:at]
    if how == 2:
        return data[:at] + data[at + rng.randrange(1, 400):]
    if how == 3:
        return data[:at] + rng.choice(TEXTS).encode() + data[at:]
    if how in (4, 5):  # a number
        found = list(re.finditer(rb"(?<=[:,\[ ])-?\d+(\.\d+)?", data[at:at + 4000]))
        if found:
            m = rng.choice(found)
            return data[:at + m.start()] + rng.choice(NUMBERS).encode() + data[at + m.end():]
        return data
    if how in (6, 7):  # whole lines or events: twice, or at another place
        end = data.find(b"}", at) + 1 or data.find(b"\n", at) + 1 or len(data)
        start = max(data.rfind(b"{", 0, at), data.rfind(b"\n", 0, at), 0)
        piece, to = data[start:end], rng.randrange(len(data))
        glue = b"," if piece[:1] == b"{" else b""
        return data[:to] + (piece + glue) * rng.choice([1, 1, 1, 50]) + data[to:]
    start = rng.randrange(len(other)) if other else 0
    return data[:at] + other[start:start + rng.randrange(1, 3000)] + data[at:]


def wrong(command, status, out, err, good, folder, before):
    """What a run did that no run may do; None: nothing."""
    if b"Sanitizer" in err or b"runtime error:" in err:
        return "a sanitizer spoke"
    if status not in good:
        return "status %d" % status
    if status in (2, 3) and not (b"stepstat: " in err or re.search(rb"unusable: |could not have gone red", out)):
        return "status %d without a message" % status
    if status == 0 and not out and not any(w.startswith("OUT") for w in command):
        return "status 0 without output"
    left = {n for n in os.listdir(folder) if n not in before and not n.startswith("OUT")}
    if left:
        return "left behind: %s" % ", ".join(sorted(left))
    return None


def one(files, rng, folder):
    name = rng.choice(sorted(files))
    data = files[name]
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        data = change(data, files[rng.choice(sorted(files))], rng)
    ending = name.replace(".gz", "").rsplit(".", 1)
    ending = "." + ending[1] if len(ending) == 2 and "/" not in ending[1] else ""
    with open(os.path.join(folder, "IN" + ending), "wb") as f:
        f.write(gzip.compress(data, 1) if rng.randrange(8) == 0 else data)
    with open(os.path.join(folder, "WHOLE" + ending), "wb") as f:
        f.write(files[name])
    words, options, good = rng.choice(COMMANDS)
    command = [w + ending if w in ("IN", "WHOLE") else w for w in words]
    command += rng.sample(options, min(len(options), rng.choice([0, 1, 1, 2, 3])))
    if "-o" in command[-1:]:
        command.append("OUT.xml")
    before = set(os.listdir(folder))
    try:
        run = subprocess.run(["stepstat"] + command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return command, "60 seconds", b""
    return command, wrong(command, run.returncode, run.stdout, run.stderr, good, folder, before), run.stderr


def main(top, seconds=60, seed=None):
    seed = int(seed) if seed is not None else int(time.time())
    rng = random.Random(seed)
    with open(os.path.join(top, "tests/robust.list"), encoding="utf-8") as f:
        names = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    files = {n: d for n in names if len(d := read(os.path.join(top, n))) < 400000}
    keep = "fuzz-commands-found"
    runs = bad = 0
    end = time.monotonic() + float(seconds)
    statuses = {}
    while time.monotonic() < end:
        folder = tempfile.mkdtemp()
        command, problem, err = one(files, rng, folder)
        runs += 1
        statuses[command[0]] = statuses.get(command[0], 0) + 1
        if problem:
            bad += 1
            place = os.path.join(keep, "%d-%d" % (seed, runs))
            shutil.copytree(folder, place, dirs_exist_ok=True)
            with open(os.path.join(place, "command"), "w", encoding="utf-8") as f:
                f.write("stepstat " + " ".join("'%s'" % w for w in command) + "\n# " + problem + "\n")
            print("# %s: %s: stepstat %s" % (place, problem, " ".join(command)))
            for line in err.decode("utf-8", "replace").splitlines()[:3]:
                print("#   " + line[:200])
        shutil.rmtree(folder)
    print("# seed %d, %d runs: %s" % (seed, runs, ", ".join("%s %d" % s for s in sorted(statuses.items()))))
    print("%s 1 - damaged inputs through every command" % ("not ok" if bad or not runs else "ok"))
    print("1..1")
    return 1 if bad or not runs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
