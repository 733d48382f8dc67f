#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""'unknot-certified schedule' and 'unknot schedule check' give the same verdicts: on schedules of every collective, and on
these after one or two changes at random.

Usage: schedule_agreement_test.py UNKNOT UNKNOT-CERTIFIED [--mutations N] [--seed N]"""
import argparse
import collections
import json
import os
import random
import sys
import tempfile

from agreement_test import Count, run

FABRICS = ["mesh:3x2", "torus:3x3", "ring:5", "uniring:4", "hypercube:3", "full-mesh:4,cables=2", "fattree3:2", "mesh:2x2,p=2",
           "dragonfly:a=2,h=1,p=1", "slimfly:q=3", "full-mesh:3,cables=2,p=3"]
COLLECTIVES = ["OAS", "OAB", "AOG", "AOR", "AAG", "AAR", "AAS", "AAB", "scan"]


def any_transfer(chance, steps):
    places = [(k, i) for k, step in enumerate(steps) for i in range(len(step))]
    return chance.choice(places)


def drop(chance, steps, _):
    k, i = any_transfer(chance, steps)
    del steps[k][i]


def twice(chance, steps, _):
    k, i = any_transfer(chance, steps)
    chance.choice(steps).append(dict(steps[k][i]))


def other_step(chance, steps, _):
    k, i = any_transfer(chance, steps)
    transfer = steps[k].pop(i)
    chance.choice(steps).append(transfer)


def swap_steps(chance, steps, _):
    a, b = chance.randrange(len(steps)), chance.randrange(len(steps))
    steps[a], steps[b] = steps[b], steps[a]


def alone(chance, steps, _):
    """A transfer gets a step of its own, somewhere: often still valid."""
    k, i = any_transfer(chance, steps)
    transfer = steps[k].pop(i)
    steps.insert(k + chance.randrange(2), [transfer])


def origin(chance, steps, nodes):
    k, i = any_transfer(chance, steps)
    steps[k][i]["origin"] = chance.randrange(nodes)


def node(chance, steps, nodes):
    k, i = any_transfer(chance, steps)
    path = list(steps[k][i]["path"])
    path[chance.randrange(len(path))] = chance.randrange(nodes)
    steps[k][i]["path"] = path


def longer(chance, steps, nodes):
    k, i = any_transfer(chance, steps)
    path = list(steps[k][i]["path"])
    path.insert(chance.randrange(len(path) + 1), chance.randrange(nodes))
    steps[k][i]["path"] = path


def shorter(chance, steps, _):
    k, i = any_transfer(chance, steps)
    path = list(steps[k][i]["path"])
    if len(path) > 1:
        del path[chance.choice([0, len(path) - 1, chance.randrange(len(path))])]
    steps[k][i]["path"] = path


CHANGES = [drop, twice, other_step, swap_steps, alone, alone, alone, origin, node, longer, shorter]


class Cases:
    def __init__(self, unknot, certified, folder):
        self.unknot, self.certified, self.folder = unknot, certified, folder
        self.cases = []

    def judge(self, fabric, schedule):
        return run(self.unknot, "schedule", "check", fabric, schedule), run(self.certified, "schedule", fabric, schedule)

    def make(self, count):
        for fabric in FABRICS:
            name = os.path.join(self.folder, f"fabric-{len(self.cases)}.json")
            if run(self.unknot, "topology", fabric, "-o", name, "--format", "json", "-q")[0] != 0:
                sys.exit(f"no fabric {fabric}")
            for collective in COLLECTIVES:
                schedule = os.path.join(self.folder, f"schedule-{len(self.cases)}.json")
                code, out, err = run(self.unknot, "schedule", name, "--collective", collective, "--limit", "2", "-o", schedule, "-q")
                if not os.path.exists(schedule):
                    sys.exit(f"no schedule {fabric} {collective}: {code}\n{out}{err}")
                with open(schedule, encoding="utf-8") as file:
                    self.cases.append((f"{fabric} {collective}", name, json.load(file)))
                count.add(self.cases[-1][0], "as made", self.judge(name, schedule))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("unknot")
    parser.add_argument("certified")
    parser.add_argument("--mutations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        count = Count()
        cases = Cases(options.unknot, options.certified, folder)
        cases.make(count)
        fine = count.show(f"schedules: {len(cases.cases)}")
        count = Count()
        changed = os.path.join(folder, "changed.json")
        for _ in range(options.mutations):
            name, fabric, document = chance.choice(cases.cases)
            document = json.loads(json.dumps(document))
            steps = document["steps"]
            nodes = 1 + max(n for step in steps for t in step for n in t["path"])
            changes = [chance.choice(CHANGES) for _ in range(chance.choice([1, 1, 2]))]
            for change in changes:
                if any(steps):
                    change(chance, steps, nodes)
            with open(changed, "w", encoding="utf-8") as file:
                json.dump(document, file)
            count.add(name, "+".join(c.__name__ for c in changes) if len(changes) == 1 else "two changes", cases.judge(fabric, changed))
        fine &= count.show(f"mutations: {options.mutations}")
        seen = collections.Counter(verdict for _, verdict in count.agreed)
    sys.exit(0 if fine and (options.mutations < 100 or len(seen) == 2) else 1)


if __name__ == "__main__":
    main()
