// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/metrics.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>

namespace unknot::watch {
namespace {

class MetricsWriter {
 public:
  /// One family: its help, its type, and a sample without labels.
  template <class Value>
  void add(std::string_view name, std::string_view type, std::string_view help, Value value) {
    begin(name, type, help);
    text_ += fmt::format("unknot_watch_{} {}\n", name, value);
  }
  void begin(std::string_view name, std::string_view type, std::string_view help) {
    text_ += fmt::format("# HELP unknot_watch_{0} {1}\n# TYPE unknot_watch_{0} {2}\n", name, help, type);
  }
  void sample(std::string_view name, std::string_view label, std::string_view value, int number) {
    text_ += fmt::format("unknot_watch_{}{{{}=\"{}\"}} {}\n", name, label, value, number);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string metrics_text(const FollowState& state, std::uint64_t set, double now) {
  MetricsWriter out;
  out.begin("verdict", "gauge",
            "What the checker says of the tables in force: 1 for the verdict that holds.");
  for (const FollowVerdict one :
       {FollowVerdict::proven, FollowVerdict::lost, FollowVerdict::deadlock, FollowVerdict::unknown})
    out.sample("verdict", "verdict", word(one), one == state.verdict ? 1 : 0);
  out.add("lanes", "gauge", "Virtual lanes that the tables in force use.", state.lanes);
  out.add("max_load_pairs", "gauge", "Pairs of hosts whose route takes the busiest channel.", state.max_load);
  out.add("lost_pairs", "gauge", "Ordered pairs of hosts that the tables in force do not deliver.",
          state.lost_pairs);
  out.add("cut_pairs", "gauge", "Of the lost pairs, those that no path joins.", state.cut_pairs);
  out.add("changed_cables", "gauge",
          "Cables between switches that the last dump has otherwise than the one before.",
          state.changed_cables);
  out.add("handling_seconds", "gauge", "Time that the last dump took, from reading it to the new tables.",
          state.seconds);
  out.add("last_dump_timestamp_seconds", "gauge", "When the last readable dump was taken.", state.last_time);
  out.add("last_look_timestamp_seconds", "gauge", "When dumps were looked for last.", now);
  out.add("installed_set", "gauge", "Number of the installed set of tables; 0 where none is.", set);
  out.add("dumps_total", "counter", "Dumps taken, those refused among them.", state.dumps);
  out.add("refused_dumps_total", "counter", "Dumps that could not be read.", state.refused);
  out.add("installs_total", "counter", "Sets of tables installed.", state.installed);
  out.add("kept_total", "counter", "Dumps for which no new tables were proven, so that the old ones stayed.",
          state.kept);
  return out.take();
}

}  // namespace unknot::watch
