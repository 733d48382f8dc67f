// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/model/catalogue.hpp"

namespace unknot {

/// What files of plans say before them: of which fabric, with what failed, which collective, among whom.
struct PlanHead {
  std::string fabric;      ///< spec or file name; empty: not said
  std::string faults;      ///< as ScheduleDocument::faults
  std::string collective;  ///< name of a row of combined_collectives()
  Participants participants;
};

/// Takes members out of the JSON of a plan of trees or paths, and says with file and member what is wrong
/// with them.
class PlanReader {
 public:
  using Json = nlohmann::json;

  explicit PlanReader(const std::string& file) : file_(file) {}

  [[noreturn]] void fail(const std::string& why) const;
  [[nodiscard]] PlanHead head(const Json& all) const;
  /// `where` names the object in messages; empty: the document.
  [[nodiscard]] const Json& member(const Json& object, const char* name, const std::string& where) const;
  /// A list of that name in the document, `of` what is said in messages.
  [[nodiscard]] const Json& list(const Json& all, const char* name, const char* of) const;
  [[nodiscard]] NodeId node(const Json& value, const std::string& where) const;
  /// From 1 to `most`.
  [[nodiscard]] std::uint64_t count(const Json& value, const std::string& where,
                                    std::uint64_t most = std::uint64_t{1} << 40U) const;
  /// Appends the nodes of a path, two or more; `place`, called where something is wrong, says where.
  template <class Place>
  void path(const Json& value, std::vector<NodeId>& nodes, Place place) const {
    if (const char* why = append_path(value, nodes); why != nullptr) fail(place() + why);
  }

 private:
  [[nodiscard]] std::string text(const Json& all, const char* name, bool needed) const;
  [[nodiscard]] std::optional<std::vector<NodeId>> nodes(const Json& all, const char* name) const;
  [[nodiscard]] std::optional<std::vector<MessageEnds>> messages(const Json& all) const;
  [[nodiscard]] std::optional<std::vector<std::vector<NodeId>>> groups(const Json& all) const;
  [[nodiscard]] static const char* append_path(const Json& value, std::vector<NodeId>& nodes);

  const std::string& file_;
};

}  // namespace unknot
