// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// A path that packets of an oblivious routing may take, all of it.
struct ObliviousFlow {
  RouterId source, destination;
  RouterId intermediate;  ///< invalid on minimal paths
  std::vector<ChannelId> channels;
  std::uint32_t turn =
      0;  ///< channels after the intermediate start here; all of them lie before it on minimal paths
  [[nodiscard]] LaneHop hop(std::uint32_t index) const {
    return index < turn ? LaneHop{0, index, index} : LaneHop{1, index, index - turn};
  }
};

/// One arc of a deadlock cycle and a flow that makes it: its packets hold `from`, which is
/// flow.channels[held], and wait for flow.channels[held + 1], the next step's `from`.
struct ObliviousWitnessStep {
  LaneChannel from;
  ObliviousFlow flow;
  std::uint32_t held = 0;
};
struct ObliviousWitness {
  std::vector<ObliviousWitnessStep> steps;
};

/// A path that takes `from` and then at once `to`: of minimal paths, or of Valiant's routing. Asks the scheme
/// for the lane of each hop, and knows nothing of how the dependencies were found. Nothing where there is no
/// such path. O(routers with terminals * channels) where one is found early, as for an arc of the dependency
/// graph.
std::optional<ObliviousWitnessStep> find_oblivious_flow(const Network& network, const LaneScheme& scheme,
                                                        ObliviousPaths paths, LaneChannel from,
                                                        LaneChannel to);

/// "H-0 at S-0, S-7, (S-9), S-3 with H-6": the routers of a flow, the intermediate in brackets.
std::string describe(const Network& network, const ObliviousFlow& flow);
/// Lines of text for people: each held channel by name, the flow that holds it with its path.
std::string describe(const Network& network, const ObliviousWitness& witness);

}  // namespace unknot
