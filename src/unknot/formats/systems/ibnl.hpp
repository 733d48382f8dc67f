// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "unknot/formats/systems/link_arrow.hpp"

namespace unknot {

/// A part of a system: a device with numbered ports, or a board that another SYSTEM of the file describes.
struct IbnlPart {
  std::string_view name;   ///< "U1", "leaf1"
  std::string_view board;  ///< name of the SYSTEM; empty: a device
  bool is_switch = true;   ///< of a device: else an adapter
  std::uint16_t ports = 0;
  std::uint32_t line = 0;
};

/// A port of a part, and where it leads: to a port of another part, or out of the system under a name.
struct IbnlLink {
  std::uint32_t part = 0;
  std::string_view port;
  std::uint32_t peer = 0;
  std::string_view peer_port;  ///< of a link that leads out: the name of the system's port
  LinkArrow arrow;
  std::uint32_t line = 0;
};

/// A SYSTEM or the TOPSYSTEM: its parts, the links among them, and its own ports.
struct IbnlSystem {
  std::vector<std::string_view> names;
  std::vector<IbnlPart> parts;
  std::vector<IbnlLink> links;  ///< as the file states them: from one side or both
  std::vector<IbnlLink> ports;
  std::unordered_map<std::string_view, std::uint32_t> part_of;  ///< by name
  std::unordered_map<std::string_view, std::uint32_t> port_of;  ///< by name
  std::uint32_t line = 0;
};

/// What is inside a switch system or an adapter, as ibutils' IBNL files say it. All strings are views into
/// the text.
struct IbnlFile {
  std::string file;
  std::vector<IbnlSystem> boards;
  std::unordered_map<std::string_view, std::uint32_t> board_of;  ///< by name
  IbnlSystem top;
};

/// Reads one IBNL file: the grammar is in ibutils' manual page ibdm-ibnl-file(1). Attributes of devices are
/// passed over. Throws InputError, with file and line, for a line that is none of the grammar's, a name or a
/// port given twice, a part that is not there, a device without ports or with more than 65,535, a port that
/// the device does not have, and a file without a TOPSYSTEM. O(length of text).
IbnlFile read_ibnl(std::string_view text, const std::string& name);

/// The names of the TOPSYSTEM of a text, without reading the rest; empty where there is none. O(length of
/// text).
std::vector<std::string_view> ibnl_system_names(std::string_view text);

}  // namespace unknot
