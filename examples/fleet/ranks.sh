#!/bin/sh
# One task of an array: the observations of its share of the traces. What is done is not done again.
# usage: ranks.sh LIST OUT    LIST: a trace on each line; OUT: a folder that all tasks see
# The task is SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT, or JOB_COMPLETION_INDEX of COMPLETIONS (Kubernetes), from 0.
#
# A trace is done when OUT/obs has its .obs and beside it a stamp, which holds the program's version and the SHA-256 of the
# trace. Above FLEET_HASH_BYTES (1 GB unless set; 0: always) size and time of change stand for it: reading costs as much as the export.
set -u
list=${1:?usage: ranks.sh LIST OUT}
out=${2:?usage: ranks.sh LIST OUT}
task=${SLURM_ARRAY_TASK_ID:-${JOB_COMPLETION_INDEX:?neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX}}
tasks=${SLURM_ARRAY_TASK_COUNT:-${COMPLETIONS:?neither SLURM_ARRAY_TASK_COUNT nor COMPLETIONS}}
limit=${FLEET_HASH_BYTES:-1000000000}
program=$(stepstat --version) || exit 1
status=0

# What the trace is: equal texts, equal observations.
identity()
{
	size=$(stat -L -c %s "$1") || return 1
	if test "$size" -gt "$limit"; then
		of=$(stat -L -c 'size %s, changed %Y' "$1") || return 1
	else
		of=$(sha256sum <"$1") || return 1
	fi
	echo "$program; $of"
}

number=0
while IFS= read -r trace || test -n "$trace"; do
	mine=$((number % tasks))
	number=$((number + 1))
	test "$mine" -eq "$task" || continue
	obs=$out/obs/${trace#/}.obs
	if ! now=$(identity "$trace"); then
		status=3
		continue
	fi
	if test -s "$obs" && test "$(cat "$obs.done" 2>/dev/null)" = "$now"; then
		continue
	fi
	mkdir -p "$(dirname "$obs")"
	rm -f "$obs.done"
	# The file appears whole; the stamp follows, so that a task that is killed between them does this trace again.
	if stepstat export "$trace" --quiet -o "$obs" </dev/null; then
		echo "$now" >"$obs.$$" && mv "$obs.$$" "$obs.done" || status=3
		echo "done: $trace"
	else
		rm -f "$obs"
		status=3
	fi
done <"$list"
exit $status
