# Is each value of an export of printed text (first file) within half of its last printed digit of that of the
# dump (second file)? Both by `stepstat export`, a line for each value. all=1: the text must have every value
# of the dump. Names must be free of commas and quotes.
BEGIN { FS = "," }

function half_digit(value, unit, measure)
{
	value = value < 0 ? -value : value
	if (unit != "us" && unit != "bytes" && measure != "float_ops" && measure != "params")
		return 0
	if (value < 1e3)
		return 0
	return value < 1e6 ? 5 : unit == "us" || unit == "bytes" || value < 1e9 ? 5000 : 5000000
}

FNR == 1 || $3 == "" { next }

{ key = $2 "," $3 "," $4 }

NR == FNR {
	value[key] = $5
	unit[key] = $6
	measures[$4]
	next
}

!($4 in measures) { next }

!(key in value) {
	if (all) {
		print "not in the text: " key
		failed++
	}
	next
}

{
	seen[key]
	if ($4 ~ /^(type|device)(_total)?$/) { # a text need not have them
		if (unit[key] != "" && unit[key] != $6) {
			print key ": " unit[key] " is not " $6
			failed++
		}
		next
	}
	difference = value[key] - $5
	compared++
	exact += difference == 0
	if (value[key] == "" || (difference < 0 ? -difference : difference) > half_digit(value[key], $6, $4)) {
		print key ": printed " value[key] ", in the dump " $5 " " $6
		failed++
	}
}

END {
	for (key in value)
		if (!(key in seen)) {
			print "not in the dump: " key
			failed++
		}
	printf "%d values within their last digit, %d of them exact; %d wrong\n", \
		compared, exact, failed
	exit failed > 0
}
