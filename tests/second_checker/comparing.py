# SPDX-License-Identifier: Apache-2.0
"""Runs the program on a case and says where its answer is another than the second checker's."""

import json
import os
import random
import shutil
import subprocess
import tempfile

import cases
from definitions import has_cycle
from tables import Refused


def run(program, arguments):
    done = subprocess.run([program] + arguments + ["--json", "--quiet", "--threads", "1"], capture_output=True, text=True,
                          timeout=60)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = None
    return done.returncode, document, done.stderr.strip()


def differences(program, case):
    """Sentences; none where both agree."""
    try:
        expected = case.expected()
    except Refused as reason:
        expected = None
        why = reason
    code, document, message = run(program, case.arguments)
    if code not in (0, 1, 2):
        return [f"the program ended with {code}: {message}"]
    if expected is None:
        return [] if code == 2 else [f"not refused, exit code {code}: {why}"]
    if code == 2:
        return [f"refused: {message}"]
    return compare_verify(expected, code, document)


def compare_verify(expected, code, document):
    verdict = expected["verdict"]
    found = compare_verdict(verdict, expected["fabric"], document)
    if code != (0 if verdict.good() else 1):
        found.append(f"exit code {code}")
    return found


def between_switches(held):
    return [hop for hop in held if hop[0][0] != "host"]


def compare_verdict(verdict, fabric, document):
    """The fields of a verdict in a JSON document."""
    switch_edges = {(a, b) for a, b in verdict.edges
                    if all(fabric.leads.get(hop[0], ("",))[0] == "switch" for hop in (a, b))}
    theirs = {"complete": verdict.complete, "unroutable_pairs": verdict.lost, "loops": verdict.loops,
              "deadlock_free": verdict.deadlock_free, "longer_pairs": verdict.longer, "dependencies": len(switch_edges)}
    found = [f"{key}: the program {document[key]}, the second checker {value}"
             for key, value in theirs.items() if document[key] != value]
    hops = document["hops"]
    if verdict.hops and (hops["max"] != max(verdict.hops) or
                         abs(hops["mean"] - sum(verdict.hops) / len(verdict.hops)) > 1e-9):
        found.append(f"hops: the program {hops}, the second checker {max(verdict.hops)}, {sum(verdict.hops)}/{len(verdict.hops)}")
    found += compare_findings(verdict, fabric, document)
    return found


def compare_findings(verdict, fabric, document):
    by_name = {fabric.name[h]: h for h in fabric.hosts}
    if len(by_name) < len(fabric.hosts):
        return []
    found = []
    for finding in document["findings"]:
        key = (by_name[finding["source"]], by_name[finding["destination"]], finding.get("address", 1) - 1)
        way = verdict.ways.get(key)
        if way is None or way.end != finding["kind"]:
            found.append(f"finding {finding}: the second checker {way and way.end}")
    return found


MAKERS = {"verify": cases.verify_case}


def check(program, kind, seed, keep=None):
    """One case by its kind and seed: what differs. The folder is kept as `keep` where something does."""
    folder = tempfile.mkdtemp(prefix="second-checker-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        rng = random.Random(f"{kind} {seed}")
        case = MAKERS[kind](rng, folder, program)
        found = differences(program, case)
        if found and keep:
            shutil.rmtree(keep, ignore_errors=True)
            shutil.copytree(folder, keep)
            with open(os.path.join(keep, "command"), "w") as file:
                file.write(" ".join(case.arguments).replace(folder + "/", "") + "\n" + "\n".join(found) + "\n")
        return found
    finally:
        shutil.rmtree(folder, ignore_errors=True)
