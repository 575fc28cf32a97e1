"""stepstat report --follow: what it shows while dumps appear, and that no half file is ever read.

usage: follow.py STEPSTAT TOP [REPAINTS [posix]]. TAP. With posix: a program that was configured with --enable-posix, which does not
hear of changes and does not know whether a file is open; the cases that ask for that are left out. Every wait is for a condition; a time is only how long a
condition may take before the test gives up.
"""
import fcntl
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

STEPSTAT, TOP = sys.argv[1:3]
REPAINTS = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
POSIX = sys.argv[4:] == ["posix"]
LOOKING = "stepstat: note: looking at the folders every second: "
NO_INOTIFY = LOOKING + "this system has no inotify\n"
PATIENCE = 240
CLEAR = b"\x1b[H\x1b[2J"
number = 0
bad = []


def verdict(name):
    global number, bad
    number += 1
    for line in bad:
        print("# " + str(line)[:2000].replace("\n", "\n# "))
    print(("not ok" if bad else "ok") + " %d - %s" % (number, name), flush=True)
    bad = []


def check(condition, text):
    if not condition:
        bad.append(text)


class Watch:
    """A running program: its output so far, on a terminal or on a pipe."""

    def __init__(self, folder, *arguments, terminal=None, before=()):
        self.out, self.err, self.lock = bytearray(), bytearray(), threading.Lock()
        environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm", NO_COLOR="1")
        environment.pop("COLUMNS", None)
        # What the sanitizer keeps of freed memory would look like growth.
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
        master = slave = None
        if terminal:
            master, slave = os.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *terminal, 0, 0))

        def prepare():
            for each in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                signal.signal(each, signal.SIG_DFL)
            if terminal:
                os.setsid()
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            list(before) + [STEPSTAT, "report", "--follow", *arguments], cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=slave if terminal else subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=prepare)
        if terminal:
            os.close(slave)
        self.master = master
        out = master if terminal else self.process.stdout.fileno()
        self.readers = [threading.Thread(target=self.take, args=each, daemon=True)
                        for each in ((out, self.out), (self.process.stderr.fileno(), self.err))]
        for each in self.readers:
            each.start()

    def take(self, descriptor, into):
        while True:
            try:
                part = os.read(descriptor, 65536)
            except OSError:  # a terminal whose last user has gone
                return
            if not part:
                return
            with self.lock:
                into += part

    def seen(self):
        with self.lock:
            return self.out.decode("utf-8", "replace").replace("\r\n", "\n")

    def said(self):
        with self.lock:
            text = self.err.decode("utf-8", "replace")
        return text.replace(NO_INOTIFY, "") if POSIX else text

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end or self.process.poll() is not None:
                bad.append("waited in vain for %s; status %s; out: %s; err: %s" % (
                    what, self.process.poll(), self.seen()[-1500:], self.said()[-1500:]))
                return False
            time.sleep(0.005)
        return True

    def wait_for(self, text, times=1):
        return self.wait(lambda: self.seen().count(text) >= times, repr(text))

    def wait_said(self, text):
        return self.wait(lambda: text in self.said(), "the message " + repr(text))

    def end(self, how):
        if how == "Ctrl-C":
            os.write(self.master, b"\x03")
        else:
            self.process.send_signal(how)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            bad.append("it does not end")
        for each in self.readers:
            each.join(10)
        return self.process.returncode


def dump(steps, time_us=5, ops=("conv", "matmul")):
    return "step,op,time_us\n" + "".join(
        "%d,%s,%d\n" % (step, op, time_us + i) for step in steps for i, op in enumerate(ops))


def put(path, text):
    """A new file that appears by a rename, as programs do that care."""
    folder, name = os.path.split(path)
    hidden = os.path.join(folder, "." + name + ".part")
    with open(hidden, "w") as file:
        file.write(text)
    os.rename(hidden, path)


def heading(text):
    """What the reports say of steps, in order."""
    return re.findall(r"^\S+: observations \(CSV\), (.*?), \d+ ops$", text, re.M)


def steps(first, last):
    return "1 run x %d steps (%d..%d)" % (last - first + 1, first, last)


