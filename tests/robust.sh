#!/bin/sh
# Damaged inputs end in a report or in a message, never in a signal, a hang or silence: every file of tests/robust.list is
# cut off at ROBUST_COUNT places and has ROBUST_COUNT bits changed, one at a time (40 unless set). A comparison and a gate get some of them as one side; RunMetadata becomes a timeline. Then memory runs out at
# one allocation after the other, where the build can do that.
top=${top_srcdir:?top_srcdir must be set}
count=${ROBUST_COUNT:-40}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

verdict()
{
	number=$((number + 1))
	if test -z "$1"; then
		echo "ok $number - $2"
	else
		printf '%s\n' "$1" | sed 's/^/# /' | head -n 20
		echo "not ok $number - $2"
	fi
}

# Runs stepstat on a damaged file and says what is wrong with how it ended.
try()
{
	timeout 20 stepstat report "$work/input" >"$work/out" 2>"$work/err"
	status=$?
	case $status in
	0) test -s "$work/out" || echo "$1: status 0 and no report" ;;
	2 | 3) grep -q '^stepstat: ' "$work/err" || echo "$1: status $status and no message" ;;
	*) echo "$1: status $status: $(tail -n 1 "$work/err" | cut -c1-200)" ;;
	esac
}

# Runs `stepstat $1` on two sides of which one is damaged. An unusable gate says so on standard output.
try_sides()
{
	timeout 20 stepstat "$1" "$work/whole" "$work/input" --run-cv=2% >"$work/out" 2>"$work/err"
	status=$?
	case $1:$status in
	compare:0 | gate:[0145]) test -s "$work/out" || echo "$2: status $status and no report" ;;
	gate:3) grep -q '^unusable: ' "$work/out" || grep -q '^stepstat: ' "$work/err" ||
		echo "$2: status $status and no message" ;;
	*:[23]) grep -q '^stepstat: ' "$work/err" || echo "$2: status $status and no message" ;;
	*) echo "$2: status $status: $(tail -n 1 "$work/err" | cut -c1-200)" ;;
	esac
	grep -iqwF -e nan -e inf "$work/out" && echo "$2: a number that is none is printed"
}

while read -r file; do
	case $file in '' | '#'*) continue ;; esac
	name=$(basename "$file" .gz)
	case $file in
	*.gz) gzip -dc "$top/$file" >"$work/whole" ;;
	*) cat "$top/$file" >"$work/whole" ;;
	esac
	test -s "$work/whole" || {
		verdict "cannot read $file" "$file"
		continue
	}
	for how in cut flip; do
		bad=$(
			seed=1
			while test $seed -le "$count"; do
				damage $how $seed "$work/whole" >"$work/input"
				try "$how $seed"
				seed=$((seed + 1))
			done
		)
		verdict "$bad" "$name: $how at $count places"
	done
done <"$top/tests/robust.list"

# Runs `stepstat tfprof` with a damaged file as one of its inputs: a message, or what could be read.
try_tfprof()
{
	for line in 'scope -max_depth 100' 'graph -max_depth 100 -select params,input_shapes,device,op_types' \
		'code -max_depth 100' 'op -order_by bytes' advise \
		"graph -max_depth 100 -output timeline:outfile=$work/timeline" 'scope -select tensor_value'; do
		printf '%s\n' "$line"
	done | timeout 20 stepstat tfprof "$2" ${3:+"$3"} ${4:+"$4"} >"$work/out" 2>"$work/err"
	status=$?
	case $status in
	0) test -s "$work/out" || echo "$1: status 0 and no text" ;;
	1) test -s "$work/err" || echo "$1: status 1 and no message" ;;
	*) echo "$1: status $status: $(tail -n 1 "$work/err" | cut -c1-200)" ;;
	esac
	rm -f "$work"/timeline_*
}

# What can be read of a damaged file can be written as a profile, and that again as the same bytes; else nothing is.
try_write()
{
	rm -f "$work"/written "$work"/again
	timeout 20 stepstat tfprof "$2" ${3:+"$3"} ${4:+"$4"} --write_profile "$work/written" >"$work/out" 2>"$work/err"
	status=$?
	case $status in
	0)
		timeout 20 stepstat tfprof --profile_path="$work/written" --write_profile "$work/again" >"$work/out" 2>&1
		cmp -s "$work/written" "$work/again" || echo "$1: written again it is another profile"
		;;
	1 | 3)
		test -s "$work/err" || echo "$1: status $status and no message"
		test -z "$(find "$work" -name 'written*')" || echo "$1: status $status and a file"
		;;
	*) echo "$1: writing: status $status: $(tail -n 1 "$work/err" | cut -c1-200)" ;;
	esac
}

# usage: damage_tfprof FILE FLAG...: FLAG is the one that takes FILE, then others.
damage_tfprof()
{
	cat "$top/$1" >"$work/whole"
	bad=$(
		seed=1
		while test $seed -le $((count / 4 + 1)); do
			for how in cut flip; do
				damage $how $seed "$work/whole" >"$work/input"
				try_tfprof "$how $seed" "$2=$work/input" "${3-}" "${4-}"
				try_write "$how $seed" "$2=$work/input" "${3-}" "${4-}"
			done
			seed=$((seed + 1))
		done
	)
	verdict "$bad" "tfprof with $(basename "$1") cut and changed at $((count / 4 + 1)) places"
}

