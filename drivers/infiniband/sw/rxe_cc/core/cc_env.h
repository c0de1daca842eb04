/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What port, path and peer say, into a flow; and which telemetry it has for that.
 */
#ifndef _RXE_CC_ENV_H
#define _RXE_CC_ENV_H

#include "cc_qp.h"

void rxe_cc_qp_env(const struct rxe_cc_qp *qp, struct rxe_cc_env *env);
void rxe_cc_qp_set_env(struct rxe_cc_qp *qp);
void rxe_cc_owd_forget(struct rxe_cc_qp *qp);
int rxe_cc_qp_telemetry_state(const struct rxe_cc_qp *qp);

#endif /* _RXE_CC_ENV_H */