def case_appearing(folder):
    job = os.path.join(folder, "job")
    os.mkdir(job)
    watch = Watch(folder, "job")
    watch.wait_said("stepstat: waiting for the first dump in job ...")
    check(not watch.seen(), "a report of nothing: " + watch.seen())
    put(job + "/a.csv", dump(range(1, 4)))
    watch.wait_for(steps(1, 3))

    # Half of the steps, cut at the end of a line: nothing but its being open says that it is half.
    slow = dump(range(4, 10)).encode()
    half = slow.index(b"7,conv")
    with open(job + "/b.csv", "wb", 0) as file:
        file.write(slow[:half])
        put(job + "/c.csv", dump(range(10, 12)))
        watch.wait_for("1 run x 5 steps (1..11)")
        file.write(slow[half:])
    watch.wait_for(steps(1, 11))

    # The same for a file that was whole and is replaced in place: until then the old one stays.
    with open(job + "/c.csv", "wb", 0) as file:
        file.write(dump(range(10, 13)).encode()[:-20])
        put(job + "/d.csv", dump(range(20, 22)))
        watch.wait_for("1 run x 13 steps (1..21)")
        file.seek(0)
        file.truncate()
        file.write(dump(range(10, 16)).encode())
    watch.wait_for("1 run x 17 steps (1..21)")
    os.unlink(job + "/d.csv")
    watch.wait_for(steps(1, 15))
    os.makedirs(job + "/below/deep")
    put(job + "/below/deep/e.csv", dump(range(16, 19)))
    watch.wait_for(steps(1, 18))
    before = watch.seen()
    status = watch.end(signal.SIGTERM)
    check(status == -signal.SIGTERM, "status %s" % status)
    check(watch.seen() == before, "it printed a report twice")
    allowed = {steps(1, 3), "1 run x 5 steps (1..11)", steps(1, 11), "1 run x 13 steps (1..21)",
               "1 run x 17 steps (1..21)", steps(1, 15), steps(1, 18)}
    check(set(heading(before)) <= allowed, "partial: %s" % (set(heading(before)) - allowed))
    check(before.count("\n---\n") == len(heading(before)) - 1, "reports are not separated by ---")
    check(watch.said().count("\n") == 1, "messages: " + watch.said())
    verdict("each complete file is a report; half ones are never read")


