// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/design/switch_models.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// A kind of cable, optical transceivers included.
struct CableKind {
  std::string name;
  double price = 0;  ///< of one cable of no length
  double price_per_metre = 0;
  double power = 0;  ///< watts, both ends together
  double reach = 0;  ///< metres, at most; 0: any length
};

/// Racks of equal size in rows. Lengths in metres; units are what a rack is divided into.
struct FloorPlan {
  double rack_units = 0, router_units = 0, terminal_units = 0;
  double rack_width = 0;            ///< from a rack to the next of its row
  double row_pitch = 0;             ///< from a row to the next
  std::uint32_t racks_per_row = 0;  ///< 0: as square as can be
  double inside = 0;                ///< length of a cable inside a rack
  double slack = 0;                 ///< of a cable between racks, beyond the way along the rows
};

/// What networks cost, as docs/design.md says it: built in, or from a file.
struct PriceModel {
  std::string currency;
  double router_price = 0, router_price_per_port = 0;  ///< where no switch model is given
  double router_power = 0, router_power_per_port = 0;  ///< watts
  std::vector<CableKind> cables;
  FloorPlan floor;
};

/// The built-in model as TOML, with where each figure comes from.
std::string_view built_in_price_model();
/// TOML as the built-in one: what a file does not say is as there; any [[cable]] replaces all kinds. Throws
/// InputError, with file and line, for what is no such file, unknown keys and numbers out of range.
PriceModel read_price_model(std::string_view text, const std::string& name);

/// Racks, cables, money and power of a network.
struct Bill {
  std::uint64_t racks = 0;
  double metres = 0;                  ///< of all cables, the terminals' included
  std::vector<std::uint64_t> cables;  ///< of each kind of the model
  double routers_price = 0, cables_price = 0;
  double power = 0;

  [[nodiscard]] double price() const { return routers_price + cables_price; }
};

/// Fills racks with routers in order of their numbers, each followed by its terminals. A cable goes along the
/// rows and across them, and is of the cheapest kind that reaches so far. Routers are of the switch model, or
/// without one priced by `ports`. InputError where no kind reaches. O(network).
Bill price_network(const Network& network, const PriceModel& model, std::uint32_t ports,
                   const SwitchModel* switches);

}  // namespace unknot
