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

/// Asks for an end after so many reports of what is done.
class StopAfterUpdates final : public Progress {
 public:
  explicit StopAfterUpdates(std::uint64_t updates) : left_(updates) {}
  void update(std::uint64_t /*done*/) override { left_ -= left_ > 0 ? 1 : 0; }
  [[nodiscard]] bool interrupted() const override { return left_ == 0; }

 private:
  std::uint64_t left_;
};

}  // namespace unknot::test
