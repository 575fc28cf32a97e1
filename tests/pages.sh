#!/bin/sh
# The script of a page in a headless Chromium: pages of golden inputs draw without an error, with a mark for each step and a plot for
# each row. The whole of what pages promise is in tests/extra/pages.py and pages_compare.py.
if ! command -v python3 >/dev/null 2>&1; then
	echo '1..0 # SKIP no python3'
	exit 0
fi
exec python3 "${top_srcdir:?top_srcdir must be set}/tests/pages.py" ./stepstat "$top_srcdir"
