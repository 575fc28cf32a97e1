#!/bin/sh
# The rules of the house style that a machine can see: forbidden functions and constructs, who may
# print and exit, size of files, the comment that each file begins with.
top=${top_srcdir:?top_srcdir must be set}
cd "$top" || exit 1
folders=$(sed -n 's,^\([a-z]*\)[/:].*,\1,p' tests/lint/rooms | sort -u)
product=$(find $folders -name '*.[ch]' ! -name '*.pb-c.[ch]' | sort)
all="$product $(find tests/unit tests/fuzz tests/bench -name '*.[ch]' 2>/dev/null | sort)"
code=$(mktemp) || exit 1
trap 'rm -f "$code"' EXIT
for file in $all; do
	LC_ALL=C awk -f tests/lint/strip.awk "$file"
done >"$code"
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

# calls NAMES: lines that use one of the words as a function.
calls()
{
	grep -E "(^|[^A-Za-z0-9_])($1)[[:space:]]*\(" "$code"
}

bad=$(calls 'strcpy|strcat|sprintf|vsprintf|strtok|strtok_r|atoi|atol|atoll|atof|gets')
verdict 'no unsafe string functions'

bad=$(calls 'strtod|strtof|strtold' | grep -v '^base/number\.c:')
verdict 'text becomes a real number only in base/number.c'

bad=$(calls 'gmtime|gmtime_r|localtime|localtime_r|mktime|setlocale|newlocale|uselocale')
verdict 'no clock and no locale'

bad=$(calls 'malloc|calloc|realloc|reallocarray|strdup|strndup|asprintf' |
	grep -vE '^(tests/|base/memory\.c:|writers/xlsx_book\.c:)')
verdict 'the heap only through base/memory.h'

bad=$(calls 'printf|vprintf|puts|putchar|perror|exit|_exit|getenv|secure_getenv' |
	grep -vE '^(tests|cli)/')
verdict 'only cli prints, exits and reads the environment'

bad=$(grep -E '(^|[^A-Za-z0-9_])std(out|err)([^A-Za-z0-9_]|$)' "$code" |
	grep -vE '^((tests|cli)/|base/output/outfile\.c:|base/memory\.c:|writers/xlsx_book\.c:)')
verdict 'only cli and outfile know standard output'

bad=$(grep 'LINE_COMMENT' "$code")
verdict 'no // comments'

bad=$(grep -E ':[[:space:]]*typedef[[:space:]]+(struct|union|enum)' "$code")
verdict 'no typedef of structs'

# configure chooses one of the two gunzip_*.c.
bad=$(grep -hoE '^(static |const )*(struct|enum|union) [a-z_0-9]+ \{' \
	$(printf '%s\n' $product | grep -v /gunzip_) |
	sed -E 's/.*(struct|enum|union) ([a-z_0-9]+) .*/\2/' | sort | uniq -d)
verdict 'a tag of a struct, enum or union is defined once'

# A `static` line without const that is no function: its text has no parenthesis before `=` or `;`.
# The heap's handler, the list of open outputs (for signals), the signal state and the interned words of files
# (units, measures) are the exceptions.
bad=$(grep -E '^[^:]*:[0-9]*:[[:space:]]*static[[:space:]][^(]*[=;]' "$code" |
	grep -vE '[[:space:]]const[[:space:]]|\*const|_Static_assert' |
	grep -vE '^[^:]*:[0-9]*:[[:space:]]*static[^=;]*\(' |
	grep -vE '^(base/memory\.c|base/unit\.c|model/own/measure_own\.c|base/output/outfile\.c|base/output/outfolder\.c|base/platform\.c|cli/main\.c|cli/signal\.c|tests/[^:]*):')
verdict 'no mutable static data'

bad=$(for file in $all; do
	lines=$(wc -l <"$file")
	test "$lines" -lt 800 || echo "$file: $lines lines"
done)
verdict 'files have fewer than 800 lines'

bad=$(for file in $all; do
	head -c 2 "$file" | grep -q '^/\*' || echo "$file"
done)
verdict 'each file begins with a comment that says what it does'

bad=$(find $folders -name '*.h' ! -name '*.pb-c.h' ! -path tfprof/api/stepstat.h -exec grep -L '^#pragma once$' {} + | sort)
verdict 'headers are read once'

bad=$(grep -nE '[[:space:]]$' $all /dev/null | sed 's/:\([0-9]*\):.*/:\1/')
verdict 'no blanks at the end of a line'

# Cases make links in folders of their own; one in the tree would point to a place of one machine.
bad=$(find $folders tests doc examples scripts -type l)
verdict 'no links'

echo "1..$number"
