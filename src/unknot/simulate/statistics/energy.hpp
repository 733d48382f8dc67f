// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "unknot/simulate/plan/ports.hpp"
#include "unknot/support/parameters.hpp"

// Energy by events: what each takes is the user's to say, the simulator counts them.
namespace unknot::simulate {

/// What events take.
struct EnergyTable {
  double write = 0, read = 0;  ///< pJ: a flit into a router's buffer, and out of it
  double cross = 0;            ///< pJ: a flit through a switch
  double channel = 0;          ///< pJ: a flit over a channel between routers
  double terminal = 0;         ///< pJ: a flit over the links of its two terminals, both together
  double router = 0;           ///< mW: a router, whatever it does
};
/// Parameters of a table, "write=1.2,read=1,switch=2,channel=10,terminal=4,router=500".
const std::vector<Parameter>& energy_parameters();
/// InputError for a wrong one, and where nothing takes energy.
EnergyTable parse_energy(std::string_view text);

/// What was taken while measuring, in pJ. Events are counted where a flit leaves a router: by then it has
/// been written, read and through the switch.
struct EnergyUse {
  double buffers = 0, switches = 0, channels = 0, terminals = 0, routers = 0;
  std::uint64_t delivered = 0;  ///< flits that left their last router
  double ns = 0;                ///< the time
  [[nodiscard]] double total() const { return buffers + switches + channels + terminals + routers; }
  /// For each flit delivered; 0 where there is none.
  [[nodiscard]] double per_flit() const {
    return delivered == 0 ? 0 : total() / static_cast<double>(delivered);
  }
  [[nodiscard]] double power_mw() const { return ns > 0 ? total() / ns : 0; }
  /// One run after another.
  EnergyUse& operator+=(const EnergyUse& other) {
    buffers += other.buffers;
    switches += other.switches;
    channels += other.channels;
    terminals += other.terminals;
    routers += other.routers;
    delivered += other.delivered;
    ns += other.ns;
    return *this;
  }
};

/// `sent`: by output, flits in the time. O(outputs).
EnergyUse energy_use(const EnergyTable& table, const Ports& ports, const std::vector<std::uint64_t>& sent,
                     double ns);

}  // namespace unknot::simulate
