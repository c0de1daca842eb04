// SPDX-License-Identifier: GPL-2.0
// Responder: a request that the peer cannot have sent gets no NAK.
// target: rxe_resp.c
// hits: 1 rxe_hook_req_far(

@@
identifier check =~ "^check_psn$", qp, pkt;
@@
check(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
<...
- if (qp->resp.sent_psn_nak)
+ if (qp->resp.sent_psn_nak || rxe_hook_req_far(qp, pkt))
	return RESPST_CLEANUP;
...>
}
