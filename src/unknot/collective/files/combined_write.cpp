// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/collective/files/combined_file.hpp"
#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {

std::string combined_json(const CombinedDocument& document) {
  const CombinedSchedule& schedule = document.schedule;
  std::string text =
      schedule_head(document.fabric, document.faults, document.collective, document.participants);
  append(text, ", \"pieces\": {}", document.pieces);
  if (!document.rounds.empty()) {
    text += ", \"rounds\": [";
    for (const std::uint32_t rounds : document.rounds)
      append(text, "{}{}", text.back() == '[' ? "" : ", ", rounds);
    text += "]";
  }
  text += ", \"steps\": [";
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    text += step == 0 ? "\n [" : ",\n [";
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      append(text, "{}{{\"path\": [{}], \"blocks\": [", t == schedule.step_begin(step) ? "" : ", ",
             node_list(schedule.path(t), ", "));
      for (const Block& block : schedule.blocks(t)) {
        append(text, "{}[{}, {}]", text.back() == '[' ? "" : ", ", block.origin.value, block.part);
      }
      text += schedule.combines(t) ? "], \"combine\": true}" : "]}";
    }
    text += "]";
  }
  return text + "\n]}\n";
}

std::string combined_table(const CombinedSchedule& schedule) {
  std::string text;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    append(text, "step {}\n", step + 1);
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      append(text, "  {}->{} ({}) {}", schedule.sender(t).value, schedule.receiver(t).value,
             node_list(schedule.path(t), ","), schedule.combines(t) ? "+" : "");
      for (const Block& block : schedule.blocks(t)) append(text, "[{},{}]", block.origin.value, block.part);
      text += '\n';
    }
  }
  return text;
}

}  // namespace unknot
