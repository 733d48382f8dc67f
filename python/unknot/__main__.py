# SPDX-License-Identifier: Apache-2.0
"""The command line: python3 -m unknot route torus:4x4 --engine dfsssp."""

import sys

from . import _unknot


def main() -> int:
    return _unknot._main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
