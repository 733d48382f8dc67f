// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/size.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMaxListLength = 64;

bool same_letter(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return lower(a) == lower(b);
}

/// Levenshtein distance; names are short.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t keep = diagonal + (same_letter(a[i], b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({keep, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

double parse_number(const std::string& where, const Parameter& p, std::string_view text) {
  const bool whole = p.kind != ParameterKind::real;
  auto read = number_in<double>(text);
  if (!read && whole) read = size_in(text);
  const double value = read.value_or(std::numeric_limits<double>::infinity());
  if (!std::isfinite(value) || (whole && value != std::floor(value))) {
    throw InputError(fmt::format("{}: '{}' is not a {}", where, text, whole ? "whole number" : "number"));
  }
  if (value < p.min || value > p.max) {
    throw InputError(fmt::format("{}: {} is outside {} to {}", where, text, p.min, p.max));
  }
  return value;
}

}  // namespace

std::string near_names(std::string_view wrong, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(wrong, name);
    const bool prefix = wrong.size() >= 3 && name.starts_with(wrong);
    const std::size_t length = std::max(wrong.size(), name.size());
    if (distance <= (length < 4 ? 1 : std::max<std::size_t>(2, length / 3)) || prefix) {
      near.emplace_back(distance, name);
    }
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  if (near.size() > 3) near.resize(3);
  if (near.empty()) return "";
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : " or ", near[i].second);
  return text + "?";
}

std::string near_or_all_names(std::string_view wrong, const std::vector<std::string>& names) {
  const std::string near = near_names(wrong, names);
  return near.empty() ? fmt::format("there are: {}", fmt::join(names, ", ")) : near;
}

void refuse_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                 std::string_view listing) {
  std::string hint = listing.empty() ? near_or_all_names(name, names) : near_names(name, names);
  if (hint.empty()) hint = fmt::format("'{}' names them all", listing);
  throw InputError(fmt::format("unknown {} '{}'; {}", kind, name, hint));
}

Parameters parse_parameters(const std::string& what, std::span<const Parameter> row, std::string_view text) {
  Parameters result;
  for (const Parameter& p : row) result.values_.push_back({&p, false, 0, {}, ""});

  const auto assign = [&](Parameters::Value& value, std::string_view given) {
    const Parameter& p = *value.parameter;
    const std::string where = fmt::format("{}, parameter {}", what, p.name);
    value.present = true;
    value.text = given;
    switch (p.kind) {
      case ParameterKind::number:
      case ParameterKind::real:
        value.real = parse_number(where, p, given);
        break;
      case ParameterKind::flag:
        if (given != "0" && given != "1")
          throw InputError(fmt::format("{}: expected 0 or 1, not '{}'", where, given));
        value.real = given == "1" ? 1 : 0;
        break;
      case ParameterKind::list:
        value.list.clear();
        for (std::string_view rest = given;;) {
          const std::size_t cut = rest.find('x');
          value.list.push_back(static_cast<std::uint32_t>(parse_number(where, p, rest.substr(0, cut))));
          if (value.list.size() > kMaxListLength) {
            throw InputError(fmt::format("{}: more than {} values", where, kMaxListLength));
          }
          if (cut == std::string_view::npos) break;
          rest.remove_prefix(cut + 1);
        }
        break;
      case ParameterKind::text:
        if (!p.choices.empty() && std::find(p.choices.begin(), p.choices.end(), given) == p.choices.end()) {
          throw InputError(
              fmt::format("{}: expected one of {}, not '{}'", where, fmt::join(p.choices, ", "), given));
        }
        break;
      case ParameterKind::rest:
        break;
    }
  };

  std::vector<bool> written(row.size(), false);
  const auto refuse_twice = [&](std::size_t index) {
    if (written[index])
      throw InputError(fmt::format("{}: parameter {} is given twice", what, row[index].name));
    written[index] = true;
  };
  std::size_t next_positional = 0;
  while (!text.empty()) {
    const std::string_view left = text;
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (item.empty()) throw InputError(fmt::format("{}: empty parameter (two commas in a row?)", what));
    const std::size_t equals = item.find('=');
    std::string_view key = item.substr(0, equals);
    std::size_t index = row.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].name == key) index = i;
    }
    const bool named = equals != std::string_view::npos && index < row.size();
    if (!named && next_positional < row.size() && row[next_positional].kind == ParameterKind::rest) {
      index = next_positional++;  // whatever follows belongs to it, key=value included
      refuse_twice(index);
      assign(result.values_[index], left);
      break;
    }
    std::string_view value = "1";  // a bare flag
    if (equals != std::string_view::npos) {
      value = item.substr(equals + 1);
      if (index == row.size()) {
        std::vector<std::string> names;
        for (const Parameter& p : row) names.push_back(p.name);
        const std::string near = near_names(key, names);
        throw InputError(fmt::format("{} has no parameter '{}'; {}", what, key,
                                     !near.empty()   ? near
                                     : names.empty() ? "it has none"
                                                     : fmt::format("it has: {}", fmt::join(names, ", "))));
      }
    } else if (index == row.size() || row[index].kind != ParameterKind::flag) {
      if (next_positional >= row.size())
        throw InputError(fmt::format("{}: too many values at '{}'", what, item));
      index = next_positional++;
      value = item;
    }
    refuse_twice(index);
    if (row[index].kind == ParameterKind::rest) {
      assign(result.values_[index], left.substr(equals + 1));
      break;
    }
    assign(result.values_[index], value);
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (written[i]) continue;
    if (!row[i].fallback) {
      throw InputError(fmt::format("{}: parameter {} is missing ({})", what, row[i].name, row[i].help));
    }
    if (!row[i].fallback->empty()) assign(result.values_[i], *row[i].fallback);
  }
  return result;
}

const Parameters::Value& Parameters::find(std::string_view name, ParameterKind kind) const {
  for (const Value& value : values_) {
    if (value.parameter->name == name && value.parameter->kind == kind) return value;
  }
  throw std::logic_error(fmt::format("no such parameter of this kind in the row: {}", name));
}

std::uint64_t Parameters::number(std::string_view name) const {
  return static_cast<std::uint64_t>(find(name, ParameterKind::number).real);
}
std::uint32_t Parameters::number32(std::string_view name) const {
  return static_cast<std::uint32_t>(number(name));
}
double Parameters::real(std::string_view name) const {
  return find(name, ParameterKind::real).real;
}
const std::vector<std::uint32_t>& Parameters::list(std::string_view name) const {
  return find(name, ParameterKind::list).list;
}
const Parameters::Value& Parameters::find_text(std::string_view name) const {
  for (const Value& value : values_) {
    if (value.parameter->name == name && value.parameter->kind == ParameterKind::rest) return value;
  }
  return find(name, ParameterKind::text);
}
const std::string& Parameters::text(std::string_view name) const {
  return find_text(name).text;
}
bool Parameters::flag(std::string_view name) const {
  return find(name, ParameterKind::flag).real != 0;
}
bool Parameters::has(std::string_view name) const {
  return std::any_of(values_.begin(), values_.end(),
                     [&](const Value& value) { return value.parameter->name == name && value.present; });
}
std::string Parameters::words() const {
  std::string text;
  for (const Value& value : values_) {
    if (value.present)
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", value.parameter->name, value.text);
  }
  return text;
}

}  // namespace unknot
