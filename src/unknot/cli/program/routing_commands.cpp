// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

const std::vector<Command>& routing_commands() {
  static const std::vector<Command> rows = {
      {"list",
       "Print a catalogue: what can be named, and with which parameters",
       "",
       {"unknot list topologies", "unknot list engines"},
       declare_list},
      {"topology",
       "Make, convert or break a network",
       "Without -o it prints what the network would be.",
       {"unknot topology torus:4x4x2,p=2 -o torus.net --format ibsim",
        "unknot topology torus.net --fail cable-count=2,seed=7 -o broken.json --format json"},
       declare_topology},
      {"info",
       "Structure and cost of a network: distances, bisection, ports and links for each terminal",
       "",
       {"unknot info kautz:b=3,n=3,p=4"},
       declare_info},
      {"route",
       "Compute routing tables, prove them and measure them, with one engine or several side by side",
       "Load is the number of pairs whose path takes a channel, over all channels; sigma4 its deviation of "
       "order 4.\n"
       "eBB is the mean rate of a flow under random bisections, 1 where no channel is shared. 'lanes' are in "
       "use,\n"
       "'needed' were needed before spare ones were used for balance; 'checked' is the time the proof "
       "took.\n\n"
       "Every table passes through the independent checker. Exit code 0: every pair is delivered and no "
       "deadlock is\n"
       "possible (several engines: for at least one of them); 1: not so, or the engine found no routing. "
       "Tables that\n"
       "can deadlock are written all the same, with a warning; a certificate is not.",
       {"unknot route torus:4x4x2,p=2 --engine minhop,updn,sssp,dfsssp",
        "unknot route torus:4x4x2,p=2 --engine dfsssp -o tables --lanes lanes --certificate proof"},
       declare_route},
      {"lanes",
       "Bound the virtual lanes that shortest paths need, exactly where that can be proven",
       "Lower bound: dependencies of pairs that have a single shortest path, which every routing has; where "
       "they "
       "close a\n"
       "cycle one lane is not enough. Upper bound: the engines that keep to shortest paths. --exact asks for "
       "all "
       "tables\n"
       "and all lane assignments between the two at once, by satisfiability: for networks of up to about a "
       "hundred\n"
       "routers. Exit code 0: the minimum is known; 1: only bounds are.",
       {"unknot lanes slimfly:q=5,p=4", "unknot lanes torus:4x4 --exact --budget 30"},
       declare_lanes},
      {"verify",
       "Check tables made by anyone, or a routing over many paths: delivery, loops, deadlock, shortest paths",
       "Without --lanes every path has service level 0, as the stock subnet manager's file engine gives "
       "it.\n"
       "A pair is delivered only where its packets find a lane for data on every cable, the first and the "
       "last "
       "included:\n"
       "one that the tables declare and, with --vls, the hardware has. Lane 15 is for management.\n\n"
       "--paths is about routings that are no tables: all shortest paths at once (minimal), or all shortest "
       "paths to\n"
       "every other router with terminals and on from there (valiant), each hop on the lane that "
       "--lane-scheme says.\n"
       "A routing that chooses among these paths by the load is proven with them. See docs/oblivious.md.",
       // the first reads what the example of route has written
       {"unknot verify torus:4x4x2,p=2 tables --lanes lanes --certificate proof",
        "unknot verify slimfly:q=5,p=3 --paths valiant --lane-scheme hop"},
       declare_verify},
      {"reroute",
       "New tables after a failure or a repair that change as few entries as possible",
       "Of the old tables, what the change does not touch stays; paths stay shortest where they were, and "
       "lanes "
       "are\n"
       "assigned anew for the paths that change only. --transition gives the steps that lead from the old "
       "tables "
       "to the\n"
       "new ones: during each, old and new entries may be in force in any mixture, packets of earlier steps "
       "may be\n"
       "on the way, and no deadlock is possible. A step that waits begins a packet's lifetime after the one "
       "before.\n"
       "--check-transition proves the steps of such a file, by anyone.\n\n"
       "Exit code 0: every pair is delivered and no deadlock is possible; 1: not so, or no routing was found "
       "that keeps\n"
       "to the lanes.",
       // reads what the example of route has written
       {"unknot reroute torus:4x4x2,p=2 --tables tables --lanes lanes --fail cables=S-0-S-1 -o new "
        "--new-lanes "
        "new-lanes --transition steps",
        "unknot reroute torus:4x4x2,p=2 --tables tables --lanes lanes --fail cables=S-0-S-1 "
        "--check-transition steps"},
       declare_reroute},
      {"congestion",
       "Bandwidth that a traffic pattern gets when no one reacts to congestion",
       "",
       {"unknot congestion torus:4x4x2,p=2 --engine dfsssp --pattern bisection --samples 1000"},
       declare_congestion},
  };
  return rows;
}

}  // namespace unknot::cli
