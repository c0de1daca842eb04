// SPDX-License-Identifier: GPL-2.0
// A link that comes up may have another speed than before.
// target: rxe_net.c
// unless: rxe_net.c ib_get_curr_port_state
// hits: 2 rxe_hook_link(rxe)

@@
identifier notify =~ "^rxe_notify$", rxe;
@@
notify(...)
{
<...
(
  rxe_port_up(rxe);
+ rxe_hook_link(rxe);
|
  rxe_set_port_state(rxe);
+ rxe_hook_link(rxe);
)
...>
}
