// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/program/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/program/command_line.hpp"
#include "unknot/cli/program/parse_errors.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot::cli {
namespace {

[[noreturn]] void refuse_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.name);
  const std::string near = near_names(name, names);
  throw InputError(
      fmt::format("there is no command '{}'; {}", name, near.empty() ? "see unknot --help" : near));
}

[[noreturn]] void refuse_words(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) throw InputError("a command is missing; see unknot --help");
  if (extras.front().starts_with("-")) refuse_extras(app, "unknot");
  refuse_command(extras.front());
}

/// "help", "help route": what --help prints.
std::string help_on(const CLI::App& app, const std::string& name) {
  if (name.empty()) return app.help();
  for (const Command& command : commands())
    if (command.name == name) return app.get_subcommand(name)->help("unknot");
  refuse_command(name);
}

/// An option that was given and says nothing would pass as one that was not given.
void refuse_empty(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& given = option->results();
    if (option->count() == 0 || std::find(given.begin(), given.end(), "") == given.end()) continue;
    throw InputError(fmt::format("{}: {} is given without a value", app.get_name(), option->get_name()));
  }
}

/// The subcommand, or none where what was asked for has been printed.
const CLI::App* parse(CommandLine& line, int argc, const char* const* argv) {
  CLI::App& app = line.app();
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    print(chosen.empty() ? app.help() : chosen.front()->help("unknot"));
    return nullptr;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return nullptr;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string where = chosen.empty() ? "unknot" : "unknot " + chosen.front()->get_name();
    // A mistyped option explains a missing argument better than the missing argument does.
    if (!chosen.empty()) refuse_extras(*chosen.front(), where);
    throw InputError(fmt::format("{}; see {} --help", parse_sentence(error), where));
  }
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) refuse_words(app);
  refuse_extras(app, "unknot");
  refuse_extras(*chosen.front(), "unknot " + chosen.front()->get_name());
  refuse_empty(app);
  refuse_empty(*chosen.front());
  return chosen.front();
}

/// `inside`: for a caller who takes a failure as an exception.
Answer parse_and_run(int argc, const char* const* argv, Processes* processes, bool inside) {
  CommandLine line(processes == nullptr ? nullptr : &processes->exchange());
  const bool bare = argc < 2;
  if (bare || std::string_view(argv[1]) == "help") {
    // What follows the name is of a command inside, as in "help schedule check": its options are with the
    // others.
    print(help_on(line.app(), argc > 2 && argv[2][0] != '-' ? argv[2] : ""));
    return {bare ? kBadInput : kYes};
  }
  const CLI::App* chosen = parse(line, argc, argv);
  if (chosen == nullptr) return {};
  if (!first_process(line.common())) line.common().quiet = true;
  limit_threads(line.common().threads);
  const Command& command = line.command_of(*chosen);
  if (!command.many_processes) require_one_process(line.common(), command.name);
  if (inside || processes != nullptr || !line.common().json) return line.run(*chosen);
  try {
    return line.run(*chosen);
  } catch (const RoutingFailure& failure) {  // an answer, which scripts read too
    return {kNo, {{"failure", failure.what()}}, {}};
  }
}

std::vector<const char*> arguments(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"unknot"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return argv;
}

}  // namespace

void check_words(const std::vector<std::vector<std::string>>& lines) {
  CommandLine line;
  for (const std::vector<std::string>& words : lines) {
    const std::vector<const char*> argv = arguments(words);
    (void)parse(line, static_cast<int>(argv.size()), argv.data());
  }
}

Answer run_inside(const std::vector<std::string>& words) {
  const std::vector<const char*> argv = arguments(words);
  return parse_and_run(static_cast<int>(argv.size()), argv.data(), nullptr, true);
}

int run(int argc, const char* const* argv, Processes* processes) {
  const InterruptGuard guard;
  const auto give_up = [&](std::string_view sentence, int code) {
    if (processes != nullptr) return processes->give_up(sentence, code);
    message(sentence);
    return code;
  };
  try {
    const Answer answer = parse_and_run(argc, argv, processes, false);
    print(answer);
    return answer.code;
  } catch (const InputError& error) {
    return give_up(error.what(), kBadInput);
  } catch (const RoutingFailure& failure) {
    return give_up(failure.what(), kNo);
  } catch (const Interrupted& stop) {
    return give_up(stop.what(), kInterrupted);
  } catch (const std::bad_alloc&) {
    return give_up("not enough memory for a network of this size", kBadInput);
  } catch (const std::exception& error) {
    return give_up(fmt::format("internal error, please report it: {}", error.what()), kBadInput);
  }
}

}  // namespace unknot::cli
