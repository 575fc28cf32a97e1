#!/bin/sh
# Workbooks in programs that people open them with: LibreOffice turns each sheet into CSV, openpyxl and pandas read it. The numbers
# must be those of stepstat's own CSV, as numbers. A program that is absent is said (Debian packages libreoffice-calc-nogui,
# python3-openpyxl, python3-pandas).
top=${top_srcdir:?top_srcdir must be set}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
python=/usr/bin/python3
test -x $python || python=python3
number=0
failed=0

verdict()
{
	status=$?
	number=$((number + 1))
	sed 's/^/# /' said
	if test $status -eq 0; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		failed=1
	fi
}

skip()
{
	number=$((number + 1))
	echo "ok $number - $1 # SKIP no $2"
}

mkdir report ranks
echo "report: {sheets: values}" >values.yaml
stepstat "$top/examples/resnet_tower/profile_14" --quiet --config=values.yaml -o report.xlsx -o report/ &&
	stepstat "$top/tests/data/ranks/gloo" --quiet --config=values.yaml -o ranks.xlsx -o ranks/ &&
	stepstat compare "$top/examples/ci/base" "$top/examples/ci/new" --quiet -o compare.xlsx -o compare.csv || exit 1
stepstat gate "$top/examples/ci/base" "$top/examples/ci/new" --quiet -o gate.xlsx
test $? -eq 1 || exit 1
tables=$(for f in report/*.csv ranks/*.csv; do
	test $(wc -l <$f) -lt 2 || echo "$(dirname $f).xlsx:$(basename $f .csv)=$f"
done)

for module in openpyxl pandas; do
	if $python -c "import $module, openpyxl" 2>/dev/null; then
		$python -W error "$top/tests/extra/spreadsheets.py" $module $tables compare.xlsx:compare=compare.csv \
			gate.xlsx:compare=compare.csv >said 2>&1
		verdict "$module reads numbers as numbers"
	else
		skip "$module reads numbers as numbers" $module
	fi
done
if command -v soffice >/dev/null; then
	# The last number: every sheet, each a file BOOK-SHEET.csv; values as they are, not as they are shown.
	soffice -env:UserInstallation="file://$work/profile" --headless --convert-to \
		'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1' --outdir office *.xlsx >office.log 2>&1 &&
		$python "$top/tests/extra/spreadsheets.py" office $tables compare.xlsx:compare=compare.csv \
			gate.xlsx:compare=compare.csv >said 2>&1
	verdict 'LibreOffice gives back the numbers'
	soffice -env:UserInstallation="file://$work/profile" --headless --convert-to xlsx --outdir again *.xlsx >office.log 2>&1 &&
		$python "$top/tests/extra/spreadsheets.py" again *.xlsx >said 2>&1
	verdict 'LibreOffice keeps formulas, charts and filters, and recomputes the same'
	# The sheet that people print, of a comparison in the repository and of one of 100 ops; then all sheets.
	for side in base new; do
		awk -v of=$side 'BEGIN { print "run,step,op,time_us"; for (r = 0; r < 4; r++) for (s = 0; s < 4; s++) for (i = 0; i < 100; i++)
			printf "%d,%d,unit_%d/conv%d/Conv2D,%.3f\n", r, s, i % 7, i, 1000 + i + (r * 7 + s * 3 + i) % 5 + (of == "new" && i % 9 == 0) * 90 }' >$side.csv
	done
	stepstat compare base.csv new.csv --quiet -o many.xlsx &&
		for book in compare many; do
			$python "$top/tests/extra/spreadsheets.py" alone $book.xlsx compare alone_$book.xlsx
		done && soffice -env:UserInstallation="file://$work/profile" --headless --convert-to pdf alone_*.xlsx compare.xlsx >office.log 2>&1 &&
		$python "$top/tests/extra/spreadsheets.py" pages 3 alone_compare.pdf alone_many.pdf >said 2>&1
	verdict 'the sheet of a comparison prints on three pages'
	$python "$top/tests/extra/spreadsheets.py" pages 8 compare.pdf >said 2>&1
	verdict 'the workbook of a comparison prints on eight pages'
else
	skip 'the sheet of a comparison prints on three pages' soffice
	skip 'the workbook of a comparison prints on eight pages' soffice
	skip 'LibreOffice gives back the numbers' soffice
	skip 'LibreOffice keeps formulas, charts and filters, and recomputes the same' soffice
fi
echo 1..$number
exit $failed
