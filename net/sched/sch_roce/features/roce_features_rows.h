/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of all features behind ECN, in the order in which tc prints them. */
#include "int/roce_int_rows.h"
#include "int/roce_response_rows.h"
#include "mercury/roce_mercury_rows.h"
#include "iofd/roce_iofd_rows.h"
#include "lscc/roce_lscc_rows.h"
#include "../tests/roce_testfeat_rows.h"
