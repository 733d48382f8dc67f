// SPDX-License-Identifier: Apache-2.0
#include "formats/addresses/addressed_samples.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "routed.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/hash.hpp"
#include "unknot/tables/further_addresses.hpp"

namespace unknot::test {

AddressedTables addressed_tables(const Network& network, const std::string& engine, std::uint32_t lmc) {
  AddressedTables all{addressed_network(network, lmc), {}, {}};
  all.of_wide = routed(all.wide, engine);
  all.routing = with_further_addresses(network, all.wide, all.of_wide);
  return all;
}

void expect_same_verdict(const Verdict& a, const Verdict& b) {
  EXPECT_EQ(a.addresses, b.addresses);
  EXPECT_EQ(a.pairs, b.pairs);
  EXPECT_EQ(a.unroutable_pairs, b.unroutable_pairs);
  EXPECT_EQ(a.looping_pairs, b.looping_pairs);
  EXPECT_EQ(a.laneless_pairs, b.laneless_pairs);
  EXPECT_EQ(a.longer_pairs, b.longer_pairs);
  EXPECT_EQ(a.lanes_used, b.lanes_used);
  EXPECT_EQ(a.total_hops, b.total_hops);
  EXPECT_EQ(a.dependencies, b.dependencies);
  EXPECT_EQ(a.deadlock_free, b.deadlock_free);
}

Verdict verdict_of(const Network& network, const Routing& routing) {
  Progress quiet;
  return verify(network, routing, {}, quiet);
}

std::string bytes_of(const std::string& path) {
  ReadLimits limits;
  limits.text = false;
  return read_file(path, limits);
}

std::string with_right_checksum(std::string text) {
  const std::size_t length = text.size() - sizeof(std::uint64_t);
  Hash64 hash;
  hash.add_bytes(std::as_bytes(std::span(text.data(), length)));
  const std::uint64_t sum = hash.value();
  std::memcpy(text.data() + length, &sum, sizeof sum);
  return text;
}

}  // namespace unknot::test
