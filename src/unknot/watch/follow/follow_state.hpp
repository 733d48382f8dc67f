// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "unknot/network/network.hpp"
#include "unknot/support/files/descriptor.hpp"
#include "unknot/watch/follow/dump_folder.hpp"
#include "unknot/watch/follow/follow_event.hpp"

namespace unknot::watch {

/// Where a follower stands after its last event.
struct FollowState {
  std::map<std::string, std::uint64_t> taken;  ///< by name of the dump the stamp of what was taken or refused
  std::uint64_t fabric = 0;    ///< number of the file with the fabric of the last dump; 0: none
  std::optional<Dump> tables;  ///< the last dump that told the tables in force
  std::uint64_t told = 0;      ///< set that the command after installation has been run for
  // since the folder was new
  std::uint64_t dumps = 0, refused = 0, installed = 0, kept = 0;
  // of the last dump that could be read
  std::string last_dump;
  double last_time = 0;  ///< seconds since 1970, UTC
  FollowVerdict verdict = FollowVerdict::unknown;
  std::uint64_t lost_pairs = 0, cut_pairs = 0, changed_cables = 0, max_load = 0;
  std::uint32_t lanes = 0;
  double seconds = 0;
};

/// Counts an event. `now` in seconds since 1970.
void count_event(const FollowEvent& event, double now, FollowState& state);

std::string state_text(const FollowState& state);
/// InputError for anything that state_text() does not write.
FollowState parse_state(std::string_view text, const std::string& file);

/// A folder that keeps the state and the fabric of the last dump: state.json, fabric-<number>. Replacing
/// state.json is the one step that counts, so that a process may be killed at any moment. Locked for as long
/// as the object lives. Without a folder nothing is kept.
class StateFolder {
 public:
  /// Makes the folder where there is none; "" keeps nothing. Throws InputError as parse_state(), and where
  /// another process has it.
  explicit StateFolder(std::string path);
  FollowState& state() { return state_; }
  [[nodiscard]] const FollowState& state() const { return state_; }
  /// The fabric of the last dump, nothing where there is none.
  [[nodiscard]] std::optional<Network> fabric() const;
  /// Keeps the state, and a new fabric where `fabric` is not null.
  void keep(const Network* fabric);

 private:
  [[nodiscard]] std::string file(const std::string& name) const;
  std::string path_;
  Descriptor lock_;
  FollowState state_;
};

}  // namespace unknot::watch
