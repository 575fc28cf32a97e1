#!/bin/sh
# The gate of a CI: what examples/ci/gate.sh writes, in the folder STEPSTAT_FOLDER (stepstat-gate, emptied first),
# with the observations of both sides beside it. In GitHub Actions the answer goes to the summary of the job and to the
# outputs of the step, too. The exit status is that of stepstat gate; more than 5: it died.
#
# STEPSTAT_BASE, STEPSTAT_NEW: the runs.  STEPSTAT_MARGIN, STEPSTAT_OPTIONS (one on each line): of stepstat gate.
# STEPSTAT_POLICY: a file of policies, instead of stepstat.yaml.
# STEPSTAT_BASE_COMMIT: of a pull request. The file of policies is the one of this commit, whatever the pull
# request says, unless STEPSTAT_POLICY_FROM_BASE is false.
# STEPSTAT_NEW_COMMIT, STEPSTAT_MACHINE: for the last line of the report, which names both commits, the machine that
# recorded the runs (this one unless it is said), the day and the job.
set -fu
here=$(dirname "$0")
STEPSTAT_FOLDER=${STEPSTAT_FOLDER:-stepstat-gate}
export STEPSTAT_FOLDER
out=$STEPSTAT_FOLDER
policy=${STEPSTAT_POLICY:-stepstat.yaml}
commit=${STEPSTAT_BASE_COMMIT:-}
test "${STEPSTAT_POLICY_FROM_BASE:-true}" = false && commit=

# tell NAME VALUE: an output of the step.
tell()
{
	test -z "${GITHUB_OUTPUT:-}" || echo "$1=$2" >>"$GITHUB_OUTPUT"
}

# The policies of the base commit; without that file it has none, and nothing else has. A commit that is not here
# is no reason to take the file of the pull request.
policy_of_base()
{
	git cat-file -e "$commit^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$commit" || return 1
	if git cat-file -e "$commit:$policy" 2>/dev/null; then
		git show "$commit:$policy" >"$out/policy-of-base.yaml"
	else
		echo "# the base commit has no $policy" >"$out/policy-of-base.yaml"
	fi
}

# code TEXT: as a code span, in which nothing is markup and nobody is mentioned.
code()
{
	printf %s "\`$(printf %s "$1" | tr '`\n' "' " | cut -b 1-200)\`"
}

# commit NAME HASH
commit()
{
	test -z "$2" || printf '%s [%.9s](%s/commit/%s), ' "$1" "$2" "$project" "$2"
}

machine()
{
	printf %s "${RUNNER_NAME:-${CI_RUNNER_DESCRIPTION:-}} "
	sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1
	nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | sort -u
}

about()
{
	base_commit=${STEPSTAT_BASE_COMMIT:-}
	# What was checked out is the merge of both sides, and its first parent the base that it was made with.
	case ${GITHUB_REF:-} in
	refs/pull/*/merge)
		test "$(git rev-parse -q --verify HEAD 2>/dev/null)" != "$GITHUB_SHA" ||
			base_commit=$(git rev-parse -q --verify HEAD^1) || base_commit=${STEPSTAT_BASE_COMMIT:-}
		;;
	esac
	project=${GITHUB_SERVER_URL:-}/${GITHUB_REPOSITORY:-}
	job=$project/actions/runs/${GITHUB_RUN_ID:-}
	test -z "${GITLAB_CI:-}" || project=$CI_PROJECT_URL/- job=$CI_JOB_URL
	test "$project" != / || return 0
	printf '\n'
	commit base "$base_commit"
	commit new "${STEPSTAT_NEW_COMMIT:-}"
	printf 'machine %s, %s, [job](%s)\n' "$(code "${STEPSTAT_MACHINE:-$(machine)}")" "$(date -u +%Y-%m-%d)" "$job"
}

rm -rf "$out"
mkdir -p "$out" || exit 3
set -- "${STEPSTAT_BASE:-base}" "${STEPSTAT_NEW:-new}"
test -z "${STEPSTAT_MARGIN:-}" || set -- "$@" "--margin=$STEPSTAT_MARGIN"
config=${STEPSTAT_POLICY:+--config=$STEPSTAT_POLICY}
# Where the base decides, a file that the pull request removed is no mistake of the workflow.
test -z "$commit" || test -f "$policy" || config=
test -z "$config" || set -- "$@" "$config"
line_break='
'
IFS=$line_break
# shellcheck disable=SC2086 # a word for each line
set -- "$@" ${STEPSTAT_OPTIONS:-}
unset IFS

if test -n "$commit" && ! policy_of_base; then
	printf '**\342\232\240\357\270\217 no result: the base commit %s is not here**\n\n%s\n' "$commit" \
		'Its policies cannot be read; check out with fetch-depth: 0.' >"$out/gate.md"
	status=3
else
	if test -n "$commit"; then
		set -- "$@" "--policy-from=$out/policy-of-base.yaml"
		config=--config=$out/policy-of-base.yaml
	fi
	sh "$here/../../examples/ci/gate.sh" "$@"
	status=$?
fi

case $status in
0) answer=green ;;
1) answer=red ;;
2) answer=wrong ;;
3) answer=unusable ;;
4) answer=blind ;;
5) answer=improved ;;
*) answer=crash ;;
esac
tell status $status
tell answer $answer
tell folder "$out"
if test -f "$out/gate.json"; then
	sed -n '/^  "checks"/,/^  \]/p' "$out/gate.json" >"$out/checks"
	for word in failed undecided unusable waived skipped passed; do
		tell $word "$(grep -c "\"status\": \"$word\"" "$out/checks")"
	done
	rm "$out/checks"
	for side in base new; do
		"${STEPSTAT:-stepstat}" export "$1" ${config:+"$config"} -o "$out/$side.obs" || echo "no observations of $side" >&2
		shift
	done
else
	# The program says nothing in a form that GitHub knows when it has no report.
	test "${GITHUB_ACTIONS:-}" != true ||
		echo "::error title=stepstat gate::no result ($answer, exit status $status); the summary of the job has the messages"
fi
about >>"$out/gate.md"
test -z "${GITHUB_STEP_SUMMARY:-}" || cat "$out/gate.md" >>"$GITHUB_STEP_SUMMARY"
exit $status
