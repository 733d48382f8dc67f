// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/scala_parser.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kDeepest = 100;  // a chain of calls counts once

/// Scala's precedence, by the first letter of an operator; 0: none of ours.
int precedence(const ScalaToken& token) {
  static constexpr std::array<std::pair<std::string_view, int>, 18> kOperators = {{{"until", 1},
                                                                                   {"to", 1},
                                                                                   {"by", 1},
                                                                                   {"zip", 1},
                                                                                   {"||", 2},
                                                                                   {"&&", 3},
                                                                                   {"==", 4},
                                                                                   {"!=", 4},
                                                                                   {"<", 5},
                                                                                   {">", 5},
                                                                                   {"<=", 5},
                                                                                   {">=", 5},
                                                                                   {"+", 6},
                                                                                   {"-", 6},
                                                                                   {"++", 6},
                                                                                   {"*", 7},
                                                                                   {"/", 7},
                                                                                   {"%", 7}}};
  for (const auto& [text, level] : kOperators)
    if (token.is(text)) return level;
  return 0;
}

/// Names of placeholders, which no word of a file can be.
constexpr std::array<std::string_view, 4> kPlaceholders = {"_ 1", "_ 2", "_ 3", "_ 4"};

/// Sets a member for as long as it lives.
template <class T>
class Instead {
 public:
  Instead(T& place, T value) : place_(place), kept_(std::exchange(place, std::move(value))) {}
  ~Instead() { place_ = std::move(kept_); }
  Instead(const Instead&) = delete;
  Instead& operator=(const Instead&) = delete;

 private:
  T& place_;
  T kept_;
};

}  // namespace

const ScalaNode* ScalaParser::parse(ScalaSpan span, bool lines_end) {
  const Instead at(at_, span.first);
  const Instead end(end_, span.end);
  const Instead lines(lines_end_, lines_end);
  const ScalaNode* node = expression();
  if (at_ != end_) tokens_.expected(at_, "the end of the expression");
  return node;
}

const ScalaNode* ScalaParser::parse_from(std::uint32_t first, std::uint32_t& end) {
  const Instead at(at_, first);
  const Instead whole(end_, tokens_.size());
  const Instead lines(lines_end_, true);
  const ScalaNode* node = expression();
  end = at_;
  return node;
}

std::vector<ScalaPart> ScalaParser::parts_within(std::uint32_t open) const {
  std::vector<ScalaPart> parts;
  const std::uint32_t close = tokens_[open].match;
  for (std::uint32_t first = open + 1; first < close;) {
    std::uint32_t end = first;
    while (end < close && !tokens_[end].is(",")) end = tokens_.after(end);
    if (first == end) tokens_.expected(first, "an argument");
    ScalaPart part;
    part.span = {first, end};
    if (first + 1 < end && tokens_[first].kind == ScalaToken::Kind::word && tokens_[first + 1].is("=")) {
      part.name = tokens_[first].text;
      part.span.first = first + 2;
      if (part.span.first == end) tokens_.expected(end, "a value");
    }
    parts.push_back(part);
    first = end + 1;
  }
  return parts;
}

std::vector<ScalaPart> ScalaParser::parameters_within(std::uint32_t open) const {
  std::vector<ScalaPart> parameters = parts_within(open);
  for (ScalaPart& one : parameters) {
    if (!one.name.empty()) continue;  // name = value
    std::uint32_t at = one.span.first;
    if (tokens_[at].kind != ScalaToken::Kind::word) tokens_.expected(at, "the name of a parameter");
    one.name = tokens_[at].text;
    if (++at != one.span.end && !tokens_[at].is(":")) tokens_.expected(at, "a type after :");
    while (at < one.span.end && !tokens_[at].is("=")) at = tokens_.after(at);
    one.span.first = at < one.span.end ? at + 1 : at;
  }
  return parameters;
}

ScalaNode* ScalaParser::make(ScalaNode::Kind kind, std::uint32_t token) {
  ScalaNode& node = nodes_.emplace_back();
  node.kind = kind;
  node.token = token;
  return &node;
}

bool ScalaParser::eat(std::string_view what) {
  if (!here(what)) return false;
  ++at_;
  return true;
}

void ScalaParser::need(std::string_view what) {
  if (!eat(what)) tokens_.expected(at_, fmt::format("{}", what));
}

std::string_view ScalaParser::need_word(const char* what) {
  if (at_ >= end_ || now().kind != ScalaToken::Kind::word) tokens_.expected(at_, what);
  return tokens_[at_++].text;
}

std::string_view ScalaParser::placeholder() {
  if (placeholders_.size() == kPlaceholders.size()) tokens_.expected(at_, "fewer placeholders");
  placeholders_.push_back(kPlaceholders[placeholders_.size()]);
  return placeholders_.back();
}

