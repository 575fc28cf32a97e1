#!/bin/sh
# The SQL of `export --queries` in engines that make check does not have: each op's numbers are those of
# report to 1e-12, over tables as NDJSON (of several shards), CSV and Parquet, absent steps as 0 or left out; also of runs of several ranks.
# PYTHON names the Python that has the packages duckdb, chdb or pyspark; an engine without its package is skipped.
top=${top_srcdir:?top_srcdir must be set}
python=${PYTHON:-python3}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
number=0
failed=0

# compare INPUT ABSENT MEASURE UNIT: answer.csv with the report.
compare()
{
	m=$3 unit=$4 calls=
	stepstat report "$1" --absent=$2 --measures=$m --to=csv \
		--stats=n,sum,mean,sd,cv,cvrun,min,p50,p90,p95,p99,max >report.csv || return
	! head -n 1 report.csv | grep -q ',calls,' || calls=calls:skip # of traces
	$python -c 'import csv, sys
rows = list(csv.reader(open("answer.csv")))
at = rows[0].index("measure")
csv.writer(sys.stdout, lineterminator="\n").writerows([rows[0]] + [r for r in rows[1:] if r[at] == sys.argv[1]])' \
		$m >part.csv &&
	compare_tables report.csv part.csv run:skip op:key short:skip type:skip device:skip ran:integer steps:integer \
		${m}_n=n:integer ${m}_sum$unit=sum:rel:1e-12 ${m}_mean$unit=mean:rel:1e-12 \
		${m}_sd$unit=sd:rel:1e-12 ${m}_cv_pct=cv_pct:rel:1e-12 ${m}_cvrun_pct=cvrun_pct:rel:1e-12 \
		${m}_min$unit=min:rel:1e-12 ${m}_p50$unit=p50:rel:1e-12 ${m}_p90$unit=p90:rel:1e-12 \
		${m}_p95$unit=p95:rel:1e-12 ${m}_p99$unit=p99:rel:1e-12 ${m}_max$unit=max:rel:1e-12 notes:skip $calls
}

# try ENGINE DIALECT FORMAT INPUT ABSENT [time]     time: the input has no requested bytes
try()
{
	number=$((number + 1))
	what="$1, $3: ${4#"$top"/}, absent steps: $5"
	rm -rf tables
	echo "report: {shard-size: 100KB}" |
		stepstat export "$4" --config=/dev/stdin --absent=$5 --to=$3 -o tables/ -o query.sql --queries=$2 ||
		{ failed=1; echo "not ok $number - $what"; return; }
	$python "$top/tests/extra/run_query.py" $1 tables query.sql >answer.csv 2>said
	status=$?
	if test $status -eq 77; then
		echo "ok $number - $what # SKIP $(tail -n 1 said)"
	elif test $status -ne 0; then
		tail -n 20 said | sed 's/^/# /'
		failed=1
		echo "not ok $number - $what"
	elif compare "$4" $5 time _us >said 2>&1 && { test "$6" = time || compare "$4" $5 requested _bytes >>said 2>&1; }; then
		sed 's/^/# /' said
		echo "ok $number - $what"
	else
		sed 's/^/# /' said
		failed=1
		echo "not ok $number - $what"
	fi
}

# totals ENGINE DIALECT INPUT: the times of steps and the parts of devices.
totals()
{
	number=$((number + 1))
	what="$1, totals: ${3#"$top"/}"
	rm -rf tables
	stepstat export "$3" --to=parquet -o tables/ -o query.sql --queries=$2 --table=totals &&
		$python "$top/tests/extra/run_query.py" $1 tables query.sql >answer.csv 2>said
	status=$?
	if test $status -eq 77; then
		echo "ok $number - $what # SKIP $(tail -n 1 said)"
		return
	fi
	if test $status -eq 0; then
		stepstat "$3" --table=totals --to=csv | grep -v -e ,op_time, -e ,host_ops, -e ,host_waiting, -e _host_late_ >report.csv
		compare_tables report.csv answer.csv run:skip series:key n:integer sum_us:rel:1e-12 mean_us:rel:1e-12 sd_us:rel:1e-12 \
			cv_pct:rel:1e-12 cvrun_pct:rel:1e-12 min_us:rel:1e-12 median_us:rel:1e-12 p90_us:rel:1e-12 p95_us:rel:1e-12 \
			p99_us:rel:1e-12 max_us:rel:1e-12 low_us:skip high_us:skip se_us:skip mad_us:skip robustcv_pct:skip lag1:skip \
			neff:skip cvlow_pct:skip cvhigh_pct:skip cvfloor_pct:skip trimmed_us:skip geomean_us:skip ljungbox:skip \
			p5_us:skip p25_us:skip p75_us:skip >said 2>&1
		status=$?
	fi
	sed 's/^/# /' said
	if test $status -eq 0; then
		echo "ok $number - $what"
	else
		failed=1
		echo "not ok $number - $what"
	fi
}

for input in tests/data/ranks/nccl tests/data/ranks/gloo tests/data/nsight/steps.sqlite.gz; do
	totals duckdb-parquet duckdb "$top/$input"
	totals clickhouse-parquet clickhouse "$top/$input"
	totals spark-parquet spark "$top/$input"
done
for absent in zero skip; do
	for input in examples/resnet_tower/profile_14 examples/ci/base tests/data/golden/train; do
		try duckdb duckdb ndjson "$top/$input" $absent
		try duckdb-csv duckdb csv "$top/$input" $absent
		try clickhouse clickhouse ndjson "$top/$input" $absent
		# It takes its time to start.
		test $absent = skip || try spark spark ndjson "$top/$input" $absent
	done
	# Runs of several ranks: of gloo every rank has every op in every step, of job.csv not.
	for input in tests/data/ranks/gloo tests/data/ranks/AR.csv.gz tests/data/ranks/job.csv; do
		try duckdb-parquet duckdb parquet "$top/$input" $absent time
		try clickhouse-parquet clickhouse parquet "$top/$input" $absent time
		test $absent = skip || try spark-parquet spark parquet "$top/$input" $absent time
	done
done
echo "1..$number"
exit $failed
