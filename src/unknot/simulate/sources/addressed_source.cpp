// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/addressed_source.hpp"

#include <cstddef>

#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint64_t kOwnStream = 0x61646472;  // not the draws of the source that it wraps

}  // namespace

AddressedSource::AddressedSource(Source& hosts, std::uint32_t count, std::uint32_t addresses,
                                 AddressChoice choice, std::uint64_t seed)
    : hosts_(hosts),
      count_(count),
      addresses_(addresses),
      choice_(choice),
      seed_(seed),
      random_(count),
      turn_(count, 0) {
  for (std::uint32_t host = 0; host < count; ++host) random_[host] = TerminalRandom(seed ^ kOwnStream, host);
  if (choice != AddressChoice::least) return;
  if (!fits_least(count, addresses))
    throw InputError("simulate: --address least counts packets by pair and address, and there are too many");
  on_the_way_.assign(std::size_t{count} * count * addresses, 0);
}

bool AddressedSource::next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) {
  if (terminal % addresses_ != 0) return false;
  const std::uint32_t host = terminal / addresses_;
  if (!hosts_.next(host, cycle, packet)) return false;
  const std::uint32_t destination = packet.destination;
  const std::uint32_t taken = rank(host, destination);
  packet.destination = destination * addresses_ + taken;
  if (choice_ == AddressChoice::least) {
    packet.message = (host * count_ + destination) * addresses_ + taken;
    ++on_the_way_[packet.message];
  }
  return true;
}

std::uint32_t AddressedSource::rank(std::uint32_t host, std::uint32_t destination) {
  switch (choice_) {
    case AddressChoice::random:
    case AddressChoice::queues:
      return random_[host].below(addresses_);
    case AddressChoice::turn:
      return turn_[host]++ % addresses_;
    case AddressChoice::flow: {
      const auto pair = static_cast<std::uint32_t>(std::uint64_t{host} * count_ + destination);
      return TerminalRandom(seed_ ^ kOwnStream, pair).below(addresses_);
    }
    case AddressChoice::least:
      break;
  }
  // Of equals the next in turn.
  const std::uint16_t* const counts =
      on_the_way_.data() + (std::size_t{host} * count_ + destination) * addresses_;
  const std::uint32_t first = turn_[host]++ % addresses_;
  std::uint32_t best = first;
  for (std::uint32_t i = 1; i < addresses_; ++i) {
    const std::uint32_t other = (first + i) % addresses_;
    if (counts[other] < counts[best]) best = other;
  }
  return best;
}

}  // namespace unknot::simulate
