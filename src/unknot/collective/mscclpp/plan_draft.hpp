// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/collective/mscclpp/plan.hpp"

namespace unknot::mscclpp {

/// A place in a thread block of one GPU: when it is reached, all before it is done.
struct Mark {
  std::uint32_t block = 0;
  std::uint32_t entry = 0;
};

/// The thread blocks of one GPU while they are written. Semaphores say from one thread block to another that
/// a mark is reached; each serves one pair, and counts.
class GpuDraft {
 public:
  /// A new thread block.
  std::uint32_t add_block();
  void add(std::uint32_t block, Operation op);
  /// A nop, unless the last operation is one.
  Mark meet(std::uint32_t block);
  /// Makes a thread block wait for marks of others.
  void wait_for(std::uint32_t block, std::vector<Mark> marks);
  /// Operations so far, counting one that tells others for each mark.
  [[nodiscard]] std::uint32_t size(std::uint32_t block) const { return size_[block]; }
  [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(entries_.size()); }
  [[nodiscard]] std::uint32_t semaphores() const { return semaphores_; }
  [[nodiscard]] std::vector<Operation> operations(std::uint32_t block) const;

 private:
  struct Entry {
    Operation op;
    std::vector<std::uint32_t> tells;  // semaphores, after the operation
  };
  struct Link {
    std::uint32_t semaphore;
    std::uint32_t told;  // entries up to here are known
  };

  std::vector<std::vector<Entry>> entries_;
  std::vector<std::uint32_t> size_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Link> links_;  // by who tells, and whom
  std::uint32_t semaphores_ = 0;
};

}  // namespace unknot::mscclpp
