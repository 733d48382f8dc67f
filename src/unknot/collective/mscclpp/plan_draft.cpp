// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/mscclpp/plan_draft.hpp"

#include <algorithm>

namespace unknot::mscclpp {

std::uint32_t GpuDraft::add_block() {
  entries_.emplace_back();
  size_.push_back(0);
  return blocks() - 1;
}

void GpuDraft::add(std::uint32_t block, Operation op) {
  entries_[block].push_back({std::move(op), {}});
  ++size_[block];
}

Mark GpuDraft::meet(std::uint32_t block) {
  std::vector<Entry>& entries = entries_[block];
  if (entries.empty() || entries.back().op.kind != Kind::nop) {
    add(block, {});
    ++size_[block];  // to tell others
  }
  return {block, static_cast<std::uint32_t>(entries.size()) - 1};
}

void GpuDraft::wait_for(std::uint32_t block, std::vector<Mark> marks) {
  std::vector<std::uint32_t> wanted;
  // the last mark of a thread block says all that those before it say
  std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
    return std::pair(a.block, b.entry) < std::pair(b.block, a.entry);
  });
  for (const Mark& mark : marks) {
    if (mark.block == block) continue;
    const auto [found, is_new] = links_.try_emplace({mark.block, block}, Link{semaphores_, 0});
    if (is_new) ++semaphores_;
    Link& link = found->second;
    if (mark.entry + 1 <= link.told) continue;
    link.told = mark.entry + 1;
    entries_[mark.block][mark.entry].tells.push_back(link.semaphore);
    wanted.push_back(link.semaphore);
  }
  for (std::size_t i = 0; i < wanted.size(); i += kMostSemaphoresAtOnce) {
    Operation op;
    op.kind = Kind::acquire;
    const std::size_t end = std::min(wanted.size(), i + kMostSemaphoresAtOnce);
    op.semaphores.assign(wanted.begin() + static_cast<std::ptrdiff_t>(i),
                         wanted.begin() + static_cast<std::ptrdiff_t>(end));
    add(block, std::move(op));
  }
  if (!wanted.empty()) add(block, {});
}

std::vector<Operation> GpuDraft::operations(std::uint32_t block) const {
  std::vector<Operation> result;
  for (const Entry& entry : entries_[block]) {
    result.push_back(entry.op);
    for (std::size_t i = 0; i < entry.tells.size(); i += kMostSemaphoresAtOnce) {
      Operation& op = result.emplace_back();
      op.kind = Kind::release;
      const std::size_t end = std::min(entry.tells.size(), i + kMostSemaphoresAtOnce);
      op.semaphores.assign(entry.tells.begin() + static_cast<std::ptrdiff_t>(i),
                           entry.tells.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
  return result;
}

}  // namespace unknot::mscclpp
