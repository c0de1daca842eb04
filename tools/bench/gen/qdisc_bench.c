// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel module that sends packets through a qdisc, from within the lab kernel, and measures
 * what they cost.
 *
 * A timer sends bursts of full-sized RoCEv2 packets to a device, as a port of
 * a switch gets them: from softirq, with nobody waiting for them, with the interface
 * they came in by, with room for telemetry in front. A sender in user space
 * would cost more for each packet than the qdisc does: system calls are dear
 * in User-Mode Linux. The kernel's pktgen passes the time by reading the clock
 * in a loop, which stops virtual time.
 *
 *	echo "DEV IIF plain|int|owned PACKETS BURST PERIOD_NS" >/sys/kernel/debug/qdisc_bench
 *	cat /sys/kernel/debug/qdisc_bench
 *
 * sends PACKETS packets to DEV, as if they had come in by IIF, in bursts of
 * BURST every PERIOD_NS, and returns when all are through. Owned packets have a
 * sender that is told when they are gone, as the RDMA device of a host is. The answer is "CPU
 * time in ns, timer interrupts, packets": all that the lab kernel's process
 * consumed meanwhile, packets made and freed and interrupts included. The same
 * without a qdisc is to be subtracted.
 */
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/hrtimer.h>
#include <linux/ip.h>
#include <linux/kernel_stat.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/udp.h>
#include <linux/utsname.h>
#include <net/dsfield.h>
#include <net/ip.h>
#include <rxe_cc/int_wire.h>
#include <rxe_cc/version.h>

#if !defined(CONFIG_UML) || !defined(CONFIG_X86_64)
#error "asks the host of a User-Mode Linux on x86-64 for the CPU time"
#endif

#define BENCH_PAYLOAD	1024
#define BENCH_BTH	12
#define BENCH_ICRC	4
#define BENCH_BYTES	(ETH_HLEN + sizeof(struct iphdr) + sizeof(struct udphdr) + \
			 BENCH_BTH + BENCH_PAYLOAD + BENCH_ICRC)
#define BENCH_PORT	4791
#define BENCH_DSCP	26
#define BENCH_ECT_0	2
#define BENCH_HOPS	8
/* Room for the metadata of all hops, as a source of telemetry leaves it. */
#define BENCH_HEADROOM	(BENCH_HOPS * 4 * RXE_CC_INT_HPCC_HOP_ML + 64)
#define BENCH_WARM_UP	2000
#define BENCH_MAX	10000000
#define BENCH_PERIOD_MAX_NS	1000000000ULL

/* What packets are, besides RoCEv2. */
enum bench_kind {
	BENCH_PLAIN,
	BENCH_INT,
	BENCH_OWNED,
};

static const char *const bench_kinds[] = { "plain", "int", "owned" };

/**
 * struct bench - one run
 * @timer: of the bursts
 * @done: all packets have been handed over
 * @dev: gets them
 * @iif: interface index that they carry
 * @left: packets still to send
 * @burst: packets of a burst
 * @period: time between bursts
 * @owned: packets have a destructor
 * @failed: no memory for a packet
 * @packet: what is sent
 */
struct bench {
	struct hrtimer timer;
	struct completion done;
	struct net_device *dev;
	int iif;
	unsigned int left;
	unsigned int burst;
	ktime_t period;
	bool owned;
	bool failed;
	u8 packet[BENCH_BYTES];
};

/* Serialises runs; protects bench_result. */
static DEFINE_MUTEX(bench_lock);
static char bench_result[64];
static struct dentry *bench_file;

/*
 * CPU time of this process of the host. Time travel bends every clock that the
 * kernel has, so the host is asked, by a system call of its own.
 */
static u64 bench_cpu_ns(void)
{
	struct {
		s64 sec;
		s64 nsec;
	} ts = { };
	long ret;

	/* clock_gettime(CLOCK_PROCESS_CPUTIME_ID) */
	asm volatile("syscall" : "=a" (ret) : "0" (228L), "D" (2L), "S" (&ts)
		     : "rcx", "r11", "memory");
	return ret ? 0 : ts.sec * NSEC_PER_SEC + ts.nsec;
}

