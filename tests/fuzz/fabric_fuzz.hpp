// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"

namespace unknot::fuzz {

using Reader = Network (*)(std::string_view, const std::string&);
using Writer = std::string (*)(const Network&);

/// What comes back must be the same network; a text that we wrote and do not read is a crash.
inline void check_round_trip(const Network& network, Reader reader, Writer writer) {
  std::string text;
  try {
    text = writer(network);
  } catch (const InputError&) {
    return;  // the format cannot hold it
  }
  if (reader(text, "again").fingerprint() != network.fingerprint()) std::abort();
}

/// Any bytes give a network or one InputError; a network survives our own format, and the one it came from.
inline int fabric(const std::uint8_t* data, std::size_t size, Reader reader, Writer writer = nullptr) {
  const std::string text(data, data + size);
  Network network;
  try {
    network = reader(text, "fuzz");
  } catch (const InputError&) {
    return 0;
  }
  check_round_trip(network, read_native_json, write_native_json);
  if (writer != nullptr) check_round_trip(network, reader, writer);
  return 0;
}

}  // namespace unknot::fuzz
