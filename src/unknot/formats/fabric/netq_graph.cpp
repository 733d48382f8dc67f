// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/fabric/netq_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/json_text.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using nlohmann::json;
using Kind = FabricDraft::Kind;

constexpr std::size_t kMaxPorts = 65535;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(at, end - at);
}

/// swp2 before swp10, swp1s0 before swp1s1: numbers count as numbers, whatever their length.
bool comes_before(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    std::string_view x = digits_at(a, i);
    std::string_view y = digits_at(b, j);
    if (x.empty() || y.empty()) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
      continue;
    }
    i += x.size();
    j += y.size();
    x.remove_prefix(std::min(x.find_first_not_of('0'), x.size() - 1));
    y.remove_prefix(std::min(y.find_first_not_of('0'), y.size() - 1));
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // 01 and 1
}

struct ByNumber {
  bool operator()(const std::string& a, const std::string& b) const { return comes_before(a, b); }
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file), document_(parse_json(text, file)) {
    if (!document_.is_array() || document_.size() != 1)
      fail("expected a list of one graph, as NetQ answers for one premises");
    const json& graph = document_.front();
    read_groups(list(graph, "nodes", "the graph"));
    if (draft_.devices.empty()) fail("no device in this graph");
    read_links(list(graph, "links", "the graph"));
    number_ports();
    add_ends();
  }
  FabricDraft take() { return std::move(draft_); }

 private:
  struct Interface {
    std::uint32_t device = 0;
    std::string name;
  };
  struct Link {
    Interface a, b;
  };
  struct Ports {
    std::map<std::string, std::uint16_t, ByNumber> number;  ///< by the name of the interface
  };

  [[noreturn]] void fail(const std::string& message) const { throw InputError(file_ + ": " + message); }

  const json& member(const json& object, const char* name, const std::string& where) const {
    if (!object.is_object() || !object.contains(name)) {
      fail(fmt::format("{}: expected an object with the member \"{}\"", where, name));
    }
    return object[name];
  }
  const json& list(const json& object, const char* name, const std::string& where) const {
    const json& value = member(object, name, where);
    if (!value.is_array()) fail(fmt::format("{}: expected a list as \"{}\"", where, name));
    return value;
  }
  const std::string& text(const json& object, const char* name, const std::string& where) const {
    const json& value = member(object, name, where);
    const auto* const found = value.get_ptr<const std::string*>();
    if (found == nullptr || found->empty()) fail(fmt::format("{}: expected a name as \"{}\"", where, name));
    return *found;
  }

  /// Devices stand in groups, one for each tier.
  void read_groups(const json& groups) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::string group = fmt::format("nodes[{}]", i);
      const json& devices = list(groups[i], "compounded_nodes", group);
      for (std::size_t j = 0; j < devices.size(); ++j) {
        read_device(devices[j], fmt::format("{}.compounded_nodes[{}]", group, j));
      }
    }
  }

  void read_device(const json& node, const std::string& where) {
    const std::string& id = text(node, "id", where);
    const json& tier = member(node, "tier", where);
    if (!tier.is_number_integer()) fail(fmt::format("{}: expected a whole number as \"tier\"", where));
    const auto type = node.find("device_type");
    const bool is_switch = tier != -1 || (type != node.end() && *type == "switch");
    if (!index_.try_emplace(id, static_cast<std::uint32_t>(draft_.devices.size())).second) {
      fail(fmt::format("{}: the device \"{}\" is described twice", where, shown(id)));
    }
    FabricDraft::Device device;
    device.id = draft_.texts.emplace_back(id);
    device.name = draft_.texts.emplace_back(text(node, "name", where));
    device.kind = is_switch ? Kind::router : Kind::adapter;
    draft_.devices.push_back(device);
  }

  void read_links(const json& links) {
    ports_.resize(draft_.devices.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
      const std::string group = fmt::format("links[{}]", i);
      if (!links[i].is_object() || !links[i].contains("compounded_links")) {
        fail(
            fmt::format("{}: no \"compounded_links\", which name the interfaces: ask NetQ with "
                        "\"subgroupNestingDepth\": 2",
                        group));
      }
      const json& cables = list(links[i], "compounded_links", group);
      for (std::size_t j = 0; j < cables.size(); ++j) {
        read_cable(cables[j], fmt::format("{}.compounded_links[{}]", group, j));
      }
    }
  }

  void read_cable(const json& cable, const std::string& where) {
    const json& ends = list(cable, "interfaces", where);
    if (ends.size() != 2) fail(fmt::format("{}: expected two interfaces", where));
    Link link{read_interface(ends[0], where), read_interface(ends[1], where)};
    if (link.a.device == link.b.device) {
      fail(fmt::format("{}: \"{}\" is connected to itself", where, name_of(link.a.device)));
    }
    if (kind_of(link.a) != Kind::router && kind_of(link.b) != Kind::router) {
      fail(fmt::format("{}: hosts \"{}\" and \"{}\" are connected without a switch between them", where,
                       name_of(link.a.device), name_of(link.b.device)));
    }
    for (const Interface* end : {&link.a, &link.b}) {
      auto& numbers = ports_[end->device].number;
      if (!numbers.try_emplace(end->name, 0).second) {
        fail(fmt::format("{}: the interface {} of \"{}\" is used twice", where, shown(end->name),
                         name_of(end->device)));
      }
      if (numbers.size() > kMaxPorts)
        fail(fmt::format("{}: more than {} interfaces of a device", where, kMaxPorts));
    }
    links_.push_back(std::move(link));
  }

  Interface read_interface(const json& end, const std::string& where) const {
    const std::string& node = text(end, "node", where + ".interfaces");
    const auto found = index_.find(node);
    if (found == index_.end()) fail(fmt::format("{}: no device \"{}\" in \"nodes\"", where, shown(node)));
    return {found->second, text(end, "interface", where + ".interfaces")};
  }

  [[nodiscard]] std::string name_of(std::uint32_t device) const { return shown(draft_.devices[device].name); }
  [[nodiscard]] Kind kind_of(const Interface& end) const { return draft_.devices[end.device].kind; }

  void number_ports() {
    SystematicGuids guids;
    for (std::size_t i = 0; i < draft_.devices.size(); ++i) {
      FabricDraft::Device& device = draft_.devices[i];
      if (device.kind != Kind::router && ports_[i].number.empty()) {
        fail(fmt::format("host \"{}\" ({}) has no link", shown(device.id), shown(device.name)));
      }
      for (auto& [name, number] : ports_[i].number) number = ++device.ports;
      device.guid = guids.next(device.kind, device.ports);
    }
  }

  void add_ends() {
    draft_.files.push_back(file_);
    draft_.one_end_is_enough = true;
    draft_.ends.reserve(links_.size());
    for (const Link& link : links_) {
      FabricDraft::End end;
      end.device = link.a.device;
      end.port = ports_[link.a.device].number.at(link.a.name);
      end.peer = link.b.device;
      end.peer_port = ports_[link.b.device].number.at(link.b.name);
      draft_.ends.push_back(end);
    }
    group_ends(draft_);
  }

  std::string file_;
  json document_;
  FabricDraft draft_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::vector<Link> links_;
  std::vector<Ports> ports_;  ///< by device
};

}  // namespace

Network read_netq_graph(std::string_view text, const std::string& name) {
  return assemble(Reader(text, name).take());
}

bool looks_like_netq_graph(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && head[begin] == '[' &&
         (head.find("\"compounded_links\"") != std::string_view::npos ||
          head.find("\"compounded_nodes\"") != std::string_view::npos);
}

}  // namespace unknot
