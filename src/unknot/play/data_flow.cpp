// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/data_flow.hpp"

#include <algorithm>
#include <utility>

namespace unknot::play {
namespace {

using List = std::vector<std::uint32_t>;  // instructions

/// What has been done with a block so far.
struct BlockUse {
  List before;   // the combinations go on from
  List written;  // by one instruction, or by combinations
  List read;     // since
  bool combined = false;
};

}  // namespace

DataFlow data_flow_of(const std::vector<Instruction>& instructions, std::uint32_t blocks) {
  std::vector<BlockUse> uses(blocks);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // earlier, later
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const Instruction& now = instructions[i];
    const auto wait_for = [&](const List& list) {
      for (const std::uint32_t earlier : list) pairs.emplace_back(earlier, i);
    };
    if (now.action == Action::wait) continue;
    const bool reads = now.action != Action::receive;
    const bool writes = now.action != Action::send;
    for (std::uint32_t b = 0; reads && b < now.blocks; ++b) {
      BlockUse& use = uses[now.from + b];
      wait_for(use.written);
      use.read.push_back(i);
    }
    for (std::uint32_t b = 0; writes && b < now.blocks; ++b) {
      BlockUse& use = uses[now.to + b];
      const bool combines = now.action == Action::combine;
      if (!combines || !use.combined || !use.read.empty()) {
        use.before = std::move(use.written);
        use.before.insert(use.before.end(), use.read.begin(), use.read.end());
        use.written.clear();
        use.read.clear();
      }
      wait_for(use.before);
      use.written.push_back(i);
      use.combined = combines;
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  DataFlow flow;
  flow.waits.assign(instructions.size(), 0);
  flow.first_next.assign(instructions.size() + 1, 0);
  flow.next.reserve(pairs.size());
  for (const auto& [earlier, later] : pairs) {
    ++flow.waits[later];
    ++flow.first_next[earlier + 1];
    flow.next.push_back(later);
  }
  for (std::size_t i = 0; i < instructions.size(); ++i) flow.first_next[i + 1] += flow.first_next[i];
  return flow;
}

}  // namespace unknot::play
