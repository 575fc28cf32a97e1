# SPDX-License-Identifier: Apache-2.0
"""Callbacks that record some steps of a training, for trainers that have the loop in themselves.

    lightning.pytorch.Trainer(callbacks=[stepstat.callbacks.lightning("runs/base")])
    transformers.Trainer(..., callbacks=[stepstat.callbacks.transformers("runs/base")])
    model.fit(..., callbacks=[stepstat.callbacks.keras("runs/base")])

Between other steps a callback compares two numbers. As with stepstat.torch.handler nothing is raised into the training.
"""
from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from typing import Any, Callable, ContextManager, Dict, List, Optional

from . import jax as _jax
from . import torch as _torch
from ._arguments import Path
from ._program import Error, OptionError
from ._recording import Recorder, Recording, Wish, launched_rank, wish_of

# Steps are counted from 0. The first ones compile and warm up.
RECORD = range(10, 30)


class _TorchWindow:
    """The steps, by a profiler of PyTorch that is there only while they run; the step before them is its warm-up."""

    def __init__(self, wish: Wish, record: range) -> None:
        self._handler = _torch.Handler(wish)
        self.recorder = self._handler.recorder
        self._record = record
        self._profiler: Any = None
        self._done = 0

    def _keep(self, profiler: Any) -> None:
        """A trace is ready; that of a training which ended where its first step should begin holds none."""
        if self._done > self._record.start:
            self._handler(profiler)

    def begin(self, done: int) -> None:
        """Steps are done, the next one begins."""
        if self._profiler is None and done == max(self._record.start - 1, 0):
            with self.recorder.guard("nothing is recorded"):
                profiler = importlib.import_module("torch").profiler
                made = profiler.profile(schedule=lambda step: self._action(profiler.ProfilerAction, step), on_trace_ready=self._keep)
                made.step_num = done
                made.start()
                self._profiler = made

    def _action(self, actions: Any, step: int) -> Any:
        if step < self._record.start:
            return actions.WARMUP
        return actions.RECORD_AND_SAVE if step == self._record[-1] else actions.RECORD if step < self._record.stop else actions.NONE

    def end(self, done: int) -> None:
        """A step has ended; so many are done."""
        self._done = done
        if self._profiler is not None:
            with self.recorder.guard("the window ends here"):
                self._profiler.step()
                if done < self._record.stop:
                    return
            self.close()

    def close(self) -> None:
        """The training is over, perhaps within the window: what is recorded is kept."""
        profiler, self._profiler = self._profiler, None
        if profiler is not None:
            with self.recorder.guard("no trace is kept"):
                profiler.stop()


class _Tensorflow:
    """TensorFlow's profiler, whose traces have the form of JAX's."""

    name = "TensorFlow"

    def __init__(self) -> None:
        self._profiler = importlib.import_module("tensorflow").profiler.experimental
        self.start, self.stop, self.rank = self._profiler.start, self._profiler.stop, launched_rank

    def step(self, number: int) -> ContextManager[Any]:
        trace: ContextManager[Any] = self._profiler.Trace("train", step_num=number, _r=1)
        return trace


class _XplaneWindow:
    """The steps, by JAX's or TensorFlow's profiler."""

    def __init__(self, wish: Wish, record: range, kind: Callable[[], Any]) -> None:
        self.recorder = Recorder(wish, _jax.SUFFIX)
        self._record = record
        self._kind = kind
        self._open: Optional[contextlib.ExitStack] = None
        self._tracing = _jax.Tracing()
        self._step: Optional[ContextManager[Any]] = None

    def begin(self, done: int) -> None:
        if self._open is None and done == self._record.start:
            with contextlib.ExitStack() as stack:
                self._tracing = stack.enter_context(_jax.tracing_of(self.recorder, self._kind))
                self._open = stack.pop_all()
        if self._open is not None and self._tracing.profiler is not None:
            with self.recorder.guard("a step has no mark"):
                step = self._tracing.profiler.step(done)
                step.__enter__()
                self._step = step

    def end(self, done: int) -> None:
        step, self._step = self._step, None
        if step is not None:
            with self.recorder.guard("a step has no mark"):
                step.__exit__(None, None, None)
        if done >= self._record.stop:
            self.close()

    def close(self) -> None:
        stack, self._open = self._open, None
        if stack is not None:
            stack.close()


