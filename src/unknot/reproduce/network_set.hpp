// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "unknot/support/progress.hpp"

namespace unknot {

/// Tells work inside a parallel loop that the user wants to stop, and draws nothing.
class StopOnly final : public Progress {
 public:
  explicit StopOnly(const Progress& outer) : outer_(&outer) {}
  [[nodiscard]] bool interrupted() const override { return outer_->interrupted(); }

 private:
  const Progress* outer_;
};

/// Calls work(i, progress) for i in [0, count), one at a time on each of `threads` threads. Results go into
/// slots of their own, so that they do not depend on the number of threads; engines inside are to be asked
/// for one thread.
void for_each_case(std::uint32_t count, std::uint32_t threads, const char* phase, Progress& progress,
                   const std::function<void(std::uint32_t index, Progress& inner)>& work);

}  // namespace unknot
