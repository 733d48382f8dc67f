// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace unknot {
namespace {

/// Half a unit of the last decimal that the text shows; 0 for whole numbers, which are exact.
double precision_of(const std::string& text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return 0;
  std::size_t digits = 0;
  while (point + 1 + digits < text.size() && text[point + 1 + digits] >= '0' &&
         text[point + 1 + digits] <= '9') {
    ++digits;
  }
  return 0.5 * std::pow(10.0, -static_cast<double>(digits));
}

/// What follows the last digit: " %", " ms".
std::string unit_of(std::string text) {
  constexpr std::string_view kDerived = " (derived)";
  if (text.ends_with(kDerived)) text.resize(text.size() - kDerived.size());
  const std::size_t digit = text.find_last_of("0123456789");
  return digit == std::string::npos ? "" : text.substr(digit + 1);
}

std::string allowance(const Quantity& published, double tolerance) {
  std::string text;
  if (*published.low != *published.high) {
    // words such as "about 200" do not say which range they are taken for
    text = published.text.find(" to ") == std::string::npos
               ? fmt::format("{:g} to {:g}{}", *published.low, *published.high, unit_of(published.text))
               : "in the range";
  }
  if (tolerance > 0)
    text += fmt::format("{}+-{:.6g}{}", text.empty() ? "" : ", ", tolerance, unit_of(published.text));
  return text;
}

}  // namespace

ReproducedRow compare(std::string label, Quantity published, Quantity ours, Wanted wanted, double tolerance,
                      const Explained& explained) {
  if (!published.low || !published.high || !ours.low || !ours.high) {
    throw std::logic_error("compare() takes numbers and ranges");
  }
  constexpr double kRounding = 1e-9;
  const double precision = precision_of(published.text) + kRounding;
  ReproducedRow row{.label = std::move(label), .published = published, .ours = ours};
  row.allowed = allowance(published, tolerance);
  row.wanted = wanted;
  if (std::abs(*ours.low - *published.low) <= precision &&
      std::abs(*ours.high - *published.high) <= precision) {
    row.verdict = Agreement::equal;
  } else if (*ours.low >= *published.low - tolerance - kRounding &&
             *ours.high <= *published.high + tolerance + kRounding && !row.allowed.empty()) {
    row.verdict = Agreement::within;
  } else if ((wanted == Wanted::lower && *ours.low <= *published.low + precision &&
              *ours.high <= *published.high + precision) ||
             (wanted == Wanted::higher && *ours.low >= *published.low - precision &&
              *ours.high >= *published.high - precision)) {
    row.verdict = Agreement::better;
  } else {
    row.verdict = Agreement::differs;
    const bool covered = (!explained.low || *ours.low >= *explained.low - kRounding) &&
                         (!explained.high || *ours.high <= *explained.high + kRounding);
    if (covered) row.note = explained.why;
  }
  return row;
}

ReproducedRow claim(std::string label, std::string published, std::string ours, bool holds,
                    std::string allowed, std::string why_not) {
  ReproducedRow row{.label = std::move(label),
                    .published = Quantity::words(std::move(published)),
                    .ours = Quantity::words(std::move(ours))};
  row.verdict = !holds ? Agreement::differs : allowed.empty() ? Agreement::equal : Agreement::within;
  row.allowed = std::move(allowed);
  if (!holds) row.note = std::move(why_not);
  return row;
}

ReproducedRow gain_up_to(std::string label, double most, double ours, std::string why_not) {
  const auto words = [](double gain) {
    return fmt::format("{:.1f} % {}", std::abs(gain), gain < 0 ? "worse" : "better");
  };
  ReproducedRow row{.label = std::move(label),
                    .published = Quantity::words("up to " + words(most)),
                    .ours = Quantity::words(words(ours))};
  constexpr double kShown = 0.05;  // of the digits
  row.allowed = "a gain, and no larger one";
  if (ours >= kShown) row.wanted = Wanted::higher;  // what differs is no gain: `allowed` has both ends of it
  row.verdict = ours < kShown           ? Agreement::differs
                : ours <= most + kShown ? Agreement::within
                                        : Agreement::better;
  if (row.verdict == Agreement::differs) row.note = std::move(why_not);
  return row;
}

ReproducedRow shown(std::string label, Quantity ours, std::string note) {
  return {.label = std::move(label),
          .published = Quantity::words("not printed"),
          .ours = std::move(ours),
          .verdict = Agreement::unpublished,
          .note = std::move(note)};
}

ReproducedRow expected(std::string label, std::string ours, bool holds, std::string allowed) {
  ReproducedRow row = shown(std::move(label), Quantity::words(std::move(ours)));
  row.allowed = std::move(allowed);
  if (!holds) row.verdict = Agreement::differs;
  return row;
}

}  // namespace unknot
