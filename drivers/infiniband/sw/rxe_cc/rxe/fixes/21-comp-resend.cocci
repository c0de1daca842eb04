// SPDX-License-Identifier: GPL-2.0
// Completer: a late ACK must not step over the end of a message that is being sent again.
// target: rxe_comp.c
// hits: 1 rxe_hook_comp_psn(

@@
expression qp, pkt;
@@
  if (psn_compare(pkt->psn, qp->comp.psn) >= 0)
- qp->comp.psn = (pkt->psn + 1) & BTH_PSN_MASK;
+ qp->comp.psn = rxe_hook_comp_psn(wqe, pkt->psn);
