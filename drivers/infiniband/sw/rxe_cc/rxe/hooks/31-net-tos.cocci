// SPDX-License-Identifier: GPL-2.0
// DSCP and ECN of a packet.
// target: rxe_net.c
// hits: 2 rxe_hook_tos(

@@
identifier f, av, pkt;
@@
f(struct rxe_av *av, struct rxe_pkt_info *pkt, ...)
{
<...
- av->grh.traffic_class
+ rxe_hook_tos(pkt, av->grh.traffic_class)
...>
}
