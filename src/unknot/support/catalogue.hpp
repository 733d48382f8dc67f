// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/support/parameters.hpp"

namespace unknot {

/// What users write for a row of a catalogue, "name:key=value,...": what stands before the first colon, and
/// after it.
struct Spec {
  std::string_view name, parameters;
};
constexpr Spec split_spec(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  return colon == std::string_view::npos ? Spec{spec, ""}
                                         : Spec{spec.substr(0, colon), spec.substr(colon + 1)};
}

/// What rows of all catalogues have: beside it each kind has functions of its own. `aliases`, where a kind
/// has them, are further names.
template <class Row>
concept NamedRow = requires(const Row& row) {
  { row.name } -> std::convertible_to<std::string_view>;
};
/// Rows of what is told how, by parameters.
template <class Row>
concept CatalogueRow = NamedRow<Row> && requires(const Row& row) {
  { row.summary } -> std::convertible_to<std::string_view>;
  { row.parameters } -> std::convertible_to<const std::vector<Parameter>&>;
};

/// Row of a catalogue by its name or an alias; null where there is none. O(rows).
template <NamedRow Row>
const Row* look_up_row(const std::vector<Row>& rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    if constexpr (requires { row.aliases; }) {
      if (std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end()) return true;
    }
    return row.name == name;
  });
  return found == rows.end() ? nullptr : &*found;
}

/// The same; where there is none, InputError: "unknown <kind> '<name>'", with the near names or all. Where
/// there are too many for a line, `listing` is the command that lists them. O(rows).
template <NamedRow Row>
const Row& find_row(const std::vector<Row>& rows, std::string_view kind, std::string_view name,
                    std::string_view listing = {}) {
  if (const Row* row = look_up_row(rows, name)) return *row;
  std::vector<std::string> names;
  for (const Row& row : rows) {
    names.push_back(row.name);
    if constexpr (requires { row.aliases; })
      names.insert(names.end(), row.aliases.begin(), row.aliases.end());
  }
  refuse_name(kind, name, names, listing);
}

/// A row, and the values of its parameters.
template <CatalogueRow Row>
struct Chosen {
  const Row* row = nullptr;
  Parameters parameters;
};

/// What a spec names. InputError as find_row() and parse_parameters() do.
template <CatalogueRow Row>
Chosen<Row> choose_row(const std::vector<Row>& rows, std::string_view kind, std::string_view spec,
                       std::string_view listing = {}) {
  const auto [name, parameters] = split_spec(spec);
  const Row& row = find_row(rows, kind, name, listing);
  return {&row, parse_parameters(std::string(kind) + " " + row.name, row.parameters, parameters)};
}

/// Why a row cannot take something, a network or a problem: one sentence, empty where it can. Rows without
/// `unsuitable` take all.
template <class Row, class Subject>
std::string refusal(const Row& row, const Subject& subject) {
  return row.unsuitable ? row.unsuitable(subject) : std::string();
}

}  // namespace unknot
