/* SPDX-License-Identifier: GPL-2.0 */
/* A family rxe_cc behind a socket pair, for tests without the module. */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <pthread.h>

#include "../kernel_types.h"

#define FAKE_FAMILY	42
#define FAKE_PARAMS	8
#define FAKE_KNOBS	2

struct fake_param {
	const char *name;
	const char *unit;
	u64 def, min, max;
};

struct fake_dev {
	const char *name;
	char algo[16];
	u64 param[FAKE_PARAMS];
	u64 knob[FAKE_KNOBS];
	u64 counter;
	u64 anew_at;		/* there the counter begins again, at 2; 0: never */
};

/**
 * struct fake - the kernel's side
 * @fd: its end of the socket pair
 * @client: the end for struct rxe_nl
 * @loaded: the family exists
 * @admin: the caller has CAP_NET_ADMIN
 * @no_extack: errors come without words
 * @intr: that many dumps are marked as interrupted
 * @unknown: every object carries attributes no client knows
 * @dump_error: errno that ends dumps
 * @qps: queue pairs on rxe0
 * @qp_algo: algorithm of QP 17 when overridden
 * @sets: dev-set and qp-set requests seen
 * @commands: command requests seen
 * @arg: value of the last argument of those
 * @dumps: dumps seen
 * @devs: devices
 */
struct fake {
	int fd;
	int client;
	pthread_t thread;
	bool loaded;
	bool admin;
	bool no_extack;
	int intr;
	bool unknown;
	int dump_error;
	unsigned int qps;
	char qp_algo[16];
	unsigned int sets;
	unsigned int commands;
	u64 arg;
	unsigned int dumps;
	struct fake_dev devs[2];
};

extern const struct fake_param fake_params[FAKE_PARAMS];

void fake_start(struct fake *f);
void fake_stop(struct fake *f);

/* Sends a dev-ntf, dev-del-ntf or qp-ntf to the client. */
void fake_notify(struct fake *f, u8 cmd);

#endif
