// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/read_page.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "unknot/report/column.hpp"
#include "unknot/report/document.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot::report {
namespace {

using nlohmann::json;

constexpr double kMostWhole = 9007199254740992.0;  // 2^53: whole numbers beyond are not those of a page
constexpr std::size_t kMostRoutings = 1000;

[[noreturn]] void not_a_page(const std::string& what) {
  throw InputError(what);
}

const json& member(const json& object, const char* key) {
  if (!object.is_object()) not_a_page(fmt::format("there is no member '{}'", key));
  const auto found = object.find(key);
  if (found == object.end()) not_a_page(fmt::format("there is no member '{}'", key));
  return *found;
}

std::string text_member(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) not_a_page(fmt::format("'{}' is no text", key));
  return value.get<std::string>();
}

bool flag_member(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_boolean()) not_a_page(fmt::format("'{}' is neither true nor false", key));
  return value.get<bool>();
}

double number_member(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    not_a_page(fmt::format("'{}' is no number", key));
  return value.get<double>();
}

std::uint64_t whole_member(const json& object, const char* key, double below = kMostWhole) {
  const double value = number_member(object, key);
  if (value < 0 || value >= below || value != std::floor(value))
    not_a_page(fmt::format("'{}' is out of range", key));
  return static_cast<std::uint64_t>(value);
}

std::vector<std::string> texts_member(const json& object, const char* key) {
  const json& list = member(object, key);
  std::vector<std::string> result;
  if (!list.is_array()) not_a_page(fmt::format("'{}' is no list", key));
  result.reserve(list.size());
  for (const json& item : list) {
    if (!item.is_string()) not_a_page(fmt::format("'{}' does not hold text alone", key));
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::vector<double> reals_member(const json& object, const char* key, std::size_t count) {
  std::vector<double> values = read_column(member(object, key), count, fmt::format("'{}'", key));
  for (const double value : values) {
    if (!std::isfinite(value)) not_a_page(fmt::format("'{}' does not hold numbers alone", key));
  }
  return values;
}

std::vector<std::uint32_t> wholes_member(const json& object, const char* key, std::size_t count,
                                         double below) {
  std::vector<std::uint32_t> result;
  result.reserve(count);
  for (const double value : reals_member(object, key, count)) {
    if (value < 0 || value >= below || value != std::floor(value))
      not_a_page(fmt::format("'{}' holds a number out of range", key));
    result.push_back(static_cast<std::uint32_t>(value));
  }
  return result;
}

void read_network(const json& network, std::size_t channels, PageData& page) {
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

PageData::Routing routing_of(const json& object, const PageData& page) {
  PageData::Routing routing;
  routing.name = text_member(object, "name");
  if (object.contains("failure")) {
    routing.failure = text_member(object, "failure");
    if (routing.failure.empty()) not_a_page("a routing has failed without a reason");
    return routing;
  }
  routing.layer =
      static_cast<std::uint32_t>(whole_member(object, "layer", static_cast<double>(page.layers.size())));
  routing.complete = flag_member(object, "complete");
  routing.deadlock_free = flag_member(object, "deadlock_free");
  routing.levels_are_lanes = flag_member(object, "levels_are_lanes");
  for (const char* key : kRoutingNumbers) {
    const bool may_lack =
        std::string_view(key).ends_with("bandwidth") || std::string_view(key).ends_with("error");
    routing.numbers.push_back(may_lack && !object.contains(key) ? std::nullopt
                                                                : std::optional(number_member(object, key)));
  }
  const json& levels = member(object, "pairs_by_level");
  if (!levels.is_array() || levels.size() > 256) not_a_page("'pairs_by_level' is no list of levels");
  routing.pairs_by_level = reals_member(object, "pairs_by_level", levels.size());
  const json& witness = member(object, "witness");
  if (!witness.is_array()) not_a_page("'witness' is no list");
  const auto channels = static_cast<double>(page.from.size());
  const auto terminals = static_cast<double>(page.terminal_names.size());
  for (const json& step : witness) {
    routing.witness.push_back({static_cast<std::uint32_t>(whole_member(step, "channel", channels)),
                               static_cast<std::uint32_t>(whole_member(step, "lane", 256)),
                               static_cast<std::uint32_t>(whole_member(step, "source", terminals)),
                               static_cast<std::uint32_t>(whole_member(step, "destination", terminals))});
  }
  return routing;
}

PageData page_of(const json& document) {
  if (text_member(document, "format") != kFormat) not_a_page(fmt::format("its format is not {}", kFormat));
  if (document.contains("compare")) not_a_page("it compares two pages itself");
  PageData page;
  const json& provenance = member(document, "provenance");
  page.provenance = {text_member(provenance, "title"), text_member(provenance, "date"),
                     text_member(provenance, "command")};
  page.version = text_member(provenance, "version");
  page.summary = texts_member(document, "summary");
  const json& fabric = member(document, "fabric");
  page.fabric = text_member(fabric, "name");
  page.fail = text_member(fabric, "fail");
  page.terminals = whole_member(fabric, "terminals");
  page.diameter = whole_member(fabric, "diameter");
  page.mean_hops = number_member(fabric, "mean_hops");
  const std::uint64_t channels = whole_member(fabric, "channels", kMostChannels + 1.0);
  read_network(member(document, "network"), channels, page);
  const json& layers = member(document, "layers");
  const json& routings = member(document, "routings");
  if (!layers.is_array() || !routings.is_array() || layers.size() > kMostRoutings ||
      routings.size() > kMostRoutings)
    not_a_page("'layers' and 'routings' are no lists, or too long");
  for (const json& layer : layers) {
    page.layers.push_back(
        {text_member(layer, "name"), text_member(layer, "unit"), reals_member(layer, "values", channels)});
  }
  for (const json& routing : routings) page.routings.push_back(routing_of(routing, page));
  return page;
}

}  // namespace

PageData read_page(std::string_view html, const std::string& file) {
  const std::size_t before = html.find(kDataBegins);
  const std::size_t end = before == std::string_view::npos ? before : html.find("</script>", before);
  if (end == std::string_view::npos)
    throw InputError(fmt::format("{}: this is no page of unknot report", file));
  const std::size_t begin = before + kDataBegins.size();
  const json document = parse_json(html.substr(begin, end - begin), file);
  try {
    return page_of(document);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: this is no page of unknot report that can be compared: {}", file, error.what()));
  }
}

}  // namespace unknot::report