def case_real(folder):
    """Dumps of TensorFlow: a slow copy in two halves, one cut and closed, one whole."""
    job = os.path.join(folder, "real")
    os.mkdir(job)
    whole = open(TOP + "/examples/resnet_tower/profile_14", "rb").read()
    watch = Watch(folder, "real", "--by=type")
    with open(job + "/profile_14", "wb", 0) as file:
        file.write(whole[:len(whole) // 2])
        put(job + "/notes.txt", "nothing to read\n")
        watch.wait_said("waiting for the first dump")
    watch.wait_said("profile_14 cannot be read as it is now")
    check(not watch.seen(), "a report of half a dump")
    shutil.copy(TOP + "/examples/resnet_tower/profile_14", job + "/profile_14")
    watch.wait_for("1 run x 12 steps (3..14)")
    with open(job + "/profile_20", "wb") as file:
        file.write(whole[:len(whole) // 3])
    watch.wait_for("1 case: files that are not whole, left out (real/profile_20: byte 200874: ends inside an execution)")
    os.rename(job + "/profile_20", job + "/.gone")
    shown = len(heading_of(watch))
    watch.wait(lambda: len(heading_of(watch)) > shown or shown >= 3, "a report without it")
    before = watch.said()
    check(before.count("cannot be read as it is now") == 2, "messages: " + before)
    watch.end(signal.SIGTERM)
    check(set(heading_of(watch)) == {"real: TensorFlow profile, 1 run x 12 steps (3..14)"},
          set(heading_of(watch)))
    verdict("a file that is cut is said once, and read when it is whole")


def heading_of(watch):
    return re.findall(r"^(real: .*?\)), ", watch.seen(), re.M)


def case_jobs(folder):
    for name in "base", "new", "none":
        os.mkdir(os.path.join(folder, name))
    watch = Watch(folder, "base/", "new", "none", "--to=json")
    put(folder + "/base/1.csv", dump(range(1, 13)))
    watch.wait_for('"no dump yet: none"')
    text = dump(range(1, 9), 10) + dump(range(9, 13), 10).split("\n", 1)[1]
    text = re.sub(r"\n(9|10|11),matmul,11", r"\n\1,matmul,25", text)
    put(folder + "/new/1.csv", text.replace("12,matmul,11", "12,matmul,27"))
    watch.wait_for('"job": "new"')
    watch.end(signal.SIGTERM)
    seen = watch.seen().strip()
    while seen:  # documents follow each other, as jq reads them
        document, at = json.JSONDecoder().raw_decode(seen)
        seen = seen[at:].strip()
    rows = {row["job"]: row for row in document["jobs"]["rows"]}
    # By hand: steps of 10 + 11, from step 9 on of 10 + 25, the last 10 + 27: matmul by (3 * 25 + 27) / 4 - 11.
    new, base = rows["new"], rows["base"]
    check(new["steps"] == 12 and new["last_step"] == 12, new)
    check(abs(new["time_mean_us"] - (8 * 21 + 3 * 35 + 37) / 12) < 1e-6, new)
    check(new["time_last_us"] == 37, new)
    check(new["trend"] == "up at step 9", new)
    check(abs(new["trend_change_pct"] - 100 * (35 / 21 - 1)) < 1e-6, new)
    check(new["moved"] == "matmul" and new["time_moved_by_us"] == 14.5, new)
    check(base["trend"] == "none shown" and base["moved"] is None, base)
    verdict("jobs are runs of their folders' names, with last step, trend and what moved")


def case_conflict(folder):
    job = os.path.join(folder, "again")
    os.mkdir(job)
    watch = Watch(folder, "again")
    put(job + "/first.csv", dump(range(1, 9)))
    watch.wait_for(steps(1, 8))
    put(job + "/second.csv", dump(range(1, 9), 7))
    watch.wait_for("2 runs x 8 steps")
    watch.wait_for("each is a run")
    watch.end(signal.SIGTERM)
    check(not watch.said().replace("stepstat: waiting for the first dump in again ...\n", ""), watch.said())
    verdict("files with the same steps and other times are runs of their own")


def case_output(folder):
    """Whoever reads the file while it is replaced has a whole one."""
    job = os.path.join(folder, "job3")
    os.mkdir(job)
    path = job + "/table.csv"  # in the folder itself: what is written is no input
    put(job + "/0.csv", dump(range(0, 3)))
    watch = Watch(folder, "job3", "-o", "job3/table.csv", "--quiet", "--table=steps")
    watch.wait(lambda: os.path.exists(path), "the file")
    stop, problems, versions = threading.Event(), [], set()

    def read_all():
        while not stop.is_set():
            try:
                text = open(path).read()
            except OSError as error:
                problems.append(error)
                return
            lines = text.split("\n")
            versions.add(len(lines) - 2)
            if not text.startswith("run,step,") or lines[-1] or (len(lines) - 2) % 3:
                problems.append(text)
                return

    reader = threading.Thread(target=read_all)
    reader.start()
    for i in range(1, 8):
        put(job + "/%d.csv" % i, dump(range(3 * i, 3 * i + 3)))
        watch.wait(lambda: open(path).read().count("\n") == 3 * i + 4, "%d steps in the file" % (3 * i + 3))
    stop.set()
    reader.join()
    watch.end(signal.SIGINT)
    check(not problems, problems[:1])
    check(len(versions) > 1, "the reader saw %s" % versions)
    check(not watch.seen() and (POSIX or not watch.said()), watch.seen() + watch.said())
    check(not [name for name in os.listdir(job) if ".tmp-" in name], os.listdir(job))
    verdict("a file of -o is replaced as a whole at every change")


def case_terminal(folder):
    job = os.path.join(folder, "screen")
    os.mkdir(job)
    put(job + "/1.csv", dump(range(1, 9), ops=["op%02d" % i for i in range(9)]))
    watch = Watch(folder, "screen", terminal=(20, 100))
    watch.wait_for("more lines: Ctrl-C")
    put(job + "/2.csv", dump(range(9, 13), ops=["op%02d" % i for i in range(9)]))
    watch.wait_for(steps(1, 12))
    watch.wait_for("more lines: Ctrl-C", 2)
    status = watch.end("Ctrl-C")
    paints = watch.out.split(CLEAR)[1:]
    check(status == -signal.SIGINT, "status %s" % status)
    check(len(paints) == 3, "%d paintings" % len(paints))
    for paint in paints[:-1]:
        check(paint.count(b"\n") == 19, "%d lines on a terminal of 20" % paint.count(b"\n"))
    last = paints[-1].decode().replace("\r\n", "\n")
    check(last.rstrip("^C").endswith("stepstat help columns\n"), last)
    check("all ops" in last and "more lines" not in last, last)
    verdict("a terminal is repainted; Ctrl-C leaves the whole report and ends by the signal")


def status_kb(process, field):
    """0: the process has ended."""
    try:
        lines = open("/proc/%d/status" % process.pid).readlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(field + ":")), 0)


def read_bytes(process):
    for line in open("/proc/%d/io" % process.pid):
        if line.startswith("rchar:"):
            return int(line.split()[1])
    return 0


def case_growth(folder):
    """Of 100 files only the new one is read; memory stays what it was, however often it is painted."""
    job = os.path.join(folder, "many")
    os.mkdir(job)
    size = 0
    names = ["op%03d" % i for i in range(50)]
    for i in range(100):
        text = dump(range(5 * i, 5 * i + 5), ops=names)
        size = max(size, len(text))
        put(job + "/%03d.csv" % i, text)
    watch = Watch(folder, "many", "-o", "page.html", terminal=(20, 100))
    painted = lambda: watch.out.count(CLEAR)
    watch.wait(lambda: painted() == 1, "the first report")
    first = read_bytes(watch.process)
    check(first > 90 * size, "%d bytes read at first" % first)
    put(job + "/100.csv", dump(range(500, 505), ops=names))
    watch.wait(lambda: painted() == 2, "the next report")
    check(read_bytes(watch.process) - first < 3 * size + 20000,
          "%d bytes read for one file of %d" % (read_bytes(watch.process) - first, size))
    for name in os.listdir(job)[3:]:
        os.unlink(os.path.join(job, name))
    watch.wait(lambda: " 3 steps" not in watch.seen()[-6000:] and painted() > 2, "a report of few files")
    early, count = 0, painted()
    for i in range(REPAINTS):
        if i == REPAINTS // 10:
            early = status_kb(watch.process, "VmRSS")
        if i % 20 == 0:  # and some that read a file again
            put(job + "/000.csv", dump(range(0, 5), 5 + i % 7, ops=names))
        else:
            watch.process.send_signal(signal.SIGWINCH)
        count += 1
        if not watch.wait(lambda: painted() >= count, "painting %d" % count):
            break
        with watch.lock:  # the text of all of them is not needed
            cut = watch.out.rfind(CLEAR)
            count -= watch.out.count(CLEAR) - 1
            del watch.out[:cut]
    late = status_kb(watch.process, "VmRSS")
    print("# after %d paintings %d KB, after %d %d KB" % (REPAINTS // 10, early, REPAINTS, late))
    check(late < early + 4096, "memory grew from %d KB to %d KB" % (early, late))
    watch.end(signal.SIGTERM)
    verdict("only what is new is read, and %d paintings need no more memory" % REPAINTS)


def case_limit(folder):
    """Without inotify the folders are looked at every second."""
    limit = ["unshare", "-r", "sh", "-c",
             'echo 0 >/proc/sys/user/max_inotify_watches && exec "$@"', "sh"]
    try:
        can = POSIX or subprocess.run(limit + ["true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        can = False
    if not can:
        global number
        number += 1
        print("ok %d - without inotify # SKIP no user namespace with a limit of its own" % number)
        return
    job = os.path.join(folder, "limit")
    os.mkdir(job)
    if POSIX:
        watch = Watch(folder, "limit")
        watch.wait(lambda: NO_INOTIFY.encode() in watch.err, "the note")
    else:
        watch = Watch(folder, "limit", before=limit)
        watch.wait_said(LOOKING + "no inotify watch is left")
    put(job + "/1.csv", dump(range(1, 4)))
    watch.wait_for(steps(1, 3))
    put(job + "/2.csv", dump(range(4, 9)))
    watch.wait_for(steps(1, 8))
    status = watch.end(signal.SIGTERM)
    check(status == -signal.SIGTERM, "status %s" % status)
    verdict("without inotify the folders are looked at every second, and it says so")


with tempfile.TemporaryDirectory() as scratch:
    cases = (case_appearing, case_real, case_jobs, case_conflict, case_output, case_terminal, case_growth, case_limit)
    for case in (case_jobs, case_conflict, case_output, case_terminal, case_limit) if POSIX else cases:
        folder = os.path.join(scratch, case.__name__)
        os.mkdir(folder)
        case(folder)
print("1..%d" % number)
