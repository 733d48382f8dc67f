// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/garnet_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// One section of the file.
struct Gem5Object {
  struct Value {
    std::string_view text;
    std::uint32_t line = 0;
  };
  std::uint32_t line = 0;
  std::map<std::string_view, Value> values;
};

class Gem5Reader {
 public:
  Gem5Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  GarnetConfig run() {
    read_sections();
    find_network();
    read_routers();
    read_externals();
    read_internals();
    const auto algorithm = network_->values.find("routing_algorithm");
    if (algorithm != network_->values.end()) {
      config_.routing_algorithm = number(*network_, "routing_algorithm", 0, 1000);
      config_.routing_line = algorithm->second.line;
    }
    return std::move(config_);
  }

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(file_, line, message);
  }

  void read_sections() {
    Lines lines(text_, file_);
    Gem5Object* now = nullptr;
    while (lines.next()) {
      const std::string_view line = lines.line();
      if (line.starts_with('[')) {
        if (!line.ends_with(']'))
          lines.fail(fmt::format("expected a section such as '[system]', not {}", place_shown(line)));
        const auto [at, fresh] = objects_.try_emplace(line.substr(1, line.size() - 2));
        if (!fresh) lines.fail(fmt::format("section {} is already on line {}", shown(line), at->second.line));
        now = &at->second;
        now->line = lines.number();
        continue;
      }
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos || now == nullptr) {
        // A text of several lines, as a parameter of other objects may be.
        if (now != nullptr || line.empty()) continue;
        lines.fail(fmt::format("expected a section such as '[system]', not {}", place_shown(line)));
      }
      now->values.try_emplace(line.substr(0, equals),
                              Gem5Object::Value{line.substr(equals + 1), lines.number()});
    }
  }

  void find_network() {
    for (const auto& [path, object] : objects_) {
      const auto type = object.values.find("type");
      if (type == object.values.end() || type->second.text != "GarnetNetwork") continue;
      if (network_ != nullptr) {
        fail(std::max(object.line, network_->line),
             fmt::format("a second Garnet network, {} and {}, expected one", shown(path), shown(path_)));
      }
      network_ = &object;
      path_ = path;
    }
    if (network_ == nullptr) {
      throw InputError(
          fmt::format("{}: no Garnet network (a section with type=GarnetNetwork) in this file", file_));
    }
  }

  const Gem5Object::Value& value(const Gem5Object& object, std::string_view key) const {
    const auto found = object.values.find(key);
    if (found == object.values.end()) fail(object.line, fmt::format("this section has no '{}'", key));
    return found->second;
  }
  std::uint32_t number(const Gem5Object& object, std::string_view key, std::uint32_t least,
                       std::uint32_t most) const {
    const Gem5Object::Value& one = value(object, key);
    Cursor cursor(one.text);
    const auto found = cursor.decimal(most);
    if (!found || *found < least || !cursor.at_end()) {
      fail(one.line, fmt::format("{}: expected a whole number from {} to {}, not {}", key, least, most,
                                 place_shown(one.text)));
    }
    return static_cast<std::uint32_t>(*found);
  }
  const Gem5Object& object_at(std::string_view path, std::uint32_t line) const {
    const auto found = objects_.find(path);
    if (found == objects_.end()) fail(line, fmt::format("no section [{}] in this file", shown(path)));
    return found->second;
  }
  /// The objects that a parameter of the network lists.
  template <class Take>
  void for_listed(std::string_view key, const Take& take) const {
    const Gem5Object::Value& list = value(*network_, key);
    Cursor cursor(list.text);
    for (;;) {
      cursor.skip_blanks();
      if (cursor.at_end()) return;
      const std::string_view path = cursor.word();
      take(path, object_at(path, list.line));
    }
  }

  std::string short_name(std::string_view path) const {
    for (std::string_view inside = path_; !inside.empty();) {
      if (path.size() > inside.size() + 1 && path.starts_with(inside) && path[inside.size()] == '.')
        return std::string(path.substr(inside.size() + 1));
      const std::size_t dot = inside.rfind('.');
      inside = dot == std::string_view::npos ? std::string_view() : inside.substr(0, dot);
    }
    return std::string(path);
  }

  void read_routers() {
    std::vector<std::pair<std::uint32_t, std::string_view>> found;
    for_listed("routers", [&](std::string_view path, const Gem5Object& object) {
      found.emplace_back(number(object, "router_id", 0, 0xFFFFFF), path);
    });
    if (found.empty()) fail(network_->line, "this network has no routers");
    std::sort(found.begin(), found.end());
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      const auto& [id, path] = found[i];
      if (id != i) {
        fail(object_at(path, 0).line,
             id < i ? fmt::format("two routers have router_id {}", id)
                    : fmt::format("no router has router_id {}, though one has {}", i, found.back().first));
      }
      router_id_.emplace(path, id);
      config_.routers.push_back(short_name(path));
    }
  }
  std::uint32_t router(const Gem5Object& link, std::string_view key) const {
    const Gem5Object::Value& path = value(link, key);
    const auto found = router_id_.find(path.text);
    if (found == router_id_.end()) {
      fail(path.line,
           fmt::format("{}: expected a router of the network, not {}", key, place_shown(path.text)));
    }
    return found->second;
  }

  /// Latency and weight of a link that carries all virtual networks.
  std::pair<std::uint32_t, std::uint32_t> latency_and_weight(const Gem5Object& link) const {
    const auto vnets = link.values.find("supported_vnets");
    if (vnets != link.values.end() && !vnets->second.text.empty()) {
      fail(vnets->second.line, fmt::format("supported_vnets={}: links of some virtual networks alone are not "
                                           "read, expected links for all",
                                           shown(vnets->second.text)));
    }
    return {number(link, "latency", 1, 0x7FFFFFFF), number(link, "weight", 1, GarnetConfig::kNoPath - 1)};
  }

  void read_externals() {
    std::map<std::string_view, std::uint32_t> lines;
    for_listed("ext_links", [&](std::string_view, const Gem5Object& link) {
      const Gem5Object::Value& node = value(link, "ext_node");
      if (node.text.empty()) fail(node.line, "ext_node: expected a controller");
      const auto [at, fresh] = lines.emplace(node.text, node.line);
      if (!fresh) {
        fail(std::max(node.line, at->second),
             fmt::format("a second link of controller {}, expected one", shown(node.text)));
      }
      const auto [latency, weight] = latency_and_weight(link);
      config_.externals.push_back(
          {short_name(node.text), router(link, "int_node"), latency, weight, link.line});
    });
  }

  void read_internals() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> lines;
    for_listed("int_links", [&](std::string_view, const Gem5Object& link) {
      const std::uint32_t from = router(link, "src_node");
      const std::uint32_t to = router(link, "dst_node");
      if (from == to) fail(link.line, fmt::format("router {} is connected to itself", from));
      const auto [at, fresh] = lines.emplace(std::pair(from, to), link.line);
      if (!fresh) {
        fail(std::max(link.line, at->second),
             fmt::format("a second link from router {} to router {}, where gem5 takes one", from, to));
      }
      const auto [latency, weight] = latency_and_weight(link);
      config_.internals.push_back({from, to, latency, weight, link.line});
    });
  }

  std::string_view text_;
  const std::string& file_;
  std::map<std::string_view, Gem5Object> objects_;
  const Gem5Object* network_ = nullptr;
  std::string_view path_;
  std::map<std::string_view, std::uint32_t> router_id_;
  GarnetConfig config_;
};

}  // namespace

GarnetConfig read_garnet_config(std::string_view text, const std::string& file) {
  return Gem5Reader(text, file).run();
}

}  // namespace unknot
