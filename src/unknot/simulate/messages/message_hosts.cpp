// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/messages/message_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint64_t kAnswerStream = 0x6d736773;  // not the draws of the traffic
constexpr std::uint64_t kCaused = std::uint64_t{1} << 40U;

}  // namespace

MessageHosts::MessageHosts(const RoutePlan& plan, const Destinations& destinations, double load,
                           const Settings& settings, const Injection& injection)
    : plan_(*plan.messages),
      terminals_(plan.network.terminal_count()),
      flits_(settings.packet_flits),
      send_places_(settings.send_queue),
      service_(settings.service),
      queues_(std::size_t{terminals_} * plan_.networks),
      turn_(terminals_, 0),
      seen_(plan_.classes.size()) {
  for (std::uint32_t k = 0; k < plan_.classes.size(); ++k) {
    const MessageClass& c = plan_.classes[k];
    departs_.push_back(senders_to_others(c, terminals_));
    std::vector<std::uint32_t>& receivers = receivers_.emplace_back();
    for (std::uint32_t t = 0; t < terminals_; ++t) {
      if (c.receives(TerminalId(t))) receivers.push_back(t);
    }
    if (plan_.begins[k]) begins_.push_back(k);
  }
  for (std::uint32_t t = 0; t < terminals_; ++t) {
    random_.emplace_back(settings.seed ^ kAnswerStream, t);
    for (std::uint32_t k = 0; k < plan_.classes.size(); ++k) {
      std::array<std::uint32_t, kMostVirtualNetworks> wanted{};
      for (const std::uint32_t caused : caused_at(k, t)) {
        if (++wanted[plan_.classes[caused].network] <= send_places_) continue;
        throw InputError(
            fmt::format("simulate: a {} causes more messages on one virtual network than a send queue of {} "
                        "packet{} holds; set send_queue",
                        plan_.classes[k].name, send_places_, send_places_ == 1 ? "" : "s"));
      }
    }
  }
  const double share = 1.0 / static_cast<double>(begins_.size());
  for (std::size_t f = 0; f < begins_.size(); ++f) {
    traffic_.push_back(make_traffic(injection, destinations, terminals_, load * share, flits_,
                                    settings.seed + (std::uint64_t{f} << 32U)));
    for (std::uint32_t t = 0; t < terminals_; ++t) {
      if (departs_[begins_[f]][t]) mean_share_ += share * destinations.share(t) / terminals_;
    }
  }
  beginners_.resize(terminals_ * begins_.size());
  for (std::uint32_t b = 0; b < beginners_.size(); ++b) {
    if (draw(b)) timers_.emplace(beginners_[b].next.created, b);
  }
}

std::vector<std::uint32_t> MessageHosts::caused_at(std::uint32_t message_class,
                                                   std::uint32_t terminal) const {
  std::vector<std::uint32_t> caused;
  for (const std::uint32_t k : plan_.classes[message_class].causes) {
    if (departs_[k][terminal]) caused.push_back(k);
  }
  return caused;
}

/// The next message that a beginner will create; false where there is none.
bool MessageHosts::draw(std::uint32_t beginner) {
  const auto of_terminal = static_cast<std::uint32_t>(begins_.size());
  const std::uint32_t t = beginner / of_terminal, f = beginner % of_terminal;
  Beginner& self = beginners_[beginner];
  self.more = departs_[begins_[f]][t] && traffic_[f]->next(t, 0, self.next);
  return self.more;
}

std::uint64_t MessageHosts::flits_to_begin(std::uint64_t from, std::uint64_t to) {
  std::uint64_t flits = 0;
  for (std::uint32_t b = 0; b < beginners_.size(); ++b) {
    for (const Beginner& self = beginners_[b]; self.more && self.next.created < to; (void)draw(b)) {
      if (self.next.created >= from) flits += self.next.flits;
    }
  }
  return flits;
}

/// Who gets a message of the class that would go to `wanted`.
std::uint32_t MessageHosts::receiver(std::uint32_t message_class, std::uint32_t sender,
                                     std::uint32_t wanted) {
  if (wanted != sender && plan_.classes[message_class].receives(TerminalId(wanted))) return wanted;
  const std::vector<std::uint32_t>& all = receivers_[message_class];
  const bool itself = plan_.classes[message_class].receives(TerminalId(sender));
  const std::uint32_t drawn =
      random_[sender].below(static_cast<std::uint32_t>(all.size()) - (itself ? 1U : 0U));
  // Those from itself on are one further.
  return all[drawn + (itself && all[drawn] >= sender ? 1U : 0U)];
}

