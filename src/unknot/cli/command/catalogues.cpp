// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/command/catalogues.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "unknot/support/error.hpp"

namespace unknot::cli {

std::string format_use(const std::string& things, bool reads, bool writes) {
  return fmt::format("{}{}{} {}", reads ? "reads" : "", reads && writes ? " and " : "",
                     writes ? "writes" : "", things);
}

const std::vector<std::string>& catalogue_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const CatalogueSource& source : catalogues()) all.push_back(source.name);
    return all;
  }();
  return names;
}

Catalogue find_catalogue(std::string_view name) {
  for (const CatalogueSource& source : catalogues()) {
    if (source.name == name) return {source.name, source.rows(), source.has_parameters};
  }
  throw InputError(
      fmt::format("there is no catalogue '{}'; {}", name, near_or_all_names(name, catalogue_names())));
}

std::string row_names(std::string_view catalogue) {
  std::vector<std::string> names;
  for (const ListedRow& row : find_catalogue(catalogue).rows) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string kind_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::number:
      return "number";
    case ParameterKind::real:
      return "real";
    case ParameterKind::list:
      return "list";
    case ParameterKind::text:
      return "text";
    case ParameterKind::flag:
      return "flag";
    case ParameterKind::rest:
      return "rest";
  }
  return "";
}

std::string parameter_text(const Parameter& parameter) {
  std::string value;
  switch (parameter.kind) {
    case ParameterKind::number:
      value = "=N";
      break;
    case ParameterKind::real:
      value = "=X";
      break;
    case ParameterKind::list:
      value = "=AxBx..";
      break;
    case ParameterKind::text:
      value = parameter.choices.empty() ? "=TEXT" : fmt::format("={}", fmt::join(parameter.choices, "|"));
      break;
    case ParameterKind::flag:
      value = "=0|1";
      break;
    case ParameterKind::rest:
      value = "=TEXT (last)";
      break;
  }
  std::string text = fmt::format("{}{}  {}", parameter.name, value, parameter.help);
  if (!parameter.fallback) {
    text += " (required)";
  } else if (!parameter.fallback->empty()) {
    text += fmt::format(" (default {})", *parameter.fallback);
  }
  return text;
}

}  // namespace unknot::cli
