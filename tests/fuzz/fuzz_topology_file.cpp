// SPDX-License-Identifier: Apache-2.0
// An IBNL file, a line "====", and a topology file whose systems it describes.
#include "fabric_fuzz.hpp"
#include "unknot/formats/fabric/topology_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return unknot::fuzz::fabric(data, size, [](std::string_view text, const std::string& name) {
    constexpr std::string_view kBetween = "\n====\n";
    const std::size_t cut = text.find(kBetween);
    unknot::SystemModels models({});
    if (cut != std::string_view::npos) {
      models.add(std::string(text.substr(0, cut + 1)), "fuzz.ibnl");
      text.remove_prefix(cut + kBetween.size());
    }
    (void)unknot::looks_like_topology_file(text);
    return unknot::read_topology_file(text, name, models);
  });
}
