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
import tempfile
import time
from typing import Any, ContextManager, Iterator, Optional, Union

from ._arguments import Path
from ._program import Error
from ._recording import Recording, Wish, file_stem, keep, launched_rank, wish_of

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
def _tracing(wish: Wish) -> Iterator[Tracing]:
    jax = importlib.import_module("jax")
    rank = _rank(jax) if wish.rank is None else wish.rank
    stem = file_stem(wish.name, rank)
    tracing = Tracing()
    # Not in the folder: what dies here leaves nothing that could be taken for a run.
    with tempfile.TemporaryDirectory(prefix="stepstat-") as temporary:
        jax.profiler.start_trace(temporary)
        try:
            yield tracing
        finally:
            began = time.perf_counter()
            jax.profiler.stop_trace()
            trace_s = time.perf_counter() - began
        tracing.recording = keep(wish, _only_trace(temporary), stem, SUFFIX, trace_s, rank)


def trace(folder: Path, *, keep_trace: Union[bool, Path] = False, name: Optional[str] = None, rank: Optional[int] = None,
          quiet: bool = False, **options: Any) -> ContextManager[Tracing]:
    """As jax.profiler.trace(), but keeps only an .obs file, in the folder. When the block raises, nothing is kept.

    keep_trace=True also keeps the trace, in FOLDER/.traces; a path is another folder for it. name is that of the file, instead
    of time and process. rank is the number of the process in its job, where JAX does not say it. quiet prints no line about
    size and time. Further options are those of `stepstat export`.
    """
    return _tracing(wish_of(folder, keep_trace, name, rank, quiet, options))
