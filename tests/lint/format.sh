#!/bin/sh
# Every source is as clang-format writes it by .clang-format, and no line of the product, tables (.def) too,
# is wider than 100 columns, a tab being 8.
top=${top_srcdir:?top_srcdir must be set}
cd "$top" || exit 1
folders="$(sed -n 's,^\([a-z]*\)[/:].*,\1,p' tests/lint/rooms | sort -u) tests/unit tests/fuzz tests/bench tests/sim"
sources=$(find $folders \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*.pb-c.[ch]' | sort)
sources="$sources $(find tests -maxdepth 1 -name '*.[ch]' | sort)"
if command -v clang-format >/dev/null 2>&1; then
	if bad=$(clang-format --dry-run -Werror $sources 2>&1); then
		echo "ok 1 - each source is as clang-format writes it"
	else
		printf '%s\n' "$bad" | grep 'error:' | sed 's/^/# /'
		echo "not ok 1 - each source is as clang-format writes it; clang-format -i FILE mends it"
	fi
else
	echo "ok 1 - each source is as clang-format writes it # SKIP clang-format is not installed (Debian package clang-format)"
fi
bad=$(for file in $(echo $sources | tr " " "\n" | grep -v "^tests/") $(find $folders -name '*.def' | sort); do
	LC_ALL=C sed 's/[\x80-\xBF]//g' "$file" | expand | awk -v file="$file" 'length > 100 { print "# " file ":" NR ": " length " columns" }'
done)
if test -z "$bad"; then
	echo "ok 2 - no line is wider than 100 columns"
else
	printf '%s\n' "$bad"
	echo "not ok 2 - no line is wider than 100 columns"
fi
echo "1..2"
