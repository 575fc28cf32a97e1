#!/bin/sh
# Each marker of a step is a step, in the order of time, in every reader with markers (markers.py).
top=${top_srcdir:?top_srcdir must be set}
python=/usr/bin/python3
test -x $python || python=python3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
said=$($python "$top/tests/markers.py" "$PWD/stepstat" "$folder" 2>&1)
status=$?
echo "$said" | sed 's/^/# /'
test $status -eq 0 && test "$(echo "$said" | grep -c ' 72 steps$')" -eq 10 && echo "ok 1 - markers" || echo "not ok 1 - markers"
echo 1..1
