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
    """The program's exit code, and sentences; none where both agree."""
    try:
        expected = case.expected()
    except Refused as reason:
        expected = None
        why = reason
    code, document, message = run(program, case.arguments)
    if code not in (0, 1, 2):
        return code, [f"the program ended with {code}: {message}"]
    if expected is None:
        return code, [] if code == 2 else [f"not refused, exit code {code}: {why}"]
    if code == 2:
        return code, [f"refused: {message}"]
    for key, compare in (("steps", compare_transition), ("difference", compare_watch), ("relation", compare_relation)):
        if key in expected:
            return code, compare(expected, code, document)
    return code, compare_verify(expected, code, document)


def compare_verify(expected, code, document):
    verdict = expected["verdict"]
    found = compare_verdict(verdict, expected["fabric"], document)
    covered = ["data"] + (["management"] if verdict.management_lost is not None else [])
    if verdict.multicast:
        covered.append("multicast")
        second = verdict.multicast
        ours = {"pairs": second.pairs, "lost_pairs": second.lost, "repeated_pairs": second.repeated, "looping_groups": second.looping}
        theirs = {key: document["multicast"][key] for key in ours}
        if theirs != ours:
            found.append(f"multicast: the program {theirs}, the second checker {ours}")
    if document["traffic"] != covered:
        found.append(f"traffic: the program {document['traffic']}, the second checker {covered}")
    elif "management" in covered and document["addresses"] == 1 and document["management"]["unroutable_pairs"] != verdict.management_lost:
        found.append(f"lost with switches: the program {document['management']}, the second checker {verdict.management_lost}")
    if code != (0 if verdict.good() else 1):
        found.append(f"exit code {code}")
    return found


def compare_transition(expected, code, document):
    free = expected["steps"]
    theirs = [step["deadlock_free"] for step in document["steps"]]
    found = compare_verdict(expected["verdict"], expected["fabric"], document)
    if theirs != free or document["safe"] != all(free):
        found.append(f"steps free of deadlock: the program {theirs}, the second checker {free}")
    lost = [step["undelivered_pairs"] for step in document["steps"]]
    if lost != expected["undelivered"]:
        found.append(f"pairs not delivered meanwhile: the program {lost}, the second checker {expected['undelivered']}")
    if expected["planned"] and not all(free):
        found.append("a plan that the program calls proven is not safe")
    if code != (0 if all(free) and expected["verdict"].good() else 1):
        found.append(f"exit code {code}")
    return found


def compare_watch(expected, code, document):
    difference, fabric = expected["difference"], expected["fabric"]
    old = expected["old fabric"]
    found = []
    sizes = {"routers_gone": difference.switches_gone, "routers_come": difference.switches_come,
             "terminals_gone": difference.hosts_gone, "terminals_come": difference.hosts_come,
             "terminals_moved": difference.hosts_moved}
    for key, what in sizes.items():
        if len(document[key]) != len(what):
            found.append(f"{key}: the program {document[key]}, the second checker {len(what)}")
    for key, what in (("cables_gone", difference.directions_lost), ("cables_come", difference.directions_come)):
        single = document["cables_one_way" if key == "cables_gone" else "cables_both_ways"]
        if bool(document[key] or document["cables_moved"] or single) != bool(what):
            found.append(f"{key}: the program {document[key]} and moved {document['cables_moved']}, the second checker {what}")
    for key in ("slower", "faster"):
        if bool(document["cables_" + key]) != bool(getattr(difference, key)) and not difference.directions_lost:
            found.append(f"cables_{key}: {document['cables_' + key]}")
    if document["disconnected_pairs"] != difference.disconnected:
        found.append(f"disconnected: the program {document['disconnected_pairs']}, the second checker {difference.disconnected}")
    if document["changed"] != difference.any():
        found.append(f"changed: {document['changed']}")
    bad = difference.hurts()
    if "carried" in expected:
        before, now = expected["before"], expected["carried"]
        found += ["before: " + text for text in compare_verdict(before, old, document["old_tables_before"])]
        found += ["now: " + text for text in compare_verdict(now, fabric, document["old_tables_now"])]
        found += compare_broken(before, now, document)
        if "new" not in expected:
            bad = bad or not now.deadlock_free or bool(document["broken_pairs"])
    if "new" in expected:
        found += ["new: " + text for text in compare_verdict(expected["new"], fabric, document["new_tables"])]
        bad = bad or not expected["new"].good()
    if "together_deadlock_free" in document:
        bad = bad or not document["together_deadlock_free"]
        if expected.get("together", document["together_deadlock_free"]) != document["together_deadlock_free"]:
            found.append(f"together: the program {document['together_deadlock_free']}")
    only_load = all(reason.startswith("the busiest channel") for reason in document["hurts"]) and document["hurts"]
    if code != (1 if bad or only_load else 0):
        found.append(f"exit code {code}, hurts {document['hurts']}")
    return found


