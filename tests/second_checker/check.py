#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `unknot` with the second checker on random cases: check.py --program build/release/unknot [--cases N | --seconds S]."""

import argparse
import os
import sys
import time
from multiprocessing import Pool

import comparing


def one(work):
    program, kind, seed, keep = work
    try:
        return kind, seed, comparing.check(program, kind, seed, keep and os.path.join(keep, f"{kind}-{seed}"))
    except Exception as error:  # a case that breaks the checker is a finding too
        import traceback
        return kind, seed, ["the second checker: " + traceback.format_exc()]


def work(options):
    start = time.monotonic()
    kinds = options.kind or list(comparing.MAKERS)
    number = 0
    while options.seconds is None and number < options.cases or \
            options.seconds is not None and time.monotonic() - start < options.seconds:
        yield options.program, kinds[number % len(kinds)], options.seed + number, options.keep
        number += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=list(comparing.MAKERS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="folder for the files of cases that differ")
    options = parser.parse_args()
    count = different = 0
    with Pool(options.jobs) as pool:
        for kind, seed, found in pool.imap_unordered(one, work(options)):
            count += 1
            if found:
                different += 1
                print(f"{kind} {seed}: " + "; ".join(found), flush=True)
    print(f"{count} cases, {different} of them different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
