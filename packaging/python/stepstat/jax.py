# SPDX-License-Identifier: Apache-2.0
"""For JAX: a context in which its profiler records.

    with stepstat.jax.trace("runs/base"):
        for i, batch in enumerate(batches):
            with jax.profiler.StepTraceAnnotation("train", step_num=i):
                train(batch)
"""
from __future__ import annotations

import contextlib
import glob
import importlib
import os
import time
from typing import Any, Callable, ContextManager, Iterator, Optional, Union

from ._arguments import Path
from ._program import Error
from ._recording import TIMEOUT_S, Recorder, Recording, file_stem, launched_rank, wish_of

SUFFIX = ".xplane.pb"


class Jax:
    """JAX's profiler, as far as it is used here. Others whose traces have the same form have the same members."""

    name = "JAX"

    def __init__(self) -> None:
        self.jax = importlib.import_module("jax")
        self.start, self.stop = self.jax.profiler.start_trace, self.jax.profiler.stop_trace

    def step(self, number: int) -> ContextManager[Any]:
        """A context that is a step."""
        annotation: ContextManager[Any] = self.jax.profiler.StepTraceAnnotation("train", step_num=number)
        return annotation

    def rank(self) -> Optional[int]:
        """The process's number in its job, where there are several."""
        return int(self.jax.process_index()) if int(self.jax.process_count()) > 1 else launched_rank()


class Tracing:
    """What the context gives; recording is the Recording when it is over (None before)."""

    recording: Optional[Recording] = None
    profiler: Any = None  # while it records


def _only_trace(temporary: str, name: str) -> str:
    found = glob.glob(os.path.join(glob.escape(temporary), "plugins", "profile", "*", "*" + SUFFIX))
    if len(found) != 1:
        raise Error("%s's profiler wrote %d files *%s, expected one" % (name, len(found), SUFFIX), "stepstat help jax says what it writes")
    return found[0]


@contextlib.contextmanager
def tracing_of(recorder: Recorder, kind: Callable[[], Any] = Jax) -> Iterator[Tracing]:
    """A block that the profiler of this kind records."""
    tracing = Tracing()
    process = os.getpid()
    trace_s = None
    with recorder.temporary() as temporary:
        profiler = None
        if temporary is not None:
            with recorder.guard("nothing is recorded"):
                profiler = kind()
                profiler.start(temporary)
                tracing.profiler = profiler
                trace_s = 0.0
        try:
            yield tracing
        finally:
            # A fork of the training has no profiler.
            if profiler is not None and trace_s is not None and os.getpid() == process:
                began = time.perf_counter()
                trace_s = None
                with recorder.guard("no trace is kept"):
                    profiler.stop()
                    trace_s = time.perf_counter() - began
        if profiler is not None and trace_s is not None and os.getpid() == process:
            with recorder.guard("no trace is kept"):
                rank = profiler.rank() if recorder.wish.rank is None else recorder.wish.rank
                recorder.keep(_only_trace(str(temporary), profiler.name), file_stem(recorder.wish.name, rank), trace_s, rank)
        tracing.recording = recorder.last


def trace(folder: Path, *, keep_trace: Union[bool, Path] = False, name: Optional[str] = None, rank: Optional[int] = None,
          quiet: bool = False, timeout: float = TIMEOUT_S, on_error: str = "warn", **options: Any) -> ContextManager[Tracing]:
    """As jax.profiler.trace(), but keeps only an .obs file, in the folder. When the block raises, nothing is kept.

    keep_trace=True also keeps the trace, in FOLDER/.traces; a path is another folder for it. name is that of the file, instead
    of time and process. rank is the number of the process in its job, where JAX does not say it. quiet prints no line about
    size and time. The training waits for the program at most timeout seconds. Further options are those of `stepstat export`.

    Wrong options raise OptionError here. Whatever else goes wrong raises nothing: the first time it is a warning, and
    recording.error says it. A trace of which no .obs can be made is kept as with keep_trace=True.
    on_error="raise" raises it instead, for tests.
    """
    return tracing_of(Recorder(wish_of(folder, keep_trace=keep_trace, name=name, rank=rank, quiet=quiet, timeout=timeout, on_error=on_error, **options), SUFFIX))
