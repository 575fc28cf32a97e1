# SPDX-License-Identifier: Apache-2.0
"""From the trace of a profiler to an .obs file: the trace is temporary, the .obs appears whole or not at all.

No error of a recording reaches the training: it is in the Recording, and the first one is a warning.
"""
from __future__ import annotations

import contextlib
import itertools
import operator
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
import uuid
import warnings
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from ._arguments import Path, option_words, paths_of
from ._program import Error, OptionError, run

# How export finds the number of the process in the name of a file made here.
RANK_OPTION = "--ranks=_rank([0-9]+)[.]"
# How long a program that says its version may take.
TRIAL_S = 60.0
# How long a training waits for the program, unless it says otherwise.
TIMEOUT_S = 600.0


class Recording(NamedTuple):
    """What was kept of a recording, what making it cost, and what went wrong."""

    obs: Optional[str]  # None: there is none, and error says why
    trace: Optional[str]  # None: not kept
    trace_bytes: int
    obs_bytes: int
    trace_s: float  # the profiler, writing its trace
    obs_s: float  # stepstat, reading it and writing the .obs
    error: Optional[str] = None  # None: all is as wished

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
    timeout: float
    on_error: str  # warn, raise
    options: Mapping[str, Any]

    def trace_folder(self) -> str:
        """Where traces are kept: by themselves in a hidden folder, which reports on the folder do not read a second time."""
        return os.path.join(self.folder, ".traces") if isinstance(self.keep_trace, bool) else os.fspath(self.keep_trace)


def wish_of(folder: Path, *, keep_trace: Union[bool, Path] = False, name: Optional[str] = None, rank: Optional[int] = None,
            quiet: bool = False, timeout: float = TIMEOUT_S, on_error: str = "warn", **options: Any) -> Wish:
    """Finds what is wrong with it before the training, not after it."""
    option_words("export", options)
    for option in ("o", "shape", "shard_size", "gzip", "events", "input_name"):
        if option in options:
            raise OptionError("%s: a recording is one .obs file in the folder" % option)
    if rank is not None and (isinstance(rank, bool) or not hasattr(rank, "__index__") or operator.index(rank) < 0):
        raise OptionError("rank: expected the number of a process from 0 on, found %r" % (rank,))
    file_stem(name, rank)
    if not isinstance(keep_trace, bool):
        paths_of(keep_trace, "keep_trace")
        if not isinstance(keep_trace, (str, os.PathLike)):
            raise OptionError("keep_trace: expected True, False or a folder, found %r" % (keep_trace,))
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        raise OptionError("timeout: expected a number of seconds above 0, found %r" % (timeout,))
    if on_error not in ("warn", "raise"):
        raise OptionError("on_error: expected \"warn\" or \"raise\", found %r" % (on_error,))
    return Wish(paths_of(folder, "folder")[0], keep_trace, name, rank, quiet, timeout, on_error, options)


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


def _is_of_signal(error: BaseException) -> bool:
    """True if a signal handler of the training raised it, in the middle of what is done here."""
    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()} - {None}
    looked_at: List[BaseException] = []  # causes may go round in a circle
    cause: Optional[BaseException] = error
    while cause is not None and not any(cause is one for one in looked_at):
        looked_at.append(cause)
        trace = cause.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code in handlers:
                return True
            trace = trace.tb_next
        cause = cause.__cause__
    return False


def _text_of(error: Exception) -> str:
    try:
        return " ".join(("%s" % error or type(error).__name__).split())
    except Exception:  # of its own __str__
        return type(error).__name__


def _write_line(text: str) -> None:
    """A line on standard error, where there is one."""
    with contextlib.suppress(Exception):
        if sys.stderr is not None:
            print(text, file=sys.stderr)


def _level_of_caller() -> int:
    """The stacklevel of the training's line, seen from the function that calls this one."""
    frame = sys._getframe(1)
    level = 1
    while frame.f_back is not None and (frame.f_globals.get("__package__") == __package__ or frame.f_globals.get("__name__") == "contextlib"):
        frame = frame.f_back
        level += 1
    return level


