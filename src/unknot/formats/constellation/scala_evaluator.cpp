// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/scala_evaluator.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kDeepestEvaluation = 300;

}  // namespace

void ScalaEvaluator::fail(std::uint32_t token, const std::string& message) const {
  throw InputError(tokens_.file(), tokens_[token].line, message);
}

void ScalaEvaluator::step(std::uint32_t token) {
  if (++steps_ > kMostSteps || scopes_.size() > kMostElements)
    fail(token, fmt::format("expected a configuration of at most {} evaluated expressions", kMostSteps));
}

ScalaScope* ScalaEvaluator::make_scope(ScalaScope* outer) {
  scopes_.emplace_back().outer = outer;
  return &scopes_.back();
}

ScalaValue ScalaEvaluator::make(std::vector<ScalaValue> elements, std::uint32_t token) {
  elements_ += elements.size();
  if (elements_ > kMostElements)
    fail(token, fmt::format("expected lists of at most {} elements altogether", kMostElements));
  return {std::make_shared<const std::vector<ScalaValue>>(std::move(elements)), token};
}

ScalaValue ScalaEvaluator::evaluate(ScalaPart& part, ScalaScope* scope) {
  if (part.parsed == nullptr) part.parsed = parser_.parse(part.span);
  return evaluate(*part.parsed, scope);
}

