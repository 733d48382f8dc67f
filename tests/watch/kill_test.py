#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot watch --follow as a process: ended by SIGKILL at random moments while it installs, and by SIGTERM. Whenever somebody
looks, what is installed is whole, and proven by `unknot verify`, which has not made it. Dumps that are cut anywhere are refused.

    kill_test.py --build BUILD_FOLDER [--kills N] [unittest's arguments]
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OPTIONS = argparse.Namespace(build=None, kills=25)
FILES = {"fabric", "lfts", "guid2lid", "lanes", "proof"}
SPEC = "torus:4x4x2,p=2"
TREE = "xgft:m=4x4,w=3x3,terminals=64"


class Service(unittest.TestCase):
    spec = SPEC

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-watch-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        os.mkdir(self.path("in"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def unknot(self, *arguments, accepted=(0,)):
        done = subprocess.run([os.path.join(OPTIONS.build, "unknot"), *arguments], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=240)
        self.assertIn(done.returncode, accepted, done.stderr)
        return done

    def start(self, *more, every="0.02"):
        process = subprocess.Popen([os.path.join(OPTIONS.build, "unknot"), "watch", "--follow", "in", "--state", "state",
                                    "--reroute", "sets", "--every", every, "--metrics", "unknot.prom", "-q", *more],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def dump(self, name, *fail):
        """A dump in its folder, complete as it gets its name."""
        os.mkdir(self.path("." + name))
        self.unknot("topology", self.spec, *fail, "-o", self.path("." + name, "fabric"), "--format", "ibnetdiscover", "-q")
        os.rename(self.path("." + name), self.path("in", name))

    def installed(self):
        """The set in force, proven; None where there is none."""
        if not os.path.lexists(self.path("sets", "current")):
            return None
        name = os.readlink(self.path("sets", "current"))
        self.assertEqual(set(os.listdir(self.path("sets", name))), FILES)
        there = self.path("sets", name)
        said = json.loads(self.unknot("verify", os.path.join(there, "fabric"), os.path.join(there, "lfts"), "--lanes",
                                      os.path.join(there, "lanes"), "--certificate", os.path.join(there, "proof"),
                                      "--json").stdout)
        self.assertTrue(said["deadlock_free"] and said["complete"] and said["certificate_holds"], said)
        self.assertIn("management", said["traffic"])
        return name

    def content(self, *names):
        """"" where there is no such file yet."""
        try:
            with open(self.path(*names)) as text:
                return text.read()
        except FileNotFoundError:
            return ""

    def wait_for(self, what):
        deadline = time.monotonic() + 120
        while not what():
            self.assertLess(time.monotonic(), deadline, "nothing came of it")
            time.sleep(0.01)

    def test_kills(self):
        self.kill_often("--engine", "dfsssp")

    def test_kills_while_tables_of_clos_follow(self):
        self.spec = TREE
        self.kill_often("--engine", "clos")

    def kill_often(self, *engine):
        chance = random.Random(11)
        seen, killed = set(), 0
        for number in range(OPTIONS.kills):
            self.dump("%04d" % number, *(() if number % 4 == 3 else ("--fail", "cable-count=2,seed=%d" % (number + 1))))
            process = self.start(*engine)
            time.sleep(chance.uniform(0.0, 0.15))
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            seen.add(self.installed())
        self.assertGreater(killed, OPTIONS.kills * 3 // 4)
        # A killed one may have handled the last dump: only metrics that were not there show that this one has looked.
        if os.path.exists(self.path("unknot.prom")):
            os.remove(self.path("unknot.prom"))
        process = self.start(*engine)
        last = json.dumps("%04d" % (OPTIONS.kills - 1))
        self.wait_for(lambda: self.content("unknot.prom") and last in self.content("state", "state.json"))
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, ""))
        seen.add(self.installed())
        self.assertGreater(len(seen), 3, "hardly anything was installed between the kills: nothing is tested")
        # What a killed process began is gone, and the newest fabric is the one in force.
        names = set(os.listdir(self.path("sets")))
        self.assertEqual({name for name in names if name.startswith(".") and name != ".lock"}, set())
        self.assertLessEqual(len(names), 4)
        self.assertTrue(self.unknot("watch", self.path("in", "%04d" % (OPTIONS.kills - 1), "fabric"),
                                    self.path("sets", "current", "fabric"), "--json"))

    def test_cut_dumps_are_refused_and_no_end(self):
        self.dump("0")
        process = self.start()
        self.wait_for(lambda: self.installed() == "set-000001")
        with open(self.path("in", "0", "fabric")) as whole:
            text = whole.read()
        chance = random.Random(5)
        for number in range(1, 11):
            os.mkdir(self.path("in", str(number)))
            with open(self.path("in", str(number), "fabric"), "w") as cut:
                cut.write(text[:chance.randrange(len(text) * 95 // 100)])
        self.wait_for(lambda: len(json.loads(self.content("state", "state.json") or "{}").get("taken", {})) == 11)
        # Mended, it is taken.
        with open(self.path("whole"), "w") as mended:
            mended.write(text)
        os.rename(self.path("whole"), self.path("in", "10", "fabric"))
        self.wait_for(lambda: json.loads(self.content("state", "state.json") or "{}").get("last_dump") == "10")
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        events = [json.loads(line) for line in out.splitlines()]
        actions = {}
        for event in events:
            actions.setdefault(event["dump"], []).append(event["action"])
        for number in range(1, 10):
            self.assertEqual(actions[str(number)], ["refused"], actions)
        self.assertEqual(actions["10"][-1], "none", actions)
        self.assertEqual(self.installed(), "set-000001")

    def test_command_and_hook(self):
        self.dump("0")
        os.rename(self.path("in", "0", "fabric"), self.path("now"))
        # The first run of the hook fails: it is run again until it has not.
        hook = "[ -e once ] || { touch once; exit 3; }; echo $UNKNOT_SET >> told"
        process = subprocess.Popen([os.path.join(OPTIONS.build, "unknot"), "watch", "--follow-command", "cat now",
                                    "--every", "0.02", "--state", "state", "--reroute", "sets", "--run-on-install", hook],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_for(lambda: os.path.exists(self.path("told")))
        self.unknot("topology", SPEC, "--fail", "cable-count=1,seed=3", "-o", "less", "--format", "ibnetdiscover", "-q")
        os.rename(self.path("less"), self.path("now"))
        self.wait_for(lambda: len(self.content("told").split()) == 2)
        os.remove(self.path("now"))
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.content("told").split(), ["sets/set-000001", "sets/set-000002"])
        self.assertIn("the command after installation ended with exit code 3", err)
        self.assertEqual([json.loads(line)["action"] for line in out.splitlines()], ["routed", "rerouted", "refused"])

    def test_metrics_as_prometheus_reads_them(self):
        promtool = shutil.which("promtool")
        if not promtool:
            self.skipTest("promtool is not installed")
        self.dump("0")
        self.unknot("watch", "--follow", "in", "--once", "--metrics", "unknot.prom", accepted=(0, 1))
        with open(self.path("unknot.prom")) as metrics:
            done = subprocess.run([promtool, "check", "metrics"], stdin=metrics, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--kills", type=int, default=OPTIONS.kills)
    parser.parse_known_args(namespace=OPTIONS)
    OPTIONS.build = os.path.abspath(OPTIONS.build)
    rest = parser.parse_known_args()[1]
    unittest.main(argv=sys.argv[:1] + rest)


if __name__ == "__main__":
    main()
