// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "unknot/formats/constellation/scala_parser.hpp"

namespace unknot {

struct ScalaValue;
struct ScalaScope;

/// Seq, List, Range, and Option as a list of none or one.
using ScalaList = std::shared_ptr<const std::vector<ScalaValue>>;
struct ScalaTuple {
  ScalaList parts;
};
/// A lambda or a def where it was written.
struct ScalaFunction {
  std::vector<ScalaPart>* parameters = nullptr;
  const ScalaNode* body = nullptr;
  ScalaScope* scope = nullptr;
  bool unpacks = false;
};
/// A call of a name that nothing in the file defines: Mesh2D(3, 3). Its arguments have no value yet.
struct ScalaRecord {
  std::string_view name;
  std::vector<ScalaPart>* arguments = nullptr;  ///< null: the name alone
  ScalaScope* scope = nullptr;
};

struct ScalaValue {
  std::variant<std::int64_t, double, bool, std::string_view, ScalaList, ScalaTuple, ScalaFunction,
               ScalaRecord>
      value;
  std::uint32_t token = 0;  ///< where it was made, for messages

  template <class T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&value);
  }
};

/// Names and what they stand for: a value, or an expression that is evaluated once when it is asked for.
struct ScalaScope {
  struct Binding {
    std::variant<std::monostate, ScalaValue> value;
    const ScalaNode* body = nullptr;
    ScalaPart* part = nullptr;    ///< or this, not parsed yet
    ScalaScope* scope = nullptr;  ///< of body or part
    const ScalaDefinition* function = nullptr;
    bool pending = false;  ///< is being evaluated: a name that needs itself
  };
  std::map<std::string_view, Binding> names;
  ScalaScope* outer = nullptr;
};

}  // namespace unknot
