#!/bin/sh
# Files of benchmark tools against a plain reading of them (bench.py): each is read or named.
top=${top_srcdir:?top_srcdir must be set}
python=/usr/bin/python3
test -x $python || python=python3
said=$($python "$top/tests/bench.py" "$PWD/stepstat" "$top/tests/data/bench" 2>&1)
status=$?
echo "$said"
test $status -eq 0 && echo "ok 1 - files of benchmark tools" || echo "not ok 1 - files of benchmark tools"
echo 1..1
