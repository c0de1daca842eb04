// SPDX-License-Identifier: GPL-2.0
// In the lab's virtual time, tasks run without a worker where they can.
// target: rxe_task.c
// hits: 1 rxe_hook_queue_work(rxe_wq, &task->work)

@@
@@
- queue_work
+ rxe_hook_queue_work
  (rxe_wq, ...)
