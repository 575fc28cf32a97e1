# SPDX-License-Identifier: Apache-2.0
"""The program: where it is, how it is run, and what its messages say.

It does not know what the options mean, nor what is in the outputs.
"""
from __future__ import annotations

import importlib.metadata
import os
import re
import signal
import subprocess
import sys
import sysconfig
import threading
from typing import IO, List, NamedTuple, Optional, Sequence, Union

from ._options import VERSION

# What progress looks like on a terminal: "\rreading: 1.0 of 9.0 MB\033[K", and "\r\033[K" when it is over.
PROGRESS = re.compile(rb"\r(reading:[^\r\n\033]*)?\033\[K")
PREFIX = "stepstat: "


class Error(Exception):
    """The program ended without a result.

    message says what is wrong and where, hint what to do (None: there is no hint), status is the exit status:
    2 for wrong options, 3 for inputs that cannot be used or outputs that cannot be written, negative for a signal.
    notes are further lines, command is what was run.
    """

    def __init__(self, message: str, hint: Optional[str] = None, status: int = 3,
                 notes: Sequence[str] = (), command: Sequence[str] = ()) -> None:
        super().__init__(message if hint is None else "%s\nhint: %s" % (message, hint))
        self.message = message
        self.hint = hint
        self.status = status
        self.notes = list(notes)
        self.command = list(command)


class OptionError(Error, TypeError):
    """An option that the command does not have, or a value that an option cannot have."""

    def __init__(self, message: str, hint: Optional[str] = None, status: int = 2,
                 notes: Sequence[str] = (), command: Sequence[str] = ()) -> None:
        super().__init__(message, hint, status, notes, command)


class NotFoundError(Error, FileNotFoundError):
    """An input, or a file of rules, that is not there."""


class Output(NamedTuple):
    """What a run of the program gave."""

    status: int
    text: str
    notes: List[str]


def version() -> str:
    """The version of the program that this package was made with."""
    return VERSION


def _candidates() -> List[str]:
    """Where an installer may have put the program: the places that it wrote down, then the usual ones."""
    places = []
    try:
        for file in importlib.metadata.distribution("stepstat").files or []:
            if file.name == "stepstat":
                places.append(str(file.locate()))
    except importlib.metadata.PackageNotFoundError:
        pass
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places.append(os.path.join(sysconfig.get_path("scripts"), "stepstat"))
    places.append(os.path.join(above, "bin", "stepstat"))
    return places


def program() -> str:
    """The path of the program that is run."""
    chosen = os.environ.get("STEPSTAT")
    if chosen:
        return chosen
    places = _candidates()
    for place in places:
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return os.path.normpath(place)
    raise Error("the program stepstat is not where this package was installed: looked at %s" % ", ".join(places),
                "install the wheel again, or set STEPSTAT to the path of the program")


def _is_notebook(stream: object) -> bool:
    return type(stream).__module__.startswith("ipykernel")


class _Progress:
    """Takes progress out of what the program writes on standard error and shows it; keeps the messages."""

    def __init__(self, stream: Optional[IO[str]]) -> None:
        self.stream = stream
        self.pending = b""
        self.messages = b""
        self.width = 0

    def show(self, text: str) -> None:
        # A notebook knows "\r", but not how to clear the rest of a line.
        if self.stream is not None:
            self.stream.write("\r" + text.ljust(self.width) + ("" if text else "\r"))
            self.stream.flush()
        self.width = len(text)

    def feed(self, data: bytes) -> None:
        self.pending += data
        while True:
            match = PROGRESS.search(self.pending)
            if match is None:
                break
            self.messages += self.pending[:match.start()]
            self.pending = self.pending[match.end():]
            self.show((match.group(1) or b"").decode())

    def read(self, descriptor: int) -> None:
        while True:
            try:
                data = os.read(descriptor, 65536)
            except OSError:  # a terminal whose other side is closed
                data = b""
            if not data:
                break
            self.feed(data)
        self.messages += self.pending
        os.close(descriptor)


