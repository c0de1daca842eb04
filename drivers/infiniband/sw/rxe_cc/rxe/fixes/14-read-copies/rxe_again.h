/* SPDX-License-Identifier: GPL-2.0 */
/* Detects duplicate READ requests in the responder's queue. */
#ifndef RXE_AGAIN_H
#define RXE_AGAIN_H

#include "rxe.h"

bool rxe_read_waits_again(struct rxe_qp *qp, struct rxe_pkt_info *pkt);

#endif
