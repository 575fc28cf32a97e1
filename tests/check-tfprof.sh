#!/bin/sh
# All recorded answers of TensorFlow's own tfprof: tests/check_tfprof in a folder of its own.
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
check_tfprof "$top/tests/data" "$top/tests/data/tfprof-cli/program.gz" \
	"$top/tests/data/tfprof-cli/models.gz"