/* Header of a source that wants what HPCC needs from each hop. */
static void bench_build_int(void *p)
{
	struct rxe_cc_int_shim *shim = p;
	struct rxe_cc_int_md *md = (void *)(shim + 1);

	shim->type_npt = RXE_CC_INT_TYPE_MD;
	shim->length = RXE_CC_INT_MD_WORDS;
	md->ver_flags = RXE_CC_INT_VERSION;
	md->hop_ml = RXE_CC_INT_HPCC_HOP_ML;
	md->rem_hop = BENCH_HOPS;
	md->instr = htons(RXE_CC_INT_HPCC_INSTR);
	md->domain = htons(RXE_CC_INT_DOMAIN);
	md->ds_instr = htons(RXE_CC_INT_HPCC_DS);
}

static void bench_build(struct bench *b, bool with_int)
{
	struct ethhdr *eth = (void *)b->packet;
	struct iphdr *iph = (void *)(eth + 1);
	struct udphdr *udp = (void *)(iph + 1);
	u8 dscp = with_int ? RXE_CC_INT_DSCP : BENCH_DSCP;

	eth_broadcast_addr(eth->h_dest);
	eth->h_proto = htons(ETH_P_IP);
	iph->version = 4;
	iph->ihl = 5;
	iph->tos = dscp << 2 | BENCH_ECT_0;
	iph->tot_len = htons(BENCH_BYTES - ETH_HLEN);
	iph->frag_off = htons(IP_DF);
	iph->ttl = 64;
	iph->protocol = IPPROTO_UDP;
	iph->saddr = htonl(0x0a000001);
	iph->daddr = htonl(0x0a000002);
	ip_send_check(iph);
	udp->source = htons(0xc000);
	udp->dest = htons(BENCH_PORT);
	udp->len = htons(BENCH_BYTES - ETH_HLEN - sizeof(*iph));
	if (with_int)
		bench_build_int(udp + 1);
}

/* The sender hears of it; it has nothing to do here. */
static void bench_sent_one(struct sk_buff *skb)
{
}

static void bench_send(struct bench *b)
{
	struct sk_buff *skb = alloc_skb(BENCH_HEADROOM + BENCH_BYTES, GFP_ATOMIC);

	if (!skb) {
		b->failed = true;
		return;
	}
	skb_reserve(skb, BENCH_HEADROOM);
	skb_put_data(skb, b->packet, BENCH_BYTES);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->protocol = htons(ETH_P_IP);
	skb->dev = b->dev;
	skb->skb_iif = b->iif;
	if (b->owned)
		skb->destructor = bench_sent_one;
	/* Lost ones are missing in the device's count. */
	dev_queue_xmit(skb);
}

static enum hrtimer_restart bench_tick(struct hrtimer *timer)
{
	struct bench *b = container_of(timer, struct bench, timer);
	unsigned int n = min(b->burst, b->left);

	for (b->left -= n; n; n--)
		bench_send(b);
	if (!b->left) {
		complete(&b->done);
		return HRTIMER_NORESTART;
	}
	hrtimer_add_expires(timer, b->period);
	return HRTIMER_RESTART;
}

static u64 bench_sent(struct net_device *dev)
{
	struct rtnl_link_stats64 stats;

	dev_get_stats(dev, &stats);
	return stats.tx_packets;
}

/* Send @packets and wait until the last has had its time to get through. */
static int bench_run(struct bench *b, unsigned int packets)
{
	u64 before = bench_sent(b->dev), sent;

	b->left = packets;
	reinit_completion(&b->done);
	hrtimer_start(&b->timer, b->period, HRTIMER_MODE_REL_SOFT);
	wait_for_completion(&b->done);
	fsleep(2 * ktime_to_us(b->period) + 1000);
	sent = bench_sent(b->dev) - before;
	if (!b->failed && sent == packets)
		return 0;
	pr_err("qdisc_bench: %s: %llu of %u packets came out\n", b->dev->name, sent, packets);
	return b->failed ? -ENOMEM : -EIO;
}

