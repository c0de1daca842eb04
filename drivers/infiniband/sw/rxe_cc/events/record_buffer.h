/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A buffer of records that a reader takes from: events and answers of rxe_cc_events.ko, samples
 * of roce_watch.ko. It grows in chunks, so that a writer in softirq finds room without moving
 * what there is.
 */
#ifndef _RXE_CC_RECORD_BUFFER_H
#define _RXE_CC_RECORD_BUFFER_H

#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#define RECORDS_CHUNK_BYTES	(64 * 1024 - sizeof(struct records_chunk))

/**
 * struct records_chunk - some records
 * @list: in &records.chunks, oldest first
 * @size: bytes there is room for
 * @used: bytes written
 * @taken: bytes read
 * @data: whole records
 */
struct records_chunk {
	struct list_head list;
	size_t size;
	size_t used;
	size_t taken;
	u8 data[] __aligned(8);
};

/**
 * struct records - what has not been read
 * @lock: guards the rest
 * @chunks: the records
 * @bytes: room in @chunks
 * @lost: a record found no room
 */
struct records {
	spinlock_t lock; /* see above */
	struct list_head chunks;
	size_t bytes;
	bool lost;
};

static inline void records_init(struct records *r)
{
	spin_lock_init(&r->lock);
	INIT_LIST_HEAD(&r->chunks);
	r->bytes = 0;
	r->lost = false;
}

static inline void records_free(struct records *r)
{
	struct records_chunk *c, *next;

	list_for_each_entry_safe(c, next, &r->chunks, list)
		kfree(c);
	records_init(r);
}

/* A record of @len bytes, zeroed; NULL when it is lost, with @max bytes in use or without memory.
 * Under @r->lock, or what else keeps the reader away until it is filled in.
 */
static inline void *records_add(struct records *r, size_t len, size_t max, gfp_t gfp)
{
	struct records_chunk *c = NULL;
	size_t size = max(len, RECORDS_CHUNK_BYTES);

	if (!list_empty(&r->chunks))
		c = list_last_entry(&r->chunks, struct records_chunk, list);
	if (!c || c->used + len > c->size) {
		c = r->bytes < max ? kmalloc(sizeof(*c) + size, gfp | __GFP_NOWARN) : NULL;
		if (!c) {
			r->lost = true;
			return NULL;
		}
		c->size = size;
		c->used = 0;
		c->taken = 0;
		r->bytes += size;
		list_add_tail(&c->list, &r->chunks);
	}
	c->used += len;
	return memset(c->data + c->used - len, 0, len);
}

/* Bytes that are read, or -EFAULT. With @len, the length of a record: whole records only. One
 * reader at a time. What it copies is off the list: no writer adds to it any more.
 */
static inline ssize_t records_read(struct records *r, char __user *to, size_t count,
				   size_t (*len)(const void *record))
{
	struct records_chunk *c;
	size_t part, n = 0;
	bool more = true;

	while (more && n < count) {
		spin_lock_irq(&r->lock);
		c = list_first_entry_or_null(&r->chunks, struct records_chunk, list);
		if (c)
			list_del(&c->list);
		spin_unlock_irq(&r->lock);
		if (!c)
			break;
		part = len ? len(c->data + c->taken) : min(count - n, c->used - c->taken);
		more = part <= count - n && !copy_to_user(to + n, c->data + c->taken, part);
		if (more) {
			c->taken += part;
			n += part;
		} else if (part <= count - n) {
			n = -EFAULT;
		}
		spin_lock_irq(&r->lock);
		if (c->taken < c->used)
			list_add(&c->list, &r->chunks);
		else
			r->bytes -= c->size;
		spin_unlock_irq(&r->lock);
		if (c->taken == c->used)
			kfree(c);
	}
	return n;
}

#endif /* _RXE_CC_RECORD_BUFFER_H */
