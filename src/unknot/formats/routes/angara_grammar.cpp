// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/routes/angara_grammar.hpp"

#include <fmt/format.h>

#include "unknot/formats/routes/angara_tables.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace angara_grammar {

std::string extents(const angara::Torus& torus) {
  std::string text;
  for (std::uint32_t d = 0; d < torus.dimensions(); ++d)
    text += fmt::format("{}{}", d == 0 ? "" : "x", torus.extent(d));
  return text;
}

std::string order(const angara::Torus& torus) {
  std::string text;
  for (std::uint32_t d = 0; d < torus.directions(); ++d)
    text += fmt::format("{}{}", d == 0 ? "" : " ", torus.direction_name(static_cast<angara::Direction>(d)));
  return text;
}

std::map<std::string, TerminalId, std::less<>> nodes_by_name(const Network& network) {
  std::map<std::string, TerminalId, std::less<>> nodes;
  for (const TerminalId t : network.terminals()) {
    if (const auto [at, fresh] = nodes.emplace(network.terminal_name(t), t); !fresh) {
      throw InputError(
          fmt::format("two nodes are called '{}', and format angara tells nodes by name", at->first));
    }
  }
  return nodes;
}

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._:/@+-").find(c) != std::string_view::npos;
}

}  // namespace angara_grammar

std::string angara_name(std::string_view name) {
  bool bare = !name.empty();
  for (const char c : name) bare = bare && angara_grammar::plain(c);
  if (bare) return std::string(name);
  std::string quoted;
  quoted += '"';
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return quoted;
}

}  // namespace unknot
