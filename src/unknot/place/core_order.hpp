// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/place/host_shape.hpp"
#include "unknot/place/places.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// What ranks of one host send each other, over all hosts, in bytes.
struct CoreMeasure {
  std::uint64_t sockets = 0;       ///< from one socket to another
  std::uint64_t caches = 0;        ///< from one cache to another of the same socket
  std::uint64_t most_sockets = 0;  ///< of the host with most
};

/// Core of each rank on its host where ranks take cores in order, which launchers do unless told otherwise.
std::vector<std::uint32_t> cores_in_order(const Places& places, const Placement& placement);

/// Core of each rank on its host, so that as little as can be found goes from one socket to another, and of
/// that as little from one cache to another: local search by exchanges of two cores from the ranks in order
/// and from shuffles, as many as fit some 2e8 steps. Never worse than in order. Every host for itself, in
/// parallel; the same at any number of threads.
std::vector<std::uint32_t> order_cores(const Places& places, const Placement& placement,
                                       const HostShape& shape, const CommunicationMatrix& sent,
                                       std::uint64_t seed, std::uint32_t threads);

/// Counted from the matrix anew.
CoreMeasure measure_cores(const Places& places, const Placement& placement, const HostShape& shape,
                          const std::vector<std::uint32_t>& core_of_rank, const CommunicationMatrix& sent);

}  // namespace unknot::place
