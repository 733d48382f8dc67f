// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "unknot/formats/systems/ibnl.hpp"

namespace unknot {

/// A system with its boards put together: devices, cables inside of it, and where its own ports lead.
struct SystemPlan {
  struct Device {
    std::string name;  ///< "leaf1/U4"
    bool is_switch = true;
    std::uint16_t ports = 0;
    std::uint32_t line = 0;
  };
  struct Port {
    std::uint32_t device = 0;
    std::uint16_t number = 0;
    LinkArrow arrow;  ///< what is stated of it, the innermost first
  };
  struct Link {
    Port a, b;  ///< as the file states it, at `a`
    LinkArrow arrow;
    std::uint32_t line = 0;
  };
  std::string file;
  std::vector<Device> devices;  ///< boards in the order of the file, depth first
  std::vector<Link> links;      ///< from one side or both
  std::map<std::string, Port, std::less<>> ports;
};

/// What the configuration of a topology file says of boards, by their name ("leaf3"): a variant of the SYSTEM
/// ("12x": LEAF:12x is taken), or R, X or Removed.
using BoardVariants = std::map<std::string, std::string, std::less<>>;

/// Puts a system together. As in ibutils, a link to a port that a board (or the variant of it) does not have
/// is not there, and what is stated further inside counts before what is stated further out. Throws
/// InputError for a board that no SYSTEM describes, or that contains itself, for a variant of a board that is
/// not in the system, and for more than 65,536 parts. O(parts and links, times depth).
SystemPlan plan_system(const IbnlFile& file, const BoardVariants& variants);

}  // namespace unknot
