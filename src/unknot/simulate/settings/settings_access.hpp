// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/settings/settings_keys.hpp"

// How values get into the fields of Settings, and out of them: one function for each way of keeping one. F is
// the field. What is not said in a file is no text.
namespace unknot::simulate::settings_access {

using Written = std::optional<std::string>;

inline std::string decimal(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template <auto F>
void put(Settings& s, const SettingValue& v, const Conversion&) {
  using Field = std::remove_reference_t<decltype(s.*F)>;
  if constexpr (std::is_same_v<Field, double>) {
    s.*F = v.real;
  } else {
    s.*F = static_cast<Field>(v.whole);
  }
}
template <auto F>
Written get(const Settings& s) {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(s.*F)>, double>) {
    return decimal(s.*F);
  } else {
    // TOML's whole numbers have 63 bits; the reader takes longer ones as text.
    const bool longer = static_cast<std::uint64_t>(s.*F) >> 63 != 0;
    return longer ? fmt::format("\"{}\"", s.*F) : fmt::format("{}", s.*F);
  }
}
/// One of two or three names.
template <auto F>
void put_name(Settings& s, const SettingValue& v, const Conversion&) {
  using Field = std::remove_reference_t<decltype(s.*F)>;
  std::uint8_t place = 0;
  while (place < 2 && v.text != name_of(static_cast<Field>(place))) ++place;
  s.*F = static_cast<Field>(place);
}
template <auto F>
Written get_name(const Settings& s) {
  return fmt::format("\"{}\"", name_of(s.*F));
}
/// The same, only said where it is not the first.
template <auto F>
Written get_name_unless_first(const Settings& s) {
  using Field = std::remove_cvref_t<decltype(s.*F)>;
  return s.*F == Field{0} ? std::nullopt : get_name<F>(s);
}
/// A field that gives way to another one where that is set.
template <auto F, auto Instead>
Written get_unless(const Settings& s) {
  return s.*Instead == 0 ? get<F>(s) : std::nullopt;
}
template <auto F>
Written get_if_set(const Settings& s) {
  return s.*F != 0 ? get<F>(s) : std::nullopt;
}
/// A field that is only said where it is not what it is anyway.
template <auto F, auto Usual>
Written get_unless_usual(const Settings& s) {
  return s.*F != Usual ? get<F>(s) : std::nullopt;
}
/// A buffer of a lane: no longer the share of a port's.
template <auto F, auto Port>
void put_lane_buffer(Settings& s, const SettingValue& v, const Conversion&) {
  s.*F = v.whole32();
  s.*Port = 0;
}
template <auto Cycles, auto Steps>
void put_cycles(Settings& s, const SettingValue& v, const Conversion&) {
  s.*Cycles = v.whole32();
  s.*Steps = 0;
}
template <auto Cycles, auto Steps>
void put_steps(Settings& s, const SettingValue& v, const Conversion&) {
  s.*Steps = v.whole32();
  s.*Cycles = 1;
}
template <auto Cycles, auto Steps>
void put_ns(Settings& s, const SettingValue& v, const Conversion& c) {
  s.*Steps = static_cast<std::uint32_t>(c.pieces(v.real, "ns", step_ns(s), "steps", 1, 65'535));
  s.*Cycles = 1;
}

template <auto F>
void put_allocator(Settings& s, const SettingValue& v, const Conversion&) {
  (s.*F).name = v.text;
}
template <auto F>
Written get_allocator(const Settings& s) {
  const std::string& name = (s.*F).name;
  return name == "islip" ? std::nullopt : Written(fmt::format("\"{}\"", name));
}
template <auto F>
void put_iterations(Settings& s, const SettingValue& v, const Conversion&) {
  (s.*F).iterations = v.whole32();
}
template <auto F>
Written get_iterations(const Settings& s) {
  const std::uint32_t iterations = (s.*F).iterations;
  return iterations == 1 ? std::nullopt : Written(fmt::format("{}", iterations));
}

}  // namespace unknot::simulate::settings_access
