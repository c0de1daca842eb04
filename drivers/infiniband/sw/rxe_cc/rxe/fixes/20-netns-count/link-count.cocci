// SPDX-License-Identifier: GPL-2.0
// The sockets count a device that there is: rxe_net_add() asks for that.
// target: rxe.c
// hits: 0 rxe_net_init(

@@
expression err, ndev;
@@
-	err = rxe_net_init(ndev);
-	if (err)
-		return err;
-
	err = rxe_net_add(..., ndev);
