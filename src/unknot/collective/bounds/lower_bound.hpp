// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/collective/bounds/bound_proof.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

struct BoundOptions {
  /// Most variables, sources times arcs, that the flow program takes on exactly. Of up to 20 times as many
  /// it is nearly solved.
  std::uint64_t most_columns = 10'000;
  /// Proven in another way: a proof need not be sought longer once it is plain that it will not show more.
  std::uint32_t known = 0;
};

/// One way to bound the number of steps. It looks for a proof; what the proof shows is counted by
/// evaluate(). Nothing where the way does not apply to such a problem.
struct BoundRow {
  std::string name;
  std::string summary;
  std::string source;  ///< paper and place
  std::optional<BoundProof> (*find)(const Problem& problem, const BoundOptions& options);
};

/// Catalogue, quickest first. `find` takes scatters and broadcasts.
const std::vector<BoundRow>& step_bounds();

/// Every bound that applies, in the order of the catalogue; for scatters also of the problem in reversed time
/// where that may say more. Reductions are bounded as the broadcasts they reverse.
std::vector<LowerBound> lower_bounds(const Problem& problem, const BoundOptions& options = {});

/// The largest of some, at least one; among equal ones the first.
const LowerBound& largest(const std::vector<LowerBound>& bounds);

/// The largest that applies.
LowerBound lower_bound(const Problem& problem, const BoundOptions& options = {});

/// The ways of the catalogue, each in a file of its own.
std::optional<BoundProof> port_bound(const Problem& problem, const BoundOptions& options);
std::optional<BoundProof> growth_bound(const Problem& problem, const BoundOptions& options);
std::optional<BoundProof> distance_bound(const Problem& problem, const BoundOptions& options);
std::optional<BoundProof> cut_bound(const Problem& problem, const BoundOptions& options);
std::optional<BoundProof> pairing_bound(const Problem& problem, const BoundOptions& options);
std::optional<BoundProof> flow_bound(const Problem& problem, const BoundOptions& options);
std::optional<BoundProof> route_bound(const Problem& problem, const BoundOptions& options);
std::optional<BoundProof> program_bound(const Problem& problem, const BoundOptions& options);

}  // namespace unknot
