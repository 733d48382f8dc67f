// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/jaros/fault_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/topology/catalogue.hpp"

namespace unknot::jaros_paper {
namespace {

std::string name_of(const Network& network, Failing failing, const Faults& parts) {
  if (failing == Failing::node) return fmt::format("{}", parts.routers[0].value);
  const ChannelId c = parts.channels[0];
  return fmt::format("{}{}{}", network.source(c).value, failing == Failing::cable ? "-" : "->",
                     network.target(c).value);
}

/// All single faults of that kind, in the order of their numbers.
std::vector<Faults> single_faults(const Network& network, Failing failing) {
  std::vector<Faults> all;
  if (failing == Failing::node) {
    for (const RouterId r : network.routers())
      all.push_back({.routers = {r}, .channels = {}, .terminals = {}});
    return all;
  }
  for (const ChannelId c : network.channels()) {
    const ChannelId back = network.reverse(c);
    if (failing == Failing::channel) {
      all.push_back({.routers = {}, .channels = {c}, .terminals = {}});
    } else if (c < back) {
      all.push_back({.routers = {}, .channels = {c, back}, .terminals = {}});
    }
  }
  return all;
}

bool is_row(const Network& network, Failing failing, const Faults& parts, const FaultRow& row) {
  if (failing == Failing::node) return parts.routers[0].value == row.from;
  const ChannelId c = parts.channels[0];
  return network.source(c).value == row.from && network.target(c).value == row.to;
}

}  // namespace

const std::vector<FaultTable>& fault_tables() {
  static const std::vector<FaultTable> all{
      {"8.18",
       "kautz:b=3,n=2,oriented=1",
       Failing::channel,
       {4, 7, 2, 4},
       {{"0->3", 0, 3, {6, 9, 3, 6}},
        {"0->5", 0, 4, {6, 9, 3, 6}},
        {"0->4", 0, 5, {6, 9, 3, 6}},
        {"1->7", 1, 6, {4, 9, 2, 6}},
        {"1->6", 1, 7, {4, 9, 2, 6}},
        {"1->8", 1, 8, {4, 9, 2, 6}},
        {"2->B", 2, 9, {4, 9, 2, 6}},
        {"2->A", 2, 10, {4, 9, 2, 6}},
        {"2->9", 2, 11, {4, 9, 2, 6}},
        {"3->0", 3, 0, {4, 9, 2, 6}},
        {"3->1", 3, 1, {5, 9, 2, 6}},
        {"3->2", 3, 2, {5, 9, 2, 6}},
        {"5->7", 4, 6, {4, 9, 2, 6}}},
       {4, 9, 2, 6}},
      {"8.19",
       "mesh:4x4",
       Failing::cable,
       {8, 16, 3, 8},
       {{"0-1", 0, 1, {15, 22, 3, 15}}, {"0-4", 0, 4, {15, 22, 3, 15}}},
       {8, 22, 3, 8}},
      {"8.20",
       "mesh:4x4",
       Failing::node,
       {8, 16, 3, 8},
       {{"1 (printed: 0)", 1, 1, {15, 22, 3, 15}}, {"4", 4, 4, {15, 22, 3, 15}}},
       {8, 22, 3, 8}}};
  return all;
}

std::vector<FaultCase> fault_cases(std::uint64_t others) {
  std::vector<FaultCase> chosen;
  for (const FaultTable& table : fault_tables()) {
    const Network network = make_network(table.spec);
    chosen.push_back({.table = &table, .row = nullptr, .name = "none", .parts = {}});
    std::vector<Faults> unnamed = single_faults(network, table.failing);
    for (const FaultRow& row : table.named) {
      const auto it = std::find_if(unnamed.begin(), unnamed.end(), [&](const Faults& parts) {
        return is_row(network, table.failing, parts, row);
      });
      chosen.push_back({&table, &row, name_of(network, table.failing, *it), std::move(*it)});
      unnamed.erase(it);
    }
    if (unnamed.size() > others) unnamed.resize(others);
    for (Faults& parts : unnamed)
      chosen.push_back({&table, nullptr, name_of(network, table.failing, parts), std::move(parts)});
  }
  return chosen;
}

}  // namespace unknot::jaros_paper
