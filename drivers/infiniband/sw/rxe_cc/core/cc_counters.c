// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of ports and queue pairs: their names, and their values. That of a port is the sum
 * over all CPUs.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "cc_qp.h"

#define COUNTER(id, name, ...)						\
	[RXE_CC_CNT_##id] = name,
const char *const rxe_cc_counter_names[RXE_CC_NR_COUNTERS] = {
#include "cc_counter_rows.h"
};

#undef COUNTER

#define QP_COUNTER(id, name, ...)					\
	[RXE_CC_QCNT_##id] = name,
const char *const rxe_cc_qp_counter_names[RXE_CC_NR_QP_COUNTERS] = {
#include "cc_counter_rows.h"
};

#undef QP_COUNTER

/**
 * rxe_cc_port_counter() - value of a counter
 * @port: port
 * @c: which
 *
 * Context: any. Where 64 bits are not read at once, a value beside a carry may be off.
 *
 * Return: what all CPUs have counted.
 */
u64 rxe_cc_port_counter(const struct rxe_cc_port *port, enum rxe_cc_counter c)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(port->counts, cpu)->n[c]);
	return sum;
}

/**
 * rxe_cc_nr_hw_counters() - how many counters `rdma statistic` gets
 *
 * Return: number of counters.
 */
unsigned int rxe_cc_nr_hw_counters(void)
{
	static_assert(RXE_CC_NR_COUNTERS <= RXE_CC_MAX_HW_COUNTERS);

	return RXE_CC_NR_COUNTERS;
}
EXPORT_SYMBOL_GPL(rxe_cc_nr_hw_counters);

/**
 * rxe_cc_hw_counter_name() - name of a counter
 * @i: which
 *
 * Return: the name, valid as long as the module.
 */
const char *rxe_cc_hw_counter_name(unsigned int i)
{
	return i < RXE_CC_NR_COUNTERS ? rxe_cc_counter_names[i] : NULL;
}
EXPORT_SYMBOL_GPL(rxe_cc_hw_counter_name);

/**
 * rxe_cc_hw_counter() - value of a counter
 * @h: port
 * @i: which
 *
 * Return: the value.
 */
u64 rxe_cc_hw_counter(const struct rxe_cc_port_handle *h, unsigned int i)
{
	if (!h->port || i >= RXE_CC_NR_COUNTERS)
		return 0;
	return rxe_cc_port_counter(h->port, i);
}
EXPORT_SYMBOL_GPL(rxe_cc_hw_counter);

/**
 * rxe_cc_rx_cnp_ignored() - a CNP that is malformed or for no QP under CC
 * @h: port
 *
 * Context: softirq.
 */
void rxe_cc_rx_cnp_ignored(struct rxe_cc_port_handle *h)
{
	if (h->port)
		rxe_cc_count(h->port, RXE_CC_CNT_RP_CNP_IGNORED);
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_cnp_ignored);

/**
 * rxe_cc_tx_unmanaged() - a UD or multicast packet was sent
 * @h: port
 *
 * Context: work.
 */
void rxe_cc_tx_unmanaged(struct rxe_cc_port_handle *h)
{
	if (h->port && READ_ONCE(h->port->managed))
		rxe_cc_count(h->port, RXE_CC_CNT_UNMANAGED);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_unmanaged);

/**
 * rxe_cc_qp_count() - value of a counter
 * @qp: queue pair
 * @c: which
 *
 * Context: qp->lock held.
 *
 * Return: it.
 */
u64 rxe_cc_qp_count(const struct rxe_cc_qp *qp, enum rxe_cc_qp_counter c)
{
	switch (c) {
	case RXE_CC_QCNT_CNP_SENT:
		return atomic64_read(&qp->made[RXE_CC_MADE_CNP]);
	case RXE_CC_QCNT_REPORTS_SENT:
		return atomic64_read(&qp->made[RXE_CC_MADE_REPORT]);
	case RXE_CC_QCNT_PROBES_SENT:
		return atomic64_read(&qp->made[RXE_CC_MADE_PROBE]);
	case RXE_CC_QCNT_INT_PACKETS:
		return qp->counter[c] + atomic64_read(&qp->made[RXE_CC_MADE_PROBE]);
	default:
		return qp->counter[c];
	}
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_qp_count);
