/* SPDX-License-Identifier: GPL-2.0 */
/* Options of "lab sweep" that commands take which make their runs by it. */
#ifndef LAB_SWEEP_SWEEP_OPTIONS_H
#define LAB_SWEEP_SWEEP_OPTIONS_H

#include "lib/options.h"

/* Rows; at: where the words go, a struct option_list. */
#define SWEEP_HANDED_ON(at)						\
	OPTION_HAND_ON("jobs", "N", at), OPTION_HAND_ON("sshlogin", "LIST", at),	\
	OPTION_HAND_ON("ssh", "COMMAND", at), OPTION_HAND_ON("remote-dir", "DIR", at),	\
	OPTION_HAND_ON("slurm", NULL, at), OPTION_HAND_ON("slurm-opt", "OPTION", at),	\
	OPTION_HAND_ON("retries", "N", at), OPTION_HAND_ON("force", NULL, at),	\
	OPTION_HAND_ON("timeout", "S", at), OPTION_HAND_ON("mem", "MB", at)

#endif /* LAB_SWEEP_SWEEP_OPTIONS_H */
