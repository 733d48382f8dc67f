// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/program/manual_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/program/command_line.hpp"
#include "unknot/support/version.hpp"

namespace unknot::cli {
namespace {

/// Text that roff shows as it is: no escapes, no line that is a request.
std::string plain(std::string_view text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\(rs";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_start = c == '\n';
  }
  return result;
}

std::string bold(std::string_view text) {
  return "\\fB" + plain(text) + "\\fR";
}
std::string slanted(std::string_view text) {
  return "\\fI" + plain(text) + "\\fR";
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string head(const std::string& name, int section, const std::string& summary) {
  return fmt::format(".TH {} {} \"\" \"unknot {}\" \"Unknot manual\"\n.SH NAME\n{} \\- {}\n", upper(name),
                     section, version(), plain(name), plain(summary));
}

/// Paragraphs are apart by blank lines.
std::string paragraphs(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += line.empty() ? ".PP\n" : plain(line) + "\n";
  return result;
}

std::string example_block(const std::vector<std::string>& examples) {
  std::string text = ".SH EXAMPLES\n.EX\n";
  for (const std::string& example : examples) text += plain(example) + "\n";
  return text + ".EE\n";
}

/// Lines "key=VALUE  what it is" stay lines of their own.
std::string listed(const std::string& description) {
  std::string result;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t key = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
    if (!result.empty()) result += key != std::string::npos && key > 0 && line[key] == '=' ? "\n.br\n" : "\n";
    result += plain(line);
  }
  return result;
}

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

std::string option_entry(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(bold("-" + name));
  for (const std::string& name : option.get_lnames()) names.push_back(bold("--" + name));
  std::string text = ".TP\n";
  if (names.empty()) {
    text += slanted(option.get_name(true));
  } else {
    text += fmt::format("{}", fmt::join(names, ", "));
    if (!is_flag(option)) {
      const std::string type = option.get_type_name();
      text += " " + slanted(type.empty() ? "TEXT" : type);
    }
  }
  text += "\n" + listed(option.get_description()) + "\n";
  if (!option.get_default_str().empty()) {
    text += fmt::format(".br\nDefault: {}\n", bold(option.get_default_str()));
  }
  return text;
}

std::string synopsis(const CLI::App& app, const std::string& words) {
  std::string text = ".SH SYNOPSIS\n" + bold(words);
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) continue;
    const std::string name = slanted(option->get_name(true));
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text + " [" + slanted("OPTION") + "]...\n";
}

std::string options_of(const CLI::App& app) {
  std::string text;
  for (const std::string& group : app.get_groups()) {
    std::string entries;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() == group && option->nonpositional()) entries += option_entry(*option);
    }
    if (!entries.empty()) text += fmt::format(".SH {}\n{}", plain(upper(group)), entries);
  }
  std::string positional;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional()) positional += option_entry(*option);
  }
  return positional.empty() ? text : ".SH ARGUMENTS\n" + positional + text;
}

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n\\fB0\\fR\nDone, and the answer is yes.\n"
    ".TP\n\\fB1\\fR\nDone, and the answer is no.\n"
    ".TP\n\\fB2\\fR\nBad usage or bad input; one sentence on standard error says what was expected.\n"
    ".TP\n\\fB130\\fR\nInterrupted.\n";

std::string see_also(const std::vector<ManualPage>& pages, const std::string& but) {
  std::vector<std::string> names;
  for (const ManualPage& page : pages) {
    if (page.name != but) names.push_back(fmt::format("{}({})", bold(page.name), page.section));
  }
  return fmt::format(".SH SEE ALSO\n{}\n", fmt::join(names, ",\n"));
}

ManualPage main_page(CLI::App& app) {
  ManualPage page{.name = "unknot"};
  page.text = head(page.name, 1, "routing, proofs and schedules for interconnection networks") +
              ".SH SYNOPSIS\n" + bold("unknot") + " " + slanted("COMMAND") + " [" + slanted("OPTION") +
              "]...\n.SH DESCRIPTION\n" + plain(app.get_description()) + "\n.SH COMMANDS\n";
  for (const Command& command : commands()) {
    page.text += fmt::format(".TP\n{}(1)\n{}.\n", bold("unknot-" + command.name), plain(command.summary));
  }
  page.text += options_of(app) + kExitStatus;
  return page;
}

ManualPage command_page(const Command& command, const CLI::App& sub) {
  ManualPage page{.name = "unknot-" + command.name};
  page.text = head(page.name, 1, command.summary) + synopsis(sub, "unknot " + command.name);
  if (!command.details.empty()) page.text += ".SH DESCRIPTION\n" + paragraphs(command.details);
  page.text += options_of(sub) + kExitStatus + example_block(command.examples);
  return page;
}

ManualPage catalogue_page(const Catalogue& catalogue) {
  ManualPage page{.name = "unknot-" + catalogue.name, .section = 7};
  page.text = head(page.name, 7, fmt::format("the {} that unknot has", catalogue.name)) +
              ".SH DESCRIPTION\n" + "As " + bold("unknot list " + catalogue.name) + " prints them.\n";
  for (const ListedRow& row : catalogue.rows) {
    page.text += fmt::format(".SH {}\n{}.\n", plain(row.name), plain(row.summary));
    for (const auto& [key, value] : row.facts) {
      if (!value.empty()) page.text += fmt::format(".PP\n{}: {}\n", plain(key), plain(value));
    }
    for (const Parameter& parameter : row.parameters) {
      page.text += fmt::format(".TP\n{}\n{}\n", bold(parameter.name), plain(parameter_text(parameter)));
    }
    for (const std::string& example : row.examples)
      page.text += fmt::format(".PP\nExample: {}\n", bold(example));
  }
  return page;
}

}  // namespace

std::vector<ManualPage> manual_pages() {
  CommandLine line;
  std::vector<ManualPage> pages{main_page(line.app())};
  for (std::size_t row = 0; row < commands().size(); ++row) {
    pages.push_back(command_page(commands()[row], line.subcommand(row)));
  }
  for (const std::string& name : catalogue_names()) {
    const Catalogue catalogue = find_catalogue(name);
    if (!catalogue.rows.empty()) pages.push_back(catalogue_page(catalogue));
  }
  for (ManualPage& page : pages) page.text += see_also(pages, page.name);
  return pages;
}

}  // namespace unknot::cli