def _methods(window: Any, record: range, begins: str, step_begins: Optional[str], step_ends: str, ends: List[str]) -> Dict[str, Any]:
    """The methods of a callback by the names that its trainer calls. Arguments are the trainer's and not looked at."""
    done = 0
    before: Any = None  # the latest Recording when the training began

    def begin(*_: Any, **__: Any) -> None:
        nonlocal done, before
        done, before = 0, window.recorder.last
        if step_begins is None:
            window.begin(0)

    def step_begin(*_: Any, **__: Any) -> None:
        window.begin(done)

    def step_end(*_: Any, **__: Any) -> None:
        nonlocal done
        done += 1
        window.end(done)
        if step_begins is None:
            window.begin(done)

    def end(*_: Any, **__: Any) -> None:
        window.close()
        if done <= record.start and window.recorder.last is before:
            with window.recorder.guard("nothing is recorded"):
                raise Error("the training had %d step%s, record begins at %d" % (done, "" if done == 1 else "s", record.start))

    found = {begins: begin, step_ends: step_end, **dict.fromkeys(ends, end)}
    return found if step_begins is None else {**found, step_begins: step_begin}


def _callback(base: Any, window: Any, methods: Dict[str, Any], make: Callable[[], Any]) -> Any:
    def last(_: Any) -> Optional[Recording]:
        """The latest Recording; None before the first."""
        recording: Optional[Recording] = window.recorder.last
        return recording

    def reduce(_: Any) -> Any:
        """A copy, in another process say, is made anew by the same call: it has recorded nothing."""
        return make, ()
    return type("Callback", (base,), {"__doc__": "Made by stepstat.callbacks.", "last": property(last), "__reduce__": reduce, **methods})()


def _checked(record: range) -> range:
    if not isinstance(record, range) or not record or record.start < 0 or record.step != 1:
        raise OptionError("record: expected the numbers of steps from 0 on, as range(10, 30), found %r" % (record,))
    return record


def lightning(folder: Path, *, record: range = RECORD, **options: Any) -> Any:
    """For Trainer(callbacks=[...]) of Lightning: keeps an .obs file of these batches. Options are those of stepstat.torch.handler."""
    window = _TorchWindow(wish_of(folder, **options), _checked(record))
    # Lightning has two names; the one that the training has imported is the one whose Trainer it makes.
    module = "pytorch_lightning" if "pytorch_lightning" in sys.modules and "lightning.pytorch" not in sys.modules else "lightning.pytorch"
    return _callback(importlib.import_module(module).Callback, window,
                     _methods(window, record, "on_train_start", None, "on_train_batch_end", ["on_train_end", "on_exception"]),
                     functools.partial(lightning, folder, record=record, **options))


def transformers(folder: Path, *, record: range = RECORD, **options: Any) -> Any:
    """For Hugging Face's Trainer(callbacks=[...]): keeps an .obs file of these steps. Options are those of stepstat.torch.handler."""
    window = _TorchWindow(wish_of(folder, **options), _checked(record))
    return _callback(importlib.import_module("transformers").TrainerCallback, window,
                     _methods(window, record, "on_train_begin", None, "on_step_end", ["on_train_end"]),
                     functools.partial(transformers, folder, record=record, **options))


def keras(folder: Path, *, record: range = RECORD, **options: Any) -> Any:
    """For fit(callbacks=[...]) of Keras, with the profiler of its backend: keeps an .obs file of these batches. Options are those of
    stepstat.torch.handler."""
    module = importlib.import_module("keras")
    backend = module.backend.backend()
    if backend not in ("jax", "tensorflow", "torch"):
        raise OptionError("keras: no profiler is known of the backend %s" % backend, "it is for jax, tensorflow and torch")
    window: Any = None
    if backend == "torch":
        window = _TorchWindow(wish_of(folder, **options), _checked(record))
    else:
        window = _XplaneWindow(wish_of(folder, **options), _checked(record), _jax.Jax if backend == "jax" else _Tensorflow)
    return _callback(module.callbacks.Callback, window,
                     _methods(window, record, "on_train_begin", "on_train_batch_begin", "on_train_batch_end", ["on_train_end"]),
                     functools.partial(keras, folder, record=record, **options))
