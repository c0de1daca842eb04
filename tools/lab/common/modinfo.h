/* SPDX-License-Identifier: GPL-2.0 */
/* Reads what a kernel module says of itself: "modinfo". */
#ifndef LAB_COMMON_MODINFO_H
#define LAB_COMMON_MODINFO_H

#include <stddef.h>

const char *modinfo_next(const char *image, size_t len, const char *key, size_t *pos);

#endif /* LAB_COMMON_MODINFO_H */
