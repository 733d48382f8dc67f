// SPDX-License-Identifier: Apache-2.0
// Every file of tests/data/malformed/fabrics gets the one sentence that is written here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "formats/fabric_samples.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

struct Case {
  const char* format;
  const char* file;
  const char* message;  ///< what follows the file name
};

constexpr Case kCases[] = {
    {"ibnetdiscover", "absurd-lid", ":19: expected a LID at '12345678901234 lmc 0'"},
    {"ibnetdiscover", "absurd-port-count",
     R"~(:10: expected a number of ports from 1 to 65535 at '4000000000 "S-0000000000002000"  # "leaf-0" enhanced port 0 ...')~"},
    {"ibnetdiscover", "absurd-port",
     R"~(:13: expected a port number from 1 to 65535 and ']' at '99999999999999999999] "S-0000000000002001"[4]  # "leaf-1" li...')~"},
    {"ibnetdiscover", "bad-port-guid",
     R"~(:20: expected a port GUID and ')' at 'x1)   # "node1" lid 2 4xNDR')~"},
    {"ibnetdiscover", "described-twice",
     R"~(:42: "H-0000000000001010" (node1) is described twice, first on line 35)~"},
    {"ibnetdiscover", "duplicate-guid-two-types",
     R"~(:28: "H-0000000000001000" (node0) has the GUID 0x0000000000001000, which "S-0000000000001000" (leaf-1) has on line 19)~"},
    {"ibnetdiscover", "duplicate-lid",
     R"~(:20: "H-0000000000001010" (node1) has the LID 11, which "S-0000000000002000" (leaf-0) has on line 10)~"},
    {"ibnetdiscover", "duplicate-port-guid",
     R"~(:20: "H-0000000000001010" (node1) has the port GUID 0x0000000000001001, which "H-0000000000001000" (node0) has on line 11)~"},
    {"ibnetdiscover", "empty", ": no Switch or Ca record in this file"},
    {"ibnetdiscover", "ends-disagree-guid",
     ":11: the GUID of the other port is 0x0000000000001002 here but 0x0000000000001001 on line 29"},
    {"ibnetdiscover", "ends-disagree-lid", ":11: the LID of the other port is 1 here but 3 on line 29"},
    {"ibnetdiscover", "ends-disagree-peer",
     R"~(:12: port 3 of "S-0000000000002000" (leaf-0) leads to port 3 of "S-0000000000002001" (leaf-1), but line 21 says that this one leads to port 4 of "S-0000000000002000" (leaf-0))~"},
    {"ibnetdiscover", "ends-disagree-port",
     R"~(:11: port 1 of "S-0000000000002000" (leaf-0) leads to port 1 of "H-0000000000001000" (node0), but line 29 says that this one leads to port 2 of "S-0000000000002000" (leaf-0))~"},
    {"ibnetdiscover", "ends-disagree-rate", ":12: the rate of this link is 4xNDR here but 4xHDR on line 21"},
    {"ibnetdiscover", "guid-and-id-disagree",
     R"~(:19: the line before says switchguid=0x2003, but the id is "S-0000000000002001")~"},
    {"ibnetdiscover", "hosts-only",
     R"~(:3: hosts "H-0000000000001000" (node0) and "H-0000000000001010" (node1) are connected without a switch between them)~"},
    {"ibnetdiscover", "in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "leaf-0" (1 terminal); "leaf-1" (1 terminal))~"},
    {"ibnetdiscover", "no-link", R"~(:42: host "H-0000000000001020" (node2) has no link)~"},
    {"ibnetdiscover", "nul-byte", ":20: a NUL byte, expected text"},
    {"ibnetdiscover", "odd-id", R"~(:19: expected an id such as "S-0123456789abcdef", not "leaf-1")~"},
    {"ibnetdiscover", "one-end-only",
     R"~(:13: port 4 of "S-0000000000002000" (leaf-0) leads to port 4 of "S-0000000000002001" (leaf-1), whose record does not list that port)~"},
    {"ibnetdiscover", "only-preamble", ": no Switch or Ca record in this file"},
    {"ibnetdiscover", "open-bracket",
     R"~(:12: expected a port number from 1 to 65535 and ']' at '  # "leaf-1" lid 12 4xNDR')~"},
    {"ibnetdiscover", "open-quote", ":12: the quote of 'S-0000000000002001[3]  ' is not closed"},
    {"ibnetdiscover", "peer-port-beyond-radix",
     R"~(:13: port 9 of "S-0000000000002001" (leaf-1) does not exist: it has 4 ports)~"},
    {"ibnetdiscover", "port-beyond-radix",
     R"~(:13: port 5 of "S-0000000000002000" does not exist: it has 4 ports)~"},
    {"ibnetdiscover", "port-outside-record",
     ":13: a port line outside of a record: expected a Switch or Ca line before it"},
    {"ibnetdiscover", "port-used-twice",
     R"~(:13: port 3 of "S-0000000000002000" (leaf-0) is used twice, first on line 12)~"},
    {"ibnetdiscover", "port-zero",
     R"~(:13: expected a port number from 1 to 65535 and ']' at '] "S-0000000000002001"[4]  # "leaf-1" lid 12 4xNDR')~"},
    {"ibnetdiscover", "self-loop", R"~(:12: "S-0000000000002000" (leaf-0) is connected to itself)~"},
    {"ibnetdiscover", "stray-line",
     ":28: expected a record (Switch, Ca), a port line ('[1] ...') or a comment, not 'ibwarn: [4711] "
     "_do_madrpc: recv failed'"},
    {"ibnetdiscover", "switch-lid-disagrees",
     R"~(:12: "S-0000000000002001" (leaf-1) has the LID 13 here but 12 on line 19)~"},
    {"ibnetdiscover", "truncated-file",
     R"~(:20: port 1 of "S-0000000000002001" (leaf-1) leads to "H-0000000000001010", which no record describes)~"},
    {"ibnetdiscover", "truncated-header", ":35: the quote of 'H-00000000000010' is not closed"},
    {"ibnetdiscover", "truncated-line", ":36: the quote of the description is not closed"},
    {"ibnetdiscover", "truncated-record",
     R"~(:20: port 1 of "S-0000000000002001" (leaf-1) leads to port 1 of "H-0000000000001010" (node1), whose record does not list that port)~"},
    {"ibnetdiscover", "unknown-peer",
     R"~(:12: port 3 of "S-0000000000002000" (leaf-0) leads to "S-0000000000002002", which no record describes)~"},
    {"ibsim", "absurd-option",
     ":3: expected a comment ('#') or an option w=, s= or e= with its value at 'w=400'"},
    {"ibsim", "alias-line", ":6: port aliases ('@') are not supported: name the device and its port"},
    {"ibsim", "alias", ":6: port aliases ('@') are not supported: '@h1'"},
    {"ibsim", "bad-guid", ":1: expected the end of the line at 'zz'"},
    {"ibsim", "bad-option", ":3: expected a comment ('#') or an option w=, s= or e= with its value at 'q=4'"},
    {"ibsim", "described-twice", R"~(:15: "h1" is described twice, first on line 12)~"},
    {"ibsim", "directive-without-value", ":1: expected a value such as width=1"},
    {"ibsim", "do-unlink", ":15: the command 'Unlink' changes links: state them in the records"},
    {"ibsim", "duplicate-guid", R"~(:9: "s1" has the GUID 0x0000000000200001, which "hx" has on line 2)~"},
    {"ibsim", "empty-id", ":12: a device id is empty"},
    {"ibsim", "empty", ": no Switch or Ca record in this file"},
    {"ibsim", "ends-disagree",
     R"~(:6: port 1 of "s1" leads to port 1 of "h1", but line 13 says that this one leads to port 3 of "s1")~"},
    {"ibsim", "garbage-after-header", ":12: expected a comment ('#') or the end of the line at 'h2'"},
    {"ibsim", "guid-too-long", ":1: expected a GUID such as 0x0002c90000000001 at '10002c90000000001'"},
    {"ibsim", "in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "s0" (1 terminal); "s1" (1 terminal))~"},
    {"ibsim", "include-itself", ": included too deep or too often"},
    {"ibsim", "include-missing", ":1: cannot include 'nowhere.net': no such file"},
    {"ibsim", "no-id", ":12: expected a quoted device id at 'h1'"},
    {"ibsim", "no-link", R"~(:15: host "h2" has no link)~"},
    {"ibsim", "port-claimed-twice", R"~(:15: port 1 of "s1" is used twice, first on line 12)~"},
    {"ibsim", "self-loop", R"~(:3: "s0" is connected to itself)~"},
    {"ibsim", "unknown-word",
     R"~(:12: expected a record (Switch, Ca), a port line ('[1] ...') or a comment, not 'Host 1 "h1"')~"},
    {"subnet-list", "absurd-number",
     ":1: expected a hexadecimal number in range at ' } { SW Ports:04 SystemGUID:0000000000002000 "
     "NodeGUID:000000...'"},
    {"subnet-list", "bad-kind",
     ":4: expected SW, CA or RT at 'XX Ports:01 SystemGUID:0000000000001010 NodeGUID:00000000000...'"},
    {"subnet-list", "bad-number",
     ":1: expected a name, '}', LID: and PN: at 's0} LID:zz PN:01 } PHY=4x LOG=ACT SPD=2.5'"},
    {"subnet-list", "described-differently",
     ":5: the device with node GUID 0x0000000000002001 is described differently on line 3"},
    {"subnet-list", "duplicate-lid",
     R"~(:4: "0x0000000000001010" (h1 {b}) has the LID 4, which "0x0000000000002001" (s1) has on line 3)~"},
    {"subnet-list", "empty", ": no link in this file"},
    {"subnet-list", "ends-disagree",
     R"~(:3: port 2 of "0x0000000000002000" (s0) leads to port 2 of "0x0000000000002001" (s1), whose record does not list that port)~"},
    {"subnet-list", "in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "s0" (1 terminal); "s1" (1 terminal))~"},
    {"subnet-list", "port-beyond-radix", R"~(:3: port 9 of "s1" does not exist: it has 4 ports)~"},
    {"subnet-list", "self-loop", R"~(:1: "0x0000000000002000" (s0) is connected to itself)~"},
    {"subnet-list", "truncated-file",
     R"~(:4: port 1 of "0x0000000000002001" (s1) leads to port 1 of "0x0000000000001010" (h1 {b}), whose record does not list that port)~"},
    {"subnet-list", "truncated-line", ":6: expected VenID: at the end of the line"},
    {"subnet-list", "twice", R"~(:7: port 1 of "0x0000000000001000" (h0) is used twice, first on line 1)~"},
    {"anynet", "bad-latency", ":1: expected the cycles of a channel, at least 1, not '1.5'"},
    {"anynet", "beyond-32-bits", ":1: expected 'router' or 'node' and a number, not 'router 99999999999'"},
    {"anynet", "empty-line-only", ": no router in this file"},
    {"anynet", "glued-number", ":1: expected 'router' or 'node' and a number, not 'router 1x'"},
    {"anynet", "in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "S-0" and 1 more router (1 terminal); "S-2" and 1 more router (1 terminal))~"},
    {"anynet", "negative", ":1: expected 'router' or 'node' and a number, not 'router -1'"},
    {"anynet", "no-head", ":2: expected a line such as 'router 0 node 0 router 1', not '1 router 0'"},
    {"anynet", "no-number", ":1: expected 'router' or 'node' and a number, not 'router'"},
    {"anynet", "node-missing", ": no node 1, though there is a node 2"},
    {"anynet", "node-on-two-routers", ":3: node 0 is connected to router 0 on line 1"},
    {"anynet", "nodes-joined", ":2: nodes 0 and 1 are connected without a router"},
    {"anynet", "nul-byte", ":2: a NUL byte, expected text"},
    {"anynet", "router-missing", ": no router 1, though there is a router 2"},
    {"anynet", "self-loop", ":2: router 1 is connected to itself"},
    {"anynet", "two-latencies", ":1: expected 'router' or 'node' and a number, not '2'"},
    {"anynet", "word", ":1: expected 'router' or 'node' and a number, not 'switch 1'"},
    {"dot", "arrow-in-graph", ":2: -> in a graph, expected --"},
    {"dot", "attribute-without-end", ":4: expected an attribute or ']', not the end of the file"},
    {"dot", "bad-port", ":3: source_port: expected a whole number from 1 to 65535, not 'first'"},
    {"dot", "bad-rate", ":3: expected a rate such as 4xNDR, not 'fast'"},
    {"dot", "comment-without-end", ":2: a comment without its end, expected */"},
    {"dot", "cut-off", ":3: expected a node, an edge, an attribute or '}', not the end of the file"},
    {"dot", "deep", ":1: more than 200 subgraphs inside each other"},
    {"dot", "empty-graph", ": no node in this graph"},
    {"dot", "html-without-end", ":2: a text in angle brackets without its end, expected '>'"},
    {"dot", "in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "c" and 2 more routers (3 terminals); "a" and 1 more router (2 terminals))~"},
    {"dot", "line-in-digraph", ":2: -- in a digraph, expected ->"},
    {"dot", "no-brace", ":2: expected '{', not '--'"},
    {"dot", "no-other-end", ":2: expected the other end of the edge, not ';'"},
    {"dot", "no-value", ":2: expected the value of an attribute, not ']'"},
    {"dot", "nul-byte", ":2: a NUL byte, expected text"},
    {"dot", "odd-character", ":3: '?' has no meaning here"},
    {"dot", "plus-without-text", ":2: expected a text behind '+', not ';'"},
    {"dot", "quote-without-end", R"~(:2: a text without its end, expected '"')~"},
    {"dot", "self-loop", R"~(:2: "b" is connected to itself)~"},
    {"dot", "terminal-alone", R"~(:4: "u" is connected to no router)~"},
    {"dot", "terminal-two-routers", R"~(:5: "t" has a cable already, expected one, to one router)~"},
    {"dot", "two-graphs", ":2: expected nothing behind the graph, not 'graph'"},
    {"dot", "word-as-node", ":2: expected the other end of the edge, not 'edge'"},
    {"graphml", "bad-guid", ":10: guid: expected a GUID such as 0x0002c90000000001, not '17'"},
    {"graphml", "bad-rate", ":12: expected a rate such as 4xNDR, not 'fast'"},
    {"graphml", "beyond-its-ports", ": router 0 uses port 5, but is said to have 4"},
    {"graphml", "cut-off", ":13: not valid XML: Start-end tags mismatch"},
    {"graphml", "directed-maybe", R"~(:12: directed="maybe": expected true or false)~"},
    {"graphml", "edge-without-target", ":11: <edge> lacks the attribute 'target'"},
    {"graphml", "empty-graph", ": no node in this graph"},
    {"graphml", "guid-of-some", R"~(:11: "b" has no guid, others have)~"},
    {"graphml", "guid-twice", ":11: the guid is already on line 10"},
    {"graphml", "hyperedge", ":11: a hyperedge, expected edges between two nodes"},
    {"graphml", "in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "a" and 1 more router (2 terminals); "c" (1 terminal))~"},
    {"graphml", "key-twice", R"~(:9: the key "kind" is declared already)~"},
    {"graphml", "lid-negative", ":10: lid: expected a whole number from 0 to 4294967295, not '-3'"},
    {"graphml", "lid-twice", ":11: the lid is already on line 10"},
    {"graphml", "nested-graph", ":10: a graph inside a node, expected one graph without others inside"},
    {"graphml", "no-edgedefault", R"~(:2: expected edgedefault="directed" or "undirected" of the graph)~"},
    {"graphml", "no-graph", ":1: expected an element <graph>"},
    {"graphml", "node-twice", R"~(:12: the node "a" is already on line 10)~"},
    {"graphml", "node-without-id", ":10: <node> lacks the attribute 'id'"},
    {"graphml", "nul-byte", ":2: a NUL byte, expected text"},
    {"graphml", "one-port", ":12: expected both source_port and target_port, or neither"},
    {"graphml", "other-root", ":1: expected an element <graphml>, found <graph>"},
    {"graphml", "port-0", ":12: source_port: expected a whole number from 1 to 65535, not '0'"},
    {"graphml", "port-used-twice", ": router 0 uses port 1 twice"},
    {"graphml", "rates-differ", ":13: another rate than in the other direction, on line 12"},
    {"graphml", "self-loop", R"~(:13: "b" is connected to itself)~"},
    {"graphml", "service-without-port", R"~(:11: the port that leads to "s" is not given)~"},
    {"graphml", "terminal-alone", R"~(:12: "t" is connected to no router)~"},
    {"graphml", "terminal-twice", R"~(:15: "t" has a cable already, expected one, to one router)~"},
    {"graphml", "terminals-joined", R"~(:14: "t" and "u" are connected without a router)~"},
    {"graphml", "two-graphs", ":3: a second graph, expected one"},
    {"graphml", "undeclared-key", R"~(:10: the key "weight" is not declared)~"},
    {"graphml", "unknown-node", R"~(:12: no node "c" in this graph)~"},
    {"graph-golf", "absurd-vertex", ": vertex 2 has no edge, though there is a vertex 4000000000"},
    {"graph-golf", "beyond-32-bits", ":2: expected an edge such as '0 1', not '1 99999999999999999999'"},
    {"graph-golf", "empty", ": no edge in this file"},
    {"graph-golf", "grid-in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "0,0" and 1 more router (2 terminals); "5,5" and 1 more router (2 terminals))~"},
    {"graph-golf", "grid-then-words", ":2: expected an edge such as '0,0 0,1', not '0,1 0,a'"},
    {"graph-golf", "in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "S-2" and 2 more routers (3 terminals); "S-0" and 1 more router (2 terminals))~"},
    {"graph-golf", "mixed-ends", ":1: expected an edge such as '0 1' or '0,0 0,1', not '0,0 1'"},
    {"graph-golf", "mixed", ":2: expected an edge such as '0 1', not '0,0 0,1'"},
    {"graph-golf", "negative", ":2: expected an edge such as '0 1', not '1 -2'"},
    {"graph-golf", "nul-byte", ":2: a NUL byte, expected text"},
    {"graph-golf", "one-column", ":2: expected an edge such as '0 1', not '1'"},
    {"graph-golf", "self-loop", ":2: vertex 1 is connected to itself"},
    {"graph-golf", "skips-a-vertex", ": vertex 2 has no edge, though there is a vertex 3"},
    {"graph-golf", "three-columns", ":2: expected an edge such as '0 1', not '1 2 5'"},
    {"graph-golf", "twice", ":3: the edge between 1 and 2 is already on line 2"},
    {"json", "absurd-routers", ": 4000000000 routers cannot be one fabric with 1 links"},
    {"json", "bad-coordinates",
     R"~(: coordinates: expected {"extent": [...], "wraps": true or false, "values": [...]})~"},
    {"json", "bad-guid", R"~(: router_guid[1]: expected a GUID such as "0x0002c90000000001")~"},
    {"json", "bad-rate", R"~(: cables[0]: expected a rate such as "4xNDR")~"},
    {"json", "bad-terminal",
     ": terminals[1]: expected [router, port], routers from 0 to 1 and ports from 1 to 65535"},
    {"json", "cables-no-list", ": cables: expected a list"},
    {"json", "coordinate-out-of-range", ": coordinates.values[1]: expected a whole number from 0 to 1"},
    {"json", "duplicate-guid", ": router_guid: 0x0000000000000001 is given twice"},
    {"json", "duplicate-lid", ": router_lid, terminal_lid: 2 is given twice"},
    {"json", "empty", ":1: not valid JSON here"},
    {"json", "fractional-routers", ": routers: expected a whole number from 1 to 4294967294"},
    {"json", "in-parts",
     R"~(: the fabric is in 2 parts that no cable joins: "S-0" and 1 more router (2 terminals); "S-2" (0 terminals))~"},
    {"json", "incomplete-service-node",
     ": service_nodes[0]: expected an object with router, router_port, node_guid, port_guid, lid, rate, "
     "name"},
    {"json", "label-of-wrong-type", ": router_name[1]: expected a string"},
    {"json", "label-too-short", ": router_name: expected 2 items, not 1"},
    {"json", "negative-routers", ": routers: expected a whole number from 1 to 4294967294"},
    {"json", "no-routers", R"~(: the member "routers" is missing)~"},
    {"json", "not-an-object", R"~(: expected a JSON object with "format": "unknot-network")~"},
    {"json", "number-overflow", ": a number that is too large for any member"},
    {"json", "other-format", R"~(: expected a JSON object with "format": "unknot-network")~"},
    {"json", "other-version", R"~(: expected "version": 1, the only one this program knows)~"},
    {"json", "port-beyond-radix", ": router 0 uses port 2, but is said to have 1"},
    {"json", "port-out-of-range", ": cables[0]: expected routers from 0 to 1 and ports from 1 to 65535"},
    {"json", "port-used-twice", ": router 1 uses port 1 twice"},
    {"json", "router-out-of-range", ": cables[0]: expected routers from 0 to 1 and ports from 1 to 65535"},
    {"json", "self-loop", ": cables[0]: router 0 is connected to itself"},
    {"json", "service-node-on-used-port", ": router 0 uses port 1 twice"},
    {"json", "short-cable", ": cables[0]: expected [router, port, router, port] or these and a rate"},
    {"json", "terminals-out-of-order", ": terminals[1]: expected terminals in the order of their routers"},
    {"json", "too-few-coordinates",
     ": coordinates: expected at most 64 dimensions, and a value in each of them for every router"},
    {"json", "truncated", ":1: not valid JSON here"},
    {"json", "unknown-member",
     R"~(: no member "cable" in this format; did you mean 'cables' or 'cable_latency'?)~"},
};

std::string folder_of(const std::string& format) {
  return std::string(UNKNOT_TEST_DATA) + "/malformed/fabrics/" + format;
}

TEST(MalformedFabric, GetsOneClearSentence) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(c.format) + "/" + c.file);
    const std::string path = folder_of(c.format) + "/" + c.file + ".txt";
    try {
      (void)test::fabric_format(c.format).read(read_file(path), path);
      ADD_FAILURE() << "was accepted";
    } catch (const InputError& error) {
      std::string message = error.what();
      ASSERT_TRUE(message.starts_with(path)) << message;
      message.erase(0, path.size());
      EXPECT_EQ(message, c.message);
    }
  }
}

TEST(MalformedFabric, EveryFileOfTheCorpusIsInTheTable) {
  for (const FabricFormat& format : fabric_formats()) {
    if (!format.read) continue;
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_of(format.name))) {
      ++files;
      const std::string name = entry.path().stem().string();
      EXPECT_TRUE(std::any_of(std::begin(kCases), std::end(kCases),
                              [&](const Case& c) { return c.format == format.name && c.file == name; }))
          << format.name << "/" << name;
    }
    EXPECT_GT(files, 10U) << format.name;
  }
}

}  // namespace
}  // namespace unknot
