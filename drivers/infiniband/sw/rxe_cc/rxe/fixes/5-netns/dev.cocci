// SPDX-License-Identifier: GPL-2.0
// A device knows the network namespace of its port.
// target: rxe_verbs.h
// hits: 1 struct rxe_netns *netns;

@@
@@
struct rxe_dev {
...
+ struct rxe_netns *netns;
};
