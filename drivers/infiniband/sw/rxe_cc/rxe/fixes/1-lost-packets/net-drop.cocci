// SPDX-License-Identifier: GPL-2.0
// A packet lost below rxe is a lost packet: go-back-N repairs it, the QP lives.
// target: rxe_net.c
// hits: 1 net_xmit_eval(err)
// hits: 1 go-back-N and the retry count deal with it
// hits: 1 void rxe_xmit_packet(

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
identifier xmit =~ "^rxe_xmit_packet$", rxe, err, skb;
@@
- int
+ void
xmit(...)
{
<...
(
  rxe_counter_inc(rxe, RXE_CNT_SEND_ERR);
- return err;
+ /* As one lost on the way: go-back-N and the retry count deal with it. */
+ return;
|
- goto done;
+ return;
|
  kfree_skb(skb);
- err = 0;
-done:
- return err;
)
...>
}
