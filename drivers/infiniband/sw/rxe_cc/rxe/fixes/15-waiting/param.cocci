// SPDX-License-Identifier: GPL-2.0
// How many requests may wait.
// target: rxe_param.h
// hits: 1 RXE_MAX_WAITING_REQS

@@
@@
  enum rxe_device_param {
	...,
	RXE_MAX_UNACKED_PSNS		= 128,
+	RXE_MAX_WAITING_REQS		= 4096,
	...
  };
