# Counts and sums of single events against a table: awk -f per_name.awk EXPECTED.csv EVENTS.csv. Names stand in the first
# column of the one and the sixth of the other; sums are compared in ps, as integers. What clang sums up itself is no event.

# Splits a line of CSV into field[1..]; returns how many.
function split_csv(line, field,    n, c, i, quoted, text) {
	n = 0
	text = ""
	quoted = 0
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (quoted && c == "\"" && substr(line, i + 1, 1) == "\"") { text = text c; i++ }
		else if (c == "\"") quoted = !quoted
		else if (c == "," && !quoted) { field[++n] = text; text = "" }
		else text = text c
	}
	field[++n] = text
	return n
}
function ps(us,    at, rest) {
	at = index(us, ".")
	rest = at ? substr(us, at + 1) : ""
	return (at ? substr(us, 1, at - 1) : us) * 1000000 + substr(rest "000000", 1, 6)
}
FNR == 1 { next }
FNR == NR {
	split_csv($0, f)
	if (f[1] ~ /^Total /) { next }
	if (f[1] == "") f[1] = "[no name]"
	want[f[1]] = f[2]
	want_ps[f[1]] = ps(f[3])
	next
}
{
	split_csv($0, f)
	got[f[6]]++
	got_ps[f[6]] += ps(f[9])
}
END {
	for (name in want) {
		names++
		calls += want[name]
		bad += got[name] != want[name] || got_ps[name] != want_ps[name]
	}
	for (name in got) more += !(name in want)
	print names " names, " calls " events, " bad + 0 " differ, " more + 0 " more"
}
