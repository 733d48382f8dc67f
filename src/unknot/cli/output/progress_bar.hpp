// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::cli {

/// One line on stderr that is redrawn a few times a second and wiped at the end. Draws only on a terminal and
/// not when --quiet; tells long work of Ctrl-C in any case.
class ProgressBar final : public Progress {
 public:
  explicit ProgressBar(const Common& common);
  ~ProgressBar() override;
  void begin(const char* phase, std::uint64_t total) override;
  void update(std::uint64_t done) override;
  [[nodiscard]] bool interrupted() const override;

 private:
  void draw(std::uint64_t done);
  void wipe();
  bool enabled_;
  bool drawn_ = false;
  std::string phase_;
  std::uint64_t total_ = 0;
  std::chrono::steady_clock::time_point next_;
};

/// The line the bar draws, without control characters: "routing [#####.....]  50%".
std::string progress_line(const std::string& phase, std::uint64_t done, std::uint64_t total);

}  // namespace unknot::cli
