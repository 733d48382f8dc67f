// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::test {

/// Tables of an engine to 2^lmc addresses of each terminal, as engines make them and as they are in force.
struct AddressedTables {
  Network wide;     ///< each terminal once for each address
  Routing of_wide;  ///< as the engine made it
  Routing routing;  ///< the same for the network itself
};
AddressedTables addressed_tables(const Network& network, const std::string& engine, std::uint32_t lmc);

/// What can be told of two verdicts of the same tables.
void expect_same_verdict(const Verdict& a, const Verdict& b);
Verdict verdict_of(const Network& network, const Routing& routing);

/// Bytes of a file that may be no text.
std::string bytes_of(const std::string& path);
/// Binary tables with the checksum of what precedes it.
std::string with_right_checksum(std::string text);

}  // namespace unknot::test
