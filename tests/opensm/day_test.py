#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A day of a fabric: cables, hosts and switches fail and come back at random under a real OpenSM on ibsim, while
`unknot watch --follow` reroutes, makes a multicast tree and installs, and is killed now and then. After each event the installed files are
proven by `unknot verify`, and so is what OpenSM has in force; nothing unproven may ever be found. Exit code 77, skipped,
where OpenSM, ibsim or their tools are not installed.

    day_test.py --build BUILD_FOLDER [--events 1000] [--seed N] [--fabric SPEC] [--engine E] [--minutes M]
"""

import argparse
import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import harness
from harness import Failure, Simulator, SubnetManager, read_levels, read_lfts, run

FILES = {"fabric", "lfts", "guid2lid", "lanes", "proof", "trees"}
PATIENCE = 60  # seconds for the follower, and for OpenSM, to see to one event


def cables_of(net):
    """Both ends, ((node, port), (node, port)), of each cable of a net file, and the nodes that are switches."""
    switches, ends = set(), {}
    with open(net) as text:
        for block in text.read().split("\n\n"):
            head = re.search(r'^(Switch|Hca|Ca)\s+\d+\s+"([^"]+)"', block, re.M)
            if not head:
                continue
            if head.group(1) == "Switch":
                switches.add(head.group(2))
            for port, peer, there in re.findall(r'^\[(\d+)\]\S*\s+"([^"]+)"\[(\d+)\]', block, re.M):
                ends[head.group(2), int(port)] = peer, int(there)
    return sorted({tuple(sorted(pair)) for pair in ends.items()}), switches


class Fabric:
    """What is plugged in, and what a random failure or repair is."""

    def __init__(self, net, simulator, chance):
        self.simulator, self.chance = simulator, chance
        self.cables, self.switches = cables_of(net)
        manager = simulator.first_host
        self.fixed = next(cable for cable in self.cables if manager in (cable[0][0], cable[1][0]))
        self.home = next(node for node, _ in self.fixed if node != manager)
        self.down = set()

    def change(self, cables, command):
        self.simulator.say(*('%s "%s"[%d]' % (command, node, port) for (node, port), _ in cables))
        self.down = self.down - set(cables) if command == "ReLink" else self.down | set(cables)

    def event(self):
        """Makes one happen, and says what."""
        chance = self.chance
        up = [cable for cable in self.cables if cable not in self.down and cable != self.fixed]
        if self.down and chance.random() < 0.25 + len(self.down) / len(self.cables):
            back = chance.sample(sorted(self.down), min(len(self.down), chance.choice([1, 1, 2, len(self.down)])))
            self.change(back, "ReLink")
            return "%d cables are back" % len(back)
        kind = chance.random()
        if kind < 0.1:
            switch = chance.choice(sorted(self.switches - {self.home}))
            gone = [cable for cable in up if switch in (cable[0][0], cable[1][0])]
            what = "switch %s has failed" % switch
        elif kind < 0.3:
            gone = [chance.choice([c for c in up if not {c[0][0], c[1][0]} <= self.switches] or up)]
            what = "a host is away"
        else:
            between = [c for c in up if {c[0][0], c[1][0]} <= self.switches] or up
            gone = chance.sample(between, min(len(between), chance.choice([1, 1, 1, 2, 3])))
            what = "%d cables have failed" % len(gone)
        self.change(gone, "Unlink")
        return what


class Day:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.chance = random.Random(options.seed)
        self.counts = collections.Counter()
        self.seconds, self.lanes, self.unproven = [], set(), []

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def unknot(self, *arguments, accepted=(0,)):
        return run([os.path.join(self.options.build, "unknot"), *arguments], accepted, cwd=self.folder)

    def follow(self):
        hook = "! test -e osm.pid || kill -HUP $(cat osm.pid)"
        with open(self.path("events"), "a") as out, open(self.path("follower.log"), "a") as log:
            return subprocess.Popen([os.path.join(self.options.build, "unknot"), "watch", "--follow", "dumps", "--state", "state",
                                     "--reroute", "sets", "--engine", self.options.engine, "--every", "0.1", "--metrics", "prom", "--multicast",
                                     "--run-on-install", hook], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=log)

    def dump(self, name):
        """ibnetdiscover, complete as it gets its name."""
        os.makedirs(self.path("." + name))
        with open(self.path("." + name, "fabric"), "w") as out:
            out.write(self.simulator.client(["ibnetdiscover"], timeout=PATIENCE))
        os.rename(self.path("." + name), self.path("dumps", name))

    def wait_for_event(self, name):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with open(self.path("events")) as text:
                lines = text.read().split("\n")[:-1]
            for line in reversed(lines):
                event = json.loads(line)
                if event["dump"] == name:
                    return event
            if self.follower.poll() is not None:
                break
            time.sleep(0.02)
        with open(self.path("follower.log")) as log:
            raise Failure("the follower said nothing of dump %s:\n%s" % (name, log.read()[-1000:]))

    def current(self):
        return self.path("sets", os.readlink(self.path("sets", "current")))

    def check(self, what, fabric, tables, lanes, *more):
        """Whether the checker proves these."""
        said = self.unknot("verify", fabric, tables, "--lanes", lanes, "--json", *more, accepted=(0, 1))
        said = json.loads(said)
        self.counts["proofs"] += 1
        if not said["deadlock_free"] or said.get("certificate_holds") is False:
            self.unproven.append("%s: %s" % (what, {key: said[key] for key in ("deadlock_free", "unroutable_pairs")}))
        return said

    def check_installed(self, name):
        there = self.current()
        if set(os.listdir(there)) != FILES:
            self.unproven.append("dump %s: the set is not whole: %s" % (name, sorted(os.listdir(there))))
        said = self.check("dump %s, what is installed" % name, os.path.join(there, "fabric"), os.path.join(there, "lfts"),
                          os.path.join(there, "lanes"), "--certificate", os.path.join(there, "proof"), "--multicast", os.path.join(there, "trees"))
        if "multicast" not in said["traffic"] or said["multicast"]["lost_pairs"] or said["multicast"]["repeated_pairs"]:
            self.unproven.append("dump %s: the multicast tree is not proven to reach every host once" % name)
        if not said["complete"]:
            self.unproven.append("dump %s: the installed set does not deliver every pair" % name)

    def in_force(self):
        """Whether OpenSM has the installed set in force, tables and levels. A copy of what it says stays in the files
        held and held-levels: it may write its own again at any moment."""
        there = self.current()
        ours = read_lfts(os.path.join(there, "lfts"))
        lids = harness.port_guids(os.path.join(there, "lfts"))
        levels = {pair: level for pair, level in read_levels(os.path.join(there, "lanes"), lids).items()
                  if pair[0] not in ours and pair[1] not in ours}
        try:
            shutil.copy(self.manager.dump("opensm-lfts.dump"), self.path("held"))
            shutil.copy(self.manager.levels, self.path("held-levels"))
            theirs = read_levels(self.path("held-levels"), harness.port_guids(self.path("held")))
            return read_lfts(self.path("held")) == ours and theirs == levels
        except (OSError, KeyError, ValueError):  # it is being written
            return False

    def wait_for_opensm(self, name):
        deadline = time.monotonic() + PATIENCE
        while not self.in_force():
            if not self.manager.process.running():
                raise Failure("OpenSM ended: " + self.manager.log_text()[-1500:])
            if time.monotonic() > deadline:
                said = [line for line in self.manager.errors() if "ERR UK" in line][-1:]
                raise Failure("dump %s: OpenSM has not taken the installed set: %s" % (name, said))
            time.sleep(0.05)

    def check_in_force(self, name):
        """What OpenSM has, and now and then what the switches hold."""
        held, levels = self.path("held"), self.path("held-levels")
        self.check("dump %s, what OpenSM has in force" % name, self.path("dumps", name, "fabric"), held, levels,
                   "--traffic", "data")
        if self.counts["events"] % 10 == 0:
            with open(self.path("switches"), "w") as out:
                out.write(self.simulator.client(["dump_lfts"], timeout=PATIENCE))
            if read_lfts(self.path("switches")) != read_lfts(held):
                self.unproven.append("dump %s: the switches hold something else than OpenSM says" % name)
            self.counts["switches read"] += 1
            if self.credit_loops(levels):
                self.unproven.append("dump %s: ibdmchk finds a credit loop" % name)
            self.counts["credit loops looked for"] += 1

    def credit_loops(self, levels):
        """ibdmchk reads OpenSM's own files, which may be written at that moment."""
        for _ in range(5):
            try:
                return harness.credit_loops(self.manager, levels)
            except Failure as failure:
                last = failure
                time.sleep(1)
        raise last

    def one(self, number, fabric):
        name = "%05d" % number
        what = fabric.event()
        time.sleep(0.05)  # the console has no answer to wait for
        kill = self.chance.random() < 0.1
        self.dump(name)
        if kill:
            time.sleep(self.chance.uniform(0, 0.2))
            self.follower.kill()
            self.follower.wait()
            self.counts["kills"] += 1
            if os.path.lexists(self.path("sets", "current")):
                self.check_installed(name + ", killed")
            self.follower = self.follow()
        event = self.wait_for_event(name)
        self.counts["events"] += 1
        self.counts[event["action"]] += 1
        self.counts["lost pairs healed"] += event["broken_pairs"]
        self.seconds.append(event["seconds"])
        self.lanes.add(event["lanes"])
        if event["verdict"] != "proven":
            self.counts["verdict " + event["verdict"]] += 1
        self.check_installed(name)
        self.wait_for_opensm(name)
        self.check_in_force(name)
        shutil.rmtree(self.path("dumps", "%05d" % (number - 1)), ignore_errors=True)
        if self.options.verbose:
            print("%s %s, %d down: %s" % (name, what, len(fabric.down), event["sentence"]), flush=True)

    def live(self):
        options = self.options
        net = self.path("fabric.net")
        self.unknot("topology", options.fabric, "-o", net, "--format", "ibsim")
        os.mkdir(self.path("dumps"))
        began = time.monotonic()
        with Simulator(net, self.path("sim"), console=True) as self.simulator:
            fabric = Fabric(net, self.simulator, self.chance)
            self.follower = self.follow()
            try:
                self.dump("00000")
                self.wait_for_event("00000")
                words = "tables=%s lanes=%s multicast=%s" % tuple(self.path("sets", "current", name)
                                                                  for name in ("lfts", "lanes", "trees"))
                with SubnetManager(self.simulator, "unknot", self.path("osm"), plugins=["unknot_opensm"],
                                   plugin_folder=options.build, plugin_options=words,
                                   levels=self.path("levels")) as self.manager:
                    if not self.manager.up:
                        raise Failure("OpenSM has not taken the first set: %s" % self.manager.errors())
                    with open(self.path("osm.pid"), "w") as out:
                        out.write(str(self.manager.process.process.pid))
                    for number in range(1, options.events + 1):
                        if options.minutes and time.monotonic() - began > 60 * options.minutes:
                            break
                        self.one(number, fabric)
                    os.remove(self.path("osm.pid"))
                self.follower.send_signal(signal.SIGTERM)
                if self.follower.wait(PATIENCE) != 0:
                    raise Failure("the follower did not end with exit code 0")
            finally:
                self.follower.kill()
        return time.monotonic() - began

    def summary(self, seconds):
        """For people, and the figures as JSON."""
        self.seconds.sort()
        return {"fabric": self.options.fabric, "engine": self.options.engine, "seed": self.options.seed, **self.counts,
                "lanes": sorted(self.lanes), "median_seconds": self.seconds[len(self.seconds) // 2],
                "longest_seconds": self.seconds[-1], "minutes": round(seconds / 60, 1), "unproven": len(self.unproven)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--events", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fabric", default="torus:4x4,p=2")
    parser.add_argument("--engine", default="dfsssp")
    parser.add_argument("--minutes", type=float, default=0, help="ends earlier than after all events; 0: no")
    parser.add_argument("--keep", help="keep all files in this folder")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    missing = harness.missing_tools()
    if missing:
        print("skipped, not installed: " + ", ".join(missing))
        return 77
    folder = options.keep or tempfile.mkdtemp(prefix="unknot-day-")
    os.makedirs(folder, exist_ok=True)
    day = Day(options, os.path.abspath(folder))
    try:
        seconds = day.live()
        print(json.dumps(day.summary(seconds)))
        for one in day.unproven:
            print("UNPROVEN " + one)
        return 1 if day.unproven else 0
    except Failure as failure:
        print("FAILED after %d events: %s" % (day.counts["events"], failure))
        return 1
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
