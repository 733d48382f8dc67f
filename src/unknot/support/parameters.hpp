// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unknot {

/// What a parameter of a catalogue row accepts.
enum class ParameterKind {
  number,  ///< whole number, also as 64K: 65,536
  real,    ///< decimal number
  list,    ///< whole numbers joined by x: 4x2x2
  text,    ///< one of `choices`, or anything if there are none
  flag,    ///< 0 or 1; the bare name means 1
  rest,    ///< all text that is left, commas included: a spec inside a spec
};

/// One parameter of a topology, engine or pattern: the command line's help, the parser and the tests read it.
struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::number;
  std::string help = {};
  std::optional<std::string> fallback = {};  ///< default as text; none: the parameter must be given
  double min = 0;                            ///< bounds of numbers, reals and each element of a list
  double max = 4294967295.0;
  std::vector<std::string> choices = {};
};

/// Values for the parameters of one catalogue row, checked against it. Asking for a name the row does not
/// have, or as another kind, is a programming error (std::logic_error).
class Parameters {
 public:
  [[nodiscard]] std::uint64_t number(std::string_view name) const;
  [[nodiscard]] std::uint32_t number32(std::string_view name) const;
  [[nodiscard]] double real(std::string_view name) const;
  [[nodiscard]] const std::vector<std::uint32_t>& list(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  /// True when the user wrote it, or it has a default; false for an optional parameter ("" as default) left
  /// out.
  [[nodiscard]] bool has(std::string_view name) const;
  /// All that have a value, defaults included, as "population=100,mutation=0.9".
  [[nodiscard]] std::string words() const;

 private:
  friend Parameters parse_parameters(const std::string&, std::span<const Parameter>, std::string_view);
  struct Value {
    const Parameter* parameter = nullptr;
    bool present = false;
    double real = 0;
    std::vector<std::uint32_t> list;
    std::string text;
  };
  [[nodiscard]] const Value& find(std::string_view name, ParameterKind kind) const;
  [[nodiscard]] const Value& find_text(std::string_view name) const;  // of kind text or rest
  std::vector<Value> values_;
};

/// Parses "4x2x2,p=3": comma-separated key=value; values without a key fill the row's parameters in their
/// order. A parameter of kind rest, once its turn or its name comes, takes all that is left. `what` names the
/// row in messages ("topology torus"). Throws InputError for unknown keys (with the near names), values out
/// of range, missing or repeated ones. `row` must outlive the result.
Parameters parse_parameters(const std::string& what, std::span<const Parameter> row, std::string_view text);

/// "did you mean 'torus'?" or "" : the names a few letters away from `wrong`. Capitals count for nothing.
std::string near_names(std::string_view wrong, const std::vector<std::string>& names);
/// The same, or "there are: torus, mesh" where no name is near.
std::string near_or_all_names(std::string_view wrong, const std::vector<std::string>& names);
/// Throws InputError: "unknown <kind> '<name>'", with near_or_all_names(), or with the command `listing`
/// where there is one and no name is near.
[[noreturn]] void refuse_name(std::string_view kind, std::string_view name,
                              const std::vector<std::string>& names, std::string_view listing = {});

}  // namespace unknot
