// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/settings/presets.hpp"

#include "unknot/support/catalogue.hpp"

namespace unknot::simulate {

const std::vector<Preset>& presets() {
  static const std::vector<Preset> rows = {
      {"booksim",
       "input-queued routers of four stages, 4 lanes of 8 flits, wormhole, packets of one flit, links of a "
       "cycle",
       "BookSim2's iq_router, Jiang et al., ISPASS'13",
       R"(router = "input-queued"
switching = "wormhole"
vcs = 4
vc_buffer = 8
packet_flits = 1
speedup = 1
routing_delay = 1
vc_alloc_delay = 1
sw_alloc_delay = 1
st_delay = 1
link_latency = 1
terminal_latency = 1
credit_delay = 1
)"},
      {"paper-sc15",
       "100 Gb/s, links of 50 ns, switches of 100 ns and speedup 2, 100 KB a port, packets of 256 bytes as "
       "one flit",
       "Kathareios et al., SC'15, section 4.1",
       R"(router = "input-output-queued"
switching = "virtual-cut-through"
vcs = 0
speedup = 2
bandwidth_gbps = 100
flit_bytes = 256
packet_bytes = 256
link_ns = 50
terminal_ns = 50
switch_ns = 100
buffer_kb = 100
credit_delay = 1
warmup_us = 20
measure_us = 200
)"},
      {"paper-sc15-flits",
       "paper-sc15 with packets of four flits of 64 bytes, which follow each other without pause",
       "Kathareios et al., SC'15, section 4.1, four times as fine",
       R"(router = "input-output-queued"
switching = "virtual-cut-through"
arbitration = "packets"
vcs = 0
speedup = 2
bandwidth_gbps = 100
flit_bytes = 64
packet_bytes = 256
link_ns = 50
terminal_ns = 50
switch_ns = 100
buffer_kb = 100
credit_delay = 1
warmup_us = 20
measure_us = 200
)"},
  };
  return rows;
}

const Preset& find_preset(std::string_view name) {
  return find_row(presets(), "preset", name);
}

SettingsLayer preset_layer(std::string_view name) {
  const Preset& preset = find_preset(name);
  return parse_settings(preset.text, "preset " + preset.name);
}

}  // namespace unknot::simulate
