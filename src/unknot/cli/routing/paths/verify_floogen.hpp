// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/formats/chips/floogen_routing.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::cli {

/// What `verify` says of a YAML file of FlooGen as the routing, beside what it says of all tables.
struct FloogenRun {
  FloogenRouting::Algorithm algorithm = FloogenRouting::Algorithm::xy;
  std::uint64_t silent_pairs = 0;  ///< not delivered, and nobody ever sends them anything
  bool by_class = false;  ///< free of deadlock only as it is known who speaks to whom, and on which links
  std::optional<bool> any_shortest_paths;  ///< where paths are looked for: free of deadlock with all at once
};

/// Whether `verify` has its routing in the file of the fabric.
bool is_floogen_file(const std::string& path);

/// Nothing where the tables are not FlooGen's. Takes pairs that never speak out of `verdict`, which is of the
/// routing of the file.
std::optional<FloogenRun> floogen_run(const Network& network, const std::string& tables, Verdict& verdict,
                                      std::uint32_t threads, Progress& progress);

/// For the top of the answer.
std::vector<std::pair<std::string, std::string>> floogen_rows(const FloogenRun& run);
void add_floogen(Json& document, const FloogenRun& run);

}  // namespace unknot::cli
