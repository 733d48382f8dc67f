#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `unknot verify`, `unknot reroute --check-transition` and `unknot watch` with the second checker on random cases.

    compare.py --unknot build/release/unknot --cases 3000        what ctest runs
    compare.py --unknot build/release/unknot --seconds 3600      other cases, for an hour
    compare.py --unknot ... --kind watch --seed 17 --cases 1 --keep FOLDER   one case again, its files kept if it differs

Exit code 1 where an answer differs. A case depends on its kind and seed alone, and on what the engines of the program make.
"""

import argparse
import os
import sys
import time
import traceback
from collections import Counter
from multiprocessing import Pool

import differences


def one(work):
    options, kind, seed = work
    keep = options.keep and os.path.join(options.keep, f"{kind}-{seed}")
    try:
        return kind, seed, *differences.check(options.unknot, kind, seed, keep, not options.steps_alone)
    except Exception:  # a case that breaks the checker is to be looked at too
        return kind, seed, None, ["the second checker: " + traceback.format_exc()]


def batches(options):
    """Lists of cases until there are enough of them, or the time is up."""
    start = time.monotonic()
    kinds = options.kind or list(differences.MAKERS)
    done = 0
    while done < options.cases if options.seconds is None else time.monotonic() - start < options.seconds:
        size = 50 * options.jobs if options.seconds is not None else min(50 * options.jobs, options.cases - done)
        yield [(options, kinds[n % len(kinds)], options.seed + n) for n in range(done, done + size)]
        done += size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unknot", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seconds", type=float, help="instead of a number of cases")
    parser.add_argument("--seed", type=int, default=1, help="of the first case; the others count on")
    parser.add_argument("--kind", action="append", choices=list(differences.MAKERS), help="these alone, repeatable")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="folder for the files of cases that differ")
    parser.add_argument("--steps-alone", action="store_true", help="packets of earlier steps of a plan do not count")
    options = parser.parse_args()
    answers = Counter()
    different = 0
    with Pool(options.jobs) as pool:
        for batch in batches(options):
            for kind, seed, code, found in pool.imap_unordered(one, batch):
                answers[(kind, code)] += 1
                if found:
                    different += 1
                    print(f"{kind} {seed}: " + "; ".join(found), flush=True)
    for (kind, code), count in sorted(answers.items(), key=str):
        print(f"{kind}: {count} times exit code {code}")
    print(f"{answers.total()} cases, {different} of them different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
