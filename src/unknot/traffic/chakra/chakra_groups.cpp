// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/chakra/chakra_groups.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot::chakra {
namespace {

using nlohmann::json;

std::vector<std::uint32_t> ranks_in(const json& list, const std::string& place, const std::string& name) {
  const auto fail = [&] {
    throw InputError(fmt::format("{}: group {}: expected a list of ranks", place, name));
  };
  if (!list.is_array()) fail();
  std::vector<std::uint32_t> ranks;
  ranks.reserve(list.size());
  for (const json& rank : list) {
    if (!rank.is_number_unsigned() || rank.get<std::uint64_t>() > INT32_MAX) fail();
    ranks.push_back(rank.get<std::uint32_t>());
  }
  return ranks;
}

}  // namespace

ProcessGroups groups_in(std::string_view inputs, const std::string& place) {
  ProcessGroups groups;
  if (inputs.find("\"pg_name\"") == std::string_view::npos) return groups;
  const std::size_t begin = inputs.find("[{");
  const std::size_t end = inputs.rfind("}]");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
    throw InputError(fmt::format("{}: its process groups are no list", place));
  const json document = parse_json(inputs.substr(begin, end + 2 - begin), place + ": its process groups");
  for (const json& group : document) {
    const auto name = group.find("pg_name");
    const auto ranks = group.find("ranks");
    if (!group.is_object() || name == group.end() || !name->is_string() || ranks == group.end())
      throw InputError(fmt::format("{}: a process group without pg_name or ranks", place));
    const auto text = name->get<std::string>();
    groups[text] = ranks_in(*ranks, place, text);
  }
  return groups;
}

ProcessGroups read_groups(const std::string& file) {
  const json document = parse_json(read_file(file), file);
  if (!document.is_object()) throw InputError(file + ": expected groups as {\"NAME\": [ranks], ...}");
  ProcessGroups groups;
  for (const auto& [name, ranks] : document.items()) groups[name] = ranks_in(ranks, file, name);
  return groups;
}

std::vector<std::uint32_t> ranks_along(const std::vector<std::uint32_t>& dims,
                                       const std::vector<bool>& involved, std::uint32_t rank) {
  std::vector<std::uint32_t> ranks{rank};
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d < involved.size() && involved[d]) {
      const std::uint32_t own = rank / stride % dims[d];
      std::vector<std::uint32_t> wider;
      wider.reserve(ranks.size() * dims[d]);
      for (std::uint32_t at = 0; at < dims[d]; ++at) {
        for (const std::uint32_t other : ranks) wider.push_back(other - own * stride + at * stride);
      }
      ranks = std::move(wider);
    }
    stride *= dims[d];
  }
  return ranks;
}

}  // namespace unknot::chakra
