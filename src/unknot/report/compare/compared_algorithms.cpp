// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "unknot/report/compare/compared_parts.hpp"

namespace unknot::report {
namespace {

constexpr double kMuchTime = 0.05;  // of the quickest time: less is not worth a sentence

const PageData::Contest& no_contest() {
  static const PageData::Contest nothing;
  return nothing;
}

Json time_json(const PageData::TimePoint* point) {
  if (point == nullptr) return {};
  return {{"predicted", point->predicted},
          {"simulated", point->simulated ? Json(*point->simulated) : Json()}};
}

Json algorithm_side(const PageData::Algorithm* one) {
  if (one == nullptr) return {};
  return {{"rounds", one->rounds}, {"most_flows", one->most_flows}, {"meeting", one->meeting}};
}

Json joined_algorithm(const PageData::Algorithm* old, const PageData::Algorithm* fresh) {
  static const std::vector<PageData::TimePoint> nothing;
  const std::vector<PageData::TimePoint>& before = old != nullptr ? old->points : nothing;
  const std::vector<PageData::TimePoint>& after = fresh != nullptr ? fresh->points : nothing;
  std::vector<std::tuple<double, const PageData::TimePoint*, const PageData::TimePoint*>> pairs;
  for (const Match& match : matched(before, after, [](const PageData::TimePoint& p) { return p.bytes; })) {
    const PageData::TimePoint* a = match.before != Match::kNone ? &before[match.before] : nullptr;
    const PageData::TimePoint* b = match.after != Match::kNone ? &after[match.after] : nullptr;
    pairs.emplace_back(a != nullptr ? a->bytes : b->bytes, a, b);
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
  Json points = Json::array();
  for (const auto& [bytes, a, b] : pairs) {
    points.push_back(
        {{"bytes", static_cast<std::uint64_t>(bytes)}, {"before", time_json(a)}, {"after", time_json(b)}});
  }
  return {{"name", (old != nullptr ? old : fresh)->name},
          {"before", algorithm_side(old)},
          {"after", algorithm_side(fresh)},
          {"points", std::move(points)}};
}

/// Which is the quickest from which size on, at all sizes where that changes in either.
Json joined_ranges(const PageData::Contest& before, const PageData::Contest& after,
                   const std::vector<Match>& algorithms) {
  std::vector<std::uint32_t> joined_before(before.algorithms.size()), joined_after(after.algorithms.size());
  for (std::uint32_t i = 0; i < algorithms.size(); ++i) {
    if (algorithms[i].before != Match::kNone) joined_before[algorithms[i].before] = i;
    if (algorithms[i].after != Match::kNone) joined_after[algorithms[i].after] = i;
  }
  std::map<double, std::pair<Json, Json>> changes;
  for (const PageData::Range& range : before.ranges)
    changes[range.from].first = joined_before[range.algorithm];
  for (const PageData::Range& range : after.ranges)
    changes[range.from].second = joined_after[range.algorithm];
  Json ranges = Json::array();
  Json old, fresh;
  for (const auto& [from, change] : changes) {
    if (!change.first.is_null()) old = change.first;
    if (!change.second.is_null()) fresh = change.second;
    ranges.push_back({{"from", static_cast<std::uint64_t>(from)}, {"before", old}, {"after", fresh}});
  }
  return ranges;
}

/// By size, the least time by the cost model and whose it is.
std::map<double, std::pair<double, const std::string*>> quickest_by_size(const PageData::Contest& contest) {
  std::map<double, std::pair<double, const std::string*>> best;
  for (const PageData::Algorithm& one : contest.algorithms) {
    for (const PageData::TimePoint& point : one.points) {
      const auto [found, first] = best.try_emplace(point.bytes, point.predicted, &one.name);
      if (!first && point.predicted < found->second.first) found->second = {point.predicted, &one.name};
    }
  }
  return best;
}

std::string size_words(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  return fmt::format("{} {}", digits(bytes), units[unit]);
}

std::string changed_contest(const PageData::Contest& old, const PageData::Contest& fresh) {
  const auto before = quickest_by_size(old), after = quickest_by_size(fresh);
  double most = std::log1p(kMuchTime);
  std::string text;
  for (const auto& [bytes, now] : after) {
    const auto then = before.find(bytes);
    if (then == before.end() || now.first <= 0 || then->second.first <= 0) continue;
    const double ratio = now.first / then->second.first;
    if (std::abs(std::log(ratio)) <= most) continue;
    most = std::abs(std::log(ratio));
    const bool same = *now.second == *then->second.second;
    text = fmt::format(
        "The quickest {} among {} ranks on {} takes {:.3g} times as long as before at {}, by the cost model "
        "({}{}).",
        fresh.collective, fresh.ranks, fresh.routing, ratio, size_words(bytes), *now.second,
        same ? "" : fmt::format(", before {}", *then->second.second));
  }
  return text;
}

}  // namespace

std::vector<Match> matched_contests(const PageData& before, const PageData& after) {
  return matched(before.algorithms, after.algorithms, [](const PageData::Contest& one) {
    return std::tie(one.routing, one.collective, one.ranks, one.alpha);
  });
}

Json compared_algorithms(const PageData& before, const PageData& after) {
  Json list = Json::array();
  for (const Match& match : matched_contests(before, after)) {
    const PageData::Contest& old =
        match.before != Match::kNone ? before.algorithms[match.before] : no_contest();
    const PageData::Contest& fresh =
        match.after != Match::kNone ? after.algorithms[match.after] : no_contest();
    const PageData::Contest& either = match.before != Match::kNone ? old : fresh;
    const std::vector<Match> algorithms =
        matched(old.algorithms, fresh.algorithms, [](const PageData::Algorithm& one) { return one.name; });
    Json joined = Json::array();
    for (const Match& one : algorithms) {
      joined.push_back(joined_algorithm(one.before != Match::kNone ? &old.algorithms[one.before] : nullptr,
                                        one.after != Match::kNone ? &fresh.algorithms[one.after] : nullptr));
    }
    list.push_back({{"routing", either.routing},
                    {"collective", either.collective},
                    {"ranks", either.ranks},
                    {"alpha", either.alpha},
                    {"before", match.before != Match::kNone},
                    {"after", match.after != Match::kNone},
                    {"algorithms", std::move(joined)},
                    {"ranges", joined_ranges(old, fresh, algorithms)}});
  }
  return list;
}

std::vector<std::string> algorithm_sentences(const PageData& before, const PageData& after) {
  std::vector<std::string> said;
  for (const Match& match : matched_contests(before, after)) {
    if (!match.both()) continue;
    std::string text = changed_contest(before.algorithms[match.before], after.algorithms[match.after]);
    if (!text.empty()) said.push_back(std::move(text));
  }
  return said;
}

}  // namespace unknot::report
