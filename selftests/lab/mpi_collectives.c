// SPDX-License-Identifier: GPL-2.0
/*
 * One collective operation of MPI, for mpirun.sh and for the page mpi.md:
 *	mpi_collectives allreduce|alltoall|barrier BYTES [TIMES]
 *
 * BYTES are those of a rank's data: of the sum, or of all parts together. It is done once before
 * it is timed, so that connections are there. Rank 0 prints the mean time, until the last rank
 * has what it gets; all ranks look at what they got.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, n_ranks;

/* Sums of whole numbers up to 2^24 are exact. */
static float element(int from, size_t i)
{
	return (float)(from + 1 + i % 1000);
}

static void allreduce(float *from, float *to, size_t n)
{
	(void)from;
	MPI_Allreduce(MPI_IN_PLACE, to, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(float *from, float *to, size_t n)
{
	n /= n_ranks;
	MPI_Alltoall(from, n, MPI_FLOAT, to, n, MPI_FLOAT, MPI_COMM_WORLD);
}

static void barrier(float *from, float *to, size_t n)
{
	(void)from;
	(void)to;
	(void)n;
	MPI_Barrier(MPI_COMM_WORLD);
}

static size_t wrong_sums(const float *to, size_t n)
{
	size_t i, wrong = 0;

	for (i = 0; i < n; i++)
		wrong += to[i] != n_ranks * (float)(i % 1000) + n_ranks * (n_ranks + 1) / 2;
	return wrong;
}

/* Part p is what rank p has at the place of this rank. */
static size_t wrong_parts(const float *to, size_t n)
{
	size_t part = n / n_ranks, i, wrong = 0;

	for (i = 0; i < part * n_ranks; i++)
		wrong += to[i] != element(i / part, rank * part + i % part);
	return wrong;
}

static const struct operation {
	const char *name;
	void (*run)(float *from, float *to, size_t n);
	size_t (*wrong)(const float *to, size_t n);
	int in_place;
} operations[] = {
	{ "allreduce", allreduce, wrong_sums, 1 },
	{ "alltoall", alltoall, wrong_parts, 0 },
	{ "barrier", barrier, NULL, 1 },
};

static const struct operation *find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		if (strcmp(operations[i].name, name) == 0)
			return &operations[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct operation *op = argc > 2 ? find(argv[1]) : NULL;
	int times = argc > 3 ? atoi(argv[3]) : 1, t;
	double took, all = 0, start;
	float *from, *to;
	size_t n, i, bad = 0;
	long wrong, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
	n = op ? strtoull(argv[2], NULL, 0) / sizeof(float) : 0;
	to = calloc(n + 1, sizeof(*to));
	from = !op || op->in_place ? to : calloc(n + 1, sizeof(*from));
	if (!op || times < 1 || !to || !from)
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (t = -1; t < times; t++) {
		for (i = 0; i < n; i++)
			from[i] = element(rank, i);
		MPI_Barrier(MPI_COMM_WORLD);
		start = MPI_Wtime();
		op->run(from, to, n);
		took = MPI_Wtime() - start;
		bad += op->wrong ? op->wrong(to, n) : 0;
		MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		if (t >= 0)
			all += took;
	}
	wrong = bad;
	MPI_Reduce(&wrong, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("%s of %zu bytes, %d ranks: %.3f us, %ld wrong\n", op->name,
		       n * sizeof(float), n_ranks, all / times * 1e6, sum);
	if (from != to)
		free(from);
	free(to);
	MPI_Finalize();
	return bad != 0;
}
