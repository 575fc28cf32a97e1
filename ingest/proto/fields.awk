# Numbers of the fields of a schema as a C enum: message JobRow, field of = 2 becomes PREFIX_JOB_ROW_OF = 2.
# Fields of the message that the package is called after have no name of a message in between.
function upper(name) {
	gsub(/[A-Z]/, "_&", name)
	return toupper(name)
}

/^package / { prefix = toupper(substr($2, 1, length($2) - 1)) }
/^message / { message = toupper($2) == prefix ? "" : upper($2) }
/^  (required|optional|repeated) / {
	number = $5
	sub(/;.*/, "", number)
	printf "%s%s_%s = %d,\n", prefix, message, toupper($3), number
}
