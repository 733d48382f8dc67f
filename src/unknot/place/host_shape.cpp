// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/host_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/xml_text.hpp"

namespace unknot::place {
namespace {

/// Machine, groups, packages, dies, four caches, core: with room for levels that vendors add.
constexpr std::uint32_t kDeepestObject = 64;

std::string_view type_of(const pugi::xml_node& node) {
  return node.attribute("type").value();
}

class HwlocReader {
 public:
  HwlocReader(std::string_view text, const std::string& file) : xml_(text, file), file_(file) {}

  HostShape run() {
    const pugi::xml_node topology = xml_.root("topology");
    objects(topology, 0);
    if (shape_.cores.empty())
      throw InputError(file_, 1, "expected a machine with cores, as lstopo --of xml writes it");
    return std::move(shape_);
  }

 private:
  void objects(const pugi::xml_node& parent, std::uint32_t depth) {
    for (const pugi::xml_node& node : parent.children("object")) {
      if (depth == kDeepestObject)
        xml_.fail(node, fmt::format("objects in objects more than {} deep", kDeepestObject));
      const std::string_view type = type_of(node);
      if (type == "Core") {
        add_core(node);
        continue;
      }
      if (type == "Package") {
        if (in_package_) xml_.fail(node, "a package within a package");
        in_package_ = true;
        number_ = 0;
        new_cache();
        objects(node, depth + 1);
        in_package_ = false;
        if (number_ > 0) ++socket_;
        continue;
      }
      // caches that share a larger one are a group; of several levels the innermost above L2 counts
      if (type == "L3Cache" || type == "Die") new_cache();
      objects(node, depth + 1);
      if (type == "L3Cache" || type == "Die") new_cache();
    }
  }

  void new_cache() {
    if (cache_taken_) ++cache_;
    cache_taken_ = false;
  }

  void add_core(const pugi::xml_node& node) {
    if (!in_package_) xml_.fail(node, "a core outside of every package");
    if (shape_.cores.size() == kMostCores) xml_.fail(node, fmt::format("more than {} cores", kMostCores));
    shape_.cores.push_back({socket_, cache_, number_++});
    cache_taken_ = true;
  }

  XmlText xml_;
  const std::string& file_;
  HostShape shape_;
  bool in_package_ = false, cache_taken_ = false;
  std::uint32_t socket_ = 0, cache_ = 0, number_ = 0;
};

}  // namespace

bool is_host_shape(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789x") == std::string_view::npos;
}

HostShape parse_host_shape(std::string_view text) {
  const auto fail = [&] {
    throw InputError(fmt::format(
        "--cores '{}': expected sockets x cores, or sockets x caches x cores, as in 2x4x8, {} cores "
        "at most, or a file that hwloc has written",
        shown(text), kMostCores));
  };
  std::vector<std::uint32_t> extents;
  std::uint64_t all = 1;
  Cursor cursor(text);
  do {
    const auto extent = cursor.decimal(kMostCores);
    if (!extent || *extent == 0 || extents.size() == 3) fail();
    extents.push_back(static_cast<std::uint32_t>(*extent));
    all *= *extent;
  } while (cursor.eat('x'));
  if (!cursor.at_end() || extents.size() < 2 || all > kMostCores) fail();
  const std::uint32_t each = extents.back();
  const std::uint32_t of_socket = static_cast<std::uint32_t>(all) / extents.front();
  HostShape shape;
  for (std::uint32_t core = 0; core < all; ++core)
    shape.cores.push_back({core / of_socket, core / each, core % of_socket});
  return shape;
}

HostShape read_host_shape(std::string_view text, const std::string& file) {
  return HwlocReader(text, file).run();
}

}  // namespace unknot::place
