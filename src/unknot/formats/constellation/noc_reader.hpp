// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "unknot/formats/constellation/scala_classes.hpp"
#include "unknot/formats/constellation/scala_evaluator.hpp"

namespace unknot {

/// The classes and objects of a file of configurations, and values in them.
class NocFile final : private ScalaTokens, private ScalaParser, public ScalaEvaluator {
 public:
  /// The text must outlive it. InputError where it is no Scala.
  NocFile(std::string_view text, const std::string& file);

  [[nodiscard]] const ScalaClasses& classes() const { return classes_; }
  /// NoCParams of the class of this name.
  ScalaValue params_of(const std::string& name);

 protected:
  std::optional<ScalaValue> member(const ScalaRecord& record, std::string_view name,
                                   std::uint32_t token) override;
  std::optional<ScalaValue> outside(std::string_view name, std::uint32_t token) override;

 private:
  ScalaScope* bind(const ScalaClass& one, std::uint32_t arguments, ScalaScope* scope);
  ScalaValue value_of(const ScalaObjectValue& one, std::uint32_t token);

  ScalaClasses classes_;
  std::deque<std::vector<ScalaPart>> parts_;  // arguments and parameters of classes
  struct Kept {
    bool pending = false;
    std::optional<ScalaValue> value;
  };
  std::map<std::uint32_t, Kept> kept_;  // values of objects, by their first token
};

}  // namespace unknot
