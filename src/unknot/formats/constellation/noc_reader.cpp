// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/noc_reader.hpp"

#include <fmt/format.h>

#include "unknot/formats/constellation/noc_topology.hpp"

namespace unknot {

NocFile::NocFile(std::string_view text, const std::string& file)
    : ScalaTokens(text, file),
      ScalaParser(static_cast<const ScalaTokens&>(*this)),
      ScalaEvaluator(static_cast<const ScalaTokens&>(*this), static_cast<ScalaParser&>(*this)),
      classes_(static_cast<const ScalaTokens&>(*this)) {}

std::optional<ScalaValue> NocFile::member(const ScalaRecord& record, std::string_view name,
                                          std::uint32_t token) {
  if (record.arguments == nullptr) {
    for (const ScalaObjectValue& one : classes_.values)
      if (one.object == record.name && one.name == name) return value_of(one, token);
    return std::nullopt;
  }
  if (name != "nNodes") return std::nullopt;
  return ScalaValue{std::int64_t{make_noc_topology(*this, {record, token})->nodes}, token};
}

std::optional<ScalaValue> NocFile::outside(std::string_view name, std::uint32_t token) {
  const ScalaObjectValue* found = nullptr;
  for (const ScalaObjectValue& one : classes_.values) {
    if (one.name != name) continue;
    if (found != nullptr) {
      fail(token, fmt::format("expected a name that one object defines, not {} of {} and {}", name,
                              found->object, one.object));
    }
    found = &one;
  }
  if (found != nullptr) return value_of(*found, token);
  // What a class of the file does is not read, whatever Constellation has of the same name.
  if (classes_.find(name) != nullptr)
    fail(token, fmt::format("expected what Constellation defines, not {}, a class of this file", name));
  if (classes_.has_object(name)) return ScalaValue{ScalaRecord{name, nullptr, nullptr}, token};
  return std::nullopt;
}

ScalaValue NocFile::value_of(const ScalaObjectValue& one, std::uint32_t token) {
  if (!one.plain) fail(token, fmt::format("expected a val, not {} of {}", one.name, one.object));
  Kept& kept = kept_[one.body];
  if (kept.value) return *kept.value;
  if (kept.pending) fail(token, fmt::format("{} needs its own value", one.name));
  kept.pending = true;
  std::uint32_t end = 0;
  const ScalaNode* const body = parse_from(one.body, end);
  const ScalaTokens& all = tokens();
  if (!all[end].starts_line && !all[end].is(";") && !all[end].is("}"))
    all.expected(end, "the end of the value");
  kept.value = evaluate(*body, make_scope(nullptr));
  return *kept.value;
}

/// The parameters of a class as the arguments at `arguments`, written in `scope`, make them.
ScalaScope* NocFile::bind(const ScalaClass& one, std::uint32_t arguments, ScalaScope* scope) {
  ScalaScope* const inner = make_scope(nullptr);
  if (one.parameters == ScalaClass::kNone) return inner;
  std::vector<ScalaPart>& parameters = parts_.emplace_back(parameters_within(one.parameters));
  std::vector<ScalaPart>& given = parts_.emplace_back(
      arguments == ScalaClass::kNone ? std::vector<ScalaPart>() : parts_within(arguments));
  const ScalaRecord call{one.name, &given, scope};
  if (given.size() > parameters.size())
    fail(arguments, fmt::format("expected at most {} arguments of {}", parameters.size(), one.name));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    ScalaScope::Binding& binding = inner->names[parameters[i].name];
    if (ScalaPart* const part = argument(call, parameters[i].name, i)) {
      binding.part = part;
      binding.scope = scope;
    } else if (parameters[i].span.first < parameters[i].span.end) {
      binding.part = &parameters[i];
      binding.scope = inner;
    } else {
      fail(one.token, fmt::format("expected an argument for {} of {}", parameters[i].name, one.name));
    }
  }
  return inner;
}

ScalaValue NocFile::params_of(const std::string& name) {
  const ScalaClass* one = classes_.find(name);
  if (one == nullptr)
    throw InputError(fmt::format("{}: expected a class {}, which is not there", tokens().file(), name));
  ScalaScope* scope = bind(*one, ScalaClass::kNone, nullptr);
  constexpr int kDeepestClass = 8;
  for (int depth = 0;; ++depth) {
    const bool tests = one->base == "NoCTesterConfig";
    if (tests || one->base == "NoCEvalConfig") {
      const std::string_view wanted = tests ? "NoCTesterParams" : "NoCEvalParams";
      std::vector<ScalaPart> none;
      std::vector<ScalaPart>& given =
          parts_.emplace_back(one->arguments == ScalaClass::kNone ? none : parts_within(one->arguments));
      if (given.size() != 1) fail(one->token, fmt::format("expected {}({}(...))", one->base, wanted));
      const ScalaValue params = evaluate(given.front(), scope);
      const ScalaRecord& record = this->record(params, "parameters of a test");
      if (record.name != wanted) fail(params.token, fmt::format("expected {}, not {}", wanted, record.name));
      return needed(record, "nocParams", 0, params.token);
    }
    if (one->base == "TLNoCTesterConfig" || one->base == "AXI4NoCTesterConfig") {
      fail(one->token,
           fmt::format("expected a configuration with its own flows, not one of {}, whose flows come from "
                       "the devices of a protocol",
                       one->base));
    }
    const ScalaClass* const base = classes_.find(one->base);
    if (base == nullptr || depth == kDeepestClass) {
      fail(one->token,
           fmt::format("expected a class that extends NoCTesterConfig or NoCEvalConfig, not {} of {}",
                       one->name, one->base.empty() ? "nothing" : one->base));
    }
    scope = bind(*base, one->arguments, scope);
    one = base;
  }
}

}  // namespace unknot
