# SPDX-License-Identifier: Apache-2.0
"""What the programs beside this file share: where BookSim2 is, and its words for the preset `booksim`."""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "release")
ROUTER = ("router=iq num_vcs=4 vc_buf_size=8 wait_for_tail_credit=0 vc_allocator=islip sw_allocator=islip alloc_iters=1 "
          "routing_delay=1 vc_alloc_delay=1 sw_alloc_delay=1 st_final_delay=1 credit_delay=1 internal_speedup=1.0 "
          "injection_process=bernoulli injection_rate_uses_flits=1 use_noc_latency=0 traffic=uniform packet_size=1 "
          "latency_thres=2000.0").split()


def refuse(text):
    """Ends with exit code 2, as 1 means that something has been found."""
    print("%s: %s" % (os.path.basename(sys.argv[0]), text), file=sys.stderr)
    sys.exit(2)


def program():
    booksim = os.environ.get("BOOKSIM")
    if not booksim or not os.access(booksim, os.X_OK):
        refuse("set BOOKSIM to a BookSim2 program")
    return booksim


def write_config(file, words):
    """Words that come later win over those of ROUTER."""
    with open(file, "w") as out:
        out.write("".join(w.replace("=", " = ", 1) + ";\n" for w in ROUTER + words))


def write_anynet(unknot, fabric, folder):
    file = os.path.join(folder, re.sub(r"\W", "_", fabric) + ".anynet")
    subprocess.run([unknot, "topology", fabric, "--format", "anynet", "-o", file], check=True, capture_output=True)
    return file
