// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/other_names.hpp"

#include <algorithm>
#include <string>

namespace unknot {

const std::vector<OtherName>& other_names() {
  static const std::vector<OtherName> rows{
      // grids
      {{"tofu", "tofu2", "tofud"},
       "the six dimensions of Tofu are a torus whose last three have 2, 3 and 2 routers,",
       "torus:4x4x4x2x3x2"},
      {{"torus2d", "2dtorus", "torus3d", "3dtorus"},
       "a torus of any dimensions is written by its sizes,",
       "torus:4x4x4"},
      {{"karyncube", "kncube"}, "a k-ary n-cube is a torus of n dimensions of k routers,", "torus:4x4x4"},
      {{"bluegene", "bluegeneq", "bgq", "5dtorus"},
       "Blue Gene/Q is a torus of five dimensions, the last of 2 routers,",
       "torus:4x4x4x4x2"},
      {{"angara"}, "Angara is a torus of up to four dimensions,", "torus:4x4x2x2"},
      {{"tpuv4", "tpu"}, "a pod of TPU v4 is a torus of three dimensions,", "torus:4x4x4"},
      {{"ctorus", "concentratedtorus"},
       "a concentrated torus is a torus with several terminals on each router,",
       "torus:4x4,p=4"},
      {{"cmesh", "concentratedmesh"},
       "a concentrated mesh is a mesh with several terminals on each router,",
       "mesh:4x4,p=4"},
      {{"grid", "mesh2d", "mesh3d", "2dmesh", "3dmesh"}, "a grid is a mesh,", "mesh:4x4"},
      {{"line", "chain", "lineararray", "pathgraph"}, "a line is a mesh of one dimension,", "mesh:8"},
      {{"singleswitch", "singlerouter", "crossbar", "star"},
       "one switch is a mesh of one router,",
       "mesh:1,p=16"},
      {{"bidirectionalring", "biring"}, "a ring has channels both ways,", "ring:8"},
      {{"unidirectionalring"}, "a ring with channels one way is uniring,", "uniring:8"},
      {{"cube", "ncube", "binarycube", "binaryncube"}, "a binary n-cube is a hypercube,", "hypercube:4"},
      {{"ccc"}, "these are cube-connected cycles,", "cube-connected-cycles:3"},
      // cables between every two
      {{"clique", "completegraph", "fullyconnected", "alltoall"},
       "cables between every two routers are a full mesh,",
       "full-mesh:8,p=4"},
      {{"flattenedbutterfly", "flatfly", "fbfly", "karynflat"},
       "a flattened butterfly is a HyperX with as many terminals on a router as routers along a dimension,",
       "hyperx:4x4,p=4"},
      {{"hamminggraph", "rooksgraph", "generalizedhypercube", "generalisedhypercube"},
       "a full mesh along each dimension is a HyperX,",
       "hyperx:4x4"},
      {{"hxmesh", "hx2mesh", "hx4mesh"}, "HxMesh is HammingMesh,", "hammingmesh:a=2,b=2,x=4,y=4"},
      // trees
      {{"fattree", "foldedclos", "karyfattree", "threetier", "3tier", "leafspinecore"},
       "a fat tree of switches of R ports is fattree2:R or fattree3:R by its levels, any other xgft,",
       "fattree3:8"},
      {{"leafspine", "spineleaf", "twotier", "2tier"},
       "leaves under spines are fattree2:R with switches of R ports, and xgft:m=LEAVES,w=SPINES with any "
       "other numbers,",
       "fattree2:8"},
      {{"gft", "pgft", "rlft"},
       "generalised fat trees, parallel cables included, are xgft,",
       "xgft:m=4x3,w=2x2,cables=1x2"},
      {{"orthogonalfattree"}, "an orthogonal fat tree is oft,", "oft:4"},
      {{"multilayerfullmesh"}, "a multi-layer full mesh is mlfm,", "mlfm:4"},
      {{"stackedsinglepathtree"}, "a stacked single-path tree is sspt,", "sspt:r1=4,r2=3"},
      {{"binarytree", "tree"},
       "a binary tree of switches is btree, one with terminals on each router fulltree,",
       "btree:8"},
      {{"fly", "karynfly"}, "a binary n-fly is a butterfly,", "butterfly:8"},
      // groups, and graphs of small diameter
      {{"slingshot", "dragonflynew", "dfly"},
       "a full mesh of groups, each a full mesh of routers, is a dragonfly,",
       "dragonfly:a=4,h=2,p=2"},
      {{"dragonfly+", "dfplus", "df+"}, "dragonfly+ is written out,", "dragonflyplus:leaves=2,spines=2,h=2"},
      {{"mms", "mmsgraph", "mckaymillersiran"},
       "graphs of McKay, Miller and Siran are Slim Flies,",
       "slimfly:q=5,p=4"},
      {{"polaritygraph", "brown", "browngraph"}, "a polarity graph is a PolarFly,", "polarfly:q=7,p=4"},
      {{"lps", "ramanujan"}, "a Ramanujan graph LPS(p,q) is a SpectralFly,", "spectralfly:p=3,q=5,each=2"},
      {{"randomregular", "rrg"},
       "a random regular network is a Jellyfish,",
       "jellyfish:routers=24,degree=5,p=2"},
      {{"expander"}, "a random lift of a complete graph is an Xpander,", "xpander:degree=3,lift=4"},
      // boxes of accelerators
      {{"railonly", "rails"},
       "a rail-only cluster is boxes of GPUs with a switch for each rail, and no spines,",
       "boxes:16,8"},
      {{"railoptimised", "railoptimized"},
       "a rail-optimised cluster is boxes of GPUs with spines above the switches of the rails,",
       "boxes:16,8,spines=4,uplink=1600"},
      {{"hybridcubemesh"}, "the hybrid cube mesh of eight GPUs is dgx1,", "dgx1"},
  };
  return rows;
}

const OtherName* find_other_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == '-' || c == '_') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const auto found = std::find_if(other_names().begin(), other_names().end(), [&](const OtherName& row) {
    return std::find(row.names.begin(), row.names.end(), plain) != row.names.end();
  });
  return found == other_names().end() ? nullptr : &*found;
}

std::string_view other_meaning(std::string_view family) {
  if (family == "clos")
    return "a folded Clos network of switches is 'fattree2:8', 'fattree3:8' or of family xgft";
  if (family == "fattree") return "fat trees of switches of one radix are 'fattree2:8' and 'fattree3:8'";
  if (family == "butterfly") return "a flattened butterfly is 'hyperx:4x4,p=4'";
  return "";
}

}  // namespace unknot
