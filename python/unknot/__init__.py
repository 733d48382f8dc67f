# SPDX-License-Identifier: Apache-2.0
"""Unknot: routing, proofs, simulation and schedules for interconnection networks.

    import unknot
    network = unknot.network("torus:6x6,p=2")
    routing = unknot.route(network, "dfsssp")
    assert unknot.verify(routing)

Numbers of routers, terminals and channels count from 0, as in the rest of unknot. Functions that may take long take
`progress`, a function of (phase, done, total); Ctrl-C ends them. Bad input raises InputError, a ValueError; an engine's "no"
raises RoutingFailure. unknot.commands has every command of the command line as a function.
"""

import importlib
from typing import Any

from . import _manners
from ._unknot import *  # noqa: F401,F403
from ._unknot import __version__  # noqa: F401
from .graphs import from_networkx, to_networkx  # noqa: F401

_manners.install()


def __getattr__(name: str) -> Any:
    # Made of the whole command line: only for those who ask for it.
    if name == "commands":
        return importlib.import_module(".commands", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
