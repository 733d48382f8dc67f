// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/reproduce/experiment.hpp"
#include "unknot/support/progress.hpp"

// What the experiments on the DFSSSP paper share.
namespace unknot::dfsssp_paper {

inline constexpr const char* kPaper =
    "Domke, Hoefler, Nagel: Deadlock-free oblivious routing for arbitrary topologies, IPDPS 2011";

/// Engines as the paper describes them: its rule, no lanes emptied, no tree rebuilt.
std::string as_published(const std::string& rule);

/// Virtual lanes an engine needs on a network, on one thread, however many that are.
std::uint32_t lanes_needed(const Network& network, const std::string& engine, std::uint64_t seed,
                           Progress& progress);

/// Least, mean and greatest of a set of counts.
struct Spread {
  std::uint32_t least = 0, greatest = 0;
  double mean = 0;
  [[nodiscard]] Quantity quantity() const;  ///< "5 to 6, mean 5.22"
};
Spread spread_of(const std::vector<std::uint32_t>& counts);

/// Parameter "networks": how many are drawn.
Parameter networks_parameter(const std::string& fallback);

}  // namespace unknot::dfsssp_paper
