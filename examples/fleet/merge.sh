#!/bin/sh
# When all tasks are done: the ranks of the job in one file, OUT/job.part.
# usage: merge.sh LIST OUT    FLEET_PARTIAL=1: also without the traces that could not be used (they are named)
set -eu
list=${1:?usage: merge.sh LIST OUT}
out=${2:?usage: merge.sh LIST OUT}
made=$(mktemp -d "$out/merge.XXXXXX")
trap 'rm -rf "$made"' EXIT
trap 'exit 1' HUP INT TERM
missing=0
while IFS= read -r line || test -n "$line"; do
	trace=${line%%"$(printf '\t')"*}
	obs=$out/obs/$(printf %s "${trace#/}" | sed 's|\.\./|__up/|g').obs
	if test -s "$obs" && test -e "$obs.done"; then
		printf '%s\0' "$obs" >>"$made/files"
	else
		echo "merge.sh: not done: $trace" >&2
		missing=$((missing + 1))
	fi
done <"$list"
if test "$missing" -gt 0 && test "${FLEET_PARTIAL:-0}" != 1; then
	echo "merge.sh: $missing traces are not done: run the array again, or set FLEET_PARTIAL=1" >&2
	exit 3
fi
test -s "$made/files" || exit 3
# A command line holds some thousand names; parts of parts are as good as parts of all.
mkdir "$made/parts"
xargs -0 -n 500 sh -c 'stepstat merge "$@" -o "$0/$$.part"' "$made/parts" <"$made/files"
stepstat merge "$made"/parts/*.part -o "$out/job.part"
echo "$out/job.part"
