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
	stepstat ops "$dump" --rules="$top/examples/resnet_tower/rules.yaml" --to=json >ops.json &&
	stepstat report "$dump" --explain-inputs --to=json >inputs.json &&
	stepstat config --to=json >config.json &&
	stepstat report "$top/tests/data/ranks/AR.csv.gz" --to=json >ranks.json &&
	$python "$top/tests/schema.py" "$schema" wide.json long.json one-step.json total.json compare.json \
		runs.json explain.json gate.json self-test.json ops.json inputs.json config.json ranks.json >said 2>&1
status=$?
sed 's/^/# /' said
test $status -eq 0 && echo "ok 2 - JSON is of its schema" || echo "not ok 2 - JSON is of its schema"
echo 1..2
