// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/floogen_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/yaml.hpp"

namespace unknot {
namespace {

class PlanReader {
 public:
  explicit PlanReader(const std::string& file) : file_(file) {}

  FloogenPlan run(std::string_view text) {
    const YamlValue document = parse_yaml(text, file_);
    if (document.kind != Kind::mapping) fail(document, "expected FlooGen's mapping with 'routers'");
    for_list(document, "routers", true, [&](const YamlValue& one) { plan_.routers.push_back(routers(one)); });
    for_list(document, "endpoints", true,
             [&](const YamlValue& one) { plan_.endpoints.push_back(endpoints(one)); });
    for_list(document, "connections", false,
             [&](const YamlValue& one) { plan_.connections.push_back(connection(one)); });
    const YamlValue* type = given(document, "network_type");
    plan_.axi = type != nullptr && type->kind == Kind::scalar && type->text == "axi";
    const YamlValue* routing = given(document, "routing");
    const YamlValue* algorithm =
        routing != nullptr && routing->kind == Kind::mapping ? given(*routing, "route_algo") : nullptr;
    if (algorithm != nullptr && algorithm->kind == Kind::scalar) {
      plan_.algorithm = algorithm->text;
      plan_.algorithm_line = algorithm->line;
    }
    return std::move(plan_);
  }

 private:
  using Kind = YamlValue::Kind;
  static constexpr std::uint32_t kMost = 1000000;

  [[noreturn]] void fail(const YamlValue& at, const std::string& message) const {
    throw InputError(file_, at.line, message);
  }

  template <class Take>
  void for_list(const YamlValue& document, std::string_view key, bool needed, const Take& take) const {
    const YamlValue* list = given(document, key);
    if (list == nullptr && !needed) return;
    if (list == nullptr || list->kind != Kind::sequence)
      fail(list == nullptr ? document : *list, fmt::format("expected a list '{}'", key));
    for (const YamlValue& one : list->items) {
      if (one.kind != Kind::mapping) fail(one, fmt::format("expected a mapping in '{}'", key));
      take(one);
    }
  }

  /// The member, where it is there and not null.
  static const YamlValue* given(const YamlValue& from, std::string_view key) {
    const YamlValue* value = from.find(key);
    const bool none =
        value == nullptr ||
        (value->kind == Kind::scalar && (value->text.empty() || value->text == "null" || value->text == "~"));
    return none ? nullptr : value;
  }
  std::string name(const YamlValue& from, std::string_view key) const {
    const YamlValue* value = given(from, key);
    if (value == nullptr || value->kind != Kind::scalar)
      fail(value == nullptr ? from : *value, fmt::format("expected a name, '{}: NAME'", key));
    return value->text;
  }
  std::uint32_t number(const YamlValue& value, std::string_view what, std::uint32_t least) const {
    Cursor cursor(value.text);
    const auto found = cursor.decimal(kMost);
    if (value.kind != Kind::scalar || !found || *found < least || !cursor.at_end()) {
      fail(value, fmt::format("{}: expected a whole number from {} to {}{}", what, least, kMost,
                              value.kind == Kind::scalar ? ", not " + place_shown(value.text) : ""));
    }
    return static_cast<std::uint32_t>(*found);
  }
  /// One number or a list of them.
  std::vector<std::uint32_t> numbers(const YamlValue& from, std::string_view key, std::uint32_t least) const {
    std::vector<std::uint32_t> all;
    const YamlValue* value = given(from, key);
    if (value == nullptr) return all;
    if (value->kind == Kind::scalar) return {number(*value, key, least)};
    if (value->kind != Kind::sequence || value->items.empty())
      fail(*value, fmt::format("{}: expected a list of numbers", key));
    all.reserve(value->items.size());
    for (const YamlValue& one : value->items) all.push_back(number(one, key, least));
    return all;
  }
  bool truth(const YamlValue& from, std::string_view key, bool otherwise) const {
    const YamlValue* value = given(from, key);
    if (value == nullptr) return otherwise;
    std::string word = value->text;
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word == "true" || word == "yes" || word == "on") return true;
    if (word == "false" || word == "no" || word == "off") return false;
    fail(*value, fmt::format("{}: expected true or false, not {}", key, place_shown(value->text)));
  }

