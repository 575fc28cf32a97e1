#!/bin/sh
# Who may include whom, by tests/lint/rooms. Also: project headers are included from the root
# of the tree, config.h only by cli and tests, and each library only where its duty is.
top=${top_srcdir:?top_srcdir must be set}
cd "$top" || exit 1

# room FOLDER ALLOWED...: what the files of FOLDER, not those of rooms below it, may include.
room()
{
	room=$1
	shift
	number=$((number + 1))
	bad=$(find "$room" -maxdepth 1 \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*.pb-c.[ch]' | sort |
		while read -r file; do
			grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" | while read -r line; do
				target=$(printf '%s\n' "$line" | sed 's/[^"]*"\([^"]*\)".*/\1/')
				case $target in
				config.h) from=config.h ;;
				*.pb-c.h) continue ;;
				*) from=${target%/*} ;;
				esac
				case " $room $* " in
				*" $from "* | *" $target "*) ;;
				*) echo "# $file:${line%%:*}: $room must not include $target"; continue ;;
				esac
				case $target in
				config.h | templates/bytes.h) ;;
				*) test -f "$target" || echo "# $file:${line%%:*}: no file $target" ;;
				esac
			done
		done)
	verdict "$room includes only: $*"
}

# library PATTERN FOLDER...: which folders may include the library's headers.
library()
{
	pattern=$1
	shift
	number=$((number + 1))
	bad=$(find $tops \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*.pb-c.[ch]' | sort |
		while read -r file; do
		case " $* " in
		*" ${file%%/*} "* | *" ${file%/*} "*) continue ;;
		esac
		grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$pattern" "$file" |
			sed "s,^,# $file:,"
	done)
	verdict "<$pattern> only in: $*"
}

verdict()
{
	if test -z "$bad"; then
		echo "ok $number - $1"
	else
		printf '%s\n' "$bad"
		echo "not ok $number - $1"
	fi
}

number=0
most=40
rooms=$(sed '/^#/d' tests/lint/rooms)
tops=$(printf '%s\n' "$rooms" | sed -n 's,^\([a-z]*\)[/:].*,\1,p' | sort -u)
while IFS=: read -r name allowed; do
	room "$name" $allowed
done <<EOT
$rooms
EOT
# A folder with sources that is no room would be looked at by nobody.
number=$((number + 1))
# (Build folders have generated sources only.)
bad=$(find . -path ./tests -prune -o -path ./build -prune -o -path ./_build -prune -o -path ./_inst -prune -o \
	-path ./examples -prune -o -name '*.[ch]' ! -name '*.pb-c.[ch]' ! -name config.h ! -name bytes.h -print |
	sed 's,^\./,,; s,/[^/]*$,,' | sort -u | while read -r folder; do
	printf '%s\n' "$rooms" | grep -q "^$folder:" || test "$folder" = ingest/proto || echo "# $folder is not in tests/lint/rooms"
done)
verdict 'each folder of sources is a room'
number=$((number + 1))
bad=$(printf '%s\n' "$rooms" | sed 's/:.*//' | while read -r folder; do
	files=$(find "$folder" -maxdepth 1 -type f | wc -l)
	test "$files" -le $most || echo "# $folder has $files files, more than $most"
done)
verdict "no room has more than $most files"
library 'gsl/' stats tfprof/api cli
library 'protobuf-c/' ingest tfprof/files
library 'csv\.h' ingest/table report
library 'zlib\.h' base ingest/input
library 'xlsxwriter' report/writers
library 'isa-l/' ingest/input
library 'snappy-c\.h' tfprof/files ingest/parquet
library 'zstd\.h' ingest/parquet export/parquet
library 'pcre2\.h' select cli
library 'yaml\.h' select cli
library 'utf8proc\.h' base
library 'sha256\.h' base
library 'sqlite3\.h' export ingest/database
echo "1..$number"
