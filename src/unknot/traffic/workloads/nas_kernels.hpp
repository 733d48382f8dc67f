// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot {

/// A kernel of the NAS Parallel Benchmarks, of those whose ranks are a power of two. [Bailey et al. 1991;
/// sizes and processor grids of version 3.3]
struct NasKernel {
  std::string name;     ///< "cg"
  std::string step;     ///< of what the bytes are counted
  std::string summary;  ///< who sends to whom
};
const std::vector<NasKernel>& nas_kernels();
/// The letters of the sizes, "SWABCD".
inline constexpr std::string_view kNasClasses = "SWABCD";

/// Bytes that each rank of a kernel sends to each during one step; messages of a few bytes (sums of one
/// number, counts of keys) are left out, and so is what MG's ranks without points of a coarse grid hand on to
/// others.
///
///     cg  an iteration of the conjugate gradients: sums along rows of the processor grid, an exchange across
///     ft  a transposition of the grid: all to all
///     is  a ranking of the keys: all to all, each the same share
///     lu  a time step: two sweeps, plane by plane, and the grid's faces, to neighbours in a plane
///     mg  a V-cycle and the residual: faces of the grids of all levels, to neighbours in space, around
///
/// InputError for an unknown kernel or class, and for ranks that are no power of two from 2 on, that the
/// class has no work for, or that are more than 4,096 where all send to all. O(entries).
CommunicationMatrix nas_matrix(std::string_view kernel, char nas_class, std::uint32_t ranks);

/// The matrix of the hosts that have `per_host` consecutive ranks each; what stays on a host is left out, and
/// amounts are divided by `part`, rounded up. InputError where the ranks do not fill hosts, or nothing is
/// left.
CommunicationMatrix matrix_of_hosts(const CommunicationMatrix& ranks, std::uint32_t per_host,
                                    std::uint64_t part);

}  // namespace unknot
