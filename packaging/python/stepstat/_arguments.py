# SPDX-License-Identifier: Apache-2.0
"""Options of Python become words of the command line.

The table of options is made from the program's own when the package is built (_options.py). Values are the program's to judge.
"""
from __future__ import annotations

import difflib
import os
import shutil
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._options import OPTIONS
from ._program import OptionError

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]
# Files and folders, or tables of other libraries: whatever has __arrow_c_stream__ or __arrow_c_array__.
Inputs = Union[Path, Any, Sequence[Union[Path, Any]]]

# The module itself says what goes to standard output and how.
OWN = {
    "base": "it is the first argument",
    "new": "it is the second argument",
    "to": "the result has .json, .to_pandas(), .to_polars() and .to_arrow(); o=\"ops.csv\" writes a file",
    "help": "help(stepstat.report) lists the options",
    "follow": "call the function again when a run has grown",
    "quiet": "nothing is printed",
    "color": "nothing is printed",
    "bars": "nothing is printed",
    "explain_inputs": "it makes no table: stepstat report --explain-inputs, in a shell",
    "layout": "it makes a sheet: o=\"sheet.csv\" of the command line, in a shell",
    "queries": "it makes a file of SQL: stepstat export --queries, in a shell",
}

# What True and False are of an option that has these words: warmup=True.
SWITCH = {True: "auto", False: "none"}


def paths_of(value: Paths, what: str) -> List[str]:
    """The paths as words; a name that begins with a dash stays a name."""
    if isinstance(value, (str, os.PathLike)):
        value = [value]
    found = []
    try:
        for path in value:
            text = os.fspath(path)
            if not isinstance(text, str):
                raise TypeError
            found.append(os.path.join(".", text) if text.startswith("-") else text)
    except TypeError:
        found_words = "".join(repr(value).splitlines()[:1])[:80]
        raise OptionError("%s: expected a path, a table or several, found %s" % (what, found_words),
                          "a LazyFrame is a table after .collect()" if hasattr(value, "collect") else None) from None
    if not found:
        raise OptionError("%s: no path" % what)
    if "" in found:
        raise OptionError("%s: a path is empty" % what)
    return found


def is_table(value: Any) -> bool:
    """True for what another library holds as a table of Arrow."""
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")


def _write_table(table: Any, file: str) -> None:
    """The table as a file of Parquet, by way of pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise OptionError("a table of %s is an input by way of pyarrow, which is not there" % type(table).__module__.partition(".")[0],
                          "pip install pyarrow, or give the path of a file") from None
    try:
        made = pyarrow.table(table)
        for i, column in enumerate(made.columns):
            if "string_view" in str(column.type):  # of Polars; Parquet has no such type
                plain = [c.dictionary.cast(pyarrow.string()).take(c.indices) if pyarrow.types.is_dictionary(c.type) else c.cast(pyarrow.string())
                         for c in column.chunks]
                made = made.set_column(i, made.column_names[i], pyarrow.chunked_array(plain, pyarrow.string()))
        parquet.write_table(made, file)
    except (pyarrow.ArrowException, ValueError) as error:  # the latter of texts that are no Unicode
        raise OptionError("a table of %s cannot be an input: %s" % (type(table).__module__.partition(".")[0], " ".join(str(error).split()))) from error


class Given:
    """The inputs of one call as words. Tables are files of a temporary folder until the call is over."""

    def __init__(self) -> None:
        self.folder: Optional[str] = None  # with the separator that follows it

    def file(self, name: str) -> str:
        if self.folder is None:
            self.folder = os.path.join(tempfile.mkdtemp(prefix="stepstat-"), "")
        return self.folder + name

    def words(self, value: Inputs, what: str) -> List[str]:
        values = [value] if is_table(value) or isinstance(value, (str, os.PathLike)) else value
        if not isinstance(values, (list, tuple)) or not any(map(is_table, values)):
            return paths_of(value, what)
        found = []
        for number, one in enumerate(values, 1):
            if is_table(one):
                name = what if what in ("base", "new") else "table"
                file = self.file("%s%s.parquet" % (name, "-%d" % number if len(values) > 1 else ""))
                _write_table(one, file)
                found.append(file)
            else:
                found += paths_of(one, what)
        return found

    def __enter__(self) -> "Given":
        return self

    def __exit__(self, *_: Any) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def option_names(command: str) -> Dict[str, Tuple[str, str, str, str]]:
    """The options of the command by their names in Python: (word, argument, many, help)."""
    return {name: spec for name, spec in OPTIONS[command].items() if name not in OWN}


def _unknown(command: str, name: str) -> OptionError:
    names = option_names(command)
    if name in OWN and name in OPTIONS[command]:
        return OptionError("%s: the option %s is not for Python" % (command, name), OWN[name])
    others = [other for other in OPTIONS if name in option_names(other)]
    if others:
        return OptionError("%s has no option %s" % (command, name), "it is an option of %s" % " and ".join(others))
    near = difflib.get_close_matches(name.strip("-").replace("-", "_"), names, 1, 0.5)
    return OptionError("%s has no option %s" % (command, name),
                       "did you mean %s?" % near[0] if near else "its options: %s" % ", ".join(sorted(names)))


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float, os.PathLike)):
        raise OptionError("%s: expected a text or a number, found %r" % (name, value))
    text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    if not isinstance(text, str):
        raise OptionError("%s: expected a text, found %r" % (name, value))
    if "\0" in text:
        raise OptionError("%s: a byte 0 in %r" % (name, value))
    return text


def _words(name: str, spec: Tuple[str, str, str, str], value: Any) -> List[str]:
    word, argument, many = spec[:3]
    if isinstance(value, bool) and SWITCH[value] in argument.split("|"):
        value = SWITCH[value]
    if value is None or (value is False and not argument):
        return []
    if not argument:
        if value is not True:
            raise OptionError("%s: expected True or False, found %r" % (name, value))
        return [word]
    if isinstance(value, range):
        if not value:
            raise OptionError("%s: %r is empty" % (name, value))
        if min(value) < 0:
            raise OptionError("%s: a number below 0 in %r" % (name, value))
        value = "%d:%d" % (value[0], value[-1]) if value.step == 1 else list(value)
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(values) != 1 and not many:
        raise OptionError("%s: expected one value, found %r" % (name, value))
    texts = [_text(name, v) for v in values]
    if not texts:
        return []
    if many == "join":
        texts = [",".join(texts)]
    if not word.startswith("--"):
        return [w for text in texts for w in (word, text)]
    return ["%s=%s" % (word, text) for text in texts]


def option_words(command: str, options: Mapping[str, Any]) -> List[str]:
    """The options as words for the command. Raises OptionError, with the nearest name for an unknown one."""
    names = option_names(command)
    words: List[str] = []
    for name, value in options.items():
        if name not in names:
            raise _unknown(command, name)
        words += _words(name, names[name], value)
    return words
