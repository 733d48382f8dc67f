// SPDX-License-Identifier: Apache-2.0
#include "formats/chips/garnet_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace unknot::test {

std::string garnet_text(const Network& network, std::span<const std::uint32_t> weights) {
  std::string routers;
  std::string ext;
  std::string internal;
  std::string sections;
  for (const RouterId r : network.routers()) {
    routers += fmt::format(" system.ruby.network.routers{}", r.value);
    sections += fmt::format(
        "[system.ruby.network.routers{0}]\ntype=GarnetRouter\nlatency=1\nrouter_id={0}\n\n", r.value);
  }
  for (const TerminalId t : network.terminals()) {
    ext += fmt::format(" system.ruby.network.ext_links{}", t.value);
    sections += fmt::format(
        "[system.ruby.network.ext_links{0}]\ntype=GarnetExtLink\next_node=system.ruby.l1_cntrl{0}\n"
        "int_node=system.ruby.network.routers{1}\nlatency={2}\nsupported_vnets=\nweight=1\n\n",
        t.value, network.router_of(t).value, std::max(1U, network.terminal_latency(t)));
  }
  for (const ChannelId c : network.channels()) {
    internal += fmt::format(" system.ruby.network.int_links{}", c.value);
    sections += fmt::format(
        "[system.ruby.network.int_links{}]\ntype=GarnetIntLink\ndst_node=system.ruby.network.routers{}\n"
        "latency={}\nsrc_node=system.ruby.network.routers{}\nsupported_vnets=\nweight={}\n\n",
        c.value, network.target(c).value, std::max(1U, network.channel_latency(c)), network.source(c).value,
        weights[c.value]);
  }
  return fmt::format(
      "[root]\ntype=Root\nchildren=system\n\n[system.ruby.network]\ntype=GarnetNetwork\next_links={}\n"
      "int_links={}\nrouters={}\nrouting_algorithm=0\n\n{}",
      ext.substr(1), internal.substr(1), routers.substr(1), sections);
}

}  // namespace unknot::test
