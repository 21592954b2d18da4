#!/usr/bin/env bash
# Runs on several hosts, over ssh:
#
#   examples/cluster/by_ssh.sh "alice bob carol" train tdl --runs 60 --out /shared/runs/tdl
#
# After the hosts comes a command of ludus that trains (train, paper, compare, tune). A Dask scheduler is started here and workers on the
# hosts; they end with the command. Asked again, it goes on where it was. What must be so is in docs/how-to/cluster.md.
set -euo pipefail

hosts=$1
shift
here=${HERE:-$(hostname -I | cut -d ' ' -f 1)} # the address by which the hosts reach this one
port=${PORT:-8786}
workers=${WORKERS:--1} # on each host; -1 means one for each core
logs=${LOGS:-logs}
bin=$(dirname "$(command -v ludus)") # the same folder on all hosts
scheduler=tcp://$here:$port

mkdir -p "$logs"
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT # workers end by themselves once the scheduler is gone
"$bin/dask" scheduler --host "$here" --port "$port" --no-dashboard >"$logs/scheduler.log" 2>&1 &
for host in $hosts; do
    ssh -n -o BatchMode=yes "$host" \
        "$bin/dask worker $scheduler --nworkers $workers --nthreads 1 --no-dashboard --death-timeout 60" \
        >"$logs/$host.log" 2>&1 &
done
"$bin/ludus" "$@" --on dask --address "$scheduler"
