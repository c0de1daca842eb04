/* SPDX-License-Identifier: GPL-2.0 */
/* The features of sch_roce.ko, in the order in which they are asked about a packet. */
#ifdef ROCE_FEATURE
ROCE_FEATURE(ecn)
ROCE_FEATURE(int)
ROCE_FEATURE(response)
ROCE_FEATURE(mercury)
ROCE_FEATURE(iofd)
ROCE_FEATURE(lscc)
#endif

/* The rows of all of them behind ECN, and of that for tests, in the order in which tc prints them. */
#include "int/roce_int_rows.h"
#include "int/roce_int_response_rows.h"
#include "mercury/roce_mercury_rows.h"
#include "iofd/roce_iofd_rows.h"
#include "lscc/roce_lscc_rows.h"
#include "../tests/roce_testfeat_rows.h"
