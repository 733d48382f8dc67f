// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "unknot/report/compare/both_networks.hpp"
#include "unknot/report/compare/compared_parts.hpp"
#include "unknot/report/compare/match.hpp"
#include "unknot/report/document.hpp"
#include "unknot/report/page.hpp"
#include "unknot/report/parts.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/grouped.hpp"

namespace unknot::report {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::string title_of(const PageData& page) {
  return page.provenance.title.empty() ? page.fabric : page.provenance.title;
}

std::string heading_of(const PageData& before, const PageData& after, const Provenance& provenance) {
  return provenance.title.empty() ? fmt::format("{} and {}", title_of(before), title_of(after))
                                  : provenance.title;
}

Json side_json(const PageData& page) {
  Json json = provenance_json(page.provenance);
  json["version"] = page.version;
  json.update(Json{{"fabric", page.fabric},
                   {"fail", page.fail},
                   {"summary", page.summary},
                   {"routers", page.names.size()},
                   {"terminals", page.terminals},
                   {"channels", page.from.size()},
                   {"diameter", page.diameter},
                   {"mean_hops", page.mean_hops}});
  return json;
}

/// Values of the second page's routers or channels after those of the first, where they are new.
template <class Value>
std::vector<Value> joined(const std::vector<Value>& before, const std::vector<Value>& after,
                          const std::vector<std::uint32_t>& place, std::size_t count) {
  std::vector<Value> values = before;
  values.resize(count);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (place[i] >= before.size()) values[place[i]] = after[i];
  }
  return values;
}

std::vector<double> spread_out(const std::vector<double>& values, const std::vector<std::uint32_t>* place,
                               std::size_t count) {
  std::vector<double> spread(count, kNothing);
  for (std::size_t i = 0; i < values.size(); ++i) spread[place == nullptr ? i : (*place)[i]] = values[i];
  return spread;
}

Json network_of_both(const PageData& before, const PageData& after, const BothNetworks& both) {
  const auto by_router = [&](const auto& a, const auto& b) {
    return joined(a, b, both.router_of_after, both.routers);
  };
  const auto by_channel = [&](const auto& a, const auto& b) {
    return joined(a, b, both.channel_of_after, both.channels);
  };
  const auto ends = [&](const std::vector<std::uint32_t>& side) {
    std::vector<std::uint32_t> routers;
    routers.reserve(side.size());
    for (const std::uint32_t r : side) routers.push_back(both.router_of_after[r]);
    return routers;
  };
  std::vector<std::uint32_t> group = before.group;
  std::vector<std::string> groups = before.groups;
  if (!groups.empty() && both.routers > before.names.size()) {
    group.resize(both.routers, static_cast<std::uint32_t>(groups.size()));
    groups.emplace_back("new");
  }
  return {{"layout", before.layout},
          {"x", column(by_router(before.x, after.x))},
          {"y", column(by_router(before.y, after.y))},
          {"names", by_router(before.names, after.names)},
          {"terminals", column(both.terminals)},
          {"terminal_names", both.terminal_names},
          {"bent", before.bent},
          {"from", column(by_channel(before.from, ends(after.from)))},
          {"to", column(by_channel(before.to, ends(after.to)))},
          {"from_port", column(by_channel(before.from_port, after.from_port))},
          {"to_port", column(by_channel(before.to_port, after.to_port))},
          {"group", column(group)},
          {"groups", groups}};
}

/// What a layer of a page shows: a simulation's counts as the same where the simulation has a counterpart.
using LayerKey = std::pair<std::uint32_t, std::string>;

std::vector<LayerKey> layer_keys(const PageData& page, const std::vector<Match>& simulations,
                                 std::uint32_t Match::*side) {
  std::vector<LayerKey> keys;
  keys.reserve(page.layers.size());
  for (const PageData::Layer& layer : page.layers) keys.emplace_back(Match::kNone, layer.name);
  for (std::uint32_t i = 0; i < simulations.size(); ++i) {
    if (simulations[i].*side != Match::kNone) keys[page.simulations[simulations[i].*side].layer].first = i;
  }
  return keys;
}

