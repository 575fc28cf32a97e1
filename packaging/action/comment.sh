#!/bin/sh
# Makes a file the comment of a pull request on GitHub or of a merge request on GitLab. There is one comment for each
# NAME: it begins with a line that nobody sees, by which the next call finds it and changes it. Without a token, and
# where the token must not write (pull requests from forks), it says so; the job does not fail for it.
#
# usage: comment.sh FILE NAME    COMMENT_TOKEN, PULL_REQUEST (a number), and what the CI sets by itself
set -u
file=$1
name=$2
here=$(dirname "$0")

give_up()
{
	echo "::notice title=stepstat::no comment: $1; the summary of the job has the report"
	exit 0
}

test -f "$file" || give_up "there is no $file"
test -n "${PULL_REQUEST:-}" || give_up 'this is no pull request'
if test -n "${GITLAB_CI:-}"; then
	header="PRIVATE-TOKEN: ${COMMENT_TOKEN:-}"
	api=$CI_API_V4_URL
	comments=$api/projects/$CI_PROJECT_ID/merge_requests/$PULL_REQUEST/notes
	comment=$comments
	change=PUT
else
	header="Authorization: Bearer ${COMMENT_TOKEN:-}"
	api=${GITHUB_API_URL:-https://api.github.com}
	comments=$api/repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
	comment=$api/repos/$GITHUB_REPOSITORY/issues/comments
	change=PATCH
fi
test -n "${COMMENT_TOKEN:-}" || give_up 'there is no token'
for program in curl python3; do
	command -v $program >/dev/null || give_up "it needs $program"
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# ask METHOD ADDRESS [FILE]: the token is on no command line, which others could read.
ask()
{
	printf 'header = "%s"\n' "$header" |
		curl --config - --fail --silent --show-error --max-time 60 --request "$1" \
			${3:+--header 'Content-Type: application/json' --data-binary "@$3"} "$2"
}

# Who the token is. That of a GitHub job is no user and may not ask.
ask GET "$api/user" >"$work/self" 2>/dev/null || echo '{}' >"$work/self"

page=0
found='more'
while test "$found" = more; do
	page=$((page + 1))
	ask GET "$comments?per_page=100&page=$page" >"$work/list" || give_up 'those that are there cannot be read'
	found=$(python3 "$here/comments.py" find "$name" "$work/self" <"$work/list") || give_up 'the answer of the server is none'
done
python3 "$here/comments.py" body "$name" <"$file" >"$work/body" || exit 1
if test "$found" = none; then
	ask POST "$comments" "$work/body" >/dev/null || give_up 'the token must not write one'
	echo 'comment written'
else
	ask $change "$comment/$found" "$work/body" >/dev/null || give_up 'the token must not change the one that is there'
	echo "comment $found changed"
fi
