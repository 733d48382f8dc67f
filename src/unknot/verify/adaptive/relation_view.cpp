// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/adaptive/relation_view.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

/// Of a row: different for each, and odd (Steele, Lea and Flood 2014).
std::uint64_t row_factor(std::uint64_t row) {
  std::uint64_t z = (row + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
  return (z ^ z >> 31U) | 1U;
}

RelationOption option_of_choice(const AdaptivePlane& plane, RouterId r, const Choice& choice, bool adaptive,
                                bool committed) {
  using Kind = AdaptiveFinding::Kind;
  if (!adaptive || choice.kind == ChoiceKind::fixed) {
    if (choice.fixed == Choice::kNone) return {ChoiceKind::fixed, {}, Kind::no_route};
    if (choice.fixed == Choice::kStray) return {ChoiceKind::fixed, {}, Kind::stray_port};
    return {ChoiceKind::fixed, {choice.fixed}, Kind::no_route};
  }
  const auto group = plane.group(r, choice.group);
  RelationOption option{choice.kind, {group.begin(), group.end()}, Kind::no_route};
  if (group.empty()) option.why_lost = Kind::empty_group;
  if (group.size() < 2) option.kind = ChoiceKind::fixed;
  if (committed && option.kind == ChoiceKind::adaptive) option.kind = ChoiceKind::hashed;
  return option;
}

}  // namespace

RelationView::RelationView(const Network& network, const AdaptiveRouting& routing, bool adaptive,
                           bool committed, std::uint32_t threads)
    : network_(&network), routing_(&routing), adaptive_(adaptive), committed_(committed) {
  const auto planes = static_cast<std::uint32_t>(routing.planes.size());
  options_.resize(static_cast<std::size_t>(planes) * network.router_count());
  of_choice_.resize(options_.size());
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    for (const RouterId r : network.routers()) number_options(plane, r);
  }
  find_classes(threads);
}

void RelationView::number_options(std::uint32_t plane, RouterId r) {
  const AdaptivePlane& tables = routing_->planes[plane];
  std::vector<RelationOption>& options = options_[at(plane, r)];
  std::vector<std::uint16_t>& numbers = of_choice_[at(plane, r)];
  const std::span<const Choice> choices = tables.choices(r);
  std::map<std::pair<std::vector<std::uint16_t>, std::uint32_t>, std::uint16_t> seen;
  const auto number = [&](RelationOption option) {
    const std::uint32_t how =
        static_cast<std::uint32_t>(option.kind) << 8U | static_cast<std::uint32_t>(option.why_lost);
    const auto [found, fresh] =
        seen.try_emplace({option.positions, how}, static_cast<std::uint16_t>(options.size()));
    if (fresh) options.push_back(std::move(option));
    return found->second;
  };
  (void)number({});
  numbers.reserve(choices.size());
  for (const Choice& choice : choices)
    numbers.push_back(number(option_of_choice(tables, r, choice, adaptive_, committed_)));
}

