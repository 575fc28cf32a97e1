#!/bin/sh
# English that a machine can check: a comment begins with its subject, so never with a bare What, Who, That, Those, Of, By or For,
# and never with a question.
top=${top_srcdir:?top_srcdir must be set}
cd "$top" || exit 1
folders=$(sed -n 's,^\([a-z]*\)[/:].*,\1,p' tests/lint/rooms | sort -u)

# "FILE: TEXT" for the first line of each comment that begins without a subject.
found=$(find $folders \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*.pb-c.[ch]' | sort | xargs awk '
	FNR == 1 { waiting = 0 }
	{
		line = $0
		while (1) {
			if (!waiting) {
				at = index(line, "/*")
				if (!at)
					next
				line = substr(line, at + 2)
				waiting = 1
			}
			text = line
			sub(/^[ \t*]+/, "", text)
			if (text == "" || text ~ /^\//)
				next
			waiting = 0
			if (text ~ /^(What|Who|That|Those|Of|By|For|Is|Are|Does|Do|Has|Have|Did|Can|Was|Were)[^A-Za-z]/)
				print FILENAME ":" FNR ": " text
			at = index(line, "*/")
			if (!at) {
				while ((getline line) > 0 && !index(line, "*/"))
					;
				at = index(line, "*/")
			}
			line = substr(line, at + 2)
		}
	}')
echo "1..1"
if test -z "$found"; then
	echo "ok 1 - comments begin with their subject"
else
	printf '%s\n' "$found" | sed 's/^/# /'
	echo "not ok 1 - comments begin with their subject: not those above"
fi
