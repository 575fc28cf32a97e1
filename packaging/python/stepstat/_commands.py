# SPDX-License-Identifier: Apache-2.0
"""The commands as functions. Their signatures and texts are made from the table of options."""
from __future__ import annotations

import importlib.util
import inspect
import itertools
import json
from typing import Any, Callable, Dict, List, Mapping, Sequence, Type, TypeVar

from ._arguments import Given, Inputs, Paths, option_names, option_words
from ._program import Error, Output, run
from ._tables import Comparison, Events, Gate, Observations, Report

Function = TypeVar("Function", bound=Callable[..., Any])
Made = TypeVar("Made", bound=Report)

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


def _words(command: str, given: Given, options: Mapping[str, Any], sides: Mapping[str, Inputs]) -> List[str]:
    words = [given.words(value, what) for what, value in sides.items()]
    alone = len(words) == 1 or all(len(side) == 1 for side in words)
    named = [["--" + what, *side] for what, side in zip(sides, words)]
    return [command, *option_words(command, options), *itertools.chain(*(words if alone else named))]


def _report(kind: Type[Made], command: str, options: Mapping[str, Any], sides: Mapping[str, Inputs], accepted: Sequence[int] = (0,)) -> Made:
    with Given() as given:
        words = [*_words(command, given, options, sides), "--to=json"]
        output = run(words, accepted, hidden=given.folder)
    return kind(_document(output, words), output.notes, output.status)


@_of_command("report")
def report(paths: Inputs, **options: Any) -> Report:
    """Mean, spread and share of every op over the steps of a profile: `stepstat report`."""
    return _report(Report, "report", options, {"paths": paths})


@_of_command("compare")
def compare(base: Inputs, new: Inputs, **options: Any) -> Comparison:
    """Which ops changed between two configurations by more than noise: `stepstat compare`."""
    return _report(Comparison, "compare", options, {"base": base, "new": new})


@_of_command("gate")
def gate(base: Inputs, new: Inputs, **options: Any) -> Gate:
    """Red or green: `stepstat gate`. A red gate is a result, not an exception; see Gate.status."""
    return _report(Gate, "gate", options, {"base": base, "new": new}, JUDGED)


@_of_command("export")
def observations(paths: Inputs, **options: Any) -> Observations:
    """What every op took in every step, a row each: `stepstat export`."""
    with Given() as given:
        output = run([*_words("export", given, options, {"paths": paths}), "--to=csv", "-o", "-"], hidden=given.folder)
    return Observations.of_csv("observations", output.text, output.notes)


@_of_command("events")
def events(path: Paths, **options: Any) -> Events:
    """The single events of traces: step, thread, op, start, duration: `stepstat events`."""
    with Given() as given:
        words = _words("events", given, options, {"path": path})
        if importlib.util.find_spec("pyarrow") is None:
            output = run([*words, "--to=csv", "-o", "-"])
            return Events.of_csv("events", output.text, output.notes)
        file = given.file("events.parquet")
        output = run([*words, "-o", file], hidden=given.folder)
        with open(file, "rb") as made:
            return Events.of_parquet(made.read(), output.notes)
