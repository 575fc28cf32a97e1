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
from typing import Any, ContextManager, Iterator, Optional, Union

from ._arguments import Path
from ._program import Error
from ._recording import TIMEOUT_S, Recorder, Recording, file_stem, launched_rank, wish_of

SUFFIX = ".xplane.pb"


def _rank(jax: Any) -> Optional[int]:
    """The process's number in its job, where there are several."""
    if int(jax.process_count()) > 1:
        return int(jax.process_index())
    return launched_rank()


class Tracing:
    """What the context gives; recording is the Recording when it is over (None before)."""

    recording: Optional[Recording] = None


def _only_trace(temporary: str) -> str:
    found = glob.glob(os.path.join(glob.escape(temporary), "plugins", "profile", "*", "*" + SUFFIX))
    if len(found) != 1:
        raise Error("JAX's profiler wrote %d files *%s, expected one" % (len(found), SUFFIX), "stepstat help jax says what it writes")
    return found[0]


@contextlib.contextmanager
def _tracing(recorder: Recorder) -> Iterator[Tracing]:
    tracing = Tracing()
    process = os.getpid()
    trace_s = None
    with recorder.temporary() as temporary:
        jax = None
        if temporary is not None:
            with recorder.guard("nothing is recorded"):
                jax = importlib.import_module("jax")
                jax.profiler.start_trace(temporary)
                trace_s = 0.0
        try:
            yield tracing
        finally:
            # A fork of the training has no profiler.
            if jax is not None and trace_s is not None and os.getpid() == process:
                began = time.perf_counter()
                trace_s = None
                with recorder.guard("no trace is kept"):
                    jax.profiler.stop_trace()
                    trace_s = time.perf_counter() - began
        if trace_s is not None and os.getpid() == process:
            with recorder.guard("no trace is kept"):
                rank = _rank(jax) if recorder.wish.rank is None else recorder.wish.rank
                recorder.keep(_only_trace(str(temporary)), file_stem(recorder.wish.name, rank), trace_s, rank)
        tracing.recording = recorder.last


def trace(folder: Path, *, keep_trace: Union[bool, Path] = False, name: Optional[str] = None, rank: Optional[int] = None,
          quiet: bool = False, timeout: float = TIMEOUT_S, **options: Any) -> ContextManager[Tracing]:
    """As jax.profiler.trace(), but keeps only an .obs file, in the folder. When the block raises, nothing is kept.

    keep_trace=True also keeps the trace, in FOLDER/.traces; a path is another folder for it. name is that of the file, instead
    of time and process. rank is the number of the process in its job, where JAX does not say it. quiet prints no line about
    size and time. The training waits for the program at most timeout seconds. Further options are those of `stepstat export`.

    Wrong options raise OptionError here. Whatever else goes wrong raises nothing: the first time it is a warning, and
    recording.error says it. A trace of which no .obs can be made is kept as with keep_trace=True.
    """
    return _tracing(Recorder(wish_of(folder, keep_trace, name, rank, quiet, timeout, options), SUFFIX))
