// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot::simulate {

/// A packet that a terminal is to send.
struct NewPacket {
  std::uint64_t created = 0;  ///< cycle; not before that of the packet before
  std::uint32_t destination = 0;
  std::uint32_t flits = 1;
  std::uint32_t message = 0;
};

/// In NewPacket::message where a plan is one for messages: the virtual network, below the source's own word.
inline constexpr std::uint32_t kNetworkBits = 4;
constexpr std::uint32_t network_of(std::uint32_t message) {
  return message & ((1U << kNetworkBits) - 1);
}

/// Where packets come from. The terminals' queues are implicit: a terminal asks for its next packet when the
/// last flit of the one before has left, so a queue costs nothing however long it would be.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  /// The next packet of this terminal; false where it has none, forever or until the core is told by wake().
  /// `cycle` is the present.
  virtual bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) = 0;
  /// Flits of the longest packet that it sends.
  [[nodiscard]] virtual std::uint32_t longest_packet() const = 0;
  /// A terminal's packets depend on nothing but what it was asked itself, and where wants_messages() on what
  /// of its messages has left and what has arrived for it. Several may be asked at the same time, by
  /// of_part().
  [[nodiscard]] virtual bool terminals_apart() const { return false; }
  /// Where terminals_apart(): the run is divided, before it begins. By terminal its part.
  virtual void divide(const std::vector<std::uint8_t>& /*part_of*/, std::uint32_t /*parts*/) {}
  /// What the core of a part asks and tells, of its own terminals alone.
  virtual Source& of_part(std::uint32_t /*part*/) { return *this; }
  /// A packet of the message has left its terminal whole. Called where wants_messages().
  virtual void sent(std::uint32_t /*message*/, std::uint64_t /*cycle*/) {}
  /// A packet of the message has arrived whole, in order of time. Called where wants_messages().
  virtual void arrived(std::uint32_t /*message*/, std::uint64_t /*cycle*/) {}
  [[nodiscard]] virtual bool wants_messages() const { return false; }
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// Where wants_messages(): the cycle in which advance() is to be called next, kNever for none.
  [[nodiscard]] virtual std::uint64_t next_timer() const { return kNever; }
  virtual void advance(std::uint64_t /*cycle*/) {}
};

/// A small generator of random numbers for one terminal: eight bytes of state, a few instructions a number.
/// (SplitMix64: Steele, Lea, Flood 2014.)
struct TerminalRandom {
  std::uint64_t state = 0;

  TerminalRandom() = default;
  TerminalRandom(std::uint64_t seed, std::uint32_t terminal)
      : state(mix(seed + 0x9E3779B97F4A7C15U * (std::uint64_t{terminal} + 1))) {}
  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15U;
    return mix(state);
  }
  /// Uniform below `bound`; the bias is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
  }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
};

}  // namespace unknot::simulate
