// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/compare/read_page.hpp"

#include <fmt/format.h>

#include "unknot/report/compare/members.hpp"
#include "unknot/report/compare/read_parts.hpp"
#include "unknot/report/document.hpp"
#include "unknot/report/page.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot::report {
namespace {

void read_network(const nlohmann::json& network, std::size_t channels, PageData& page) {
  page.layout = text_member(network, "layout");
  page.bent = flag_member(network, "bent");
  page.names = texts_member(network, "names");
  page.groups = texts_member(network, "groups");
  page.terminal_names = texts_member(network, "terminal_names");
  const std::size_t routers = page.names.size();
  page.x = reals_member(network, "x", routers);
  page.y = reals_member(network, "y", routers);
  page.homes = wholes_member(network, "terminals", routers, 4e9);
  std::uint64_t terminals = 0;
  for (const std::uint32_t here : page.homes) terminals += here;
  if (terminals != page.terminal_names.size())
    not_a_page("'terminal_names' is not as long as there are terminals");
  if (!page.groups.empty())
    page.group = wholes_member(network, "group", routers, static_cast<double>(page.groups.size()));
  page.from = wholes_member(network, "from", channels, static_cast<double>(routers));
  page.to = wholes_member(network, "to", channels, static_cast<double>(routers));
  page.from_port = wholes_member(network, "from_port", channels, 65536);
  page.to_port = wholes_member(network, "to_port", channels, 65536);
}

PageData::Routing routing_of(const nlohmann::json& object, const PageData& page) {
  PageData::Routing routing;
  routing.name = text_member(object, "name");
  if (object.contains("failure")) {
    routing.failure = text_member(object, "failure");
    if (routing.failure.empty()) not_a_page("a routing has failed without a reason");
    return routing;
  }
  routing.layer = id_member(object, "layer", static_cast<double>(page.layers.size()));
  routing.complete = flag_member(object, "complete");
  routing.deadlock_free = flag_member(object, "deadlock_free");
  routing.levels_are_lanes = flag_member(object, "levels_are_lanes");
  for (const char* key : kRoutingNumbers) {
    const bool may_lack =
        std::string_view(key).ends_with("bandwidth") || std::string_view(key).ends_with("error");
    routing.numbers.push_back(may_lack && !object.contains(key) ? std::nullopt
                                                                : std::optional(number_member(object, key)));
  }
  routing.pairs_by_level =
      reals_member(object, "pairs_by_level", list_member(object, "pairs_by_level", 256).size());
  const auto channels = static_cast<double>(page.from.size());
  const auto terminals = static_cast<double>(page.terminal_names.size());
  for (const nlohmann::json& step : list_member(object, "witness")) {
    routing.witness.push_back({id_member(step, "channel", channels), id_member(step, "lane", 256),
                               id_member(step, "source", terminals),
                               id_member(step, "destination", terminals)});
  }
  return routing;
}

PageData page_of(const nlohmann::json& document) {
  if (text_member(document, "format") != kFormat) not_a_page(fmt::format("its format is not {}", kFormat));
  if (document.contains("compare")) not_a_page("it compares two pages itself");
  PageData page;
  const nlohmann::json& provenance = member(document, "provenance");
  page.provenance = {text_member(provenance, "title"), text_member(provenance, "date"),
                     text_member(provenance, "command")};
  page.version = text_member(provenance, "version");
  page.summary = texts_member(document, "summary");
  const nlohmann::json& fabric = member(document, "fabric");
  page.fabric = text_member(fabric, "name");
  page.fail = text_member(fabric, "fail");
  page.terminals = whole_member(fabric, "terminals");
  page.diameter = whole_member(fabric, "diameter");
  page.mean_hops = number_member(fabric, "mean_hops");
  const std::uint64_t channels = whole_member(fabric, "channels", kMostChannels + 1.0);
  read_network(member(document, "network"), channels, page);
  // each routing has a layer, and another where it is simulated
  for (const nlohmann::json& layer : list_member(document, "layers", 2 * kMostParts)) {
    page.layers.push_back(
        {text_member(layer, "name"), text_member(layer, "unit"), reals_member(layer, "values", channels)});
  }
  for (const nlohmann::json& routing : list_member(document, "routings", kMostParts))
    page.routings.push_back(routing_of(routing, page));
  for (const nlohmann::json& one : list_member(document, "simulations", kMostParts))
    page.simulations.push_back(read_simulation(one, page.layers.size()));
  for (const nlohmann::json& one : list_member(document, "algorithms", kMostParts))
    page.algorithms.push_back(read_contest(one));
  if (const nlohmann::json& schedule = member(document, "schedule"); !schedule.is_null())
    page.schedule = read_schedule(schedule);
  return page;
}

}  // namespace

PageData read_page(std::string_view html, const std::string& file) {
  const std::size_t before = html.find(kDataBegins);
  const std::size_t end = before == std::string_view::npos ? before : html.find("</script>", before);
  if (end == std::string_view::npos)
    throw InputError(fmt::format("{}: this is no page of unknot report", file));
  const std::size_t begin = before + kDataBegins.size();
  const nlohmann::json document = parse_json(html.substr(begin, end - begin), file);
  try {
    return page_of(document);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: this is no page of unknot report that can be compared: {}", file, error.what()));
  }
}

}  // namespace unknot::report
