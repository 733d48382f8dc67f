// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/solve/galois_field.hpp"

#include <flint/flint.h>
#include <flint/nmod_poly.h>
#include <flint/ulong_extras.h>
#include <fmt/format.h>

#include <numeric>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// FLINT keeps tables of primes for each thread, and gives them back only when it is told that the thread
/// ends.
void clean_up_with_thread() {
  struct Tables {
    Tables() = default;
    ~Tables() { flint_cleanup(); }
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;
  };
  thread_local const Tables tables;
}

/// A polynomial modulo a prime, which FLINT wants cleared.
class Polynomial {
 public:
  explicit Polynomial(std::uint32_t prime) { nmod_poly_init(value_, prime); }
  Polynomial(std::uint32_t prime, std::uint64_t code) : Polynomial(prime) {
    for (slong i = 0; code != 0; ++i, code /= prime) nmod_poly_set_coeff_ui(value_, i, code % prime);
  }
  ~Polynomial() { nmod_poly_clear(value_); }
  Polynomial(const Polynomial&) = delete;
  Polynomial& operator=(const Polynomial&) = delete;

  [[nodiscard]] std::uint32_t code() const {
    std::uint64_t number = 0;
    for (slong i = nmod_poly_degree(value_); i >= 0; --i)
      number = number * value_->mod.n + nmod_poly_get_coeff_ui(value_, i);
    return static_cast<std::uint32_t>(number);
  }
  [[nodiscard]] bool irreducible() const { return nmod_poly_is_irreducible(value_) != 0; }
  void multiply(const Polynomial& by, const Polynomial& modulus) {
    nmod_poly_mulmod(value_, value_, by.value_, modulus.value_);
  }

 private:
  nmod_poly_t value_;
};

std::uint32_t smallest_irreducible(std::uint32_t order, std::uint32_t prime, std::uint32_t degree) {
  if (degree == 1) return order;  // x itself: polynomials modulo x are numbers
  for (std::uint32_t code = order;; ++code) {
    if (Polynomial(prime, code).irreducible()) return code;
  }
}

}  // namespace

bool is_prime(std::uint32_t number) {
  clean_up_with_thread();
  return number > 1 && n_is_prime(number) != 0;
}

PrimePower as_prime_power(std::uint32_t number) {
  if (number < 2) return {};
  clean_up_with_thread();
  n_factor_t factors;
  n_factor_init(&factors);
  n_factor(&factors, number, 1);
  if (factors.num != 1) return {};
  return {static_cast<std::uint32_t>(factors.p[0]), static_cast<std::uint32_t>(factors.exp[0])};
}

GaloisField::GaloisField(std::uint32_t order) : order_(order) {
  const PrimePower power = as_prime_power(order);
  if (!power || order > kMostElements) {
    throw InputError(
        fmt::format("there is no finite field of {} elements here: a prime power of at most {} is needed",
                    order, kMostElements));
  }
  characteristic_ = power.prime;
  degree_ = power.exponent;
  modulus_ = smallest_irreducible(order, characteristic_, degree_);
  const Polynomial modulus(characteristic_, modulus_);
  power_.assign(order - 1, 1);
  log_.assign(order, 0);
  for (std::uint32_t candidate = order == 2 ? 1 : 2;; ++candidate) {
    const std::uint64_t prime = characteristic_;
    const Polynomial step(characteristic_, candidate);
    Polynomial element(characteristic_, 1);
    std::uint32_t value = 1;
    std::uint32_t count = 0;
    do {
      power_[count] = value;
      log_[value] = count++;
      if (degree_ == 1) {
        value = static_cast<std::uint32_t>(std::uint64_t{value} * candidate % prime);
      } else {
        element.multiply(step, modulus);
        value = element.code();
      }
    } while (value != 1);
    if (count == order - 1) return;
  }
}

bool GaloisField::is_primitive(std::uint32_t element) const {
  return element != 0 && element < order_ &&
         std::gcd<std::uint64_t, std::uint64_t>(log_[element], order_ - 1) == 1;
}

std::uint32_t GaloisField::add(std::uint32_t a, std::uint32_t b) const {
  if (degree_ == 1) return static_cast<std::uint32_t>((std::uint64_t{a} + b) % order_);
  if (characteristic_ == 2) return a ^ b;
  std::uint32_t sum = 0;
  for (std::uint32_t place = 1; place < order_; place *= characteristic_) {
    sum += (a / place + b / place) % characteristic_ * place;
  }
  return sum;
}

std::uint32_t GaloisField::subtract(std::uint32_t a, std::uint32_t b) const {
  if (degree_ == 1) return a >= b ? a - b : a + order_ - b;
  if (characteristic_ == 2) return a ^ b;
  std::uint32_t difference = 0;
  for (std::uint32_t place = 1; place < order_; place *= characteristic_) {
    difference += (a / place % characteristic_ + characteristic_ - b / place % characteristic_) %
                  characteristic_ * place;
  }
  return difference;
}

std::uint32_t GaloisField::power(std::uint32_t a, std::uint64_t exponent) const {
  if (exponent == 0) return 1;
  if (a == 0) return 0;
  return power_[log_[a] * (exponent % power_.size()) % power_.size()];
}

}  // namespace unknot