const ScalaNode* ScalaParser::expression() {
  if (depth_ == kDeepest) tokens_.expected(at_, fmt::format("nothing deeper than {} expressions", kDeepest));
  const Instead depth(depth_, depth_ + 1);
  const Instead own(placeholders_, {});
  if (const ScalaNode* function = lambda()) return function;
  const std::uint32_t first = at_;
  const ScalaNode* node = infix(1);
  if (placeholders_.empty()) return node;
  ScalaNode* function = make(ScalaNode::Kind::lambda, first);
  for (const std::string_view name : placeholders_) function->arguments.push_back({name, {}, nullptr});
  function->parts = {node};
  return function;
}

/// Null where there is none.
const ScalaNode* ScalaParser::lambda() {
  const std::uint32_t first = at_;
  if (at_ >= end_) return nullptr;
  const bool list = here("(");
  const std::uint32_t arrow = list ? now().match + 1 : at_ + 1;
  if (arrow >= end_ || !tokens_[arrow].is("=>") || (!list && now().kind != ScalaToken::Kind::word))
    return nullptr;
  ScalaNode* node = make(ScalaNode::Kind::lambda, first);
  if (list) {
    node->arguments = parameters_within(at_);
  } else {
    node->arguments = {{now().text, {}, nullptr}};
  }
  at_ = arrow + 1;
  node->parts = {expression()};
  return node;
}

const ScalaNode* ScalaParser::infix(int least) {
  const ScalaNode* left = prefix();
  while (at_ < end_ && !line_breaks()) {
    const int level = precedence(now());
    if (level < least || level == 0) break;
    ScalaNode* node = make(ScalaNode::Kind::infix, at_);
    node->name = tokens_[at_++].text;
    node->parts = {left, infix(level + 1)};
    left = node;
  }
  return left;
}

const ScalaNode* ScalaParser::prefix() {
  if (!here("-") && !here("!")) return postfix();
  ScalaNode* node = make(ScalaNode::Kind::prefix, at_);
  node->name = tokens_[at_++].text;
  node->parts = {postfix()};
  return node;
}

void ScalaParser::call(ScalaNode* node, std::uint32_t open) {
  node->arguments = parts_within(open);
  for (ScalaPart& one : node->arguments) {
    if (one.span.end - one.span.first != 1 || !tokens_[one.span.first].is("_")) continue;
    ScalaNode* word = make(ScalaNode::Kind::word, one.span.first);
    word->name = placeholder();
    one.parsed = word;
  }
}

const ScalaNode* ScalaParser::postfix() {
  const ScalaNode* node = primary();
  while (at_ < end_ && (here(".") || !now().starts_line)) {
    if (here(".")) {
      ScalaNode* select = make(ScalaNode::Kind::select, at_++);
      select->name = need_word("a name after the point");
      select->parts = {node};
      node = select;
    } else if (here("[")) {
      at_ = now().match + 1;  // types
    } else if (here("(") || here("{")) {
      ScalaNode* one = make(ScalaNode::Kind::call, at_);
      one->parts = {node};
      if (here("(")) {
        call(one, at_);
      } else {
        one->arguments = {{{}, {at_, now().match + 1}, nullptr}};
      }
      at_ = now().match + 1;
      node = one;
    } else {
      break;
    }
  }
  return node;
}

const ScalaNode* ScalaParser::primary() {
  if (at_ >= end_) tokens_.expected(at_, "an expression");
  if (here("(")) return parenthesised();
  if (here("{")) {
    const std::uint32_t open = at_;
    at_ = now().match + 1;
    const Instead at(at_, open + 1);
    const Instead end(end_, tokens_[open].match);
    const Instead lines(lines_end_, true);
    const Instead own(placeholders_, {});
    return braced(open);
  }
  if (here("if")) return branch();
  if (here("for")) return comprehension();
  eat("new");
  ScalaNode* node = make(ScalaNode::Kind::word, at_);
  node->name = now().text;
  switch (now().kind) {
    case ScalaToken::Kind::whole:
      node->kind = ScalaNode::Kind::whole;
      break;
    case ScalaToken::Kind::decimal:
      node->kind = ScalaNode::Kind::decimal;
      break;
    case ScalaToken::Kind::quoted:
      node->kind = ScalaNode::Kind::quoted;
      break;
    case ScalaToken::Kind::word:
      break;
    default:
      tokens_.expected(at_, "an expression");
  }
  for (const std::string_view reserved :
       {"val", "def", "var", "case", "class", "object", "match", "else", "yield", "while", "try", "throw",
        "return", "import", "implicit", "lazy"})
    if (here(reserved)) tokens_.expected(at_, "an expression");
  if (here("_")) node->name = placeholder();
  ++at_;
  return node;
}