ScalaValue ScalaEvaluator::evaluate(const ScalaNode& node, ScalaScope* scope) {
  step(node.token);
  if (depth_ == kDeepestEvaluation)
    fail(node.token, fmt::format("expected expressions nested at most {} deep", kDeepestEvaluation));
  struct Deeper {
    std::uint32_t& depth;
    explicit Deeper(std::uint32_t& d) : depth(d) { ++depth; }
    ~Deeper() { --depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
  } const deeper(depth_);
  switch (node.kind) {
    case ScalaNode::Kind::whole: {
      Cursor text(node.name);
      const auto number = text.decimal(std::numeric_limits<std::int32_t>::max());
      if (!number || !text.at_end())
        fail(node.token, fmt::format("{} is no whole number of 32 bits", node.name));
      return {static_cast<std::int64_t>(*number), node.token};
    }
    case ScalaNode::Kind::decimal:
      return {std::strtod(std::string(node.name).c_str(), nullptr), node.token};
    case ScalaNode::Kind::quoted:
      return {node.name, node.token};
    case ScalaNode::Kind::word:
      return word(node, scope);
    case ScalaNode::Kind::select:
      return select(node, scope);
    case ScalaNode::Kind::call:
      return call(node, scope);
    case ScalaNode::Kind::infix:
      return infix(node, scope);
    case ScalaNode::Kind::prefix:
      return prefix(node, scope);
    case ScalaNode::Kind::tuple: {
      std::vector<ScalaValue> parts;
      for (const ScalaNode* one : node.parts) parts.push_back(evaluate(*one, scope));
      return {ScalaTuple{*make(std::move(parts), node.token).as<ScalaList>()}, node.token};
    }
    case ScalaNode::Kind::lambda:
      return {ScalaFunction{&node.arguments, node.parts[0], scope, node.unpacks}, node.token};
    case ScalaNode::Kind::branch:
      return evaluate(*node.parts[truth(evaluate(*node.parts[0], scope), "a condition") ? 1 : 2], scope);
    case ScalaNode::Kind::block:
      return block(node, scope);
    case ScalaNode::Kind::yielded:
      break;
  }
  std::vector<ScalaValue> all;
  yield(node, 0, scope, all);
  return make(std::move(all), node.token);
}

std::optional<ScalaValue> ScalaEvaluator::look_up(std::string_view name, ScalaScope* scope,
                                                  std::uint32_t token) {
  for (; scope != nullptr; scope = scope->outer) {
    const auto found = scope->names.find(name);
    if (found == scope->names.end()) continue;
    ScalaScope::Binding& binding = found->second;
    if (binding.function != nullptr) {
      // A def without parameters is evaluated each time; with some it is a function.
      if (binding.function->parameters.empty()) return evaluate(*binding.body, binding.scope);
      auto& parameters = const_cast<std::vector<ScalaPart>&>(binding.function->parameters);
      return ScalaValue{ScalaFunction{&parameters, binding.body, binding.scope, false}, token};
    }
    if (const auto* value = std::get_if<ScalaValue>(&binding.value)) return *value;
    if (binding.pending) fail(token, fmt::format("{} needs its own value", name));
    binding.pending = true;
    ScalaValue value = binding.part != nullptr ? evaluate(*binding.part, binding.scope)
                                               : evaluate(*binding.body, binding.scope);
    binding.pending = false;
    binding.value = value;
    return value;
  }
  return outside(name, token);
}

ScalaValue ScalaEvaluator::word(const ScalaNode& node, ScalaScope* scope) {
  if (auto found = look_up(node.name, scope, node.token)) return *found;
  if (node.name == "true") return {true, node.token};
  if (node.name == "false") return {false, node.token};
  if (node.name == "Nil" || node.name == "None") return make({}, node.token);
  if (node.name.front() >= 'A' && node.name.front() <= 'Z')
    return {ScalaRecord{node.name, nullptr, nullptr}, node.token};
  fail(node.token,
       fmt::format("expected a value, not {}, which nothing here defines", place_shown(node.name)));
}

ScalaValue ScalaEvaluator::prefix(const ScalaNode& node, ScalaScope* scope) {
  const ScalaValue value = evaluate(*node.parts[0], scope);
  if (node.name == "!") return {!truth(value, "a condition after !"), node.token};
  if (const double* real = value.as<double>()) return {-*real, node.token};
  return {-whole(value, "a number after -"), node.token};
}

ScalaValue ScalaEvaluator::block(const ScalaNode& node, ScalaScope* scope) {
  if (node.definitions.empty()) return evaluate(*node.parts[0], scope);
  ScalaScope* const inner = make_scope(scope);
  for (const ScalaDefinition& one : node.definitions) {
    ScalaScope::Binding& binding = inner->names[one.name];
    if (binding.body != nullptr) fail(node.token, fmt::format("expected one definition of {}", one.name));
    binding.body = one.body;
    binding.scope = inner;
    if (one.function) binding.function = &one;
  }
  return evaluate(*node.parts[0], inner);
}

void ScalaEvaluator::yield(const ScalaNode& node, std::size_t generator, ScalaScope* scope,
                           std::vector<ScalaValue>& all) {
  step(node.token);
  if (generator == node.definitions.size()) {
    if (all.size() == kMostElements)
      fail(node.token, fmt::format("expected at most {} elements", kMostElements));
    all.push_back(evaluate(*node.parts[0], scope));
    return;
  }
  if (generator > 16) fail(node.token, "expected at most 16 generators in a for");
  const ScalaDefinition& one = node.definitions[generator];
  const ScalaValue value = evaluate(*one.body, scope);
  if (one.name.empty()) {
    if (truth(value, "a condition")) yield(node, generator + 1, scope, all);
    return;
  }
  for (const ScalaValue& element : list(value, "a list after <-")) {
    ScalaScope* const inner = make_scope(scope);
    inner->names[one.name].value = element;
    yield(node, generator + 1, inner, all);
  }
}

ScalaValue ScalaEvaluator::apply(const ScalaValue& function, const std::vector<ScalaValue>& arguments,
                                 std::uint32_t token) {
  if (const auto* record = function.as<ScalaRecord>(); record != nullptr && record->arguments == nullptr) {
    // The name of a class stands for its constructor.
    ScalaNode& call = constructors_.emplace_back();
    call.token = token;
    ScalaScope* const scope = make_scope(nullptr);
    static constexpr std::array<std::string_view, 4> kNames = {"# 1", "# 2", "# 3", "# 4"};
    if (arguments.size() > kNames.size()) fail(token, "expected fewer arguments");
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      ScalaNode& argument = constructors_.emplace_back();
      argument.token = token;
      argument.name = kNames[i];
      scope->names[kNames[i]].value = arguments[i];
      call.arguments.push_back({{}, {}, &argument});
    }
    return {ScalaRecord{record->name, &call.arguments, scope}, token};
  }
  const auto* made = function.as<ScalaFunction>();
  if (made == nullptr) fail(token, "expected a function");
  std::vector<ScalaValue> given = arguments;
  if (made->unpacks && given.size() == 1) {
    const auto* tuple = given[0].as<ScalaTuple>();
    if (tuple == nullptr) fail(token, "expected tuples for this case");
    given = std::vector<ScalaValue>(*tuple->parts);
  }
  const std::vector<ScalaPart>& names = *made->parameters;
  if (names.size() != given.size()) {
    fail(token, fmt::format("expected a function of {} argument{}, not of {}", given.size(),
                            given.size() == 1 ? "" : "s", names.size()));
  }
  ScalaScope* const inner = make_scope(made->scope);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].name != "_") inner->names[names[i].name].value = given[i];
  }
  return evaluate(*made->body, inner);
}

std::vector<ScalaValue> ScalaEvaluator::values(const ScalaNode& call, ScalaScope* scope) {
  std::vector<ScalaValue> all;
  for (ScalaPart& one : call.arguments) {
    if (!one.name.empty())
      fail(call.token, fmt::format("expected arguments without names, not {}", one.name));
    all.push_back(evaluate(one, scope));
  }
  return all;
}

