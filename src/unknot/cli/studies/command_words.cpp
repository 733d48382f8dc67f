// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/studies/command_words.hpp"

#include <fmt/format.h>

#include <set>

#include "unknot/support/text/shell_word.hpp"

namespace unknot::cli {
std::string command_words(const CLI::App& app, const Common& common) {
  const std::set<std::string> kOthers = {"--output", "--threads", "--json", "--quiet", "--help", "--seed"};
  std::string positional, options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || kOthers.contains(option->get_name())) continue;
    if (option->get_items_expected_max() == 0) {  // a flag
      options += " " + option->get_name();
      continue;
    }
    const bool again = !option->get_positional() && option->get_items_expected_max() == 1;
    std::string& words = option->get_positional() ? positional : options;
    if (!option->get_positional() && !again) words += " " + option->get_name();
    for (const std::string& value : option->results())
      words += (again ? fmt::format(" {} ", option->get_name()) : " ") + shell_word(value);
  }
  if (common.seed != Common{}.seed) options += fmt::format(" --seed {}", common.seed);
  return fmt::format("unknot {}{}{}", app.get_name(), positional, options);
}

}  // namespace unknot::cli
