// SPDX-License-Identifier: Apache-2.0
// Operators, ranges and what scala.math has.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "unknot/formats/constellation/scala_evaluator.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// Null where `op` compares nothing.
template <class T>
std::optional<bool> compared(std::string_view op, T a, T b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  return std::nullopt;
}

}  // namespace

std::int64_t ScalaEvaluator::in_range(std::int64_t value, std::uint32_t token) const {
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
    fail(token, fmt::format("expected whole numbers of 32 bits, not {}", value));
  return value;
}

double ScalaEvaluator::number(const ScalaValue& value, std::uint32_t token) const {
  if (const auto* real = value.as<double>()) return *real;
  if (const auto* count = value.as<std::int64_t>()) return static_cast<double>(*count);
  fail(token, "expected a number");
}

ScalaValue ScalaEvaluator::infix(const ScalaNode& node, ScalaScope* scope) {
  const std::string_view op = node.name;
  const ScalaValue a = evaluate(*node.parts[0], scope);
  if (op == "&&" || op == "||") {
    const bool first = truth(a, "a condition");
    if (first == (op == "||")) return {first, node.token};
    return {truth(evaluate(*node.parts[1], scope), "a condition"), node.token};
  }
  const ScalaValue b = evaluate(*node.parts[1], scope);
  if (op == "until" || op == "to") return range(op, a, b, node.token);
  if (op == "by") return stride(a, b, node.token);
  if (op == "++") {
    std::vector<ScalaValue> all = list(a, "a list before ++");
    const std::vector<ScalaValue>& more = list(b, "a list after ++");
    all.insert(all.end(), more.begin(), more.end());
    return make(std::move(all), node.token);
  }
  if (op == "zip") return method(a, op, &b, node.token);
  return arithmetic(op, a, b, node.token);
}

ScalaValue ScalaEvaluator::arithmetic(std::string_view op, const ScalaValue& a, const ScalaValue& b,
                                      std::uint32_t token) {
  if (const bool* x = a.as<bool>()) {
    const bool* y = b.as<bool>();
    if (y == nullptr || (op != "==" && op != "!=")) fail(token, fmt::format("expected numbers for {}", op));
    return {(*x == *y) == (op == "=="), token};
  }
  const auto* x = a.as<std::int64_t>();
  const auto* y = b.as<std::int64_t>();
  if (x == nullptr || y == nullptr) {
    const double p = number(a, token);
    const double q = number(b, token);
    if (const auto result = compared(op, p, q)) return {*result, token};
    if (op == "+") return {p + q, token};
    if (op == "-") return {p - q, token};
    if (op == "*") return {p * q, token};
    if (op == "/") return {p / q, token};
    return {std::fmod(p, q), token};
  }
  if (const auto result = compared(op, *x, *y)) return {*result, token};
  if (op == "+") return {in_range(*x + *y, token), token};
  if (op == "-") return {in_range(*x - *y, token), token};
  if (op == "*") return {in_range(*x * *y, token), token};
  if (*y == 0) fail(token, fmt::format("expected no zero after {}", op));
  if (op == "/") return {in_range(*x / *y, token), token};
  return {*x % *y, token};
}

ScalaValue ScalaEvaluator::range(std::string_view op, const ScalaValue& a, const ScalaValue& b,
                                 std::uint32_t token) {
  const std::int64_t first = whole(a, "the first of a range");
  const std::int64_t end = whole(b, "the end of a range") + (op == "to" ? 1 : 0);
  if (end - first > static_cast<std::int64_t>(kMostElements))
    fail(token, fmt::format("expected a range of at most {} numbers", kMostElements));
  std::vector<ScalaValue> all;
  for (std::int64_t i = first; i < end; ++i) all.push_back({i, token});
  return make(std::move(all), token);
}

ScalaValue ScalaEvaluator::stride(const ScalaValue& a, const ScalaValue& step, std::uint32_t token) {
  const std::vector<ScalaValue>& all = list(a, "a range before by");
  const std::int64_t by = whole(step, "a step");
  if (by <= 0) fail(token, fmt::format("expected a step of at least 1, not {}", by));
  std::vector<ScalaValue> some;
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(by)) some.push_back(all[i]);
  return make(std::move(some), token);
}

std::optional<ScalaValue> ScalaEvaluator::mathematics(std::string_view name, const ScalaNode& node,
                                                      ScalaScope* scope) {
  const std::uint32_t token = node.token;
  const bool two = name == "pow" || name == "max" || name == "min";
  if (!two && name != "floor" && name != "ceil" && name != "log10" && name != "log" && name != "sqrt" &&
      name != "abs")
    return std::nullopt;
  const std::vector<ScalaValue> given = values(node, scope);
  if (given.size() != (two ? 2U : 1U))
    fail(token, fmt::format("expected {} with {} argument{}", name, two ? 2 : 1, two ? "s" : ""));
  const double x = number(given[0], token);
  const double y = two ? number(given[1], token) : 0;
  if (name == "pow") return ScalaValue{std::pow(x, y), token};
  if (name == "max" || name == "min" || name == "abs") {
    const bool first = name == "abs" ? x >= 0 : (x > y) == (name == "max");
    const auto* a = given[0].as<std::int64_t>();
    const auto* b = two ? given[1].as<std::int64_t>() : a;
    if (a != nullptr && b != nullptr)
      return ScalaValue{name == "abs" ? in_range(std::abs(*a), token) : first ? *a : *b, token};
    return ScalaValue{name == "abs" ? std::fabs(x) : first ? x : y, token};
  }
  const double result = name == "floor"   ? std::floor(x)
                        : name == "ceil"  ? std::ceil(x)
                        : name == "log10" ? std::log10(x)
                        : name == "log"   ? std::log(x)
                                          : std::sqrt(x);
  return ScalaValue{result, token};
}

}  // namespace unknot
