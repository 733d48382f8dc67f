// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/report/compare/match.hpp"
#include "unknot/report/compare/page_data.hpp"
#include "unknot/report/parts.hpp"

// What two pages say of simulations, algorithms and a schedule, side by side; what differs, in sentences.
// docs/report.md has the fields. Nothing is compared that is not of the same kind.
namespace unknot::report {

/// From which load on the network does not keep up, as far as the loads that were simulated tell.
struct Saturation {
  std::optional<double> keeps_up;  ///< the largest load below; nothing where the first one is too much
  std::optional<double> stops;     ///< nothing: up to all that were simulated it keeps up
  std::string by;                  ///< "saturated", "deadlock" or "undelivered"; "" where it does not stop
};
Saturation saturation(const std::vector<PageData::LoadPoint>& points);
/// "earlier", "later", "same", or "unknown": the loads that were simulated leave it open.
const char* saturation_change(const Saturation& before, const Saturation& after);

/// By routing, traffic and lanes.
std::vector<Match> matched_simulations(const PageData& before, const PageData& after);
/// `first_layer`: numbers of the pages' first layers in the document, before and after.
Json compared_simulations(const PageData& before, const PageData& after,
                          std::pair<std::size_t, std::size_t> first_layer);
/// Where one stops that did not, or by another; else what it accepts, else how long packets take, where that
/// differs by much.
std::vector<std::string> simulation_sentences(const PageData& before, const PageData& after);

/// By routing, collective, ranks and alpha.
std::vector<Match> matched_contests(const PageData& before, const PageData& after);
/// Algorithms by name, their points by size.
Json compared_algorithms(const PageData& before, const PageData& after);
/// At which size the time of the quickest differs most, by the cost model, where it does by much.
std::vector<std::string> algorithm_sentences(const PageData& before, const PageData& after);

/// Null where neither page has a schedule.
Json compared_schedules(const PageData& before, const PageData& after);
std::vector<std::string> schedule_sentences(const PageData& before, const PageData& after);

/// What has no counterpart, in one sentence; none where everything has.
std::vector<std::string> unmatched_sentence(const PageData& before, const PageData& after);

/// Four digits, or all of those before the point: "0.1235", "12,345".
std::string digits(double value);

}  // namespace unknot::report
