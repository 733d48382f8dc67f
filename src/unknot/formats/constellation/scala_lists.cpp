// SPDX-License-Identifier: Apache-2.0
// Lists, what makes them, and members of values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "unknot/formats/constellation/scala_evaluator.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

bool names_lists(std::string_view name) {
  return name == "Seq" || name == "List" || name == "Vector" || name == "IndexedSeq";
}

}  // namespace

std::optional<ScalaValue> ScalaEvaluator::make_list(const ScalaNode& node, ScalaScope* scope) {
  const ScalaNode& callee = *node.parts[0];
  if (callee.kind == ScalaNode::Kind::word) {
    if (callee.name == "Some" || names_lists(callee.name)) {
      std::vector<ScalaValue> elements = values(node, scope);
      if (callee.name == "Some" && elements.size() != 1) fail(node.token, "expected Some of one value");
      return make(std::move(elements), node.token);
    }
    return std::nullopt;
  }
  // Seq.fill(n)(value): a call of a call of a member.
  if (callee.kind != ScalaNode::Kind::call || callee.parts[0]->kind != ScalaNode::Kind::select)
    return std::nullopt;
  const ScalaNode& maker = *callee.parts[0];
  const ScalaNode& object = *maker.parts[0];
  if (object.kind != ScalaNode::Kind::word || !names_lists(object.name)) return std::nullopt;
  const bool function = maker.name == "tabulate";
  if ((!function && maker.name != "fill") || node.arguments.size() != 1)
    fail(maker.token, fmt::format("expected {0}.fill or {0}.tabulate, not .{1}", object.name, maker.name));
  std::vector<std::int64_t> sizes;
  for (const ScalaValue& one : values(callee, scope)) sizes.push_back(whole(one, "a number of elements"));
  if (sizes.empty() || sizes.size() > 2) fail(node.token, "expected one number of elements, or two");
  std::vector<ScalaValue> at;
  return tabulate(sizes, 0, at, node.arguments[0], function, scope, node.token);
}

ScalaValue ScalaEvaluator::tabulate(const std::vector<std::int64_t>& sizes, std::size_t depth,
                                    std::vector<ScalaValue>& at, ScalaPart& body, bool function,
                                    ScalaScope* scope, std::uint32_t token) {
  if (depth == sizes.size()) {
    if (function) return apply(evaluate(body, scope), at, token);
    return evaluate(body, scope);
  }
  if (sizes[depth] > static_cast<std::int64_t>(kMostElements))
    fail(token, fmt::format("expected at most {} elements", kMostElements));
  std::vector<ScalaValue> all;
  for (std::int64_t i = 0; i < sizes[depth]; ++i) {
    at.push_back({i, token});
    all.push_back(tabulate(sizes, depth + 1, at, body, function, scope, token));
    at.pop_back();
  }
  return make(std::move(all), token);
}

ScalaValue ScalaEvaluator::method(const ScalaValue& value, std::string_view name, const ScalaValue* argument,
                                  std::uint32_t token) {
  step(token);
  std::optional<ScalaValue> result;
  if (const auto* elements = value.as<ScalaList>()) {
    result = list_method(**elements, name, argument, token);
  } else if (const auto* tuple = value.as<ScalaTuple>()) {
    const std::size_t place = name == "_1" ? 0 : name == "_2" ? 1 : name == "_3" ? 2 : tuple->parts->size();
    if (place < tuple->parts->size()) result = (*tuple->parts)[place];
  } else if (const auto* record = value.as<ScalaRecord>()) {
    result = member(*record, name, token);
  } else if (const auto* count = value.as<std::int64_t>()) {
    if (name == "toInt") result = value;
    if (name == "toDouble") result = ScalaValue{static_cast<double>(*count), token};
    if (name == "abs") result = ScalaValue{in_range(std::abs(*count), token), token};
  } else if (const auto* real = value.as<double>()) {
    if (name == "toDouble") result = value;
    if (name == "abs") result = ScalaValue{std::fabs(*real), token};
    if (name == "toInt") {
      if (!(std::fabs(*real) < 2147483648.0)) fail(token, "expected a number of 32 bits before .toInt");
      result = ScalaValue{static_cast<std::int64_t>(*real), token};
    }
  }
  if (!result) fail(token, fmt::format("expected a member that is known here, not .{}", name));
  return *result;
}

