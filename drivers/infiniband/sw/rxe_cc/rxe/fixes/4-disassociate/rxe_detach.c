// SPDX-License-Identifier: GPL-2.0
/*
 * Devices go while verbs contexts are open.
 */
#include <linux/vmalloc.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_detach.h"

/**
 * rxe_disassociate() - a verbs context loses its device
 * @context: the context; all its objects are gone
 *
 * That this exists lets a device go while contexts are open: the verbs core has
 * destroyed their objects, woken all who wait for events and will refuse any
 * other command. Queues that are mapped are plain memory; they stay with the
 * mapping (rxe_mmap.c) and are not looked at any more.
 */
void rxe_disassociate(struct ib_ucontext *context)
{
}

/**
 * rxe_map_queue() - map a queue
 * @vma: where to
 * @obj: the queue
 *
 * Return: 0 or an error. The mapping holds the module.
 */
int rxe_map_queue(struct vm_area_struct *vma, void *obj)
{
	int err;

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;

	err = remap_vmalloc_range(vma, obj, 0);
	if (err)
		module_put(THIS_MODULE);
	return err;
}

/**
 * rxe_unpend() - a queue's memory is about to be freed
 * @ip: what describes its mapping
 *
 * As long as it waits to be mapped the device and context exist. Once mapped
 * they need not, and the device's list no longer has it.
 */
void rxe_unpend(struct rxe_mmap_info *ip)
{
	struct rxe_dev *rxe;

	if (list_empty(&ip->pending_mmaps))
		return;

	rxe = to_rdev(ip->context->device);
	spin_lock_bh(&rxe->pending_lock);
	list_del(&ip->pending_mmaps);
	spin_unlock_bh(&rxe->pending_lock);
}
