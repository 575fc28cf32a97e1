#!/bin/sh
# examples/fleet: the tasks of an array as processes, as Slurm and as Kubernetes start them; one is killed in the middle; runs again.
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
number=0
fleet=$top/examples/fleet
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT JOB_COMPLETION_INDEX COMPLETIONS FLEET_HASH_BYTES FLEET_PARTIAL

# check NAME COMMAND...
check()
{
	number=$((number + 1))
	name=$1
	shift
	if "$@" >"$made/said" 2>&1; then
		echo "ok $number - $name"
	else
		sed 's/^/# /' "$made/said"
		echo "not ok $number - $name"
	fi
}

# tasks OUT: an array of three as Slurm numbers it
tasks()
{
	for task in 0 1 2; do
		SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=3 sh "$fleet/ranks.sh" "$made/list" "$1" || return
	done
}

cp -R "$top/tests/data/ranks/gloo/run1" "$made/run1" && chmod -R u+w "$made/run1"
ls "$made"/run1/* >"$made/list"
stepstat merge "$made/run1" -o "$made/expected.part"

slurm()
{
	tasks "$made/slurm" >"$made/done" && test "$(wc -l <"$made/done")" -eq 8 && sh "$fleet/merge.sh" "$made/list" "$made/slurm" &&
		cmp "$made/slurm/job.part" "$made/expected.part"
}
check 'an array of Slurm: the part of all ranks' slurm

kubernetes()
{
	for index in 0 1 2 3; do
		JOB_COMPLETION_INDEX=$index COMPLETIONS=4 sh "$fleet/ranks.sh" "$made/list" "$made/kubernetes" >/dev/null || return
	done
	sh "$fleet/merge.sh" "$made/list" "$made/kubernetes" && cmp "$made/kubernetes/job.part" "$made/expected.part"
}
check 'an Indexed Job of Kubernetes: the same' kubernetes

# A list of names from the folder beside: what is done stays inside OUT.
beside()
{
	mkdir -p "$made/work/here" && cd "$made/work/here" || return
	ls "$made"/run1/* | sed 's|.*/run1/|../../run1/|' >"$made/beside.list"
	SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=1 sh "$fleet/ranks.sh" "$made/beside.list" out >/dev/null &&
		sh "$fleet/merge.sh" "$made/beside.list" out && test "$(find out/obs -name '*.obs' | wc -l)" -eq 8 &&
		test "$(find "$made/work" -name '*.obs' | wc -l)" -eq 8
}
check 'names that begin with ../' beside

again()
{
	tasks "$made/slurm" >"$made/done" && test ! -s "$made/done"
}
check 'again: nothing is done again' again

# Of a list with tags nothing is read but what has another tag; FLEET_FETCH stands for a store's client and says what it was asked for.
objects()
{
	mkdir "$made/client" && printf '#!/bin/sh\necho "$1" >>"%s/fetched"\ncp "%s/${1#s3://bucket/}" "$2"\n' "$made" "$made" >"$made/client/fetch" &&
		chmod +x "$made/client/fetch" || return
	sed "s|^$made|s3://bucket|; s/\$/\t1234 \"e\"/" "$made/list" >"$made/objects"
	once() { FLEET_FETCH=$made/client/fetch SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=1 sh "$fleet/ranks.sh" "$made/objects" "$made/of_objects"; }
	once >/dev/null && test "$(wc -l <"$made/fetched")" -eq 8 && once && test "$(wc -l <"$made/fetched")" -eq 8 &&
		sed -i '3s/1234/1235/' "$made/objects" && once >/dev/null && test "$(wc -l <"$made/fetched")" -eq 9 &&
		sh "$fleet/merge.sh" "$made/objects" "$made/of_objects" && cmp "$made/of_objects/job.part" "$made/expected.part"
}
check 'objects: by the tags of the list, of which one has changed' objects

untagged()
{
	echo s3://bucket/rank0 >"$made/plain"
	! SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=1 sh "$fleet/ranks.sh" "$made/plain" "$made/untagged" 2>"$made/error" &&
		test "$(cat "$made/error")" = 'ranks.sh: s3://bucket/rank0: an object needs its size and ETag behind a tab'
}
check 'an object without a tag: what is lacking' untagged

hashed()
{
	export FLEET_HASH_BYTES=1000000
	tasks "$made/slurm" >/dev/null && touch "$made"/run1/* && again
	status=$?
	unset FLEET_HASH_BYTES
	return $status
}
check 'by content where that is asked for: other times of change are the same trace' hashed
tasks "$made/slurm" >/dev/null

changed()
{
	cp "$made/run1/rank4.json.gz" "$made/kept" && cp "$top/tests/data/ranks/gloo/run2/rank4.json.gz" "$made/run1/rank4.json.gz" &&
		tasks "$made/slurm" >"$made/done" && test "$(cat "$made/done")" = "done: $made/run1/rank4.json.gz" &&
		cp "$made/kept" "$made/run1/rank4.json.gz" && tasks "$made/slurm" >"$made/done" && test "$(wc -l <"$made/done")" -eq 1
}
check 'another content: this trace alone is done again' changed

# A program that stops where the real one would be busy with its third trace, and is killed there with the task's shell.
mkdir "$made/bin"
cat >"$made/bin/stepstat" <<END
#!/bin/sh
if test "\$1" = export; then
	echo x >>"$made/calls"
	if test "\$(wc -l <"$made/calls")" -eq 3; then
		echo \$\$ >"$made/reached"
		exec sleep 60
	fi
fi
exec $(command -v stepstat) "\$@"
END
chmod +x "$made/bin/stepstat"

killed()
{
	SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=1 PATH=$made/bin:$PATH sh "$fleet/ranks.sh" "$made/list" "$made/killed" >/dev/null &
	task=$!
	waited=0
	while test ! -s "$made/reached" && test $waited -lt 300; do
		sleep 0.1
		waited=$((waited + 1))
	done
	kill -KILL $task "$(cat "$made/reached")" || return
	wait $task
	test $? -eq 137 || return
	if sh "$fleet/merge.sh" "$made/list" "$made/killed" 2>"$made/refused" || ! grep -q '6 traces are not done' "$made/refused"; then
		return 1
	fi
	tasks "$made/killed" >"$made/done" && test "$(wc -l <"$made/done")" -eq 6 && sh "$fleet/merge.sh" "$made/list" "$made/killed" &&
		cmp "$made/killed/job.part" "$made/expected.part"
}
check 'a task is killed in the middle: the next run does the rest, the part is the same' killed

unusable()
{
	head -c 3000 "$made/run1/rank0.json.gz" >"$made/run1/rank9.json.gz" && echo "$made/run1/rank9.json.gz" >>"$made/list" || return
	tasks "$made/slurm" 2>"$made/refused" && return 1
	grep -q 'rank9.json.gz:byte 3000: the gzip data end too early' "$made/refused" || return
	sh "$fleet/merge.sh" "$made/list" "$made/slurm" && return 1
	FLEET_PARTIAL=1 sh "$fleet/merge.sh" "$made/list" "$made/slurm" && cmp "$made/slurm/job.part" "$made/expected.part"
}
check 'a trace that is cut: named, and left out only when that is asked for' unusable
echo "1..$number"
