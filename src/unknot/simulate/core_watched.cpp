// SPDX-License-Identifier: Apache-2.0
// The model by age, and with a watch of packets, compiled: the forms that can do everything.
#include "unknot/simulate/core/core.hpp"
#include "unknot/simulate/core/core_setup.hpp"

namespace unknot::simulate {

template class Core<AgedShape, Mode::full>;
template class Core<AgedShape, Mode::messages>;
template class Core<WatchedShape, Mode::full>;
template class Core<WatchedShape, Mode::messages>;
template class Core<WatchedShape, Mode::packets>;
template class Core<WatchedShape, Mode::trains>;

}  // namespace unknot::simulate
