#!/bin/sh
# scripts/release in a copy: version, place and tag; what it refuses; and that each action of the workflows is named by a commit.
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
if ! command -v git >/dev/null; then
	echo "1..0 # SKIP no git"
	exit 0
fi
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
number=0
GIT_CONFIG_GLOBAL=/dev/null
export GIT_CONFIG_GLOBAL

# check NAME COMMAND...
check()
{
	number=$((number + 1))
	name=$1
	shift
	if "$@" >"$made/out" 2>&1; then
		echo "ok $number - $name"
	else
		sed 's/^/# /' "$made/out"
		echo "not ok $number - $name"
	fi
}

mkdir -p "$made/copy/debian" "$made/copy/doc" "$made/copy/scripts" "$made/copy/examples" "$made/copy/tests/golden/cli"
cd "$made/copy" || exit 1
for file in configure.ac CITATION.cff README.md NEWS debian/changelog doc/ci.md doc/python.md scripts/release tests/golden/cli/version.out; do
	cp "$top/$file" "$file"
done
cp -r "$top/examples/ci" examples/
chmod -R u+w .
old=$(sed -nE 's/^AC_INIT\(\[stepstat\], \[([^]]*)\].*/\1/p' configure.ac)
git init -q . && git config user.name Release && git config user.email release@stepstat.example
git add -A && git commit -q -m 'first' || exit 1
first=$(git rev-parse HEAD)

release()
{
	CHECK=${CHECK-true} REPOSITORY=somebody/stepstat scripts/release "$@"
}

refused()
{
	! release "$1" >"$made/refused" 2>&1 && grep -q "$2" "$made/refused" && test "$(git rev-parse HEAD)" = "$first" && test -z "$(git tag)"
}

check 'a version has digits and points' refused 1.2-rc usage
check 'NEWS must have the version' refused 7.8.9 'NEWS has no section 7.8.9'
touch new
check 'changes must be committed' refused "$old" 'not committed'
rm -f new
sed -i "3s/^/7.8.9\\n\\n  More.\\n\\n/" NEWS
git commit -q -a -m 'news'
first=$(git rev-parse HEAD)
CHECK=false
check 'what must hold must hold' refused 7.8.9 'what must hold does not'
unset CHECK
git checkout -q .
check 'a release' release 7.8.9
check 'the tag is that of the commit' test "$(git rev-parse 'v7.8.9^{commit}')" = "$(git rev-parse HEAD)"
check 'nothing is left' test -z "$(git status --porcelain)"
check 'the version is everywhere' sh -c '
	grep -qF "[stepstat], [7.8.9]" configure.ac && grep -qx "version: 7.8.9" CITATION.cff && grep -q "^date-released: 2" CITATION.cff &&
	grep -qF stepstat-7.8.9-py3 README.md && grep -qF stepstat-7.8.9-py3 doc/python.md && grep -qx "stepstat 7.8.9" tests/golden/cli/version.out &&
	grep -q "^stepstat (7.8.9) unstable" debian/changelog && ! git grep -qF "'"$old"'" -- configure.ac CITATION.cff README.md doc tests'
check 'no place is left open' sh -c '! git grep -n OWNER -- README.md doc examples && test $(git grep -c "uses: somebody/stepstat@'"$first"'" | wc -l) -ge 5'
first=$(git rev-parse HEAD)
check 'a tag is made once' sh -c '! REPOSITORY=a/b CHECK=true scripts/release 7.8.9 2>&1 | grep -q publish'
check 'the program does not say in which folder it was made' sh -c '! grep -aqF "$0/" "$(command -v stepstat)"' "$top"
if test -d "$top/.github"; then
	check 'actions are named by commits' sh -c '! grep -rhE "uses: " "$0/.github" | grep -vE "@[0-9a-f]{40} # v[0-9.]+$|uses: [.]/"' "$top"
fi
echo "1..$number"