std::vector<std::uint64_t> RelationView::column_hashes(std::uint32_t threads) const {
  const std::uint32_t terminals = network_->terminal_count();
  const auto rows = static_cast<std::uint32_t>(options_.size());
  const std::uint32_t workers = threads == 0 ? hardware_threads() : threads;
  // A sum, so that workers may each take some of the rows.
  std::vector<std::vector<std::uint64_t>> partial(workers);
  parallel_blocks(rows, 16, workers, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    std::vector<std::uint64_t>& sum = partial[worker];
    sum.resize(terminals, 0);
    for (std::uint32_t row = begin; row < end; ++row) {
      const std::uint32_t plane = row / network_->router_count();
      const RouterId r(row % network_->router_count());
      const std::span<const std::uint16_t> entries = routing_->planes[plane].row(r);
      // By entry, so that the loop over terminals is a look-up alone: what marks mean follows from the
      // router that a class is of.
      std::vector<std::uint64_t> value(of_choice_[row].size());
      const std::uint64_t factor = row_factor(row);
      for (std::size_t i = 0; i < value.size(); ++i) value[i] = factor * (of_choice_[row][i] + 2U);
      for (std::uint32_t t = 0; t < terminals; ++t) {
        const std::uint16_t entry = entries[t];
        sum[t] += entry < value.size() ? value[entry] : factor * (entry == AdaptivePlane::kHere ? 1U : 2U);
      }
    }
  });
  std::vector<std::uint64_t> hashes(terminals);
  for (const TerminalId t : network_->terminals())
    hashes[t.value] = row_factor(network_->router_of(t).value + (std::uint64_t{1} << 40U));
  for (const std::vector<std::uint64_t>& sum : partial) {
    for (std::uint32_t t = 0; t < terminals && !sum.empty(); ++t) hashes[t] += sum[t];
  }
  const ServiceLevels& levels = routing_->service_levels;
  for (std::uint32_t row = 0; !levels.empty() && row < levels.row_count(); ++row) {
    const std::span<const std::uint8_t> of_row = levels.row(row);
    const std::uint64_t factor = row_factor(row + (std::uint64_t{1} << 41U));
    for (std::uint32_t t = 0; t < terminals; ++t) hashes[t] += factor * of_row[t];
  }
  return hashes;
}

/// Marks terminals that some router treats otherwise than the first of those with their hash: equal hashes
/// are no proof.
void RelationView::add_differing(const std::vector<TerminalId>& first_of, std::uint32_t threads,
                                 std::vector<std::uint8_t>& differs) const {
  const std::uint32_t terminals = network_->terminal_count();
  parallel_blocks(terminals, 4096, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t row = 0; row < options_.size(); ++row) {
      const std::uint32_t plane = row / network_->router_count();
      const RouterId r(row % network_->router_count());
      for (TerminalId t(begin); t.value < end; ++t.value) {
        const TerminalId first = first_of[t.value];
        if (first == t) continue;
        const std::uint16_t mine = routing_->planes[plane].entry(r, t);
        const std::uint16_t its = routing_->planes[plane].entry(r, first);
        if (mine != its && option_of(plane, r, t, mine) != option_of(plane, r, first, its))
          differs[t.value] = 1;
      }
    }
    const ServiceLevels& levels = routing_->service_levels;
    for (std::uint32_t row = 0; !levels.empty() && row < levels.row_count(); ++row) {
      const std::span<const std::uint8_t> of_row = levels.row(row);
      for (std::uint32_t t = begin; t < end; ++t)
        if (of_row[t] != of_row[first_of[t].value]) differs[t] = 1;
    }
    for (TerminalId t(begin); t.value < end; ++t.value)
      if (network_->router_of(t) != network_->router_of(first_of[t.value])) differs[t.value] = 1;
  });
}

void RelationView::find_classes(std::uint32_t threads) {
  const std::uint32_t terminals = network_->terminal_count();
  const std::vector<std::uint64_t> hashes = column_hashes(threads);
  std::unordered_map<std::uint64_t, std::uint32_t> class_of_hash;
  std::vector<TerminalId> first_of(terminals);
  class_of_.resize(terminals);
  for (const TerminalId t : network_->terminals()) {
    const auto [found, fresh] =
        class_of_hash.try_emplace(hashes[t.value], static_cast<std::uint32_t>(representative_.size()));
    if (fresh) representative_.push_back(t);
    class_of_[t.value] = found->second;
    first_of[t.value] = representative_[found->second];
  }
  std::vector<std::uint8_t> differs(terminals, 0);
  add_differing(first_of, threads, differs);
  for (const TerminalId t : network_->terminals()) {
    if (differs[t.value] == 0) continue;
    class_of_[t.value] = class_count();
    representative_.push_back(t);
  }
}

}  // namespace unknot
