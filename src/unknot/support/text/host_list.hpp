// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unknot {

/// Most names that a host list may stand for, as in Slurm.
inline constexpr std::size_t kMostHosts = 65'536;

/// Names of a host list as Slurm writes them: comma-separated, each with any number of brackets.
///
///     node[01-04,07]        node01 node02 node03 node04 node07
///     r[1-2]n[01-03],login  r1n01 r1n02 r1n03 r2n01 ... login: the last bracket counts fastest
///     n[1-3]-ib             a suffix (Slurm itself takes none after a bracket)
///
/// A number has as many digits as the first one of its range, with leading zeros. Names may come twice, and
/// do so in the result. Blanks around commas are passed over. Throws InputError with the position for what is
/// no such list: an empty name, a reversed or empty range, brackets that are nested or do not match, more
/// than `most` names. O(names).
std::vector<std::string> expand_host_list(std::string_view text, std::size_t most = kMostHosts);

/// The shortest such list that keeps the order: neighbours of one prefix share a bracket, numbers that follow
/// each other a range. What expand_host_list() makes the same names of. Names must not have blanks, commas or
/// brackets. O(names).
std::string compress_host_list(std::span<const std::string> names);

}  // namespace unknot