  /// `xy_id_offset: {x: 1, y: -1}`.
  FloogenPlan::Place offset(const YamlValue& from) const {
    FloogenPlan::Place place;
    const YamlValue* value = given(from, "xy_id_offset");
    if (value == nullptr || value->kind != Kind::mapping) return place;
    const auto coordinate = [&](std::string_view key) {
      const YamlValue* one = given(*value, key);
      if (one == nullptr) return 0;
      YamlValue positive = *one;
      const bool below = positive.text.starts_with('-');
      if (below) positive.text.erase(0, 1);
      const auto size = static_cast<std::int32_t>(number(positive, key, 0));
      return below ? -size : size;
    };
    place.x = coordinate("x");
    place.y = coordinate("y");
    return place;
  }

  FloogenPlan::Routers routers(const YamlValue& from) const {
    FloogenPlan::Routers one;
    one.line = from.line;
    one.name = name(from, "name");
    one.array = numbers(from, "array", 1);
    one.tree = numbers(from, "tree", 1);
    one.joined = truth(from, "auto_connect", true);
    if (!one.array.empty() && !one.tree.empty()) fail(from, "routers are an array or a tree, not both");
    if (!one.array.empty() && one.array.size() != 2)
      fail(*from.find("array"), "array: expected two sizes of routers, such as [4, 4]");
    one.offset = offset(from);
    if (const YamlValue* degree = given(from, "degree")) one.degree = number(*degree, "degree", 1);
    return one;
  }

  FloogenPlan::Endpoints endpoints(const YamlValue& from) const {
    FloogenPlan::Endpoints one;
    one.line = from.line;
    one.name = name(from, "name");
    one.array = numbers(from, "array", 1);
    one.asks = given(from, "mgr_port_protocol") != nullptr;
    one.answers = given(from, "sbr_port_protocol") != nullptr;
    one.offset = offset(from);
    if (one.array.size() > 2) fail(*from.find("array"), "array: expected one or two sizes of endpoints");
    return one;
  }

  std::uint32_t direction(const YamlValue& value, std::string_view key) const {
    std::string word = value.text;
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    static constexpr std::array<std::string_view, 5> kNames = {"north", "east", "south", "west", "eject"};
    const auto* const found = std::find(kNames.begin(), kNames.end(), word);
    if (found != kNames.end()) return static_cast<std::uint32_t>(found - kNames.begin());
    Cursor cursor(word);
    const auto port = cursor.decimal(kMost);
    if (!port || !cursor.at_end()) {
      fail(value, fmt::format("{}: expected North, East, South, West, Eject or the number of a port, not {}",
                              key, place_shown(value.text)));
    }
    return static_cast<std::uint32_t>(*port);
  }

  FloogenPlan::Side side(const YamlValue& from, const std::string& which) const {
    FloogenPlan::Side one;
    one.line = from.line;
    one.name = name(from, which);
    one.index = numbers(from, which + "_idx", 0);
    if (const YamlValue* level = given(from, which + "_lvl")) one.level = number(*level, which + "_lvl", 0);
    if (const YamlValue* port = given(from, which + "_dir")) one.direction = direction(*port, which + "_dir");
    if (const YamlValue* range = given(from, which + "_range")) {
      if (range->kind != Kind::sequence || range->items.empty())
        fail(*range, fmt::format("{}_range: expected a list of pairs, such as [0, 3]", which));
      for (const YamlValue& pair : range->items) {
        if (pair.kind != Kind::sequence || pair.items.size() != 2)
          fail(pair, fmt::format("{}_range: expected a pair of numbers, such as [0, 3]", which));
        one.range.push_back(
            {number(pair.items[0], which + "_range", 0), number(pair.items[1], which + "_range", 0)});
      }
    }
    if ((one.index.empty() ? 0 : 1) + (one.range.empty() ? 0 : 1) + (one.level ? 1 : 0) > 1)
      fail(from, fmt::format("expected one of {0}_idx, {0}_range and {0}_lvl", which));
    return one;
  }

  FloogenPlan::Connection connection(const YamlValue& from) const {
    if (!truth(from, "bidirectional", true))
      fail(from, "bidirectional: false is not a connection that FlooGen makes");
    return {side(from, "src"), side(from, "dst"), truth(from, "allow_multi", false), from.line};
  }

  const std::string& file_;
  FloogenPlan plan_;
};

}  // namespace

FloogenPlan read_floogen_plan(std::string_view text, const std::string& file) {
  return PlanReader(file).run(text);
}

}  // namespace unknot
