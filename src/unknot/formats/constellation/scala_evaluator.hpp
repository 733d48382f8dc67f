// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/formats/constellation/scala_value.hpp"

namespace unknot {

/// Values of the expressions of a configuration: whole numbers of 32 bits, doubles, truth, lists, tuples,
/// functions, and records, the calls of what Constellation defines, whose arguments are evaluated when they
/// are asked for. As Scala defines them; floor, log10, pow and the like are those of the C library, which may
/// differ from Java's in the last bit. InputError with file and line for anything else, and beyond
/// kMostSteps.
class ScalaEvaluator {
 public:
  static constexpr std::uint64_t kMostSteps = 30'000'000;
  static constexpr std::size_t kMostElements = 1'000'000;

  ScalaEvaluator(const ScalaTokens& tokens, ScalaParser& parser) : tokens_(tokens), parser_(parser) {}
  virtual ~ScalaEvaluator() = default;
  ScalaEvaluator(const ScalaEvaluator&) = delete;
  ScalaEvaluator& operator=(const ScalaEvaluator&) = delete;

  ScalaScope* make_scope(ScalaScope* outer);
  ScalaValue evaluate(const ScalaNode& node, ScalaScope* scope);
  ScalaValue evaluate(ScalaPart& part, ScalaScope* scope);
  /// What a name stands for, null where it is not bound.
  std::optional<ScalaValue> look_up(std::string_view name, ScalaScope* scope, std::uint32_t token);
  ScalaValue apply(const ScalaValue& function, const std::vector<ScalaValue>& arguments, std::uint32_t token);

  /// The argument of a record by its name, else by its place; null where there is none.
  ScalaPart* argument(const ScalaRecord& record, std::string_view name, std::size_t place) const;
  std::optional<ScalaValue> field(const ScalaRecord& record, std::string_view name, std::size_t place);
  /// The same where there must be one; else InputError at `token`, where the record stands.
  ScalaValue needed(const ScalaRecord& record, std::string_view name, std::size_t place, std::uint32_t token);
  /// One that must be there, a whole number from `least` to `most`; `what` as of whole().
  int needed_number(const ScalaRecord& record, std::string_view name, std::size_t place, const char* what,
                    int least, int most, std::uint32_t token);

  [[nodiscard]] std::int64_t whole(const ScalaValue& value, const char* what) const;
  [[nodiscard]] bool truth(const ScalaValue& value, const char* what) const;
  [[nodiscard]] const std::vector<ScalaValue>& list(const ScalaValue& value, const char* what) const;
  [[nodiscard]] const ScalaRecord& record(const ScalaValue& value, const char* what) const;
  /// InputError at the line of the token.
  [[noreturn]] void fail(std::uint32_t token, const std::string& message) const;
  [[nodiscard]] const ScalaTokens& tokens() const { return tokens_; }

 protected:
  /// Members of records: nNodes of a topology.
  virtual std::optional<ScalaValue> member(const ScalaRecord& record, std::string_view name,
                                           std::uint32_t token);
  /// Names outside of all scopes: values of objects.
  virtual std::optional<ScalaValue> outside(std::string_view name, std::uint32_t token);

 private:
  ScalaValue word(const ScalaNode& node, ScalaScope* scope);
  ScalaValue infix(const ScalaNode& node, ScalaScope* scope);
  ScalaValue arithmetic(std::string_view op, const ScalaValue& a, const ScalaValue& b, std::uint32_t token);
  ScalaValue range(std::string_view op, const ScalaValue& a, const ScalaValue& b, std::uint32_t token);
  ScalaValue stride(const ScalaValue& list, const ScalaValue& step, std::uint32_t token);
  ScalaValue prefix(const ScalaNode& node, ScalaScope* scope);
  ScalaValue block(const ScalaNode& node, ScalaScope* scope);
  void yield(const ScalaNode& node, std::size_t generator, ScalaScope* scope, std::vector<ScalaValue>& all);
  ScalaValue call(const ScalaNode& node, ScalaScope* scope);
  ScalaValue select(const ScalaNode& node, ScalaScope* scope);
  /// value.name, or value.name(argument).
  ScalaValue method(const ScalaValue& value, std::string_view name, const ScalaValue* argument,
                    std::uint32_t token);
  std::optional<ScalaValue> list_method(const std::vector<ScalaValue>& list, std::string_view name,
                                        const ScalaValue* argument, std::uint32_t token);
  /// Seq.fill(n), Seq.tabulate(n, m) and their last argument.
  std::optional<ScalaValue> make_list(const ScalaNode& node, ScalaScope* scope);
  ScalaValue tabulate(const std::vector<std::int64_t>& sizes, std::size_t depth, std::vector<ScalaValue>& at,
                      ScalaPart& body, bool function, ScalaScope* scope, std::uint32_t token);
  std::optional<ScalaValue> mathematics(std::string_view name, const ScalaNode& node, ScalaScope* scope);
  std::vector<ScalaValue> values(const ScalaNode& call, ScalaScope* scope);
  ScalaValue make(std::vector<ScalaValue> elements, std::uint32_t token);
  [[nodiscard]] double number(const ScalaValue& value, std::uint32_t token) const;
  [[nodiscard]] std::int64_t in_range(std::int64_t value, std::uint32_t token) const;
  void step(std::uint32_t token);

  const ScalaTokens& tokens_;
  ScalaParser& parser_;
  std::deque<ScalaScope> scopes_;
  std::deque<ScalaNode> constructors_;  // calls of classes by their name alone
  std::uint64_t steps_ = 0;
  std::size_t elements_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace unknot
