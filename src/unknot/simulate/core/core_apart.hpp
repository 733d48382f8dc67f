// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocation in other ways than the core's own: by age, and by allocators with a name. See core.hpp.
#include <algorithm>
#include <bit>

#include "unknot/simulate/core/core.hpp"

namespace unknot::simulate {

/// Visits the ports of a set, router by router: `note(router, port)` for each, and after the last one of a
/// router `settle(router)`.
template <class Shape, Mode kMode>
template <class Ports, class Note, class Settle>
void Core<Shape, kMode>::by_router(const Ports& active, std::uint32_t first_port, std::uint32_t last_port,
                                   const Note& note, const Settle& settle) {
  std::uint32_t router = kNobody;
  active.for_each_in(first_port, last_port, [&](std::uint32_t port) {
    const std::uint32_t own = routers_.router_of(port);
    if (router != kNobody && own != router) settle(router);
    router = own;
    note(router, port);
  });
  if (router != kNobody) settle(router);
}

/// Offers outputs to inputs by age: packets take what older ones have left.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::offer_by_age([[maybe_unused]] std::uint32_t first_port,
                                      [[maybe_unused]] std::uint32_t last_port) {
  if constexpr (kFull && !kWhole) {
    const auto note = [&](std::uint32_t router, std::uint32_t port) {
      const std::uint32_t first = routers_.first_port(router);
      Bits::for_each(routers_.wants_switch(port), words(), [&](std::uint32_t own) {
        const std::uint32_t created = front_created_[(first << shift()) + own];
        aged_.push_back({static_cast<std::uint32_t>(cycle_) - created, own, port - first});
      });
    };
    by_router(switch_active_, first_port, last_port, note, [&](std::uint32_t router) {
      const std::uint32_t first = routers_.first_port(router);
      std::stable_sort(aged_.begin(), aged_.end(),
                       [](const AgedWish& a, const AgedWish& b) { return a.age > b.age; });
      for (std::size_t i = 0; i < aged_.size(); ++i) {
        const AgedWish wish = aged_[i];
        const std::uint32_t input = wish.own >> shift();
        const bool taken = std::any_of(
            aged_.begin(), aged_.begin() + static_cast<std::ptrdiff_t>(i), [&](const AgedWish& other) {
              return other.age == kNobody && (other.own >> shift() == input || other.place == wish.place);
            });
        if (taken) continue;
        aged_[i].age = kNobody;  // it is given both
        routers_.in_port(first + input).preferred_lane = static_cast<std::uint8_t>(vc_of(wish.own));
        output_offers_.offer(first + input - first_port, wish.place);
      }
      aged_.clear();
    });
  }
}

/// Offers outputs to inputs by Settings::sw_allocator, router by router: to each input one.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::offer_by_name([[maybe_unused]] std::uint32_t first_port,
                                       [[maybe_unused]] std::uint32_t last_port) {
  if constexpr (kFull && !kWhole) {
    const auto note = [&](std::uint32_t router, std::uint32_t port) {
      std::uint32_t before = kNobody;
      Bits::for_each(routers_.wants_switch(port), words(), [&](std::uint32_t own) {
        if (own >> shift() == before) return;
        before = own >> shift();
        switch_requests_.add(before, port - routers_.first_port(router));
      });
    };
    by_router(switch_active_, first_port, last_port, note, [&](std::uint32_t router) {
      const std::uint32_t first = routers_.first_port(router);
      const std::vector<std::uint32_t>& given = switch_allocator_->match(router, switch_requests_);
      for (std::uint32_t input = 0; input < given.size(); ++input) {
        if (given[input] != SwitchAllocator::kNone)
          output_offers_.offer(first + input - first_port, given[input]);
      }
      switch_requests_.clear();
    });
  }
}

/// Offers that are not those of the core itself. Apart, so that those are as quick as without them.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::offer_apart(std::uint32_t first_port, std::uint32_t last_port) {
  if (by_age_) {
    offer_by_age(first_port, last_port);
  } else {
    offer_by_name(first_port, last_port);
  }
}

/// Lanes of outputs by Settings::vc_allocator, router by router: to each input lane one of those that it asks
/// for and may have.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::give_lanes_by_name([[maybe_unused]] std::uint32_t first_port,
                                            [[maybe_unused]] std::uint32_t last_port) {
  if constexpr (kFull && !kWhole) {
    const int need = whole_packets_ ? static_cast<int>(settings_.packet_flits) : 0;
    const auto note = [&](std::uint32_t router, std::uint32_t port) {
      const std::uint32_t place = port - routers_.first_port(router);
      bool asked = false;
      for (std::uint32_t rest = routers_.out_port(port).free; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint32_t out_lane = (port << shift()) | vc;
        if (routers_.out_lane(out_lane).room < need) continue;
        Bits::for_each(may_have(out_lane), words(), [&](std::uint32_t own) {
          lane_requests_.add(own, (place << shift()) | vc);
          asked = true;
        });
      }
      // What asks later, or frees a lane, wakes the output again.
      if (!asked) lane_active_.clear(port);
    };
    by_router(lane_active_, first_port, last_port, note, [&](std::uint32_t router) {
      const std::uint32_t first = routers_.first_port(router);
      const std::vector<std::uint32_t>& given = lane_allocator_->match(router, lane_requests_);
      for (std::uint32_t own = 0; own < given.size(); ++own) {
        if (given[own] != SwitchAllocator::kNone)
          take_lane(first + (given[own] >> shift()), own, vc_of(given[own]));
      }
      lane_requests_.clear();
    });
  }
}

}  // namespace unknot::simulate