/// Loads before and after on the channels of both; those that the two pages have alike first, as changes.
Json layers_of_both(const PageData& before, const PageData& after, const BothNetworks& both) {
  std::vector<std::vector<double>> old, fresh;
  for (const PageData::Layer& layer : before.layers)
    old.push_back(spread_out(layer.values, nullptr, both.channels));
  for (const PageData::Layer& layer : after.layers)
    fresh.push_back(spread_out(layer.values, &both.channel_of_after, both.channels));
  const std::vector<Match> simulations = matched_simulations(before, after);
  Json changes = Json::array(), plain = Json::array();
  for (const Match& match :
       matched(layer_keys(before, simulations, &Match::before), layer_keys(after, simulations, &Match::after),
               [](const LayerKey& key) { return key; })) {
    if (!match.both()) continue;
    const PageData::Layer& layer = before.layers[match.before];
    std::vector<double> change(both.channels);
    for (std::size_t c = 0; c < change.size(); ++c)
      change[c] = shortened(fresh[match.after][c] - old[match.before][c]);
    changes.push_back(layer_json(layer.name + " (change)", layer.unit, change));
    changes.back()["change"] = true;
  }
  for (std::size_t i = 0; i < old.size(); ++i)
    plain.push_back(layer_json(before.layers[i].name + " (before)", before.layers[i].unit, old[i]));
  for (std::size_t j = 0; j < fresh.size(); ++j)
    plain.push_back(layer_json(after.layers[j].name + " (after)", after.layers[j].unit, fresh[j]));
  changes.insert(changes.end(), plain.begin(), plain.end());
  return changes;
}

Json routing_of_both(const PageData::Routing& routing, const char* when, std::size_t first_layer,
                     const std::vector<std::uint32_t>* channel, const std::vector<std::uint32_t>& terminal) {
  Json json = {{"name", fmt::format("{} ({})", routing.name, when)}};
  if (!routing.failure.empty()) {
    json["failure"] = routing.failure;
    return json;
  }
  json["layer"] = first_layer + routing.layer;
  json["complete"] = routing.complete;
  json["deadlock_free"] = routing.deadlock_free;
  for (std::size_t i = 0; i < std::size(kRoutingNumbers); ++i) {
    if (routing.numbers[i]) json[kRoutingNumbers[i]] = *routing.numbers[i];
  }
  json["levels_are_lanes"] = routing.levels_are_lanes;
  json["pairs_by_level"] = routing.pairs_by_level;
  json["witness"] = Json::array();
  for (const PageData::Step& step : routing.witness) {
    json["witness"].push_back({{"channel", channel == nullptr ? step.channel : (*channel)[step.channel]},
                               {"lane", step.lane},
                               {"source", terminal[step.source]},
                               {"destination", terminal[step.destination]}});
  }
  return json;
}

std::string parts_sentence(const BothNetworks& both, std::size_t routers_before) {
  const auto some = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
  };
  if (both.only_before.empty() && both.only_after.empty() && both.routers_gone.empty() &&
      both.routers == routers_before) {
    return "The network is the same.";
  }
  return fmt::format("Gone: {} and {}. New: {} and {}.", some(both.routers_gone.size(), "router"),
                     some(both.only_before.size(), "channel"), some(both.routers - routers_before, "router"),
                     some(both.only_after.size(), "channel"));
}

