#!/bin/sh
# The same recorded answers out of profiles that stepstat wrote of each model: graph, run data, op log and checkpoint, or another
# profile.
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
check_tfprof --rewritten "$top/tests/data" "$top/tests/data/tfprof-cli/program.gz" \
	"$top/tests/data/tfprof-cli/models.gz"
