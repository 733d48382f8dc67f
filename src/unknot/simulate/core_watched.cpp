// SPDX-License-Identifier: Apache-2.0
// The model with a watch of packets, compiled: somebody reads what it tells, and it is optimised little.
#include "unknot/simulate/core/core.hpp"
#include "unknot/simulate/core/core_setup.hpp"

namespace unknot::simulate {

template class Core<WatchedShape, Mode::full>;
template class Core<WatchedShape, Mode::messages>;
template class Core<WatchedShape, Mode::packets>;
template class Core<WatchedShape, Mode::trains>;

}  // namespace unknot::simulate
