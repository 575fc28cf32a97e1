#!/bin/sh
# Script and style of the pages are squeezed when they are compiled in: what the program runs is what
# was written, and a page stays small.
top=${top_srcdir:?top_srcdir must be set}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
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

skipped()
{
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# squeeze FILE
squeeze()
{
	case $1 in
	*.css) LC_ALL=C awk -v style=1 -f "$top/templates/squeeze.awk" "$1" ;;
	*) LC_ALL=C awk -f "$top/templates/squeeze.awk" "$1" ;;
	esac
}

# gives KIND TEXT EXPECTED
gives()
{
	printf '%s\n' "$2" >"$dir/case.$1"
	got=$(squeeze "$dir/case.$1" 2>&1)
	test "$got" = "$3" || printf '%s: got  %s\nexpected %s\n' "$2" "$got" "$3"
}

bad=$(
	gives js 'a = b; // c "d"' 'a=b;'
	gives js '/* a // b */ const x = /* " */ 1;' 'const x=1;'
	gives js "a = 'x  // y' + \"/* z */\";" "a='x  // y'+\"/* z */\";"
	gives js "a = 'it\\'s  b' ;" "a='it\\'s  b';"
	gives js 'a = `x  ${ b + `y  ${ {c: 1}.c }  ` } // z  `;' 'a=`x  ${b+`y  ${{c:1}.c}  `} // z  `;'
	gives js 'a = `\`  ${ b }`;' 'a=`\`  ${b}`;'
	gives js 'r = /[/"]  \/ ( )/g.test(s);' 'r=/[/"]  \/ ( )/g.test(s);'
	gives js 'f = x => /a  b/i.test(x); return /c  d/;' 'f=x=>/a  b/i.test(x);return/c  d/;'
	gives js 'a = (b + c) / d  / e[0] / 2;' 'a=(b+c)/d/e[0]/2;'
	gives js 'a = b + +c - -d - e++ + 1;' 'a=b+ +c- -d-e++ +1;'
	gives js 'a = b / /c/.x;' 'a=b/ /c/.x;'
	gives js 'if (a in b) { return typeof c; } else d();' 'if(a in b){return typeof c;}else d();'
	gives js 'let ä = "–" ;' 'let ä="–";'
	gives css 'a > b :focus, c { color : red; margin: -1px calc( 1px + 2px ); }' 'a>b :focus,c{color :red;margin:-1px calc( 1px + 2px )}'
	gives css '/* a */ @media print { .x:not(.y) { font: 1px/1.2 "A  B", c } }' '@media print{.x:not(.y){font:1px/1.2 "A  B",c}}'
)
verdict 'strings, templates and regular expressions stay, blanks beside punctuation go'

for file in page.js report.js compare.js page.css compare.css; do
	test ! -f "$top/templates/$file" || squeeze "$top/templates/$file" >"$dir/$file" || echo "not ok - $file is squeezed"
done
bad=$(for file in "$dir"/page.js "$dir"/report.js "$dir"/page.css "$dir"/compare.css; do
	squeeze "$file" | cmp -s - "$file" || echo "$file: squeezed twice it is another"
	grep -nE '</(script|style)|<!--|\]\]>' "$file"
done)
verdict 'squeezing twice changes nothing; nothing ends the element'

# 60 KB of a page are style, script and skeleton; the skeleton is written by report/html/.
size=$(cat "$dir/page.css" "$dir/page.js" "$dir/report.js" | wc -c)
bad=$(test "$size" -le 57344 || echo "$size bytes")
verdict 'style and script of a report are below 56 KB'

# Nothing of the input may become markup, style or a request.
bad=$(cd "$top/templates" && grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|cssText|fetch\(|XMLHttpRequest|import\(|https?://[^w]' ./*.js)
verdict 'the script parses nothing as markup or code'

cat >"$dir/tokens.js" <<'END'
const {tokenizer} = require('internal/deps/acorn/acorn/dist/acorn'), fs = require('fs');
const tokens = file => [...tokenizer(fs.readFileSync(file, 'utf8'), {ecmaVersion: 'latest'})].map(t => t.type.label + ' ' + (t.value && t.value.pattern !== undefined ? `/${t.value.pattern}/${t.value.flags}` : t.value));
const [a, b] = process.argv.slice(2).map(tokens), at = a.findIndex((x, i) => x !== b[i]);
if (at >= 0 || a.length !== b.length) console.log(`token ${at} of ${a.length}: ${a[at]}, squeezed ${b[at]}`);
else if (a.length < 1000) console.log(`only ${a.length} tokens`);
END
if node --expose-internals -e "require('internal/deps/acorn/acorn/dist/acorn')" 2>/dev/null; then
	bad=$(for file in page.js report.js compare.js; do
		test -f "$dir/$file" || continue
		node --check "$dir/$file" 2>&1
		node --expose-internals "$dir/tokens.js" "$top/templates/$file" "$dir/$file" 2>&1
	done)
	verdict 'a squeezed script has the tokens of the one that was written'
else
	skipped 'a squeezed script has the tokens of the one that was written' 'no node with its parser'
fi
echo "1..$number"
