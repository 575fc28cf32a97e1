"""From the trace of a profiler to an .obs file: the trace is temporary, the .obs appears whole or not at all."""
from __future__ import annotations

import itertools
import os
import shutil
import socket
import sys
import time
import uuid
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from ._arguments import Path, option_words, paths_of
from ._program import OptionError, run

# How export finds the number of the process in the name of a file made here.
RANK_OPTION = "--ranks=_rank([0-9]+)[.]"


class Recording(NamedTuple):
    """What was kept of a recording, and what making it cost."""

    obs: str
    trace: Optional[str]  # None: not kept
    trace_bytes: int
    obs_bytes: int
    trace_s: float  # the profiler, writing its trace
    obs_s: float  # stepstat, reading it and writing the .obs

    def __str__(self) -> str:
        return "stepstat: %s: %d bytes of a trace of %d (%.3f s: %.3f s for the trace, %.3f s for the .obs)" % (
            self.obs, self.obs_bytes, self.trace_bytes, self.trace_s + self.obs_s, self.trace_s, self.obs_s)


def launched_rank() -> Optional[int]:
    """The number of the process in its job as launchers put it into the environment, where the job has several."""
    for rank, size in (("RANK", "WORLD_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")):
        numbers = os.environ.get(rank, ""), os.environ.get(size, "")
        if all(text.isdigit() for text in numbers) and int(numbers[1]) > 1:
            return int(numbers[0])
    return None


def file_stem(name: Optional[str], rank: Optional[int]) -> str:
    """The name of the files of one recording, without suffix: the given one, or time and process; then the rank."""
    if name is None:
        # Without the name of the machine, whose digits could be taken for a rank.
        now = time.time_ns()
        name = "%s-%09d-%d" % (time.strftime("%Y%m%d-%H%M%S", time.gmtime(now // 10**9)), now % 10**9, os.getpid())
    elif not name or name.startswith(".") or os.path.basename(name) != name:
        raise OptionError("name: expected the name of a file, found %r" % name)
    return name if rank is None else "%s_rank%d" % (name, rank)


_process_of: Dict[int, str] = {}  # by number: a fork is another process
_windows = itertools.count(1)


def recorded_process() -> Tuple[str, int]:
    """The process, as no other one is named, and the number of this recording in it: its recordings are windows of one run."""
    pid = os.getpid()
    if pid not in _process_of:
        _process_of[pid] = "%d, %s" % (pid, uuid.uuid4().hex)
    return _process_of[pid], next(_windows)


class Wish(NamedTuple):
    """What is to be kept of the recordings, and where."""

    folder: str
    keep_trace: Union[bool, Path]
    name: Optional[str]
    rank: Optional[int]
    quiet: bool
    options: Mapping[str, Any]

    def trace_folder(self) -> Optional[str]:
        """Where traces are kept: by themselves in a hidden folder, which reports on the folder do not read a second time."""
        if isinstance(self.keep_trace, bool):
            return os.path.join(self.folder, ".traces") if self.keep_trace else None
        return os.fspath(self.keep_trace)


def wish_of(folder: Path, keep_trace: Union[bool, Path], name: Optional[str], rank: Optional[int], quiet: bool,
            options: Mapping[str, Any]) -> Wish:
    """Finds what is wrong with it before the training, not after it."""
    option_words("export", options)
    for option in ("o", "shape", "shard_size", "gzip", "events", "input_name"):
        if option in options:
            raise OptionError("%s: a recording is one .obs file in the folder" % option)
    file_stem(name, rank)
    return Wish(paths_of(folder, "folder")[0], keep_trace, name, rank, quiet, dict(options))


def _copy(source: str, folder: str, name: str) -> str:
    """A copy that appears whole."""
    os.makedirs(folder, exist_ok=True)
    hidden = os.path.join(folder, ".%s.%d" % (name, os.getpid()))
    try:
        shutil.copyfile(source, hidden)
        os.replace(hidden, os.path.join(folder, name))
    except BaseException:
        if os.path.exists(hidden):
            os.unlink(hidden)
        raise
    return os.path.join(folder, name)


def keep(wish: Wish, trace: str, stem: str, suffix: str, trace_s: float, rank: Optional[int]) -> Recording:
    """Makes FOLDER/STEM.obs of the trace, and a copy of the trace where that is wished. Prints a line about it."""
    os.makedirs(wish.folder, exist_ok=True)
    obs = os.path.join(wish.folder, stem + ".obs")
    # The trace has the name that it has when it is kept: its temporary folder is not in the .obs.
    words: List[str] = ["export", *option_words("export", wish.options), "--input-name=%s%s" % (stem, suffix)]
    process, window = recorded_process()
    words += ["--fact=process=%s" % process, "--fact=window=%d" % window, "--fact=host=%s" % (socket.gethostname() or "localhost")]
    if rank is not None and "ranks" not in wish.options:
        words.append(RANK_OPTION)
    began = time.perf_counter()
    with open(trace, "rb") as file:
        # The program writes beside the name and renames when it is done.
        run([*words, "-", "-o", obs], stdin=file)
    obs_s = time.perf_counter() - began
    kept = wish.trace_folder()
    if kept is not None:
        kept = _copy(trace, kept, stem + suffix)
    made = Recording(obs, kept, os.path.getsize(trace), os.path.getsize(obs), trace_s, obs_s)
    if not wish.quiet:
        print(made, file=sys.stderr)
    return made
