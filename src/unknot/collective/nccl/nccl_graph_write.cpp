// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/collective/nccl/nccl_graph.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot::nccl {

std::string graphs_text(const std::vector<Graph>& graphs) {
  std::string text = "<graphs version=\"1\">\n";
  for (const Graph& graph : graphs) {
    append(text,
           "  <graph id=\"{}\" pattern=\"{}\" crossnic=\"{}\" nchannels=\"{}\" speedintra=\"{}\" "
           "speedinter=\"{}\" "
           "latencyinter=\"{}\" typeintra=\"{}\" typeinter=\"{}\" samechannels=\"{}\">\n",
           static_cast<std::uint32_t>(graph.id), static_cast<std::uint32_t>(graph.pattern),
           graph.cross_nic ? 1 : 0, graph.channels.size(), graph.speed_intra, graph.speed_inter,
           graph.latency_inter, graph.type_intra, graph.type_inter, graph.same_channels ? 1 : 0);
    for (const GraphChannel& channel : graph.channels) {
      text += "    <channel>\n";
      // numbers of devices are hexadecimal, with or without 0x
      if (!channel.nets.empty()) append(text, "      <net dev=\"{:#x}\"/>\n", channel.nets[0]);
      for (const GraphGpu& gpu : channel.gpus) {
        append(text, "      <gpu dev=\"{:#x}\"", gpu.dev);
        if (gpu.rank) append(text, " rank=\"{}\"", *gpu.rank);
        text += "/>\n";
      }
      if (channel.nets.size() > 1) append(text, "      <net dev=\"{:#x}\"/>\n", channel.nets[1]);
      text += "    </channel>\n";
    }
    text += "  </graph>\n";
  }
  return text + "</graphs>\n";
}

}  // namespace unknot::nccl
