#!/bin/sh
# README's two commands, scripts/demo and scripts/check, on a bare machine: a new minimal Debian root with nothing but git. What the
# tests found, and their logs, are in FOLDER afterwards. As root, with mmdebstrap and Debian's mirror; JOBS as in scripts/check.
# Exit status 77: no root can be made here; standard error says why.
# usage: bare.sh TOP FOLDER [RELEASE]   COMMANDS: those instead of the two, with && between them

# As a hook of mmdebstrap, in whose root /proc and /dev are mounted: bare.sh --inside FOLDER ROOT.
if test "$1" = --inside; then
	work=$2
	root=$3
	touch "$work/stands"
	mkdir "$root/stepstat"
	tar -C "$root/stepstat" -xf "$work/source.tar" || exit 1
	# in_root COMMAND: says how long it took.
	in_root()
	{
		began=$(date +%s)
		chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin JOBS="${JOBS:-2}" \
			sh -c "cd /stepstat && $1"
		status=$?
		echo "=== bare machine: $1: status $status, $(($(date +%s) - began)) s"
		return $status
	}
	if test -n "${COMMANDS:-}"; then
		in_root "$COMMANDS"
	else
		in_root scripts/demo && in_root 'scripts/check --enable-werror'
	fi
	status=$?
	(cd "$root/stepstat/build/check" 2>/dev/null && find . -name '*.trs' -o -name '*.log') >"$work/results"
	tar -C "$root/stepstat/build/check" -cf - -T "$work/results" | tar -C "$work" -xf -
	exit $status
fi

top=$1
work=$2
cd "$top" || exit 1
release=${3:-$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)}
for program in mmdebstrap git; do
	command -v $program >/dev/null && continue
	echo "no $program" >&2
	exit 77
done
if test "$(id -u)" -ne 0; then
	echo 'a root is made by root' >&2
	exit 77
fi
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
git ls-files -z | tar --null -T - -cf "$work/source.tar" || exit 77

# What fails before the root stands is the mirror's or the machine's.
mmdebstrap --quiet --variant=minbase --include=git --aptopt='APT::Sandbox::User "root"' \
	--customize-hook="sh '$top/tests/extra/bare.sh' --inside '$work' \"\$1\"" "$release" "$work/root" >"$work/mmdebstrap.log" 2>&1
status=$?
rm -rf "$work/root" "$work/source.tar"
if ! test -e "$work/stands"; then
	grep '^E:' "$work/mmdebstrap.log" | head -n 1 >&2
	exit 77
fi
test $status -eq 0 || tail -n 60 "$work/mmdebstrap.log"
grep '^=== bare machine' "$work/mmdebstrap.log"
exit $status