class Recorder:
    """Keeps recordings as wished. None of its methods raises, but for what signal handlers of the training raise, or with on_error="raise"."""

    def __init__(self, wish: Wish, suffix: str) -> None:
        self.wish = wish
        self.suffix = suffix
        self.last: Optional[Recording] = None
        self._warned = self._left = False
        self._raised: Optional[Exception] = None
        with self.guard("no recording can be kept"):
            os.makedirs(wish.folder, exist_ok=True)
            for folder in (wish.folder, None):
                # A block, which a full disk refuses; the file has no name.
                with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
                    file.write(b"0" * 4096)
            run(["--version"], timeout_s=TRIAL_S)
        self._try_options()

    def _try_options(self) -> None:
        """The program reads the options, with an input that holds nothing: what it says of that and of the machine is said elsewhere."""
        if self.wish.options:
            words = ["export", *option_words("export", self.wish.options), "-", "-o", os.path.join(self.wish.folder, ".trial.obs")]
            try:
                run(words, timeout_s=TRIAL_S)
            except Exception as error:
                if isinstance(error, Error) and error.status == 2 or _is_of_signal(error):
                    raise

    @contextlib.contextmanager
    def guard(self, what: str) -> Iterator[None]:
        """Turns what the block raises into last.error and a warning."""
        try:
            yield
        except Exception as error:
            if error is self._raised or _is_of_signal(error):
                raise
            self._fail(what, error)

    def _fail(self, what: str, error: Exception, made: Recording = Recording(None, None, 0, 0, 0.0, 0.0)) -> None:
        self.last = made._replace(error=_text_of(error))
        if self.wish.on_error == "raise":
            self._raised = error
            raise error
        if self._warned:
            return
        self._warned = True
        place = "" if made.trace is None else "; the trace is %s" % made.trace
        text = "stepstat: %s: %s: %s%s; the training goes on without further warnings" % (self.wish.folder, what, self.last.error, place)
        try:
            warnings.warn(text, RuntimeWarning, stacklevel=_level_of_caller())
        except Exception:  # the training makes errors of warnings
            _write_line(text)

    @contextlib.contextmanager
    def temporary(self) -> Iterator[Optional[str]]:
        """A folder for a trace, not in that of the runs: what dies here leaves nothing that could be taken for a run. None: no folder can be made."""
        made = None
        process = os.getpid()
        with self.guard("no trace can be written"):
            made = tempfile.mkdtemp(prefix="stepstat-")
        try:
            yield made
        finally:
            # Not by a fork of the training.
            if made is not None and os.getpid() == process and (self.last is None or not str(self.last.trace).startswith(made)):
                shutil.rmtree(made, ignore_errors=True)

    def keep(self, trace: str, stem: str, trace_s: float, rank: Optional[int]) -> None:
        """Makes FOLDER/STEM.obs of the trace, and a copy of the trace where that is wished or all that there is. Prints a line about it."""
        made = Recording(None, None, os.path.getsize(trace), 0, trace_s, 0.0)
        failure: Optional[Exception] = None
        began = time.perf_counter()
        try:
            obs = self._observe(trace, stem, rank)
            made = made._replace(obs=obs, obs_bytes=os.path.getsize(obs))
        except Exception as error:
            if _is_of_signal(error):
                raise
            failure = error
        made = made._replace(obs_s=time.perf_counter() - began)
        if failure is not None or self.wish.keep_trace:
            kept, late = self._keep_trace(trace, stem + self.suffix)
            made = made._replace(trace=kept)
            failure = failure or late
        self.last = made
        if failure is not None:
            self._fail("the trace is not kept as wished" if made.obs else "no observations are kept", failure, made)
        elif not self.wish.quiet:
            _write_line(str(made))

    def _observe(self, trace: str, stem: str, rank: Optional[int]) -> str:
        os.makedirs(self.wish.folder, exist_ok=True)
        obs = os.path.join(self.wish.folder, stem + ".obs")
        # The trace has the name that it has when it is kept: its temporary folder is not in the .obs.
        words: List[str] = ["export", *option_words("export", self.wish.options), "--input-name=%s%s" % (stem, self.suffix)]
        process, window = recorded_process()
        words += ["--fact=process=%s" % process, "--fact=window=%d" % window, "--fact=host=%s" % (socket.gethostname() or "localhost")]
        if rank is not None and "ranks" not in self.wish.options:
            words.append(RANK_OPTION)
        with open(trace, "rb") as file:
            # The program writes beside the name and renames when it is done.
            run([*words, "-", "-o", obs], stdin=file, timeout_s=self.wish.timeout)
        return obs

    def _keep_trace(self, trace: str, name: str) -> Tuple[Optional[str], Optional[Exception]]:
        """Where the trace is kept: its folder, else where it is, but only one of them: a training fills no disk."""
        try:
            return _copy(trace, self.wish.trace_folder(), name), None
        except Exception as error:
            if _is_of_signal(error):
                raise
            first, self._left = not self._left, True
            return (trace if first else None), error
