// SPDX-License-Identifier: GPL-2.0
// A link that comes up may have another speed than before: the RDMA core keeps its state.
// target: rxe_net.c
// if: rxe_net.c ib_get_curr_port_state
// hits: 1 rxe_hook_link(rxe)

@@
identifier notify =~ "^rxe_notify$", rxe, event, block;
@@
notify(struct notifier_block *block, unsigned long event, ...)
{
<...
  if (!rxe)
	return NOTIFY_OK;
+
+ if (event == NETDEV_UP || event == NETDEV_CHANGE)
+	rxe_hook_link(rxe);
...>
}
