// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "unknot/formats/constellation/scala_tokens.hpp"

namespace unknot {

struct ScalaNode;

/// An argument or parameter. It is parsed when its value is asked for: what nobody asks for may be any Scala.
struct ScalaPart {
  std::string_view name;  ///< "" where it has none
  ScalaSpan span;
  const ScalaNode* parsed = nullptr;
};

/// `val name = body`, or `def name(parameters) = body`; of `x <- body` and `if body` in a for as well.
struct ScalaDefinition {
  std::string_view name;  ///< "" for a condition
  bool function = false;
  std::vector<ScalaPart> parameters;
  const ScalaNode* body = nullptr;
};

/// An expression.
struct ScalaNode {
  enum class Kind : std::uint8_t {
    whole,
    decimal,
    quoted,
    word,
    select,   ///< parts[0].name
    call,     ///< parts[0](arguments)
    infix,    ///< parts[0] name parts[1]
    prefix,   ///< name parts[0]
    tuple,    ///< (parts)
    lambda,   ///< arguments => parts[0], arguments having names alone; unpacks: of one tuple
    branch,   ///< if (parts[0]) parts[1] else parts[2]
    block,    ///< { definitions; parts[0] }
    yielded,  ///< for (definitions) yield parts[0]
  } kind = Kind::word;
  std::uint32_t token = 0;  ///< where it begins, for messages
  std::string_view name;
  std::vector<const ScalaNode*> parts;
  mutable std::vector<ScalaPart> arguments;
  std::vector<ScalaDefinition> definitions;
  bool unpacks = false;
};

/// Parses expressions of the subset of Scala that configurations are written in: literals, names, calls with
/// named arguments, operators, functions, if, for with yield, and blocks of val and def. InputError with file
/// and line for anything else.
class ScalaParser {
 public:
  explicit ScalaParser(const ScalaTokens& tokens) : tokens_(tokens) {}

  /// All of the span is one expression. `lines_end`: the end of a line ends it, as within braces and not
  /// within parentheses.
  const ScalaNode* parse(ScalaSpan span, bool lines_end = false);
  /// As much as belongs to an expression from `first` on; `end` is put behind it.
  const ScalaNode* parse_from(std::uint32_t first, std::uint32_t& end);
  /// What stands between the bracket at `open` and its partner, divided by commas.
  std::vector<ScalaPart> parts_within(std::uint32_t open) const;
  /// The same as names with what is after `=`.
  std::vector<ScalaPart> parameters_within(std::uint32_t open) const;

 private:
  const ScalaNode* expression();
  const ScalaNode* infix(int least);
  const ScalaNode* prefix();
  const ScalaNode* postfix();
  const ScalaNode* primary();
  const ScalaNode* lambda();
  const ScalaNode* parenthesised();
  const ScalaNode* braced(std::uint32_t open);
  const ScalaNode* branch();
  const ScalaNode* comprehension();
  const ScalaNode* function_of_case();
  ScalaDefinition definition();

  ScalaNode* make(ScalaNode::Kind kind, std::uint32_t token);
  void call(ScalaNode* node, std::uint32_t open);
  std::string_view placeholder();
  void statement_ends() const;
  [[nodiscard]] const ScalaToken& now() const { return tokens_[at_]; }
  [[nodiscard]] bool here(std::string_view what) const { return at_ < end_ && now().is(what); }
  bool eat(std::string_view what);
  void need(std::string_view what);
  [[nodiscard]] bool line_breaks() const { return lines_end_ && now().starts_line; }
  std::string_view need_word(const char* what);

  const ScalaTokens& tokens_;
  std::deque<ScalaNode> nodes_;
  std::uint32_t at_ = 0, end_ = 0;
  bool lines_end_ = false;
  std::uint32_t depth_ = 0;
  std::vector<std::string_view> placeholders_;  // of the expression that is parsed
};

}  // namespace unknot
