# SPDX-License-Identifier: Apache-2.0
"""The commands as functions. Their signatures and texts are made from the table of options."""
from __future__ import annotations

import inspect
import json
from typing import Any, Callable, Dict, List, TypeVar

from ._arguments import Paths, option_names, option_words, paths_of
from ._program import Error, Output, run
from ._tables import Comparison, Events, Gate, Observations, Report

Function = TypeVar("Function", bound=Callable[..., Any])

# The statuses with which a gate has judged; 3 only where it wrote why it could not.
JUDGED = (0, 1, 3, 4, 5)


def _of_command(command: str) -> Callable[[Function], Function]:
    """Gives the function the options of the command: in its signature for editors, in its text for help()."""
    def decorate(function: Function) -> Function:
        plain = [p for p in inspect.signature(function).parameters.values() if p.kind != p.VAR_KEYWORD]
        given = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in option_names(command)]
        setattr(function, "__signature__", inspect.Signature(plain + given))
        lines = []
        for name, (_, argument, _, text) in option_names(command).items():
            lines.append("    %s=%s\n        %s" % (name, argument or "True", text))
        function.__doc__ = "%s\n\nOptions:\n%s\n" % ((function.__doc__ or "").rstrip(), "\n".join(lines))
        return function
    return decorate


def _document(output: Output, words: List[str]) -> Dict[str, Any]:
    try:
        document = json.loads(output.text)
    except ValueError:
        raise Error("the program wrote no JSON", None, output.status, output.notes, words) from None
    if not isinstance(document, dict):
        raise Error("the program wrote no report", None, output.status, output.notes, words)
    return document


def _sides(base: Paths, new: Paths) -> List[str]:
    first, second = paths_of(base, "base"), paths_of(new, "new")
    if len(first) == len(second) == 1:
        return first + second
    return ["--base", *first, "--new", *second]


@_of_command("report")
def report(paths: Paths, **options: Any) -> Report:
    """Mean, spread and share of every op over the steps of a profile: `stepstat report`."""
    words = ["report", *option_words("report", options), "--to=json", *paths_of(paths, "paths")]
    output = run(words)
    return Report(_document(output, words), output.notes, output.status)


@_of_command("compare")
def compare(base: Paths, new: Paths, **options: Any) -> Comparison:
    """Which ops changed between two configurations by more than noise: `stepstat compare`."""
    words = ["compare", *option_words("compare", options), "--to=json", *_sides(base, new)]
    output = run(words)
    return Comparison(_document(output, words), output.notes, output.status)


@_of_command("gate")
def gate(base: Paths, new: Paths, **options: Any) -> Gate:
    """Red or green: `stepstat gate`. A red gate is a result, not an exception; see Gate.status."""
    words = ["gate", *option_words("gate", options), "--to=json", *_sides(base, new)]
    output = run(words, JUDGED)
    return Gate(_document(output, words), output.notes, output.status)


@_of_command("export")
def observations(paths: Paths, **options: Any) -> Observations:
    """What every op took in every step, a row each: `stepstat export`."""
    words = ["export", *option_words("export", options), "--to=csv", *paths_of(paths, "paths")]
    output = run(words)
    return Observations.of_csv("observations", output.text, output.notes)


@_of_command("events")
def events(path: Paths, **options: Any) -> Events:
    """The single events of traces: step, thread, op, start, duration: `stepstat events`."""
    words = ["events", *option_words("events", options), "--to=csv", *paths_of(path, "path")]
    output = run(words)
    return Events.of_csv("events", output.text, output.notes)
