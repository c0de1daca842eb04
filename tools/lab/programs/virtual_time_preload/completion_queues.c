// SPDX-License-Identifier: GPL-2.0
/*
 * Polls of completion queues. libibverbs calls a provider's functions through pointers in the
 * context of a device, and for queues of ibv_create_cq_ex() in the queue.
 */
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "preload.h"

#define CONTEXTS_MAX	64

struct queue {
	struct queue *next;
	struct ibv_cq_ex *cq;
	int (*start_poll)(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct context {
	struct ibv_context *context;
	int (*poll_cq)(struct ibv_cq *cq, int n, struct ibv_wc *wc);
	struct ibv_cq_ex *(*create_cq_ex)(struct ibv_context *context,
					  struct ibv_cq_init_attr_ex *attr);
} contexts[CONTEXTS_MAX];
static unsigned int n_contexts;
static struct queue *queues;

/* What the queues have had; nothing in a program that has no device open. */
void queues_look(struct vtime_words *words)
{
	words->n = 0;
	if (n_contexts)
		maps_words(words);
}

/* Packets for these devices may be writes to memory that the program polls. */
unsigned int queues_devices(char names[WAIT_DEVICES][WAIT_DEVICE_NAME])
{
	unsigned int i, n = 0;

	pthread_mutex_lock(&lock);
	for (i = 0; i < n_contexts && n < WAIT_DEVICES; i++)
		snprintf(names[n++], WAIT_DEVICE_NAME, "%s", contexts[i].context->device->name);
	pthread_mutex_unlock(&lock);
	return n;
}

static struct context context_of(const struct ibv_context *context)
{
	struct context found = { 0 };
	unsigned int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < n_contexts; i++)
		if (contexts[i].context == context)
			found = contexts[i];
	pthread_mutex_unlock(&lock);
	return found;
}

static int poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	struct vtime_words before;
	int found;

	queues_look(&before);
	found = context_of(cq->context).poll_cq(cq, n, wc);
	if (!found) {
		poll_empty_queue(cq, &before);
		return 0;
	}
	poll_found();
	if (found > 0)
		host_cost_completions(found);
	return found;
}

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	struct vtime_words before;
	struct queue *q;
	int rc;

	pthread_mutex_lock(&lock);
	for (q = queues; q->cq != cq; q = q->next)
		;
	pthread_mutex_unlock(&lock);
	queues_look(&before);
	rc = q->start_poll(cq, attr);
	if (rc == ENOENT) {
		poll_empty_queue(cq, &before);
		return rc;
	}
	poll_found();
	if (!rc)
		host_cost_completions(1);
	return rc;
}

/* A queue's memory may be used for another one later: its entry is, too. */
static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context,
				      struct ibv_cq_init_attr_ex *attr)
{
	struct ibv_cq_ex *cq = context_of(context).create_cq_ex(context, attr);
	struct queue *q;

	if (!cq || !cq->start_poll)
		return cq;
	pthread_mutex_lock(&lock);
	for (q = queues; q && q->cq != cq; q = q->next)
		;
	if (!q) {
		q = calloc(1, sizeof(*q));
		if (q) {
			q->cq = cq;
			q->next = queues;
			queues = q;
		}
	}
	if (q) {
		q->start_poll = cq->start_poll;
		cq->start_poll = start_poll;
		host_cost_queue(cq);
	}
	pthread_mutex_unlock(&lock);
	return cq;
}

static void opened(struct ibv_context *context)
{
	struct verbs_context *v = verbs_get_ctx(context);
	struct context *c;

	pthread_mutex_lock(&lock);
	if (n_contexts < CONTEXTS_MAX) {
		c = &contexts[n_contexts++];
		c->context = context;
		c->poll_cq = context->ops.poll_cq;
		context->ops.poll_cq = poll_cq;
		if (v && v->create_cq_ex) {
			c->create_cq_ex = v->create_cq_ex;
			v->create_cq_ex = create_cq_ex;
		}
		host_cost_opened(context);
	}
	pthread_mutex_unlock(&lock);
}

static void closed(const struct ibv_context *context)
{
	unsigned int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < n_contexts; i++)
		if (contexts[i].context == context)
			contexts[i--] = contexts[--n_contexts];
	pthread_mutex_unlock(&lock);
}

static void *real(const char *name)
{
	return verbs_function(name, "IBVERBS_1.1");
}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *(*open)(struct ibv_device *device) = real("ibv_open_device");
	struct ibv_context *context = open ? open(device) : NULL;

	if (context && vtime_on)
		opened(context);
	return context;
}

EXPORT int ibv_close_device(struct ibv_context *context)
{
	int (*close)(struct ibv_context *context) = real("ibv_close_device");

	closed(context);
	return close ? close(context) : -1;
}

/* Each event is an interrupt of the host. */
EXPORT int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **ctx)
{
	int (*get)(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **ctx) =
		real("ibv_get_cq_event");
	int rc = get ? get(channel, cq, ctx) : -1;

	if (!rc && vtime_on)
		host_cost_interrupt();
	return rc;
}
