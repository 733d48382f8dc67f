// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/group.hpp"

#include <fmt/format.h>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

std::uint32_t random_divisor(std::uint32_t number, Random& random) {
  std::vector<std::uint32_t> divisors;
  for (std::uint32_t d = 1; d <= number; ++d) {
    if (number % d == 0) divisors.push_back(d);
  }
  return divisors[random.below(static_cast<std::uint32_t>(divisors.size()))];
}

std::uint32_t power_modulo(std::uint64_t base, std::uint32_t exponent, std::uint32_t modulus) {
  std::uint64_t result = 1 % modulus;
  for (; exponent != 0; exponent /= 2, base = base * base % modulus) {
    if (exponent % 2 == 1) result = result * base % modulus;
  }
  return static_cast<std::uint32_t>(result);
}

}  // namespace

SearchGroup::SearchGroup(std::uint32_t m, std::uint32_t k, std::uint32_t r, std::uint32_t s, std::uint32_t t)
    : m_(m), k_(k), r_(r), s_(s), t_(t) {
  const auto refuse = [&] {
    throw InputError(fmt::format("no group has m = {}, k = {}, r = {}, s = {}, t = {}", m, k, r, s, t));
  };
  if (m == 0 || k == 0 || t == 0 || std::uint64_t{m} * k > 1U << 20U) refuse();
  if (std::uint64_t{m} * k * t > 1U << 20U || power_modulo(r % m, k, m) != 1 % m) refuse();
  if (std::uint64_t{s} * (r + m - 1) % m != 0) refuse();
  r_ = r % m;
  s_ = s % m;
  power_.resize(k);
  for (std::uint32_t j = 0; j < k; ++j) power_[j] = power_modulo(r_, j, m);
  inverse_.resize(order());
  for (std::uint32_t x = 0; x < order(); ++x) {
    // (a^i b^j)^-1 is a^l b^(k-j) for some l: where the product with l = 0 ends tells how far a must turn
    // back
    const std::uint32_t z = (t_ - x / (m_ * k_)) % t_;
    const std::uint32_t j = (k_ - x % (m_ * k_) / m_) % k_;
    const std::uint32_t almost = (z * k_ + j) * m_;
    inverse_[x] = product(almost, (m_ - product(x, almost) % m_) % m_);
    if (x != 0 && inverse_[x] == x) involutions_.push_back(x);
  }
}

std::string SearchGroup::name() const {
  std::string text;
  if (k_ == 1) {
    text = fmt::format("Z_{}", m_);
  } else if (r_ == 1 % m_ && s_ == 0) {
    text = m_ == 1 ? fmt::format("Z_{}", k_) : fmt::format("Z_{} x Z_{}", m_, k_);
  } else if (k_ == 2 && r_ == m_ - 1 && s_ == 0) {
    text = fmt::format("D_{}", m_);
  } else {
    text = fmt::format("<a, b: a^{} = 1, b^{} = a^{}, b a = a^{} b>", m_, k_, s_, r_);
  }
  return t_ == 1 ? text : fmt::format("{} x Z_{}", text, t_);
}

SearchGroup random_group(std::uint32_t order, Random& random) {
  const std::uint32_t t = random.below(2) == 0 ? 1 : random_divisor(order, random);
  const std::uint32_t k = random_divisor(order / t, random);
  const std::uint32_t m = order / t / k;
  std::vector<std::uint32_t> fitting;
  for (std::uint32_t r = 0; r < m; ++r) {
    if (power_modulo(r, k, m) == 1 % m) fitting.push_back(r);
  }
  const std::uint32_t r = fitting[random.below(static_cast<std::uint32_t>(fitting.size()))];
  fitting.clear();
  for (std::uint32_t s = 0; s < m; ++s) {
    if (std::uint64_t{s} * (r + m - 1) % m == 0) fitting.push_back(s);
  }
  const std::uint32_t s =
      random.below(2) == 0 ? 0 : fitting[random.below(static_cast<std::uint32_t>(fitting.size()))];
  return {m, k, r, s, t};
}

}  // namespace unknot
