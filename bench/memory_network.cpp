// SPDX-License-Identifier: Apache-2.0
// memory_network [SPEC]: peak memory and time of making one network. The default is a torus of ten million
// channels, which must stay below 1 GiB, the builder's scratch space included.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <exception>
#include <string>

#include "unknot/topology/catalogue.hpp"

namespace {

/// Peak resident memory of this process so far, in MiB (ru_maxrss is in KiB on Linux).
double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string spec = argc > 1 ? argv[1] : "torus:100x100x167";
  try {
    const double before = peak_mib();
    const auto start = std::chrono::steady_clock::now();
    const unknot::Network network = unknot::make_network(spec);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const double peak = peak_mib();
    fmt::print("{}: {} routers, {} channels, {} terminals in {:.2f} s\n", spec, network.router_count(),
               network.channel_count(), network.terminal_count(), seconds.count());
    fmt::print("peak {:.0f} MiB, of which {:.0f} before; {:.1f} bytes a channel\n", peak, before,
               (peak - before) * 1048576 / std::max(1U, network.channel_count()));
    const bool fits = peak < 1024;
    fmt::print("{} 1 GiB\n", fits ? "below" : "NOT below");
    return fits ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
