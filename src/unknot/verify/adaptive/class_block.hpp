// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/service_levels.hpp"
#include "unknot/verify/adaptive/class_bits.hpp"
#include "unknot/verify/adaptive/packet_ways.hpp"
#include "unknot/verify/adaptive/relation_view.hpp"

namespace unknot {

/// What routers do with packets to up to 512 classes of destinations, as sets of classes.
struct ClassBlock {
  std::vector<ClassBits> allowed;  ///< by plane * channels + channel: a packet may leave by it
  std::vector<ClassBits> free;     ///< the same where it may still take another instead; only where asked for
  std::vector<ClassBits> lost;     ///< by plane * routers + router: no way on
  std::vector<ClassBits> here;     ///< by plane * routers + router: delivered
  std::uint32_t first = 0;         ///< class of bit 0
  std::uint32_t count = 0;

  /// Classes from block * 512 on. O(routers * (512 + options * channels)) each time.
  void fill(const Network& network, const RelationView& view, std::uint32_t planes, std::uint32_t block,
            bool with_free);

 private:
  std::vector<ClassBits> of_option_;
};

/// Which packets of a block come to stand where: by walking all choices at once.
struct ClassReach {
  std::vector<ClassBits> stand;    ///< by stand of the ways: on their way there
  std::vector<ClassBits> buffer;   ///< by buffer: in it, and not yet at their destination's router
  std::vector<ClassBits> sent;     ///< by stand: given out by terminals there
  std::vector<std::uint8_t> used;  ///< by buffer: some packet comes there, if only to be delivered
  ClassBits dropped;               ///< some lane carries no data

  /// O(stands * degree) set operations for each time that more packets reach a stand.
  void walk(const Network& network, const PacketWays& ways, const RelationView& view,
            const ServiceLevels& levels, const ClassBlock& block);

 private:
  void send(const PacketWays& ways, const RelationView& view, const ServiceLevels& levels,
            const Network& network, const ClassBlock& block);
  std::vector<ClassBits> done_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint8_t> queued_;
};

}  // namespace unknot
