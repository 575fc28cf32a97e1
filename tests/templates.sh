#!/bin/sh
# Scripts and styles of the pages: they take nothing of the input as markup, ask for nothing, end no element that they
# stand in, and stay small; their lines have at most 100 columns.
top=${top_srcdir:?top_srcdir must be set}
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

bad=$(cd "$top/templates" && grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|cssText|fetch\(|XMLHttpRequest|import\(|https?://[^w]' script/*/*.mjs)
verdict 'the script parses nothing as markup or code, and asks for nothing'

bad=$(grep -cE '</(script|style)|<!--|\]\]>' templates/page_*.js | grep -v ':0$'
	grep -L 'Mike Bostock' templates/page_*.js)
verdict 'no bundle ends its element, each has the licence of d3'

bad=$(for file in templates/page_*.js; do
	size=$(wc -c <"$file")
	test "$size" -le 100000 || echo "$file: $size bytes"
done)
verdict 'each bundle is below 100 KB'

bad=$(cd "$top/templates" && for file in script/*/*.mjs; do
	LC_ALL=C sed 's/[\x80-\xBF]//g' "$file" | awk -v file="$file" 'length > 100 { print file ":" NR ": " length " columns" }
		FNR == 1 && !/^\/\/ / { print file ": no comment says what it does" }
		/[ \t]$/ { print file ":" NR ": a blank at the end" }'
done)
verdict 'each module says what it does, in lines of 100 columns'

echo "1..$number"
