// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <utility>

#include "bindings.hpp"
#include "long_work.hpp"
#include "unknot/cli/program/command_line.hpp"
#include "unknot/cli/program/run.hpp"

/// What the command line has, for unknot/commands.py to make functions of.
namespace unknot::python {
namespace {

py::dict option_of(const CLI::Option& option) {
  const bool operand = !option.nonpositional();
  // As it is written, and what it is called: of one with a letter alone, as -o, that letter.
  const std::vector<std::string>&names = option.get_lnames(), &letters = option.get_snames();
  const std::string word = operand         ? option.get_name(true)
                           : names.empty() ? "-" + letters.front()
                                           : "--" + names.front();
  return py::dict("word"_a = word, "name"_a = operand ? word : word.substr(names.empty() ? 1 : 2),
                  "operand"_a = operand, "help"_a = option.get_description(),
                  "takes_value"_a = option.get_items_expected_max() > 0,
                  "repeats"_a = option.get_items_expected_max() > 1 ||
                                option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll,
                  "required"_a = option.get_required(), "fallback"_a = option.get_default_str());
}

/// A dict for each command: name, summary, details, examples and options.
py::list command_rows() {
  cli::CommandLine line;
  py::list rows;
  for (std::size_t row = 0; row < cli::commands().size(); ++row) {
    const cli::Command& command = cli::commands()[row];
    py::list options;
    for (const CLI::Option* option : line.subcommand(row).get_options())
      if (!option->check_lname("help")) options.append(option_of(*option));
    rows.append(py::dict("name"_a = command.name, "summary"_a = command.summary,
                         "details"_a = command.details, "examples"_a = command.examples,
                         "options"_a = options));
  }
  return rows;
}

/// Exit code, and the document of --json as text.
py::tuple run_command(const std::vector<std::string>& words) {
  const auto [code, document] = run_long(py::none(), [&](Progress&) {
    const cli::Answer answer = cli::run_inside(words);
    return std::pair(answer.code, answer.document.dump(-1, ' ', false, cli::Json::error_handler_t::replace));
  });
  return py::make_tuple(code, document);
}

/// The whole program: what it prints goes where the process prints.
int run_program(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"unknot"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  const py::gil_scoped_release release;
  return cli::run(static_cast<int>(argv.size()), argv.data());
}

}  // namespace

void bind_commands(py::module_& module) {
  module.def("_command_rows", &command_rows);
  module.def("_run_command", &run_command, "words"_a);
  module.def("_main", &run_program, "words"_a);
}

}  // namespace unknot::python
