#!/bin/sh
# The module for Python with the program of this build: tests/python/module.py, and the notebook of examples/notebook.
# The wheel itself is tested by tests/extra/wheel.sh.
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
python=/usr/bin/python3
test -x $python || python=python3
if ! $python -c 'import csv, ctypes, json, pty, subprocess, tempfile, unittest, zipfile' 2>/dev/null; then
	echo "ok 1 - the module for Python # SKIP no python3 with its library (Debian package python3)"
	echo 1..1
	exit 0
fi
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
PYTHONDONTWRITEBYTECODE=1
STEPSTAT=$(command -v stepstat)
export PYTHONDONTWRITEBYTECODE STEPSTAT
if ! $python "$top/packaging/python/build.py" --program "$STEPSTAT" --modules "$made"; then
	echo "not ok 1 - the modules are made with the options of this program"
	echo 1..1
	exit 1
fi
PYTHONPATH=$made $python "$top/tests/python/module.py" "$top"
