// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/output/example_file.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/studies/sweep_commands.hpp"
#include "unknot/cli/studies/sweep_script.hpp"
#include "unknot/cli/studies/sweep_table.hpp"
#include "unknot/evolve/exchange.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/version.hpp"
#include "unknot/sweep/claims.hpp"
#include "unknot/sweep/journal.hpp"
#include "unknot/sweep/plan.hpp"
#include "unknot/sweep/run_cells.hpp"
#include "unknot/sweep/sweep_file.hpp"

namespace unknot::cli {
namespace {

namespace fs = std::filesystem;
using sweep::CellsJob;
using sweep::Claims;
using sweep::Journal;
using sweep::Plan;

constexpr std::uint32_t kMostTasks = 100'000;

constexpr const char* kExample =
    "# unknot sweep sweep.toml: every combination of the lists below is one run of the command.\n"
    "command = \"simulate\"\n"
    "fabric = [\"torus:4x4,p=2\", \"slimfly:q=3,p=2\"]\n"
    "engine = \"dfsssp\"\n"
    "fail = [\"\", \"cable-count=2\"]  # \"\": nothing\n"
    "load = [\"0.1:0.3:0.1\"]\n"
    "set = \"measure=1000\"\n"
    "seed = [1, 2]\n";

struct SweepOptions {
  std::string file;
  std::string folder;
  std::string part;
  bool no_wait = false;
  bool dry_run = false;
  std::string script;
  std::uint32_t tasks = 16;
  const CLI::Option* tasks_given = nullptr;
  std::string example;
};

/// Beside the file, with its name.
std::string folder_of(const SweepOptions& options) {
  return options.folder.empty() ? fs::path(options.file).replace_extension(".results").string()
                                : options.folder;
}

CellsJob job_of(const SweepOptions& options, const Common& common) {
  CellsJob job;
  job.threads = common.threads;
  job.wait = !options.no_wait;
  if (common.exchange != nullptr) {
    if (!options.part.empty()) throw InputError("sweep: under mpirun each rank has a part; leave out --part");
    job.part = common.exchange->process();
    job.parts = common.exchange->processes();
  } else if (!options.part.empty()) {
    const char* const end = options.part.data() + options.part.size();
    const auto first = std::from_chars(options.part.data(), end, job.part);
    const bool divided = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    const auto second = divided ? std::from_chars(first.ptr + 1, end, job.parts) : first;
    if (!divided || second.ec != std::errc() || second.ptr != end || job.part >= job.parts) {
      throw InputError(fmt::format("sweep: --part is '{}', expected K/N with K from 0 to N-1", options.part));
    }
  }
  return job;
}

/// Which cells there are, and which are done: nothing is run or written.
Answer list_cells(const Plan& plan, const std::string& folder, const Common& common) {
  std::optional<Journal> journal;
  if (fs::is_directory(folder)) journal.emplace(folder);
  Json cells = Json::array();
  TextTable table({{"cell", Align::left}, {"state", Align::left}, {"command", Align::left}});
  for (const sweep::Cell& cell : plan.cells) {
    const sweep::Record* record = journal ? journal->find(cell.key) : nullptr;
    const char* state = record == nullptr ? "missing" : record->refused ? "refused" : "done";
    if (common.json) {
      cells.push_back({{"cell", sweep::key_text(cell.key)}, {"state", state}, {"command", cell.command}});
    } else {
      table.add({sweep::key_text(cell.key), state, cell.command});
    }
  }
  if (common.json) {
    return {kYes, {{"cells", std::move(cells)}}, {}};
  }
  return {kYes, {}, table.text()};
}

/// One process at a time writes the table, of all that anyone has finished by then: the last one to do so
/// has all of it.
SweepTable write_table(const Plan& plan, const SweepCommand& command, Journal& journal, Claims& claims) {
  claims.take_table();
  try {
    journal.refresh();
    SweepTable table = make_sweep_table(plan, command, journal);
    const fs::path folder = journal.folder();
    write_file((folder / "table.csv").string(), sweep_csv(table));
    if (sweep_database_available()) write_file((folder / "table.sqlite").string(), sweep_database(table));
    claims.release_table();
    return table;
  } catch (...) {
    claims.release_table();
    throw;
  }
}

Answer answer_of(int code, const SweepOptions& options, const SweepTable& table, const SweepCommand& command,
                 const Journal& journal, const Common& common) {
  const std::string csv = (fs::path(journal.folder()) / "table.csv").string();
  const std::string database = (fs::path(journal.folder()) / "table.sqlite").string();
  if (journal.damaged_lines() > 0) {
    note(common,
         fmt::format("{}: {} damaged lines are passed over", journal.folder(), journal.damaged_lines()));
  }
  if (common.json) {
    return {code,
            {{"sweep", options.file},
             {"command", command.name},
             {"cells", table.cells},
             {"missing", table.missing()},
             {"refused", table.refused},
             {"table", csv},
             {"database", sweep_database_available() ? Json(database) : Json()},
             {"rows", sweep_rows(table)}},
            {}};
  }
  std::string summary = fmt::format("{}: {}, {} cells", options.file, command.name, grouped(table.cells));
  if (table.missing() > 0) summary += fmt::format(", {} missing", grouped(table.missing()));
  if (table.refused > 0) summary += fmt::format(", {} refused", grouped(table.refused));
  return {code,
          {},
          fmt::format("{}\n\n{}\nwritten to {}{}\n", summary, sweep_text(table), csv,
                      sweep_database_available() ? " and " + database : "")};
}

Answer run_sweep(const SweepOptions& options, const CellsJob& job, const Plan& plan,
                 const SweepCommand& command, const Common& common) {
  Journal journal(folder_of(options));
  Claims claims((fs::path(journal.folder()) / "claims").string());
  // What was refused may have been put right since: a file that was not there, a broken one.
  journal.forget_refused();
  try {
    ProgressBar bar(common);
    (void)sweep::run_cells(
        plan, journal, claims, job, [&](const sweep::Cell& cell) { return run_sweep_cell(command, cell); },
        bar);
  } catch (const Interrupted&) {
    (void)write_table(plan, command, journal, claims);
    throw;
  }
  const SweepTable table = write_table(plan, command, journal, claims);
  const bool complete = options.no_wait || table.missing() == 0;
  const int code = complete && table.refused == 0 ? kYes : kNo;
  return answer_of(code, options, table, command, journal, common);
}

Answer sweep_command(const SweepOptions& options, const Common& common) {
  if (!options.example.empty()) {
    if (!options.file.empty()) throw InputError("sweep: --example goes with no file");
    return write_example(options.example, kExample, "a sweep to start from", common);
  }
  if (options.file.empty()) throw InputError("sweep: FILE.toml is missing; see --example");
  if (options.tasks_given->count() > 0 && options.script.empty())
    throw InputError("sweep: --tasks is for --slurm");
  sweep::SweepFile file = sweep::read_sweep(options.file);
  const CellsJob job = job_of(options, common);
  // Of several processes the first looks for all.
  const SweepCommand& command = prepare_sweep(file, common.seed, job.part == 0);
  const Plan plan = sweep::expand(file, version());
  if (options.dry_run) return list_cells(plan, folder_of(options), common);
  if (options.script.empty()) return run_sweep(options, job, plan, command, common);
  check_outputs({options.script});
  write_file(options.script,
             sweep_script(options.file, folder_of(options), options.tasks, common.threads, common.seed));
  if (common.json)
    return {kYes, {{"script", options.script}, {"cells", plan.cells.size()}, {"tasks", options.tasks}}, {}};
  note(common, fmt::format("wrote a script for {} cells to {}; submit it with sbatch {}",
                           grouped(plan.cells.size()), options.script, options.script));
  return {kYes};
}

Action declare_sweep(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<SweepOptions>();
  app.add_option("FILE.toml", options->file, "What to run: see --example and docs/sweep.md")->type_name("");
  app.add_option("--output,-o", options->folder,
                 "Folder of the results, shared by all who run them (default FILE.results)")
      ->type_name("FOLDER");
  app.add_option("--part", options->part,
                 "Begin at part K of N, K from 0: for several processes that share FOLDER")
      ->type_name("K/N");
  app.add_flag("--no-wait", options->no_wait,
               "End when nothing is left to take, without waiting for cells that other processes are at");
  app.add_flag("--dry-run", options->dry_run, "Print the cells and which are done, and run nothing");
  app.add_option("--slurm", options->script, "Write a script for sbatch, an array job, and stop")
      ->type_name("FILE");
  options->tasks_given =
      app.add_option("--tasks", options->tasks, "With --slurm: tasks of the array, --threads each")
          ->check(whole_number(1, kMostTasks))
          ->type_name("N")
          ->capture_default_str();
  app.add_option("--example", options->example, "Write a sweep to start from, and stop")->type_name("FILE");
  return [options, &common] { return sweep_command(*options, common); };
}

}  // namespace

Command sweep_row() {
  return {
      .name = "sweep",
      .summary =
          "Many runs of a command, over all combinations of options: threads, MPI ranks, Slurm array tasks",
      .details =
          R"(FILE.toml names a command (route, congestion or simulate) and for each option a value or a list. Each combination is
one cell, and gives the numbers that its own command line prints. A finished cell is kept in FOLDER at once: after
a crash, a kill or Ctrl-C the same command runs what is missing, and any number of processes may share FOLDER.
FOLDER/table.csv and FOLDER/table.sqlite have one row for each cell, the same bytes whoever ran them in whatever
order. mpirun unknot-mpi sweep FILE.toml shares the cells among ranks; --slurm writes a script for sbatch. See
docs/sweep.md.

--json: cells, missing, refused, table, database, rows [{cell, the options, exit, error, measures}]. Exit code 0: all
cells are done; 1: some are refused as bad input, or missing.)",
      .examples = {"unknot sweep --example sweep.toml", "unknot sweep sweep.toml"},
      .declare = declare_sweep,
      .many_processes = true};
}

}  // namespace unknot::cli
