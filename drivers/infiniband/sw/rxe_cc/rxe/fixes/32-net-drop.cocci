// SPDX-License-Identifier: GPL-2.0
// A packet lost below rxe is a lost packet: go-back-N repairs it, the QP lives.
// target: rxe_net.c
// hits: 1 net_xmit_eval(err)
// hits: 1 rxe_hook_lost(err)

@@
identifier send =~ "^rxe_send$";
@@
send(...)
{
...
- return err;
+ return net_xmit_eval(err);
}

@@
identifier xmit =~ "^rxe_xmit_packet$", rxe;
@@
xmit(...)
{
<...
  rxe_counter_inc(rxe, RXE_CNT_SEND_ERR);
- return err;
+ return rxe_hook_lost(err);
...>
}
