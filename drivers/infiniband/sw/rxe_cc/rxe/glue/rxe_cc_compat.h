/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-ins for what the hooks use of the fixes of rxe, for when a fix is left out
 * (fixes/README), and of the kernel. rxe_fixes.h, which apply.sh writes, names the fixes that
 * are in.
 */
#ifndef RXE_CC_COMPAT_H
#define RXE_CC_COMPAT_H

#include "rxe_fixes.h"

/* Later kernels have no name for it. */
#ifndef RXE_PORT
#define RXE_PORT		1
#endif

#ifdef RXE_FIX_NETNS
#include "rxe_netns.h"
#else
static inline int rxe_netns_register(struct rxe_dev *rxe, struct net_device *ndev,
				     const char *name)
{
	return ib_register_device(&rxe->ib_dev, name, NULL);
}
#endif

/* The PSN behind the last one that was ever sent. */
static inline u32 rxe_unsent_psn(const struct rxe_qp *qp)
{
#ifdef RXE_FIX_UNSENT_ACK
	return qp->req.unsent_psn;
#else
	return qp->req.psn;
#endif
}

#ifndef RXE_FIX_WAITING
#define RXE_MAX_WAITING_REQS	0
#endif

#endif /* RXE_CC_COMPAT_H */
