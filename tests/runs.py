#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files are runs, and what a step takes, in every format that a process records: made worlds, against what they are made of.

runs.py PROGRAM DIR: a line for each format.
"""
import csv
import io
import os
import random
import shutil
import subprocess
import sys

import recordings
from recordings import Made

PROGRAM = os.path.abspath(sys.argv[1])
STEPS = 4


def made(seed, first=0, at_s=0.0, busy=60, wide=900, slow=1.0, pid=4242, began_s=-60, steps=STEPS, **process):
    """A recording of steps of 1 ms that begins at_s later; two kernels of each run behind it where the marker is narrow."""
    rng, marks, launches, kernels = random.Random(seed), [], [], []
    for i in range(steps):
        start = at_s * 1e6 + 5000 + 1000 * slow * i
        marks.append((first + i, start, wide))
        for k in range(2):
            link = 2 * i + k + 2
            launches.append((start + 10 + 12 * k, 5, link, "cudaLaunchKernel"))
            kernels.append((start + 50 + 400 * k, busy * rng.uniform(0.99, 1.01), link, "op%d" % k))
    return Made(marks, launches, kernels, pid=pid, began_ns=10**12 + round(began_s * 10**9), **process)


class World:
    """Recordings in the folders base and new."""

    def __init__(self, form, folder):
        self.form, self.folder = form, folder
        self.options = [r"--step-marker=^step (\d+)$"] if form == "pftrace" else []
        shutil.rmtree(folder, ignore_errors=True)

    def add(self, name, recording, session="{name}"):
        """XLA's profilers make a folder for each session, in it a file for each host."""
        side, _, last = name.rpartition("/")
        if self.form == "kineto":
            recording.step = "ProfilerStep#%d"
        if self.form in ("xplane", "jax-trace"):
            name = "%s/plugins/profile/2026_11_28_%s/%s" % (side, session.format(name=last), recording.host)
        recordings.write(self.form, os.path.join(self.folder, name), recording)

    def say(self, *words):
        got = subprocess.run([PROGRAM, *words, *self.options], cwd=self.folder, capture_output=True, text=True)
        return got.returncode, got.stdout + got.stderr

    def steps(self, side="base"):
        status, text = self.say(side, "--table=steps", "--to=csv")
        assert status == 0, text
        return list(csv.DictReader(io.StringIO(text)))

    def runs(self):
        """The numbers of the steps of each run."""
        found = {}
        for row in self.steps():
            found.setdefault(row["run"], []).append(int(row["step"]))
        return sorted(found.values())


NUMBERS = list(range(STEPS))
XLA = ("xplane", "jax-trace")


# ---- worlds: each writes recordings, and says the steps of their runs

def processes(w):
    for i in range(4):
        w.add("base/r%d" % i, made(i, at_s=20 * i, pid=4000 + 17 * i, began_s=20 * i - 9))
    return [NUMBERS] * 4


def containers(w):
    """Process 1 of a machine of its own each, one after the other."""
    for i in range(4):
        w.add("base/r%d" % i, made(i, at_s=20 * i, pid=1, host="c0ffee%d" % i, began_s=20 * i - 9))
    return [NUMBERS] * 4


def one_name(w):
    """Containers of one name: runs where the source says when a process began, else windows of one, since nothing tells these apart."""
    for i in range(4):
        w.add("base/r%d" % i, made(i, at_s=20 * i, pid=1, began_s=20 * i - 9))
    return [NUMBERS * 4] if w.form in ("kineto", "xplane", "nsight") else [NUMBERS] * 4


def resumed(w):
    """Each process goes on where the one before it ended."""
    for i in range(4):
        w.add("base/r%d" % i, made(i, STEPS * i, at_s=20 * i, pid=4000 + 17 * i, began_s=20 * i - 9))
    return [[STEPS * i + n for n in NUMBERS] for i in range(4)]


def windows(w):
    for i in range(4):
        w.add("base/r%d" % i, made(i, 10 * i, at_s=20 * i))
    return [[10 * i + n for i in range(4) for n in NUMBERS]]


def windows_again(w):
    """Numbers begin again in each window."""
    for i in range(4):
        w.add("base/r%d" % i, made(i, at_s=20 * i))
    return [NUMBERS * 4]