cli=tests/data/tfprof-cli
damage_tfprof $cli/synth/profile_1 --profile_path
damage_tfprof tests/data/models/odd/loops --profile_path
damage_tfprof $cli/synth/graph.pb --graph_path "--run_meta_path=$top/$cli/synth/run_meta_0"
damage_tfprof $cli/synth/run_meta_0 --run_meta_path "--graph_path=$top/$cli/synth/graph.pb"
damage_tfprof $cli/synth/op_log --op_log_path "--graph_path=$top/$cli/synth/graph.pb" \
	"--run_meta_path=$top/$cli/synth/run_meta_0"
damage_tfprof $cli/tf-2.0/graph.pbtxt --graph_path "--run_meta_path=$top/$cli/tf-2.0/run_meta" \
	"--checkpoint_path=$top/$cli/tf-2.0/ckpt"
damage_tfprof $cli/tf-1.0/ckpt --checkpoint_path "--graph_path=$top/$cli/tf-1.0/graph.pbtxt"

for command in compare gate; do
	for file in examples/resnet_tower/profile_14 tests/data/detect/observations_csv; do
		cat "$top/$file" >"$work/whole"
		bad=$(
			seed=1
			while test $seed -le "$count"; do
				damage flip $seed "$work/whole" >"$work/input"
				try_sides $command "flip $seed"
				damage cut $seed "$work/whole" >"$work/input"
				try_sides $command "cut $seed"
				seed=$((seed + 1))
			done
		)
		verdict "$bad" "$command with $(basename "$file") cut and changed at $count places"
	done
done

# A timeline of a damaged file: whole, or a message and no file.
try_timeline()
{
	timeout 20 stepstat timeline generate "$work/input" --memory -o "$work/made.json" >"$work/out" 2>"$work/err"
	status=$?
	case $status in
	0) test "$(tail -c 1 "$work/made.json")" = '}' || echo "$1: status 0 and no timeline" ;;
	3) grep -q '^stepstat: ' "$work/err" || echo "$1: status 3 and no message" ;;
	*) echo "$1: status $status: $(tail -n 1 "$work/err" | cut -c1-200)" ;;
	esac
	test $status -eq 0 || test -z "$(find "$work" -name 'made.json*')" || echo "$1: a file was left"
	rm -f "$work"/made.json*
}

for file in $cli/synth/run_meta_0 $cli/synth/run_meta_0.pbtxt $cli/tf-2.0/run_meta; do
	cat "$top/$file" >"$work/whole"
	bad=$(
		seed=1
		while test $seed -le "$count"; do
			for how in cut flip; do
				damage $how $seed "$work/whole" >"$work/input"
				try_timeline "$how $seed"
			done
			seed=$((seed + 1))
		done
	)
	verdict "$bad" "timeline of $(basename "$file") cut and changed at $count places"
done

gzip -c "$top/examples/resnet_tower/profile_14" >"$work/whole"
bad=$(
	seed=1
	while test $seed -le "$count"; do
		damage flip $seed "$work/whole" >"$work/input"
		try "flip $seed"
		damage cut $seed "$work/whole" >"$work/input"
		try "cut $seed"
		seed=$((seed + 1))
	done
)
verdict "$bad" "packed profile: cut and changed at $count places"

cp "$top/examples/resnet_tower/profile_14" "$work/input"
if STEPSTAT_FAIL_ALLOCATION=1 stepstat report "$work/input" >/dev/null 2>&1; then
	number=$((number + 1))
	echo "ok $number - memory runs out # SKIP this build cannot let an allocation fail (--enable-sanitizers)"
else
	bad=$(
		n=1
		while test $n -lt 200000; do
			STEPSTAT_FAIL_ALLOCATION=$n timeout 60 stepstat report "$work/input" -o "$work/x.csv" --quiet \
				>"$work/out" 2>"$work/err"
			status=$?
			test $status -eq 0 && break
			test $status -eq 3 && grep -q '^stepstat: out of memory' "$work/err" || echo "allocation $n: status $status"
			test -z "$(find "$work" -name 'x.csv*')" || echo "allocation $n: a file was left"
			rm -f "$work"/x.csv*
			n=$((n + 1 + n / 12))
		done
	)
	verdict "$bad" "memory runs out"
	cat "$top/$cli/synth/run_meta_0" >"$work/input"
	bad=$(
		n=1
		while test $n -lt 200000; do
			STEPSTAT_FAIL_ALLOCATION=$n timeout 60 stepstat timeline generate "$work/input" --memory \
				-o "$work/x.json.gz" >"$work/out" 2>"$work/err"
			status=$?
			test $status -eq 0 && break
			test $status -eq 3 && grep -q '^stepstat: out of memory' "$work/err" || echo "allocation $n: status $status"
			test -z "$(find "$work" -name 'x.json*')" || echo "allocation $n: a file was left"
			rm -f "$work"/x.json*
			n=$((n + 1 + n / 12))
		done
	)
	verdict "$bad" "memory runs out for a timeline"
fi
echo "1..$number"
