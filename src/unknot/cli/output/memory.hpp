// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace unknot::cli {

/// Asks for the heap in one large piece of huge pages. Routing a fabric of a thousand endpoints takes a few
/// milliseconds, of which a quarter went into page faults of freshly mapped arrays. Does nothing where the C
/// library or the kernel has no such choice; resident memory grows with use as before, in steps of 2 MiB.
void prepare_heap();

}  // namespace unknot::cli
