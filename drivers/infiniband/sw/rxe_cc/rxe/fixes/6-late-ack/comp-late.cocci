// SPDX-License-Identifier: GPL-2.0
// Completer: what has been acknowledged before says nothing of the READ that is answered.
// target: rxe_comp.c
// hits: 1 An ACK of something older

@@
identifier qp, pkt;
@@
- if (pkt->mask & RXE_END_MASK)
-	qp->comp.opcode = -1;
- else
-	qp->comp.opcode = pkt->opcode;
+ /* An ACK of something older tells nothing of the READ that is answered. */
+ if (psn_compare(pkt->psn, qp->comp.psn) >= 0)
+	qp->comp.opcode = pkt->mask & RXE_END_MASK ? -1 : pkt->opcode;
