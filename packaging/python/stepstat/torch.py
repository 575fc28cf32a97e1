# SPDX-License-Identifier: Apache-2.0
"""For PyTorch: what on_trace_ready of torch.profiler.profile calls.

    with torch.profiler.profile(schedule=..., on_trace_ready=stepstat.torch.handler("runs/base")) as prof:
        for batch in batches:
            train(batch)
            prof.step()
"""
from __future__ import annotations

import os
import sys
import time
from typing import Any, Optional, Union

from ._arguments import Path
from ._recording import TIMEOUT_S, Recorder, Recording, Wish, file_stem, launched_rank, wish_of

SUFFIX = ".pt.trace.json"


def _rank() -> Optional[int]:
    """The process's number in its job: of torch.distributed, else of the launcher's environment."""
    torch = sys.modules.get("torch")
    distributed = getattr(torch, "distributed", None)
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return int(distributed.get_rank())
    return launched_rank()


class Handler:
    """Called with the profiler when a trace is ready. last is the latest Recording (None before the first); nothing is raised."""

    def __init__(self, wish: Wish) -> None:
        self.recorder = Recorder(wish, SUFFIX)

    @property
    def last(self) -> Optional[Recording]:
        return self.recorder.last

    def __call__(self, profiler: Any) -> None:
        recorder = self.recorder
        with recorder.guard("no trace is kept"), recorder.temporary() as temporary:
            if temporary is None:
                return
            rank = _rank() if recorder.wish.rank is None else recorder.wish.rank
            stem = file_stem(recorder.wish.name, rank)
            trace = os.path.join(temporary, stem + SUFFIX)
            began = time.perf_counter()
            profiler.export_chrome_trace(trace)
            recorder.keep(trace, stem, time.perf_counter() - began, rank)


def handler(folder: Path, *, keep_trace: Union[bool, Path] = False, name: Optional[str] = None, rank: Optional[int] = None,
            quiet: bool = False, timeout: float = TIMEOUT_S, on_error: str = "warn", **options: Any) -> Handler:
    """For torch.profiler.profile(on_trace_ready=...): keeps of each trace an .obs file in the folder.

    keep_trace=True also keeps the trace, in FOLDER/.traces; a path is another folder for it. name is that of the file, instead
    of time and process (a later trace of the same name replaces the earlier one). rank is the number of the process in its
    job, where neither torch.distributed nor the launcher's environment says it. quiet prints no line about size and time.
    The training waits for the program at most timeout seconds. Further options are those of `stepstat export`.

    Wrong options raise OptionError here. Whatever else goes wrong, here or later, raises nothing: the first time it is a
    warning, and last.error says it. A trace of which no .obs can be made is kept as with keep_trace=True.
    on_error="raise" raises it instead, for tests.
    """
    return Handler(wish_of(folder, keep_trace=keep_trace, name=name, rank=rank, quiet=quiet, timeout=timeout, on_error=on_error, **options))
