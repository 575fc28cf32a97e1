#!/usr/bin/env python3
"""Makes the wheel, or only the package's modules with what is generated for them.

usage: build.py --program PROGRAM --wheel FOLDER    writes FOLDER/stepstat-VERSION-py3-none-TAG.whl and prints its name
       build.py --program PROGRAM --modules FOLDER  writes FOLDER/stepstat/: for development, with STEPSTAT=PROGRAM

The table of options is made of cli/options/options.def, and held against the help of PROGRAM: one that is older than the sources
is refused. A program of another processor is run by another one: --under=qemu-aarch64-static. The same inputs give the same bytes: files are sorted, times are fixed (SOURCE_DATE_EPOCH, or the first of
January 1980, where ZIP's time begins). Nothing but Python's own library is needed, and no network.
"""
import argparse
import base64
import copy
import glob
import hashlib
import json
import keyword
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from urllib.parse import quote

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
# A static program needs no library, neither glibc nor musl, so it runs where any of these does. By the machine of its ELF header.
MACHINES = {b"\x3e\x00": "x86_64", b"\xb7\x00": "aarch64"}
PLATFORMS = ("manylinux_2_17_%s", "manylinux2014_%s", "musllinux_1_1_%s")
UNDER = []  # what runs the program
COMMANDS = (("report", "R"), ("compare", "C"), ("gate", "G"), ("export", "E"), ("events", "V"))
# Of the program, and of the module, which starts it.
LICENCE = "GPL-3.0-or-later"
LICENCES = LICENCE + " AND Apache-2.0"
APACHE = "SPDX-License-Identifier: Apache-2.0"
TFPROF = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/stepstat" tfprof "$@"
"""


def fail(message):
    sys.exit("packaging/python/build.py: " + message)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def arguments_of(text):
    """The arguments of each OPTION(...), as lists of tokens: texts with their quotes, words, signs."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    entries, entry, depth = [], None, 0
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[\w.]+|[(),]|\S', text):
        if depth == 0:
            entry = [[]] if token == "OPTION" else entry
            depth += token == "("
        elif token == ")" and depth == 1:
            entries.append(entry)
            depth = 0
        elif token == "," and depth == 1:
            entry.append([])
        else:
            depth += (token == "(") - (token == ")")
            entry[-1].append(token)
    return entries


def joined(tokens):
    """The text that C makes of texts that stand side by side."""
    return "".join(re.sub(r"\\(.)", r"\1", token[1:-1]) for token in tokens if token.startswith('"'))


class Option:
    def __init__(self, entry):
        self.name = entry[0][0]
        self.has_words = entry[1] == ["WORDS"]
        self.argument = joined(entry[1])
        self.letters = set(entry[3])
        self.help = joined(entry[6])
        kind = entry[7][0]
        self.word = "-" + self.name if len(self.name) == 1 else "--" + self.name.replace("_", "-")
        self.python = self.name + "_" if keyword.iskeyword(self.name) else self.name
        # Several values: each with the option again, or one after the other with commas.
        self.many = ""
        if kind in ("RULE", "STEPS") or "repeatable" in self.help or self.name == "rules":
            self.many = "repeat"
        elif "," in self.argument:
            self.many = "join"


def help_of(program, command):
    """The options of the command as the program's help has them: {word: (argument, text)}."""
    shown = subprocess.run([*UNDER, program, command, "--help=all"], stdout=subprocess.PIPE, check=True).stdout.decode()
    found = {}
    for match in re.finditer(r"^  (--?[a-z][a-z-]*)(?:(?:=| (?=[A-Z]))(\S+))? +(.*)$", shown, re.M):
        found[match.group(1)] = (match.group(2) or "", match.group(3))
    return found


def spelling(option, word, sign):
    """A word of the option that is an option by itself: --per-run of --per=run."""
    made = copy.copy(option)
    made.word, made.argument, made.help = word, "VALUE" if sign else "", "a value of " + option.word
    made.name = made.python = word[2:].replace("-", "_")
    made.has_words, made.many = False, ""
    return made


def option_tables(program):
    """{command: [Option]}; fails where the sources and the program differ."""
    options = [Option(entry) for entry in arguments_of(read(os.path.join(TOP, "cli/options/options.def")))]
    tables = {}
    for command, letter in COMMANDS:
        shown = help_of(program, command)
        mine = [option for option in options if letter in option.letters]
        names = {option.word for option in mine}
        if names != set(shown):
            fail("%s %s has not the options of cli/options/options.def: %s" % (
                program, command, ", ".join(sorted(names ^ set(shown)))))
        table = []
        for option in mine:
            argument, text = shown[option.word]
            if not option.has_words and argument != option.argument:
                fail("%s %s: %s=%s is %s in cli/options/options.def" % (program, command, option.word, argument, option.argument))
            # -o has a text of its own for some commands; other texts may have one part for each kind of command.
            if option.name != "o" and not text.startswith(tuple(re.split("; (?:comparing|exporting|ab): ", option.help))):
                fail("%s %s: the help of %s is not that of cli/options/options.def" % (program, command, option.word))
            made = copy.copy(option)
            made.argument, made.help = argument, text
            table.append(made)
            table += [spelling(option, *also) for also in re.findall(r"(--[a-z-]+)(=?)", "".join(re.findall(r"\(also (--.*)\)$", text)))]
        tables[command] = table
    return tables


