# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sweeps over other machines, which are this one: sshd on the loopback, Slurm with one
# node. Sourced after lab_lib.sh. Everything is in $LAB_OUT and ends with the test.

# Daemons, the last on top: Slurm's node, its controller, munge. A file, because a test
# case is a process of its own.
SWEEP_PIDS=$LAB_OUT/pids

sweep_cleanup() {
	local pid
	[ ! -s "$SWEEP_PIDS" ] || while read -r pid; do
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done < <(tac "$SWEEP_PIDS")
	rm -rf "$LAB_OUT"
}
trap sweep_cleanup EXIT

# needs PROGRAM...: the whole test is skipped without
needs() {
	local p
	for p; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$p" >/dev/null || ktap_skip_all "needs $p"
	done
}

# until_true SECONDS COMMAND...
until_true() {
	local n=$(($1 * 10))
	shift
	while ! "$@" >/dev/null 2>&1; do
		[ $((n -= 1)) -gt 0 ] || { echo "not within the time: $*"; return 1; }
		sleep 0.1
	done
}

# A port that nobody has; sshd and Slurm are told.
free_port() {
	local p
	while :; do
		p=$((20000 + RANDOM % 12000))
		(: <"/dev/tcp/127.0.0.1/$p") 2>/dev/null || { echo "$p"; return; }
	done
}

# ssh_up NAME...: an sshd for each, with a home of its own; $SWEEP_SSH reaches them.
ssh_up() {
	local d=$LAB_OUT/ssh name port
	mkdir -p "$d" || return 1
	# Its privilege separation wants a directory that Debian's start script makes.
	[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd || return 1
	ssh-keygen -q -t ed25519 -N '' -f "$d/key" && ssh-keygen -q -t ed25519 -N '' -f "$d/host" ||
		return 1
	for name; do
		port=$(free_port)
		mkdir -p "$d/home-$name"
		# SHLVL: or else bash reads ~/.bashrc, which may take long and is none of our business.
		cat >"$d/sshd-$name" <<-END
			ListenAddress 127.0.0.1
			Port $port
			HostKey $d/host
			AuthorizedKeysFile $d/key.pub
			StrictModes no
			UsePAM no
			PidFile none
			PermitRootLogin yes
			MaxStartups 100
			SetEnv SHLVL=2
			ForceCommand cd $d/home-$name && exec /bin/sh -c "\$SSH_ORIGINAL_COMMAND"
		END
		printf 'Host %s\n HostName 127.0.0.1\n Port %s\n' "$name" "$port"
	done >"$d/config"
	cat >>"$d/config" <<-END
		Host nobody
		 HostName 127.0.0.1
		 Port 1
		Host *
		 IdentityFile $d/key
		 IdentitiesOnly yes
		 BatchMode yes
		 StrictHostKeyChecking no
		 UserKnownHostsFile /dev/null
		 LogLevel ERROR
	END
	export SWEEP_SSH="ssh -F $d/config"
	for name; do
		ssh_start "$name" || return 1
	done
}

# ssh_start NAME: its sshd, once it answers
ssh_start() {
	local d=$LAB_OUT/ssh
	"$(PATH=$PATH:/usr/sbin command -v sshd)" -D -e -f "$d/sshd-$1" >/dev/null 2>"$d/log-$1" 3>&- &
	echo $! >"$d/pid-$1"
	echo $! >>"$SWEEP_PIDS"
	until_true 20 ssh -F "$d/config" "$1" true || { cat "$d/log-$1"; return 1; }
}

# tree PID: it and all that it started
tree() {
	local c list
	echo "$1"
	read -r list 2>/dev/null <"/proc/$1/task/$1/children"
	for c in $list; do
		tree "$c"
	done
}

# busy NAME: is anybody logged in there
busy() { [ "$(tree "$(cat "$LAB_OUT/ssh/pid-$1")" | wc -l)" -gt 1 ]; }

# ssh_kill NAME: the machine goes away, with all that runs on it
ssh_kill() {
	# shellcheck disable=SC2046 # a list
	kill -KILL $(tree "$(cat "$LAB_OUT/ssh/pid-$1")") 2>/dev/null
	return 0
}

# slurm_up: munge, controller and one node of two processors, not the system's
slurm_up() {
	local d=$LAB_OUT/slurm host
	host=$(hostname -s)
	mkdir -p "$d/state" "$d/spool" "$d/log" && mkdir -m 755 "$d/munge" && chmod 755 "$LAB_OUT" "$d" ||
		return 1
	(umask 077 && head -c 128 /dev/urandom >"$d/munge/key") || return 1
	cat >"$d/slurm.conf" <<-END
		ClusterName=lab
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$(free_port)
		SlurmdPort=$(free_port)
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/munge
		AuthInfo=socket=$d/munge/socket
		CredType=cred/munge
		StateSaveLocation=$d/state
		SlurmdSpoolDir=$d/spool
		SlurmctldPidFile=$d/slurmctld.pid
		SlurmdPidFile=$d/slurmd.pid
		SlurmctldLogFile=$d/log/slurmctld
		SlurmdLogFile=$d/log/slurmd
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SwitchType=switch/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SchedulerParameters=batch_sched_delay=0,sched_interval=1
		KillWait=2
		ReturnToService=2
		MaxArraySize=${SLURM_MAX_ARRAY:-1001}
		NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
		PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	export SLURM_CONF=$d/slurm.conf
	munged -F -f --key-file="$d/munge/key" --socket="$d/munge/socket" \
		--pid-file="$d/munge/pid" --log-file="$d/munge/log" --seed-file="$d/munge/seed" \
		--num-threads=2 >"$d/log/munged" 2>&1 &
	echo $! >>"$SWEEP_PIDS"
	until_true 10 test -S "$d/munge/socket" || { cat "$d/log/munged"; return 1; }
	slurmctld -D -i -f "$SLURM_CONF" >"$d/log/slurmctld.out" 2>&1 &
	echo $! >>"$SWEEP_PIDS"
	slurmd_start && until_true 30 slurm_idle && return 0
	tail -n 5 "$d/log/"*
	return 1
}

slurmd_start() {
	slurmd -D -f "$SLURM_CONF" >"$LAB_OUT/slurm/log/slurmd.out" 2>&1 &
	echo $! >>"$SWEEP_PIDS"
}

slurm_idle() { sinfo -h -o %T | grep -q idle; }

# What Documentation/guide/sweep.md says a machine needs of a checkout, in $LAB_OUT/lab.
install_lab() {
	rsync -aR "$RXE_CC_TOP"/./{build/bin,build/uml-lab,build/obj/{lab,flowgen}.commit,tools/lab/scenarios} \
		"$LAB_OUT/lab/"
}

# The copy is of another commit, or of other changes.
make_other() {
	echo 0123456789 >"$LAB_OUT/lab/build/obj/flowgen.commit" &&
		echo >>"$LAB_OUT/lab/tools/lab/scenarios/two.json"
}

# same_results A B: the same files with the same bytes, run.json aside
same_results() {
	local out
	[ -n "$(find "$1" -name summary.json)" ] || { echo "no results in $1"; return 1; }
	out=$(diff -r -q --exclude=run.json --exclude=.sweep --exclude=report "$1" "$2") && return
	echo "$out" | head -n 5
	return 1
}
