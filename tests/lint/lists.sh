#!/bin/sh
# Nothing is forgotten: each source is in a local.mk, each test is in tests/local.mk, and each entry
# of a .def table has a test and a page.
top=${top_srcdir:?top_srcdir must be set}
cd "$top" || exit 1
folders=$(sed -n 's,^\([a-z]*\)[/:].*,\1,p' tests/lint/rooms | sort -u)
number=0

verdict()
{
	number=$((number + 1))
	if test -z "$bad"; then
		echo "ok $number - $1"
	else
		printf '%s\n' "$bad" | sed 's/^/# /'
		echo "not ok $number - $1"
	fi
}

# in_list FILE MAKEFILE
in_list()
{
	grep -qE "(^|[[:space:]])$(printf '%s\n' "$1" | sed 's/[.]/[.]/g')([[:space:]]|\$)" "$2"
}

bad=$(for folder in $folders; do
	for file in $(find "$folder" \( -name '*.[ch]' -o -name '*.def' -o -name '*.proto' \) \
		! -name '*.pb-c.[ch]' 2>/dev/null | sort); do
		in_list "$file" "$folder/local.mk" || echo "$file is not in $folder/local.mk"
	done
	# What is listed and gone is seen by `make dist` alone.
	sed -nE 's,^	([a-z_/0-9]+[.](c|h|cc|def|proto))( .*)?$,\1,p' "$folder/local.mk" | while read -r file; do
		case $file in
		*.pb-c.[ch] | */bytes.h) continue ;;
		esac
		test -f "$file" || echo "$folder/local.mk lists $file, which is not there"
	done
done)
verdict 'each source is listed in the local.mk of its folder, and nothing else'

bad=$(
	for file in tests/unit/test_*.c tests/fuzz/fuzz_*.c; do
		test -f "$file" || continue
		in_list "${file%.c}" tests/local.mk || echo "$file is not in tests/local.mk"
	done
	for file in tests/lint/*.sh; do
		in_list "$file" tests/local.mk || echo "$file is not in tests/local.mk"
	done
	for area in tests/golden/*/; do
		test -d "$area" || continue
		area=tests/golden-$(basename "$area").area
		in_list "$area" tests/local.mk || echo "$area is not in tests/local.mk"
	done
)
verdict 'each test is listed in tests/local.mk'

bad=$(for file in tests/golden/*/*; do
	test -e "$file" || continue
	case $file in
	*.golden | *.md) continue ;;
	*.out | *.err | *.rc | *.files) ;;
	*) echo "$file: not .golden, .out, .err, .rc or .files"; continue ;;
	esac
	test -f "${file%.*}.golden" || echo "$file has no .golden"
done)
verdict 'each expected file belongs to a golden case'

# A page that names what is gone sends its reader astray: functions are written name(), files with their ending.
bad=$(
	cat HACKING.md doc/internals.md | grep -oE '[a-z_0-9]+\(\)' | sort -u | while read -r name; do
		find $folders -name '*.[ch]' -exec grep -qwF -e "${name%()}" {} + ||
			echo "HACKING.md or doc/internals.md names $name, which no source has"
	done
	grep -oE '[a-zA-Z_0-9/.-]+\.(c|h|cc|def|md|sh|py)\b' HACKING.md doc/internals.md doc/decisions.md | sed 's/^[^:]*://' | grep -vE 'NAME|config\.h' | sort -u |
		while read -r file; do
		test -e "$file" || test -e "doc/$file" || test -n "$(find $folders tests -name "${file##*/}" | head -n 1)" ||
			echo "HACKING.md, doc/internals.md or doc/decisions.md names $file, which is not there"
	done
)
verdict 'what HACKING.md, doc/internals.md and doc/decisions.md name exists'

# A library that only configure knows would be found missing on a machine that has nothing else.
bad=$(sed -nE 's/.*STEPSTAT_(PKG|MISSING)\(.*\[([^],]*)\]\).*/\2/p' configure.ac | sort -u |
	while read -r package; do
		tr "'= \t" '\n' <scripts/deps | grep -qxF -e "$package" ||
			echo "$package of configure.ac is not in scripts/deps"
	done)
verdict 'each package that configure asks for is installed by scripts/deps'

