# SPDX-License-Identifier: Apache-2.0
"""A complete exchange in the fewest steps, without two messages on one channel."""

import unknot

network = unknot.network("hypercube:3")
collective = unknot.collective(network, "AAS")
bound = unknot.lower_bound(collective)
print("no fewer than", bound.steps, "steps:", bound.reason)
solution = unknot.design_schedule(collective)
print(solution.steps, "steps found; optimal:", solution.optimal)
print("as checked:", bool(unknot.check_schedule(collective, solution.schedule)))
first = solution.schedule.steps[0]
print(len(first), "transfers in the first step, among them", min(first))