static int bench_measure(struct bench *b, unsigned int packets)
{
	unsigned long irqs;
	u64 cpu_ns;
	int err;

	err = bench_run(b, BENCH_WARM_UP);
	if (err)
		return err;
	irqs = kstat_cpu_irqs_sum(0);
	cpu_ns = bench_cpu_ns();
	err = bench_run(b, packets);
	cpu_ns = bench_cpu_ns() - cpu_ns;
	irqs = kstat_cpu_irqs_sum(0) - irqs;
	snprintf(bench_result, sizeof(bench_result), "%llu %lu %u\n", cpu_ns, irqs, packets);
	return err;
}

/* The two devices stay until bench_put(). */
static int bench_setup(struct bench *b, char *line, unsigned int *packets)
{
	struct net *net = current->nsproxy->net_ns;
	char dev[IFNAMSIZ], iif[IFNAMSIZ], kind[8];
	struct net_device *in;
	u64 period_ns;
	int k;

	if (sscanf(line, "%15s %15s %7s %u %u %llu", dev, iif, kind, packets,
		   &b->burst, &period_ns) != 6 || !*packets || !b->burst ||
	    *packets > BENCH_MAX || b->burst > BENCH_MAX || !period_ns ||
	    period_ns > BENCH_PERIOD_MAX_NS)
		return -EINVAL;
	k = match_string(bench_kinds, ARRAY_SIZE(bench_kinds), kind);
	if (k < 0)
		return k;

	in = dev_get_by_name(net, iif);
	if (!in)
		return -ENODEV;
	b->iif = in->ifindex;
	dev_put(in);
	b->dev = dev_get_by_name(net, dev);
	if (!b->dev)
		return -ENODEV;
	b->period = ns_to_ktime(period_ns);
	b->owned = k == BENCH_OWNED;
	bench_build(b, k == BENCH_INT);
	init_completion(&b->done);
	hrtimer_init(&b->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	b->timer.function = bench_tick;
	return 0;
}

static ssize_t bench_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	unsigned int packets;
	struct bench *b;
	char *line;
	int err;

	line = memdup_user_nul(buf, min_t(size_t, len, PAGE_SIZE));
	if (IS_ERR(line))
		return PTR_ERR(line);
	b = kzalloc(sizeof(*b), GFP_KERNEL);
	err = b ? bench_setup(b, line, &packets) : -ENOMEM;
	if (!err) {
		mutex_lock(&bench_lock);
		err = bench_measure(b, packets);
		mutex_unlock(&bench_lock);
		hrtimer_cancel(&b->timer);
		dev_put(b->dev);
	}
	kfree(b);
	kfree(line);
	return err ? err : len;
}

static ssize_t bench_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	ssize_t ret;

	mutex_lock(&bench_lock);
	ret = simple_read_from_buffer(buf, len, pos, bench_result, strlen(bench_result));
	mutex_unlock(&bench_lock);
	return ret;
}

static const struct file_operations bench_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.read	= bench_read,
	.write	= bench_write,
	.llseek	= default_llseek,
};

static int __init bench_init(void)
{
	/* In virtual time no tick may have been yet: timers begin to be exact then. */
	msleep(50);
	bench_file = debugfs_create_file("qdisc_bench", 0600, NULL, NULL, &bench_fops);
	return PTR_ERR_OR_ZERO(bench_file);
}

static void __exit bench_exit(void)
{
	debugfs_remove(bench_file);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_AUTHOR("rxe-cc developers");
MODULE_DESCRIPTION("Load for a qdisc in the lab kernel, with its CPU time");
