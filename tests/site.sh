#!/bin/sh
# The documentation as a site: it builds, its links hold, and no page loads anything from elsewhere.
top=${top_srcdir:?top_srcdir must be set}
command -v mkdocs >/dev/null 2>&1 || {
	echo '1..0 # SKIP no mkdocs here (Debian: apt-get install mkdocs)'
	exit 0
}
python=/usr/bin/python3
test -x $python || python=python3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
said=$(sh "$top/scripts/site" "$folder/site" 2>&1 && $python "$top/tests/links.py" "$folder/site" 2>&1)
status=$?
echo "$said" | sed 's/^/# /'
test $status -eq 0 && echo 'ok 1 - every link of the site' || echo 'not ok 1 - every link of the site'
# A heading that is gone is found.
sed -i 's/id="[^"]*"//g' "$folder/site/doc/reading.html"
$python "$top/tests/links.py" "$folder/site" >/dev/null && echo 'not ok 2 - a lost heading' || echo 'ok 2 - a lost heading'
echo 1..2