/// "Under dfsssp the busiest channel carries 172 pairs of terminals, before 160."
std::string routing_sentence(const PageData::Routing& old, const PageData::Routing& fresh) {
  if (!fresh.failure.empty()) {
    return old.failure.empty() ? fmt::format("{} has no tables any more: {}.", fresh.name, fresh.failure)
                               : "";
  }
  if (!old.failure.empty()) return fmt::format("{} has tables now.", fresh.name);
  constexpr std::size_t kMaxLoad = 3;
  std::string text =
      fmt::format("Under {} the busiest channel carries {} pairs of terminals, before {}", fresh.name,
                  digits(fresh.numbers[kMaxLoad].value_or(0)), digits(old.numbers[kMaxLoad].value_or(0)));
  if (old.deadlock_free != fresh.deadlock_free)
    text += fresh.deadlock_free ? "; it cannot deadlock any more" : "; it CAN DEADLOCK now";
  if (old.complete != fresh.complete)
    text += fresh.complete ? "; no pair is lost any more" : "; it LOSES PAIRS now";
  return text + ".";
}

std::vector<std::string> sentences(const PageData& before, const PageData& after, const BothNetworks& both) {
  std::vector<std::string> said = schedule_sentences(before, after);
  for (const PageData::Routing& fresh : after.routings) {
    const auto old = std::find_if(before.routings.begin(), before.routings.end(),
                                  [&](const PageData::Routing& one) { return one.name == fresh.name; });
    if (old == before.routings.end()) continue;
    if (std::string text = routing_sentence(*old, fresh); !text.empty()) said.push_back(std::move(text));
  }
  for (const auto& more : {simulation_sentences(before, after), algorithm_sentences(before, after),
                           unmatched_sentence(before, after)})
    said.insert(said.end(), more.begin(), more.end());
  said.push_back(parts_sentence(both, before.names.size()));
  return said;
}

std::string document_of(const PageData& before, const PageData& after, const Provenance& provenance,
                        const BothNetworks& both) {
  if (both.channels > kMostChannels) {
    throw InputError(fmt::format("a page takes at most {} channels between routers; both together have {}",
                                 kMostChannels, both.channels));
  }
  Json layers = layers_of_both(before, after, both);
  const std::size_t changes = layers.size() - before.layers.size() - after.layers.size();
  const std::size_t first_after = changes + before.layers.size();
  Json routings = Json::array();
  // each beside what it was, then those that are new
  for (const Match& match :
       matched(before.routings, after.routings, [](const PageData::Routing& one) { return one.name; })) {
    if (match.before != Match::kNone) {
      routings.push_back(routing_of_both(before.routings[match.before], "before", changes, nullptr,
                                         both.terminal_of_before));
    }
    if (match.after != Match::kNone) {
      routings.push_back(routing_of_both(after.routings[match.after], "after", first_after,
                                         &both.channel_of_after, both.terminal_of_after));
    }
  }
  Json document = {{"format", kFormat},
                   {"provenance", provenance_json(provenance)},
                   {"summary", sentences(before, after, both)},
                   {"compare",
                    {{"before", side_json(before)},
                     {"after", side_json(after)},
                     {"only_before", both.only_before},
                     {"only_after", both.only_after},
                     {"simulations", compared_simulations(before, after, {changes, first_after})},
                     {"algorithms", compared_algorithms(before, after)},
                     {"schedules", compared_schedules(before, after)}}},
                   {"network", network_of_both(before, after, both)},
                   {"layers", std::move(layers)},
                   {"routings", std::move(routings)},
                   {"simulations", Json::array()},
                   {"algorithms", Json::array()},
                   {"schedule", nullptr}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::vector<std::string> compared_summary(const PageData& before, const PageData& after) {
  return sentences(before, after, both_networks(before, after));
}

std::string compared_document(const PageData& before, const PageData& after, const Provenance& provenance) {
  return document_of(before, after, provenance, both_networks(before, after));
}

std::string compared_page(const PageData& before, const PageData& after, const Provenance& provenance) {
  const BothNetworks both = both_networks(before, after);
  std::vector<std::string> foot =
      foot_of(provenance, fmt::format("{} before, {} after", before.fabric, after.fabric));
  for (const PageData* page : {&before, &after}) {
    if (!page->provenance.command.empty()) foot.push_back(page->provenance.command);
  }
  return html_page(heading_of(before, after, provenance), sentences(before, after, both), foot,
                   document_of(before, after, provenance, both));
}

}  // namespace unknot::report
