// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/known/rank_schedule.hpp"

#include <algorithm>

#include "unknot/collective/model/collective_names.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {
namespace {

struct CollectiveName {
  RankCollective collective;
  std::vector<std::string> names;  // the first is ours
};

const std::vector<CollectiveName>& collective_names() {
  static const std::vector<CollectiveName> rows = {
      {RankCollective::all_reduce, {"all-reduce"}},
      {RankCollective::all_gather, {"all-gather", "AAB"}},
      {RankCollective::reduce_scatter, {"reduce-scatter", "MPI_Reduce_scatter_block", "AAR"}},
      {RankCollective::broadcast, {"broadcast", "bcast", "OAB"}},
      {RankCollective::all_to_all, {"all-to-all", "AAS"}}};
  return rows;
}

}  // namespace

const char* name_of(RankCollective collective) {
  for (const CollectiveName& row : collective_names()) {
    if (row.collective == collective) return row.names.front().c_str();
  }
  return "";
}

const std::vector<RankCollective>& rank_collectives() {
  static const std::vector<RankCollective> all = {RankCollective::all_reduce, RankCollective::all_gather,
                                                  RankCollective::reduce_scatter, RankCollective::broadcast,
                                                  RankCollective::all_to_all};
  return all;
}

RankCollective find_rank_collective(std::string_view name) {
  std::vector<std::string> all;
  for (const CollectiveName& row : collective_names()) {
    for (const std::string& one : row.names)
      if (plain_collective_name(one) == plain_collective_name(name)) return row.collective;
    all.push_back(row.names.front());
  }
  refuse_name("collective", name, all);
}

std::uint64_t RankSchedule::block_count() const {
  const std::uint64_t ranks = ranks_;
  switch (collective_) {
    case RankCollective::all_reduce:
    case RankCollective::broadcast:
      return parts_;
    case RankCollective::all_gather:
    case RankCollective::reduce_scatter:
      return ranks * parts_;
    case RankCollective::all_to_all:
      return ranks * ranks * parts_;
  }
  return 0;
}

std::uint64_t RankSchedule::bytes_of(std::uint32_t m, std::uint64_t bytes) const {
  const std::uint64_t count = blocks(m).size();
  // In two parts, for products that do not fit: parts are few, bytes many.
  const std::uint64_t whole = bytes / parts_ * count, rest = (bytes % parts_ * count + parts_ - 1) / parts_;
  return std::max<std::uint64_t>(1, whole + rest);
}

void RankDraft::add(std::uint32_t round, const RankSchedule::Message& message,
                    std::span<const std::uint32_t> blocks) {
  if (blocks.empty()) return;
  if (round >= of_round_.size()) of_round_.resize(round + 1);
  const std::uint64_t first = blocks_.size();
  blocks_.insert(blocks_.end(), blocks.begin(), blocks.end());
  of_round_[round].push_back({message, first, blocks_.size()});
}

RankSchedule RankDraft::build() && {
  for (const std::vector<Kept>& round : of_round_) {
    result_.add_round();
    for (const Kept& kept : round)
      result_.add(kept.message, {blocks_.data() + kept.first, blocks_.data() + kept.end});
  }
  return std::move(result_);
}

}  // namespace unknot