def options_module(tables, version):
    lines = ["# " + APACHE, '"""Made by build.py of cli/options/options.def: the options of each command."""', "from typing import Dict, Tuple", "",
             "VERSION = %r" % version, "# By the name in Python: the word, its argument, several values (repeat, join, \"\": one), help.",
             "OPTIONS: Dict[str, Dict[str, Tuple[str, str, str, str]]] = {"]
    for command, table in tables.items():
        lines.append("    %r: {" % command)
        lines += ["        %r: %r," % (o.python, (o.word, o.argument, o.many, o.help)) for o in table]
        lines.append("    },")
    return "\n".join(lines + ["}", ""])


def type_of(option):
    if not option.argument:
        return "bool"
    if option.has_words and not re.search("[A-Z:]", option.argument):
        return "Literal[%s]" % ", ".join('"%s"' % word for word in option.argument.split("|"))
    return "Values" if option.many else "Value"


def declarations(tables, own):
    """Types for editors and checkers; the functions themselves have the same options by the same table."""
    def function(command, name, arguments, result):
        options = ["%s: Optional[%s] = ..." % (o.python, type_of(o)) for o in tables[command] if o.python not in own]
        return "def %s(%s, *,\n    %s) -> %s: ..." % (name, arguments, ",\n    ".join(options), result)
    return "\n".join(["# " + APACHE,
        '"""Made by build.py of cli/options/options.def."""',
        "from os import PathLike", "from typing import Any, Literal, Optional, Protocol, Sequence, Union", "",
        "from . import callbacks as callbacks, jax as jax, torch as torch",
        "from ._program import Error as Error, NotFoundError as NotFoundError, OptionError as OptionError, program as program, version as version",
        "from ._tables import (Comparison as Comparison, Events as Events, Gate as Gate, Observations as Observations,",
        "    Report as Report, Table as Table)", "",
        "class Stream(Protocol):", "    def __arrow_c_stream__(self, requested_schema: Any = ...) -> Any: ...", "",
        "class Array(Protocol):", "    def __arrow_c_array__(self, requested_schema: Any = ...) -> Any: ...", "",
        "Path = Union[str, PathLike[str]]", "Paths = Union[Path, Sequence[Path]]",
        "Input = Union[Path, Stream, Array]", "Inputs = Union[Input, Sequence[Input]]",
        "Value = Union[str, int, float, PathLike[str]]", "Values = Union[Value, Sequence[Value]]", "__version__: str", "",
        function("report", "report", "paths: Inputs", "Report"),
        function("compare", "compare", "base: Inputs, new: Inputs", "Comparison"),
        function("gate", "gate", "base: Inputs, new: Inputs", "Gate"),
        function("export", "observations", "paths: Inputs", "Observations"),
        function("events", "events", "path: Paths", "Events"), ""])


def own_options():
    """The options that the module sets itself."""
    text = read(os.path.join(HERE, "stepstat/_arguments.py"))
    return set(re.findall(r'^    "(\w+)":', text[text.index("OWN = {"):text.index("}\n", text.index("OWN = {"))], re.M))


def modules(program, version):
    """{name in the wheel: bytes} of the package."""
    tables = option_tables(program)
    made = {"stepstat/_options.py": options_module(tables, version).encode(),
            "stepstat/__init__.pyi": declarations(tables, own_options()).encode()}
    for path in glob.glob(os.path.join(HERE, "stepstat/*.py")) + [os.path.join(HERE, "stepstat/py.typed")]:
        with open(path, "rb") as file:
            made["stepstat/" + os.path.basename(path)] = file.read()
    return made


