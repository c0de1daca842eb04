/* SPDX-License-Identifier: GPL-2.0 */
/* READs that a responder is asked for more than once. */
#ifndef RXE_AGAIN_H
#define RXE_AGAIN_H

#include "rxe.h"

bool rxe_read_waits_again(struct rxe_qp *qp, struct rxe_pkt_info *pkt);

#endif
