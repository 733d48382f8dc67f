// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace unknot {

Quantity Quantity::number(double value, int digits, const std::string& unit) {
  return {fmt::format("{:.{}f}{}", value, digits, unit), value, value};
}

Quantity Quantity::range(double low, double high, int digits, const std::string& unit) {
  if (low == high) return number(low, digits, unit);
  return {fmt::format("{:.{}f} to {:.{}f}{}", low, digits, high, digits, unit), low, high};
}

const char* agreement_name(Agreement agreement) {
  switch (agreement) {
    case Agreement::equal:
      return "equal";
    case Agreement::within:
      return "within";
    case Agreement::better:
      return "better";
    case Agreement::differs:
      return "differs";
    case Agreement::unpublished:
      return "unpublished";
  }
  return "";
}

const char* wanted_name(Wanted wanted) {
  return wanted == Wanted::lower ? "lower" : wanted == Wanted::higher ? "higher" : "equal";
}

namespace {

/// What decided on a row's verdict; "" where the verdict says it already.
std::string ground_of(const ReproducedRow& row) {
  const bool either = row.wanted != Wanted::same;
  switch (row.verdict) {
    case Agreement::within:
      return row.allowed;
    case Agreement::better:
      return fmt::format("{} wanted{}{}", wanted_name(row.wanted),
                         row.allowed.empty() ? "" : ", allowed: ", row.allowed);
    case Agreement::differs:
      if (row.allowed.empty())
        return fmt::format("equal{}{} wanted", either ? " or " : "", either ? wanted_name(row.wanted) : "");
      return fmt::format("allowed: {}{}{}", row.allowed, either ? ", or " : "",
                         either ? wanted_name(row.wanted) : "");
    case Agreement::equal:
    case Agreement::unpublished:
      break;
  }
  return "";
}

}  // namespace

std::string verdict_text(const ReproducedRow& row) {
  std::string text = agreement_name(row.verdict);
  if (const std::string ground = ground_of(row); !ground.empty()) text += fmt::format(" ({})", ground);
  if (row.modelled) text += ", modelled";
  if (row.timed) text += ", timed";
  return text;
}

NumberedNotes number_notes(const std::vector<ReproducedRow>& rows) {
  NumberedNotes result;
  for (const ReproducedRow& row : rows) {
    const auto known = std::find(result.notes.begin(), result.notes.end(), row.note);
    result.of_row.push_back(row.note.empty() ? 0
                                             : static_cast<std::size_t>(known - result.notes.begin()) + 1);
    if (!row.note.empty() && known == result.notes.end()) result.notes.push_back(row.note);
  }
  return result;
}

}  // namespace unknot
