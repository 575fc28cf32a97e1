#!/bin/sh
# The Debian packages: made of the tarball, without a complaint of lintian, installed in a new root with nothing but what they
# depend on, where the tests of debian/tests run. What is missing on this machine is skipped.
# usage: deb.sh TOP FOLDER [TARBALL]     FOLDER: for the new root and the logs
top=$1
work=$2
tarball=${3:-}
cd "$top" || exit 1
mkdir -p "$work"
work=$(cd "$work" && pwd)
. tests/extra/verdict.sh

for program in dpkg-buildpackage dh fakeroot; do
	command -v $program >/dev/null && continue
	echo "1..0 # SKIP Debian packages: no $program (packages dpkg-dev, debhelper, fakeroot)"
	exit 0
done

DEB_BUILD_OPTIONS=nocheck scripts/package deb "$tarball" >&2
verdict 'dpkg-buildpackage' build/package/deb.log
program=$(echo build/package/stepstat_*.deb)
library=$(echo build/package/libstepstat-dev_*.deb)
test -f "$program" || exit 1

if command -v lintian >/dev/null; then
	lintian --allow-root --fail-on error,warning build/package/stepstat_*.changes >"$work/lintian.log" 2>&1
	verdict lintian "$work/lintian.log"
else
	skip lintian 'no lintian'
fi

# Unpacked beside the libraries of this machine.
root=$work/unpacked
rm -rf "$root"
dpkg -x "$program" "$root" && dpkg -x "$library" "$root"
verdict 'dpkg -x'
PATH=$root/usr/bin:$PATH sh debian/tests/main-job "$root/usr/share/doc/stepstat" >"$work/main-job.log" 2>&1
verdict 'main job, unpacked' "$work/main-job.log"
PATH=$root/usr/bin:$PATH PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$(echo "$root"/usr/lib/*/pkgconfig) \
	sh debian/tests/library "$root/usr/share/doc/stepstat" >"$work/library.log" 2>&1
verdict 'a program for C with the library, unpacked' "$work/library.log"

# A new root: what fails before it stands is the mirror's or the machine's.
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
if ! command -v mmdebstrap >/dev/null; then
	skip 'main job in a new root' 'no mmdebstrap'
else
	rm -rf "$work/root" "$work/stands"
	mmdebstrap --quiet --variant=apt --aptopt='APT::Sandbox::User "root"' \
		--customize-hook="touch '$work/stands'; cp $program debian/tests/main-job \"\$1\"/" \
		--customize-hook="chroot \"\$1\" apt-get -q -y install --no-install-recommends ./${program##*/}" \
		--customize-hook='chroot "$1" sh /main-job' \
		"$release" "$work/root" >"$work/root.log" 2>&1
	status=$?
	if test $status -ne 0 && ! test -e "$work/stands"; then
		skip 'main job in a new root' "mmdebstrap made none: $(grep '^E:' "$work/root.log" | head -n 1)"
	else
		(exit $status)
		verdict 'main job in a new root' "$work/root.log"
	fi
	rm -rf "$work/root"
fi
rm -rf "$root"
echo "1..$number"
