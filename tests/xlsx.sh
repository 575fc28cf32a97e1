#!/bin/sh
# Workbooks hold the numbers of the CSV files to the last digit, as numbers; formulas give what stands beside them; hostile names are
# texts; the same report is the same bytes; what does not fit, or cannot be written, is said.
top=${top_srcdir:?top_srcdir must be set}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
dump=$top/examples/resnet_tower/profile_14
number=0
cd "$work" || exit 1
python=/usr/bin/python3
test -x $python || python=python3

verdict()
{
	status=$?
	number=$((number + 1))
	sed 's/^/# /' said 2>/dev/null
	rm -f said
	test $status -eq 0 && echo "ok $number - $1" || echo "not ok $number - $1"
}

# report NAME INPUT OPTION...: a workbook against the folder of all tables.
report()
{
	name=$1
	input=$2
	shift 2
	said="report $input $*"
	set -- "$top/$input" "$@"
	stepstat report "$@" --quiet -o $name.xlsx &&
		stepstat report "$@" --quiet -o $name/ &&
		$python "$top/tests/xlsx.py" $name.xlsx $(for f in $name/*.csv; do
			test $(wc -l <$f) -lt 2 || echo "$(basename $f .csv)=$f"
		done) >said 2>&1
	verdict "$said"
}

report dump examples/resnet_tower/profile_14
report types examples/resnet_tower/profile_14 --by=type --sort=cv
report part examples/resnet_tower/profile_14 --include=Conv2D
report runs examples/ci/base --per-run
report ranks tests/data/ranks/gloo
report kineto tests/data/kineto/conv-all-r1.json.gz --measures=time,cpu --stats=mean,ci,cv,p99,lag1
report units tests/data/kineto/conv-all-r1.json.gz --unit=ms,KB
report calls tests/data/kineto/mlp-base-r2.json.gz --per=call

stepstat compare "$top/examples/ci/base" "$top/examples/ci/new" --quiet -o c.xlsx -o c.csv &&
	$python "$top/tests/xlsx.py" c.xlsx compare=c.csv >said 2>&1
verdict 'compare'
stepstat gate "$top/examples/ci/base" "$top/examples/ci/new" --quiet -o g.xlsx -o g.csv -o g.json
test $? -eq 1 && $python "$top/tests/xlsx.py" g.xlsx compare=g.csv >said 2>&1 &&
	PYTHONPATH=$top/tests $python - >>said 2>&1 <<'EOT'
import json
from xlsx import Workbook
checks, cells = json.load(open('g.json'))['checks'], Workbook('g.xlsx').sheets['checks']
for r, check in enumerate(checks):
    for c, key in enumerate(['policy', 'subject', 'measure', 'status', 'verdict', 'message']):
        assert cells[0, c] == key and cells.get((r + 1, c)) == check[key], (r, key)
print(len(checks), 'checks')
EOT
verdict 'gate'

# The values of each step: their mean is the mean.
echo "report: {sheets: values}" >values.yaml
stepstat "$dump" --quiet --config=values.yaml -o v.xlsx && PYTHONPATH=$top/tests $python - >said 2>&1 <<'EOT'
import math
from xlsx import Workbook
book = Workbook('v.xlsx')
ops, values = book.sheets['ops'], book.sheets['values']
column = {name: c for (r, c), name in ops.items() if r == 0}
rows = 0
for r in range(1, 1 + 182):
    assert ops[r, column['op']] == values[r, 0]
    steps = [values[r, 3 + s] for s in range(12)]
    assert abs(math.fsum(steps) / 12 - ops[r, column['time_mean_us']]) < 1e-9 * ops[r, column['time_mean_us']]
    assert max(steps) == ops[r, column['time_max_us']] and min(steps) == ops[r, column['time_min_us']]
    rows += 1
assert values[0, 3] == 'step_3_us' and values[0, 14] == 'step_14_us' and (0, 15) not in values
print(rows, 'rows')
EOT
verdict 'values of each step'

# Names that would run, close a tag, break the encoding or look like an escape.
$python - <<'EOT'
names = [b'=1+1', b'+cmd|x', b'-2', b'@SUM(A1)', b'<b>&amp;"\'', b'http://example.org/', b'internal:ops!A1', b'a\tb\x01', b'\xff\xfe',
         b'_x0041_', b'mailto:x', b' blank ', b'\xe2\x80\xae', b'n' * 40000, b'123', b'TRUE', b'#N/A', '\U0001f600'.encode() * 20000]
with open('hostile.csv', 'wb') as f:
    f.write(b'run,step,op,measure,value,unit\n')
    for step in (b'1', b'2'):
        for i, name in enumerate(names):
            f.write(b'r,' + step + b',"' + name.replace(b'"', b'""') + b'",time,%d,us\n' % (i + 1))
EOT
stepstat hostile.csv --quiet -o h.xlsx -o h2.csv && PYTHONPATH=$top/tests $python - >said 2>&1 <<'EOT'
import csv, zipfile
from xlsx import Workbook
book = Workbook('h.xlsx')
rows = list(csv.DictReader(open('h2.csv', encoding='utf-8', newline='')))
op = [c for (r, c), name in book.sheets['ops'].items() if r == 0 and name == 'op'][0]
cut = 0
for r, row in enumerate(rows):
    cell = book.sheets['ops'][r + 1, op]
    assert isinstance(cell, str)
    if cell != row['op']:
        assert cell.endswith('...') and row['op'].startswith(cell[:-3]) and len(cell.encode('utf-16-le')) // 2 <= 32767, (cell[:50], row)
        cut += 1
assert cut == 2 and len(rows) == 18
assert any('texts are longer' in v for v in book.sheets['summary'].values() if isinstance(v, str))
with zipfile.ZipFile('h.xlsx') as z:
    links = b''.join(z.read(n) for n in z.namelist() if n.startswith('xl/worksheets/sheet'))
    assert b'example.org' not in links and not any('External' in z.read(n).decode() for n in z.namelist() if n.endswith('.rels'))
    formulas = [f for sheet in book.formulas.values() for f in sheet.values()]
    assert all(f.startswith(('SUM(', '100*')) for f in formulas), formulas
print(len(rows), 'names,', cut, 'cut')
EOT
verdict 'hostile names are texts'

stepstat "$dump" --to=xlsx >one.xlsx && TZ=Asia/Tokyo LC_ALL=de_DE.UTF-8 stepstat "$dump" --quiet -o two.xlsx &&
	cmp one.xlsx two.xlsx
verdict 'the same bytes in a pipe, under another name, in another time zone'
# Sanitizers do not start without it.
if unshare -m sh -c 'umount -l /proc && stepstat --version' >/dev/null 2>&1; then
	before=$(echo /tmp/stepstat-??????)
	unshare -m sh -c 'umount -l /proc && stepstat "$0" --quiet -o three.xlsx' "$dump" 2>err && cmp one.xlsx three.xlsx && test "$before" = "$(echo /tmp/stepstat-??????)"
	verdict 'the same bytes without /proc'
else
	number=$((number + 1))
	echo "ok $number - the same bytes without /proc # SKIP no right to a view of files without it, or a program with sanitizers"
fi
stepstat "$dump" --to=xlsx >/dev/full 2>err
test $? -eq 3 && grep -q 'No space left' err
verdict 'a full disk'
TMP=$work/none TEMP=$work/none TMPDIR=$work stepstat "$dump" --quiet -o where.xlsx && test -z "$(find . -name '*tmp*')"
verdict 'nothing is left in the folder of temporary files'
(
	ulimit -f 20
	TMPDIR=$work stepstat "$dump" --quiet -o small.xlsx 2>err
)
test ! -e small.xlsx && test -z "$(find . -name 'small*')"
verdict 'temporary files that cannot grow leave no workbook'
echo 1..$number
