#!/bin/sh
# The same bytes for any number of threads: files of many windows, plain and packed, made and real ones; ranks of a job.
top=${top_srcdir:-.}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
count=0
for kind in kineto tf; do
	./tests/bench/make_trace $kind 6000000 "$folder/$kind.json" >"$folder/said" || exit 1
	gzip -1 -c "$folder/$kind.json" >"$folder/$kind.packed.json.gz"
done
for kind in cpu gpu tpu; do
	./tests/bench/make_xplane $kind 200000 "$folder/$kind.xplane.pb" >"$folder/said" || exit 1
done
./tests/bench/make_ranks "$folder/ranks" 20 80 240 7 3 >"$folder/said" || exit 1
for file in kineto/rank_not_found kineto/bert_mi300 kineto/two_steps_2021 kineto/conv-all-r1 kineto/two_steps_v100 \
	jax_trace/scan-base-r1.trace tf_timeline/KittiBox/timeline_01 tf_timeline/gpu_synth/timeline_3_mem \
	chrome/viztracer chrome/cmake_profile chrome/x_event_trace; do
	gzip -dc "$top/tests/data/$file.json.gz" >"$folder/${file##*/}.json" || exit 1
done
cp "$top/tests/data/kineto/conv-all-r1.json.gz" "$folder" || exit 1
if python3 "$top/tests/bench/make_database.py" 12000 "$folder/whole.sqlite"; then
	# Pages in the middle that are none: an error that says the same row.
	cp "$folder/whole.sqlite" "$folder/damaged.sqlite" || exit 1
	dd if=/dev/zero of="$folder/damaged.sqlite" bs=4096 seek=250 count=2 conv=notrunc 2>"$folder/said" || exit 1
fi
# Tables: by step, with quoted names, and by op.
awk 'BEGIN { print "step,op,time_us,requested_bytes"
	for (i = 0; i < 150000; i++)
		printf "%d,%s,%d.125,%d\n", i / 500, i % 7 ? "op_" i % 500 : "\"f<a, " i % 500 ">\"", i % 977, i % 500 * 64 }' >"$folder/wide.csv" || exit 1
# More measures than there are slots for, which the parts meet out of order: an error that says the same row.
awk 'BEGIN { print "step,op,measure,value,unit"
	for (i = 0; i < 200000; i++)
		printf "%d,op_%d,m%d,%d,tokens\n", i / 100, i % 100, i / 2500, i % 977 }' >"$folder/beyond.csv" || exit 1
for form in csv parquet; do
	./stepstat export "$folder/wide.csv" -o "$folder/long.$form" >"$folder/said" 2>&1 || exit 1
done
for file in "$folder"/*.json "$folder"/*.gz "$folder"/*.pb "$folder"/*.sqlite "$folder/ranks" "$folder"/wide.csv "$folder"/beyond.csv "$folder"/long.*; do
	count=$((count + 1))
	test -e "$file" || {
		echo "ok $count - databases # SKIP no python3 with sqlite3"
		continue
	}
	for jobs in 1 2 3 8 16; do
		./stepstat report "$file" --per=step --to=csv --jobs=$jobs >"$folder/$jobs.csv" 2>"$folder/$jobs.said" || echo "# status $?"
		./stepstat report "$file" --jobs=$jobs >>"$folder/$jobs.csv" 2>>"$folder/$jobs.said" || echo "# status $?"
		cat "$folder/$jobs.said" >>"$folder/$jobs.csv"
		cmp "$folder/1.csv" "$folder/$jobs.csv" || break
	done
	least=20
	case $file in
	*damaged* | *beyond*) least=3 ;;
	esac
	if cmp -s "$folder/1.csv" "$folder/16.csv" && test "$(wc -l <"$folder/1.csv")" -gt $least; then
		echo "ok $count - ${file##*/}"
	else
		echo "not ok $count - ${file##*/}"
	fi
	rm -f "$folder"/[0-9]*.csv
done
echo "1..$count"
