// SPDX-License-Identifier: GPL-2.0
// The path MTU that a device reports leaves room for INT.
// target: rxe.c
// hits: 1 rxe_hook_int_room(rxe)

@@
identifier set =~ "^rxe_set_mtu$", rxe, mtu;
@@
set(struct rxe_dev *rxe, unsigned int mtu)
{
<...
  eth_mtu_int_to_enum(mtu
+ - rxe_hook_int_room(rxe)
  )
...>
}
