#!/bin/sh
# The lines of README's section "Set-up", each block in a new minimal Debian root, with times and sizes. The lines are taken out of
# README.md, so that they cannot drift. As root, with mmdebstrap and Debian's mirror; minutes. What is missing on this machine is skipped.
# usage: install.sh TOP FOLDER [TARBALL]     FOLDER: for the roots and the logs; without TARBALL the committed sources are taken
top=$1
work=$2
tarball=${3:-}
cd "$top" || exit 1
mkdir -p "$work"
work=$(cd "$work" && pwd)
. tests/extra/verdict.sh

for program in mmdebstrap git; do
	command -v $program >/dev/null && continue
	echo "1..0 # SKIP installing: no $program"
	exit 0
done
if test "$(id -u)" -ne 0; then
	echo '1..0 # SKIP installing: a root is made by root'
	exit 0
fi

# A root that has apt and what that needs; what fails before it stands is the mirror's or the machine's.
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
if ! mmdebstrap --quiet --variant=apt --aptopt='APT::Sandbox::User "root"' "$release" "$work/root.tar" >"$work/root.log" 2>&1; then
	echo "1..0 # SKIP installing: mmdebstrap made no root: $(grep '^E:' "$work/root.log" | head -n 1)"
	exit 0
fi

if test -z "$tarball"; then
	tarball=$work/source.tar
	git archive --prefix=stepstat/ HEAD >"$tarball"
fi

# The block of commands of README in which a line matches, without comments and blank lines.
lines_with()
{
	awk -v pattern="$1" '
		/^```sh$/ { inside = 1; text = ""; found = 0; next }
		/^```/ { if (inside && found) { printf "%s", text; exit } inside = 0; next }
		inside { text = text $0 "\n"; found = found || $0 ~ pattern }' README.md |
		sed 's/  *#.*//' | grep -v '^ *$'
}

new_root()
{
	root=$work/root
	rm -rf "$root"
	mkdir "$root"
	tar -C "$root" -xf "$work/root.tar"
	cp /etc/resolv.conf "$root/etc/" 2>/dev/null || :
	mkdir "$root/source"
	tar -C "$root/source" --strip-components=1 -xf "$tarball"
	size_before=$(du -sm "$root" | cut -f1)
}

# Runs the line in the source folder of the root and says how long it took.
run_line()
{
	began=$(date +%s)
	chroot "$root" sh -c "cd /source && PATH=$PATH && export DEBIAN_FRONTEND=noninteractive && $1" >"$work/line.log" 2>&1
	status=$?
	ended=$(date +%s)
	(exit $status)
	verdict "$2: $1 ($((ended - began)) s)" "$work/line.log"
}

# What every installation must be able to do.
main_job()
{
	run_line "${1:-stepstat} /source/examples/resnet_tower/profile_14 | grep -q 'A step takes'" "$2, the program"
	echo "# $2: $(($(du -sm "$root" | cut -f1) - size_before)) MB more in the root"
}

# A new root knows no package lists until apt-get update, which scripts/deps does; the packages for `apt install` come after it.
new_root
lines_with '^scripts/demo' >"$work/lines"
while read -r line; do
	case $line in
	scripts/check*) ;; # .ci/run does that
	*) run_line "$line" 'from source, tried' ;;
	esac
done <"$work/lines"
new_root
lines_with 'make install' >"$work/lines"
while read -r line; do run_line "$line" 'from source'; done <"$work/lines"
main_job stepstat 'from source'

# The wheel and the packages are made once, in one root; then they go to roots without a compiler.
new_root
lines_with 'scripts/package wheel' >"$work/lines"
while read -r line; do
	case $line in
	pip*) ;;
	*) run_line "$line" 'wheel, made' ;;
	esac
done <"$work/lines"
lines_with 'scripts/package deb' >"$work/lines"
while read -r line; do
	case $line in
	apt*) ;;
	*) run_line "$line" 'packages, made' ;;
	esac
done <"$work/lines"
rm -rf "$work/package"
cp -r "$root/source/build/package" "$work/package"
cp "$root/source/build/static/stepstat" "$work/package/"
for file in "$work"/package/*.whl "$work"/package/*.deb; do
	test -e "$file" && echo "# $(basename "$file"): $(stat -c %s "$file") bytes"
done

new_root
mkdir -p "$root/source/build"
cp -r "$work/package" "$root/source/build/package"
chroot "$root" sh -c 'apt-get -q update && apt-get -q -y install --no-install-recommends python3-venv && python3 -m venv /venv' \
	>"$work/venv.log" 2>&1
verdict 'Python with a venv, as Debian asks for' "$work/venv.log"
size_before=$(du -sm "$root" | cut -f1)
PATH=/venv/bin:$PATH
lines_with 'scripts/package wheel' | grep '^pip' >"$work/lines"
while read -r line; do run_line "$line" 'wheel'; done <"$work/lines"
main_job stepstat wheel
run_line "python3 -c \"import stepstat; print(stepstat.report(['/source/examples/resnet_tower/profile_14']).tables)\"" 'wheel, the module'
run_line 'top_srcdir=/source sh tests/action.sh >/action.log; grep -q "^1[.][.]" /action.log && ! grep "^not ok" /action.log' 'the action and the job for GitLab, with the wheel'
PATH=${PATH#/venv/bin:}

new_root
mkdir -p "$root/source/build"
cp -r "$work/package" "$root/source/build/package"
chroot "$root" apt-get -q update >"$work/update.log" 2>&1
lines_with 'scripts/package deb' | grep '^apt' >"$work/lines"
while read -r line; do run_line "$(echo "$line" | sed 's/^apt install/apt-get -q -y install/')" 'packages'; done <"$work/lines"
main_job stepstat packages

# The static binary alone, in a root that is empty.
static=$work/package/stepstat
if test -e "$static"; then
	rm -rf "$work/empty"
	mkdir "$work/empty"
	cp "$static" examples/resnet_tower/profile_14 "$work/empty/"
	chroot "$work/empty" /stepstat /profile_14 >"$work/line.log" 2>&1
	verdict "static binary of $(stat -c %s "$static") bytes in an empty root" "$work/line.log"
	rm -rf "$work/empty"
else
	skip 'static binary in an empty root' 'it was not made'
fi
rm -rf "$work/root" "$work/root.tar" "$work/package"
echo "1..$number"
