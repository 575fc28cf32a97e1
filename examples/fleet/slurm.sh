#!/bin/sh
# The array and the merge after it, on Slurm. Run it again after a failure: what is done is not done again.
# usage: slurm.sh LIST OUT [OPTION OF SBATCH...]    TASKS: size of the array, 64 unless set
set -eu
list=$(readlink -f "${1:?usage: slurm.sh LIST OUT}")
out=$(readlink -f "${2:?usage: slurm.sh LIST OUT}")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
tasks=${TASKS:-64}
array=$(sbatch --parsable --job-name=ranks --array="0-$((tasks - 1))" --cpus-per-task=1 --mem=1G --requeue "$@" \
	"$here/ranks.sh" "$list" "$out")
sbatch --parsable --job-name=merge --dependency="afterok:${array%%;*}" --kill-on-invalid-dep=yes --mem=1G "$@" \
	"$here/merge.sh" "$list" "$out"
