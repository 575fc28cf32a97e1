#!/bin/sh
# One report in every format that holds numbers: CSV, JSON, workbook, page, Markdown and text, read back and compared (writers.py).
top=${top_srcdir:?top_srcdir must be set}
cd "$top" || exit 1
PYTHONPATH=$top/tests
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
python=/usr/bin/python3
test -x $python || python=python3
number=0

# agree COMMAND WORD...
agree()
{
	number=$((number + 1))
	said=$($python tests/writers.py "$@" 2>&1)
	status=$?
	echo "$said" | sed 's/^/# /'
	test $status -eq 0 && echo "ok $number - $*" || echo "not ok $number - $*"
}

agree report examples/resnet_tower/profile_14
agree report examples/ci/base --warmup=auto
agree report tests/data/kineto/conv-all-r1.json.gz
agree report tests/data/ranks/gloo
agree report tests/data/ranks/nccl
agree compare examples/ci/base examples/ci/new
agree compare examples/ci/base examples/ci/new --by=class
agree gate examples/ci/base examples/ci/new
echo "1..$number"
