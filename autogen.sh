#!/bin/sh
# Makes `configure` from configure.ac. Needed once after a checkout, not with a release.
set -eu
cd "$(dirname "$0")"

need()
{
	command -v "$1" >/dev/null 2>&1 || {
		echo "autogen.sh: '$1' is missing; on Debian: apt-get install $2" >&2
		exit 1
	}
}
need autoreconf autoconf
need automake automake
need pkg-config pkg-config

exec autoreconf --install --force
