# SPDX-License-Identifier: Apache-2.0
"""The real subnet manager on a simulated fabric: ibsim, OpenSM and the InfiniBand tools, each in a scratch
folder of its own, several at a time where wanted. Python's standard library only."""

import argparse
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

TOOLS = ("ibsim", "opensm", "ibdmchk", "saquery", "smpquery", "ibnetdiscover")
NO_ENGINE = "No routing engine able"


def tool(name):
    """Path of a tool; the system folders count even where PATH lacks them."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin:/usr/local/sbin")


def simulator_library():
    found = glob.glob("/usr/lib/*/umad2sim/libumad2sim.so") + glob.glob("/usr/lib/umad2sim/libumad2sim.so")
    return found[0] if found else None


def missing_tools():
    missing = [name for name in TOOLS if not tool(name)]
    return missing + ([] if simulator_library() else ["libumad2sim.so"])


def build_folder(description):
    """The folder of --build, and the rest of the command line. Ends the test with 77, skipped, where a tool is missing."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", required=True)
    arguments, rest = parser.parse_known_args()
    missing = missing_tools()
    if missing:
        print("skipped: not installed: " + ", ".join(missing))
        sys.exit(77)
    return os.path.abspath(arguments.build), rest


class Failure(Exception):
    """A step of a test that did not end as it must."""


def run(arguments, accepted=(0,), **options):
    """Runs a program to its end and returns its standard output; raises Failure with what it said where its exit code
    is not an accepted one."""
    done = subprocess.run([str(a) for a in arguments], text=True, stdin=options.pop("stdin", subprocess.DEVNULL),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=options.pop("timeout", 300),
                          **options)
    if done.returncode not in accepted:
        raise Failure("%s: exit code %d\n%s%s" % (" ".join(map(str, arguments)), done.returncode,
                                                  done.stdout[-2000:], done.stderr[-2000:]))
    return done.stdout


class Process:
    """A background process in a folder, ended together with the `with` block."""

    def __init__(self, arguments, folder, log, environment, stdin=subprocess.DEVNULL):
        self.log = log
        with open(log, "w") as out:
            self.process = subprocess.Popen(arguments, cwd=folder, env=environment, stdin=stdin, text=True,
                                            stdout=out, stderr=subprocess.STDOUT)

    def running(self):
        return self.process.poll() is None

    def stop(self, number=signal.SIGTERM, patience=20):
        if self.running():
            self.process.send_signal(number)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
        return self.process.wait()


class Simulator:
    """ibsim on a net file. `environment()` is what a client of the fabric needs. With `console`, cables can be pulled
    and plugged in while it runs."""

    count = 0

    def __init__(self, net, folder, console=False):
        self.console = console
        self.net, self.folder = os.path.abspath(net), os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        Simulator.count += 1
        self.socket = "unknot.%d.%d" % (os.getpid(), Simulator.count)
        with open(self.net) as text:
            nodes = re.findall(r'^(Switch|Hca|Ca)\s+(\d+)\s+"([^"]+)"', text.read(), re.MULTILINE)
        switches = sum(1 for kind, _, _ in nodes if kind == "Switch")
        ports = sum(int(number) + 1 for _, number, _ in nodes)
        self.first_host = next(name for kind, _, name in nodes if kind != "Switch")
        self.limits = ["-N", str(len(nodes) + 10), "-S", str(switches + 10), "-P", str(ports + 100)]

    def __enter__(self):
        environment = dict(os.environ, IBSIM_SOCKNAME=self.socket)
        log = os.path.join(self.folder, "ibsim.log")
        options, stdin = (["-s"], subprocess.PIPE) if self.console else (["-s", "-n"], subprocess.DEVNULL)
        self.process = Process([tool("ibsim")] + options + self.limits + [self.net], self.folder, log, environment, stdin)
        for _ in range(600):
            with open(log) as text:
                if "MaxMcastCap" in text.read():
                    break
            if not self.process.running():
                break
            time.sleep(0.05)
        time.sleep(0.1)
        if not self.process.running():
            with open(log) as text:
                raise Failure("ibsim ended: " + text.read()[-500:])
        return self

    def __exit__(self, *_):
        self.process.stop()

    def say(self, *commands):
        """Commands to the console: 'Unlink "S-1"[2]', 'ReLink "S-1"[2]'."""
        self.process.process.stdin.write("".join(command + "\n" for command in commands))
        self.process.process.stdin.flush()

    def environment(self, host=None, preload=(), **more):
        libraries = [simulator_library()] + [str(p) for p in preload]
        return dict(os.environ, IBSIM_SOCKNAME=self.socket, SIM_HOST=host or self.first_host,
                    LD_PRELOAD=":".join(libraries), **more)

    def client(self, arguments, host=None, **options):
        """Runs a tool as a node of the fabric. umad2sim leaves a folder behind: it is made and lost here."""
        scratch = os.path.join(self.folder, "client")
        os.makedirs(scratch, exist_ok=True)
        try:
            return run([tool(arguments[0]) or arguments[0]] + list(arguments[1:]), cwd=scratch,
                       env=self.environment(host), **options)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


