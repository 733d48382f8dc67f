// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace unknot::cli {

/// Processor seconds of this process so far, all threads together: steadier than wall time on a busy machine.
double cpu_seconds();

/// Largest resident memory of this process so far in MiB; 0 where the system does not tell. What the process
/// that started this one used does not count.
double peak_memory_mib();

}  // namespace unknot::cli
