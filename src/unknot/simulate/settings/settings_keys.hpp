// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/simulate/settings/settings.hpp"
#include "unknot/support/parameters.hpp"

/// The keys of the settings: one table, from which reading, checking, writing, help and docs are made.
namespace unknot::simulate {

/// What keys decide. Two keys that decide the same thing exclude each other: one in cycles or flits, one in
/// physical units. One key may decide several things.
enum class Quantity : std::uint8_t {
  router,
  switching,
  arbitration,
  vcs,
  speedup,
  flit,
  cycle,
  packet,
  input_buffer,
  output_buffer,
  routing_delay,
  vc_alloc_delay,
  sw_alloc_delay,
  st_delay,
  link_latency,
  terminal_latency,
  credit_delay,
  send_queue,
  receive_queue,
  service,
  seed,
  warmup,
  measure,
  drain,
  speeds,
  sw_allocator,
  sw_iterations,
  vc_allocator,
  vc_iterations,
  priority,
  ecn_threshold,
  ecn_delay,
  ecn_timer,
};
inline constexpr std::size_t kQuantities = static_cast<std::size_t>(Quantity::ecn_timer) + 1;

/// A set of them.
using Quantities = std::bitset<kQuantities>;

/// A value that has passed its key's range.
struct SettingValue {
  std::uint64_t whole = 0;  ///< of whole numbers
  double real = 0;          ///< of whole and decimal numbers
  std::string text = {};    ///< of names

  [[nodiscard]] std::uint32_t whole32() const { return static_cast<std::uint32_t>(whole); }
};

/// What a setter sees: which of the things that its key decides are still its own to decide, and where to say
/// what has been rounded.
class Conversion {
 public:
  Conversion(std::vector<std::string>& notes, std::string_view key, Quantities mine)
      : notes_(&notes), key_(key), mine_(mine) {}
  [[nodiscard]] bool decides(Quantity quantity) const {
    return mine_.test(static_cast<std::size_t>(quantity));
  }

  /// `amount` of `unit` in pieces of `piece`, rounded to the nearest whole number, with a note where that
  /// changes anything. Throws InputError beyond `least` to `most`.
  [[nodiscard]] std::uint64_t pieces(double amount, const char* unit, double piece, const char* piece_name,
                                     std::uint64_t least, std::uint64_t most) const;
  void note(const std::string& sentence) const;

 private:
  std::vector<std::string>* notes_;
  std::string_view key_;
  Quantities mine_;
};

/// A row of the table.
struct SettingKey {
  Parameter parameter;            ///< name, kind, meaning, default, range or choices
  std::string unit;               ///< "flits", "ns", ""
  std::vector<Quantity> decides;  ///< at least one
  void (*set)(Settings&, const SettingValue&, const Conversion&) = nullptr;
  /// The value as TOML, nullopt where another key writes it. Null for keys in physical units.
  std::optional<std::string> (*get)(const Settings&) = nullptr;
};

/// In the order in which they are applied: a setter may use what the rows above have set.
const std::vector<SettingKey>& setting_keys();
/// Row of that name; InputError with the near names otherwise.
const SettingKey& find_setting(std::string_view name);

/// The value of a key written as text, as in `--set key=value`. InputError, one sentence with what was
/// expected.
SettingValue setting_value(const SettingKey& key, std::string_view text);
/// The same for numbers that are numbers already.
SettingValue setting_value(const SettingKey& key, std::int64_t number);
SettingValue setting_value(const SettingKey& key, double number);

/// "a whole number from 1 to 32", "wormhole or virtual-cut-through": what a key takes, for messages and
/// tables.
std::string range_text(const Parameter& parameter);

}  // namespace unknot::simulate
