// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/multicast_tables.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/service_classes.hpp"
#include "unknot/verify/joint_check.hpp"
#include "unknot/verify/verify.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// Declares --qos, whose text goes to `classes`.
void add_class_option(CLI::App& app, std::string& classes);

/// One class of service in force.
struct ClassRouting {
  std::string name;
  Routing data;
  std::optional<Routing> managed;  ///< with management, on that network
};

/// What the checker says of classes of service.
struct ClassRun {
  std::vector<std::string> names;
  std::vector<Verdict> verdicts;  ///< by class, each alone: with_proof_of() where management is covered
  JointVerdict together;
  [[nodiscard]] bool usable() const;
};

/// The classes: the routing with the levels of each, and of `multicast` the groups whose level is the
/// class's. `managed` is null where management is not covered.
std::vector<ClassRouting> routings_of_classes(const Network& network, const Routing& data,
                                              const ManagedRun* managed, const ServiceClasses& classes,
                                              const MulticastTables* multicast);

/// Checks each class alone, and all together.
ClassRun check_classes(const Network& network, const ManagedNetwork* managed,
                       std::vector<ClassRouting> classes, std::uint32_t threads, Progress& progress);

/// Writes the levels of the first class to `path`, those of each other to the path with ".NAME" behind it,
/// and returns these. Without classes the levels as they are.
std::vector<std::string> write_levels_of_classes(const Network& network, const Routing& routing,
                                                 const ServiceClasses& classes, const std::string& path,
                                                 LevelForm form);
/// The paths that write_levels_of_classes() would write.
std::vector<std::string> paths_of_classes(const ServiceClasses& classes, const std::string& path);

/// Adds "classes" and "classes_together_deadlock_free"; of `classes`, where there are some, their levels and
/// weights.
void add_classes(Json& document, const ClassRun& run, const ServiceClasses& classes);
/// A line a class, and what they do together.
std::string classes_text(const ManagedNetwork* managed, const Network& network, const ClassRun& run,
                         const ServiceClasses& classes);

}  // namespace unknot::cli
