// SPDX-License-Identifier: GPL-2.0
// A mapping needs neither queue, device nor module: the pages are its own.
// target: rxe_mmap.c
// hits: 0 vm_ops
// hits: 0 rxe_vma_
// hits: 1 The mapping holds the pages

@@
@@
- static void rxe_vma_open(...) { ... }

@@
@@
- static void rxe_vma_close(...) { ... }

@@
@@
- static const struct vm_operations_struct rxe_vm_ops = { ... };

@@
identifier vma, ip, ret;
@@
- vma->vm_ops = &rxe_vm_ops;
- vma->vm_private_data = ip;
  ret = remap_vmalloc_range(vma, ip->obj, 0);
- if (ret) {
-	vma->vm_private_data = NULL;
-	vma->vm_ops = NULL;
-	kref_put(&ip->ref, rxe_mmap_release);
+ if (ret)
	rxe_dbg_dev(...);
-	goto done;
- }
+ /* The mapping holds the pages themselves. */
+ kref_put(&ip->ref, rxe_mmap_release);
