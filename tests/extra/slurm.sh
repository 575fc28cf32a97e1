#!/bin/sh
# examples/fleet/slurm.sh on a Slurm of one node, where its daemons start; else skipped, with the reason.
top=$(cd "${top_srcdir:?top_srcdir must be set}" && pwd) || exit 1
skip()
{
	echo "slurm.sh: skipped, $1"
	exit 0
}
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch squeue; do
	command -v $program >/dev/null || skip "no $program (Debian packages slurmctld, slurmd, slurm-client, munge)"
done
test "$(id -u)" -eq 0 || skip 'the daemons of Slurm ask for root'
made=$(mktemp -d) || exit 1
chmod 755 "$made"
pids=
stop()
{
	for pid in $pids; do
		kill "$pid" 2>/dev/null
	done
	sleep 1
	rm -rf "$made"
}
trap stop EXIT
mkdir "$made/munge" "$made/state" "$made/spool" "$made/out"
dd if=/dev/urandom bs=128 count=1 of="$made/munge/key" 2>/dev/null
chmod 700 "$made/munge" && chmod 400 "$made/munge/key"
chmod 755 "$made"
munged --foreground --force --key-file="$made/munge/key" --socket="$made/socket" --pid-file="$made/munge/pid" \
	--log-file="$made/munge/log" --seed-file="$made/munge/seed" >"$made/munged.log" 2>&1 &
pids="$pids $!"
host=$(hostname -s)
port=$(($$ % 10000 + 20000))
cat >"$made/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$made/socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$made/state
SlurmdSpoolDir=$made/spool
SlurmctldPidFile=$made/slurmctld.pid
SlurmdPidFile=$made/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=cpu Nodes=ALL Default=YES MaxTime=10 State=UP
END
SLURM_CONF=$made/slurm.conf
export SLURM_CONF
slurmctld -D -i -f "$SLURM_CONF" >"$made/slurmctld.log" 2>&1 &
pids="$! $pids"
slurmd -D -f "$SLURM_CONF" >"$made/slurmd.log" 2>&1 &
pids="$! $pids"
waited=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
	waited=$((waited + 1))
	test $waited -lt 60 || {
		tail -n 3 "$made/munged.log" "$made/slurmctld.log" "$made/slurmd.log" | sed 's/^/# /'
		skip 'its daemons do not come up here'
	}
	sleep 0.5
done
ls "$top"/tests/data/ranks/gloo/run1/* >"$made/list"
stepstat merge "$top/tests/data/ranks/gloo/run1" -o "$made/expected.part" || exit 1
run()
{
	TASKS=3 sh "$top/examples/fleet/slurm.sh" "$made/list" "$made/out" --chdir="$made" >"$made/jobs" || return
	waited=0
	while squeue -h | grep -q . && test $waited -lt 240; do
		waited=$((waited + 1))
		sleep 0.5
	done
	cmp "$made/out/job.part" "$made/expected.part"
}
if run && test "$(cat "$made"/slurm-*.out | grep -c '^done: ')" -eq 8 && rm -f "$made"/slurm-*.out "$made/out/job.part" &&
	run && test "$(cat "$made"/slurm-*.out | grep -c '^done: ')" -eq 0; then
	echo "slurm.sh: an array of 3 tasks for 8 ranks and its merge on Slurm $(sinfo --version | cut -d' ' -f2): the part of one machine; again: nothing is done again"
else
	cat "$made"/slurm-*.out "$made/slurmctld.log" | tail -n 20 | sed 's/^/# /'
	echo 'slurm.sh: failed'
	exit 1
fi
