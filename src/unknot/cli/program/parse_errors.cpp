// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/program/parse_errors.hpp"

#include <fmt/format.h>

#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot::cli {

void refuse_extras(const CLI::App& app, const std::string& where) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  const std::string& first = extras.front();
  if (first.size() < 2 || first[0] != '-') {
    throw InputError(fmt::format("unexpected argument '{}'; see {} --help", first, where));
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  const std::string near = near_names(first.substr(0, first.find('=')), names);
  throw InputError(fmt::format("there is no option '{}'; {}", first,
                               near.empty() ? fmt::format("see {} --help", where) : near));
}

std::string parse_sentence(const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const bool missing = text.ends_with(" 0") || text.ends_with(" missing");
    return text.substr(0, text.find(':')) + (missing ? " needs a value" : " is given more than once");
  }
  return text;
}

}  // namespace unknot::cli
