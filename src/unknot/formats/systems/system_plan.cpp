// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/systems/system_plan.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostParts = 65536;
constexpr std::uint32_t kDeepest = 16;
constexpr std::uint32_t kRemoved = 0xFFFFFFFFU;

/// A system in its place: what became of each of its parts.
struct Placed {
  const IbnlSystem* system = nullptr;
  /// By part: index of the device, or of the board among all that are placed.
  std::vector<std::uint32_t> parts;
};

std::uint16_t port_number(std::string_view port) {
  return static_cast<std::uint16_t>(Cursor(port).decimal(65535).value_or(0));
}

class Planner {
 public:
  Planner(const IbnlFile& file, const BoardVariants& variants) : file_(file), variants_(variants) {
    plan_.file = file.file;
    place(file.top, "", 0);
    for (const auto& [board, variant] : variants) {
      if (met_.contains(board)) continue;
      const std::vector<std::string> names(met_.begin(), met_.end());
      throw InputError(fmt::format("the system {} has no board '{}'{}", shown(file.top.names.front()),
                                   shown(board),
                                   names.empty() ? "" : "; " + near_or_all_names(board, names)));
    }
    for (const Placed& placed : placed_) add_links(placed);
    for (const IbnlLink& port : file.top.ports) {
      if (auto found = port_at(placed_.front(), port.part, port.port)) {
        found->arrow = joined_arrows(found->arrow, port.arrow);
        plan_.ports.emplace(std::string(port.peer_port), *found);
      }
    }
  }
  SystemPlan take() { return std::move(plan_); }

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(file_.file, line, message);
  }

  std::uint32_t place(const IbnlSystem& system, const std::string& prefix, std::uint32_t depth) {
    const auto index = static_cast<std::uint32_t>(placed_.size());
    placed_.push_back({&system, {}});
    if (depth > kDeepest)
      fail(system.line, fmt::format("boards inside of each other, more than {} deep", kDeepest));
    std::vector<std::uint32_t> parts;
    parts.reserve(system.parts.size());
    for (const IbnlPart& part : system.parts) {
      if (++part_count_ > kMostParts)
        fail(part.line, fmt::format("the system has more than {} parts", kMostParts));
      const std::string name = prefix + std::string(part.name);
      if (part.board.empty()) {
        parts.push_back(static_cast<std::uint32_t>(plan_.devices.size()));
        plan_.devices.push_back({name, part.is_switch, part.ports, part.line});
        continue;
      }
      const IbnlSystem* const board = board_of(part, name);
      parts.push_back(board == nullptr ? kRemoved : place(*board, name + "/", depth + 1));
    }
    placed_[index].parts = std::move(parts);
    return index;
  }

  /// The SYSTEM of a board, or null where the board is not there.
  const IbnlSystem* board_of(const IbnlPart& part, const std::string& name) {
    met_.insert(name);
    std::string wanted(part.board);
    const auto variant = variants_.find(name);
    if (variant != variants_.end()) {
      const std::string& chosen = variant->second;
      if (chosen == "R" || chosen == "X" || chosen == "Removed") return nullptr;
      wanted += ":" + chosen;
    }
    const auto found = file_.board_of.find(wanted);
    if (found == file_.board_of.end()) {
      fail(part.line,
           fmt::format("no SYSTEM {} in this file, for the board \"{}\"", shown(wanted), shown(name)));
    }
    return &file_.boards[found->second];
  }

  /// The device and port that a port of a part is, and what is stated inside of its board; nothing where the
  /// board has no such port.
  [[nodiscard]] std::optional<SystemPlan::Port> port_at(const Placed& placed, std::uint32_t part,
                                                        std::string_view port) const {
    LinkArrow arrow;
    const Placed* at = &placed;
    while (!at->system->parts[part].board.empty()) {
      if (at->parts[part] == kRemoved) return std::nullopt;
      at = &placed_[at->parts[part]];
      const auto found = at->system->port_of.find(port);
      if (found == at->system->port_of.end()) return std::nullopt;
      const IbnlLink& inner = at->system->ports[found->second];
      part = inner.part;
      port = inner.port;
      arrow = joined_arrows(inner.arrow, arrow);
    }
    return SystemPlan::Port{at->parts[part], port_number(port), arrow};
  }

  void add_links(const Placed& placed) {
    for (const IbnlLink& link : placed.system->links) {
      const auto a = port_at(placed, link.part, link.port);
      const auto b = port_at(placed, link.peer, link.peer_port);
      if (!a || !b) continue;
      plan_.links.push_back(
          {*a, *b, joined_arrows(joined_arrows(a->arrow, b->arrow), link.arrow), link.line});
    }
  }

  const IbnlFile& file_;
  const BoardVariants& variants_;
  SystemPlan plan_;
  std::vector<Placed> placed_;  ///< the system itself first
  std::set<std::string> met_;   ///< names of its boards
  std::uint32_t part_count_ = 0;
};

}  // namespace

SystemPlan plan_system(const IbnlFile& file, const BoardVariants& variants) {
  return Planner(file, variants).take();
}

}  // namespace unknot
