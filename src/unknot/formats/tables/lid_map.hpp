// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/formats/text/guid_index.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// Last unicast LID; those above are multicast (InfiniBand specification, volume 1, section 4.1.1).
inline constexpr std::uint32_t kLastUnicastLid = 0xBFFF;

/// Which device of a network answers to which LID, and the other way round. A device may have several LIDs
/// (LMC above 0); the lowest is its base LID, the one that tables are made for. LID 0: none.
class LidMap {
 public:
  /// Keeps a hostile LID from asking for gigabytes; far above any fabric this model can hold.
  static constexpr std::uint32_t kHighest = 1U << 26;

  LidMap() = default;
  /// Knows no LID yet.
  explicit LidMap(const Network& network);
  /// The LIDs that this project writes for the network: its own, and the lowest free ones for devices whose
  /// LID is not known (terminals, then routers, then service nodes), but for those that are kept for ports
  /// which are gone (Labels::kept_lids). Throws InputError when two devices have the same LID.
  static LidMap of(const Network& network);

  /// Device with that LID, base or not.
  [[nodiscard]] Device at(std::uint32_t lid) const { return lid < device_.size() ? device_[lid] : Device(); }
  /// Base LID of the device; 0 when not known.
  [[nodiscard]] std::uint32_t of(Device device) const;
  [[nodiscard]] std::uint32_t of(TerminalId t) const { return terminal_[t.value]; }
  /// Not for networks with management, where a router's own port has its LID.
  [[nodiscard]] std::uint32_t of(RouterId r) const { return router_[r.value]; }
  [[nodiscard]] std::uint32_t highest() const {
    return device_.empty() ? 0 : static_cast<std::uint32_t>(device_.size() - 1);
  }
  /// Most LIDs that one terminal has beside its base LID.
  [[nodiscard]] std::uint32_t further() const;
  /// The same devices, but of() gives each terminal's LID of that rank: 0 the lowest, 1 the next; the lowest
  /// where it has fewer.
  [[nodiscard]] LidMap ranked(std::uint32_t rank) const;
  /// True when every terminal has a LID, routers' own ports aside.
  [[nodiscard]] bool complete() const { return terminals_missing_ == 0; }
  /// The same with these ports.
  [[nodiscard]] bool complete_with_own_ports() const { return complete() && own_ports_missing_ == 0; }

  /// Gives the device one more LID. Returns the device that has it already, or none when all is well.
  Device assign(Device device, std::uint32_t lid);

 private:
  std::vector<Device> device_;  // by LID
  std::vector<std::uint32_t> router_, terminal_, service_node_;
  std::vector<bool> own_port_;           // by terminal: a router's
  std::uint32_t terminals_missing_ = 0;  // own ports aside
  std::uint32_t own_ports_missing_ = 0;
};

/// LIDs from OpenSM's guid2lid file: lines "0x<port guid> 0x<lowest lid> 0x<highest lid>", GUIDs that the
/// network does not have passed over (OpenSM remembers devices that are gone). Throws InputError for anything
/// else.
LidMap read_guid2lid(const Network& network, const std::string& path);
/// The same, and the LIDs of GUIDs that the network does not have; also InputError for a LID that is given
/// twice among all of them.
LidMap parse_guid2lid(const Network& network, std::string_view text, const std::string& name,
                      std::vector<KeptLids>& gone);
/// With the LIDs that are kept for ports which are gone.
void write_guid2lid(const Network& network, const LidMap& lids, const std::string& path);

/// Where the LIDs of an LFT dump are written; empty where the dump is no file in a folder of its own, but
/// standard output, a device or a pipe.
std::string guid2lid_beside(const std::string& tables);

/// LIDs that go with the text of a tables file: those of its own rows when they carry port GUIDs, and those
/// that this project's own forms state; else, for forms that go by LID, those of the files beside it. Nothing
/// where none tells any, so that the network's are to be taken. Looks only as far as it takes for a LID of
/// each terminal, or with `every_lid` to the end. InputError for a LID that cannot be.
std::optional<LidMap> told_lids(const Network& network, std::string_view tables, const std::string& path,
                                bool every_lid = false);

/// LIDs for a file that names devices by LID only: from `guid2lid` in the same folder, else from
/// `opensm-lfts.dump` there, each only if it gives every terminal a LID; else the network's own.
LidMap lid_map_beside(const Network& network, const std::string& path);

}  // namespace unknot