/// A message that has a place in its send queue. Its word.
std::uint32_t MessageHosts::create(const Message& message) {
  if (spare_.empty()) {
    spare_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  const std::uint32_t number = spare_.back();
  spare_.pop_back();
  messages_[number] = message;
  messages_[number].live = true;
  if (in_window(message.begun) || in_window(message.created)) ++outstanding_;
  return (number << kNetworkBits) | plan_.classes[message.message_class].network;
}

/// It is there to be sent.
void MessageHosts::push(std::uint32_t word) {
  const std::uint32_t sender = sender_of(message(word).source, network_of(word));
  queues_[sender].send.push_back(word);
  engine_->wake(sender);
}

bool MessageHosts::next(std::uint32_t sender, std::uint64_t /*cycle*/, NewPacket& packet) {
  std::deque<std::uint32_t>& queue = queues_[sender].send;
  if (queue.empty()) return false;
  const Message& first = message(queue.front());
  packet = {first.created, first.destination, flits_, queue.front()};
  queue.pop_front();
  return true;
}

void MessageHosts::sent(std::uint32_t word, std::uint64_t cycle) {
  const std::uint32_t t = message(word).source, network = network_of(word);
  --queues_[sender_of(t, network)].taken;
  use_room(t, network, cycle);
}

/// There is room in a send queue: for what the messages cause that wait to be taken, and then for what the
/// host begins.
void MessageHosts::use_room(std::uint32_t t, std::uint32_t network, std::uint64_t cycle) {
  const std::uint32_t first = turn_[t]++;
  const auto of_terminal = static_cast<std::uint32_t>(begins_.size());
  for (std::uint32_t i = 0; i < plan_.networks; ++i) {
    while (take_first(t, (first + i) % plan_.networks, cycle)) {
    }
  }
  for (std::uint32_t i = 0; i < of_terminal; ++i) {
    const std::uint32_t f = (first + i) % of_terminal;
    if (plan_.classes[begins_[f]].network != network) continue;
    if (beginners_[t * of_terminal + f].waits) begin(t * of_terminal + f, cycle);
  }
}

/// Takes the first message of a receive queue, if there is one and room for what it causes.
bool MessageHosts::take_first(std::uint32_t t, std::uint32_t network, std::uint64_t cycle) {
  std::deque<std::uint32_t>& queue = queues_[sender_of(t, network)].received;
  if (queue.empty()) return false;
  const std::uint32_t word = queue.front();
  const Message cause = message(word);
  const std::vector<std::uint32_t> caused = caused_at(cause.message_class, t);
  std::array<std::uint32_t, kMostVirtualNetworks> wanted{};
  for (const std::uint32_t k : caused) {
    const std::uint32_t n = plan_.classes[k].network;
    if (++wanted[n] > room(sender_of(t, n))) return false;
  }
  queue.pop_front();
  messages_[word >> kNetworkBits].live = false;
  spare_.push_back(word >> kNetworkBits);
  engine_->take(t, network, flits_);
  for (const std::uint32_t k : caused) {
    ++queues_[sender_of(t, plan_.classes[k].network)].taken;
    const std::uint32_t answer = create({cycle + service_, cause.begun, t, receiver(k, t, cause.source), k});
    if (service_ == 0) {
      push(answer);
    } else {
      timers_.emplace(cycle + service_, kCaused + answer);
    }
  }
  if (in_window(cause.begun) || in_window(cause.created)) --outstanding_;
  return true;
}

/// The beginner's next message has been created: it, and those created since, go where there is room.
void MessageHosts::begin(std::uint32_t beginner, std::uint64_t cycle) {
  const auto of_terminal = static_cast<std::uint32_t>(begins_.size());
  const std::uint32_t t = beginner / of_terminal, k = begins_[beginner % of_terminal];
  Beginner& self = beginners_[beginner];
  Queues& queues = queues_[sender_of(t, plan_.classes[k].network)];
  self.waits = false;
  while (self.next.created <= cycle) {
    if (queues.taken == send_places_) {
      self.waits = true;
      return;
    }
    ++queues.taken;
    const std::uint64_t created = self.next.created;
    push(create({created, created, t, receiver(k, t, self.next.destination), k}));
    if (!draw(beginner)) return;
  }
  timers_.emplace(self.next.created, beginner);
}

void MessageHosts::advance(std::uint64_t cycle) {
  const Timer timer = timers_.top();
  timers_.pop();
  if (timer.second >= kCaused) {
    push(static_cast<std::uint32_t>(timer.second - kCaused));
  } else {
    begin(static_cast<std::uint32_t>(timer.second), cycle);
  }
}

void MessageHosts::arrived(std::uint32_t word, std::uint64_t cycle) {
  const Message& came = message(word);
  Seen& seen = seen_[came.message_class];
  if (in_window(cycle)) seen.flits += flits_;
  if (in_window(came.created)) seen.latency.add(cycle - came.created);
  if (in_window(came.begun) && !plan_.begins[came.message_class]) seen.trips.add(cycle - came.begun);
  const std::uint32_t t = came.destination, network = network_of(word);
  queues_[sender_of(t, network)].received.push_back(word);
  while (take_first(t, network, cycle)) {
  }
}

void MessageHosts::set_window(std::uint64_t from, std::uint64_t to) {
  from_ = from;
  to_ = to;
  seen_.assign(plan_.classes.size(), {});
  outstanding_ = 0;
  for (const Message& m : messages_) {
    if (m.live && (in_window(m.begun) || in_window(m.created))) ++outstanding_;
  }
}

std::uint64_t MessageHosts::accepted_flits() const {
  std::uint64_t flits = 0;
  for (const std::uint32_t k : begins_) flits += seen_[k].flits;
  return flits;
}

bool MessageHosts::measured_arrived() const {
  if (outstanding_ > 0) return false;
  return std::all_of(beginners_.begin(), beginners_.end(),
                     [&](const Beginner& b) { return !b.waits || b.next.created >= to_; });
}

std::vector<ClassReport> MessageHosts::report() const {
  std::vector<ClassReport> all;
  all.reserve(seen_.size());
  const double window = static_cast<double>(to_ - from_) * terminals_;
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    const Seen& seen = seen_[k];
    ClassReport& one = all.emplace_back();
    one.name = plan_.classes[k].name;
    one.network = plan_.classes[k].network;
    one.messages = seen.latency.count();
    one.accepted = window > 0 ? static_cast<double>(seen.flits) / window : 0;
    one.latency_mean = seen.latency.mean();
    one.latency_p99 = static_cast<double>(seen.latency.quantile(0.99));
    one.latency_max = static_cast<double>(seen.latency.max());
    one.trips = seen.trips.count();
    one.trip_mean = seen.trips.mean();
    one.trip_p99 = static_cast<double>(seen.trips.quantile(0.99));
    one.trip_max = static_cast<double>(seen.trips.max());
  }
  return all;
}

}  // namespace unknot::simulate
