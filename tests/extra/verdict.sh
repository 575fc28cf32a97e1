# Sourced by scripts that say TAP lines of whole commands.
number=0

# verdict NAME [LOG]: of the command before it; LOG: what a failure shows.
verdict()
{
	status=$?
	number=$((number + 1))
	if test $status -eq 0; then
		echo "ok $number - $1"
	else
		tail -n 30 "${2:-/dev/null}" | sed 's/^/# /'
		echo "not ok $number - $1 (status $status)"
	fi
}

# skip NAME REASON
skip()
{
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}
