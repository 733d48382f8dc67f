// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "unknot/formats/text/guid_index.hpp"
#include "unknot/network/live/live_network.hpp"

namespace unknot {

/// Finds the parts of a fabric that texts tell to be dead or back: switches by GUID, cables by one of their
/// ends, GUID:port. The network must outlive it.
class PartNames {
 public:
  /// InputError where a GUID is there twice. O(devices log devices).
  explicit PartNames(const Network& network) : network_(&network), guids_(network) {}

  /// Invalid where there is none.
  [[nodiscard]] RouterId router(std::uint64_t guid) const { return guids_.router(guid); }
  /// What leaves by that port to another switch; invalid where there is none.
  [[nodiscard]] ChannelId channel(std::uint64_t guid, std::uint32_t port) const;
  /// Both directions of the cable die, or come back.
  void add_cable(ChannelId channel, bool back, LiveChange& change) const;

  /// Lines of what changes, in any order:
  ///
  ///     dead 0x0002c903000a1b2c        a switch, with all that hangs on it
  ///     back 0x0002c903000a1b2c
  ///     dead 0x0002c903000a1b2c:17     the cable at that port of a switch
  ///     back 0x0002c903000a1b2c:17     # to the end of a line is a remark
  ///
  /// InputError, with the line, for anything else, and for parts that the network does not have. O(text log
  /// devices).
  [[nodiscard]] LiveChange events(std::string_view text, const std::string& file) const;

  /// Lines of what is there, all of it, in any order: cables between switches by both ends, and switches
  /// (needed for those without a cable):
  ///
  ///     0x0002c903000a1b2c:17 0x0002c903000a1b40:3
  ///     0x0002c903000a1b2c
  ///
  /// Returns what makes `live` that: what no line names is dead. InputError as events(), and for a cable that
  /// leads elsewhere in the network. O(text log devices + channels).
  [[nodiscard]] LiveChange cable_list(const LiveNetwork& live, std::string_view text,
                                      const std::string& file) const;
  /// The lines of what lives.
  [[nodiscard]] static std::string cable_list_of(const LiveNetwork& live);

 private:
  const Network* network_;
  GuidIndex guids_;
};

}  // namespace unknot
