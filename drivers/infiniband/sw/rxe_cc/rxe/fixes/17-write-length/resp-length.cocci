// SPDX-License-Identifier: GPL-2.0
// Responder: the data of a WRITE is as long as its RETH says.
// target: rxe_resp.c
// hits: 1 RXE_WRITE_MASK && payload_size(pkt)
// hits: 1 resid > mtu && !(pkt->mask & RXE_END_MASK)

@@
identifier check =~ "^check_rkey$", qp, pkt;
@@
check(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
  <...
  qp->resp.mr = NULL;
+ if (pkt->mask & RXE_WRITE_MASK && payload_size(pkt))
+	return RESPST_ERR_LENGTH;
  return RESPST_EXECUTE;
  ...>
}

@@
identifier check =~ "^check_rkey$", qp, pkt, resid, mtu;
statement S1, S2;
@@
check(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
  <...
- if (resid > mtu)
+ if (resid > mtu && !(pkt->mask & RXE_END_MASK))
  S1 else S2
  ...>
}
