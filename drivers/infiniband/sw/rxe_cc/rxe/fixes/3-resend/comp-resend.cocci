// SPDX-License-Identifier: GPL-2.0
// Completer: a late ACK must not step over the end of a message that is being sent again.
// target: rxe_comp.c
// hits: 1 the end stays to be acknowledged

@@
expression qp, pkt;
@@
  if (psn_compare(pkt->psn, qp->comp.psn) >= 0)
-	qp->comp.psn = (pkt->psn + 1) & BTH_PSN_MASK;
+ {
+	/* Of what is sent again, the end stays to be acknowledged. */
+	if (wqe->state == wqe_state_processing && wqe->last_psn == pkt->psn)
+		qp->comp.psn = pkt->psn;
+	else
+		qp->comp.psn = (pkt->psn + 1) & BTH_PSN_MASK;
+ }
