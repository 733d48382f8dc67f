// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/collective/msccl/msccl_execution.hpp"

namespace unknot::msccl {
namespace {

class Promise {
 public:
  Promise(const Program& program, const Layout& layout, const Execution& execution)
      : program_(program),
        layout_(layout),
        execution_(execution),
        ranks_(static_cast<std::uint32_t>(program.gpus.size())),
        size_(layout.output_size().value_or(0)) {}

  std::optional<Fault> run() const {
    const std::uint32_t chunks = program_.chunks_per_loop;
    const std::uint32_t share = chunks / ranks_;
    switch (program_.collective) {
      case Collective::allreduce:
        return everywhere([&](std::uint32_t, std::uint32_t k) { return sum(k); });
      case Collective::allgather:
        return everywhere([&](std::uint32_t, std::uint32_t k) { return one(k / share, k % share); });
      case Collective::reduce_scatter:
        return everywhere([&](std::uint32_t rank, std::uint32_t k) { return sum(rank * share + k); });
      case Collective::all_to_all:
        return everywhere(
            [&](std::uint32_t rank, std::uint32_t k) { return one(k / share, rank * share + k % share); });
      case Collective::broadcast: {
        const std::uint32_t root = origin_of(0);
        return everywhere([&](std::uint32_t, std::uint32_t k) { return one(root, k); });
      }
      case Collective::scatter: {
        const std::uint32_t root = origin_of(0);
        return everywhere([&](std::uint32_t rank, std::uint32_t k) { return one(root, rank * chunks + k); });
      }
      case Collective::reduce:
        return somewhere([&](std::uint32_t, std::uint32_t k) { return sum(k); });
      case Collective::gather:
        return somewhere([&](std::uint32_t, std::uint32_t k) { return one(k / chunks, k % chunks); });
      case Collective::all_to_all_v:
      case Collective::send:
      case Collective::receive:
        break;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Value output(std::uint32_t rank, std::uint32_t k) const {
    return execution_.at(layout_, rank, layout_.location(rank, Buffer::output, k));
  }
  static Value one(std::uint32_t rank, std::uint32_t chunk) { return {{Layout::input_id(rank, chunk)}}; }
  [[nodiscard]] Value sum(std::uint32_t chunk) const {
    Value all;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) all.terms.push_back(Layout::input_id(rank, chunk));
    return all;
  }
  /// The root, as the output of a rank shows it.
  [[nodiscard]] std::uint32_t origin_of(std::uint32_t rank) const {
    const Value value = output(rank, 0);
    return value.terms.empty() ? 0 : Layout::rank_of(value.terms[0]);
  }

  template <class Expected>
  [[nodiscard]] std::optional<Fault> at(std::uint32_t rank, Expected expected) const {
    for (std::uint32_t k = 0; k < size_; ++k) {
      const Value found = output(rank, k);
      const Value wanted = expected(rank, k);
      if (found == wanted) continue;
      return Fault{program_.gpus[rank].line,
                   fmt::format("at the end chunk {} of the output of GPU {} holds {}, not {}{}", k, rank,
                               told(found), told(wanted), layout_.in_place() ? ", used in place" : "")};
    }
    return std::nullopt;
  }
  template <class Expected>
  [[nodiscard]] std::optional<Fault> everywhere(Expected expected) const {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (auto fault = at(rank, expected)) return fault;
    }
    return std::nullopt;
  }
  /// On one GPU, the root. Without: what is wrong where most outputs were to be expected, with an output.
  template <class Expected>
  [[nodiscard]] std::optional<Fault> somewhere(Expected expected) const {
    std::optional<Fault> first;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      auto fault = at(rank, expected);
      if (!fault) return std::nullopt;
      if (!first && (program_.gpus[rank].chunks[1] > 0 || rank + 1 == ranks_)) first = std::move(fault);
    }
    return first;
  }

  static std::string told(const Value& value) {
    if (value.terms.empty()) return "nothing";
    std::string text;
    for (std::size_t i = 0; i < value.terms.size(); ++i) {
      if (i == 3 && value.terms.size() > 4) {
        text += fmt::format(" and {} others", value.terms.size() - 3);
        break;
      }
      text += fmt::format("{}chunk {} of GPU {}", i == 0 ? "" : " + ", Layout::chunk_of(value.terms[i]),
                          Layout::rank_of(value.terms[i]));
    }
    return text + (value.spoilt ? " (some of them twice)" : "");
  }

  const Program& program_;
  const Layout& layout_;
  const Execution& execution_;
  std::uint32_t ranks_, size_;
};

}  // namespace

std::optional<Fault> find_broken_promise(const Program& program, const Layout& layout,
                                         const Execution& execution) {
  return Promise(program, layout, execution).run();
}

}  // namespace unknot::msccl
