# SPDX-License-Identifier: Apache-2.0
"""A real Slurm on one machine: slurmctld and a slurmd for each node, in a scratch folder, on free ports of the loopback
interface, without munge. Python's standard library only."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time

TOOLS = ("slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "sinfo", "scancel")


def tool(name):
    """Path of a tool; the system folders count even where PATH lacks them."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin:/usr/local/sbin")


def reason_to_skip():
    missing = [name for name in TOOLS if not tool(name)]
    if missing:
        return "not installed: " + ", ".join(missing)
    return None if os.geteuid() == 0 else "slurmd runs as root only"


PR_SET_CHILD_SUBREAPER = 36


class Failure(Exception):
    """A step of a test that did not end as it must."""


def run(arguments, accepted=(0,), **options):
    """Runs a program to its end; raises Failure with what it said where its exit code is not an accepted one."""
    done = subprocess.run([str(a) for a in arguments], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=options.pop("timeout", 240), **options)
    if done.returncode not in accepted:
        raise Failure("%s: exit code %d\n%s%s" % (" ".join(map(str, arguments)), done.returncode,
                                                  done.stdout[-2000:], done.stderr[-2000:]))
    return done


def free_ports(count):
    """Ports that nobody listens on, found by binding all of them at once."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


CONFIGURATION = """\
ClusterName=unknot
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/log/controller.log
SlurmdLogFile={folder}/log/%n.log
SlurmctldParameters=enable_configless
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0,bf_interval=1
KillWait=1
MessageTimeout=30
ReturnToService=2
{extra}
"""


class Cluster:
    """Nodes node01, node02, ... Use as a `with` block: all processes end with it. Where slurm.conf is the controller
    knows by its environment, or by the arguments that `option` makes of the file, and by these alone."""

    def __init__(self, folder, nodes, extra, option=None):
        self.folder = os.path.abspath(folder)
        for name in ("state", "spool", "log"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        self.names = ["node%02d" % (i + 1) for i in range(nodes)]
        ports = free_ports(nodes + 1)
        lines = [CONFIGURATION.format(folder=self.folder, controller=ports[0], extra=extra).rstrip()]
        for name, port in zip(self.names, ports[1:]):
            lines.append("NodeName=%s NodeHostname=localhost NodeAddr=127.0.0.1 Port=%d CPUs=1 RealMemory=100 "
                         "State=UNKNOWN" % (name, port))
        lines.append("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE")
        self.configuration = os.path.join(self.folder, "slurm.conf")
        with open(self.configuration, "w") as out:
            out.write("\n".join(lines) + "\n")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "SBATCH"))}
        by_option = dict(self.environment)
        self.environment["SLURM_CONF"] = self.configuration
        self.controller = [tool("slurmctld"), "-D"] + (option(self.configuration) if option else [])
        self.controller_environment = by_option if option else self.environment
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # job steps outlive the slurmd that started them
        self.processes = []

    def spawn(self, *arguments, environment=None):
        with open(os.path.join(self.folder, "log", "stdout.log"), "a") as out:
            self.processes.append(subprocess.Popen(arguments, env=environment or self.environment, cwd=self.folder,
                                                   stdout=out, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                                                   start_new_session=True))

    def __enter__(self):
        try:
            self.spawn(*self.controller, environment=self.controller_environment)
            for name in self.names:
                self.spawn(tool("slurmd"), "-D", "-N", name)
            self.wait("all nodes are idle", lambda: self.idle() == len(self.names), 120)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Job steps first (a session of their own each), then the daemons."""
        try:
            run([tool("scancel"), "--user=root"], (0, 1), env=self.environment, timeout=5)
            deadline = time.monotonic() + 5
            while self.steps() and time.monotonic() < deadline:
                time.sleep(0.1)
        except (Failure, subprocess.TimeoutExpired):
            pass
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 10
        for process in self.processes:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        for pid in self.steps():
            os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass

    def steps(self):
        """Processes of job steps: those whose environment names our configuration and whom we did not start."""
        own, mark, found = {process.pid for process in self.processes}, self.configuration.encode(), []
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and int(entry) not in own:
                    with open("/proc/%s/cmdline" % entry, "rb") as line, open("/proc/%s/environ" % entry, "rb") as env:
                        if line.read().startswith(b"slurmstepd") and b"SLURM_CONF=" + mark in env.read().split(b"\0"):
                            found.append(int(entry))
            except OSError:
                pass  # it has ended
        return found

    def slurm(self, name, *arguments, accepted=(0,)):
        return run([tool(name)] + list(arguments), accepted, env=self.environment, cwd=self.folder)

    def idle(self):
        done = self.slurm("sinfo", "-h", "-N", "-o", "%N %T", accepted=(0, 1))
        return len({line.split()[0] for line in done.stdout.splitlines() if line.split()[1:] == ["idle"]})

    def wait(self, what, condition, patience=240):
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            result = condition()
            if result:
                return result
            time.sleep(0.1)
        raise Failure("waited %d s until %s\n%s" % (patience, what, self.log()[-3000:]))

    def log(self):
        try:
            with open(os.path.join(self.folder, "log", "controller.log"), errors="replace") as text:
                return text.read()
        except FileNotFoundError:
            return ""

    def submit(self, *arguments, seconds=300):
        """Job number of a batch job that sleeps."""
        done = self.slurm("sbatch", "--parsable", "--output=/dev/null", *arguments,
                          "--wrap=exec sleep %d" % seconds)
        return int(done.stdout.split(";")[0])

    def job(self, number):
        """Fields of a job, {} when Slurm has forgotten it."""
        done = self.slurm("scontrol", "show", "job", str(number), "-o", accepted=(0, 1))
        fields = {}
        for word in done.stdout.split():
            key, equals, value = word.partition("=")
            if equals:
                fields.setdefault(key, value)
        return fields

    def running(self, number, patience=240):
        self.wait("job %d runs" % number, lambda: self.job(number).get("JobState") == "RUNNING", patience)
        return self.slurm("scontrol", "show", "hostnames", self.job(number)["NodeList"]).stdout.split()
