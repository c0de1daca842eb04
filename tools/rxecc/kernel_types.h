/* SPDX-License-Identifier: GPL-2.0 */
/* Types and macros of the kernel (u8, u32, ...) for user space. */
#ifndef RXECC_KERNEL_TYPES_H
#define RXECC_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;

#define U64_MAX		(~0ULL)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

#define __printf(fmt, args) \
	__attribute__(( \
		__format__(__printf__, fmt, args)))

#endif
