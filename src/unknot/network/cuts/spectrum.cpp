// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/cuts/spectrum.hpp"

#include <Spectra/SymEigsSolver.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "unknot/network/connectivity.hpp"
#include "unknot/network/cuts/local_cut.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using Vector = Eigen::VectorXd;

constexpr double kTolerance = 1e-9;
constexpr double kGivenAway = 1e-6;
constexpr Eigen::Index kMostVectors = 60;
constexpr Eigen::Index kMostRestarts = 300;

Vector random_start(Eigen::Index size, std::uint64_t seed) {
  Random random(seed);
  Vector start(size);
  for (double& value : start) value = random.unit() - 0.5;
  return start;
}

/// y = A x; channels of both directions are counted, so a cable is two.
struct Adjacency {
  using Scalar = double;
  const CutGraph& graph;
  [[nodiscard]] Eigen::Index rows() const { return static_cast<Eigen::Index>(graph.weight.size()); }
  [[nodiscard]] Eigen::Index cols() const { return rows(); }
  void perform_op(const double* x, double* y) const {
    for (std::uint32_t r = 0; r < graph.weight.size(); ++r) {
      double sum = 0;
      for (const CutGraph::Neighbour& to : graph.at(r)) sum += to.channels * x[to.router];
      y[r] = sum / 2;
    }
  }
};

/// Solves L z = b for the Laplacian of a connected graph, sum of b = 0, by conjugate gradients with the
/// degrees as preconditioner. False where it does not converge.
class LaplacianSolver {
 public:
  explicit LaplacianSolver(const CutGraph& graph) : adjacency_{graph}, degree_(adjacency_.rows()) {
    const Vector ones = Vector::Ones(adjacency_.rows());
    adjacency_.perform_op(ones.data(), degree_.data());
  }
  bool solve(const Vector& b, Vector& z) const {
    z.setZero(b.size());
    const double wanted = 1e-12 * b.norm();
    if (wanted == 0) return true;
    Vector residual = b;
    Vector scaled = residual.cwiseQuotient(degree_);
    Vector direction = scaled;
    Vector image(b.size());
    double along = residual.dot(scaled);
    for (Eigen::Index step = 0; step < 20 * b.size() + 1000; ++step) {
      adjacency_.perform_op(direction.data(), image.data());
      image = degree_.cwiseProduct(direction) - image;
      const double length = along / direction.dot(image);
      z += length * direction;
      residual -= length * image;
      residual.array() -= residual.mean();
      if (residual.norm() <= wanted) return true;
      scaled = residual.cwiseQuotient(degree_);
      const double next = residual.dot(scaled);
      direction = scaled + next / along * direction;
      along = next;
    }
    return false;
  }

 private:
  Adjacency adjacency_;
  Vector degree_;
};

/// y = P W^(1/2) L^+ W^(1/2) P x over the carriers, where P takes out the part along the square roots of
/// their weights: the inverse of the Laplacian form over vectors balanced on the terminals.
struct InverseForm {
  using Scalar = double;
  const LaplacianSolver& solver;
  const std::vector<std::uint32_t>& carriers;
  const Vector& root;  // square roots of the carriers' weights, scaled to length 1
  Eigen::Index routers;
  bool* failed;
  [[nodiscard]] Eigen::Index rows() const { return static_cast<Eigen::Index>(carriers.size()); }
  [[nodiscard]] Eigen::Index cols() const { return rows(); }
  void perform_op(const double* x, double* y) const {
    const Eigen::Map<const Vector> in(x, rows());
    Eigen::Map<Vector> out(y, rows());
    Vector balanced = in - root.dot(in) * root;
    Vector right = Vector::Zero(routers);
    for (Eigen::Index i = 0; i < rows(); ++i)
      right[carriers[static_cast<std::size_t>(i)]] = root[i] * balanced[i];
    right.array() -= right.mean();
    Vector solved;
    if (!solver.solve(right, solved)) *failed = true;
    for (Eigen::Index i = 0; i < rows(); ++i)
      balanced[i] = root[i] * solved[carriers[static_cast<std::size_t>(i)]];
    out = balanced - root.dot(balanced) * root;
  }
};

