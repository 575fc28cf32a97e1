#!/bin/sh
# The wheel as users get it: what twine and auditwheel say of it, and in a venv of each Python from 3.9 on that is here,
# installed without an index: the two commands, tests/python/module.py with the installed program, types, the notebook.
# usage: tests/extra/wheel.sh WHEEL   PYTHONS: the interpreters, instead of those that are found
# What is not here is said and counted as skipped.
wheel=${1:?usage: tests/extra/wheel.sh WHEEL}
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
number=0
unset STEPSTAT PYTHONPATH
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# check NAME COMMAND...: a line of TAP, with the output when the command fails.
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

skip()
{
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

if command -v twine >/dev/null; then
	check 'twine check' twine check --strict "$wheel"
else
	skip 'twine check' 'no twine'
fi
if command -v auditwheel >/dev/null; then
	audit()
	{
		auditwheel show "$wheel" && auditwheel show "$wheel" 2>/dev/null | grep -q 'requires no external shared libraries'
	}
	check 'auditwheel: no library is needed' audit
else
	skip 'auditwheel: no library is needed' 'no auditwheel'
fi

# Interpreters by their versions, each version once; pyenv keeps its own beside the path.
pythons()
{
	for python in ${PYTHONS:-python3 $(seq -f 'python3.%g' 9 19) "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3}; do
		"$python" -c 'import sys; assert sys.version_info >= (3, 9)
import ensurepip, venv; print("%d.%d" % sys.version_info[:2], sys.executable)' 2>/dev/null
	done | sort -u -k1,1 -t' '
}

# installed VERSION PYTHON
installed()
{
	venv=$made/$1
	bin=$venv/bin
	check "Python $1: pip install --no-index" sh -c '"$0" -m venv "$1" && "$1/bin/pip" --disable-pip-version-check install -q --no-index "$2"' "$2" "$venv" "$wheel"
	check "Python $1: stepstat" "$bin/stepstat" "$top/examples/resnet_tower/profile_14" --top=3
	ln -sf "$bin/tfprof" "$made/linked"
	check "Python $1: tfprof, through a link" sh -c 'echo "op -max_depth 1 -select micros" | "$0" --profile_path="$1" | grep "^AddN "' \
		"$made/linked" "$top/examples/resnet_tower/profile_14"
	check "Python $1: the module" "$bin/python" "$top/tests/python/module.py" "$top"
	check "Python $1: uninstall leaves nothing" sh -c '"$0/pip" --disable-pip-version-check uninstall -q -y stepstat && ! test -e "$0/stepstat" && ! test -e "$0/tfprof"' "$bin"
}

found=$(pythons)
if test -z "$found"; then
	skip 'pip install --no-index' 'no Python from 3.9 on with venv (Debian package python3-venv)'
fi
while read -r version python; do
	test -z "$version" || installed "$version" "$python"
done <<END
$found
END
echo "1..$number"
