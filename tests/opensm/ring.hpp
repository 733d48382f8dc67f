// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fabric.hpp"
#include "level_matrix.hpp"
#include "line_reader.hpp"
#include "plan.hpp"

namespace unknot::opensm {

/// A ring of switches with one adapter each, and files that fit it: port 1 goes clockwise, port 2 back, port
/// 3 to the adapter. In the files adapter i has LID 1 + i and switch i LID 101 + i.
class Ring {
 public:
  static constexpr std::uint64_t kSwitchGuid = 0x0002000000000000;
  static constexpr std::uint64_t kNodeGuid = 0x0001000000000000;

  explicit Ring(std::uint32_t size, std::uint16_t first_live_lid = 1) : size_(size), folder_(make_folder()) {
    for (std::uint32_t i = 0; i < size; ++i) {
      unknot_fabric_add_switch(&fabric, kSwitchGuid + i, fmt::format("s{}", i).c_str(),
                               static_cast<std::uint16_t>(first_live_lid + 100 + i), 1, 4);
      unknot_fabric_add_adapter(&fabric, kNodeGuid + 2 * i, kNodeGuid + 2 * i + 1,
                                fmt::format("h{} HCA-1", i).c_str(),
                                static_cast<std::uint16_t>(first_live_lid + i), 1);
    }
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t next = (i + 1) % size;
      unknot_fabric_link_switch(&fabric, static_cast<int>(i), 1, static_cast<int>(next), 2, 8);
      unknot_fabric_link_switch(&fabric, static_cast<int>(next), 2, static_cast<int>(i), 1, 8);
      unknot_fabric_link_adapter(&fabric, static_cast<int>(i), 3, static_cast<int>(i));
    }
  }
  ~Ring() { std::filesystem::remove_all(folder_); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  /// Shortest ways; clockwise where both are as short.
  [[nodiscard]] std::uint32_t port_towards(std::uint32_t from, std::uint32_t to) const {
    if (from == to) return 3;
    return (to + size_ - from) % size_ <= size_ / 2 ? 1 : 2;
  }

  [[nodiscard]] std::string tables(bool switches = true) const {
    std::string text;
    for (std::uint32_t s = 0; s < size_; ++s) {
      text += fmt::format("Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('s{}'):\n", 100 + size_,
                          101 + s, kSwitchGuid + s, s);
      for (std::uint32_t d = 0; d < size_; ++d) {
        text += fmt::format("0x{:04x} {:03} # Channel Adapter portguid 0x{:016x}: 'h{} HCA-1'\n", 1 + d,
                            port_towards(s, d), kNodeGuid + 2 * d + 1, d);
      }
      for (std::uint32_t d = 0; switches && d < size_; ++d) {
        text += fmt::format("0x{:04x} {:03} # Switch portguid 0x{:016x}: 's{}'\n", 101 + d,
                            s == d ? 0 : port_towards(s, d), kSwitchGuid + d, d);
      }
      text += fmt::format("{} lids dumped\n", 100 + size_);
    }
    return text;
  }

  /// A path that goes over the cable from the last switch to the first has level 1, all others 0.
  [[nodiscard]] std::uint32_t level(std::uint32_t from, std::uint32_t to) const {
    return port_towards(from, to) == 1 ? to < from : to > from;
  }

  [[nodiscard]] std::string levels(const std::function<std::uint64_t(std::uint32_t)>& guid =
                                       [](std::uint32_t i) { return kNodeGuid + 2 * i; }) const {
    std::string text;
    for (std::uint32_t a = 0; a < size_; ++a) {
      for (std::uint32_t b = 0; b < size_; ++b) {
        if (a != b) text += fmt::format("0x{:016x} {} {}\n", guid(a), 1 + b, level(a, b));
      }
    }
    return text;
  }

  /// The same, a row for each source.
  [[nodiscard]] std::string compact_levels() const {
    std::string text;
    for (std::uint32_t a = 0; a < size_; ++a) {
      text += fmt::format("0x{:016x}", kNodeGuid + 2 * a);
      for (std::uint32_t l = 0; l < 16; ++l) {
        std::string lids;
        for (std::uint32_t b = 0; b < size_; ++b) {
          if (a != b && level(a, b) == l) lids += fmt::format("{}{}", lids.empty() ? "" : ",", 1 + b);
        }
        if (!lids.empty()) text += fmt::format(" {}:{}", l, lids);
      }
      text += '\n';
    }
    return text;
  }

  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  /// The plan for these texts; no levels where `level_text` is null.
  [[nodiscard]] unknot_plan plan(const std::string& table_text, const std::string* level_text) const {
    set(options.tables, file("tables", table_text));
    set(options.lanes, level_text != nullptr ? file("levels", *level_text) : std::string());
    return make_plan(fabric, options, sl2vl);
  }
  [[nodiscard]] unknot_plan plan(const std::string& table_text, const std::string& level_text) const {
    return plan(table_text, &level_text);
  }
  /// What the plan is refused with; "" when it is not.
  [[nodiscard]] std::string refusal(const std::string& table_text, const std::string& level_text) const {
    try {
      (void)plan(table_text, &level_text);
    } catch (const Misfit& misfit) {
      return misfit.what();
    }
    return "";
  }

  unknot_fabric fabric;
  mutable unknot_options options{};
  unknot_sl2vl sl2vl{1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 7}};

 private:
  static std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "unknot-plan-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Misfit("no temporary folder");
    return name;
  }
  template <std::size_t N>
  static void set(char (&to)[N], const std::string& from) {
    ASSERT_LT(from.size(), N);
    from.copy(to, from.size());
    to[from.size()] = '\0';
  }

  std::uint32_t size_;
  std::filesystem::path folder_;
};

/// `text` with the first `from` replaced; fails where there is none.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) {
    ADD_FAILURE() << "nothing to change: " << from;
    return text;
  }
  return text.replace(at, from.size(), to);
}

}  // namespace unknot::opensm
