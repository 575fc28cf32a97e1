#!/bin/sh
# Puts stepstat at hand for the steps of a CI that follow: from a wheel, else the one in PATH, else built from the source
# that this script lies in. STEPSTAT_WHEEL is a file or an address, STEPSTAT_WHEEL_SHA256 the checksum it must have (may be
# empty). In GitHub Actions the folder of the program is added to the PATH of the steps; elsewhere
# STEPSTAT_PREFIX/bin is it. Without either it is a new folder, which is said: a name that others know could be theirs.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
prefix=${STEPSTAT_PREFIX:-${RUNNER_TEMP:+$RUNNER_TEMP/stepstat-wheel}}

fail()
{
	echo "::error title=stepstat::$1"
	exit 3
}

new_prefix()
{
	if test -z "$prefix"; then
		prefix=$(mktemp -d) || fail 'there is no folder for temporary files'
		echo "stepstat is in $prefix/bin"
	else
		rm -rf "$prefix"
		mkdir -p "$prefix"
		prefix=$(cd "$prefix" && pwd)
	fi
}

build()
{
	JOBS=$(nproc) && export JOBS
	"$source/scripts/deps" build && "$source/scripts/build" "$prefix/build" --disable-tests &&
		mkdir "$prefix/bin" && cp "$prefix/build/stepstat" "$prefix/bin"
}

if test -n "${STEPSTAT_WHEEL:-}"; then
	new_prefix
	case $STEPSTAT_WHEEL in
	https://* | http://*)
		# pip takes the tags from the name of the file.
		wheel=$prefix/$(basename "${STEPSTAT_WHEEL%%[?#]*}")
		curl --fail --silent --show-error --location --retry 3 --output "$wheel" "$STEPSTAT_WHEEL" ||
			fail "the wheel cannot be had from $STEPSTAT_WHEEL"
		;;
	*) wheel=$STEPSTAT_WHEEL ;;
	esac
	test -f "$wheel" || fail "there is no wheel $wheel"
	if test -n "${STEPSTAT_WHEEL_SHA256:-}"; then
		echo "$STEPSTAT_WHEEL_SHA256  $wheel" | sha256sum --check --quiet - ||
			fail "$wheel is not the file whose SHA-256 is $STEPSTAT_WHEEL_SHA256"
	fi
	python3 -m venv "$prefix" || fail 'there is no python3 with venv to install the wheel'
	"$prefix/bin/python" -m pip install --quiet --no-index --no-deps "$wheel" || fail "$wheel cannot be installed"
	# Another stepstat of the runner is not what was asked for.
	test -x "$prefix/bin/stepstat" || fail "$wheel has no program stepstat"
elif command -v stepstat >/dev/null; then
	prefix=
else
	test -x "$source/scripts/build" ||
		fail 'stepstat is not in PATH, nor is its source here: give the input wheel, a file or an address'
	new_prefix
	echo "stepstat is not in PATH: built from $source"
	if ! build >"$prefix/log" 2>&1; then
		tail -n 40 "$prefix/log"
		fail 'stepstat cannot be built here: give the input wheel, a file or an address'
	fi
fi
if test -n "$prefix"; then
	PATH=$prefix/bin:$PATH
	test -z "${GITHUB_PATH:-}" || echo "$prefix/bin" >>"$GITHUB_PATH"
fi
stepstat --version || fail 'stepstat does not start'
