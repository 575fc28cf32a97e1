#!/bin/sh
# Red or green for the runs in NEW against those in BASE, and what a CI shows of it, written to the
# current folder: gate.md (the comment), gate.xml (JUnit), gate.json (for programs). The exit status
# is that of stepstat gate: 0 green, 1 red, 2 wrong options, 3 unusable, 4 blind, 5 only improvements.
#
# usage: gate.sh [BASE [NEW [OPTION...]]]     gate.sh base.obs new --margin=5%
#
# Policies are those of stepstat.yaml in the current folder. STEPSTAT names the program if it is not
# in PATH.
base=${1:-base}
new=${2:-new}
shift $(($# < 2 ? $# : 2))
to=text
test "${GITHUB_ACTIONS:-}" = true && to=github

# What an earlier run left is no answer of this one.
rm -f gate.md gate.xml gate.json
"${STEPSTAT:-stepstat}" gate "$base" "$new" --to=$to -o gate.md -o gate.xml -o gate.json "$@" \
	2>gate.err
status=$?
cat gate.err >&2

# Without a report (wrong options, an input that cannot be read) the messages are the comment.
if ! test -f gate.md; then
	{
		printf '**\342\232\240\357\270\217 no result: exit status %s**\n\n' $status
		sed 's/^/    /' gate.err
	} >gate.md
fi
rm -f gate.err
exit $status
