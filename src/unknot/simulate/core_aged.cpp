// SPDX-License-Identifier: Apache-2.0
// The model by age, compiled: the form in which packets may have priorities, and terminals be held back.
#include "unknot/simulate/core/core.hpp"
#include "unknot/simulate/core/core_setup.hpp"

namespace unknot::simulate {

template class Core<AgedShape, Mode::full>;
template class Core<AgedShape, Mode::messages>;

}  // namespace unknot::simulate
