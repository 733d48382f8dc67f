// SPDX-License-Identifier: Apache-2.0
#include "level_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "levels_file.hpp"
#include "line_reader.hpp"

namespace unknot::opensm {

namespace {

constexpr std::uint8_t kMissing = LevelMatrix::kMissing;

class MatrixMaker {
 public:
  MatrixMaker(const unknot_fabric& fabric, const unknot_options& options, const TablesFile& tables,
              std::span<const Target> targets, std::span<const std::vector<std::uint8_t>> rows)
      : fabric_(fabric), options_(options), tables_(tables), targets_(targets), rows_(rows) {}

  LevelMatrix run() {
    number_columns();
    levels_ = read_levels_file(options_.lanes, fabric_, tables_, column_of_file_lid_, matrix_.columns);
    forget_paths_to_oneself();
    find_named();
    check_pairs();
    share_rows();
    lend_levels();
    return std::move(matrix_);
  }

 private:
  void number_columns() {
    const unsigned highest_lid = fabric_.highest_lid();
    matrix_.column_of_lid.assign(highest_lid + 1U, kNone);
    matrix_.row_of_lid.assign(highest_lid + 1U, kNone);
    column_of_file_lid_.assign(kHighestUnicastLid + 1U, kNone);
    for (const Target& target : targets_) {
      if (target.file_lid == 0) continue;
      column_of_file_lid_[target.file_lid] = matrix_.columns;
      matrix_.column_of_lid[target.lid] = matrix_.columns++;
      node_of_column_.push_back(node(target));
    }
  }

  /// Adapters, then switches.
  [[nodiscard]] std::uint32_t node(const Target& target) const {
    return target.is_switch ? adapters() + target.index : target.index;
  }
  [[nodiscard]] std::uint32_t adapters() const { return static_cast<std::uint32_t>(fabric_.adapters.size()); }
  [[nodiscard]] std::uint32_t nodes() const {
    return adapters() + static_cast<std::uint32_t>(fabric_.switches.size());
  }

  [[nodiscard]] std::uint8_t level(std::uint32_t from, std::uint32_t column) const {
    return levels_[std::size_t{from} * matrix_.columns + column];
  }

  /// A row that several sources share tells them their own levels too, which mean nothing.
  void forget_paths_to_oneself() {
    for (std::uint32_t column = 0; column < matrix_.columns; ++column) {
      levels_[std::size_t{node_of_column_[column]} * matrix_.columns + column] = kMissing;
    }
  }

  /// Adapters whose levels the file must tell: all with rows, but for aggregation nodes that it never names;
  /// and switches that it names.
  void find_named() {
    named_.assign(nodes(), false);
    for (std::uint32_t column = 0; column < matrix_.columns; ++column) {
      const std::uint32_t to = node_of_column_[column];
      if (to < adapters() && !is_aggregation_node(fabric_.adapters[to])) named_[to] = true;
      for (std::uint32_t from = 0; from < nodes(); ++from) {
        if (level(from, column) != kMissing) named_[from] = named_[to] = true;
      }
    }
    matrix_.names_switches = std::find(named_.begin() + adapters(), named_.end(), true) != named_.end();
  }

  void check_pairs() {
    std::uint64_t missing = 0;
    std::string first;
    for (std::uint32_t from = 0; from < nodes(); ++from) {
      if (!named_[from]) continue;
      for (std::uint32_t column = 0; column < matrix_.columns; ++column) {
        const std::uint32_t to = node_of_column_[column];
        if (to == from || !named_[to]) continue;
        if (level(from, column) != kMissing) {
          matrix_.highest = std::max<unsigned>(matrix_.highest, level(from, column));
        } else if (from >= adapters() || to >= adapters()) {
          continue;  // left out: such a pair has no way that is free of deadlock
        } else if (missing++ == 0) {
          first =
              fmt::format("from {} to {}", name_of(fabric_.adapters[from]), name_of(fabric_.adapters[to]));
        }
      }
    }
    if (missing > 0) {
      throw Misfit(fmt::format("{} names no service level for the path {}{}", options_.lanes, first,
                               and_more(missing - 1)));
    }
  }

