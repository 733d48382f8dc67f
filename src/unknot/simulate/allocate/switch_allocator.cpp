// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/allocate/switch_allocator.hpp"

#include "unknot/simulate/allocate/iterated_allocators.hpp"
#include "unknot/simulate/allocate/whole_allocators.hpp"
#include "unknot/support/catalogue.hpp"

namespace unknot::simulate {
namespace {

template <class Allocator>
std::unique_ptr<SwitchAllocator> make(const SwitchSizes& sizes, const Parameters&) {
  return std::make_unique<Allocator>(sizes);
}
template <class Allocator>
std::unique_ptr<SwitchAllocator> make_iterated(const SwitchSizes& sizes, const Parameters& parameters) {
  return std::make_unique<Allocator>(sizes, parameters.number32("iterations"));
}

std::vector<Parameter> iterations(const char* usual) {
  return {{.name = "iterations",
           .help = "rounds of offers and choices among those that are still free",
           .fallback = usual,
           .min = 1,
           .max = 64}};
}

}  // namespace

const std::vector<AllocatorRow>& switch_allocators() {
  static const std::vector<AllocatorRow> rows = {
      {"islip", "outputs offer themselves in turn, inputs choose in turn; turns move on with what is taken",
       "McKeown 1999", iterations("1"), make_iterated<IslipAllocator>},
      {"pim", "outputs offer themselves at random, inputs choose at random",
       "Anderson, Owicki, Saxe, Thacker 1993", iterations("1"), make_iterated<PimAllocator>},
      {"separable-input",
       "each input asks one output in turn, each output takes one of those in turn",
       "Dally and Towles 2004, section 19.3",
       {},
       make<SeparableInputAllocator>},
      {"separable-output",
       "each output asks one input in turn, each input takes one of those in turn",
       "Dally and Towles 2004, section 19.3",
       {},
       make<SeparableOutputAllocator>},
      {"wavefront",
       "along the diagonals of the matrix of wishes, each time from the next one on",
       "Tamir and Chi 1993",
       {},
       make<WavefrontAllocator>},
      {"max-size",
       "as many pairs as there can be, by augmenting paths, each time from the next input on",
       "Kuhn 1955",
       {},
       make<MaxSizeAllocator>},
  };
  return rows;
}

std::unique_ptr<SwitchAllocator> make_switch_allocator(std::string_view spec, const SwitchSizes& sizes) {
  const Chosen<AllocatorRow> chosen = choose_row(switch_allocators(), "switch allocator", spec);
  return chosen.row->make(sizes, chosen.parameters);
}

}  // namespace unknot::simulate