/// Cables, where each joins a router with terminals and one without; 0 where some do not.
double cables_of_two_levels(const CutGraph& graph) {
  double ends = 0;
  for (std::uint32_t r = 0; r < graph.weight.size(); ++r) {
    for (const CutGraph::Neighbour& to : graph.at(r)) {
      if ((graph.weight[r] > 0) == (graph.weight[to.router] > 0)) return 0;
      ends += to.channels;
    }
  }
  return ends / 4;  // seen from both routers, a channel each way
}

template <class Operation>
bool eigenvalues(const Operation& operation, Eigen::Index count, Spectra::SortRule which, std::uint64_t seed,
                 Vector& values) {
  Operation copy = operation;
  const Eigen::Index vectors = std::min(copy.rows(), std::max<Eigen::Index>(kMostVectors, 2 * count + 1));
  if (count >= vectors) return false;
  Spectra::SymEigsSolver<Operation> solver(copy, count, vectors);
  const Vector start = random_start(copy.rows(), seed);
  solver.init(start.data());
  solver.compute(which, kMostRestarts, kTolerance);
  values = solver.eigenvalues();
  return solver.info() == Spectra::CompInfo::Successful;
}

}  // namespace

std::optional<AdjacencySpectrum> adjacency_spectrum(const Network& network, const SpectrumOptions& options) {
  if (network.router_count() < 3 || network.channel_count() > options.max_channels) return std::nullopt;
  const CutGraph graph(network);
  const Adjacency adjacency{graph};
  Vector top;
  Vector bottom;
  if (!eigenvalues(adjacency, 2, Spectra::SortRule::LargestAlge, options.seed, top) ||
      !eigenvalues(adjacency, 1, Spectra::SortRule::SmallestAlge, options.seed, bottom))
    return std::nullopt;
  return AdjacencySpectrum{top[0], top[1], bottom[0]};
}

std::optional<SpectralCutBound> spectral_cut_bound(const Network& network, const SpectrumOptions& options) {
  if (network.channel_count() > options.max_channels || network.router_count() < 2 ||
      strongly_connected_parts(network).count != 1)
    return std::nullopt;
  const CutGraph graph(network);
  std::vector<std::uint32_t> carriers;
  for (std::uint32_t r = 0; r < graph.weight.size(); ++r) {
    if (graph.weight[r] > 0) carriers.push_back(r);
  }
  if (carriers.size() < 3) return std::nullopt;
  Vector root(static_cast<Eigen::Index>(carriers.size()));
  for (Eigen::Index i = 0; i < root.size(); ++i)
    root[i] = std::sqrt(graph.weight[carriers[static_cast<std::size_t>(i)]]);
  const double scale = root.norm();  // its square: all weight
  root /= scale;
  const LaplacianSolver solver(graph);
  bool failed = false;
  const InverseForm form{solver, carriers, root, static_cast<Eigen::Index>(graph.weight.size()), &failed};
  Vector values;
  if (!eigenvalues(form, 1, Spectra::SortRule::LargestAlge, options.seed, values) || failed || values[0] <= 0)
    return std::nullopt;
  // With roots of length 1 the form of a +-1 vector balanced on the terminals is four times its cut, and the
  // vector has length 1. Halves that differ by up to one router's weight are that much off balance.
  const auto total = static_cast<double>(graph.total_weight);
  const double off = graph.max_weight / total;
  double least = (1 - kGivenAway) / values[0] * (1 - off * off) / 4;
  if (const double cables = cables_of_two_levels(graph); cables > 0) {
    // An upper router of d cables is on one side, it has no value between. With s the sum of the sides (+-1)
    // below it, it cuts (d - |s|) / 2, where the form had (d - s^2 / d) / 4. By Cauchy and Schwarz the sum of
    // |s| is at most the root of (sum of d) (sum of s^2 / d).
    least = (cables - std::sqrt(cables * std::max(0.0, cables - 4 * least))) / 2;
  }
  SpectralCutBound bound;
  bound.cut = std::ceil(2 * least) / 2;
  bound.per_terminal = bound.cut / (total / 2);
  return bound;
}

}  // namespace unknot
