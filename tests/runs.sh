#!/bin/sh
# Which files are runs, and what a step takes, in every format that a process records (runs.py).
top=${top_srcdir:?top_srcdir must be set}
python=/usr/bin/python3
test -x $python || python=python3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
said=$($python "$top/tests/runs.py" "$PWD/stepstat" "$folder" 2>&1)
status=$?
echo "$said" | sed 's/^/# /'
test $status -eq 0 && test "$(echo "$said" | grep -c ': 1[48] worlds$')" -eq 6 && echo "ok 1 - runs" || echo "not ok 1 - runs"
echo 1..1
