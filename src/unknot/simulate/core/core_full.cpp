// SPDX-License-Identifier: Apache-2.0
// The model in the form Mode::full, compiled.
#include "unknot/simulate/core/core.hpp"
#include "unknot/simulate/core/core_setup.hpp"

namespace unknot::simulate {

template class Core<OneWord, Mode::full>;
template class Core<AnyShape, Mode::full>;

}  // namespace unknot::simulate
