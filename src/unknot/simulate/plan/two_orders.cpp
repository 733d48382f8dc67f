// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/two_orders.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

class Orders {
 public:
  explicit Orders(const Network& network) : network_(network), at_(network.coordinates()) {
    if (at_ == nullptr || at_->wraps) {
      throw InputError(fmt::format(
          "{}: o1turn is for meshes and HyperX, whose dimension orders each make do with one lane",
          network.description()));
    }
  }

  [[nodiscard]] Routing tables(bool ascending, std::uint8_t level) const {
    ForwardingTable table(network_);
    for (const TerminalId t : network_.terminals()) {
      const RouterId home = network_.router_of(t);
      for (const RouterId r : network_.routers()) {
        if (r != home) table.set(r, t, position(r, home, ascending));
      }
    }
    Routing routing;
    routing.engine = "o1turn";
    routing.paths = std::move(table);
    routing.service_levels = ServiceLevels(network_, ServiceLevels::Rows::by_router, level);
    routing.virtual_lanes = routing.lanes_needed = 2;
    return routing;
  }

 private:
  [[nodiscard]] std::uint32_t value(RouterId r, std::uint32_t d) const {
    return at_->value[std::size_t{r.value} * at_->dimensions + d];
  }
  [[nodiscard]] static std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }
  /// The channel along the dimension is the only difference between its ends.
  [[nodiscard]] bool along(RouterId a, RouterId b, std::uint32_t dimension) const {
    for (std::uint32_t d = 0; d < at_->dimensions; ++d) {
      if (d != dimension && value(a, d) != value(b, d)) return false;
    }
    return true;
  }
  /// Of the channels along the first dimension that is not done the one that comes nearest.
  [[nodiscard]] std::uint32_t position(RouterId from, RouterId to, bool ascending) const {
    std::uint32_t dimension = 0;
    for (std::uint32_t i = 0; i < at_->dimensions; ++i) {
      dimension = ascending ? i : at_->dimensions - 1 - i;
      if (value(from, dimension) != value(to, dimension)) break;
    }
    const std::uint32_t goal = value(to, dimension);
    std::uint32_t nearest = apart(value(from, dimension), goal);
    std::uint32_t best = ForwardingTable::kNone, i = 0;
    for (const ChannelId c : network_.out(from)) {
      const RouterId next = network_.target(c);
      if (along(from, next, dimension) && apart(value(next, dimension), goal) < nearest) {
        nearest = apart(value(next, dimension), goal);
        best = i;
      }
      ++i;
    }
    if (best == ForwardingTable::kNone) {
      throw InputError(fmt::format("{}: router {} has no channel that leads nearer to {} along dimension {}",
                                   network_.description(), network_.router_name(from),
                                   network_.router_name(to), dimension));
    }
    return best;
  }

  const Network& network_;
  const Coordinates* at_;
};

}  // namespace

Routing two_orders(const Network& network) {
  const Orders orders(network);
  Routing routing = orders.tables(true, 0);
  routing.further.push_back(orders.tables(false, 1));
  return routing;
}

}  // namespace unknot::simulate
