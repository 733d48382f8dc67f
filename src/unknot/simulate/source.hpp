// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot::simulate {

/// A packet that a terminal is to send.
struct NewPacket {
  std::uint64_t created = 0;  ///< cycle; not before that of the packet before
  std::uint32_t destination = 0;
  std::uint32_t flits = 1;
  std::uint32_t message = 0;
};

/// Where packets come from. The terminals' queues are implicit: a terminal asks for its next packet when the
/// last flit of the one before has left, so a queue costs nothing however long it would be.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  /// The next packet of this terminal; false where it has none, for ever or until the core is told by wake().
  /// `cycle` is the present.
  virtual bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) = 0;
  /// A packet of the message has left its terminal whole. Called where wants_messages().
  virtual void sent(std::uint32_t /*message*/, std::uint64_t /*cycle*/) {}
  /// A packet of the message has arrived whole, in order of time. Called where wants_messages().
  virtual void arrived(std::uint32_t /*message*/, std::uint64_t /*cycle*/) {}
  [[nodiscard]] virtual bool wants_messages() const { return false; }
};

}  // namespace unknot::simulate
