"""Types at the prompt of a program on a pseudo-terminal: type_at_prompt.py PROGRAM ARGUMENT... <KEYS

A line of KEYS is a Python bytes literal without its quotes, typed at once; shown is what the program then printed from
"Doc:" to its next prompt. Behind the last line the program must end.
"""
import os
import pty
import re
import select
import sys
import termios
import time

PROMPT = b"tfprof> "
END = time.monotonic() + 120  # of all together: a slow machine is no error


def more(fd):
    """What came next; empty at the end."""
    if not select.select([fd], [], [], max(0, END - time.monotonic()))[0]:
        sys.exit("nothing came; so far: %r" % seen)
    try:
        return os.read(fd, 65536)
    except OSError:  # Linux says so when the other side is closed
        return b""


def check_keys(fd):
    """Where the prompt is, the terminal takes single keys already: Ctrl-C is one of them and no signal."""
    if termios.tcgetattr(fd)[3] & (termios.ICANON | termios.ISIG):
        sys.exit("the prompt came before the terminal was taken")


keys = sys.stdin.read().splitlines()
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "vt100"
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
while PROMPT not in seen:
    got = more(terminal)
    if not got:
        sys.exit("no prompt: %r" % seen)
    seen += got
print("prompt")
for line in keys:
    check_keys(terminal)
    os.write(terminal, line.encode().decode("unicode_escape").encode("latin-1"))
    seen, view = b"", None
    while line != keys[-1] and not view:
        got = more(terminal)
        if not got:
            sys.exit("ended early: %r" % seen)
        seen += got
        view = re.search(rb"Doc:\r\n.*Profile:\r\n.*\r\n" + PROMPT, seen, re.DOTALL)
    if view:
        print(view[0][:-len(PROMPT)].decode().replace("\r\n", "\n"), end="")
while more(terminal):
    pass
print("exit status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