class SubnetManager:
    """OpenSM with one routing engine and no fallback, kept alive until the `with` block ends.

    `up` tells how the first sweep ended; the dumps are in `folder`. A failing engine would sweep forever, so
    the log is watched. `levels`: file for the service levels of all paths, as the engine answers them. `more`: lines
    for opensm.conf in place of the engine and its options."""

    def __init__(self, simulator, engine, folder, plugins=(), plugin_folder=None, plugin_options=None, options=(),
                 qos=True, levels=None, preload=(), patience=300, more=None, **environment):
        self.simulator, self.folder, self.patience = simulator, os.path.abspath(folder), patience
        os.makedirs(self.folder, exist_ok=True)
        self.log = os.path.join(self.folder, "osm.log")
        # Without the flush the last lines of the log stay in memory as long as OpenSM idles.
        lines = ["force_log_flush TRUE"]
        lines += more or ["routing_engine %s,no_fallback" % engine, "qos %s" % ("TRUE" if qos else "FALSE")]
        plugins, self.levels = list(plugins), levels
        if levels:
            plugins.append("unknot_level_dump")
            environment["UNKNOT_LEVEL_DUMP"] = os.path.abspath(levels)
            if os.path.exists(levels):
                os.remove(levels)
        if plugins:
            lines.append("event_plugin_name " + " ".join(plugins))
            environment["LD_LIBRARY_PATH"] = os.path.abspath(plugin_folder)
        if plugin_options:
            lines.append("event_plugin_options " + plugin_options)
        configuration = os.path.join(self.folder, "opensm.conf")
        with open(configuration, "w") as out:
            out.write("\n".join(lines) + "\n")
        self.arguments = [tool("opensm"), "-F", configuration, "-f", self.log, "-e", "-D", "0x47", "-s", "0",
                          "--dump_files_dir", self.folder, "-t", "3000", "-n", "16"] + list(options)
        self.environment = simulator.environment(preload=preload, OSM_CACHE_DIR=self.folder,
                                                 OSM_TMP_DIR=self.folder, **environment)

    def __enter__(self):
        self.process = Process(self.arguments, self.folder, os.path.join(self.folder, "stdout.log"),
                               self.environment)
        try:
            # Dumps are written before this line of the log.
            self.up = self.wait_for("SUBNET UP", NO_ENGINE)
            if self.up and self.levels:
                self.wait_for_file(self.levels)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.exit_code = self.stop()

    def stop(self):
        # Where the engine failed OpenSM sits in a sweep that never ends well; it still obeys the signal.
        code = self.process.stop(patience=10)
        for left in glob.glob(os.path.join(self.folder, "sys-*")):
            shutil.rmtree(left, ignore_errors=True)
        return code

    def log_text(self):
        try:
            with open(self.log, errors="replace") as text:
                return text.read()
        except FileNotFoundError:
            return ""

    def wait_for(self, good, bad, count=1):
        """True when the log holds `good` `count` times, False when `bad` comes first."""
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            text = self.log_text()
            if text.count(good) >= count:
                return True
            if bad in text:
                return False
            if not self.process.running():
                raise Failure("OpenSM ended: " + text[-1500:])
            time.sleep(0.05)
        raise Failure("OpenSM did not finish in %d s: %s" % (self.patience, self.log_text()[-1500:]))

    def ups(self):
        """How often the log says that the subnet is up (it says so twice a time)."""
        return self.log_text().count("SUBNET UP")

    def wait_for_file(self, path):
        deadline = time.monotonic() + self.patience
        while not os.path.exists(path):
            if time.monotonic() > deadline or not self.process.running():
                raise Failure("OpenSM did not write " + path)
            time.sleep(0.02)

    def dump(self, name):
        return os.path.join(self.folder, name)

    def sweep(self):
        """A heavy sweep, as after a trap."""
        self.process.process.send_signal(signal.SIGHUP)

    def errors(self):
        return [line for line in self.log_text().splitlines() if " 0x01 -> " in line]


def port_guids(lfts):
    """LID -> port GUID, from the rows of an LFT dump."""
    with open(lfts) as text:
        return {int(lid, 16): int(guid, 16)
                for lid, guid in re.findall(r"^(0x[0-9a-f]+) \d+ .*?portguid (0x[0-9a-f]+)", text.read(), re.M)}


def read_lfts(path, adapters_only=False):
    """{switch GUID: {port GUID of the destination: output port}} of either text form: free of LIDs."""
    tables, table = {}, None
    with open(path) as text:
        for line in text:
            head = re.match(r"Unicast lids .* guid (0x[0-9a-f]+)", line)
            row = re.match(r"(0x[0-9a-f]+) (\d+) .*?portguid (0x[0-9a-f]+)", line)
            if head:
                table = tables.setdefault(int(head.group(1), 16), {})
            elif row and not (adapters_only and "Switch portguid" in line):
                table[int(row.group(3), 16)] = int(row.group(2))
    return tables


