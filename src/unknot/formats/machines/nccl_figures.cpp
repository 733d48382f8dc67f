// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/machines/nccl_figures.hpp"

#include <utility>

namespace unknot {

std::uint32_t nccl_processor_megabits(const NcclProcessor& processor) {
  if (processor.arch == "ppc64") return 256'000;
  if (processor.arch == "arm64") return 48'000;
  if (processor.arch != "x86_64") return kNcclLocalMegabits;
  if (processor.vendor == "GenuineIntel") {
    if (processor.family == 6 && processor.model >= 0xCF) return 320'000;  // Emerald Rapids
    if (processor.family == 6 && processor.model >= 0x8F) return 176'000;  // Sapphire Rapids
    if (processor.family == 6 && processor.model >= 0x55) return 80'000;   // Skylake
    return 48'000;
  }
  if (processor.vendor == "AuthenticAMD") return 128'000;
  if (processor.vendor == "CentaurHauls" || processor.vendor == "  Shanghai  ")
    return processor.family == 7 && processor.model == 0x5B ? 72'000 : 48'000;
  return kNcclLocalMegabits;
}

std::uint64_t nccl_pci_megabits(std::string_view link_speed, std::uint64_t link_width) {
  constexpr std::pair<std::string_view, std::uint32_t> kLanes[] = {
      {"2.5 GT/s", 1'500},   {"5 GT/s", 3'000},    {"5.0 GT/s", 3'000},   {"8 GT/s", 6'000},
      {"8.0 GT/s", 6'000},   {"16 GT/s", 12'000},  {"16.0 GT/s", 12'000}, {"32 GT/s", 24'000},
      {"32.0 GT/s", 24'000}, {"64.0 GT/s", 48'000}};
  std::uint32_t lane = 6'000;
  for (const auto& [speed, megabits] : kLanes) {
    if (link_speed.starts_with(speed)) lane = megabits;
  }
  return (link_width == 0 ? 16 : link_width) * lane;
}

std::uint32_t nccl_nvlink_megabits(std::uint64_t compute_capability) {
  if (compute_capability >= 100) return 320'800;
  if (compute_capability >= 90) return 164'800;
  if (compute_capability == 86) return 96'000;
  if (compute_capability >= 70) return 160'000;
  if (compute_capability >= 60) return 144'000;
  return 160'000;
}

std::uint32_t nccl_xgmi_megabits(std::string_view architecture) {
  if (architecture.starts_with("gfx")) architecture.remove_prefix(3);
  if (architecture.starts_with("90a") || architecture == "910") return 288'000;
  if (architecture.starts_with("94")) return 384'000;
  return 192'000;
}

}  // namespace unknot
