// SPDX-License-Identifier: Apache-2.0
// In the place of held_c.cpp where the plug-in cannot have the engine and the checker: OpenSM is built
// without sanitizers, and so must all be that it loads.
#include "fabric.hpp"

struct unknot_held {};

extern "C" {

unknot_held* unknot_held_new(void) {
  static unknot_held nothing;
  return &nothing;
}

void unknot_held_free(unknot_held* /*held*/) {}

unknot_plan* unknot_held_follow(unknot_held* /*held*/, const unknot_fabric* /*fabric*/, char* why,
                                std::size_t why_size, char* /*notes*/, std::size_t /*notes_size*/) {
  unknot::opensm::copy_text("this plug-in was built without option live", why, why_size);
  return nullptr;
}

const std::uint8_t* unknot_held_row(const unknot_held* /*held*/, int /*switch_index*/, unsigned* last) {
  *last = 0;
  return nullptr;
}

}  // extern "C"
