#!/bin/sh
# report --follow while dumps appear: tests/follow.py. FOLLOW_REPAINTS: how often the screen is painted where memory is
# measured.
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
python=/usr/bin/python3
test -x $python || python=python3
if ! $python -c 'import fcntl, json, subprocess, tempfile, termios' 2>/dev/null; then
	echo "ok 1 - reports while dumps appear # SKIP no python3 with fcntl and termios (Debian package python3)"
	echo 1..1
	exit 0
fi
exec $python "$top/tests/follow.py" "$(command -v stepstat)" "$top" "${FOLLOW_REPAINTS:-1000}"
