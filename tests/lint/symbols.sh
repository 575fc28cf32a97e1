#!/bin/sh
# A function with a header is there for another file of the program: what only its own file calls is static,
# and what nothing calls is gone. What only tests call must at least have a use in its own file.
top=${top_srcdir:?top_srcdir must be set}
objects=$(mktemp) || exit 1
trap 'rm -f "$objects"' EXIT

# The source of an object, without its suffix.
source_of()
{
	name=${1##*/}
	echo "${1%"$name"}${name#lib*_a-}" | sed 's/[.]o$//'
}

# Objects without a source are left over from before.
find ./* -name '*.o' | sed 's,^\./,,' | sort | while read -r object; do
	source=$(source_of "$object")
	if test -f "$top/$source.c" || test -f "$top/$source.cc"; then
		echo "$object"
	fi
done >"$objects"

# Of the API for C nobody in the program has to call anything; main, lxw_* and __* are for the system, a library, the compiler,
# and a test goes over the table behind issue_advice_code.
bad=$(xargs nm -A -P <"$objects" | sed 's/^\([^ ]*\)\[[^]]*\]: /\1: /; s/: / /' | awk '
	{ is_test = $1 ~ /^(tests|examples)\// }
	$3 == "U" { if (is_test) tested[$2] = 1; else used[$2] = 1 }
	$3 ~ /^[TDBR]$/ && !is_test && $1 !~ /^tfprof\/api\// && $2 !~ /^(_Z|__|lxw_|main$|issue_advice_code$)/ { at[$2] = $1 }
	END { for (name in at) if (!(name in used)) print name, at[name], name in tested ? "tests" : "none" }' |
	sort | while read -r name object by; do
	source=$(source_of "$object")
	uses=$(cat "$top/$source".c* | grep -c "\<$name\>")
	test "$by" = tests && test "$uses" -gt 1 || echo "# $source: $name has no call in another file of the program"
done)
test -z "$bad" || printf '%s\n' "$bad"
echo "1..1"
if test -s "$objects" && test -z "$bad"; then
	echo "ok 1 - each public function is called from another file"
else
	echo "not ok 1 - each public function is called from another file"
fi
