// SPDX-License-Identifier: GPL-2.0
// A mapping may outlive its device: it keeps the module, and needs no device to go.
// target: rxe_mmap.c
// hits: 1 rxe_unpend(
// hits: 1 rxe_map_queue(
// hits: 1 __module_get(THIS_MODULE)
// hits: 1 module_put(THIS_MODULE)
// hits: 1 "rxe_detach.h"

@@
@@
  #include "rxe_loc.h"
+ #include "rxe_detach.h"

@@
identifier ip, rxe;
@@
rxe_mmap_release(...)
{
...
- struct rxe_dev *rxe = to_rdev(ip->context->device);
-
- spin_lock_bh(&rxe->pending_lock);
-
- if (!list_empty(&ip->pending_mmaps))
-	list_del(&ip->pending_mmaps);
-
- spin_unlock_bh(&rxe->pending_lock);
+ rxe_unpend(ip);
...
}

@@
identifier ip;
@@
rxe_vma_open(...)
{
...
  kref_get(&ip->ref);
+ __module_get(THIS_MODULE);
}

@@
identifier ip;
@@
rxe_vma_close(...)
{
...
  kref_put(&ip->ref, rxe_mmap_release);
+ module_put(THIS_MODULE);
}

@@
expression vma, obj;
@@
- remap_vmalloc_range(vma, obj, 0)
+ rxe_map_queue(vma, obj)
