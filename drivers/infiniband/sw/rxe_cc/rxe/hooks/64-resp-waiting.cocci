// SPDX-License-Identifier: GPL-2.0
// Responder: a peer may have as many PSNs unacknowledged as this port; room for two times that.
// target: rxe_resp.c
// needs: 15-waiting
// hits: 1 rxe_hook_max_waiting(

@@
identifier queue =~ "^rxe_resp_queue_pkt$", rxe;
@@
queue(...)
{
<...
  struct rxe_dev *rxe = ...;
...
- RXE_MAX_WAITING_REQS
+ rxe_hook_max_waiting(rxe)
...>
}
