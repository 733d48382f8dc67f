// SPDX-License-Identifier: Apache-2.0
// Readers of tables as CSV, of all routers and of one: any input gives tables or an InputError.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/chips/route_csv.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  const Network& network = fuzz::table_fabric();
  const std::string_view text = fuzz::text_of(data, size);
  try {
    require_fit(network, read_route_csv(network, text, "-"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  std::vector<RouteCsvFile> files;
  for (const RouterId r : network.routers())
    files.push_back({network.router_name(r), network.router_name(r)});
  const auto text_of = [&](const std::string& path) {
    return path == files.front().path ? std::string(text) : std::string("destination,port\n");
  };
  try {
    require_fit(network, read_route_csv_files(network, files, text_of, "-"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
