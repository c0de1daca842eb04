/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: recording of congestion control events by rxe_cc_events.ko. The same .c file has
 * their replay, replay_job() of labinit.h.
 */
#ifndef LAB_GUEST_CC_EVENT_RECORD_REPLAY_H
#define LAB_GUEST_CC_EVENT_RECORD_REPLAY_H

#include "guest/rdma_devices_and_cc.h"

struct recorder {
	int fd;				/* -1: nothing is recorded */
	FILE *out;
	char *buf;
};

int recorder_open(struct recorder *r, struct json_object *job, const char *out);
int recorder_params(struct recorder *r, struct nl *cc, const char *dev, const char *out);
int recorder_drain(struct recorder *r);
int recorder_close(struct recorder *r);

#endif /* LAB_GUEST_CC_EVENT_RECORD_REPLAY_H */
