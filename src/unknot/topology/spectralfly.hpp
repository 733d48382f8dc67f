// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// SpectralFly: the Ramanujan graph of Lubotzky, Phillips and Sarnak for two odd primes p and q, q > 2
/// sqrt(p). Routers are the matrices of PGL(2,q), or of PSL(2,q) where p is a square modulo q: q (q^2 - 1) or
/// half as many; each has p + 1 cables, to its products with the p + 1 quaternions of norm p. Numbered
/// breadth-first from the identity. "p" is the prime here: "each" puts terminals on each router. [Lubotzky,
/// Phillips, Sarnak 1988; Davidoff, Sarnak, Valette 2003; Young et al. 2022]
Topology spectralfly_topology();

}  // namespace unknot
