// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "unknot/simulate/core/engine.hpp"

namespace unknot::simulate {

/// As make_engine(), on up to so many threads: the network is divided, and a thread simulates each part. The
/// results are the same to the byte as on one thread, but for the order in which kept packets are listed.
/// Where a run cannot be divided (parts_of_run()), the engine of one thread.
///
/// Parts advance by windows of time as long as whatever goes from one to another is under way, at least; at
/// the end of each they meet, and take what was sent. Where nothing happens anywhere they skip the time
/// together. [Chandy and Misra 1979; Lis et al., DARSIM 2010, cycle-accurate]
std::unique_ptr<Engine> make_engine_on(std::uint32_t threads, const RoutePlan& plan, const Settings& settings,
                                       const LinkTimes& links, Source& source);
/// The same on exactly so many parts, at least 2, however small the network is, for what parts_of_run() would
/// divide.
std::unique_ptr<Engine> make_parted_engine(std::uint32_t parts, const RoutePlan& plan,
                                           const Settings& settings, const LinkTimes& links, Source& source);

}  // namespace unknot::simulate
