// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transit_check.hpp"

#include <algorithm>
#include <span>

namespace unknot {
namespace {

/// What becomes of a packet at a router: where it meets a closed router, or one of these.
constexpr std::uint32_t kUnknown = 0xFFFFFFFFU;
constexpr std::uint32_t kUnderway = 0xFFFFFFFEU;  // the walk that is being made has been here
constexpr std::uint32_t kLost = 0xFFFFFFFDU;
constexpr std::uint32_t kClear = 0xFFFFFFFCU;  // delivered, and by no closed router

class Check {
 public:
  Check(const Network& network, const std::vector<RouterId>& closed, std::uint32_t max_findings)
      : network_(network),
        closed_(closed),
        max_findings_(max_findings),
        place_(network.router_count(), kUnknown) {
    for (std::uint32_t i = 0; i < closed.size(); ++i) place_[closed[i].value] = i;
    result_.pairs_through.assign(closed.size(), 0);
  }

  void tables(const ForwardingTable& table, std::uint32_t address) {
    for (const TerminalId d : network_.terminals()) {
      follow(table, d);
      for (const TerminalId s : network_.terminals()) {
        const std::uint32_t meets = meets_[network_.router_of(s).value];
        if (s != d && meets < kClear) found(s, d, meets, address);
      }
    }
  }

  void routes(const SourceRoutes& routes) {
    for (const TerminalId d : network_.terminals()) {
      for (const TerminalId s : network_.terminals()) {
        if (s == d || !delivers(network_, routes, s, d)) continue;
        const std::span<const ChannelId> route = routes.route(s, d);
        for (std::size_t i = 1; i < route.size(); ++i) {
          const std::uint32_t closed = place_[network_.source(route[i]).value];
          if (closed == kUnknown) continue;
          found(s, d, closed, 0);
          break;
        }
      }
    }
  }

  TransitCheck result() && { return std::move(result_); }

 private:
  /// Fills meets_: for each router, the first closed router that a packet from it to `d` passes through.
  void follow(const ForwardingTable& table, TerminalId d) {
    const RouterId home = network_.router_of(d);
    meets_.assign(network_.router_count(), kUnknown);
    meets_[home.value] = kClear;
    for (const RouterId start : network_.routers()) {
      path_.clear();
      RouterId at = start;
      std::uint32_t end = kLost;
      for (;;) {
        if (meets_[at.value] != kUnknown) {
          end = meets_[at.value] == kUnderway ? kLost : meets_[at.value];
          break;
        }
        const ChannelId next = table.next(network_, at, d);
        if (!next.valid()) {
          meets_[at.value] = kLost;
          break;
        }
        meets_[at.value] = kUnderway;
        path_.push_back(at);
        at = network_.target(next);
      }
      // `end` is what comes after `at`; whoever sends to a closed router that is not the last meets it first.
      for (std::size_t i = path_.size(); i-- > 0;) {
        if (end != kLost && at != home && place_[at.value] != kUnknown) end = place_[at.value];
        at = path_[i];
        meets_[at.value] = end;
      }
    }
  }

  void found(TerminalId s, TerminalId d, std::uint32_t closed, std::uint32_t address) {
    ++result_.pairs;
    ++result_.pairs_through[closed];
    if (result_.findings.size() < max_findings_) result_.findings.push_back({s, d, closed_[closed], address});
  }

  const Network& network_;
  const std::vector<RouterId>& closed_;
  std::uint32_t max_findings_;
  std::vector<std::uint32_t> place_;  // by router: among the closed
  std::vector<std::uint32_t> meets_;  // by router, of the destination at hand
  std::vector<RouterId> path_;
  TransitCheck result_;
};

}  // namespace

TransitCheck check_transit(const Network& network, const Routing& routing,
                           const std::vector<RouterId>& closed, std::uint32_t max_findings) {
  Check check(network, closed, max_findings);
  if (const SourceRoutes* routes = routing.routes(); routes != nullptr) {
    check.routes(*routes);
  } else {
    check.tables(routing.table(), 0);
    for (std::uint32_t i = 0; i < routing.further.size(); ++i)
      check.tables(routing.further[i].table(), i + 1);
  }
  return std::move(check).result();
}

}  // namespace unknot
