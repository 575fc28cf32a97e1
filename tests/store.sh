#!/bin/sh
# Eight writers of one store at once, each killed at random (store_writers.py; make check-extra does it 1,000 times).
top=${top_srcdir:?top_srcdir must be set}
python=/usr/bin/python3
test -x $python || python=python3
if said=$($python "$top/tests/store_writers.py" "$(command -v stepstat)" "${ROUNDS:-12}" 2>&1); then
	echo "$said" | sed "s/^/# /"
	echo "ok 1 - no run or tag that was reported is lost, none is half"
else
	echo "$said" | sed 's/^/# /'
	echo "not ok 1 - no run or tag that was reported is lost, none is half"
fi
echo "1..1"
