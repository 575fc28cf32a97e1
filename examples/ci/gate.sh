#!/bin/sh
# Red or green for the runs in NEW against those in BASE, and what a CI shows of it, written to the
# current folder: gate.md (the comment), gate.xml (JUnit), gate.json (for programs). The exit status
# is that of stepstat gate: 0 green, 1 red, 2 wrong options, 3 unusable, 4 blind, 5 only improvements.
#
# usage: gate.sh [BASE [NEW [OPTION...]]]     gate.sh base.obs new --margin=5%
#
# Policies are those of stepstat.yaml in the current folder. STEPSTAT names the program if it is not
# in PATH, STEPSTAT_FOLDER another folder for the files.
base=${1:-base}
new=${2:-new}
shift $(($# < 2 ? $# : 2))
to=text
test "${GITHUB_ACTIONS:-}" = true && to=github
out=${STEPSTAT_FOLDER:-.}

# What an earlier run left is no answer of this one.
rm -f "$out/gate.md" "$out/gate.xml" "$out/gate.json"
"${STEPSTAT:-stepstat}" gate "$base" "$new" --to=$to -o "$out/gate.md" -o "$out/gate.xml" -o "$out/gate.json" "$@" \
	2>"$out/gate.err"
status=$?
cat "$out/gate.err" >&2

# Nor is what a program wrote that died after it.
test $status -le 5 || rm -f "$out/gate.md" "$out/gate.xml" "$out/gate.json"

# Without a report (wrong options, an input that cannot be read) the messages are the comment.
if ! test -f "$out/gate.md"; then
	{
		printf '**\342\232\240\357\270\217 no result: exit status %s**\n\n' $status
		head -n 20 "$out/gate.err" | cut -b 1-1000 | sed 's/^/    /'
	} >"$out/gate.md"
fi
rm -f "$out/gate.err"
exit $status
