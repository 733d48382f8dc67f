# SPDX-License-Identifier: Apache-2.0
"""What no schedule can do better than, for every collective on three networks."""

import unknot

specs = ("ring:8", "hypercube:3", "kautz:b=2,n=3")
print("%-4s" % "", *("%-14s" % spec for spec in specs))
for name in ("OAS", "AAS", "OAB", "AAB"):
    row = []
    for spec in specs:
        bound = unknot.lower_bound(unknot.collective(unknot.network(spec), name))
        row.append("%-14s" % ("%d, %s" % (bound.steps, bound.name)))
    print("%-4s" % name, *row)
