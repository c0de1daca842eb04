// SPDX-License-Identifier: GPL-2.0
// Responder: of READs that are the same, the last is answered.
// target: rxe_resp.c
// hits: 1 rxe_read_waits_again(
// hits: 1 "rxe_again.h"

@@
@@
  #include "rxe_loc.h"
+ #include "rxe_again.h"

@@
identifier dup =~ "^duplicate_request$", qp, pkt, res;
expression differs;
@@
dup(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
<...
  if (
(
      reth_rkey(pkt) != res->read.rkey
|
      differs && reth_rkey(pkt) != res->read.rkey
)
     ) { ... }
+
+ if (rxe_read_waits_again(qp, pkt)) {
+	rc = RESPST_CLEANUP;
+	goto out;
+ }
...>
}
