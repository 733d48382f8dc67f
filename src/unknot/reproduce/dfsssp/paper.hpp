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

/// LASH as the subnet manager of the paper has it: OpenSM's paths, both directions on one lane.
inline constexpr const char* kLash = "lash:pairs=both,paths=first";

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

/// One line of Table I: networks of 36-port switches, endpoints spread evenly over the lowest of them.
struct TableOneRow {
  std::uint32_t endpoints;
  const char *xgft, *kautz, *tree;  ///< parameters of topologies xgft, kautz and kary-ntree
  const char *xgft_print, *kautz_print, *tree_print;
  std::uint32_t height;  ///< h of the XGFT
  std::uint32_t links;   ///< b of the Kautz graph
};
/// Those with at most this many endpoints.
std::vector<TableOneRow> table_one(std::uint64_t most_endpoints);
/// "xgft:m=6,w=3,terminals=64".
std::string spec_of(const char* family, const char* parameters, std::uint32_t endpoints);

/// Parameter "most": endpoints of the largest network of Table I that is computed.
Parameter most_parameter();
/// Parameter "samples": random matchings for a bandwidth.
Parameter samples_parameter();

/// Parameter "networks": how many are drawn.
Parameter networks_parameter(const std::string& fallback);

}  // namespace unknot::dfsssp_paper