const ScalaNode* ScalaParser::parenthesised() {
  const std::uint32_t open = at_;
  const std::vector<ScalaPart> parts = parts_within(open);
  if (parts.empty()) tokens_.expected(open + 1, "an expression");
  ScalaNode* tuple = make(ScalaNode::Kind::tuple, open);
  for (const ScalaPart& one : parts) {
    if (!one.name.empty()) tokens_.expected(one.span.first - 1, "a comma or )");
    tuple->parts.push_back(parse(one.span));
  }
  at_ = tokens_[open].match + 1;
  return tuple->parts.size() == 1 ? tuple->parts.front() : tuple;
}

void ScalaParser::statement_ends() const {
  if (at_ < end_ && !now().starts_line && !now().is(";")) tokens_.expected(at_, "the end of the statement");
}

/// After the brace at `open`, up to end_.
const ScalaNode* ScalaParser::braced(std::uint32_t open) {
  if (depth_ == kDeepest) tokens_.expected(at_, fmt::format("nothing deeper than {} expressions", kDeepest));
  const Instead depth(depth_, depth_ + 1);
  if (here("case")) return function_of_case();
  // Of { names => body } the body is a block, too.
  const bool list = here("(");
  const std::uint32_t arrow = at_ >= end_ ? at_ : list ? now().match + 1 : at_ + 1;
  ScalaNode* function = nullptr;
  if (arrow < end_ && tokens_[arrow].is("=>") && (list || now().kind == ScalaToken::Kind::word)) {
    function = make(ScalaNode::Kind::lambda, at_);
    if (list) {
      function->arguments = parameters_within(at_);
    } else {
      function->arguments = {{now().text, {}, nullptr}};
    }
    at_ = arrow + 1;
  }
  ScalaNode* block = make(ScalaNode::Kind::block, open);
  while (here("val") || here("def")) {
    block->definitions.push_back(definition());
    statement_ends();
    while (eat(";")) {
    }
  }
  block->parts = {expression()};
  while (eat(";")) {
  }
  if (at_ < end_) tokens_.expected(at_, "}");
  if (function == nullptr) return block;
  function->parts = {block};
  return function;
}

/// { case (a, b) => body }: the one form that cannot fail.
const ScalaNode* ScalaParser::function_of_case() {
  ScalaNode* node = make(ScalaNode::Kind::lambda, at_);
  need("case");
  node->unpacks = here("(");
  if (node->unpacks) {
    node->arguments = parts_within(at_);
    for (ScalaPart& one : node->arguments) {
      if (!one.name.empty() || one.span.end - one.span.first != 1 ||
          tokens_[one.span.first].kind != ScalaToken::Kind::word)
        tokens_.expected(one.span.first, "names alone in a case");
      one.name = tokens_[one.span.first].text;
    }
    at_ = now().match + 1;
  } else {
    node->arguments = {{need_word("names in a case"), {}, nullptr}};
  }
  need("=>");
  ScalaNode* block = make(ScalaNode::Kind::block, at_);
  block->parts = {expression()};
  node->parts = {block};
  if (at_ < end_) tokens_.expected(at_, "one case alone");
  return node;
}

ScalaDefinition ScalaParser::definition() {
  ScalaDefinition one;
  one.function = tokens_[at_++].is("def");
  one.name = need_word("a name");
  if (one.function && here("(")) {
    one.parameters = parameters_within(at_);
    at_ = now().match + 1;
  }
  if (here(":")) {
    while (at_ < end_ && !here("=")) at_ = tokens_.after(at_);
  }
  need("=");
  one.body = expression();
  return one;
}

const ScalaNode* ScalaParser::branch() {
  ScalaNode* node = make(ScalaNode::Kind::branch, at_++);
  if (!here("(")) tokens_.expected(at_, "( after if");
  const ScalaNode* const condition = parse({at_ + 1, now().match});
  at_ = now().match + 1;
  const ScalaNode* const then = expression();
  need("else");
  node->parts = {condition, then, expression()};
  return node;
}

const ScalaNode* ScalaParser::comprehension() {
  ScalaNode* node = make(ScalaNode::Kind::yielded, at_++);
  if (!here("(") && !here("{")) tokens_.expected(at_, "{ after for");
  {
    const std::uint32_t close = now().match;
    const Instead lines(lines_end_, here("{"));
    const Instead end(end_, close);
    ++at_;
    while (at_ < end_) {
      ScalaDefinition one;
      if (!eat("if")) {
        one.name = need_word("a name");
        need("<-");
      } else if (node->definitions.empty()) {
        tokens_.expected(at_ - 1, "a name");
      }
      one.body = expression();
      node->definitions.push_back(std::move(one));
      if (!here("if")) statement_ends();
      while (eat(";")) {
      }
    }
    if (node->definitions.empty()) tokens_.expected(at_, "a name");
    at_ = close + 1;
  }
  need("yield");
  node->parts = {expression()};
  return node;
}

}  // namespace unknot
