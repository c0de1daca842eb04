// SPDX-License-Identifier: GPL-2.0
// A device knows whether the sockets of its namespace count it.
// target: rxe_verbs.h
// only: rxe_ns.c rxe_ns_pernet_sk4
// hits: 1 in_ns

@@
@@
struct rxe_dev {
	...
	struct rxe_port		port;
+	/* The sockets of the netdev's namespace count this device (rxe_net_lock). */
+	bool			in_ns;
};
