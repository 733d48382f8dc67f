package rings

import constellation.channel._
import constellation.noc._
import constellation.routing._
import constellation.test._
import constellation.topology._

class RingConfig(relation: PhysicalTopology => RoutingRelation, lanes: Int = 3) extends NoCTesterConfig(NoCTesterParams(NoCParams(
  topology        = UnidirectionalTorus1D(6),
  channelParamGen = (a, b) => UserChannelParams(Seq.fill(lanes) { UserVirtualChannelParams(4) }),
  ingresses       = (0 until 6).map { i => UserIngressParams(i) },
  egresses        = (0 until 6).map { i => UserEgressParams(i) },
  flows           = Seq.tabulate(6, 6) { (s, d) => FlowParams(s, d, 0) }.flatten,
  routingRelation = relation
)))

class Dateline extends RingConfig(UnidirectionalTorus1DDatelineRouting())

class Shortest extends RingConfig(ShortestPathRouting(), lanes = 1)

class Escape extends RingConfig(EscapeChannelRouting(
  escapeRouter    = UnidirectionalTorus1DDatelineRouting(),
  normalRouter    = ShortestPathRouting(),
  nEscapeChannels = 2
))
