// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot::cli {
namespace {

Json parameter_json(const Parameter& parameter) {
  Json json = {{"name", parameter.name}, {"kind", kind_name(parameter.kind)}, {"help", parameter.help}};
  json["default"] = parameter.fallback ? Json(*parameter.fallback) : Json();
  if (parameter.kind == ParameterKind::number || parameter.kind == ParameterKind::real ||
      parameter.kind == ParameterKind::list) {
    json["min"] = parameter.min;
    json["max"] = parameter.max;
  }
  if (!parameter.choices.empty()) json["choices"] = parameter.choices;
  return json;
}

Json catalogue_json(const Catalogue& catalogue) {
  Json rows = Json::array();
  for (const ListedRow& row : catalogue.rows) {
    Json json = {{"name", row.name}, {"summary", row.summary}};
    for (const auto& [key, value] : row.facts) json[key] = value;
    if (catalogue.has_parameters) {
      Json parameters = Json::array();
      for (const Parameter& parameter : row.parameters) parameters.push_back(parameter_json(parameter));
      json["parameters"] = std::move(parameters);
    }
    if (!row.examples.empty()) json["examples"] = row.examples;
    rows.push_back(std::move(json));
  }
  return {{catalogue.name, std::move(rows)}};
}

std::string catalogue_text(const Catalogue& catalogue) {
  std::string text;
  std::size_t widest = 0;
  for (const ListedRow& row : catalogue.rows) widest = std::max(widest, row.name.size());
  for (const ListedRow& row : catalogue.rows) {
    text += fmt::format("{:<{}}  {}\n", row.name, widest, row.summary);
    const auto detail = [&](const std::string& line) {
      text += fmt::format("{:<{}}    {}\n", "", widest, line);
    };
    for (const auto& [key, value] : row.facts) {
      if (!value.empty()) detail(fmt::format("{}: {}", key, value));
    }
    for (const Parameter& parameter : row.parameters) detail(parameter_text(parameter));
    if (!row.examples.empty()) detail(fmt::format("for example {}", fmt::join(row.examples, "  ")));
  }
  return text;
}

struct ListOptions {
  std::string catalogue;
};

Answer list(const ListOptions& options, const Common& common) {
  const Catalogue catalogue = find_catalogue(options.catalogue);
  if (common.json) {
    return {kYes, catalogue_json(catalogue), {}};
  }
  if (catalogue.rows.empty()) {
    return {kYes, {}, fmt::format("This version of unknot has no {}.\n", catalogue.name)};
  }
  return {kYes, {}, catalogue_text(catalogue)};
}

Action declare_list(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<ListOptions>();
  app.add_option("CATALOGUE", options->catalogue,
                 fmt::format("One of {}", fmt::join(catalogue_names(), ", ")))
      ->required()
      ->type_name("");
  return [options, &common] { return list(*options, common); };
}

}  // namespace

Command list_row() {
  return {.name = "list",
          .summary = "Print a catalogue: what can be named, and with which parameters",
          .details = "",
          .examples = {"unknot list topologies", "unknot list engines"},
          .declare = declare_list};
}

}  // namespace unknot::cli
