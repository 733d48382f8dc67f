// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// What has failed, each list ascending without repeats. What hangs on a failed router fails with it and need
/// not be listed. A failed cable is both its channels; one of them alone leaves the other as a one-way
/// channel.
struct Faults {
  std::vector<RouterId> routers;
  std::vector<ChannelId> channels;
  std::vector<TerminalId> terminals;
};

/// Parses what --fail takes: comma-separated key=value, several items of a key joined by '+'.
///
///     routers=3+spine-2+0x0002c903000a1b2c   by number, name or GUID
///     cables=12+leaf-4:17                    by the number of one of its channels, or router and port,
///     cables=leaf-4:17-spine-2:3             by both ends,
///     cables=leaf-4-spine-2                  or all cables between two routers (names or numbers)
///     channels=12+leaf-4:17                  the same, one direction only: what leaves by that port, or
///                                            leads from the first router to the second
///     terminals=5+node-07                    by number, name, port GUID or adapter GUID (all its ports)
///     router-count=2, cable-count=5, terminal-count=1      that many more, chosen at random
///     router-rate=0.01, cable-rate=0.05, terminal-rate=0.1 that share, rounded to whole parts
///     seed=7                                 of the choice; default 1
///
/// Random faults are drawn from the parts that the text does not name, each kind on its own stream of random
/// numbers: with one seed, the faults of a smaller number are among those of a larger one. Throws InputError
/// for what it cannot read, names nothing, or names several things.
Faults parse_faults(const Network& network, std::string_view text);
/// The keys of that text, for help.
const std::vector<Parameter>& fault_parameters();

/// The network without the failed parts. Numbers are compact again, in the old order. Names, GUIDs, LIDs,
/// port numbers, rates, coordinates, levels and service nodes stay what they were, systematic ones included
/// (as labels), so that tables of either network can be read against the other by address. O(network). Throws
/// std::out_of_range for ids the network does not have.
Network with_faults(const Network& network, const Faults& faults);

}  // namespace unknot
