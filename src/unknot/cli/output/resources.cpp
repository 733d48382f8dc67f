// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/resources.hpp"

#include <cstdio>
#include <ctime>
#include <memory>

namespace unknot::cli {

double cpu_seconds() {
  timespec now{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_memory_mib() {
  // Not getrusage(): its maximum survives exec(), so it would be that of whoever started us.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> status(std::fopen("/proc/self/status", "r"),
                                                               std::fclose);
  if (!status) return 0;
  char line[256];
  constexpr double kKibInMib = 1024;
  while (std::fgets(line, sizeof line, status.get()) != nullptr) {
    unsigned long kib = 0;
    if (std::sscanf(line, "VmHWM: %lu kB", &kib) == 1)
      return static_cast<double>(kib) / kKibInMib;  // NOLINT(cert-err34-c)
  }
  return 0;
}

}  // namespace unknot::cli
