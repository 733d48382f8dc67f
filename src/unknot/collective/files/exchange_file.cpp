// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/exchange_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostCopies = std::uint64_t{1} << 30U;

}  // namespace

bool is_exchange(std::string_view text) {
  const std::size_t paths = text.find("\"paths\"");
  return paths != std::string_view::npos && paths < text.find("\"steps\"");
}

ExchangeDocument parse_exchange(std::string_view text, const std::string& file) {
  const PlanReader reader(file);
  const nlohmann::json all = parse_json(text, file);
  if (!all.is_object()) reader.fail("expected an object with \"collective\" and \"paths\"");
  ExchangeDocument document{reader.head(all), {}};
  ExchangePlan& plan = document.plan;
  plan.copies =
      static_cast<std::uint32_t>(reader.count(reader.member(all, "copies", ""), "copies", kMostCopies));
  const nlohmann::json& paths = reader.list(all, "paths", "paths");
  plan.routes.reserve(paths.size());
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const std::string where = fmt::format("paths[{}]", p);
    const auto copies = static_cast<std::uint32_t>(
        reader.count(reader.member(paths[p], "copies", where), where + ".copies", kMostCopies));
    plan.routes.push_back({copies, static_cast<std::uint32_t>(plan.nodes.size())});
    reader.path(reader.member(paths[p], "path", where), plan.nodes, [&] { return where + ".path"; });
  }
  return document;
}

std::string exchange_json(const ExchangeDocument& document) {
  const ExchangePlan& plan = document.plan;
  std::string text =
      schedule_head(document.fabric, document.faults, document.collective, document.participants);
  append(text, ", \"copies\": {}, \"paths\": [", plan.copies);
  for (std::size_t r = 0; r < plan.routes.size(); ++r) {
    append(text, "{}\n {{\"copies\": {}, \"path\": [", r == 0 ? "" : ",", plan.routes[r].copies);
    bool first = true;
    for (const NodeId n : plan.way(r)) {
      append(text, "{}{}", first ? "" : ", ", n.value);
      first = false;
    }
    text += "]}";
  }
  return text + "\n]}\n";
}

}  // namespace unknot
