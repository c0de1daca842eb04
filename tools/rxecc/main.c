// SPDX-License-Identifier: GPL-2.0
/* main() of rxecc. */
#include "rxecc.h"

int main(int argc, char **argv)
{
	struct rxecc rx = {
		.out = stdout,
		.err = stderr,
		.nl = { .fd = -1 },
	};
	int ret = rxecc_run(&rx, argc, argv);

	nl_close(&rx.nl);
	if (fflush(stdout) || ferror(stdout)) {
		perror("rxecc: standard output");
		return RX_KERNEL;
	}
	return ret;
}
