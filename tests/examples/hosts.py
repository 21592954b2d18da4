"""Several hosts on one machine: network namespaces behind a bridge, reached by a stand-in for ssh.

Run as root of namespaces of its own, all of which end with it, processes included:

    python hosts.py SHARED-FOLDER EXAMPLE LUDUS-COMMAND ...

While the runs are under way, one host loses its power and another its cable; the third does all that is left. Then a
host that doesn't share the folder is asked alone. The outputs are in the folder.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

BRIDGE = "10.77.0.1"
HOSTS = ("powerless", "unplugged", "steady", "stranger")

SSH = """\
#!/bin/sh
# ssh -n -o BatchMode=yes HOST COMMAND
[ "$4" = stranger ] && hide="mount -t tmpfs none '$SHARED' &&"
exec ip netns exec "$4" sh -c "$hide exec $5"
"""


def run(command: str) -> str:
    return subprocess.run(command.split(), check=True, capture_output=True, text=True).stdout


def connect() -> None:
    run("mount -t tmpfs none /run")  # where ip keeps its namespaces
    run("ip link set lo up")
    run("ip link add ludus type bridge")
    run(f"ip addr add {BRIDGE}/24 dev ludus")
    run("ip link set ludus up")
    for number, host in enumerate(HOSTS, 2):
        run(f"ip netns add {host}")
        run(f"ip link add cable{number} type veth peer name eth0 netns {host}")
        run(f"ip link set cable{number} master ludus up")
        run(f"ip -n {host} addr add 10.77.0.{number}/24 dev eth0")
        run(f"ip -n {host} link set eth0 up")
        run(f"ip -n {host} link set lo up")


def unplug(host: str) -> None:
    run(f"ip link set cable{HOSTS.index(host) + 2} down")


def signalled(host: str, number: int) -> list[int]:
    """The processes of a host, once each has been sent a signal."""
    processes = [int(process) for process in run(f"ip netns pids {host}").split()]
    for process in processes:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.kill(process, number)
    return processes


def open_files(process: int) -> list[Path]:
    try:
        return [file.readlink() for file in Path(f"/proc/{process}/fd").iterdir()]
    except FileNotFoundError:  # it has ended meanwhile
        return []


def frozen_midway(host: str) -> bool:
    """Freeze a host; if none of its processes is in the middle of a run, let it go on."""
    for process in signalled(host, signal.SIGSTOP):
        for held in open_files(process):
            begun, finished = (held.with_name(f"{name}.safetensors").exists() for name in ("checkpoint", "player"))
            if held.name == "lock" and begun and not finished:
                return True
    signalled(host, signal.SIGCONT)
    return False


def main() -> None:
    shared, example, command = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    connect()
    stand_ins = shared.parent / "bin"
    stand_ins.mkdir()
    (stand_ins / "ssh").write_text(SSH)
    (stand_ins / "ssh").chmod(0o755)
    os.environ |= {
        "PATH": f"{stand_ins}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "SHARED": str(shared),
        "HERE": BRIDGE,
        "WORKERS": "1",
        "LUDUS_CHECKPOINT_SECONDS": "0",
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s",  # until a dead line is given up; less Dask would refuse
    }
    started = subprocess.Popen(["bash", example, "powerless unplugged steady", *command], cwd=shared.parent)
    at_work = ["powerless", "unplugged", "steady"]
    while at_work:  # in turns: who waits for one of them gives the others time to run out of work
        at_work = [host for host in at_work if not frozen_midway(host)]
        assert started.poll() is None, "the command has ended too early"
        time.sleep(0.05)
    for host in ("powerless", "unplugged"):
        unplug(host)
    signalled("powerless", signal.SIGKILL)
    for host in ("unplugged", "steady"):
        signalled(host, signal.SIGCONT)
    assert started.wait() == 0
    elsewhere = [*command, "--seed", "100"]
    told = subprocess.run(["bash", example, "stranger", *elsewhere], cwd=shared.parent, capture_output=True, text=True)
    print(told.stderr, end="")


if __name__ == "__main__":
    main()
