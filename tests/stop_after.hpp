// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/support/progress.hpp"

namespace unknot::test {

/// Asks for an end at this question.
class StopAfter final : public Progress {
 public:
  explicit StopAfter(std::uint64_t questions) : left_(questions) {}
  [[nodiscard]] bool interrupted() const override { return left_ == 0 || --left_ == 0; }

 private:
  mutable std::uint64_t left_;
};

}  // namespace unknot::test
