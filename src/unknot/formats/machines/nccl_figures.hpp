// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace unknot {

/// What NCCL takes links inside of a server to carry: facts of src/graph/topo.h and topo.cc of NCCL (commit
/// 5067397c, 2026-06), and for xGMI of RCCL's (commit 0cbce2a7, 2024-10), which give gigabytes a second. Here
/// in megabits a second each way, all of them whole numbers.

/// Of a processor: attributes of <cpu>; numbers are -1 where the file has none.
struct NcclProcessor {
  std::string_view arch, vendor;
  std::int64_t family = -1, model = -1;
};

/// From a processor to another of the same host.
std::uint32_t nccl_processor_megabits(const NcclProcessor& processor);
/// Of a PCI link: "16.0 GT/s PCIe" and 16 lanes. Speeds that NCCL does not know count as 8 GT/s, no lanes
/// as 16.
std::uint64_t nccl_pci_megabits(std::string_view link_speed, std::uint64_t link_width);
/// Of one NVLink of a GPU with that compute capability, 90 for 9.0.
std::uint32_t nccl_nvlink_megabits(std::uint64_t compute_capability);
/// Of one xGMI link of a GPU: "908", "gfx942".
std::uint32_t nccl_xgmi_megabits(std::string_view architecture);
/// Of what is no link at all.
inline constexpr std::uint32_t kNcclLocalMegabits = 40'000'000;
/// Of a card that does not say its speed.
inline constexpr std::uint32_t kNcclUnknownCardMegabits = 10'000;

}  // namespace unknot
