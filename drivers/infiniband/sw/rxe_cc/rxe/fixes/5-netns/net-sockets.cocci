// SPDX-License-Identifier: GPL-2.0
// Tunnel sockets belong to network namespaces: see rxe_netns.c.
// target: rxe_net.c
// has: rxe_ns.c
// hits: 1 rxe_netns_init(
// hits: 1 rxe_netns_exit(
// hits: 0 recv_sockets
// hits: 0 init_net
// hits: 1 "rxe_netns.h"
// hits: 0 udp_sock_create

@@
@@
  #include "rxe_loc.h"
+ #include "rxe_netns.h"

@@
@@
- static struct rxe_recv_sockets recv_sockets;

@@
@@
- static struct socket *rxe_setup_udp_tunnel(...) { ... }

@@
@@
- static void rxe_release_udp_tunnel(...) { ... }

@@
@@
- static int rxe_net_ipv4_init(void) { ... }

@@
@@
- static int rxe_net_ipv6_init(void) { ... }

@@
@@
rxe_net_exit(...)
{
- rxe_release_udp_tunnel(recv_sockets.sk6);
- rxe_release_udp_tunnel(recv_sockets.sk4);
  unregister_netdevice_notifier(...);
+ rxe_netns_exit();
}

@@
@@
rxe_net_init(...)
{
  ...
- recv_sockets.sk6 = NULL;
- err = rxe_net_ipv4_init();
+ err = rxe_netns_init(rxe_udp_encap_recv);
  if (err) return err;
- err = rxe_net_ipv6_init();
- if (err) goto err_out;
  ...
}
