// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/program/parse_errors.hpp"
#include "unknot/play/combination.hpp"
#include "unknot/play/size_list.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/version.hpp"

namespace unknot::mpi {
namespace {

constexpr const char* kProgram = "unknot-play";
constexpr std::size_t kHelpWidth = 80;  // of the right column

constexpr const char* kFooter =
    "Rank r stands for the r-th of the nodes that take part; there must be as many ranks. What the file does "
    "not say\n"
    "(root, ports, lengths of paths) options do, as with unknot schedule check. See docs/playing.md.\n\n"
    "--json: valid, ranks, steps, transfers, mpi (the operation compared with, or null), wrong_bytes,\n"
    "first_wrong, sizes [{bytes, schedule, mpi, barrier {least, lower_quartile, median, upper_quartile,\n"
    "greatest in seconds}, ratio, wrong_bytes}]. Exit code 0: every byte is right; 1: one is not, or the\n"
    "schedule is not valid; 2: bad usage or input.\n\n"
    "Example:\n"
    "  unknot schedule hypercube:3 --collective AAS -o aas.json\n"
    "  mpirun -n 8 unknot-play hypercube:3 aas.json --bytes 1K:1M";

std::string combination_names() {
  std::vector<std::string> names;
  for (const play::CombinationRow& row : play::combinations()) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Between find_between(const std::string& name) {
  const auto& names = between_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InputError(fmt::format("--between: expected one of {}, found '{}'", fmt::join(names, ", "), name));
  }
  return static_cast<Between>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& between_names() {
  static const std::vector<std::string> names = {"nothing", "pairs", "barrier"};
  return names;
}

std::optional<PlayOptions> parse_play_options(int argc, const char* const* argv) {
  PlayOptions options;
  std::string bytes = "1K";
  std::string between = "pairs";
  CLI::App app(
      "Plays a schedule of a collective communication with real messages among the ranks of mpirun, checks "
      "every\n"
      "byte that arrives, and times it beside MPI's own operation for the same data.",
      kProgram);
  app.set_version_flag("--version,-V", std::string("unknot-play ") + version());
  app.set_help_flag("--help,-h", "Print this help and exit");
  app.allow_extras();
  app.footer(kFooter);
  app.add_option("FABRIC", options.fabric, "Spec (unknot list topologies) or file")
      ->required()
      ->type_name("");
  app.add_option("SCHEDULE", options.schedule, "JSON, as unknot schedule -o writes it: steps or trees")
      ->required()
      ->type_name("");
  app.add_option("--bytes", bytes,
                 "Sizes of a message: 1000, 64K, 1K:1M (doubled from one to the other), or a list of these "
                 "with commas")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "How often each size is played")
      ->check(cli::whole_number(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--warm-up", options.warm_up, "How often before, checked but not timed")
      ->check(cli::whole_number(0, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--chunks", options.chunks,
                 "Of trees: parts of what each carries, passed on one after the other")
      ->check(cli::whole_number(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--between", between,
                 "Between two steps: nothing (a message waits only for what it says), pairs (a rank waits "
                 "for its own "
                 "messages), or a barrier of all ranks")
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option(
         "--operation", options.operation,
         fmt::format("What reductions combine by, one of {}; sum unless said otherwise", combination_names()))
      ->type_name("NAME");
  app.add_option(
         "--order", options.order,
         "The nodes that the ranks stand for, from rank 0 on, as 0,2,1,3; ascending unless said otherwise")
      ->type_name("LIST");
  app.add_option("--seed", options.seed, "Seed of the bytes that are sent")
      ->check(cli::whole_number(0, UINT64_MAX))
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--json", options.json, "One JSON document on standard output");
  cli::add_collective_options(app, options.input);
  for (CLI::Option* option : app.get_options())
    option->description(cli::wrapped(option->get_description(), kHelpWidth));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    cli::print(app.help());
    return std::nullopt;
  } catch (const CLI::CallForVersion& version) {
    cli::print(std::string(version.what()) + "\n");
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    cli::refuse_extras(app, kProgram);
    throw InputError(fmt::format("{}; see {} --help", cli::parse_sentence(error), kProgram));
  }
  cli::refuse_extras(app, kProgram);
  options.sizes = play::parse_sizes(bytes);
  options.between = find_between(between);
  return options;
}

}  // namespace unknot::mpi
