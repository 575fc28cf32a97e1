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

mkdir -p "$made/copy/debian" "$made/copy/doc" "$made/copy/scripts" "$made/copy/examples" "$made/copy/tests/golden/cli" \
	"$made/copy/tests/golden/every_format"
cd "$made/copy" || exit 1
for file in configure.ac CITATION.cff README.md NEWS debian/changelog doc/ci.md doc/python.md scripts/release scripts/notices tests/golden/cli/version.out \
	tests/golden/every_format/dump.out; do
	cp "$top/$file" "$file"
done
cp -r "$top/examples/ci" examples/
chmod -R u+w .
old=$(sed -nE 's/^AC_INIT\(\[stepstat\], \[([^]]*)\].*/\1/p' configure.ac)
# Other numbers with the digits of the version, which stay.
sed -i "s/$old/1.2.0/" configure.ac CITATION.cff README.md doc/python.md tests/golden/cli/version.out tests/golden/every_format/dump.out
printf 'stepstat 1.2.0.\nfrom 1.2.0 %% to 11.2.0 stepstat-1.2.0.7 libstepstat 1.2.01 other 1.2.0\n' >doc/other.md
cp doc/other.md tests/golden/cli/other.out
old=1.2.0
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
check 'a version has three numbers' refused 7.8 usage
check 'a number begins with no 0' refused 7.08.9 usage
check 'NEWS must have the version' refused 7.8.9 'NEWS has no section 7.8.9'
touch new
check 'changes must be committed' refused "$old" 'not committed'
rm -f new
sed -i "3s/^/7.8.9\\n\\n  More.\\n\\n/" NEWS
git commit -q -a -m 'news'
first=$(git rev-parse HEAD)
git config user.useConfigOnly true && git config --unset user.name && git config --unset user.email
check 'a commit has an author' refused 7.8.9 'no name and address'
check 'nothing was changed for it' test -z "$(git status --porcelain)"
git config user.name Release && git config user.email release@stepstat.example
CHECK=false
check 'what must hold must hold' refused 7.8.9 'what must hold does not'
unset CHECK
check 'the way back is said' grep -q 'git reset --hard' "$made/refused"
git reset -q --hard
check 'a release' release 7.8.9
check 'the tag is that of the commit' test "$(git rev-parse 'v7.8.9^{commit}')" = "$(git rev-parse HEAD)"
check 'nothing is left' test -z "$(git status --porcelain)"
check 'the version is everywhere' sh -c '
	grep -qF "[stepstat], [7.8.9]" configure.ac && grep -qx "version: 7.8.9" CITATION.cff && grep -q "^date-released: 2" CITATION.cff &&
	grep -qF stepstat-7.8.9-py3 README.md && grep -qF stepstat-7.8.9-py3 doc/python.md && grep -qx "stepstat 7.8.9" tests/golden/cli/version.out &&
	grep -qF "'"'stepstat'	'7.8.9'"'" tests/golden/every_format/dump.out &&
	grep -q "^stepstat (7.8.9) unstable" debian/changelog && grep -qF -- "-- Release <release@stepstat.example>  " debian/changelog'
check 'it is that of the program alone' sh -c '
	grep -qx "cff-version: 1.2.0" CITATION.cff && for file in doc/other.md tests/golden/cli/other.out; do
		printf "stepstat 7.8.9.\\nfrom 1.2.0 %% to 11.2.0 stepstat-1.2.0.7 libstepstat 1.2.01 other 1.2.0\\n" | cmp - "$file" || exit 1
	done'
check 'where the program is from is said' sh -c '
	sh scripts/notices "$0" | grep -qx "Its source is at https://github.com/somebody/stepstat." &&
	! grep -F "not on PyPI" README.md doc/python.md && grep -qF "pip install stepstat" README.md && grep -qF "pip install stepstat" doc/python.md' "$top"
mkdir "$made/bin"
for package in libc6 no-such-package; do
	printf '#!/bin/sh\necho installed %s 1 source 1\n' "$package" >"$made/bin/dpkg-query"
	chmod +x "$made/bin/dpkg-query"
	PATH=$made/bin:$PATH sh scripts/notices "$top" -static >"$made/notices.$package" 2>&1
	echo $? >>"$made/notices.$package"
done
if test -e /usr/share/doc/libc6/copyright; then
	check 'a copyright file that is there is in the notices' sh -c 'tail -n1 "$0" | grep -qx 0 && grep -qx libc6 "$0"' "$made/notices.libc6"
fi
check 'a copyright file that is missing is an error' sh -c 'tail -n1 "$0" | grep -qx 1 && grep -q "is here of no-such-package" "$0"' "$made/notices.no-such-package"
check 'no place is left open' sh -c '! git grep -n OWNER -- README.md doc examples && test $(git grep -c "uses: somebody/stepstat@'"$first"'" | wc -l) -ge 5'
first=$(git rev-parse HEAD)
second()
{
	sed -i '3s/^/7.8.10\n\n  More.\n\n/' NEWS
	git commit -q -a -m 'more news'
	before=$(git rev-parse HEAD)
	CHECK=true REPOSITORY=somebody/elsewhere scripts/release 7.8.10 &&
		test "$(git grep -c "uses: somebody/elsewhere@$before" | wc -l)" -ge 5 && ! git grep -n 'somebody/stepstat@'
}
check 'the next release, of a repository with another name' second
CHECK=true REPOSITORY=somebody/elsewhere
export CHECK REPOSITORY
check 'a third from there' sh -c '
	sed -i "3s/^/7.9.0\n\n  More.\n\n/" NEWS && git commit -q -a -m news && before=$(git rev-parse HEAD) && scripts/release 7.9.0 &&
	test "$(git grep -c "uses: somebody/elsewhere@$before" | wc -l)" -ge 5 && grep -qxF "repository=somebody/elsewhere" scripts/notices'
check 'a tag is made once' sh -c '! REPOSITORY=a/b CHECK=true scripts/release 7.8.9 2>&1 | grep -q publish'
# The sanitizers write the whole names of source files into the program, for their own messages; no flag maps these.
folder='the program does not say in which folder it was made'
if grep -aqF __ubsan_handle_ "$(command -v stepstat)"; then
	number=$((number + 1))
	echo "ok $number - $folder # SKIP a program with sanitizers, whose messages name its sources"
else
	check "$folder" sh -c '! grep -aqF "$0/" "$(command -v stepstat)"' "$top"
fi
if test -d "$top/.github"; then
	check 'actions are named by commits' sh -c '! grep -rhE "uses: " "$0/.github" | grep -vE "@[0-9a-f]{40} # v[0-9.]+$|uses: [.]/"' "$top"
fi
echo "1..$number"
