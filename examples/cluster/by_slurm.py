"""Runs as jobs of Slurm, through dask-jobqueue:

    python examples/cluster/by_slurm.py --jobs 20 --cores 8 --queue compute train tdl --runs 160 --out /shared/runs/tdl

After the options comes a command of ludus that trains (train, paper). A Dask scheduler is started here, and each job of
Slurm brings workers to it. Asked again, it goes on where it was. It needs ludus[slurm]; see docs/how-to/cluster.md.
"""

import argparse
import subprocess
import sys

from dask_jobqueue import SLURMCluster

REPLACE_SECONDS = 10
"""How often jobs that have ended, at their time limit or with their node, are replaced by new ones."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(usage="%(prog)s [OPTIONS] LUDUS-COMMAND ...")
    parser.add_argument("--jobs", type=int, default=1, help="jobs at once")
    parser.add_argument("--cores", type=int, default=1, help="of each job; each does a run")
    parser.add_argument("--memory", default="2GB", help="of each job")
    parser.add_argument("--walltime", default="04:00:00", help="the time limit of each job; runs may last longer")
    parser.add_argument("--queue", help="the partition")
    parser.add_argument("--account", help="who pays")
    parser.add_argument("--interface", help="the network between the nodes, such as ib0")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what ludus is to do")
    return parser.parse_args()


def main() -> int:
    asked = arguments()
    with SLURMCluster(
        cores=asked.cores,
        processes=asked.cores,
        memory=asked.memory,
        walltime=asked.walltime,
        queue=asked.queue,
        account=asked.account,
        interface=asked.interface,
        log_directory="logs",
    ) as jobs:
        where = ["--on", "dask", "--address", jobs.scheduler_address]
        work = subprocess.Popen([sys.executable, "-m", "ludus", *asked.command, *where])
        while True:
            jobs.scale(jobs=asked.jobs)
            try:
                return work.wait(REPLACE_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            except KeyboardInterrupt:  # ludus has it too, and stops its runs
                return work.wait()


if __name__ == "__main__":
    sys.exit(main())
