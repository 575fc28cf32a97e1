#!/bin/sh
# The JSON of every command is of the documented schema; a document that is not must be found.
top=${top_srcdir:?top_srcdir must be set}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
dump=$top/examples/resnet_tower/profile_14
schema=$top/doc/schema/report-1.json
cd "$work" || exit 1

python=/usr/bin/python3
test -x $python || python=python3
echo '{"rows": []}' >wrong.json
$python "$top/tests/schema.py" "$schema" wrong.json >/dev/null 2>&1
status=$?
if test $status -eq 77 || test $status -gt 100; then
	echo "ok 1 - JSON is of its schema # SKIP no jsonschema (Debian package python3-jsonschema)"
	echo 1..1
	exit 0
fi
test $status -eq 1 && echo "ok 1 - a wrong document is found" || echo "not ok 1 - a wrong document is found ($status)"

stepstat report "$dump" --to=json >wide.json &&
	stepstat report "$dump" --to=json --shape=long --by=type >long.json &&
	stepstat report "$dump" --to=json --measures=time,params --steps=3 >one-step.json &&
	stepstat report "$dump" --to=json --value=total --stats=mean,cvhigh,p99 >total.json &&
	stepstat compare "$dump" "$dump" --to=json >compare.json &&
	stepstat compare "$top/examples/ci/base" "$top/examples/ci/new" --to=json >runs.json &&
	stepstat compare "$top/examples/ci/base" "$top/examples/ci/new" --explain=augment --to=json >explain.json &&
	{
		stepstat gate "$top/examples/ci/base" "$top/examples/ci/new" --to=json >gate.json
		test $? -eq 1
	} &&
	{
		stepstat gate "$top/examples/ci/base" "$top/examples/ci/new" --self-test --to=json >self-test.json
		test $? -eq 3
	} &&
	{
		stepstat gate "$top/tests/data/benchmarks/missing/base.csv" "$top/tests/data/benchmarks/missing/new.csv" --rows=benchmarks --to=json >lost.json
		test $? -eq 3
	} &&
	grep -q '"time_verdict": "LOST"' lost.json &&
	printf 'benchmark,time_us,tokens_per_s,loss\na,1,3,2\na,2,4,2\na,3,5,3\n' >base.csv &&
	sed 's/,3,/,33,/; s/,4,/,44,/; s/,5,/,55,/' base.csv >new.csv &&
	stepstat compare base.csv new.csv base.csv --to=json >several.json &&
	grep -q '"tokens_per_s_verdict": "IMPROVED"' several.json &&
	stepstat ops "$dump" --rules="$top/examples/resnet_tower/rules.yaml" --to=json >ops.json &&
	stepstat report "$dump" --explain-inputs --to=json >inputs.json &&
	stepstat config --to=json >config.json &&
	stepstat report "$top/tests/data/ranks/AR.csv.gz" --to=json >ranks.json &&
	$python "$top/tests/schema.py" "$schema" wide.json long.json one-step.json total.json compare.json \
		runs.json explain.json gate.json self-test.json ops.json inputs.json config.json ranks.json lost.json several.json >said 2>&1
status=$?
sed 's/^/# /' said
test $status -eq 0 && echo "ok 2 - JSON is of its schema" || echo "not ok 2 - JSON is of its schema"
echo 1..2
