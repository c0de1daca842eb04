/* SPDX-License-Identifier: GPL-2.0 */
/* The version of modules and tools: changed together with CHANGELOG.md. */
#ifndef RXE_CC_VERSION_H
#define RXE_CC_VERSION_H

#define RXE_CC_VERSION	"1.0"

#endif /* RXE_CC_VERSION_H */
