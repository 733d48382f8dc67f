// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/energy.hpp"

#include "unknot/support/error.hpp"

namespace unknot::simulate {

const std::vector<Parameter>& energy_parameters() {
  static const std::vector<Parameter> rows = [] {
    std::vector<Parameter> made;
    const auto row = [&](const char* name, const char* help) {
      made.push_back(
          {.name = name, .kind = ParameterKind::real, .help = help, .fallback = "0", .min = 0, .max = 1e12});
    };
    row("write", "pJ of a flit into a router's buffer");
    row("read", "pJ of a flit out of it");
    row("switch", "pJ of a flit through a switch");
    row("channel", "pJ of a flit over a channel between routers");
    row("terminal", "pJ of a flit over the links of its two terminals, both together");
    row("router", "mW of a router, whatever it does");
    return made;
  }();
  return rows;
}

EnergyTable parse_energy(std::string_view text) {
  const Parameters p = parse_parameters("--energy", energy_parameters(), text);
  const EnergyTable table{p.real("write"),   p.real("read"),     p.real("switch"),
                          p.real("channel"), p.real("terminal"), p.real("router")};
  if (table.write + table.read + table.cross + table.channel + table.terminal + table.router == 0)
    throw InputError("--energy: nothing takes energy; give write, read, switch, channel, terminal or router");
  return table;
}

EnergyUse energy_use(const EnergyTable& table, const Ports& ports, const std::vector<std::uint64_t>& sent,
                     double ns) {
  std::uint64_t all = 0, between = 0;
  EnergyUse use;
  use.ns = ns;
  for (std::uint32_t o = 0; o < ports.outputs(); ++o) {
    all += sent[o];
    ((ports.output_to[o] & Ports::kTerminal) != 0 ? use.delivered : between) += sent[o];
  }
  use.buffers = static_cast<double>(all) * (table.write + table.read);
  use.switches = static_cast<double>(all) * table.cross;
  use.channels = static_cast<double>(between) * table.channel;
  use.terminals = static_cast<double>(use.delivered) * table.terminal;
  const auto routers = static_cast<double>(ports.first_output.size() - 1);
  use.routers = routers * table.router * ns;
  return use;
}

}  // namespace unknot::simulate
