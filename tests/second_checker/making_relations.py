# SPDX-License-Identifier: Apache-2.0
"""Random adaptive routings of a fabric, as the document of their file. Everything comes from the random.Random that is given."""

from definitions import distances


def row(rng, values, wild):
    return [15 if rng.random() < wild else rng.randrange(values) for _ in range(16)]


def lane_rows(rng, fabric, lanes, wild):
    rows = []
    for switch in fabric.switches:
        ports = range(fabric.port_count.get(switch, 0) + 1)
        rows += [{"router": hex(switch), "in": a, "out": b, "lanes": row(rng, lanes, wild)}
                 for a in ports for b in ports if rng.random() < 0.6]
    if rng.random() < 0.5:
        rows += [{"terminal": hex(host), "lanes": row(rng, lanes, wild)} for host in fabric.hosts if rng.random() < 0.7]
    return rows


def router(rng, fabric, switch, far, wild):
    cables = [(port, end[1]) for (at, port), end in sorted(fabric.leads.items()) if at == switch and end[0] == "switch"]
    groups, choices, entries = [], [], []
    for host in fabric.hosts:
        if fabric.at[host][0] == switch:
            entries.append(-2)
            continue
        distance = far[fabric.at[host][0]]
        near = [p for p, to in cables if distance.get(to, 99) < distance.get(switch, 99)]
        group = [p for p, _ in cables if rng.random() < (0.75 if p in near else wild)] or ([] if rng.random() < wild else near)
        kind = rng.choice(["adaptive"] * 5 + ["fixed", "hashed"])
        ports = [p for p, _ in cables] if rng.random() < wild or not near else near
        fixed = rng.choice([0, -1]) if rng.random() < wild / 4 or not ports else rng.choice(ports)
        if rng.random() < wild / 6:
            entries.append(-1)
            continue
        groups.append(group)
        choices.append([kind, fixed] if kind == "fixed" else [kind, fixed, len(groups) - 1])
        entries.append(len(choices) - 1)
    return {"guid": hex(switch), "groups": groups, "choices": choices, "entries": entries}


def relation(rng, fabric):
    wild = rng.choice([0, 0, 0, 0.02, 0.08])
    plain = rng.random() < 0.5
    far = {goal: distances(fabric, goal) for goal in fabric.switches}
    planes = 1 if plain else rng.choice([1, 2])
    levels = range(1 if plain else rng.choice([1, 2]))
    adaptive = rng.sample(levels, rng.randrange(len(levels) + 1))
    fixed = [level for level in levels if level not in adaptive or rng.random() < 0.4]
    document = {"format": "unknot-adaptive", "version": 1, "source": "random", "adaptive_levels": adaptive, "fixed_levels": fixed,
                "terminals": [hex(host) for host in fabric.hosts],
                "planes": [[router(rng, fabric, switch, far, wild) for switch in fabric.switches] for _ in range(planes)]}
    if rng.random() < 0.1:
        document["data_lanes"] = rng.randrange(1, 4)
    if planes > 1:
        document["planes_by"] = rng.choice(["lane", "level"])
        document["planes_of_ports"] = [
            {"router": hex(switch), "in": port, "planes": [rng.randrange(planes) for _ in range(16)]}
            for switch in fabric.switches for port in range(fabric.port_count.get(switch, 0) + 1) if rng.random() < 0.7]
    if not plain and rng.random() < 0.5:
        document["sl_to_vl"] = lane_rows(rng, fabric, rng.randrange(1, 4), wild / 8)
    if not plain and rng.random() < 0.4:
        document["vl_to_vl"] = lane_rows(rng, fabric, rng.randrange(1, 3), wild / 8)
        if rng.random() < 0.5:
            document["vl_to_vl_at"] = [hex(s) for s in fabric.switches if rng.random() < 0.6]
    if not plain and rng.random() < 0.4:
        document["service_levels"] = [
            {"terminal": hex(host), "levels": [None if rng.random() < 0.05 else rng.choice(levels) for _ in fabric.hosts]}
            for host in fabric.hosts]
    return document
