#!/bin/sh
# One task of an array: the observations of its share of the traces. What is done is not done again.
# usage: ranks.sh LIST OUT    LIST: a trace on each line, TRACE or TRACE<tab>TAG; OUT: a folder that all tasks see
# The task is SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT, or JOB_COMPLETION_INDEX of COMPLETIONS (Kubernetes), from 0.
#
# A trace is done when OUT/obs has its .obs and beside it a stamp, which holds the program's version and what the trace is: the TAG
# (of an object, its size and ETag), else the size and time of change of the file. No restart reads what is done. FLEET_HASH_BYTES=N:
# of files up to N bytes the SHA-256 in place of these. A trace with :// is fetched by FLEET_FETCH (aws s3 cp --quiet) SOURCE FILE.
set -u
list=${1:?usage: ranks.sh LIST OUT}
out=${2:?usage: ranks.sh LIST OUT}
task=${SLURM_ARRAY_TASK_ID:-${JOB_COMPLETION_INDEX:?neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX}}
tasks=${SLURM_ARRAY_TASK_COUNT:-${COMPLETIONS:?neither SLURM_ARRAY_TASK_COUNT nor COMPLETIONS}}
limit=${FLEET_HASH_BYTES:-0}
fetched=$(mktemp) || exit 1
trap 'rm -f "$fetched"' EXIT
trap 'exit 1' HUP INT TERM
tab=$(printf '\t')
program=$(stepstat --version) || exit 1
status=0

# What the trace is: equal texts, equal observations.
identity()
{
	if test -n "$2"; then
		echo "$program; $2"
		return
	fi
	case $1 in
	*://*)
		echo "ranks.sh: $1: an object needs its size and ETag behind a tab" >&2
		return 1
		;;
	esac
	size=$(stat -L -c %s "$1") || return 1
	if test "$size" -gt "$limit"; then
		of=$(stat -L -c 'size %s, changed %y' "$1") || return 1
	else
		of=$(sha256sum <"$1") || return 1
	fi
	echo "$program; $of"
}

# The export of one trace; of an object, of what was fetched.
export_of()
{
	case $1 in
	*://*) ${FLEET_FETCH:-aws s3 cp --quiet} "$1" "$fetched" </dev/null && stepstat export - --input-name="$1" --quiet -o "$2" <"$fetched" ;;
	*) stepstat export "$1" --quiet -o "$2" </dev/null ;;
	esac
}

number=0
while IFS= read -r line || test -n "$line"; do
	trace=${line%%"$tab"*}
	tag=${line#"$trace"}
	mine=$((number % tasks))
	number=$((number + 1))
	test "$mine" -eq "$task" || continue
	obs=$out/obs/$(printf %s "${trace#/}" | sed 's|\.\./|__up/|g').obs
	if ! now=$(identity "$trace" "${tag#"$tab"}"); then
		status=3
		continue
	fi
	if test -s "$obs" && test "$(cat "$obs.done" 2>/dev/null)" = "$now"; then
		continue
	fi
	mkdir -p "$(dirname "$obs")"
	rm -f "$obs.done"
	# The file appears whole; the stamp follows, so that a task that is killed between them does this trace again.
	if export_of "$trace" "$obs"; then
		echo "$now" >"$obs.$$" && mv "$obs.$$" "$obs.done" || status=3
		echo "done: $trace"
	else
		rm -f "$obs"
		status=3
	fi
done <"$list"
exit $status
