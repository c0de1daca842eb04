// SPDX-License-Identifier: GPL-2.0
// Sockets of a namespace count each device once, under a lock.
// target: rxe_net.c
// hits: 2 rxe_net_leave(rxe, dev_net(ndev))
// hits: 1 rxe->in_ns = true
// hits: 2 mutex_lock(&rxe_net_lock)
// hits: 1 static int rxe_net_join(

@@
identifier add =~ "^rxe_net_add$";
@@
+/*
+ * Guards the sockets of all namespaces. Taken below RTNL, by rxe_notify(), so
+ * nothing that takes RTNL may be called with it.
+ */
+static struct mutex rxe_net_lock = __MUTEX_INITIALIZER(rxe_net_lock);
+
+static void rxe_net_leave(struct rxe_dev *rxe, struct net *net);
+
int add(...)
{ ... }

@@
identifier rxe, ndev, name, err;
@@
int rxe_net_add(const char *name, struct net_device *ndev)
{
	...
	ib_mark_name_assigned_by_user(&rxe->ib_dev);
+
+	err = rxe_net_init(ndev);
+	if (err) {
+		ib_dealloc_device(&rxe->ib_dev);
+		return err;
+	}
+	/* Once others see the device they may remove it. */
+	rxe->in_ns = true;
	err = rxe_add(rxe, ndev->mtu, name, ndev);
	if (err) {
+		rxe_net_leave(rxe, dev_net(ndev));
		ib_dealloc_device(&rxe->ib_dev);
		return err;
	}
	...
}

@@
@@
+/* rxe_net_leave() - the device uses the sockets of its namespace no more */
+static void rxe_net_leave(struct rxe_dev *rxe, struct net *net)
+{
+	struct sock *sk;
+
+	mutex_lock(&rxe_net_lock);
+	if (rxe->in_ns) {
+		rxe->in_ns = false;
+		sk = rxe_ns_pernet_sk4(net);
+		if (sk)
+			rxe_sock_put(sk, rxe_ns_pernet_set_sk4, net);
+		sk = rxe_ns_pernet_sk6(net);
+		if (sk)
+			rxe_sock_put(sk, rxe_ns_pernet_set_sk6, net);
+	}
+	mutex_unlock(&rxe_net_lock);
+}
+
void rxe_net_del(struct ib_device *dev)
{ ... }

@@
identifier dev, ndev, sk, net;
@@
void rxe_net_del(struct ib_device *dev)
{
+	struct rxe_dev *rxe = container_of(dev, struct rxe_dev, ib_dev);
	struct net_device *ndev;
-	struct sock *sk;
-	struct net *net;
	...
-	net = dev_net(ndev);
-	sk = rxe_ns_pernet_sk4(net);
-	if (sk)
-		rxe_sock_put(sk, rxe_ns_pernet_set_sk4, net);
-	sk = rxe_ns_pernet_sk6(net);
-	if (sk)
-		rxe_sock_put(sk, rxe_ns_pernet_set_sk6, net);
+	rxe_net_leave(rxe, dev_net(ndev));
	dev_put(ndev);
}

@@
identifier ndev;
@@
-int rxe_net_init(struct net_device *ndev)
+static int rxe_net_join(struct net_device *ndev)
{ ... }
+
+int rxe_net_init(struct net_device *ndev)
+{
+	int err;
+
+	mutex_lock(&rxe_net_lock);
+	err = rxe_net_join(ndev);
+	mutex_unlock(&rxe_net_lock);
+
+	return err;
+}
