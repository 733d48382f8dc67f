// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::cli {

/// What the certificate of someone else says about tables.
struct CertificateCheck {
  bool asked = false;
  bool holds = true;
  bool of_data_alone = false;  ///< though the tables have management
  std::string why;
};

/// The certificate in the file, of all traffic where `management` is not null, or of data alone. "": none.
/// InputError for a file that is none, or of another network.
CertificateCheck check_certificate_file(const Network& network, const Routing& routing,
                                        const ManagedRun* management, const std::string& path);

}  // namespace unknot::cli
