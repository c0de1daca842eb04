/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The job: what the host side tells labinit, as a JSON file. All its keys are in job_file_keys.h.
 * Both sides name a key by its constant, so that a misspelled one does not compile; labinit
 * refuses a job with a key that is not there.
 *
 * To add a key: a line in job_file_keys.h, job_add_...() where lab writes it (job/, feature/,
 * scenario/, boot/, replay/, programs/), job_...() where labinit reads it (guest/). The test
 * job_file.sh finds a key that only one side knows. Options of ports are read, and most are
 * written, by what their line says.
 */
#ifndef LAB_COMMON_JOB_FILE_H
#define LAB_COMMON_JOB_FILE_H

#include "common/util.h"

/* The objects of a job. */
enum job_object {
	JOB_TOP,
	JOB_NODE,
	JOB_LINK,
	JOB_PORT,
	JOB_PRIO,
	JOB_DSCP,
	JOB_CC,
	JOB_HIST,
	JOB_REAL,
	JOB_PROGRAM,
	JOB_PLAN,
	JOB_FLOW,
	JOB_PINGPONG,
	JOB_EVENT,
	JOB_GROUP,
};

/* What is behind a key. */
enum job_kind {
	JOB_STR,
	JOB_INT,
	JOB_BOOL,
	JOB_STRS,		/* list of strings */
	JOB_PAIRS,		/* list of pairs of strings */
	JOB_INTS,		/* list of integers */
	JOB_MAP,		/* object; its keys are names that others give: parameters, ... */
	JOB_OBJ,		/* object of the kind that stands behind */
	JOB_LIST,		/* list of such objects */
};

enum job_key {
#define K(constant, ...) constant,
#include "common/job_file_keys.h"
#undef K
	J_KEYS
};

/**
 * struct job_def - a key of a job
 * @name: in the file
 * @object: that it is in
 * @of: object or list: what it holds
 * @kind: of its value
 * @attr: option of the "roce" qdisc: its attribute; 0: it is none
 * @bytes: of that attribute
 * @group: of options whose values are those of keys of the scenario; NULL: none
 * @key: that key
 */
struct job_def {
	const char *name;
	enum job_object object, of;
	enum job_kind kind;
	uint16_t attr;
	uint8_t bytes;
	const char *group, *key;
};

extern const struct job_def job_defs[J_KEYS];

struct json_object *job_get(struct json_object *o, enum job_key key);
const char *job_str(struct json_object *o, enum job_key key, const char *def);
int64_t job_int(struct json_object *o, enum job_key key, int64_t def);
bool job_bool(struct json_object *o, enum job_key key, bool def);

void job_add(struct json_object *o, enum job_key key, struct json_object *val);
void job_add_str(struct json_object *o, enum job_key key, const char *val);
void job_add_int(struct json_object *o, enum job_key key, int64_t val);
void job_add_bool(struct json_object *o, enum job_key key, bool val);

char *job_check(struct json_object *job);

#endif /* LAB_COMMON_JOB_FILE_H */
