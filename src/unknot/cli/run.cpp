// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <new>

#include "unknot/cli/command.hpp"
#include "unknot/cli/help.hpp"
#include "unknot/cli/interrupt.hpp"
#include "unknot/cli/output.hpp"
#include "unknot/cli/parse_errors.hpp"
#include "unknot/cli/processes.hpp"
#include "unknot/routing/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint32_t kMaxThreads = 1024;
constexpr std::size_t kHelpWidth = 80;  // of the right column

void add_common(CLI::App& app, Common& common) {
  const char* group = "Options of every command";
  app.add_option("--seed", common.seed, "Seed of every random choice; same seed, same bytes")
      ->check(whole_number(0, UINT64_MAX))
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  app.add_option("--threads", common.threads, "Threads, 0 for all of the machine; no result depends on it")
      ->check(whole_number(0, kMaxThreads))
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  app.add_flag("--json", common.json, "One JSON document on standard output")->group(group);
  app.add_flag("--quiet,-q", common.quiet, "Nothing on standard error but errors")->group(group);
}

std::string footer(const Command& command) {
  std::string text;
  if (!command.details.empty()) text += command.details + "\n\n";
  text += command.examples.size() == 1 ? "Example:\n" : "Examples:\n";
  for (const std::string& example : command.examples) text += "  " + example + "\n";
  return text;
}

[[noreturn]] void refuse_command(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) throw InputError("a command is missing; see unknot --help");
  if (extras.front().starts_with("-")) refuse_extras(app, "unknot");
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.name);
  const std::string near = near_names(extras.front(), names);
  throw InputError(
      fmt::format("there is no command '{}'; {}", extras.front(), near.empty() ? "see unknot --help" : near));
}

int parse_and_run(int argc, const char* const* argv, Processes* processes) {
  Common common;
  if (processes != nullptr) common.exchange = &processes->exchange();
  CLI::App app(
      "Unknot reads or makes interconnection networks, computes their routing tables, proves them\n"
      "free of deadlock, measures their balance and writes them for a real subnet manager.",
      "unknot");
  app.set_version_flag("--version,-V", std::string("unknot ") + UNKNOT_VERSION);
  app.set_help_flag("--help,-h", "Print this help and exit");
  app.require_subcommand(0, 1);
  app.allow_extras();
  app.footer(
      "Exit code 0: done, and the answer is yes. 1: done, and the answer is no. 2: bad usage or input.\n"
      "unknot COMMAND --help shows examples.");
  add_common(app, common);

  std::vector<std::pair<const CLI::App*, Action>> actions;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    sub->set_help_flag("--help,-h", "Print this help and exit");
    sub->allow_extras();
    sub->footer(footer(command));
    Action action = command.declare(*sub, common);
    add_common(*sub, common);
    for (CLI::Option* option : sub->get_options()) {
      option->description(wrapped(option->get_description(), kHelpWidth));
    }
    actions.emplace_back(sub, std::move(action));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    print(chosen.empty() ? app.help() : chosen.front()->help("unknot"));
    return kYes;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return kYes;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string where = chosen.empty() ? "unknot" : "unknot " + chosen.front()->get_name();
    // A mistyped option explains a missing argument better than the missing argument does.
    if (!chosen.empty()) refuse_extras(*chosen.front(), where);
    throw InputError(fmt::format("{}; see {} --help", parse_sentence(error), where));
  }
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) refuse_command(app);
  refuse_extras(app, "unknot");
  refuse_extras(*chosen.front(), "unknot " + chosen.front()->get_name());
  if (!first_process(common)) common.quiet = true;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const auto& [sub, action] = actions[i];
    if (sub != chosen.front()) continue;
    if (!commands()[i].many_processes) require_one_process(common, commands()[i].name);
    return action();
  }
  return kBadInput;
}

}  // namespace

int run(int argc, const char* const* argv, Processes* processes) {
  const InterruptGuard guard;
  const auto give_up = [&](std::string_view sentence, int code) {
    if (processes != nullptr) return processes->give_up(sentence, code);
    message(sentence);
    return code;
  };
  try {
    return parse_and_run(argc, argv, processes);
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
