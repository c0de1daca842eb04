// SPDX-License-Identifier: GPL-2.0
// Responder: a READ that is repeated has a length of its own.
// target: rxe_resp.c
// hits: 2 if (!res->replay) {
// hits: 1 if (!mr && res->read.length)
// hits: 1 res->read.length && reth_rkey(pkt)

@@
identifier reply =~ "^read_reply$", qp, res, mr;
@@
reply(struct rxe_qp *qp, ...)
{
<...
  if (
-     !res->replay || qp->resp.length == 0
+     !res->replay
  ) { ... } else {
	mr = rxe_recheck_mr(qp, res->read.rkey);
-	if (!mr)
+	if (!mr && res->read.length)
		return RESPST_ERR_RKEY_VIOLATION;
  }
...>
}

@@
identifier dup =~ "^duplicate_request$", pkt, res;
@@
dup(..., struct rxe_pkt_info *pkt)
{
<...
- if (reth_rkey(pkt) != res->read.rkey)
+ if (res->read.length && reth_rkey(pkt) != res->read.rkey)
  { ... }
...>
}
