#!/usr/bin/env python3
"""Real tables: FRR's OSPF in network namespaces, and lldpd where it is installed, collected as docs/pauses.md says and given to
`unknot verify --ethernet`, whose answers are held against a walk of its own here. Skipped (77) without FRR or the right to make
namespaces."""
import argparse
import ipaddress
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

FRR = pathlib.Path("/usr/lib/frr")
SKIPPED = 77


def call(*words, check=True):
    return subprocess.run(words, check=check, capture_output=True, text=True, timeout=60)


class Fabric:
    """Switches as namespaces, links as pairs of virtual interfaces, a network of hosts behind each that is named."""

    def __init__(self, folder, links):
        self.folder, self.tag = folder, f"u{os.getpid() % 10000}"
        self.switches = sorted({end for link in links for end in link})
        self.ends, self.daemons, self.prefix = {s: {} for s in self.switches}, [], {}

    def build(self, links, with_hosts):
        for s in self.switches:
            call("ip", "netns", "add", self.space(s))
            self.within(s, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv4.fib_multipath_hash_policy=1")
            self.within(s, "ip", "link", "set", "lo", "up")
        for i, (a, b) in enumerate(links):
            pair = [(a, f"swp{len(self.ends[a]) + 1}"), (b, f"swp{len(self.ends[b]) + 1}")]
            call("ip", "link", "add", pair[0][1], "netns", self.space(a), "type", "veth", "peer", "name", pair[1][1], "netns", self.space(b))
            for k, (s, port) in enumerate(pair):
                self.within(s, "ip", "address", "add", f"10.255.{i}.{k}/31", "dev", port)
                self.within(s, "ip", "link", "set", port, "up")
            self.ends[a][pair[0][1]], self.ends[b][pair[1][1]] = pair[1], pair[0]
        for i, s in enumerate(with_hosts):
            self.prefix[s] = f"10.0.{i}.0/24"
            self.within(s, "ip", "link", "add", "hosts", "type", "veth", "peer", "name", "far")
            self.within(s, "ip", "link", "set", "far", "up")
            self.within(s, "ip", "address", "add", f"10.0.{i}.1/24", "dev", "hosts")
            self.within(s, "ip", "link", "set", "hosts", "up")

    def space(self, switch):
        return f"{self.tag}-{switch}"

    def within(self, switch, *words, check=True):
        return call("ip", "netns", "exec", self.space(switch), *words, check=check)

    def start(self, lldp):
        for i, s in enumerate(self.switches):
            home = self.folder / s
            home.mkdir()
            os.chmod(home, 0o777)
            lines = ["log file " + str(home / "log")]
            for port in self.ends[s]:
                lines += [f"interface {port}", " ip ospf area 0", " ip ospf network point-to-point", " ip ospf hello-interval 1",
                          " ip ospf dead-interval 4"]
            if s in self.prefix:
                lines += ["interface hosts", " ip ospf area 0", " ip ospf passive"]
            lines += ["router ospf", f" ospf router-id 10.254.0.{i + 1}", " timers throttle spf 0 50 500", " maximum-paths 16"]
            (home / "frr.conf").write_text("\n".join(lines) + "\n")
            for daemon in ("zebra", "ospfd"):
                self.daemons.append(subprocess.Popen(
                    ["ip", "netns", "exec", self.space(s), str(FRR / daemon), "-f", str(home / "frr.conf"), "-i", str(home / (daemon + ".pid")),
                     "-z", str(home / "zserv.api"), "--vty_socket", str(home)],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                if daemon == "zebra":
                    time.sleep(0.3)
            if lldp:
                self.daemons.append(subprocess.Popen(
                    ["ip", "netns", "exec", self.space(s), "lldpd", "-d", "-u", str(home / "lldpd.socket"), "-I", "swp*"],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        if lldp:
            time.sleep(1)
            for s in self.switches:
                for words in (["configure", "system", "hostname", s], ["configure", "lldp", "tx-interval", "1"], ["configure", "lldp", "portidsubtype", "ifname"]):
                    call("lldpcli", "-u", str(self.folder / s / "lldpd.socket"), *words)

    def routes(self, switch):
        """What FRR has installed: prefix -> ports."""
        answer = self.within(switch, "vtysh", "--vty_socket", str(self.folder / switch), "-c", "show ip route json", check=False)
        return json.loads(answer.stdout) if answer.returncode == 0 and answer.stdout.strip().startswith("{") else {}

    def settle(self):
        """Until every switch has a route to every network of hosts, and none changes any more: OSPF asks again after
        five seconds where a neighbour has not heard it."""
        before, quiet = None, 0
        for _ in range(120):
            now = {s: {p: sorted(hop["interfaceName"] for r in self.routes(s).get(p, []) if r.get("selected") for hop in r["nexthops"])
                       for p in self.prefix.values()} for s in self.switches}
            quiet = quiet + 1 if now == before and all(ports for table in now.values() for ports in table.values()) else 0
            if quiet > 6:
                return
            before = now
            time.sleep(1)
        raise RuntimeError(f"OSPF does not settle: {before}")

    def collect(self, into, lldp):
        into.mkdir()
        for i, s in enumerate(self.switches):
            if lldp:
                text = call("lldpctl", "-u", str(self.folder / s / "lldpd.socket"), "-f", "json").stdout
            else:
                text = json.dumps({"lldp": {"interface": [
                    {port: {"chassis": {peer: {}}, "port": {"id": {"type": "ifname", "value": peer_port}}}}
                    for port, (peer, peer_port) in self.ends[s].items()]}})
            (into / f"{s}.lldp.json").write_text(text)
            # Half of them as the kernel says it, the other half as FRR does.
            text = json.dumps(self.routes(s)) if i % 2 else self.within(s, "ip", "-j", "route").stdout
            (into / f"{s}.routes.json").write_text(text)

    def stop(self):
        for daemon in self.daemons:
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait()
        for s in self.switches:
            call("ip", "netns", "del", self.space(s), check=False)

    def waits(self):
        """Which link waits for which, by the kernel's tables alone: each packet followed from each network of hosts."""
        tables = {}
        for s in self.switches:
            tables[s] = []
            for route in json.loads(self.within(s, "ip", "-j", "route").stdout):
                hops = [hop["dev"] for hop in route.get("nexthops", [])] or [route["dev"]]
                tables[s].append((ipaddress.ip_network(route["dst"].replace("default", "0.0.0.0/0")), hops))
        found = set()
        for home, prefix in self.prefix.items():
            address = ipaddress.ip_network(prefix)[9]
            todo, seen = [(s, None) for s in self.prefix], set()
            while todo:
                at, came = todo.pop()
                if (at, came) in seen:
                    continue
                seen.add((at, came))
                hops = max((t for t in tables[at] if address in t[0]), key=lambda t: t[0].prefixlen)[1]
                for port in hops:
                    if port not in self.ends[at]:
                        continue
                    if came is not None:
                        found.add((came, (at, port)))
                    todo.append((self.ends[at][port][0], (at, port)))
        return found


def locks(waits):
    """Whether some links wait for each other: none is left where each that waits for no other is taken away."""
    while True:
        waiting = {a for a, _ in waits}
        left = {(a, b) for a, b in waits if b in waiting}
        if left == waits:
            return bool(waits)
        waits = left


def examine(program, name, links, with_hosts, lldp):
    with tempfile.TemporaryDirectory(prefix="unknot-frr-") as folder:
        os.chmod(folder, 0o755)
        fabric = Fabric(pathlib.Path(folder), links)
        try:
            fabric.build(links, with_hosts)
            fabric.start(lldp)
            fabric.settle()
            if lldp:
                time.sleep(3)
            fabric.collect(pathlib.Path(folder) / "collected", lldp)
            answer = subprocess.run([program, "verify", "--ethernet", str(pathlib.Path(folder) / "collected"), "--json"],
                                    capture_output=True, text=True, timeout=60)
            waits = fabric.waits()
        finally:
            fabric.stop()
    if answer.returncode > 1:
        raise AssertionError(answer.stderr)
    document = json.loads(answer.stdout)
    expected = {"switches": len({e for link in links for e in link}), "links": len(links), "prefixes": len(with_hosts),
                "deadlock_free": not locks(waits), "dependencies": len(waits), "dropped_prefixes": 0, "looping_prefixes": 0}
    actual = {key: document[key] for key in expected}
    print(f"{name}: {'lldpd, ' if lldp else ''}{actual}")
    if actual != expected:
        raise AssertionError(f"{name}: expected {expected}")
    return actual["deadlock_free"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    if os.geteuid() != 0 or not (FRR / "ospfd").exists() or shutil.which("ip") is None:
        print("skipped: FRR, iproute2 and the right to make namespaces are needed")
        return SKIPPED
    if call("ip", "netns", "add", f"u{os.getpid()}probe", check=False).returncode != 0:
        print("skipped: no namespaces can be made here")
        return SKIPPED
    call("ip", "netns", "del", f"u{os.getpid()}probe")
    lldp = shutil.which("lldpd") is not None
    leaves, spines = [f"leaf{i}" for i in range(1, 4)], ["spine1", "spine2"]
    clos = [(leaf, spine) for leaf in leaves for spine in spines]
    assert examine(program, "leaves and spines", clos, leaves, lldp)
    # Down and up again over the other leaves, as OSPF finds its way around two links that are missing.
    broken = [link for link in clos if link not in (("leaf1", "spine2"), ("leaf2", "spine1"))]
    assert examine(program, "two links less", broken, leaves, False)
    ring = [f"r{i}" for i in range(5)]
    assert not examine(program, "a ring", [(ring[i], ring[(i + 1) % 5]) for i in range(5)], ring, False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