ScalaValue ScalaEvaluator::call(const ScalaNode& node, ScalaScope* scope) {
  if (auto list = make_list(node, scope)) return *list;
  const ScalaNode& callee = *node.parts[0];
  if (callee.kind == ScalaNode::Kind::select) {
    if (callee.parts[0]->kind == ScalaNode::Kind::word && callee.parts[0]->name == "math") {
      if (auto value = mathematics(callee.name, node, scope)) return *value;
    }
    const ScalaValue object = evaluate(*callee.parts[0], scope);
    const auto* list = object.as<ScalaList>();
    if (list == nullptr || node.arguments.size() != 1)
      fail(callee.token, fmt::format("expected no call of .{}", callee.name));
    const ScalaValue argument = values(node, scope).front();
    return method(object, callee.name, &argument, callee.token);
  }
  if (callee.kind == ScalaNode::Kind::word) {
    if (const auto found = look_up(callee.name, scope, callee.token)) {
      if (const auto* elements = found->as<ScalaList>()) {
        if (node.arguments.size() != 1) fail(node.token, "expected one index");
        const std::int64_t i = whole(values(node, scope).front(), "an index");
        if (i < 0 || static_cast<std::size_t>(i) >= (*elements)->size())
          fail(node.token, fmt::format("expected an index below {}, not {}", (*elements)->size(), i));
        return (**elements)[static_cast<std::size_t>(i)];
      }
      if (found->as<ScalaFunction>() == nullptr)
        fail(callee.token, fmt::format("expected a function, not {}", callee.name));
      return apply(*found, values(node, scope), node.token);
    }
    if (auto value = mathematics(callee.name, node, scope)) return *value;
    if (callee.name.front() >= 'A' && callee.name.front() <= 'Z')
      return {ScalaRecord{callee.name, &node.arguments, scope}, callee.token};
    fail(callee.token,
         fmt::format("expected a function, not {}, which nothing here defines", place_shown(callee.name)));
  }
  return apply(evaluate(callee, scope), values(node, scope), node.token);
}

ScalaValue ScalaEvaluator::select(const ScalaNode& node, ScalaScope* scope) {
  return method(evaluate(*node.parts[0], scope), node.name, nullptr, node.token);
}

std::optional<ScalaValue> ScalaEvaluator::member(const ScalaRecord& record, std::string_view name,
                                                 std::uint32_t token) {
  (void)record, (void)name, (void)token;
  return std::nullopt;
}

std::optional<ScalaValue> ScalaEvaluator::outside(std::string_view name, std::uint32_t token) {
  (void)name, (void)token;
  return std::nullopt;
}

ScalaPart* ScalaEvaluator::argument(const ScalaRecord& record, std::string_view name,
                                    std::size_t place) const {
  if (record.arguments == nullptr) return nullptr;
  for (ScalaPart& one : *record.arguments)
    if (one.name == name) return &one;
  // Arguments by place come before those by name.
  if (place >= record.arguments->size()) return nullptr;
  for (std::size_t i = 0; i <= place; ++i)
    if (!(*record.arguments)[i].name.empty()) return nullptr;
  return &(*record.arguments)[place];
}

std::optional<ScalaValue> ScalaEvaluator::field(const ScalaRecord& record, std::string_view name,
                                                std::size_t place) {
  ScalaPart* const part = argument(record, name, place);
  if (part == nullptr) return std::nullopt;
  return evaluate(*part, record.scope);
}

ScalaValue ScalaEvaluator::needed(const ScalaRecord& record, std::string_view name, std::size_t place,
                                  std::uint32_t token) {
  auto value = field(record, name, place);
  if (!value) fail(token, fmt::format("expected {} of {}", name, record.name));
  return *value;
}

int ScalaEvaluator::needed_number(const ScalaRecord& record, std::string_view name, std::size_t place,
                                  const char* what, int least, int most, std::uint32_t token) {
  const std::int64_t value = whole(needed(record, name, place, token), what);
  if (value < least || value > most) {
    fail(token,
         fmt::format("expected {} of {} from {} to {}, not {}", name, record.name, least, most, value));
  }
  return static_cast<int>(value);
}

std::int64_t ScalaEvaluator::whole(const ScalaValue& value, const char* what) const {
  const auto* number = value.as<std::int64_t>();
  if (number == nullptr) fail(value.token, fmt::format("expected {}, a whole number", what));
  return *number;
}

bool ScalaEvaluator::truth(const ScalaValue& value, const char* what) const {
  const bool* truth = value.as<bool>();
  if (truth == nullptr) fail(value.token, fmt::format("expected {}, true or false", what));
  return *truth;
}

const std::vector<ScalaValue>& ScalaEvaluator::list(const ScalaValue& value, const char* what) const {
  const auto* list = value.as<ScalaList>();
  if (list == nullptr) fail(value.token, fmt::format("expected {}", what));
  return **list;
}

const ScalaRecord& ScalaEvaluator::record(const ScalaValue& value, const char* what) const {
  const auto* record = value.as<ScalaRecord>();
  if (record == nullptr) fail(value.token, fmt::format("expected {}", what));
  return *record;
}

}  // namespace unknot
