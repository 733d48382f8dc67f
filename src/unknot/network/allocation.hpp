// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "unknot/network/faults.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// Which routers carry the traffic of an allocation.
enum class Transit : std::uint8_t {
  own,  ///< its own only; the others count as failed
  any,  ///< all of the machine; other terminals neither send nor receive
};

/// The nodes of a job: terminals, and the routers they are at. Each list ascending, without repeats.
struct Allocation {
  std::vector<RouterId> routers;
  std::vector<TerminalId> terminals;
};

/// Nodes by number, name, range and host list, comma-separated; what comes twice counts once.
///
///     0-3,7                    by the number of the router, with all its terminals
///     node[01-04,07],login     by the name of a terminal, or of a router with all its terminals
///
/// Throws InputError for what names nothing, or two different things. O(network + nodes).
Allocation parse_nodes(const Network& network, std::string_view list);

/// The names of a network, for many lists. The network must outlive it.
class NodeNames {
 public:
  /// O(network).
  explicit NodeNames(const Network& network);
  /// parse_nodes(), in O(nodes).
  [[nodiscard]] Allocation parse(std::string_view list) const;

 private:
  friend class NodeParser;
  const Network* network_;
  std::unordered_multimap<std::string, RouterId> routers_;
  std::unordered_multimap<std::string, TerminalId> terminals_;
};

/// InputError where a node of the allocation has failed, or has no terminal: nothing could be sent there.
void require_alive(const Network& network, const Allocation& allocation, const Faults& faults);

/// What has to fail besides, for only the allocation to be left.
Faults outside(const Network& network, const Allocation& allocation, Transit transit);
/// Both together.
Faults merged(const Faults& a, const Faults& b);

/// The network that tables of an allocation are made for: with_faults() of what is outside it. Routers keep
/// their names and ports either way, so tables read against the whole machine too.
///
/// Deadlock freedom of several jobs at once: with `own`, allocations without common routers share no
/// channel, and each may have been routed by rules of its own. With `any` they share channels: all must have
/// been made by one set of turns that is deadlock-free as a whole, which the same routers and failures and
/// the same options of an engine of `angara/` give.
Network restrict_to(const Network& network, const Allocation& allocation, Transit transit);

/// InputError for another word than own or any.
Transit transit_from(std::string_view word);

}  // namespace unknot
