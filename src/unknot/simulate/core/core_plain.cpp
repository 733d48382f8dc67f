// SPDX-License-Identifier: Apache-2.0
// The model in the form Mode::plain, compiled.
#include "unknot/simulate/core/core.hpp"
#include "unknot/simulate/core/core_setup.hpp"

namespace unknot::simulate {

template class Core<OneWord, Mode::plain>;
template class Core<TwoWords, Mode::plain>;
template class Core<AnyShape, Mode::plain>;

}  // namespace unknot::simulate
