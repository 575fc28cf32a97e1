#!/bin/sh
# Failing input and output (tests/faults): a sample of the calls by which some command lines reach files; FAULTS=all: all of them,
# which takes minutes.
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
program=$(command -v stepstat)
if ! ${CC:-cc} -shared -fPIC -O1 -Wall -Wextra -o "$made/fail_calls.so" "$top/tests/faults/fail_calls.c" -ldl; then
	echo "not ok 1 - the library that lets calls fail is compiled"
	echo 1..1
	exit 1
fi
# A library that is loaded first, and the sanitizer's, which wants to be that; a static program loads none.
if ! LD_PRELOAD=$made/fail_calls.so FAULT_LOG=$made/log "$program" --version >/dev/null 2>&1 || ! test -s "$made/log"; then
	echo "ok 1 - calls fail # SKIP this build loads no library before the others"
	echo 1..1
	exit 0
fi
if test "${FAULTS-}" = all; then
	python3 "$top/tests/faults/faults.py" "$program" "$made/fail_calls.so" "$top"
else
	python3 "$top/tests/faults/faults.py" "$program" "$made/fail_calls.so" "$top" --every=9 text files workbook folder obs sql merge
fi