def windows_of_two(w):
    for i in range(6):
        w.add("base/r%d" % i, made(i, 10 * (i // 2), at_s=20 * i, pid=4000 + 17 * (i % 2), began_s=-60 - i % 2))
    return [[10 * i + n for i in range(3) for n in NUMBERS]] * 2


def at_once(w):
    """Two processes of two machines that have one number, at the same time: no replicates. XLA's profilers say what belongs together,
    clocks of ROCm are those of machines."""
    for i in range(2):
        w.add("base/r%d" % i, made(i, 10 * i, host="node%d" % i, began_s=-60 - i))
    later = [10 + n for n in NUMBERS]
    return [NUMBERS, later] if w.form in (*XLA, "rocpd") else [NUMBERS + later]


def one_step(w):
    for i in range(4):
        w.add("base/r%d" % i, made(i, at_s=20 * i, pid=4000 + 17 * i, began_s=20 * i - 9, steps=1))
    return [[0]] * 4


def add_ranks(w, side, runs, without=None, windows=1):
    for run in range(runs):
        for rank in range(4):
            for i in range(windows):
                if (run, rank) == without:
                    continue
                began = 100 * run - 9 + rank / 8
                w.add("%s/run%d/w%d_rank%d" % (side, run, i, rank), session="%d" % i,
                      recording=made("%s %d %d" % (side, run, rank), 10 * i, at_s=100 * run + 20 * i, pid=5000 + 40 * run + rank, began_s=began,
                                     host="node%d" % rank, rank=rank))


def ranks(w):
    add_ranks(w, "base", 3)
    return [NUMBERS] * 3


def ranks_of_windows(w):
    add_ranks(w, "base", 2, windows=3)
    return [[10 * i + n for i in range(3) for n in NUMBERS]] * 2


WORLDS = [processes, containers, one_name, resumed, windows, windows_again, windows_of_two, at_once, one_step, ranks, ranks_of_windows]


NAMELESS = ("jax-trace",)
# What a trace for viewers of XLA does not name: its process, and when it began.
UNKNOWN = {"jax-trace": ("windows", "windows_again", "windows_of_two", "ranks_of_windows")}


def check_missing(w):
    """A run that lacks a rank ends the gate."""
    add_ranks(w, "base", 3)
    add_ranks(w, "new", 3)
    whole, text = w.say("gate", "base", "new", "--margin=5%")
    assert whole == 0, text
    shutil.rmtree(w.folder)
    add_ranks(w, "base", 3)
    add_ranks(w, "new", 3, without=(1, 3))
    lacking, text = w.say("gate", "base", "new", "--margin=5%")
    assert lacking == 3 and "3 of 4 ranks, without " in text, text


def check_containers(w):
    """PyTorch's handler names the container: process 1 of several ones are runs."""
    if w.form == "kineto":
        for i in range(4):
            w.add("base/c0ffee%d_1.17000000%d000000000" % (i % 2, i), made(i, at_s=20 * i, pid=1, events={"host_name": None}))
        assert w.runs() == [NUMBERS * 2] * 2, w.runs()


def check_unknown(w):
    """Windows of a process of which nothing but the number is said, and no clock: they may be runs, and a line says so."""
    for i in range(3):
        w.add("base/r%d" % i, made(i, at_s=20 * i, began_s=-1000, epoch_ns=0))
    assert w.runs() == [NUMBERS] * 3
    said = "pieces of one run, say so: --runs=folders" in w.say("base", "--explain-inputs")[1]
    assert said == (w.form not in NAMELESS), w.say("base", "--explain-inputs")[1]


def check_times(w):
    """Processes of one machine that nobody numbers, recorded at one time, are one run: a gate has no verdict, and the slow one is named. A
    trace and its export say the same. One after the other they are runs."""
    if w.form in XLA:  # whose folders say it
        return
    for side, slow in (("base", 1), ("new", 1.04)):
        for i in range(4):
            recording = made("%s %d" % (side, i), at_s=0.001 * i, pid=4000 + 17 * i, began_s=-i, busy=(78 if i == 2 else 60) * slow)
            w.add("%s/r%d" % (side, i), recording)
            name = next(n for n in os.listdir(w.folder + "/" + side) if n.startswith("r%d." % i))
            assert w.say("export", side + "/" + name, "-o", "%s_%d.obs" % (side, i))[0] == 0
    for base, new in ((["base"], "new"), (["base_%d.obs" % i for i in range(4)], None)):
        status, text = w.say(*base)
        assert status == 0 and ", 1 run x 4 ranks x 4 steps" in text.splitlines()[0], text
        assert "only their times say that 4 processes are the ranks of one run  --ranks=none" in text, text
        assert "pid 4034 is the slowest of 4 in 4 of 4 steps" in text or w.form in ("rocpd", "pftrace"), text
        if new:
            status, text = w.say("gate", *base, new)
            assert status == 3 and "no verdict is possible from 1 run of base" in text, text
            assert "4 processes of base, recorded at one time, runs of their own: --ranks=none" in " ".join(text.split()), text
    assert w.say("base", "--ranks=none")[1].splitlines()[0].split(", ")[1] == "4 runs x 4 steps", w.say("base", "--ranks=none")[1]


def check_early(w):
    """A rank that lacks the first step of numbers that come again has all others in their places: each step takes its own time."""
    for rank in range(4):
        recording = made(rank, pid=5000 + rank, began_s=rank, host="node%d" % rank, rank=rank, steps=9)
        recording.kernels = [(start, 100 + 10 * (link // 2) + rank / 10, link, name) for start, _, link, name in recording.kernels]
        recording.marks = [(i % 3, *mark[1:]) for i, mark in enumerate(recording.marks)][rank == 2:]
        if rank == 2:
            recording.launches, recording.kernels = recording.launches[2:], recording.kernels[2:]
        w.add("base/rank%d" % rank, recording, session="0")
    times = [float(row["op_time_us"]) for row in w.steps()]
    assert len(times) == 9 and sorted(times) == times and times[0] < 231, times


def check_unnumbered(w):
    """Steps without numbers of a rank that begins a step later are those of the others by their clocks; where these do not say, a line does."""
    if w.form in ("xplane", "jax-trace"):  # which always have numbers
        return
    w.options = ["--step-marker=^loop$"]
    for hosts in (1, 4):
        shutil.rmtree(w.folder, ignore_errors=True)
        for rank in range(4):
            recording = made(rank, pid=5000 + rank, began_s=rank, host="node%d" % (rank % hosts), rank=rank, steps=9)
            recording.step = "loop%.0s"
            recording.kernels = [(start, 100 + 10 * (link // 2) + rank / 10, link, name) for start, _, link, name in recording.kernels]
            if rank == 2:
                recording.marks, recording.launches, recording.kernels = recording.marks[1:], recording.launches[2:], recording.kernels[2:]
            recordings.write(w.form, os.path.join(w.folder, "base", "rank%d" % rank), recording)
        times = [float(row["op_time_us"]) for row in w.steps()]
        known = hosts == 1 and w.form in ("kineto", "nsight")  # the others do not say the host
        assert not known or [round(time) for time in times] == [2 * (110 + 10 * i) for i in range(9)], times
        said = "neither clocks nor collectives say which steps belong together" in w.say("base")[1]
        assert said != known, w.say("base")[1]


def check_period(w):
    """Of a marker that is only the launch the step takes the period; a longer one is red, whatever it is that waits."""
    for side, slow in (("base", 1.0), ("new", 1.1), ("same", 1.0)):
        for i in range(5):
            w.add("%s/r%d" % (side, i), made(side + str(i), at_s=20 * i, pid=4000 + 17 * i, began_s=20 * i - 9, busy=300, wide=40,
                                             slow=slow * (1 + 0.002 * (i % 3)), steps=12))
    took = [row["step_time_us"] for row in w.steps() if row["run"] == w.steps()[0]["run"]]
    assert [float(us) for us in took[:-1]] == [1000.0] * 11 and took[-1] == "", took
    status, text = w.say("base")
    assert "from start to start" in text.splitlines()[2], text
    for side, expected in (("new", 1), ("same", 0)):
        status, text = w.say("gate", "base", side, "--margin=2%")
        assert status == expected, text


def main():
    for form in sys.argv[3:] or recordings.FORMATS:
        for make in WORLDS:
            w = World(form, os.path.join(sys.argv[2], form, make.__name__))
            expected, got = make(w), w.runs()
            if make.__name__ not in UNKNOWN.get(form, ()):
                assert got == expected, (form, make.__name__, got)
                heading = w.say("base")[1].splitlines()[0]
                assert (" 4 ranks x " in heading) == make.__name__.startswith("ranks"), (form, make.__name__, heading)
        for check in (check_missing, check_containers, check_unknown, check_times, check_early, check_unnumbered, check_period):
            check(World(form, os.path.join(sys.argv[2], form, check.__name__)))
        print("%s: %d worlds" % (form, len(WORLDS) - len(UNKNOWN.get(form, ())) + 7))


main()
