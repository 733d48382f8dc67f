// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/support/random.hpp"
#include "unknot/topology/graphs/pair_set.hpp"

namespace unknot {

/// Draws random links one after another under a limit of ports on each router, with or without parallel ones:
/// what the random and Jellyfish generators share. Always ends: where chance alone would search forever, the
/// pairs that are left are listed.
class RandomLinks {
 public:
  using Link = std::pair<std::uint32_t, std::uint32_t>;

  /// `ports`: how many links each router can still take; at most `capacity` links will exist.
  RandomLinks(std::vector<std::uint32_t> ports, bool parallel, std::size_t capacity, Random& random);

  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] std::vector<Link>& links() { return links_; }
  [[nodiscard]] std::uint32_t free_ports(std::uint32_t r) const { return ports_[r]; }
  /// Routers with a free port, in no particular order.
  [[nodiscard]] const std::vector<std::uint32_t>& open_routers() const { return open_; }

  /// The two routers must differ and have a free port each; without parallel links they must not be joined.
  void add(std::uint32_t a, std::uint32_t b);
  /// A link uniform among the pairs that still may be joined; false when there is none.
  bool add_uniform();
  /// Makes room for one more link where add_uniform() cannot: takes away a random link x-y not older than
  /// links()[first] and joins x and y to two free ports instead, as Jellyfish does. False when no link suits.
  bool add_by_swap(std::size_t first);
  /// Links added by either until there are `total`; false when neither can go on.
  bool fill(std::size_t total, std::size_t first);

 private:
  [[nodiscard]] bool joined(std::uint32_t a, std::uint32_t b) const {
    return !parallel_ && used_.contains(a, b);
  }
  bool take_listed();
  bool swap(std::size_t link, std::uint32_t u, std::uint32_t v);
  void take_port(std::uint32_t r);

  std::vector<std::uint32_t> ports_;
  std::vector<std::uint32_t> open_, place_;  // routers with free ports; by router: its index there
  bool parallel_;
  PairSet used_;
  std::vector<Link> links_;
  std::vector<Link> listed_;  // pairs left, in random order, once drawing has become hopeless
  Random& random_;
};

/// Disjoint sets of routers, for connectivity while links come in.
class RouterSets {
 public:
  explicit RouterSets(std::uint32_t routers);
  std::uint32_t find(std::uint32_t r);
  /// False when they were one set already.
  bool merge(std::uint32_t a, std::uint32_t b);
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint32_t> parent_;
  std::uint32_t count_;
};

}  // namespace unknot
