// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "unknot/cli/output/interrupt.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint64_t kWidth = 30;
// Work shorter than the first delay draws nothing: no flicker on small fabrics.
constexpr std::chrono::milliseconds kFirstDelay{300};
constexpr std::chrono::milliseconds kRedraw{100};

}  // namespace

std::string progress_line(const std::string& phase, std::uint64_t done, std::uint64_t total) {
  if (total == 0) return fmt::format("{} {}", phase, done);
  const double part = static_cast<double>(std::min(done, total)) / static_cast<double>(total);
  const auto filled = static_cast<std::uint64_t>(part * kWidth);
  return fmt::format("{} [{:#>{}}{:.>{}}] {:3.0f}%", phase, "", filled, "", kWidth - filled, part * 100);
}

ProgressBar::ProgressBar(const Common& common)
    : enabled_(!common.quiet && ::isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + kFirstDelay) {}

ProgressBar::~ProgressBar() {
  wipe();
}

void ProgressBar::begin(const char* phase, std::uint64_t total) {
  phase_ = phase;
  total_ = total;
  update(0);
}

void ProgressBar::update(std::uint64_t done) {
  if (enabled_ && std::chrono::steady_clock::now() >= next_) draw(done);
}

bool ProgressBar::interrupted() const {
  return cli::interrupted();
}

void ProgressBar::draw(std::uint64_t done) {
  const std::string line = "\r\x1b[K" + progress_line(phase_, done, total_);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  drawn_ = true;
  next_ = std::chrono::steady_clock::now() + kRedraw;
}

void ProgressBar::wipe() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace unknot::cli
