// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/collective/chakra/chakra_trace.hpp"
#include "unknot/support/error.hpp"

namespace unknot::chakra {
namespace {

using mscclpp::RankMoves;

class TraceMaker {
 public:
  TraceMaker(const RankMoves& moves, std::uint64_t bytes)
      : moves_(moves), bytes_(bytes), traces_(moves.ranks()) {}

  std::vector<Trace> run() {
    for (std::uint32_t step = 0; step + 1 < moves_.step_first.size(); ++step) {
      changed_.clear();
      for (std::uint32_t m = moves_.step_first[step]; m < moves_.step_first[step + 1]; ++m)
        add(moves_.moves[m]);
      for (const auto& [key, node] : changed_) had_[key] = node;
    }
    return std::move(traces_);
  }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // rank, item

  std::uint64_t add_node(std::uint32_t rank, TraceNode node) {
    node.id = traces_[rank].size();
    traces_[rank].push_back(std::move(node));
    return traces_[rank].back().id;
  }

  void add(const RankMoves::Move& move) {
    std::uint64_t chunks = 0;
    std::vector<std::uint64_t> before, sums;
    for (const std::uint32_t item : moves_.items_of(move)) {
      chunks += moves_.items[item].chunks;
      if (const auto found = had_.find({move.from, item}); found != had_.end())
        before.push_back(found->second);
      // a sum of this step may come before
      const auto now = changed_.find({move.to, item});
      const auto earlier = had_.find({move.to, item});
      if (now != changed_.end()) {
        sums.push_back(now->second);
      } else if (earlier != had_.end()) {
        sums.push_back(earlier->second);
      }
    }
    if (chunks > (std::uint64_t{1} << 62U) / std::max<std::uint64_t>(bytes_, 1))
      throw InputError("Chakra: a message of more than 2^62 bytes");
    const std::uint32_t tag = tags_[{move.from, move.to}]++;
    const std::uint64_t size = chunks * bytes_;
    distinct(before);
    add_node(move.from, {0, fmt::format("COMM_SEND_NODE_{}_{}", move.to, tag), NodeType::send, before, 0,
                         move.to, tag, size});
    std::uint64_t last = add_node(move.to, {0,
                                            fmt::format("COMM_RECV_NODE_{}_{}", move.from, tag),
                                            NodeType::receive,
                                            {},
                                            0,
                                            move.from,
                                            tag,
                                            size});
    if (move.combines) {
      sums.push_back(last);
      distinct(sums);
      last = add_node(
          move.to, {0, fmt::format("COMP_NODE_{}_{}", move.from, tag), NodeType::compute, sums, 0, 0, 0, 0});
    }
    for (const std::uint32_t item : moves_.items_of(move)) changed_[{move.to, item}] = last;
  }

  static void distinct(std::vector<std::uint64_t>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }

  const RankMoves& moves_;
  std::uint64_t bytes_;
  std::vector<Trace> traces_;
  std::map<Key, std::uint64_t> had_,
      changed_;                        // node that a rank has an item from: before the step, and in it
  std::map<Key, std::uint32_t> tags_;  // by pair of ranks
};

}  // namespace

std::vector<Trace> make_traces(const mscclpp::RankMoves& moves, std::uint64_t bytes) {
  return TraceMaker(moves, bytes).run();
}

}  // namespace unknot::chakra
