// SPDX-License-Identifier: Apache-2.0
// The model in the form Mode::single, compiled.
#include "unknot/simulate/core/core.hpp"
#include "unknot/simulate/core/core_setup.hpp"

namespace unknot::simulate {

template class Core<OneWord, Mode::single>;
template class Core<TwoWords, Mode::single>;
template class Core<AnyShape, Mode::single>;

}  // namespace unknot::simulate
