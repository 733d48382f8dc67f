// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "unknot/report/compare/compared_parts.hpp"

namespace unknot::report {
namespace {

constexpr std::size_t kMostNamed = 4;

/// What one page has alone, in words.
class WithoutCounterpart {
 public:
  void add(std::string what) {
    if (words_.size() < kMostNamed) words_.push_back(std::move(what));
    ++count_;
  }
  [[nodiscard]] std::string text(const char* when) const {
    if (words_.empty()) return "";
    const std::size_t more = count_ - words_.size();
    return fmt::format("{}, {}{}", when, fmt::join(words_, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
  }

 private:
  std::vector<std::string> words_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<std::string> unmatched_sentence(const PageData& before, const PageData& after) {
  WithoutCounterpart old, fresh;
  for (const Match& match : matched_simulations(before, after)) {
    if (match.both()) continue;
    const bool first = match.before != Match::kNone;
    const PageData::Simulation& one =
        first ? before.simulations[match.before] : after.simulations[match.after];
    (first ? old : fresh)
        .add(fmt::format("the simulation of {} under {} traffic on {} lanes", one.routing, one.traffic,
                         one.lanes));
  }
  for (const Match& match : matched_contests(before, after)) {
    if (match.both()) continue;
    const bool first = match.before != Match::kNone;
    const PageData::Contest& one = first ? before.algorithms[match.before] : after.algorithms[match.after];
    (first ? old : fresh)
        .add(fmt::format("the algorithms for {} among {} ranks on {}", one.collective, one.ranks,
                         one.routing));
  }
  if (before.schedule && !after.schedule)
    old.add(fmt::format("the schedule of {}", before.schedule->collective));
  if (after.schedule && !before.schedule)
    fresh.add(fmt::format("the schedule of {}", after.schedule->collective));
  std::vector<std::string> sides;
  for (std::string text : {old.text("before"), fresh.text("after")}) {
    if (!text.empty()) sides.push_back(std::move(text));
  }
  if (sides.empty()) return {};
  return {fmt::format("Without a counterpart, and so not compared: {}.", fmt::join(sides, "; "))};
}

}  // namespace unknot::report
