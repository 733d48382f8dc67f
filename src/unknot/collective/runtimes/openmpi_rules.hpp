// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/runtimes/size_rules.hpp"

// Rules by which Open MPI's coll/tuned chooses algorithms: the text file of
// coll_tuned_dynamic_rules_filename, in the classic form that releases 1.3 to 6 read
// (coll_tuned_dynamic_file.c).
namespace unknot::runtimes {

struct OpenMpiRule {
  std::uint64_t from_bytes = 0;
  std::uint32_t algorithm = 0;  ///< 0: Open MPI decides
  std::uint32_t fan = 0;        ///< of its trees; 0: Open MPI decides
  std::uint64_t segment = 0;    ///< bytes; 0: undivided
};
struct OpenMpiSizes {
  std::uint32_t ranks =
      0;  ///< of communicators of so many and more, up to the next; the first serves fewer as well
  std::vector<OpenMpiRule> rules;
};
struct OpenMpiCollective {
  std::uint32_t id = 0;  ///< Open MPI's number
  std::vector<OpenMpiSizes> sizes;
};

constexpr std::uint32_t kOpenMpiCollectives = 22;

/// Algorithms that Open MPI has of those that are compared here, with its numbers of 4.1 and later.
std::span<const KnownAlgorithm> openmpi_algorithms();
/// Rules of a collective, for communicators of `ranks`; Open MPI takes them for all others as well.
/// InputError for one that Open MPI has no algorithm of. Algorithms of the rules are all of
/// openmpi_algorithms().
std::vector<OpenMpiCollective> openmpi_rules(std::string_view collective, std::uint32_t ranks,
                                             const std::vector<SizeRule>& rules);

/// Reads the file. InputError with file and line for what is no number or too large, numbers that are missing
/// or too many, algorithms that Open MPI 4.1 does not have, sizes that do not rise, and rules that do not
/// begin at 0 bytes: Open MPI drops such a file as a whole, and goes on. O(text).
std::vector<OpenMpiCollective> parse_openmpi_rules(std::string_view text, const std::string& file);
/// With comments that name collectives and algorithms.
std::string openmpi_rules_text(const std::vector<OpenMpiCollective>& rules);

/// The algorithm that a collective of so many bytes, as Open MPI counts them, takes; 0: Open MPI decides.
std::uint32_t openmpi_algorithm(const std::vector<OpenMpiCollective>& rules, std::uint32_t collective,
                                std::uint32_t ranks, std::uint64_t bytes);

}  // namespace unknot::runtimes
