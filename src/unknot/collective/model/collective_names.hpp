// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/support/catalogue.hpp"

namespace unknot {

/// The name without what libraries write differently: capitals, dashes, underscores, and MPI or NCCL in
/// front. "MPI_Allreduce", "ncclAllReduce", "ALL-REDUCE" and "all-reduce" are all "allreduce".
inline std::string plain_collective_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == '-' || c == '_') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const std::string_view library : {"mpi", "nccl"}) {
    if (plain.starts_with(library) && plain.size() > library.size()) return plain.substr(library.size());
  }
  return plain;
}

/// The row of that name or alias, whoever has written it; InputError with the near names where there is none.
template <NamedRow Row>
const Row& find_collective_row(const std::vector<Row>& rows, std::string_view name) {
  const std::string plain = plain_collective_name(name);
  for (const Row& row : rows) {
    const auto same = [&](const std::string& one) { return plain_collective_name(one) == plain; };
    if (same(row.name) || std::any_of(row.aliases.begin(), row.aliases.end(), same)) return row;
  }
  return find_row(rows, "collective", name);
}

}  // namespace unknot
