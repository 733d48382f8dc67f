// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/follow_event.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace unknot::watch {

std::string_view word(FollowVerdict verdict) {
  constexpr std::array<std::string_view, 4> kWords = {"proven", "lost", "deadlock", "unknown"};
  return kWords[static_cast<std::size_t>(verdict)];
}

std::string_view word(FollowAction action) {
  constexpr std::array<std::string_view, 5> kWords = {"none", "kept", "rerouted", "routed", "refused"};
  return kWords[static_cast<std::size_t>(action)];
}

std::string event_line(const FollowEvent& event) {
  nlohmann::ordered_json line;
  line["time"] = event.time;
  line["dump"] = event.dump;
  line["verdict"] = word(event.verdict);
  line["action"] = word(event.action);
  if (event.in_force) line["in_force"] = word(*event.in_force);
  line["pairs"] = event.pairs;
  line["broken_pairs"] = event.broken_pairs;
  line["lost_pairs"] = event.lost_pairs;
  line["cut_pairs"] = event.cut_pairs;
  line["changed_cables"] = event.changed_cables;
  line["changed_routers"] = event.changed_routers;
  line["changed_hosts"] = event.changed_hosts;
  line["lanes"] = event.lanes;
  line["max_load"] = event.max_load;
  line["traffic"] = nlohmann::ordered_json::array({"data"});
  if (event.management) line["traffic"].push_back("management");
  if (event.lost_multicast_pairs) {
    line["traffic"].push_back("multicast");
    line["lost_multicast_pairs"] = *event.lost_multicast_pairs;
  }
  line["set"] = event.set;
  line["entries_changed"] = event.entries_changed;
  if (event.together_deadlock_free) line["together_deadlock_free"] = *event.together_deadlock_free;
  line["hurts"] = event.hurts;
  line["sentence"] = event.sentence;
  line["seconds"] = event.seconds;
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace unknot::watch
