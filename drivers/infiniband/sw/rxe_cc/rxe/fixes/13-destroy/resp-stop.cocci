// SPDX-License-Identifier: GPL-2.0
// Responder: of a queue pair that is being destroyed.
// target: rxe_resp.c
// hits: 1 qp->resp.stop

@@
identifier receive =~ "^rxe_receiver$", qp;
expression error, reset;
@@
receive(struct rxe_qp *qp)
{
  <...
- if (!qp->valid || error || reset)
+ if (!qp->valid || qp->resp.stop || error ||
+     reset)
  { ... }
  ...>
}
