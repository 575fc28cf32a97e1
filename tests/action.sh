#!/bin/sh
# The steps of action.yml and the job of packaging/gitlab.yml do what they say, without GitHub and GitLab.
top=${top_srcdir:?top_srcdir must be set}
python=/usr/bin/python3
test -x $python || python=python3
if ! $python -c 'import json, subprocess' 2>/dev/null; then
	echo "1..0 # SKIP no python3 with json (Debian package python3)"
	exit 0
fi
exec $python "$top/tests/action.py" "$top"