def read_multicast(path):
    """{group's LID: {switch GUID: set of ports}} of a dump like opensm.mcfdbs, or of the output of ibroute -M."""
    groups, guid = {}, None
    with open(path) as text:
        for line in text:
            head = re.match(r"(?:Switch|Multicast mlids .* guid) (0x[0-9a-f]+)", line)
            row = re.match(r"(0x[0-9A-Fa-f]{4}) :((?:\s+0x[0-9A-Fa-f]+)*)\s*$", line)
            crosses = re.match(r"(0x[0-9a-f]{4}) {6}((?:[x ] )+)$", line)
            if head:
                guid = int(head.group(1), 16)
                continue
            if row:
                ports = {int(port, 16) for port in row.group(2).split()}
            elif crosses:
                ports = {port for port, mark in enumerate(crosses.group(2)[::2]) if mark == "x"}
            else:
                continue
            if ports:
                groups.setdefault(int((row or crosses).group(1), 16), {})[guid] = ports
    return groups


def pruned(tree, cables, members):
    """A group's ports when a tree of them keeps what its members need: leaves without any are cut again and again.
    `tree`: {switch: ports}; `cables`: {(switch, port): (switch, port)} between switches; `members`: {(switch, port)}."""
    tree = {switch: {port for port in ports if (switch, port) in cables} for switch, ports in tree.items()}
    homes = {switch for switch, _ in members}
    while True:
        leaf = next((s for s, ports in tree.items() if len(ports) < 2 and s not in homes), None)
        if leaf is None:
            break
        for port in tree.pop(leaf):
            there, back = cables[leaf, port]
            tree[there].remove(back)
    for switch, port in members:
        tree[switch].add(port)
    return tree


def read_cables(net):
    """Cables between switches, {(switch GUID, port): (switch GUID, port)}, and where each host port is, {its GUID:
    (switch GUID, port)}, of a net file."""
    guids, cables, hosts = {}, {}, {}
    with open(net) as text:
        rows = [row.splitlines() for row in text.read().split("\n\n")]
    for row in rows:
        guid = next((int(line.split("=")[1], 16) for line in row if line.startswith("switchguid=")), None)
        name = next((re.match(r'Switch\s+\d+ "([^"]+)"', line).group(1) for line in row if line.startswith("Switch")),
                    None)
        if name:
            guids[name] = guid
    for row in rows:
        name = next((re.match(r'(?:Switch|Hca)\s+\d+ "([^"]+)"', line).group(1) for line in row
                     if re.match("Switch|Hca", line)), None)
        for line in row:
            end = re.match(r'\[(\d+)\](?:\(([0-9a-f]+)\))?\s+"([^"]+)"\[(\d+)\]', line)
            if not end or end.group(3) not in guids:
                continue
            there = guids[end.group(3)], int(end.group(4))
            if name in guids:
                cables[guids[name], int(end.group(1))] = there
            else:
                hosts[int(end.group(2), 16)] = there
    return cables, hosts


def read_levels(path, guid_of_lid):
    """{(source GUID, destination port GUID): level} of a file of path service levels."""
    levels = {}
    with open(path) as text:
        for line in text:
            if line.strip() and not line.startswith("#"):
                source, lid, level = line.split()
                levels[int(source, 16), guid_of_lid[int(lid)]] = int(level)
    return levels


def sl2vl_for_checker(dump, out):
    """OpenSM's SL-to-VL dump as the lines that ibdmchk takes."""
    with open(dump) as text, open(out, "w") as to:
        guid = None
        for line in text:
            head = re.match(r"(?:Switch|\S+) (0x[0-9a-f]+),", line)
            row = re.match(r"(\d+)\s+(\d+)\s+: ([\d ]+)$", line.rstrip() + "")
            if head:
                guid = head.group(1) if line.startswith("Switch") else None
            elif row and guid:
                lanes = [int(v) for v in row.group(3).split()]
                pairs = " ".join("0x%x%x" % (lanes[i], lanes[i + 1]) for i in range(0, 16, 2))
                to.write("%s %s %s %s\n" % (guid, row.group(1), row.group(2), pairs))


def checker(manager, levels=None):
    """What ibdmchk says of OpenSM's dumps. `levels`: path service levels."""
    arguments = [tool("ibdmchk"), "-s", manager.dump("opensm-subnet.lst"), "-f", manager.dump("opensm.fdbs"), "-m",
                 manager.dump("opensm.mcfdbs")]
    if levels:
        sl2vl = manager.dump("sl2vl.ibdmchk")
        sl2vl_for_checker(manager.dump("opensm-sl2vl.dump"), sl2vl)
        arguments += ["-c", levels, "-d", sl2vl]
    done = subprocess.run(arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
                          cwd=manager.folder)
    # Not its exit code: given multicast tables, it crashes when all is said.
    return done.stdout


def credit_loops(manager, levels=None):
    """False when ibdmchk finds no credit loop."""
    said = checker(manager, levels)
    text = said.lower()
    if "no credit loops found" in text:
        return False
    if "credit loop" in text:
        return True
    raise Failure("ibdmchk says nothing of credit loops:\n" + said[-2000:])
