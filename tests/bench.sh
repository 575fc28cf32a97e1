#!/bin/sh
# Files of benchmark tools: against a plain reading of them (bench.py: each is read or named), and against what others say of them (bench_peers.py).
top=${top_srcdir:?top_srcdir must be set}
python=/usr/bin/python3
test -x $python || python=python3
count=0
try()
{
	count=$((count + 1))
	said=$(PYTHONDONTWRITEBYTECODE=1 $python "$top/tests/$2" "$PWD/stepstat" "$top/$3" 2>&1)
	status=$?
	test -z "$said" || echo "$said" | sed 's/^[^#]/# &/'
	test $status -eq 0 && echo "ok $count - $1" || echo "not ok $count - $1"
}
try 'files of benchmark tools' bench.py tests/data/bench
try "benchstat's examples, and the direction of throughputs" bench_peers.py tests/data
echo 1..$count
