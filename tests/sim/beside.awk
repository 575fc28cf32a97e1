# Two outputs of worlds cell beside cell: awk -f beside.awk BEFORE AFTER. Equal cells are written once;
# lines that are in AFTER alone are left as they are.
BEGIN { FS = " [|] "; OFS = " | " }
FNR == NR { if (/^\| / && !/^\| (world|---)/) before[$1] = $0; next }
/^\| / && !/^\| (world|---)/ && $1 in before {
	split(before[$1], was, FS)
	for (i = 2; i <= NF; i++) {
		old = was[i]; new = $i
		sub(/ \|$/, "", old); sub(/ \|$/, "", new)
		$i = old == new ? new : old " → " new
	}
	$0 = $0 " |"
}
{ print }
