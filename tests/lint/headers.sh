#!/bin/sh
# Each header compiles alone, as the first and only include.
top=${top_srcdir:?top_srcdir must be set}
build=$(pwd)
cd "$top" || exit 1
folders=$(sed -n 's,^\([a-z]*\)[/:].*,\1,p' tests/lint/rooms | sort -u)
number=0
for header in $(find $folders \
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
# The public header is for other languages and standards too, and needs nothing of ours.
public()
{
	what=$1
	shift
	number=$((number + 1))
	if said=$(echo '#include <stepstat.h>' | "$@" -Wall -Wextra -pedantic-errors -Werror -Itfprof/api -fsyntax-only - 2>&1); then
		echo "ok $number - stepstat.h as $what"
	else
		printf '%s\n' "$said" | sed 's/^/# /'
		echo "not ok $number - stepstat.h as $what"
	fi
}
public C99 ${CC:-cc} -std=c99 -x c
public C17 ${CC:-cc} -std=c17 -x c
public C++98 ${CXX:-c++} -std=c++98 -x c++
public C++17 ${CXX:-c++} -std=c++17 -x c++
echo "1..$number"
