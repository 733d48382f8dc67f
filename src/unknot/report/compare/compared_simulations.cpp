// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "unknot/report/compare/compared_parts.hpp"
#include "unknot/support/text/grouped.hpp"

namespace unknot::report {
namespace {

// What differs by less is not worth a sentence: runs of another seed differ by as much.
constexpr double kMuchAccepted = 0.05, kMuchLatency = 0.1;

using LoadOfPage = PageData::LoadPoint;
const std::vector<LoadOfPage> kNoLoad;

/// One load of both, or of one.
struct LoadPair {
  double load = 0;
  const LoadOfPage *before = nullptr, *after = nullptr;
  [[nodiscard]] bool both() const { return before != nullptr && after != nullptr; }
  [[nodiscard]] bool have_latencies() const {
    return both() && !before->stops() && !after->stops() && before->latency_mean && after->latency_mean;
  }
};

/// Points of both, which must outlive it, by load. Ranges of loads are rounded where they are given, so that
/// 0.3 is 0.3 in all of them.
std::vector<LoadPair> paired(const std::vector<LoadOfPage>& before, const std::vector<LoadOfPage>& after) {
  std::vector<LoadPair> pairs;
  for (const Match& match : matched(before, after, [](const LoadOfPage& p) { return p.load; })) {
    LoadPair pair;
    if (match.before != Match::kNone) pair.before = &before[match.before];
    if (match.after != Match::kNone) pair.after = &after[match.after];
    pair.load = pair.before != nullptr ? pair.before->load : pair.after->load;
    pairs.push_back(pair);
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const LoadPair& a, const LoadPair& b) { return a.load < b.load; });
  return pairs;
}

/// The largest load of which something holds.
template <class Holds>
const LoadPair* last_of(const std::vector<LoadPair>& pairs, Holds holds) {
  const auto found = std::find_if(pairs.rbegin(), pairs.rend(), holds);
  return found == pairs.rend() ? nullptr : &*found;
}

const LoadPair* last_accepted(const std::vector<LoadPair>& pairs) {
  return last_of(pairs, [](const LoadPair& pair) { return pair.both(); });
}

const LoadPair* last_latency(const std::vector<LoadPair>& pairs) {
  return last_of(pairs, [](const LoadPair& pair) { return pair.have_latencies(); });
}

template <class Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json load_json(const LoadOfPage* point) {
  if (point == nullptr) return {};
  return {{"offered", point->offered},
          {"accepted", point->accepted},
          {"latency_mean", value_or_null(point->latency_mean)},
          {"latency_p99", value_or_null(point->latency_p99)},
          {"saturated", point->saturated},
          {"state", point->state},
          {"deadlock", point->deadlock}};
}

Json simulation_side(const PageData::Simulation* one, std::size_t first_layer) {
  if (one == nullptr) return {};
  const Saturation found = saturation(one->points);
  return {{"layer", first_layer + one->layer},
          {"keeps_up", value_or_null(found.keeps_up)},
          {"stops", value_or_null(found.stops)},
          {"by", found.by}};
}

std::string saturation_words(const Saturation& found, const PageData::Simulation& of, bool past) {
  if (!found.stops) {
    double most = 0;
    for (const LoadOfPage& point : of.points) most = std::max(most, point.load);
    return fmt::format("{} all that {} offered, up to {}", past ? "accepted" : "accepts", past ? "was" : "is",
                       most);
  }
  const char* what = nullptr;
  if (found.by == "deadlock") {
    what = past ? "deadlocked" : "deadlocks";
  } else if (found.by == "undelivered") {
    what = past ? "left packets undelivered" : "leaves packets undelivered";
  } else {
    what = past ? "was saturated" : "is saturated";
  }
  return fmt::format("{} at {}", what, *found.stops);
}

bool differ_by(double before, double after, double share) {
  return std::abs(before - after) >= share * std::max(before, after) && before != after;
}

std::string changed_simulation(const PageData::Simulation& old, const PageData::Simulation& fresh) {
  const Saturation before = saturation(old.points), after = saturation(fresh.points);
  const std::string_view change = saturation_change(before, after);
  const std::string where =
      fmt::format("{} under {} traffic on {} lanes", fresh.routing, fresh.traffic, fresh.lanes);
  if (change == "earlier" || change == "later" || (change == "same" && before.by != after.by)) {
    return fmt::format("Simulated, by offered load, {} {}; before, it {}.", where,
                       saturation_words(after, fresh, false), saturation_words(before, old, true));
  }
  const std::vector<LoadPair> pairs = paired(old.points, fresh.points);
  const LoadPair* accepted = last_accepted(pairs);
  if (accepted != nullptr &&
      differ_by(accepted->before->accepted, accepted->after->accepted, kMuchAccepted)) {
    return fmt::format("Simulated at load {}, {} accepts {} flits a cycle and terminal, before {}.",
                       accepted->load, where, digits(accepted->after->accepted),
                       digits(accepted->before->accepted));
  }
  const LoadPair* latency = last_latency(pairs);
  if (latency != nullptr &&
      differ_by(*latency->before->latency_mean, *latency->after->latency_mean, kMuchLatency)) {
    return fmt::format("Simulated at load {}, packets of {} take {} cycles in the mean, before {}.",
                       latency->load, where, digits(*latency->after->latency_mean),
                       digits(*latency->before->latency_mean));
  }
  return "";
}

}  // namespace

