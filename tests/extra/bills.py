"""Small files with large bills: each shape below is packed into at most 100 KB, and a report of it takes at most 2 s of CPU time and 300 MB.

usage: bills.py STEPSTAT [SHAPE...]     LIMIT_SECONDS and LIMIT_MB change the bounds
"""
import gzip
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from recordings import field  # noqa: E402

STEPSTAT = os.path.abspath(sys.argv[1])
SECONDS = float(os.environ.get("LIMIT_SECONDS", "2"))
MEGABYTES = float(os.environ.get("LIMIT_MB", "300"))
LONG = "run,step,op,measure,value,unit\n"
RANKS = "run,rank,group,step,op,measure,value,unit\n"


def slices(n, sequence, track):
    """Slices of a Perfetto trace, each on a sequence and a track of its own, if asked."""
    out = []
    for i in range(n):
        own = field(10, i + 1 if sequence else 1)
        where = field(11, i + 10 if track else 7)
        if track:
            out.append(field(1, field(8, 1000 + i * 10) + own + field(60, field(1, i + 10) + field(2, b"t"))))
        out.append(field(1, field(8, 1000 + i * 10) + own + field(11, field(9, 1) + field(23, b"op") + where)))
        out.append(field(1, field(8, 1005 + i * 10) + own + field(11, field(9, 2) + where)))
    return b"".join(out)


def interned(n):
    """Slices of a Perfetto trace, each on a sequence that has names of its own."""
    names = field(12, field(2, field(1, 1) + field(2, b"op")))
    return b"".join(field(1, field(8, 1000 + i * 10) + field(10, i + 1) + field(13, 1) + names + field(11, field(9, 1) + field(10, 1) + field(11, 7))) +
                    field(1, field(8, 1005 + i * 10) + field(10, i + 1) + field(11, field(9, 2) + field(11, 7))) for i in range(n))


def table(head, rows):
    return (head + "".join(row + "\n" for row in rows)).encode()


def named(n, name, more=""):
    return table("run,step,op,cpu_us\n", (f'r,1,"{name}{k}{more}",5' for k in range(n)))


def exported(suffix, data):
    """The observations of a table as a file of the program's, names beyond max-names included."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "x.csv"), "wb") as file:
            file.write(data)
        subprocess.run([STEPSTAT, "export", "x.csv", "--quiet", "--config=/dev/stdin", "-o", "x" + suffix], cwd=folder, check=True,
                       input=b"report: {max-names: 1GiB}")
        with open(os.path.join(folder, "x" + suffix), "rb") as file:
            return file.read()


# Shape: the file's suffix, its bytes for a size n, the largest n, arguments.
SHAPES = {
    "ops in steps of their own": (".csv", lambda n: table(LONG, (f"r,{s},op{s // 2},cpu,5,us" for s in range(n))), 100000, []),
    "ops in steps of their own, compared with itself": (".csv", lambda n: table(LONG, (f"r,{s},op{s // 2},cpu,5,us" for s in range(n))), 100000, ["compare"]),
    "ops in runs of their own": (".csv", lambda n: table(LONG, (f"r{s},1,op{s // 2},cpu,5,us" for s in range(n))), 8000, []),
    "ops in ranks of their own": (".csv", lambda n: table(RANKS, (f"r,{s},g,1,op{s // 2},cpu,5,us" for s in range(n))), 8000, []),
    "groups": (".csv", lambda n: table(RANKS, (f"r,{s},g{s},1,op,cpu,5,us" for s in range(n))), 32000, []),
    "devices": (".csv", lambda n: table(LONG, [f"r,1,,gpu:{s}_compute,5,us" for s in range(n)] + ["r,1,op,cpu,5,us"]), 32000, []),
    "facts": (".csv", lambda n: table(LONG, [f",,,fact,x{s} 1 x y," for s in range(n)] + ["r,1,op,cpu,5,us"]), 32000, []),
    "deep names": (".csv", lambda n: named(n, "/".join("a" * 30000)), 900, []),
    "deep names, totals": (".csv", lambda n: named(n, "/".join("a" * 1000)), 900, ["--value=total"]),
    "long names": (".csv", lambda n: named(n, "x" * 60000), 900, []),
    "long names in a page": (".csv", lambda n: named(n, "x" * 60000), 900, ["--to=html"]),
    "long names of control characters": (".csv", lambda n: named(n, "\x01" * 60000), 900, []),
    "long names of control characters in a page": (".csv", lambda n: named(n, "\x01" * 60000), 900, ["--to=html"]),
    "long names in JSON": (".csv", lambda n: named(n, "x" * 60000), 900, ["--to=json"]),
    "long names of wide characters": (".csv", lambda n: named(n, "\u00e9" * 30000), 900, []),
    "long names of marks": (".csv", lambda n: named(n, "\u0301" * 30000), 900, []),
    "long names of templates": (".csv", lambda n: named(n, "void f<" + "g<" * 10000, ">" * 10001), 900, []),
    "long names of runs": (".csv", lambda n: table(LONG, (f"{'r' * 60000}{k},1,op,cpu,5,us" for k in range(n))), 900, []),
    "long types": (".csv", lambda n: table("run,step,op,type,cpu_us\n", (f"r,1,op{k},{'t' * 60000}{k},5" for k in range(n))), 900, []),
    "long devices": (".csv", lambda n: table("run,step,op,device,cpu_us\n", (f"r,1,op{k},{'t' * 60000}{k},5" for k in range(n))), 900, []),
    "long names, packed": (".obs", lambda n: exported(".obs", named(n, "x" * 60000)), 1500, []),
    "long names in Parquet": (".parquet", lambda n: exported(".parquet", named(n, "x" * 60000)), 1500, []),
    "sequences": (".pftrace", lambda n: slices(n, True, False), 60000, []),
    "sequences with names": (".pftrace", interned, 60000, []),
    "tracks": (".pftrace", lambda n: slices(n, False, True), 60000, []),
}


def bill(words):
    """CPU seconds, megabytes and exit status."""
    def cap():
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    child = subprocess.Popen([STEPSTAT, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=cap)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, child.returncode


def largest(make, most):
    """The packed bytes of the largest n that is below 100 KB."""
    n = most
    while True:
        packed = gzip.compress(make(n), 9, mtime=0)
        if len(packed) <= 100000:
            return n, packed
        n = int(n * min(0.95, 97000 / len(packed)))


def main():
    failed = number = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (suffix, make, most, words) in SHAPES.items():
            if sys.argv[2:] and name not in sys.argv[2:]:
                continue
            n, packed = largest(make, most)
            path = os.path.join(folder, "x" + suffix + ".gz")
            with open(path, "wb") as file:
                file.write(packed)
            seconds, megabytes, status = min(bill(["compare", path, path, "--allow-mixed"] if words == ["compare"] else ["report", path, *words]) for _ in range(2))
            good = seconds <= SECONDS and megabytes <= MEGABYTES and status in (0, 3)
            failed += not good
            number += 1
            print("%s %d - %s: %d in %d bytes: %.2f s, %d MB, status %d" % (
                "ok" if good else "not ok", number, name, n, len(packed), seconds, megabytes, status), flush=True)
    print("1..%d" % number)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
