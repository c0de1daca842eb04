/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: features of switches beside forwarding (Mercury, IOFD, LSCC). Each has a file that says
 * which keys switch it on and what ports and hosts are told.
 */
#ifndef LAB_FEATURE_SWITCH_FEATURES_H
#define LAB_FEATURE_SWITCH_FEATURES_H

#include "lab.h"

/**
 * struct switch_feature - a feature of the switches' ports
 * @name: as tc calls it
 * @keeps_queue: the ports of switches at long links do not mark, it keeps a queue there
 * @tells_senders: its switches send them feedback, which hosts are to believe
 * @check: what the keys say, before there is a plan: 0, or the exit status after a message;
 *	may be NULL
 * @mode: does it run, and in which way, with hosts that are set to @cc (cc_json()): 0 if not
 * @check_cc: the same as @check, where the algorithm has a say; may be NULL
 * @port: a port of a switch, where the feature is in use: what the port is told, the first of
 *	its priorities is the data's; false if the feature does not run at this one
 * @knobs: what hosts are told besides where it runs; may be NULL
 */
struct switch_feature {
	const char *name;
	bool keeps_queue, tells_senders;
	int (*check)(struct scenario *sc);
	int (*mode)(struct plan *p, struct json_object *cc);
	int (*check_cc)(struct plan *p, struct json_object *cc);
	bool (*port)(struct plan *p, const struct lab_link *l, int node,
		     struct json_object *port);
	void (*knobs)(struct plan *p, struct json_object *knobs);
};

int switch_features_check(struct scenario *sc);
int switch_features_hosts(struct plan *p, struct json_object *cc);
void switch_features_set(struct plan *p, struct json_object *cc);
void switch_features_port(struct plan *p, const struct lab_link *l, int node,
			  struct json_object *port);
int64_t switch_features_totals(struct plan *p, struct json_object *ports,
			       struct json_object *summary);

#endif /* LAB_FEATURE_SWITCH_FEATURES_H */
