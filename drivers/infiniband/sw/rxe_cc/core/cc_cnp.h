/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which CNPs are believed.
 */
#ifndef _RXE_CC_CNP_H
#define _RXE_CC_CNP_H

#include "cc_qp.h"

void rxe_cc_cnps_again(struct rxe_cc_qp *qp, enum rxe_cc_side side);

#endif /* _RXE_CC_CNP_H */