  void share_rows() {
    const std::size_t width = matrix_.columns;
    std::unordered_map<std::string_view, std::uint32_t> shared;
    for (std::uint32_t n = 0; n < nodes(); ++n) {
      if (!named_[n]) continue;
      const std::string_view row(reinterpret_cast<const char*>(levels_.data()) + n * width, width);
      const auto [at, is_new] = shared.emplace(row, static_cast<std::uint32_t>(shared.size()));
      if (is_new) matrix_.levels.insert(matrix_.levels.end(), row.begin(), row.end());
      const auto [lid, lids] =
          n < adapters() ? lids_of(fabric_.adapters[n]) : lids_of(fabric_.switches[n - adapters()]);
      for (unsigned i = 0; i < lids; ++i) matrix_.row_of_lid[lid + i] = at->second;
    }
    matrix_.levels.shrink_to_fit();
  }

  template <class Node>
  static std::pair<unsigned, unsigned> lids_of(const Node& node) {
    return {node.lid, node.lids};
  }

  void lend_levels() {
    std::vector<std::vector<const Target*>> lenders(fabric_.switches.size());
    for (const Target& target : targets_) {
      if (!target.is_switch && named_[node(target)]) lenders[target.home(fabric_)].push_back(&target);
    }
    for (const Target& target : targets_) {
      if (named_[node(target)]) continue;
      std::uint32_t& row = matrix_.row_of_lid[target.lid];
      std::uint32_t& column = matrix_.column_of_lid[target.lid];
      column = kNone;
      const std::uint32_t home = target.home(fabric_);
      for (const Target* lender : lenders[home]) {
        if (row == kNone) row = matrix_.row_of_lid[lender->lid];
        if (!same_way(target.lid, lender->lid, home)) continue;
        column = matrix_.column_of_lid[lender->lid];
        break;
      }
    }
  }

  /// True when all other switches send both LIDs to the same port.
  [[nodiscard]] bool same_way(std::uint16_t a, std::uint16_t b, std::uint32_t home) const {
    for (std::uint32_t s = 0; s < rows_.size(); ++s) {
      if (s != home && rows_[s][a] != rows_[s][b]) return false;
    }
    return true;
  }

  const unknot_fabric& fabric_;
  const unknot_options& options_;
  const TablesFile& tables_;
  std::span<const Target> targets_;
  std::span<const std::vector<std::uint8_t>> rows_;
  LevelMatrix matrix_;
  std::vector<std::uint32_t> column_of_file_lid_;
  std::vector<std::uint32_t> node_of_column_;
  std::vector<std::uint8_t> levels_;  // nodes * columns, as the file states them
  std::vector<bool> named_;           // by node
};

}  // namespace

void check_level_lanes(const unknot_fabric& fabric, const unknot_options& options, const unknot_sl2vl& sl2vl,
                       unsigned highest) {
  for (const unknot_fabric::Switch& sw : fabric.switches) {
    for (std::size_t port = 1; port < sw.ports.size(); ++port) {
      const unknot_fabric::Link& link = sw.ports[port];
      if (link.kind != Peer::node || link.lanes > highest) continue;
      throw Misfit(
          fmt::format("service levels up to {} need {} operational virtual lanes, but port {} of {} has "
                      "{}",
                      highest, highest + 1, port, name_of(sw), link.lanes));
    }
  }
  if (options.trust_sl2vl != 0) return;
  if (sl2vl.managed == 0) {
    throw Misfit(
        fmt::format("service levels up to {} need OpenSM's option 'qos TRUE', which sets the SL-to-VL "
                    "tables (or the option sl2vl=trust, where the switches keep right ones)",
                    highest));
  }
  for (unsigned level = 0; level <= highest; ++level) {
    if (sl2vl.lane[level] == level) continue;
    throw Misfit(
        fmt::format("OpenSM's option qos_sl2vl puts service level {} on lane {}, where the tables need "
                    "lane {}",
                    level, sl2vl.lane[level], level));
  }
}

LevelMatrix make_levels(const unknot_fabric& fabric, const unknot_options& options, const TablesFile& tables,
                        std::span<const Target> targets, std::span<const std::vector<std::uint8_t>> rows) {
  return MatrixMaker(fabric, options, tables, targets, rows).run();
}

}  // namespace unknot::opensm
