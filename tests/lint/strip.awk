# Blanks comments, and the insides of strings and characters, of C files; lines and columns stay.
# Marks a // comment as the word LINE_COMMENT.
{
	line = $0
	out = ""
	n = length(line)
	for (i = 1; i <= n; i++) {
		c = substr(line, i, 1)
		two = substr(line, i, 2)
		if (in_comment) {
			if (two == "*/") {
				in_comment = 0
				out = out " "
				i++
			}
			out = out " "
		} else if (quote != "") {
			if (c == "\\") {
				out = out " "
				i++
			}
			if (c == quote) {
				out = out quote
				quote = ""
			} else {
				out = out " "
			}
		} else if (two == "/*") {
			in_comment = 1
			out = out "  "
			i++
		} else if (two == "//") {
			out = out "LINE_COMMENT"
			break
		} else {
			if (c == "\"" || c == "'")
				quote = c
			out = out c
		}
	}
	quote = ""
	print FILENAME ":" FNR ":" out
}
