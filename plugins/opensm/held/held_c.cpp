// SPDX-License-Identifier: Apache-2.0
// What engine.c calls of the state that is held; no exception leaves this file.
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "held/held_fabric.hpp"
#include "line_reader.hpp"

struct unknot_held {
  std::optional<unknot::opensm::HeldFabric> fabric{std::in_place};
};

extern "C" {

unknot_held* unknot_held_new(void) {
  return new (std::nothrow) unknot_held;
}

void unknot_held_free(unknot_held* held) {
  delete held;
}

unknot_plan* unknot_held_follow(unknot_held* held, const unknot_fabric* fabric, char* why,
                                std::size_t why_size, char* notes, std::size_t notes_size) {
  try {
    auto plan = std::make_unique<unknot_plan>(held->fabric->follow(*fabric));
    unknot::opensm::copy_text(plan->notes, notes, notes_size);
    return plan.release();
  } catch (const unknot::opensm::Misfit& misfit) {
    unknot::opensm::copy_text(misfit.what(), why, why_size);
  } catch (const std::exception& error) {
    // It may be changed by halves: the next sweep begins anew.
    held->fabric.emplace();
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    unknot::opensm::copy_text(memory ? "not enough memory for the tables" : error.what(), why, why_size);
  }
  return nullptr;
}

const std::uint8_t* unknot_held_row(const unknot_held* held, int switch_index, unsigned* last) {
  const std::span<const std::uint8_t> row = held->fabric->row(static_cast<std::uint32_t>(switch_index));
  *last = static_cast<unsigned>(row.size() - 1);
  return row.data();
}

}  // extern "C"
