// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/scala_classes.hpp"

#include <algorithm>

namespace unknot {

ScalaClasses::ScalaClasses(const ScalaTokens& tokens) {
  for (std::uint32_t at = 0; at < tokens.size();) {
    const bool named = tokens[at + 1].kind == ScalaToken::Kind::word;
    if (tokens[at].is("class") && named) {
      at = read_class(tokens, at);
    } else if ((tokens[at].is("object") || tokens[at].is("trait")) && named) {
      at = read_object(tokens, at);
    } else {
      at = tokens.after(at);
    }
  }
}

std::uint32_t ScalaClasses::read_class(const ScalaTokens& tokens, std::uint32_t at) {
  ScalaClass one;
  one.token = at;
  one.name = tokens[at + 1].text;
  at += 2;
  if (tokens[at].is("[")) at = tokens.after(at);
  if (tokens[at].is("(")) {
    one.parameters = at;
    at = tokens.after(at);
  }
  while (tokens[at].is("(")) at = tokens.after(at);
  if (tokens[at].is("extends")) {
    ++at;
    while (tokens[at].kind == ScalaToken::Kind::word) {
      one.base = tokens[at++].text;  // the last of a.b.C
      if (!tokens[at].is(".")) break;
      ++at;
    }
    if (tokens[at].is("[")) at = tokens.after(at);
    if (tokens[at].is("(")) {
      one.arguments = at;
      at = tokens.after(at);
    }
  }
  classes.push_back(one);
  return at;
}

std::uint32_t ScalaClasses::read_object(const ScalaTokens& tokens, std::uint32_t at) {
  const std::string_view object = tokens[at + 1].text;
  objects.push_back(object);
  at += 2;
  while (at < tokens.size() && !tokens[at].is("{") && !tokens[at].starts_line) at = tokens.after(at);
  if (!tokens[at].is("{")) return at;
  const std::uint32_t close = tokens[at].match;
  for (++at; at < close; at = tokens.after(at)) {
    const bool value = tokens[at].is("val");
    if ((!value && !tokens[at].is("def") && !tokens[at].is("var")) ||
        tokens[at + 1].kind != ScalaToken::Kind::word)
      continue;
    ScalaObjectValue one{object, tokens[at + 1].text, close, false};
    std::uint32_t sign = at + 2;
    while (sign < close && !tokens[sign].is("=") && !tokens[sign].is("val") && !tokens[sign].is("def"))
      sign = tokens.after(sign);
    if (sign < close && tokens[sign].is("=")) {
      one.body = sign + 1;
      one.plain = value;
    }
    values.push_back(one);
  }
  return close + 1;
}

const ScalaClass* ScalaClasses::find(std::string_view name) const {
  const auto found =
      std::find_if(classes.begin(), classes.end(), [&](const ScalaClass& one) { return one.name == name; });
  return found == classes.end() ? nullptr : &*found;
}

bool ScalaClasses::has_object(std::string_view name) const {
  return std::find(objects.begin(), objects.end(), name) != objects.end();
}

}  // namespace unknot