std::optional<ScalaValue> ScalaEvaluator::list_method(const std::vector<ScalaValue>& list,
                                                      std::string_view name, const ScalaValue* argument,
                                                      std::uint32_t token) {
  const auto each = [&](const ScalaValue& element) { return apply(*argument, {element}, token); };
  std::vector<ScalaValue> made;
  const auto append = [&](const ScalaValue& part) {
    const std::vector<ScalaValue>& some = this->list(part, "a list of lists");
    made.insert(made.end(), some.begin(), some.end());
    if (made.size() > kMostElements) fail(token, fmt::format("expected at most {} elements", kMostElements));
  };
  if (argument == nullptr) {
    if (name == "size" || name == "length") return ScalaValue{static_cast<std::int64_t>(list.size()), token};
    if (name == "toSeq" || name == "toList" || name == "toVector") return make(list, token);
    if (name == "reverse") return make({list.rbegin(), list.rend()}, token);
    if (name == "flatten") {
      for (const ScalaValue& one : list) append(one);
      return make(std::move(made), token);
    }
    if (name == "zipWithIndex") {
      for (std::size_t i = 0; i < list.size(); ++i) {
        const ScalaValue pair = make({list[i], {static_cast<std::int64_t>(i), token}}, token);
        made.push_back({ScalaTuple{*pair.as<ScalaList>()}, token});
      }
      return make(std::move(made), token);
    }
    if (name == "sum" || name == "max" || name == "min") {
      if (list.empty() && name != "sum")
        fail(token, fmt::format("expected a list with elements before .{}", name));
      std::int64_t result = name == "sum" ? 0 : whole(list.front(), "an element");
      for (const ScalaValue& one : list) {
        const std::int64_t element = whole(one, "an element");
        result = name == "sum"   ? in_range(result + element, token)
                 : name == "max" ? std::max(result, element)
                                 : std::min(result, element);
      }
      return ScalaValue{result, token};
    }
    return std::nullopt;
  }
  if (name == "map") {
    made.reserve(list.size());
    for (const ScalaValue& one : list) made.push_back(each(one));
    return make(std::move(made), token);
  }
  if (name == "flatMap") {
    for (const ScalaValue& one : list) append(each(one));
    return make(std::move(made), token);
  }
  if (name == "filter" || name == "filterNot") {
    for (const ScalaValue& one : list)
      if (truth(each(one), "a condition") == (name == "filter")) made.push_back(one);
    return make(std::move(made), token);
  }
  if (name == "contains") {
    const std::int64_t wanted = whole(*argument, "an element to look for");
    return ScalaValue{std::any_of(list.begin(), list.end(),
                                  [&](const ScalaValue& one) { return whole(one, "an element") == wanted; }),
                      token};
  }
  if (name == "take" || name == "drop") {
    const auto count = std::clamp<std::int64_t>(whole(*argument, "a number of elements"), 0,
                                                static_cast<std::int64_t>(list.size()));
    if (name == "take") return make({list.begin(), list.begin() + count}, token);
    return make({list.begin() + count, list.end()}, token);
  }
  if (name == "zip") {
    const std::vector<ScalaValue>& other = this->list(*argument, "a list after zip");
    for (std::size_t i = 0; i < std::min(list.size(), other.size()); ++i) {
      const ScalaValue pair = make({list[i], other[i]}, token);
      made.push_back({ScalaTuple{*pair.as<ScalaList>()}, token});
    }
    return make(std::move(made), token);
  }
  return std::nullopt;
}

}  // namespace unknot
