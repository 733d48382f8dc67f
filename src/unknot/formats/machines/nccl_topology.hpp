// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/topology/machines/machine.hpp"

namespace unknot {

/// One server as NCCL and RCCL see it: the XML that they write where NCCL_TOPO_DUMP_FILE is set and read from
/// NCCL_TOPO_FILE. GPUs, numbered by their rank (where there is none, by `dev`), are the GPUs of the plan;
/// other parts are processors, PCI switches, the switch that NVLinks lead to, and cards, whose ports are the
/// plan's cards: on the rail that <net> names, else on that of its `dev`. Capacities are NCCL's own figures
/// (nccl_figures.hpp); what one GPU says of its NVLinks or xGMI links to another is that direction.
///
/// Left out, as NCCL does: links to devices that the file does not have, and devices with neither a GPU nor a
/// card. Throws InputError, with the line, for what is no such file, a file without GPUs, GPUs in parts
/// (`mlopart`), and one with more than kMostGpusOfABox GPUs or as many processors. O(file).
BoxPlan read_nccl_box(std::string_view text, const std::string& name);
/// The same as a network: cards lead nowhere.
Network read_nccl_topology(std::string_view text, const std::string& name);
/// True when `head` is XML with an element <system> and one that is a <cpu>.
bool looks_like_nccl_topology(std::string_view head);

}  // namespace unknot
