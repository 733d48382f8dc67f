// SPDX-License-Identifier: Apache-2.0
#include "fabric_fuzz.hpp"
#include "unknot/formats/machines/machine_toml.hpp"

namespace {

/// Whatever a text asks for is refused or small enough to be made many times a second.
unknot::Network small_machine(std::string_view text, const std::string& name) {
  const unknot::MachinePlan plan =
      unknot::read_machine_plan(text, name, [](const std::string& path) -> std::string {
        if (path == "box.xml") {
          return "<system><cpu arch=\"x86_64\"><pci busid=\"1\" class=\"0x03\" link_width=\"16\"><gpu "
                 "dev=\"0\"/>"
                 "</pci><nic><net dev=\"0\" speed=\"100000\"/></nic></cpu></system>";
        }
        throw unknot::InputError(path + ": no such file");
      });
  const unknot::NetworkSize size = unknot::machine_size(plan);
  if (size.routers > 10'000 || size.cables > 100'000) throw unknot::InputError("large");
  return unknot::machine_network(plan);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)unknot::looks_like_machine({reinterpret_cast<const char*>(data), size});
  const std::string text(data, data + size);
  unknot::Network network;
  try {
    network = small_machine(text, "fuzz");
  } catch (const unknot::InputError&) {
    return 0;
  }
  try {
    unknot::fuzz::check_round_trip(network, unknot::read_native_json, unknot::write_native_json);
  } catch (const unknot::InputError&) {
    // read_machine() refuses parts that nothing joins, as our own format does
  }
  return 0;
}
