// SPDX-License-Identifier: GPL-2.0
// Device life cycle: register.
// target: rxe_verbs.c
// hits: 1 rxe_hook_register(rxe, ndev,

@@
@@
- rxe_netns_register
+ rxe_hook_register
  (rxe, ndev, ...)