std::string digits(double value) {
  const double size = std::abs(value);
  if (size < 1000 || size >= 1e15) return fmt::format("{:.4g}", value);
  return (value < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::round(size)));
}

Saturation saturation(const std::vector<LoadOfPage>& points) {
  Saturation found;
  const LoadOfPage* stop = nullptr;
  for (const LoadOfPage& point : points) {
    if (point.stops() && (stop == nullptr || point.load < stop->load)) stop = &point;
  }
  if (stop != nullptr) {
    found.stops = stop->load;
    found.by = stop->deadlock || stop->state == "deadlock" ? "deadlock"
               : stop->state == "undelivered"              ? "undelivered"
                                                           : "saturated";
  }
  for (const LoadOfPage& point : points) {
    if (stop == nullptr || point.load < stop->load)
      found.keeps_up = std::max(found.keeps_up.value_or(0), point.load);
  }
  return found;
}

const char* saturation_change(const Saturation& before, const Saturation& after) {
  if (before.stops == after.stops && before.keeps_up == after.keeps_up) return "same";
  if (after.stops && before.keeps_up && *after.stops <= *before.keeps_up) return "earlier";
  if (before.stops && after.keeps_up && *before.stops <= *after.keeps_up) return "later";
  return "unknown";
}

std::vector<Match> matched_simulations(const PageData& before, const PageData& after) {
  return matched(before.simulations, after.simulations, [](const PageData::Simulation& one) {
    return std::tie(one.routing, one.traffic, one.lanes);
  });
}

Json compared_simulations(const PageData& before, const PageData& after,
                          std::pair<std::size_t, std::size_t> first_layer) {
  Json list = Json::array();
  for (const Match& match : matched_simulations(before, after)) {
    const auto* old = match.before != Match::kNone ? &before.simulations[match.before] : nullptr;
    const auto* fresh = match.after != Match::kNone ? &after.simulations[match.after] : nullptr;
    const PageData::Simulation& either = old != nullptr ? *old : *fresh;
    const std::vector<LoadPair> pairs =
        paired(old != nullptr ? old->points : kNoLoad, fresh != nullptr ? fresh->points : kNoLoad);
    Json points = Json::array();
    for (const LoadPair& pair : pairs) {
      points.push_back(
          {{"load", pair.load}, {"before", load_json(pair.before)}, {"after", load_json(pair.after)}});
    }
    const auto index_of = [&](const LoadPair* pair) {
      return pair == nullptr ? Json() : Json(pair - pairs.data());
    };
    list.push_back({{"routing", either.routing},
                    {"traffic", either.traffic},
                    {"lanes", either.lanes},
                    {"before", simulation_side(old, first_layer.first)},
                    {"after", simulation_side(fresh, first_layer.second)},
                    {"saturation", match.both() ? Json(saturation_change(saturation(old->points),
                                                                         saturation(fresh->points)))
                                                : Json()},
                    {"accepted_at", index_of(last_accepted(pairs))},
                    {"latency_at", index_of(last_latency(pairs))},
                    {"points", std::move(points)}});
  }
  return list;
}

std::vector<std::string> simulation_sentences(const PageData& before, const PageData& after) {
  std::vector<std::string> said;
  for (const Match& match : matched_simulations(before, after)) {
    if (!match.both()) continue;
    std::string text = changed_simulation(before.simulations[match.before], after.simulations[match.after]);
    if (!text.empty()) said.push_back(std::move(text));
  }
  return said;
}

}  // namespace unknot::report
