// SPDX-License-Identifier: GPL-2.0
/* Packet sockets in any network namespace: opens, sends, receives, writes pcap files. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "frames.h"

#define VLAN_BYTES	4

static void enter_netns(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die("%s", path);
	close(fd);
}

static void open_socket(struct port *p, const char *dev)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
	};
	int one = 1, prio = 7, big = 1 << 30;
	struct ifreq ifr = { .ifr_flags = 0 };
	struct stat st;

	p->ifindex = if_nametoindex(dev);
	ll.sll_ifindex = p->ifindex;
	p->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (!p->ifindex || p->fd < 0)
		die("%s", p->name);
	setsockopt(p->fd, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof(big));
	setsockopt(p->fd, SOL_SOCKET, SO_SNDBUFFORCE, &big, sizeof(big));
	/* what is not IP then leaves ahead of data, as PFC frames do */
	setsockopt(p->fd, SOL_SOCKET, SO_PRIORITY, &prio, sizeof(prio));
	snprintf(ifr.ifr_name, IFNAMSIZ, "%s", dev);
	if (setsockopt(p->fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)) ||
	    setsockopt(p->fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)) ||
	    setsockopt(p->fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one)) ||
	    ioctl(p->fd, SIOCGIFHWADDR, &ifr) ||
	    bind(p->fd, (struct sockaddr *)&ll, sizeof(ll)) ||
	    stat("/proc/self/ns/net", &st))
		die("%s", p->name);
	memcpy(p->mac, ifr.ifr_hwaddr.sa_data, sizeof(p->mac));
	p->node = get32(p->mac + 2);
	p->id = p->ifindex;
	p->netns = st.st_ino;
}

/* @name: DEV or NETNS:DEV */
void port_open(struct port *p, const char *name)
{
	const char *colon = strchr(name, ':');
	char own[64], path[64];

	errno = 0;
	if (strlen(name) >= sizeof(p->name))
		die("\"%s\" is too long", name);
	snprintf(p->name, sizeof(p->name), "%s", name);
	if (!colon) {
		open_socket(p, name);
		return;
	}
	snprintf(own, sizeof(own), "/proc/%d/ns/net", getpid());
	snprintf(path, sizeof(path), "/run/netns/%.*s", (int)(colon - name), name);
	/* the way back is looked up while it is still ours */
	{
		int home = open(own, O_RDONLY | O_CLOEXEC);

		enter_netns(path);
		open_socket(p, colon + 1);
		if (home < 0 || setns(home, CLONE_NEWNET))
			die("%s", own);
		close(home);
	}
}

/* False: the qdisc refused the frame, or the device is shorter. */
bool port_send(struct port *p, const void *frame, int len)
{
	const uint8_t *b = frame;

	if (len >= ETH_BYTES && get16(b + 12) == MAC_CONTROL)
		p->control++;
	if (send(p->fd, frame, len, 0) == len)
		return true;
	if (errno != ENOBUFS && errno != EMSGSIZE && errno != EINVAL)
		die("%s: send %d bytes", p->name, len);
	p->refused++;
	return false;
}

static uint64_t stamp_of(struct msghdr *msg, struct tpacket_auxdata *aux)
{
	struct cmsghdr *cm;
	uint64_t ns = 0;

	aux->tp_status = 0;
	for (cm = CMSG_FIRSTHDR(msg); cm; cm = CMSG_NXTHDR(msg, cm)) {
		struct timespec ts;

		if (cm->cmsg_level == SOL_SOCKET &&
		    cm->cmsg_type == SCM_TIMESTAMPNS) {
			memcpy(&ts, CMSG_DATA(cm), sizeof(ts));
			ns = ts.tv_sec * 1000000000ULL + ts.tv_nsec;
		} else if (cm->cmsg_level == SOL_PACKET &&
			   cm->cmsg_type == PACKET_AUXDATA) {
			memcpy(aux, CMSG_DATA(cm), sizeof(*aux));
		}
	}
	return ns;
}