def compare_relation(expected, code, document):
    verdict = expected["relation"]
    ours = {"deadlock_free": verdict.method is not None, "method": verdict.method, "delivers": verdict.delivers,
            "lost_destinations": len(verdict.lost), "looping_destinations": len(verdict.looping), "minimal": verdict.minimal,
            "dependencies": len(verdict.edges)}
    found = [f"{key}: the program {document[key]}, the second checker {value}" for key, value in ours.items()
             if document[key] != value]
    if verdict.delivers and document["hops"]["max"] != verdict.max_hops:
        found.append(f"hops: the program {document['hops']}, the second checker {verdict.max_hops}")
    found += compare_stuck(verdict, expected["fabric"], document)
    if os.path.exists(expected["proof"]) != (verdict.method is not None):
        found.append("a proof is written where there is none, or not where there is one")
    elif verdict.method:
        objection = verdict.objection(expected["proof"])
        if objection:
            found.append("proof: " + objection)
    if code != (0 if verdict.delivers and verdict.method else 1):
        found.append(f"exit code {code}")
    return found


def compare_stuck(verdict, fabric, document):
    """Each packet of the witness may stand where it is said to, and waits for the others alone."""
    if not document["witness"]:
        return []
    name = {f"{fabric.name[a]} port {port} -> {fabric.name[end[1]]} port {end[2]}": (a, port)
            for (a, port), end in fabric.leads.items() if end[0] == "switch"}
    host = {fabric.name[h]: h for h in fabric.hosts}
    if len(host) < len(fabric.hosts):
        return []
    among = {(name[one["channel"]], one["lane"]) for one in document["witness"]}
    for one in document["witness"]:
        packet = (one["level"], one["packets"] == "adaptive", host[one["destination"]])
        heads = [head for head in verdict.heads.get((name[one["channel"]], one["lane"]), []) if head[0] == packet]
        if not heads or not verdict.waits(heads[0], among):
            return [f"witness: {one} is not blocked"]
    return []


def compare_broken(before, now, document):
    """Pairs of hosts of both fabrics to one of whose LIDs the old tables delivered, and no longer do."""
    still = {key for key, way in now.ways.items() if way.end == "delivered"}
    broken = {key[:2] for key, way in before.ways.items()
              if way.end == "delivered" and key[:2] + (0,) in now.ways and key not in still}
    if document["broken_pairs"] != len(broken):
        return [f"broken: the program {document['broken_pairs']} of {document['pairs']}, the second checker {len(broken)}"]
    return []


# Hosts that have fewer LIDs than others count with their lowest again in the program's numbers; the answers do not depend on it.
COUNTS = ("unroutable_pairs", "loops", "longer_pairs")


def compare_verdict(verdict, fabric, document):
    """The fields of a verdict in a JSON document."""
    switch_edges = {(a, b) for a, b in verdict.edges
                    if all(fabric.leads.get(hop[0], ("",))[0] == "switch" for hop in (a, b))}
    theirs = {"complete": verdict.complete, "unroutable_pairs": verdict.lost, "loops": verdict.loops,
              "deadlock_free": verdict.deadlock_free, "longer_pairs": verdict.longer, "dependencies": len(switch_edges)}
    uneven = verdict.uneven_addresses or document["addresses"] != 1 + max((which for _, _, which in verdict.ways), default=0)
    found = [f"{key}: the program {document[key]}, the second checker {value}" for key, value in theirs.items()
             if document[key] != value and not (uneven and key in COUNTS)]
    if uneven:
        return found
    hops = document["hops"]
    if verdict.hops and (hops["max"] != max(verdict.hops) or
                         abs(hops["mean"] - sum(verdict.hops) / len(verdict.hops)) > 1e-9):
        found.append(f"hops: the program {hops}, the second checker {max(verdict.hops)}, {sum(verdict.hops)}/{len(verdict.hops)}")
    found += compare_findings(verdict, fabric, document)
    return found


def kind(word):
    """A port that leads nowhere, or elsewhere than meant, is no route either; on a fabric that has changed both words are right."""
    return "unreachable" if word == "stray_port" else word


def compare_findings(verdict, fabric, document):
    by_name = {fabric.name[h]: h for h in fabric.hosts}
    if len(by_name) < len(fabric.hosts):
        return []
    found = []
    for finding in document["findings"]:
        key = (by_name[finding["source"]], by_name[finding["destination"]], finding.get("address", 1) - 1)
        way = verdict.ways.get(key)
        if way is None or kind(way.end) != kind(finding["kind"]):
            found.append(f"finding {finding}: the second checker {way and way.end}")
    return found


MAKERS = {"verify": cases.verify_case, "transition": cases.transition_case, "watch": cases.watch_case,
          "adaptive": cases.adaptive_case}


def check(program, kind, seed, keep=None, carry=True):
    """One case by its kind and seed: the program's exit code, and what differs. The folder is kept as `keep` where something does."""
    folder = tempfile.mkdtemp(prefix="second-checker-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        rng = random.Random(f"{kind} {seed}")
        case = MAKERS[kind](rng, folder, program, carry) if kind == "transition" else MAKERS[kind](rng, folder, program)
        code, found = differences(program, case)
        if found and keep:
            shutil.rmtree(keep, ignore_errors=True)
            shutil.copytree(folder, keep)
            with open(os.path.join(keep, "command"), "w") as file:
                file.write(" ".join(case.arguments).replace(folder + "/", "") + "\n" + "\n".join(found) + "\n")
        return code, found
    finally:
        shutil.rmtree(folder, ignore_errors=True)