def licences(program, info, version):
    """{name in the wheel: bytes}: the licences of all that is in the program, and a list of it (CycloneDX), as the program itself says them."""
    text = subprocess.run([*UNDER, program, "--licences"], stdout=subprocess.PIPE, check=True).stdout
    table = re.search(r"\npackage version source version-of-source\n((?:\S+ \S+ \S+ \S+\n)+)\n", text.decode())
    if not table:
        fail("%s --licences has no table of what is linked into it: scripts/static makes a program that has" % program)
    whole = {"type": "application", "bom-ref": "stepstat", "name": "stepstat", "version": version,
             "licenses": [{"expression": LICENCES}], "purl": "pkg:pypi/stepstat@" + version}
    parts = []
    for package, number, source, of_source in (line.split() for line in table.group(1).splitlines()):
        name = "pkg:deb/debian/%s@%s" % (quote(package), quote(number, safe="~"))
        parts.append({"type": "library", "bom-ref": name, "name": package, "version": number, "purl": name,
                      "properties": [{"name": "debian:source", "value": "%s=%s" % (source, of_source)}]})
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": whole}, "components": parts,
            "dependencies": [{"ref": "stepstat", "dependsOn": [part["bom-ref"] for part in parts]}]}
    own = {"%s/licenses/%s" % (info, name): read(os.path.join(TOP, name)).encode() for name in ("COPYING", "COPYING.APACHE", "COPYING.OUTPUT")}
    return {**own, info + "/licenses/NOTICES": text, info + "/sboms/stepstat.cdx.json": json.dumps(bill, indent=1).encode()}


def metadata(version, notices):
    """The text of METADATA; where the source is as the program's own notices say it, once a release has filled that in."""
    source = ["Project-URL: Source, " + at for at in re.findall(r"^Its source is at (\S+)[.]$", notices, re.M)[:1]]
    return "\n".join([
        "Metadata-Version: 2.4", "Name: stepstat", "Version: " + version,
        "Summary: statistics of step-by-step profiles of machine-learning runs", "License-Expression: " + LICENCES,
        "License-File: COPYING", "License-File: COPYING.APACHE", "License-File: COPYING.OUTPUT", "License-File: NOTICES",
        "Keywords: profiling,benchmark,pytorch,jax,tensorflow,statistics,regression",
        "Classifier: Development Status :: 4 - Beta", "Classifier: Environment :: Console",
        "Classifier: Operating System :: POSIX :: Linux", "Classifier: Programming Language :: Python :: 3",
        "Classifier: Topic :: Software Development :: Testing", "Classifier: Typing :: Typed", "Requires-Python: >=3.9",
        *source, "Description-Content-Type: text/markdown", "", read(os.path.join(HERE, "README.md"))]).encode()


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return "%s,sha256=%s,%d" % (name, digest, len(data))


def wheel(program, folder, version):
    with open(program, "rb") as file:
        binary = file.read()
    machine = MACHINES.get(binary[18:20]) if binary[:4] == b"\x7fELF" else None
    if not machine:
        fail("%s is no program for %s" % (program, " or ".join(MACHINES.values())))
    platforms = [platform % machine for platform in PLATFORMS]
    if b"/lib64/ld-linux" in binary or b"/lib/ld-linux" in binary:
        fail("%s needs libraries where it runs: scripts/static makes one that does not" % program)
    info = "stepstat-%s.dist-info" % version
    scripts = "stepstat-%s.data/scripts/" % version
    files = modules(program, version)
    files.update(licences(program, info, version))
    files[scripts + "stepstat"] = binary
    files[scripts + "tfprof"] = TFPROF.encode()
    files[info + "/METADATA"] = metadata(version, files[info + "/licenses/NOTICES"].decode())
    files[info + "/WHEEL"] = "".join(
        ["Wheel-Version: 1.0\nGenerator: stepstat packaging/python/build.py\nRoot-Is-Purelib: false\n"] +
        ["Tag: py3-none-%s\n" % platform for platform in platforms]).encode()
    order = sorted(name for name in files if not name.startswith(info)) + sorted(name for name in files if name.startswith(info))
    record = "\n".join([record_line(name, files[name]) for name in order] + [info + "/RECORD,,", ""])
    files[info + "/RECORD"] = record.encode()
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "stepstat-%s-py3-none-%s.whl" % (version, ".".join(platforms)))
    with zipfile.ZipFile(path + ".part", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in order + [info + "/RECORD"]:
            member = zipfile.ZipInfo(name, moment[:6])
            member.create_system = 3
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o100755 if name.startswith(scripts) else 0o100644) << 16
            archive.writestr(member, files[name])
    os.replace(path + ".part", path)
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--under", metavar="PROGRAM", action="append", default=[])
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--wheel")
    where.add_argument("--modules")
    options = parser.parse_args()
    UNDER.extend(options.under)
    program = os.path.abspath(options.program)
    version = re.search(r"AC_INIT\(\[stepstat\], \[([^]]*)\]", read(os.path.join(TOP, "configure.ac"))).group(1)
    said = subprocess.run([*UNDER, program, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().split()[1]
    if said != version:
        fail("%s is version %s, the sources are %s" % (program, said, version))
    if options.wheel:
        return wheel(program, options.wheel, version)
    folder = os.path.join(options.modules, "stepstat")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, data in modules(program, version).items():
        with open(os.path.join(options.modules, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
