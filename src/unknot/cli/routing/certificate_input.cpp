// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/certificate_input.hpp"

#include <cstdint>

#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::cli {
namespace {

CertificateCheck check(const Network& network, const Routing& routing, const Certificate& certificate) {
  CertificateCheck result;
  result.asked = true;
  result.holds = check_certificate(network, routing, certificate, &result.why);
  return result;
}

}  // namespace

CertificateCheck check_certificate_file(const Network& network, const Routing& routing,
                                        const ManagedRun* management, const std::string& path) {
  if (path.empty()) return {};
  const std::string text = read_file(path);
  const std::uint64_t of = network_of_certificate(text, path);
  if (management != nullptr && of != network.fingerprint()) {
    return check(management->managed.network, management->result.routing,
                 parse_certificate(management->managed.network, text, path));
  }
  if (management == nullptr && of != network.fingerprint()) {
    // Its tables may have been for management, too: channels have the same numbers there.
    const Network managed = managed_network(network).network;
    if (of == managed.fingerprint()) {
      Certificate certificate = parse_certificate(managed, text, path);
      certificate.network_fingerprint = network.fingerprint();
      return check(network, routing, certificate);
    }
  }
  CertificateCheck result = check(network, routing, parse_certificate(network, text, path));
  result.of_data_alone = management != nullptr;
  return result;
}

}  // namespace unknot::cli
