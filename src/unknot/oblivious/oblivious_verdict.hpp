// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/explicit_check.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/oblivious/oblivious_flow.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// What is proven of an oblivious routing under a lane scheme. Deadlock freedom is an acyclic dependency
/// graph of channels on lanes (Dally and Seitz 1987), under credit flow control.
struct ObliviousVerdict {
  std::uint64_t pairs = 0;             ///< ordered pairs of terminals
  std::uint64_t unroutable_pairs = 0;  ///< no path, or under Valiant's routing no intermediate
  TerminalId lost_source,
      lost_destination;            ///< the first of them by destination; invalid where there is none
  std::uint32_t lanes = 0;         ///< of the scheme
  std::uint32_t lanes_used = 0;    ///< of them, those that carry some hop
  std::uint64_t vertices = 0;      ///< channels times lanes, the unused ones included
  std::uint64_t dependencies = 0;  ///< arcs
  std::uint32_t max_hops = 0;      ///< channels between routers on a path
  bool deadlock_free = false;
  std::optional<ObliviousWitness> witness;  ///< where not deadlock-free
  std::optional<Certificate> certificate;   ///< where deadlock-free
  std::optional<ExplicitCheck> check;       ///< where the paths were listed
  [[nodiscard]] bool complete() const { return unroutable_pairs == 0; }
};

struct ObliviousVerifyOptions {
  std::uint32_t threads = 0;
  /// Lists the paths one by one and compares the dependencies, where there are at most this many.
  double most_listed_paths = 1'000'000;
};

/// Proves a routing over all minimal paths, or Valiant's, deadlock-free, or gives a shortest cycle whose
/// every dependency comes with a whole path that makes it.
ObliviousVerdict verify_oblivious(const Network& network, const PathLengths& lengths,
                                  const LaneScheme& scheme, const ObliviousVerifyOptions& options,
                                  Progress& progress);

/// True when every dependency of the routing goes from a smaller to a larger number of the certificate, as
/// check_certificate() says of tables. `why` (optional) gets one sentence when it does not hold.
bool check_oblivious_certificate(const Network& network, const PathLengths& lengths, const LaneScheme& scheme,
                                 const Certificate& certificate, std::string* why);

}  // namespace unknot
