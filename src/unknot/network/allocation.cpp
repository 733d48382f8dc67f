// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/allocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/host_list.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostNamesCompared = 20'000;  // for "did you mean"

template <class Id>
void tidy(std::vector<Id>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

template <class Id>
std::vector<Id> joined(const std::vector<Id>& a, const std::vector<Id>& b) {
  std::vector<Id> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

template <class Id>
std::vector<Id> others(const IdRange<Id>& all, const std::vector<Id>& named) {
  std::vector<Id> rest;
  std::set_difference(all.begin(), all.end(), named.begin(), named.end(), std::back_inserter(rest));
  return rest;
}

}  // namespace

class NodeParser {
 public:
  explicit NodeParser(const NodeNames& names)
      : network_(*names.network_), routers_(names.routers_), terminals_(names.terminals_) {}

  Allocation run(std::string_view list) {
    for (;;) {
      // Commas inside brackets belong to the item.
      std::size_t cut = 0;
      for (int depth = 0; cut != list.size() && (depth > 0 || list[cut] != ','); ++cut)
        depth += list[cut] == '[' ? 1 : list[cut] == ']' ? -1 : 0;
      item(list.substr(0, cut));
      if (cut == list.size()) break;
      list.remove_prefix(cut + 1);
    }
    tidy(result_.routers);
    tidy(result_.terminals);
    return std::move(result_);
  }

 private:
  void item(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto low = number_in<std::uint64_t>(text.substr(0, dash));
    if (low && dash == std::string_view::npos) return range(*low, *low);
    const auto high =
        dash == std::string_view::npos ? std::nullopt : number_in<std::uint64_t>(text.substr(dash + 1));
    if (low && high) return range(*low, *high);
    for (const std::string& name : expand_host_list(text)) {
      if (const auto number = number_in<std::uint64_t>(name)) {
        range(*number, *number);
      } else {
        by_name(name);
      }
    }
  }

  void range(std::uint64_t low, std::uint64_t high) {
    if (high < low) throw InputError(fmt::format("nodes: the range {}-{} goes backwards", low, high));
    if (high >= network_.router_count()) {
      throw InputError(fmt::format("nodes: there is no node {}, the network has {}",
                                   std::max<std::uint64_t>(low, network_.router_count()),
                                   network_.router_count()));
    }
    for (std::uint64_t r = low; r <= high; ++r) take(RouterId(static_cast<std::uint32_t>(r)));
  }

  void by_name(const std::string& name) {
    const auto [first, last] = terminals_.equal_range(name);
    const auto [router, router_end] = routers_.equal_range(name);
    const auto found = std::distance(router, router_end);
    if (found > 1)
      throw InputError(fmt::format("nodes: {} routers are called '{}'; use numbers", found, shown(name)));
    if (found == 1) take(router->second);
    for (auto t = first; t != last; ++t) {
      const RouterId home = network_.router_of(t->second);
      if (found == 1 && home != router->second) {
        throw InputError(
            fmt::format("nodes: '{}' is a router, and a terminal at another one; use numbers", shown(name)));
      }
      result_.routers.push_back(home);
      result_.terminals.push_back(t->second);
    }
    if (found == 0 && first == last) unknown(name);
  }

  void take(RouterId r) {
    result_.routers.push_back(r);
    for (const TerminalId t : network_.terminals_at(r)) result_.terminals.push_back(t);
  }

  [[noreturn]] void unknown(const std::string& name) const {
    std::vector<std::string> names;
    if (terminals_.size() + routers_.size() <= kMostNamesCompared) {
      for (const auto& [known, id] : terminals_) names.push_back(known);
      for (const auto& [known, id] : routers_) names.push_back(known);
      tidy(names);
    }
    const std::string near = near_names(name, names);
    throw InputError(
        fmt::format("nodes: no node is called '{}'{}{}", shown(name), near.empty() ? "" : "; ", near));
  }

  const Network& network_;
  const std::unordered_multimap<std::string, RouterId>& routers_;
  const std::unordered_multimap<std::string, TerminalId>& terminals_;
  Allocation result_;
};

NodeNames::NodeNames(const Network& network) : network_(&network) {
  for (const RouterId r : network.routers()) routers_.emplace(network.router_name(r), r);
  for (const TerminalId t : network.terminals()) terminals_.emplace(network.terminal_name(t), t);
}

Allocation NodeNames::parse(std::string_view list) const {
  return NodeParser(*this).run(list);
}

Allocation parse_nodes(const Network& network, std::string_view list) {
  return NodeNames(network).parse(list);
}

void require_alive(const Network& network, const Allocation& allocation, const Faults& faults) {
  for (const RouterId r : allocation.routers) {
    if (std::binary_search(faults.routers.begin(), faults.routers.end(), r)) {
      throw InputError(
          fmt::format("node {} is in the allocation, and it has failed", network.router_name(r)));
    }
    if (network.terminals_at(r).empty()) {
      throw InputError(
          fmt::format("node {} is in the allocation, and it has no terminal", network.router_name(r)));
    }
  }
  for (const TerminalId t : allocation.terminals) {
    if (std::binary_search(faults.terminals.begin(), faults.terminals.end(), t)) {
      throw InputError(fmt::format("{} is in the allocation, and it has failed", network.terminal_name(t)));
    }
  }
}

Faults outside(const Network& network, const Allocation& allocation, Transit transit) {
  Faults faults;
  if (transit == Transit::own) faults.routers = others(network.routers(), allocation.routers);
  faults.terminals = others(network.terminals(), allocation.terminals);
  return faults;
}

Faults merged(const Faults& a, const Faults& b) {
  return {joined(a.routers, b.routers), joined(a.channels, b.channels), joined(a.terminals, b.terminals)};
}

Network restrict_to(const Network& network, const Allocation& allocation, Transit transit) {
  return with_faults(network, outside(network, allocation, transit));
}

Transit transit_from(std::string_view word) {
  if (word == "own") return Transit::own;
  if (word == "any") return Transit::any;
  throw InputError(fmt::format("transit is 'own' or 'any', not '{}'", shown(word)));
}

}  // namespace unknot
