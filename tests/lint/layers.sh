#!/bin/sh
# Who may include whom, by tests/lint/rooms. Also: project headers are included from the root
# of the tree, config.h only by cli and tests, and each library only where its duty is.
top=${top_srcdir:?top_srcdir must be set}
cd "$top" || exit 1

# room ROOM LINE: each part of a room by its line of tests/lint/rooms.
room()
{
	allowed=
	for other in ${2%%|*}; do
		case $other in
		*.h) allowed="$allowed $other" ;;
		*) allowed="$allowed $(parts_of "$other")" ;;
		esac
	done
	case $2 in
	*'|'*) parts=${2#*|} ;;
	*) parts=. ;;
	esac
	for part in $parts; do
		case $part in
		*.h) allowed="$allowed $1/$part"; continue ;;
		.) folder=$1 ;;
		*) folder=$1/$part ;;
		esac
		allowed="$allowed $folder"
		part "$folder" "$allowed"
	done
}

# parts_of ROOM: its folders, by its line or, where it is a part itself, alone.
parts_of()
{
	printf '%s\n' "$rooms" | awk -F: -v room="$1" '$1 == room && split($2, half, "|") == 2 {
		many = split(half[2], part, " ")
		for (i = 1; i <= many; i++) {
			if (part[i] !~ /[.]h$/)
				printf "%s ", part[i] == "." ? room : room "/" part[i]
		}
		found = 1
	}
	END { if (!found) print room }'
}

# part FOLDER ALLOWED: the includes of the files of FOLDER, not of those of folders below it.
part()
{
	number=$((number + 1))
	folders="$folders $1"
	# No program for each line: there are some 6 000.
	bad=$(find "$1" -maxdepth 1 \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*.pb-c.[ch]' | sort |
		xargs grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' | while IFS= read -r line; do
			place=${line%%:*}:
			line=${line#"$place"}
			place=$place${line%%:*}
			target=${line#*\"}
			target=${target%%\"*}
			case $target in
			config.h) from=config.h ;;
			*.pb-c.h) continue ;;
			*) from=${target%/*} ;;
			esac
			case " $2 " in
			*" $from "* | *" $target "*) ;;
			*) echo "# $place: $1 must not include $target"; continue ;;
			esac
			case $target in
			config.h | templates/bytes.h) ;;
			*) test -f "$target" || echo "# $place: no file $target" ;;
			esac
		done)
	verdict "$1 includes only:$2"
}

# library PATTERN FOLDER|FILE...: which may include the library's headers.
library()
{
	pattern=$1
	shift
	number=$((number + 1))
	bad=$(find $tops \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*.pb-c.[ch]' | sort |
		xargs grep -HnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$pattern" | while IFS= read -r line; do
			file=${line%%:*}
			case " $* " in
			*" ${file%%/*} "* | *" ${file%/*} "* | *" $file "*) continue ;;
			esac
			echo "# $line"
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
folders=
most=40
rooms=$(sed '/^#/d' tests/lint/rooms)
tops=$(printf '%s\n' "$rooms" | sed -n 's,^\([a-z]*\)[/:].*,\1,p' | sort -u)
while IFS=: read -r name allowed; do
	room "$name" "$allowed"
done <<EOT
$rooms
EOT
# A folder with sources that is no room would be looked at by nobody.
number=$((number + 1))
# (Build folders have generated sources only.)
bad=$(find . -path ./tests -prune -o -path ./build -prune -o -path ./_build -prune -o -path ./_inst -prune -o \
	-path ./examples -prune -o -name '*.[ch]' ! -name '*.pb-c.[ch]' ! -name config.h ! -name bytes.h -print |
	sed 's,^\./,,; s,/[^/]*$,,' | sort -u | while read -r folder; do
	case " $folders ingest/proto " in
	*" $folder "*) ;;
	*) echo "# $folder is not in tests/lint/rooms" ;;
	esac
done)
verdict 'each folder of sources is a room'
number=$((number + 1))
bad=$(for folder in $folders; do
	files=$(find "$folder" -maxdepth 1 -type f | wc -l)
	test "$files" -le $most || echo "# $folder has $files files, more than $most"
done)
verdict "no room has more than $most files"
library 'gsl/' stats tfprof/api cli
library 'protobuf-c/' ingest tfprof/files
library 'csv\.h' ingest/table writers
library 'zlib\.h' base ingest/input
library 'xlsxwriter' writers
library 'isa-l/' base ingest/input
library 'snappy-c\.h' tfprof/files ingest/parquet
library 'zstd\.h' ingest/parquet export/parquet
library 'pcre2\.h' analysis/select cli
library 'yaml\.h' analysis/select cli
library 'utf8proc\.h' base
library 'libiberty/' base
library 'sha256\.h' base
library 'sqlite3\.h' export ingest/database
# Of one system or C library.
library '(linux/|asm/|malloc\.h|endian\.h|sched\.h|sys/(epoll|event|eventfd|fanotify|inotify|mount|prctl|procctl|random|sendfile|signalfd|statfs|syscall|sysctl|sysinfo|sysmacros|timerfd|vfs|xattr)\.h)' base/platform.c base/platform.h
echo "1..$number"
