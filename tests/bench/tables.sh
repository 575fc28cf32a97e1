# How `make bench` shows what measure found; read by its scripts, which set figures and made.

# table TITLE LABEL...: the lines of $figures under their labels; MB/s is of the file $made. They also go to the file
# $BENCH_TABLE, if it is set, for tests/bench/all_jobs.
table()
{
	bytes=0
	test ! -f "$made" || bytes=$(wc -c <"$made")
	echo
	awk -v bytes="$bytes" -v kept="${BENCH_TABLE:-}" 'BEGIN {
		file = ARGV[1]
		printf "%-48s %8s %8s %6s %8s\n", ARGV[2], "CPU ms", "wall ms", "MB/s", "MB"
		for (i = 3; i < ARGC && (getline <file) > 0; i++) {
			speed = bytes ? sprintf("%.0f", bytes / 1e3 / $1) : "-"
			printf "%-48s %8.1f %8.1f %6s %8.1f\n", ARGV[i], $1, $2, speed,
				$3 * 1024 / 1e6
			if (kept)
				printf "%s\t%s\t%s\t%s\t%s\n", ARGV[2], ARGV[i], $1, $2, $3 * 1024 / 1e6 >>kept
		}
	}' "$figures" "$@"
}

# figure ROW KIND: cpu (ms), speed (MB/s) or memory (MB) of a line of $figures.
figure()
{
	awk -v row="$1" -v kind="$2" -v bytes="${bytes:-0}" 'NR == row {
		print kind == "cpu" ? $1 : kind == "speed" ? bytes / 1e3 / $1 : $3 * 1024 / 1e6
	}' "$figures"
}

# target TEXT FIGURE least|most LIMIT UNIT: without a target where LIMIT is 0
target()
{
	awk -v text="$1" -v figure="$2" -v kind="$3" -v limit="$4" -v unit="$5" 'BEGIN {
		if (limit == 0) {
			printf "  %-32s %8.1f%s\n", text, figure, unit
			exit
		}
		good = kind == "least" ? figure >= limit : figure <= limit
		printf "  %-32s %8.1f%-5s target: at %s %s%s, %s\n", text, figure, unit, kind,
			limit, unit, good ? "held" : "NOT HELD"
	}'
}

quotient()
{
	awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'
}
