// SPDX-License-Identifier: GPL-2.0
// Routes are looked up in the network namespace of the port.
// target: rxe_net.c
// hits: 1 ip_route_output_key(dev_net(ndev)
// hits: 1 ipv6_dst_lookup_flow(dev_net(ndev)

@@
@@
  ip_route_output_key(
- &init_net
+ dev_net(ndev)
  , ...)

@@
expression fl6;
@@
  ipv6_stub->ipv6_dst_lookup_flow(
- sock_net(recv_sockets.sk6->sk), recv_sockets.sk6->sk
+ dev_net(ndev), NULL
  , fl6, NULL)
