# A script or a style without comments, line ends, and blanks beside punctuation: -v style=1 for CSS.
# What is in strings, templates and regular expressions stays as it is. Statements of the script end
# with a semicolon, as line ends do not count any more; a regular expression does not follow ) ] or }.
BEGIN { letter = "[A-Za-z0-9_$\200-\377]" }
{ text = text $0 "\n" }

function put(piece) { printf "%s", piece; gap = 0 }

# Where the string that opens at i ends.
function string_end(i,    quote, c) {
	quote = substr(text, i, 1)
	for (i++; (c = substr(text, i, 1)) != quote && c != ""; i++)
		if (c == "\\")
			i++
	return i
}

# Where the regular expression that opens at i ends; a / in [ ] is part of it.
function regex_end(i,    c, class) {
	for (i++; (c = substr(text, i, 1)) != "/" || class; i++) {
		if (c == "\\")
			i++
		else if (c == "[")
			class = 1
		else if (c == "]")
			class = 0
		else if (c == "\n" || c == "") {
			print "squeeze.awk: a regular expression has no end" > "/dev/stderr"
			exit failed = 1
		}
	}
	return i
}

# Where the text of a template ends that starts after i: at its ` or at the { of a ${.
function template_end(i,    c) {
	for (i++; (c = substr(text, i, 1)) != "`" && c != ""; i++) {
		if (c == "\\")
			i++
		else if (c == "$" && substr(text, i + 1, 1) == "{")
			return i + 1
	}
	return i
}

function is_blank(c) { return c == " " || c == "\t" || c == "\n" }

function word_end(i) {
	while (substr(text, i + 1, 1) ~ letter)
		i++
	return i
}

function squeeze_script(    i, j, c, last, word, depth, level) {
	for (i = 1; (c = substr(text, i, 1)) != ""; i = j + 1) {
		j = i
		if (is_blank(c)) {
			gap = 1
			continue
		}
		if (c == "/" && substr(text, i + 1, 1) == "/") {
			while (substr(text, j + 1, 1) !~ /^\n?$/)
				j++
			gap = 1
			continue
		}
		if (c == "/" && substr(text, i + 1, 1) == "*") {
			j = i + 2 + index(substr(text, i + 2), "*/")
			gap = 1
			continue
		}
		if (c ~ letter) {
			j = word_end(i)
			if (gap && last ~ letter)
				put(" ")
			word = substr(text, i, j - i + 1)
			put(word)
			last = "a"
			continue
		}
		if (gap && c == last && index("+-/", c))
			put(" ")
		if (c == "'" || c == "\"")
			j = string_end(i)
		else if (c == "`" || (c == "}" && depth && level[depth] == 0)) {
			# A template, or what follows one of its ${ }.
			if (c == "}")
				depth--
			j = template_end(i)
			if (substr(text, j, 1) == "{")
				level[++depth] = 0
		} else if (c == "{")
			level[depth]++
		else if (c == "}")
			level[depth]--
		else if (c == "/" && (last !~ /[\])}a'"`]/ || (last == "a" && word ~ /^(return|typeof|case|in|of)$/))) {
			j = regex_end(i)
			put(substr(text, i, j - i + 1))
			last = "a"
			word = ""
			continue
		}
		put(substr(text, i, j - i + 1))
		last = substr(text, j, 1)
		word = ""
	}
}

# No blank stands beside { } ; , > nor after a colon; one before it is a selector's.
function squeeze_style(    i, j, c, last) {
	for (i = 1; (c = substr(text, i, 1)) != ""; i = j + 1) {
		j = i
		if (is_blank(c)) {
			gap = 1
			continue
		}
		if (c == "/" && substr(text, i + 1, 1) == "*") {
			j = i + 2 + index(substr(text, i + 2), "*/")
			gap = 1
			continue
		}
		if (c == "'" || c == "\"")
			j = string_end(i)
		if (last == ";" && c != "}")
			put(";")
		else if (gap && last != "" && !index("{}:;,>", last) && !index("{};,>", c))
			put(" ")
		last = c
		if (c != ";") # the last one before a } is not needed
			put(substr(text, i, j - i + 1))
		gap = 0
	}
}

END {
	if (failed)
		exit 1
	if (style)
		squeeze_style()
	else
		squeeze_script()
	print ""
}
