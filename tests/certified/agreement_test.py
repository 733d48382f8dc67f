#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot-certified and 'unknot verify' give the same verdicts: on what every engine makes of every topology of the
catalogue, and on these tables and certificates after one change at random.

Usage: agreement_test.py UNKNOT UNKNOT-CERTIFIED [--catalogue N] [--mutations N] [--seed N]
N of --catalogue: every N-th pair of engine and example (1: all). Both must answer 0 (accepted) or 1 (refused)."""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

ENGINE_FORMS = {"dor": ["dor", "dor:sl2vl=0"], "layers": ["layers"]}


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class Case:
    """A fabric, tables of an engine for it and their certificate, as files in a folder and as documents."""

    def __init__(self, folder, fabric, engine):
        self.name = f"{fabric} {engine}"
        self.folder = folder
        self.fabric = os.path.join(folder, "fabric.json")
        self.tables = os.path.join(folder, "tables.json")
        self.certificate = os.path.join(folder, "certificate")


class Programs:
    def __init__(self, unknot, certified):
        self.unknot, self.certified = unknot, certified

    def make(self, folder, fabric, engine):
        """A case, or nothing where the engine does not apply."""
        case = Case(folder, fabric, engine)
        os.makedirs(folder, exist_ok=True)
        if run(self.unknot, "topology", fabric, "-o", case.fabric, "--format", "json", "-q")[0] != 0:
            return None
        self.route(case.fabric, engine, case.tables, "json", "--certificate", case.certificate)
        return case if os.path.exists(case.tables) else None

    def route(self, fabric, engine, tables, form, *more):
        run(self.unknot, "route", fabric, "-E", engine, "--vls", "15", "-q", "-o", tables, "--format", form, "--force", "--traffic", "data",
            *more)

    def verdicts(self, fabric, tables, certificate):
        """Exit codes of both, and what they said."""
        first = run(self.unknot, "verify", fabric, tables, "--traffic", "data", "--threads", "1",
                    *(["--certificate", certificate] if certificate else []))
        second = run(self.certified, fabric, tables, *([certificate] if certificate else []))
        return first, second


def change_entry(chance, tables, _):
    rows = [r for r in tables["routers"] if "ports" in r]
    if not rows:
        return False
    row = chance.choice(rows)["ports"]
    most = max(row)
    at = chance.randrange(len(row))
    old = row[at]
    row[at] = chance.randrange(-1, most + 1)
    return row[at] != old


def change_two_entries(chance, tables, lines):
    """Two destinations of a router change places: paths stay whole more often."""
    rows = [r for r in tables["routers"] if len(set(r.get("ports", []))) > 1]
    if not rows:
        return False
    row = chance.choice(rows)["ports"]
    a, b = chance.randrange(len(row)), chance.randrange(len(row))
    row[a], row[b] = row[b], row[a]
    return row[a] != row[b]


def change_level(chance, tables, _):
    rows = tables.get("service_levels") or []
    if not rows:
        return False
    row = chance.choice(rows)["levels"]
    at = chance.randrange(len(row))
    old = row[at]
    row[at] = chance.choice([None, 15] + list(range(tables.get("virtual_lanes", 1) + 1)))
    return row[at] != old


def change_lane(chance, tables, _):
    rows = tables.get("sl_to_vl") or []
    if not rows:
        return False
    row = chance.choice(rows)["lanes"]
    row[chance.randrange(16)] = chance.randrange(min(16, tables.get("virtual_lanes", 1) + 1))
    return True


def change_route(chance, tables, _):
    rows = tables.get("routes") or []
    if not rows:
        return False
    row = chance.choice(rows)["channels"]
    at = chance.randrange(len(row))
    kind = chance.randrange(4)
    if kind == 0 or not row[at]:
        row[at] = row[chance.randrange(len(row))]
    elif kind == 1:
        row[at] = None
    elif kind == 2:
        row[at] = list(row[at])
        row[at][chance.randrange(len(row[at]))] = chance.randrange(len(tables["channels"]))
    else:
        row[at] = row[at][:-1]
    return True


def change_lanes(chance, tables, _):
    old = tables.get("virtual_lanes", 1)
    tables["virtual_lanes"] = chance.randrange(1, 16)
    return old != tables["virtual_lanes"]


def change_flow_control(_, tables, __):
    tables["flow_control"] = "bubble" if tables.get("flow_control", "credits") == "credits" else "credits"
    return True


def change_number(chance, _, lines):
    if len(lines) < 6:
        return False
    at = chance.randrange(3, len(lines) - 1)
    words = lines[at].split()
    words[3] = str(chance.choice([max(0, int(words[3]) + chance.randrange(-2, 3)), chance.randrange(len(lines))]))
    old, lines[at] = lines[at], " ".join(words)
    return old != lines[at]


def change_line(chance, _, lines):
    if len(lines) < 6:
        return False
    del lines[chance.randrange(3, len(lines) - 1)]
    lines[-1] = f"end {len(lines) - 4}"
    return True


def change_cables(chance, fabric):
    """Two cables change their ends, which keeps every port in use; coordinates no longer mean anything, and go."""
    cables = fabric["cables"]
    a, b = chance.randrange(len(cables)), chance.randrange(len(cables))
    if a == b or len({cables[a][0], cables[b][0], cables[a][2], cables[b][2]}) < 4:
        return False
    cables[a][2:4], cables[b][2:4] = cables[b][2:4], cables[a][2:4]
    fabric.pop("coordinates", None)
    return True


CHANGES = [change_entry, change_entry, change_two_entries, change_two_entries, change_level, change_level, change_lane, change_lane,
           change_route, change_route, change_lanes, change_flow_control, change_number, change_number, change_line, change_cables]
OF_CERTIFICATES = (change_number, change_line)


class Count:
    def __init__(self):
        self.agreed, self.wrong = collections.Counter(), []

    def add(self, name, what, verdicts):
        first, second = verdicts
        if first[0] == second[0] and first[0] in (0, 1):
            self.agreed[what, "accepted" if first[0] == 0 else "refused"] += 1
        else:
            self.wrong.append(f"{name}, {what}: verify {first[0]}, certified {second[0]}\n{first[1]}{first[2]}{second[1]}{second[2]}")

    def show(self, title):
        print(title)
        for (what, verdict), number in sorted(self.agreed.items()):
            print(f"  {what:24} {verdict:9} {number}")
        for text in self.wrong[:10]:
            print("DISAGREE", text)
        return not self.wrong


def catalogue(programs):
    _, text, _ = run(programs.unknot, "list", "topologies", "--json")
    fabrics = [e for t in json.loads(text)["topologies"] for e in t["examples"]]
    _, text, _ = run(programs.unknot, "list", "engines", "--json")
    engines = [f for e in json.loads(text)["engines"] for f in ENGINE_FORMS.get(e["name"], [e["name"]])]
    return [(f, e) for f in fabrics for e in engines]


def mutate(programs, chance, change, case, count, folder):
    """One change to a case; both judge what comes of it, without a certificate, or with one if that was changed."""
    with open(case.tables, encoding="utf-8") as file:
        tables = json.load(file)
    lines = []
    if os.path.exists(case.certificate):
        with open(case.certificate, encoding="utf-8") as file:
            lines = file.read().splitlines()
    fabric_name = case.fabric
    if change is change_cables:
        with open(case.fabric, encoding="utf-8") as file:
            fabric = json.load(file)
        if "routes" in tables or len(fabric["cables"]) < 2 or not change(chance, fabric):
            return False
        tables.pop("network", None)
        fabric_name = os.path.join(folder, "fabric.json")
        with open(fabric_name, "w", encoding="utf-8") as file:
            json.dump(fabric, file)
    elif not change(chance, tables, lines):
        return False
    tables_name, certificate = os.path.join(folder, "tables.json"), None
    with open(tables_name, "w", encoding="utf-8") as file:
        json.dump(tables, file)
    if change in OF_CERTIFICATES:
        certificate = os.path.join(folder, "certificate")
        with open(certificate, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    verdicts = programs.verdicts(fabric_name, tables_name, certificate)
    if change is change_cables and verdicts[0][0] == 2:
        return False  # a fabric in two parts is refused as such
    before = len(count.wrong)
    count.add(case.name, change.__name__, verdicts)
    if len(count.wrong) > before:
        keep = os.environ.get("UNKNOT_KEEP")
        if keep:
            subprocess.run(["cp", "-r", folder, case.fabric, keep], check=False)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("unknot")
    parser.add_argument("certified")
    parser.add_argument("--catalogue", type=int, default=7)
    parser.add_argument("--mutations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    programs = Programs(options.unknot, options.certified)
    chance = random.Random(options.seed)
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        cases, count = [], Count()
        for i, (fabric, engine) in enumerate(catalogue(programs)):
            if i % options.catalogue != 0:
                continue
            case = programs.make(os.path.join(folder, str(i)), fabric, engine)
            if case is None:
                continue
            cases.append(case)
            count.add(case.name, "numbers looked for", programs.verdicts(case.fabric, case.tables, None))
            if os.path.exists(case.certificate):
                count.add(case.name, "with certificate", programs.verdicts(case.fabric, case.tables, case.certificate))
            if len(cases) % 5 == 0:
                binary = os.path.join(case.folder, "tables.binary")
                programs.route(case.fabric, engine, binary, "binary")  # source routes have no such form
                if os.path.exists(binary):
                    count.add(case.name, "binary", programs.verdicts(case.fabric, binary, None))
        fine &= count.show(f"catalogue: {len(cases)} tables")
        if not cases:
            sys.exit("no tables were made")
        count, done = Count(), 0
        changed = os.path.join(folder, "changed")
        os.makedirs(changed)
        while done < options.mutations:
            change = chance.choice(CHANGES)  # many apply to few cases
            done += any(mutate(programs, chance, change, chance.choice(cases), count, changed) for _ in range(50))
        fine &= count.show(f"mutations: {done}")
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