static void keep_frame(struct port *p, struct frame *f)
{
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : 1024;
		p->frames = realloc(p->frames, p->room * sizeof(*p->frames));
		if (!p->frames)
			die("memory for frames");
	}
	p->frames[p->count++] = f;
}

/* The kernel takes a tag out of the frame: put it back. */
static int put_vlan_back(uint8_t *b, int len, const struct tpacket_auxdata *aux)
{
	if (!(aux->tp_status & TP_STATUS_VLAN_VALID))
		return len;
	memmove(b + 12 + VLAN_BYTES, b + 12, len - 12);
	put16(b + 12, aux->tp_status & TP_STATUS_VLAN_TPID_VALID ?
	      aux->tp_vlan_tpid : ETH_P_8021Q);
	put16(b + 14, aux->tp_vlan_tci);
	return len + VLAN_BYTES;
}

/* Take what has come in, and keep it or not. */
void port_drain(struct port *p, bool keep)
{
	static uint8_t buf[1 << 17];
	char control[256];
	struct iovec iov = { buf, sizeof(buf) - VLAN_BYTES };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
	};

	for (;;) {
		struct tpacket_auxdata aux;
		struct frame *f;
		uint64_t ns;
		int len;

		msg.msg_controllen = sizeof(control);
		len = recvmsg(p->fd, &msg, MSG_DONTWAIT);
		if (len < 0 && (errno == EAGAIN || errno == ENETDOWN))
			return;
		if (len < ETH_BYTES)
			die("%s: receive", p->name);
		if (!keep)
			continue;
		ns = stamp_of(&msg, &aux);
		len = put_vlan_back(buf, len, &aux);
		f = malloc(sizeof(*f) + len);
		if (!f)
			die("memory for frames");
		f->time_ns = ns;
		f->len = len;
		memcpy(f->data, buf, len);
		keep_frame(p, f);
	}
}

/* Until nothing has come in anywhere for @quiet_ns. Nothing is read before
 * that: what a failing system call costs would be seen in the packets' times.
 */
void ports_settle(struct lab *lab, uint64_t quiet_ns, bool keep)
{
	struct pollfd pfd[MAX_PORTS];
	bool more = true;
	int i;

	while (more) {
		sleep_ns(quiet_ns);
		for (i = 0; i < lab->nr_ports; i++) {
			pfd[i].fd = lab->port[i].fd;
			pfd[i].events = POLLIN;
		}
		more = poll(pfd, lab->nr_ports, 0) > 0;
		for (i = 0; more && i < lab->nr_ports; i++)
			port_drain(&lab->port[i], keep);
	}
}

void port_forget(struct port *p)
{
	while (p->count)
		free(p->frames[--p->count]);
}

static void pcap_word(FILE *out, uint32_t v)
{
	fwrite(&v, sizeof(v), 1, out);
}

/* Nanosecond pcap, in the byte order of the machine. */
void write_pcap(const struct port *p, const char *path)
{
	FILE *out = fopen(path, "w");
	int i;

	if (!out)
		die("%s", path);
	pcap_word(out, 0xa1b23c4d);
	pcap_word(out, 4 << 16 | 2);	/* version 2.4 */
	pcap_word(out, 0);
	pcap_word(out, 0);
	pcap_word(out, 1 << 17);
	pcap_word(out, 1);		/* Ethernet */
	for (i = 0; i < p->count; i++) {
		const struct frame *f = p->frames[i];

		pcap_word(out, f->time_ns / 1000000000);
		pcap_word(out, f->time_ns % 1000000000);
		pcap_word(out, f->len);
		pcap_word(out, f->len);
		fwrite(f->data, f->len, 1, out);
	}
	if (fclose(out))
		die("%s", path);
}

void sleep_ns(uint64_t ns)
{
	struct timespec ts = { ns / 1000000000, ns % 1000000000 };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}
