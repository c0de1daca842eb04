/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Devices go while verbs contexts are open.
 */
#ifndef RXE_DETACH_H
#define RXE_DETACH_H

struct ib_ucontext;
struct rxe_mmap_info;
struct vm_area_struct;

void rxe_disassociate(struct ib_ucontext *context);
int rxe_map_queue(struct vm_area_struct *vma, void *obj);
void rxe_unpend(struct rxe_mmap_info *ip);

#endif /* RXE_DETACH_H */
