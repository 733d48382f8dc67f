// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/class_run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"

namespace unknot::cli {
namespace {

std::string levels_text(const ServiceClasses& classes, std::size_t c) {
  const std::uint32_t first = classes.first_level(c);
  return classes.levels == 1 ? fmt::format("level {}", first)
                             : fmt::format("levels {} to {}", first, first + classes.levels - 1);
}

}  // namespace

void add_class_option(CLI::App& app, std::string& classes) {
  app.add_option("--qos", classes,
                 "Classes of service, NAME[=WEIGHT] joined by commas, each with service levels and lanes of "
                 "its own: --vls is shared evenly among them, and the routing keeps to one share")
      ->type_name("CLASSES");
}

bool ClassRun::usable() const {
  return together.deadlock_free &&
         std::all_of(verdicts.begin(), verdicts.end(), [](const Verdict& one) { return one.usable(); });
}

std::vector<ClassRouting> routings_of_classes(const Network& network, const Routing& data,
                                              const ManagedRun* managed, const ServiceClasses& classes,
                                              const MulticastTables* multicast) {
  std::vector<ClassRouting> all;
  for (std::size_t c = 0; c < classes.classes.size(); ++c) {
    const std::uint8_t first = classes.first_level(c);
    ClassRouting one{classes.classes[c].name, with_levels_from(network, data, first), std::nullopt};
    one.data.data_lanes = classes.lanes();
    if (managed != nullptr) {
      one.managed = with_levels_from(managed->managed.network, managed->result.routing, first);
      one.managed->data_lanes = classes.lanes();
    }
    if (multicast != nullptr) {
      MulticastTables groups;
      for (const MulticastGroup& group : multicast->groups) {
        if (classes.class_of(group.level()) == c) groups.groups.push_back(group);
      }
      (one.managed ? *one.managed : one.data).multicast =
          std::make_shared<const MulticastTables>(std::move(groups));
    }
    all.push_back(std::move(one));
  }
  return all;
}

ClassRun check_classes(const Network& network, const ManagedNetwork* managed,
                       std::vector<ClassRouting> classes, std::uint32_t threads, Progress& progress) {
  ClassRun run;
  VerifyOptions checks;
  checks.threads = threads;
  std::vector<Routing> all;
  for (ClassRouting& one : classes) {
    stop_if_interrupted();
    Verdict verdict = verify(network, one.data, checks, progress);
    if (managed != nullptr)
      verdict = with_proof_of(*managed, verdict, verify(managed->network, *one.managed, checks, progress));
    run.names.push_back(one.name);
    run.verdicts.push_back(std::move(verdict));
    all.push_back(std::move(managed != nullptr ? *one.managed : one.data));
  }
  run.together = verify_together(managed != nullptr ? managed->network : network, all, threads, progress);
  return run;
}

std::vector<std::string> paths_of_classes(const ServiceClasses& classes, const std::string& path) {
  std::vector<std::string> all{path};
  if (path.empty() || path == "-") return all;
  for (std::size_t c = 1; c < classes.classes.size(); ++c)
    all.push_back(path + "." + classes.classes[c].name);
  return all;
}

std::vector<std::string> write_levels_of_classes(const Network& network, const Routing& routing,
                                                 const ServiceClasses& classes, const std::string& path,
                                                 LevelForm form) {
  std::vector<std::string> paths = paths_of_classes(classes, path);
  write_service_levels(network, routing, path, form);
  for (std::size_t c = 1; c < paths.size(); ++c)
    write_service_levels(network, with_levels_from(network, routing, classes.first_level(c)), paths[c], form);
  return paths;
}

void add_classes(Json& document, const ClassRun& run, const ServiceClasses& classes) {
  Json rows = Json::array();
  for (std::size_t c = 0; c < run.verdicts.size(); ++c) {
    const Verdict& verdict = run.verdicts[c];
    Json row = {{"name", run.names[c]}};
    if (classes.wanted()) {
      row["weight"] = classes.classes[c].weight;
      row["first_level"] = classes.first_level(c);
      row["last_level"] = classes.first_level(c) + classes.levels - 1;
    }
    row["unroutable_pairs"] = verdict.unroutable_pairs;
    row["lanes_used"] = verdict.lanes_used;
    row["deadlock_free"] = verdict.deadlock_free;
    rows.push_back(std::move(row));
  }
  document["classes"] = std::move(rows);
  document["classes_together_deadlock_free"] = run.together.deadlock_free;
}

std::string classes_text(const ManagedNetwork* managed, const Network& network, const ClassRun& run,
                         const ServiceClasses& classes) {
  std::string text;
  for (std::size_t c = 0; c < run.verdicts.size(); ++c) {
    const Verdict& verdict = run.verdicts[c];
    text += fmt::format("class {}: ", run.names[c]);
    if (classes.wanted()) text += levels_text(classes, c) + ", ";
    text += fmt::format("{} lane{} in use, {}{}\n", verdict.lanes_used, verdict.lanes_used == 1 ? "" : "s",
                        deadlock_cell(verdict),
                        verdict.complete()
                            ? ""
                            : fmt::format(", {} of {} pairs lost", grouped(verdict.unroutable_pairs),
                                          grouped(verdict.pairs)));
    if (c > 0 && !verdict.usable()) text += explain(managed != nullptr ? managed->network : network, verdict);
  }
  return text + (run.together.deadlock_free ? "all classes together: free\n"
                                            : fmt::format("all classes together: CYCLE of {} channels\n",
                                                          run.together.cycle.size()));
}

}  // namespace unknot::cli