# The Debian package is built where nothing else is; a program for C is linked with what configure found.
bad=$(
	sed -nE 's/.*STEPSTAT_(PKG|MISSING)\(.*\[([^],]*)\]\).*/\2/p' configure.ac | sort -u | grep -v -x -e g++ |
		while read -r package; do
		sed -n '/^Build-Depends/,/^Standards/p' debian/control | grep -qwF -e "$package" ||
			echo "$package of configure.ac is not in Build-Depends of debian/control"
	done
	sed -nE '/^library_libs/,/[^\\]$/p' Makefile.am | grep -oE '[A-Z0-9_]+_LIBS' | sort -u | while read -r library; do
		package=$(sed -nE "s/.*STEPSTAT_PKG\(\[${library%_LIBS}\],.*\[([^],]*)\]\).*/\1/p" configure.ac)
		test "$library" != CSV_LIBS || package=libcsv-dev
		test "$library" != IBERTY_LIBS || package=libiberty-dev
		sed -n '/^Package: libstepstat-dev/,$p' debian/control | grep -qwF -e "${package:-$library}" ||
			echo "${package:-$library} of library_libs is no dependency of libstepstat-dev in debian/control"
	done
	version=$(sed -nE 's/^AC_INIT\(\[stepstat\], \[([^]]*)\].*/\1/p' configure.ac)
	head -n 1 debian/changelog | grep -qF "stepstat ($version) " || echo "debian/changelog does not begin with $version of configure.ac"
)
verdict 'debian/control and debian/changelog are of configure.ac'

# A kind of input that someone has at hand is looked up by the name that `stepstat formats` shows.
bad=$(sed -nE 's/^\t\.name = "([^"]*)".*/\1/p' ingest/*/reader_*.c tfprof/files/reader_*.c | sort -u | while read -r reader; do
	sed -nE -e 's/^### //p' -e 's/.* \(also: (.*)\)$/\1/p' doc/topics.md doc/recipe-*.md doc/benchmarks.md | sed 's/, /\n/g' |
		grep -qxF -e "$reader" || echo "reader $reader has no topic of help"
done)
verdict 'each kind of input has a topic of help'

# The name that users see: the first argument when it is a lower-case word (dashes are written as
# underscores there), or else the first text in quotes.
entries()
{
	sed -nE -e 's/^[A-Z][A-Z_]*\(([a-z][a-z0-9_]*)[,)].*/\1/p;t' \
		-e 's/^[A-Z][A-Z_]*\([^"]*"([^"]*)".*/\1/p' "$1"
}

# named NAME FILE-OR-FOLDER...
named()
{
	word=$1
	shift
	grep -rqwF -e "$word" -e "$(echo "$word" | tr _ -)" "$@" /dev/null 2>/dev/null
}

pages=$(mktemp) || exit 1
trap 'rm -f "$pages"' EXIT
cat README.md doc/*.md >"$pages"
# (Columns: tests/golden/help/csv-columns walks all headers.)
for table in $(find $folders -name '*.def' ! -name columns.def | sort); do
	bad=$(for name in $(entries "$table"); do
		named "$name" tests/unit tests/golden tests/ref ||
			echo "$name of $table: no test names it"
		named "$name" "$pages" || echo "$name of $table: no page names it"
	done)
	verdict "each entry of $table has a test and a page"
done

# "10 MiB" of the page of limits is 10MiB of options.def, "1,000,000" is 1000000; a part of a limit is said in brackets.
bad=$(sed -nE 's/^\| [^|]* \| ([^|(]*) \| [^|]* \| `([a-z]+-[a-z-]*)` \|$/\2 \1/p' doc/limits.md | while read -r option limit; do
	limit=$(echo "$limit" | tr -d ' ,')
	tr -d '\n\t' <cli/options/options.def | sed 's/OPTION(/\n&/g' | grep -qE \
		"^OPTION\\($(echo "$option" | tr - _), \"[^\"]*\", [A-Z]+, [A-Za-z ]+, ?\"[^\"]*\", ?\"$limit\"," ||
		echo "doc/limits.md: $option is not $limit in cli/options/options.def"
	echo "$option" >&3
done 3>"$pages")
test "$(wc -l <"$pages")" -ge 5 || bad="$bad doc/limits.md: fewer than 5 keys"
verdict 'the limits of doc/limits.md are the defaults of options.def'

echo "1..$number"
