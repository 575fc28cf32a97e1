#!/bin/sh
# Each header compiles alone, as the first and only include.
top=${top_srcdir:?top_srcdir must be set}
build=$(pwd)
cd "$top" || exit 1
number=0
for header in $(find base model ingest select stats analysis report templates tfprof trace cli \
	-name '*.h' ! -name '*.pb-c.h' 2>/dev/null | sort); do
	number=$((number + 1))
	if said=$(echo "#include \"$header\"" |
		${CC:-cc} -std=gnu17 -Wall -Wextra -Werror ${LINT_CPPFLAGS:--I. -I"$build"} \
			-fsyntax-only -x c - 2>&1); then
		echo "ok $number - $header"
	else
		printf '%s\n' "$said" | sed 's/^/# /'
		echo "not ok $number - $header"
	fi
done
echo "1..$number"
