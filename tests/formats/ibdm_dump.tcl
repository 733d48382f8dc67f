# SPDX-License-Identifier: Apache-2.0
# ibdmsh ibdm_dump.tcl FILE.topo OUT: what ibutils makes of a topology file, a line for each device and for each end of a link.
set out [open [lindex $argv 1] w]
set fabric [new_IBFabric]
IBFabric_parseTopology $fabric [lindex $argv 0]
foreach pair [IBFabric_NodeByName_get $fabric] {
  set node [lindex $pair 1]
  set name [IBNode_name_get $node]
  set ports [IBNode_numPorts_get $node]
  puts $out "device $name [IBNode_type_get $node] $ports"
  for {set number 1} {$number <= $ports} {incr number} {
    set port [IBNode_getPort $node $number]
    if {$port == "" || $port == "NULL"} {continue}
    set peer [IBPort_p_remotePort_get $port]
    if {$peer == "" || $peer == "NULL"} {continue}
    puts $out "end $name $number [IBNode_name_get [IBPort_p_node_get $peer]] [IBPort_num_get $peer] [IBPort_width_get $port] [IBPort_speed_get $port]"
  }
}
close $out
exit
