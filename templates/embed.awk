# The bytes of a file, as od -An -v -tx1 prints them, as an array of C with a 0 at its end.
BEGIN { printf "static const char %s[] = {", name }
{
	printf "\n\t"
	for (i = 1; i <= NF; i++)
		printf "'\\x%s',", $i
}
END { print "\n\t0};" }