def _progress_stream() -> Optional[IO[str]]:
    """Where progress is shown: a terminal or a notebook; elsewhere nowhere."""
    stream = sys.stderr
    try:
        if stream is not None and (_is_notebook(stream) or stream.isatty()):
            return stream
    except ValueError:  # closed
        pass
    return None


MISSING = re.compile(r"^.*: cannot open(?: the [a-z ]+)?: No such file or directory$", re.M)


def _failure(status: int, messages: Sequence[str], words: Sequence[str]) -> Error:
    plain = [m for m in messages if not m.startswith(("hint: ", "note: "))]
    hints = [m[len("hint: "):] for m in messages if m.startswith("hint: ")]
    notes = [m[len("note: "):] for m in messages if m.startswith("note: ")]
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = str(-status)
        plain.append("the program was ended by signal %s" % name)
    message = "\n".join(plain) or "the program ended with status %d and no message" % status
    kind = NotFoundError if MISSING.search(message) else OptionError if status == 2 else Error
    return kind(message, "\n".join(hints) or None, status, notes, words)


class _Clock:
    """Ends a process, and those that it started, when its time is over."""

    def __init__(self, process: "subprocess.Popen[bytes]", timeout_s: Optional[float]) -> None:
        self.process = process
        self.over = False
        self.timer = None if timeout_s is None else threading.Timer(min(timeout_s, threading.TIMEOUT_MAX), self._end)
        if self.timer is not None:
            self.timer.daemon = True
            self.timer.start()

    def _end(self) -> None:
        self.over = True
        for number in (signal.SIGTERM, signal.SIGKILL):  # upon the first it removes its temporary files
            try:
                os.killpg(self.process.pid, number)
                if number == signal.SIGTERM:
                    self.process.wait(2)
            except (OSError, subprocess.TimeoutExpired):
                pass

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()


def run(words: Sequence[str], accepted: Sequence[int] = (0,), stdin: Union[int, IO[bytes]] = subprocess.DEVNULL,
        folder: Optional[str] = None, timeout_s: Optional[float] = None, hidden: Optional[str] = None) -> Output:
    """Runs the program with these words, in the folder (None: the current one), at most for the time. Raises Error when its status is not among the accepted ones,
    or when it is one of them other than 0 and nothing was written. What it writes is returned without `hidden`, where temporary files are."""
    path = program()
    command = [os.path.abspath(path) if folder and os.sep in path else path, *words]
    stream = _progress_stream()
    if stream is None:
        reading, writing = os.pipe()
    else:
        import pty  # not on every system, and needed only here
        reading, writing = pty.openpty()
    progress = _Progress(stream)
    try:
        # Messages do not depend on the locale.
        process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=writing, cwd=folder,
                                   env={**os.environ, "LC_ALL": "C.UTF-8"}, start_new_session=timeout_s is not None)
    except OSError as error:
        os.close(reading)
        raise Error("%s: cannot be run: %s" % (command[0], error.strerror), None, 3, (), command) from error
    finally:
        os.close(writing)
    thread = threading.Thread(target=progress.read, args=(reading,))
    thread.start()
    clock = _Clock(process, timeout_s)
    try:
        assert process.stdout is not None
        text = process.stdout.read()
        status = process.wait()
    except BaseException:
        process.terminate()  # upon which it removes its temporary files
        process.wait()
        raise
    finally:
        clock.stop()
        thread.join()
        if process.stdout is not None:
            process.stdout.close()
    said = progress.messages.decode("utf-8", "replace")
    written = text.decode("utf-8", "replace")
    if hidden:
        said, written = said.replace(hidden, ""), written.replace(hidden, "")
    lines = said.replace("\r\n", "\n").splitlines()
    messages = [line[len(PREFIX):] if line.startswith(PREFIX) else line for line in lines if line]
    if clock.over:
        messages.append("the program was ended after %s s" % timeout_s)
    if status not in accepted or (status and not text):
        raise _failure(status, messages, command)
    return Output(status, written,
                  [m[len("note: "):] if m.startswith("note: ") else m for m in messages])
