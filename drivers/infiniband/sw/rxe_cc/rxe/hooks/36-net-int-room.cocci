// SPDX-License-Identifier: GPL-2.0
// Headroom for what the source and all ports of the path insert.
// target: rxe_net.c
// hits: 1 rxe_hook_int_room(rxe)

@@
identifier init =~ "^rxe_init_packet$", rxe, hdr_len;
@@
init(struct rxe_dev *rxe, ...)
{
...
unsigned int hdr_len;
...
+ hdr_len += rxe_hook_int_room(rxe);
  rcu_read_lock();
...
}
