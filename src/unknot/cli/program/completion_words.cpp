// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/program/completion_words.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/program/command_line.hpp"

namespace unknot::cli {
namespace {

struct OfCatalogue {
  std::string_view option, catalogue;
};

/// Options whose value is, or begins with, a name of a catalogue.
constexpr std::array kOfCatalogues{
    OfCatalogue{"engine", "engines"},
    OfCatalogue{"solver", "solvers"},
    OfCatalogue{"collective", "collectives"},
    OfCatalogue{"pattern", "patterns"},
    OfCatalogue{"traffic", "patterns"},
    OfCatalogue{"workload", "workloads"},
    OfCatalogue{"preset", "presets"},
    OfCatalogue{"set", "settings"},
    OfCatalogue{"lane-scheme", "lane-schemes"},
    OfCatalogue{"algorithm", "combining"},
    OfCatalogue{"split", "path-sets"},
    OfCatalogue{"injection", "injections"},
    OfCatalogue{"rule", "rules"},
};

std::vector<std::string> names_of(std::string_view catalogue) {
  std::vector<std::string> names;
  for (const ListedRow& row : find_catalogue(catalogue).rows) names.push_back(row.name);
  return names;
}

/// Of formats those that hold what the command writes.
std::vector<std::string> formats_of(const std::string& command) {
  const std::string_view things = command == "topology"   ? "fabrics"
                                  : command == "schedule" ? "schedules"
                                                          : "routes|tables";
  std::vector<std::string> names;
  for (const ListedRow& row : find_catalogue("formats").rows) {
    for (const auto& [key, use] : row.facts) {
      const std::string_view last = std::string_view(use).substr(use.rfind(' ') + 1);
      if (use.find("writes") != std::string::npos && things.find(last) != std::string_view::npos)
        names.push_back(row.name);
    }
  }
  return names;
}

/// "WORD:{a,b}", as the choices of an option are shown, are a and b.
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t open = type.find(":{"), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 2, close - open - 2), ',');
}

std::vector<std::string> values_of(const CLI::Option& option, const std::string& command) {
  std::vector<std::string> values = choices_of(option.get_type_name());
  if (!values.empty()) return values;
  for (const std::string& name : option.get_lnames()) {
    if (name == "format") return formats_of(command);
    for (const auto& [word, catalogue] : kOfCatalogues) {
      if (name == word) return names_of(catalogue);
    }
  }
  return {};
}

std::vector<OptionWords> options_of(const CLI::App& app, const std::string& command) {
  std::vector<OptionWords> options;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional()) continue;
    OptionWords words;
    for (const std::string& name : option->get_lnames()) words.names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) words.names.push_back("-" + name);
    const std::string& text = option->get_description();
    words.description = text.substr(0, text.find('\n'));
    words.takes_value = option->get_items_expected_max() > 0;
    words.values = values_of(*option, command);
    options.push_back(std::move(words));
  }
  return options;
}

std::vector<std::string> operands_of(const CLI::App& app, const std::string& command) {
  if (command == "list") return catalogue_names();
  if (command == "completion") return {"bash", "zsh", "fish"};
  if (command == "reproduce") return names_of("reproductions");
  if (command == "manual") {
    std::vector<std::string> names = catalogue_names();
    for (const Command& row : commands()) names.push_back(row.name);
    return names;
  }
  std::vector<std::string> operands;
  const auto options = app.get_options();
  const bool takes_fabric = std::any_of(options.begin(), options.end(), [](const CLI::Option* option) {
    return !option->nonpositional() && option->get_name(true).starts_with("FABRIC");
  });
  if (takes_fabric) operands = names_of("topologies");
  if (command == "schedule") operands.emplace_back("check");
  return operands;
}

}  // namespace

std::vector<CommandWords> completion_words() {
  CommandLine line;
  std::vector<CommandWords> all{
      {.name = "", .summary = "", .options = options_of(line.app(), ""), .operands = {}}};
  for (std::size_t row = 0; row < commands().size(); ++row) {
    const Command& command = commands()[row];
    const CLI::App& sub = line.subcommand(row);
    all.front().operands.push_back(command.name);
    all.push_back(
        {command.name, command.summary, options_of(sub, command.name), operands_of(sub, command.name)});
  }
  return all;
}

}  // namespace unknot::cli
