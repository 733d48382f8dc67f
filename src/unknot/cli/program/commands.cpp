// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/command/command.hpp"

namespace unknot::cli {
namespace {

const std::vector<Command>& other_commands() {
  static const std::vector<Command> rows = {
      {"design",
       "What each family of networks offers for routers of a radix, or for a number of endpoints",
       "Ports and links count those of the terminals. 'bisection' is the best cut known over half the "
       "terminals: by a\n"
       "formula, or with --measure found by search, beside a proven lower bound. Empty where nothing is "
       "known. "
       "jellyfish\n"
       "and xpander have the cost of a Slim Fly. Exit code 1: no family fits.",
       {"unknot design --radix 64", "unknot design --endpoints 40 --sort ports --max-diameter 2 --measure"},
       declare_design},
      {"bound",
       "Bound the throughput of a traffic pattern without simulating: by channel loads, or over all paths",
       "Load is in units of what the flows of the pattern weigh (1 each), channels have rate 1. Saturation: "
       "the rate at "
       "which\n"
       "the busiest sender can send; time: in which one message a flow can be delivered; effective "
       "throughput: what is\n"
       "delivered, over time and terminals. Minimal: evenly over all shortest paths; valiant: by a random "
       "router; "
       "--optimal:\n"
       "any paths, split anyhow (maximum concurrent flow), as what a flow reaches and what lengths prove to "
       "be "
       "unreachable,\n"
       "both checked by code that did not find them.\n\n"
       "--json: bounds [{routing, max_load, min_load, mean_load, saturation, worst_saturation, time, "
       "effective_throughput,\n"
       "busiest_channel, lost, delivered}], means over samples; optimal {method, saturation, time,\n"
       "effective_throughput and max_load as {lower, upper}, gap, rounds, imbalance}. Exit code 0: all pairs "
       "have a path;\n"
       "1: some have none.",
       {"unknot bound slimfly:q=5,p=4 --pattern worst-case",
        "unknot bound torus:4x4,p=2 --pattern tornado --optimal"},
       declare_bound},
      {"adversary",
       "Search the worst permutation of terminals for a routing, and prove it worst",
       "For a routing that does not look at the load, the worst permutation for one channel is a matching of "
       "largest "
       "weight;\n"
       "channels are taken in order of their bounds until none can be worse. The permutation is completed at "
       "random "
       "and its\n"
       "load is measured again by the code that measures any pattern.\n\n"
       "--json: routing, load, upper, exact, saturation, channel, channels_matched, flows, worst_flows,\n"
       "recomputed_load, lost_pairs. Exit code 0: proven to be the worst; 1: only bounds are known, or pairs "
       "have no path:\n"
       "then the saturation is 0.",
       {"unknot adversary slimfly:q=5,p=4 --paths minimal -o worst",
        "unknot adversary torus:4x4,p=2 --engine dfsssp"},
       declare_adversary},
      {"simulate",
       "Simulate a network flit by flit: latency and accepted load, completion of exchanges, deadlocks",
       "Latencies are in cycles (the time of a flit on a link), from the creation of a packet to the arrival "
       "of its "
       "last\n"
       "flit. The lanes that packets keep to are proven free of deadlock first; a routing that is not is "
       "simulated all\n"
       "the same. A deadlock is found while it is simulated, named, and ends the run. See "
       "docs/simulation.md.\n\n"
       "--json: points [{load, offered, accepted, latency_mean, latency_p99, hops_mean, saturated, deadlock, "
       "...}];\n"
       "workloads completion_time (cycles), completion_time_ns, effective_throughput; schedules "
       "completion_time, held_up,\n"
       "steps [{transfers, cycles, alone_cycles, held_up}]; transitions state, deadlock_step, "
       "lost_in_the_end, "
       "safe,\n"
       "steps [{step, begins, waited, arrived, lost}]. Exit code 0: done; 1: a deadlock, packets that were "
       "not\n"
       "delivered though the network keeps up, an exchange that did not complete, a message of a schedule "
       "that "
       "was\n"
       "held up, or packets lost when all steps of a transition are in force.",
       {"unknot simulate torus:4x4,p=2 --engine dfsssp --load 0.1:0.3:0.1 --set measure=1000",
        "unknot simulate slimfly:q=3,p=2 --paths ugal --lane-scheme hop --traffic worst-case --load 0.4 "
        "--set "
        "measure=1000",
        "unknot simulate torus:4x4,p=2 --engine dfsssp --workload all-to-all:bytes=64"},
       declare_simulate},
      {"watch",
       "Compares two dumps of a fabric: what changed, which routes that hurts, is it still free of deadlock",
       "Routers are the same by GUID, terminals by port GUID, cables by the ports at both ends; the dumps "
       "may be of "
       "different\n"
       "formats. With --old-tables the old routes are followed on the new fabric; --new-tables are checked "
       "there, "
       "alone and\n"
       "together with the old ones. For cron: see docs/watch.md.\n\n"
       "--json: hurts, changed, routers_gone, cables_gone, terminals_moved, ..., broken_pairs, "
       "old_tables_now, "
       "new_tables\n"
       "{complete, deadlock_free, channel_load, ...}. Exit code 0: nothing hurts; 1: something does, or can "
       "deadlock; 2: bad input.",
       {"unknot topology torus:4x4 -o old.json --format json",
        "unknot topology old.json -o new.json --format json", "unknot watch old.json new.json"},
       declare_watch},
      {"place",
       "Places ranks on hosts so that the busiest channel carries as little as can be found",
       "Loads are those of the tables in force: bytes of all pairs of ranks whose route takes a channel, "
       "terminals' "
       "cables\n"
       "included. Scotch's mapping and the ranks in order are where the search begins; what is found is "
       "measured "
       "again by\n"
       "the code that measures any flows, and is never worse than the ranks in order. See "
       "docs/placement.md.\n\n"
       "--json: placements [{placement, busiest_channel, mean_channel, busiest_cable, hop_bytes}], gain, "
       "lower_bound,\n"
       "attempts [{start, before, after}], host_of_rank. Exit code 0: done.",
       {"unknot place torus:4x4 --engine dfsssp --stencil 4x4:periodic --effort 0.01 -o ranks",
        "unknot place torus:4x4 --engine dfsssp --stencil 4x4:periodic --effort 0 --from ranks --flows flows",
        "unknot bound torus:4x4 --engine dfsssp --pattern file:flows"},
       declare_place},
      {"slurm-topology",
       "The tree of switches that Slurm's topology/tree wants, of any fabric, and how wrong it is",
       "Routers with terminals are the leaves; they are joined by mean distance. A tree of switches comes "
       "out as it is. "
       "Of\n"
       "other fabrics a tree cannot say all: the error is that of guessing the distance of two hosts by the "
       "level at "
       "which\n"
       "they meet. --check judges a topology.conf or topology.yaml by anyone. See docs/slurm.md. Exit code "
       "0: done.",
       {"unknot slurm-topology xgft:m=4x4,w=2x2,terminals=16 -o topology.conf",
        "unknot slurm-topology xgft:m=4x4,w=2x2,terminals=16 --check topology.conf",
        "unknot slurm-topology slimfly:q=5,p=4 -o topology.yaml --format yaml",
        "unknot slurm-topology slimfly:q=5,p=4 --check topology.yaml"},
       declare_slurm_topology},
      {"slurm-prolog",
       "Tables for a job that Slurm starts: computed, proven, one file for each of its nodes",
       "For PrologSlurmctld, which names job and nodes in the environment; --remove is for EpilogSlurmctld. "
       "The "
       "tables\n"
       "are proven free of deadlock by themselves and together with those of all jobs that run. They appear "
       "as a "
       "whole\n"
       "or not at all; a second run for the same job replaces them. Exit code 0: done; 1: these nodes cannot "
       "be "
       "routed;\n"
       "2: bad configuration or nodes. See docs/slurm.md.",
       {"unknot slurm-prolog --example cluster.toml",
        "unknot slurm-prolog cluster.toml --job 17 --nodes node[01-08]"},
       declare_slurm_prolog},
      {"schedule",
       "Collective communication in synchronous steps: schedules, lower bounds with proofs, and a check of "
       "any",
       "In one step every channel carries one message. A schedule is sought from the lower bound on, below "
       "which there is none,\n"
       "and what is found is checked by code that knows nothing of how. With --bounds nothing is sought.\n"
       "schedule check: channel conflicts, ports, who knew what when, completeness. What the file does not "
       "say (root, ports,\n"
       "lengths of paths) options do. FABRIC may also be an input file of Jaros's thesis. See "
       "docs/collectives.md.\n"
       "schedule check FILE executes an MSCCL program: deadlocks, races, and whether its result is what it "
       "promises.\n"
       "-o FILE writes the schedule; --format svg or time-space draws it, msccl, goal and c are for other "
       "systems;\n"
       "mpirun unknot-play FABRIC FILE plays it with real messages, see docs/playing.md.\n"
       "--bytes N compares algorithms that combine messages, for messages of so many bytes, by --cost, and\n"
       "-o writes the quickest; all-reduce and scan are made so. See docs/combining.md.\n"
       "--engine and --tables keep transfers to the routes in force; --fail leaves out what has failed; "
       "--repair mends a\n"
       "schedule after that, with few changes, and with --limit a solver also looks for fewer steps in the "
       "time left.\n"
       "mpirun unknot-mpi schedule ... shares the islands of a solver among processes.\n\n"
       "--json: steps, lower_bound, bound_proof, bound_reason, proven_optimal, valid, conflicts, solver, "
       "evaluations, seconds;\n"
       "with --engine or --tables: routes, free_paths {steps, lower_bound, proven_optimal, steps_saved};\n"
       "with --repair: repair {file, made_for, steps_before, steps, lost, kept, rerouted, moved, dropped}, "
       "anew {solver, steps,\n"
       "seconds, taken}; with --bounds: bounds [{name, steps, proof, reversed}], thesis_formulas; with "
       "--bytes: "
       "algorithms\n"
       "[{name, steps, transfers, hops, pieces, critical_bytes, time, best}], best, time, ranges [{from, "
       "algorithm}], refused; check: valid, steps, "
       "conflicts, transfers,\n"
       "hops, violations, kinds, findings [{step, count, kind, first}]; check of a program: name, "
       "collective, "
       "protocol, gpus,\n"
       "channels, thread_blocks, steps, sends, result_checked, valid, fault {line, sentence}. Exit code 0: "
       "done, "
       "or valid; 1: "
       "not valid, or none of\n"
       "so many steps found.",
       {"unknot schedule hypercube:3 --collective AAB --table",
        "unknot schedule mesh:5x5 --collective AAS --bounds",
        "unknot schedule torus:4x4 --collective all-reduce --bytes 65536",
        "unknot schedule torus:4x4 --collective AAS --engine dfsssp",
        "unknot schedule mesh:4x4 --collective AAB -o old.json",
        "unknot schedule mesh:4x4 --repair old.json --fail cables=S-5-S-6 -o new.json",
        "unknot schedule torus:4x4,p=2 --collective OAB --root 16 --paths minimal --bounds"},
       declare_schedule,
       true},
      {"report",
       "One HTML page with pictures to explore: a network, its routings, simulations, a schedule",
       "The page needs no other file and no network: it can be mailed, and opened anywhere. Tables are "
       "checked by the\n"
       "independent checker before they are shown. See docs/report.md.\n\n"
       "--json: summary [sentence], file. Exit code 0: the page is written, whatever it says.",
       {"unknot report torus:4x4,p=2 --engine minhop,dfsssp -o routings.html",
        "unknot report torus:4x4,p=2 --engine dfsssp --load 0.1:0.3:0.1 --set measure=1000 -o loads.html"},
       declare_report},
      {"reproduce",
       "Run a published table or figure again and say where it differs",
       "Verdicts: equal, the same in the digits printed; within, inside the published range or the tolerance "
       "stated;\n"
       "better, outside it on the good side; differs, with a note that says why; unpublished, no value was "
       "printed.\n"
       "'modelled' stands beside measurements on a machine that a model approximates, 'timed' beside times, "
       "which\n"
       "change from run to run. Exit code 0: every row is computed, and none differs without a recorded "
       "explanation; 1:\n"
       "one does.",
       {"unknot reproduce", "unknot reproduce dfsssp-heuristics:networks=10"},
       declare_reproduce},
      {"sweep",
       "Many runs of a command, over all combinations of options: threads, MPI ranks, Slurm array tasks",
       "FILE.toml names a command (route, congestion or simulate) and for each option a value or a list. "
       "Each combination is\n"
       "one cell, and gives the numbers that its own command line prints. A finished cell is kept in "
       "FOLDER at once: after\n"
       "a crash, a kill or Ctrl-C the same command runs what is missing, and any number of processes may "
       "share FOLDER.\n"
       "FOLDER/table.csv and FOLDER/table.sqlite have one row for each cell, the same bytes whoever ran "
       "them in whatever\n"
       "order. mpirun unknot-mpi sweep FILE.toml shares the cells among ranks; --slurm writes a script for "
       "sbatch. See\n"
       "docs/sweep.md.\n\n"
       "--json: cells, missing, refused, table, database, rows [{cell, the options, exit, error, "
       "measures}]. Exit code 0: all\n"
       "cells are done; 1: some are refused as bad input, or missing.",
       {"unknot sweep --example sweep.toml", "unknot sweep sweep.toml"},
       declare_sweep,
       true},
      {"manual",
       "Print a manual page, made from the options and the catalogues of this program",
       "With -o all pages are written, as NAME.1 (commands) and NAME.7 (catalogues). An installed unknot "
       "has them:\n"
       "man unknot-route.",
       {"unknot manual route", "unknot manual engines"},
       declare_manual},
      {"completion",
       "Print what a shell reads to complete commands, options and names of the catalogues",
       "For bash: eval \"$(unknot completion bash)\". An installed unknot has it where the shells look.",
       {"unknot completion bash"},
       declare_completion},
  };
  return rows;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> rows = [] {
    std::vector<Command> all = routing_commands();
    all.insert(all.end(), other_commands().begin(), other_commands().end());
    return all;
  }();
  return rows;
}

}  // namespace unknot::cli
