// SPDX-License-Identifier: GPL-2.0
/* flowgen: runs the unit tests, prints KTAP. Needs no RDMA device. */
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

#include "test.h"

static FILE *captured;
static jmp_buf failure;

void test_expect(bool good, const char *what, const char *file, int line)
{
	if (good)
		return;
	printf("# %s:%d: expected %s\n", file, line, what);
	longjmp(failure, 1);
}

/* stderr goes to a file, so that cases can look at messages. */
const char *test_last_error(void)
{
	static char line[512];

	line[0] = '\0';
	fflush(stderr);
	rewind(captured);
	while (fgets(line, sizeof(line), captured))
		;
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static __attribute__((noinline)) bool passes(const struct test_case *c)
{
	return !setjmp(failure) && c->fn();
}

static int run(const struct test_case *c, int *n)
{
	int failed = 0;

	for (; c->name; c++) {
		if (passes(c)) {
			printf("ok %d %s\n", ++*n, c->name);
		} else {
			printf("not ok %d %s\n", ++*n, c->name);
			failed++;
		}
	}
	return failed;
}

static int count(const struct test_case *c)
{
	int n = 0;

	while (c[n].name)
		n++;
	return n;
}

int main(void)
{
	int n = 0, failed;

	captured = tmpfile();
	if (!captured || dup2(fileno(captured), STDERR_FILENO) < 0)
		return EXIT_FAILURE;
	printf("KTAP version 1\n1..%d\n",
	       count(dist_cases) + count(plan_cases) + count(rows_cases));
	failed = run(dist_cases, &n);
	failed += run(plan_cases, &n);
	failed += run(rows_cases, &n);
	printf("# pass %d fail %d\n", n - failed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
