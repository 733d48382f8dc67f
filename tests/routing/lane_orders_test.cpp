// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/lane_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "routing/lane_cover.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using Order = std::vector<std::uint32_t>;

/// What allowed() must be, from the orders alone.
std::vector<LaneOrders::Mask> allowed_by_order(const Network& network, const std::vector<Order>& orders) {
  std::vector<LaneOrders::Mask> allowed;
  std::vector<std::vector<std::uint32_t>> place;
  for (const Order& order : orders) {
    place.emplace_back(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place.back()[order[i]] = i;
  }
  for (const ChannelId a : network.channels()) {
    for (const ChannelId b : network.out(network.target(a))) {
      unsigned mask = 0;
      for (std::uint32_t lane = 0; lane < orders.size(); ++lane) {
        if (place[lane][a.value] < place[lane][b.value]) mask |= 1U << lane;
      }
      allowed.push_back(static_cast<LaneOrders::Mask>(mask));
    }
  }
  return allowed;
}

std::vector<Order> orders_of(const LaneOrders& orders) {
  std::vector<Order> all;
  for (std::uint32_t lane = 0; lane < orders.lanes(); ++lane) all.push_back(orders.order(lane));
  return all;
}

/// The orders as plain lists, and the same moves on them.
void move_in(Order& order, std::uint32_t channel, std::uint32_t other, bool before) {
  order.erase(std::find(order.begin(), order.end(), channel));
  const auto at = std::find(order.begin(), order.end(), other);
  order.insert(before ? at : at + 1, channel);
}

/// Moves and compares with the plain lists; takes the move back where `undo`.
void checked_move(const Network& network, LaneOrders& orders, std::vector<Order>& model, std::uint32_t lane,
                  std::uint32_t channel, std::uint32_t other, bool before, bool undo) {
  const std::vector<LaneOrders::Mask> old = orders.allowed();
  std::vector<LaneOrders::Flip> flips;
  const LaneOrders::Move move = orders.move(lane, channel, other, before, flips);
  std::vector<Order> moved = model;
  move_in(moved[lane], channel, other, before);
  ASSERT_EQ(orders_of(orders), moved);
  ASSERT_EQ(orders.allowed(), allowed_by_order(network, moved));

  // Each reported turn has changed as it says, and no other has.
  std::vector<LaneOrders::Mask> flipped = old;
  for (const LaneOrders::Flip& flip : flips) {
    ASSERT_EQ(network.target(ChannelId(flip.from)), network.source(ChannelId(flip.to)));
    const std::uint32_t turn =
        orders.first_turn(flip.from) + flip.to - network.out(network.source(ChannelId(flip.to))).first();
    ASSERT_EQ((orders.allowed(turn) >> lane & 1U) != 0, flip.allowed);
    flipped[turn] ^= static_cast<LaneOrders::Mask>(1U << lane);
  }
  ASSERT_EQ(orders.allowed(), flipped);

  if (!undo) {
    model = moved;
    return;
  }
  orders.undo(move, flips);
  ASSERT_EQ(orders_of(orders), model);
  ASSERT_EQ(orders.allowed(), old);
}

std::uint32_t other_than(std::uint32_t channel, std::uint32_t count, Random& random) {
  return (channel + 1 + random.below(count - 1)) % count;
}

TEST(LaneOrders, BeginInOrderOfChannelId) {
  for (const Network& network : test::small_networks()) {
    for (const std::uint32_t lanes : {1U, 3U, 16U}) {
      const LaneOrders orders(network, lanes);
      Order by_id(network.channel_count());
      std::iota(by_id.begin(), by_id.end(), 0);
      EXPECT_EQ(orders_of(orders), std::vector<Order>(lanes, by_id));
      EXPECT_EQ(orders.allowed(), allowed_by_order(network, orders_of(orders))) << network.description();
    }
  }
}

TEST(LaneOrders, SetOrderIsReadBack) {
  Random random(1);
  for (const Network& network : test::small_networks()) {
    LaneOrders orders(network, 4);
    std::vector<Order> wanted = orders_of(orders);
    for (int round = 0; round < 6; ++round) {
      const std::uint32_t lane = random.below(4);
      random.shuffle(wanted[lane]);
      orders.set_order(lane, wanted[lane]);
      EXPECT_EQ(orders_of(orders), wanted);
      EXPECT_EQ(orders.allowed(), allowed_by_order(network, wanted)) << network.description();
    }
  }
}

TEST(LaneOrders, MovesAndUndosAgreeWithPlainLists) {
  for (const Network& network : test::small_networks()) {
    Random random(2);
    LaneOrders orders(network, 3);
    std::vector<Order> model = orders_of(orders);
    for (int step = 0; step < 60; ++step) {
      const std::uint32_t channel = random.below(network.channel_count());
      const std::uint32_t other = other_than(channel, network.channel_count(), random);
      const std::uint32_t lane = random.below(3);
      checked_move(network, orders, model, lane, channel, other, random.below(2) == 0, random.below(3) == 0);
      if (HasFatalFailure()) FAIL() << network.description() << " at step " << step;
    }
  }
}

TEST(LaneOrders, MovesToOnePlaceNeverRunOutOfRoom) {
  // Each move to the same place halves the room that is left there: it is used up several times.
  const Network network = make_network("torus:3x3");
  for (const bool before : {false, true}) {
    for (const std::uint32_t place : {0U, 17U, network.channel_count() - 1}) {
      Random random(place);
      LaneOrders orders(network, 2);
      std::vector<Order> model = orders_of(orders);
      for (int step = 0; step < 150; ++step) {
        const std::uint32_t channel = other_than(place, network.channel_count(), random);
        checked_move(network, orders, model, 1, channel, place, before, step % 4 == 3);
        if (HasFatalFailure()) FAIL() << "at step " << step;
      }
    }
  }
}

TEST(LaneOrders, AMoveThatMakesRoomIsTakenBackAsWell) {
  // Whichever move it is that finds no room.
  const Network network = make_network("torus:3x3");
  for (std::uint32_t moves = 0; moves < 80; ++moves) {
    Random random(moves);
    LaneOrders orders(network, 1);
    std::vector<LaneOrders::Flip> flips;
    for (std::uint32_t i = 0; i < moves; ++i) (void)orders.move(0, i % 2 == 0 ? 20 : 30, 5, false, flips);
    std::vector<Order> model = orders_of(orders);
    checked_move(network, orders, model, 0, moves % 2 == 0 ? 20 : 30, 5, false, true);
    if (HasFatalFailure()) FAIL() << "after " << moves << " moves";
    // Orders remain fit for more.
    for (int i = 0; i < 5; ++i) {
      const std::uint32_t channel = random.below(network.channel_count());
      checked_move(network, orders, model, 0, channel, other_than(channel, network.channel_count(), random),
                   random.below(2) == 0, false);
      if (HasFatalFailure()) FAIL() << "after " << moves << " moves";
    }
  }
}

TEST(LaneOrders, UnrestrictedAllowsEveryTurn) {
  for (const Network& network : test::small_networks()) {
    const LaneOrders any = LaneOrders::unrestricted(network);
    EXPECT_EQ(any.lanes(), 1U);
    std::size_t turns = 0;
    for (const ChannelId c : network.channels()) turns += network.out(network.target(c)).size();
    EXPECT_EQ(any.allowed(), std::vector<LaneOrders::Mask>(turns, 1)) << network.description();
  }
}

}  // namespace
}  // namespace unknot
