// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot {

/// How long work reports: a sink given by the caller. Calls come from one thread at a time; update() must be
/// cheap. The default does nothing.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;
  /// A new phase begins, of `total` steps (0: unknown).
  virtual void begin(const char* /*phase*/, std::uint64_t /*total*/) {}
  virtual void update(std::uint64_t /*done*/) {}
  /// True when the user wants to stop: engines then throw Interrupted.
  [[nodiscard]] virtual bool interrupted() const { return false; }
};

}  // namespace unknot
