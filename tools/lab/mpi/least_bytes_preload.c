// SPDX-License-Identifier: GPL-2.0
/*
 * Loaded into the ranks of an MPI program: how many bytes of their data must have gone from host to
 * host, whatever way the library takes. "lab mpirun" compares that with what the ports of hosts
 * have counted: a library that takes shared memory instead of the network is found out.
 *
 * The least that can do: of point-to-point messages their bytes. Of a collective operation, what a
 * host must tell the others and what it must learn from them, if all ranks of one host share what
 * they know. So of an all-reduce of S bytes each host sends S and gets S at least, although a
 * ring sends 2 (n - 1) / n S; no library can do with less, however it computes.
 *
 * Each MPI function is also there with the name PMPI_..., for those who want to look at the calls.
 * A handle, as a communicator, is an int in MPICH and a pointer in Open MPI. Both are passed on
 * here as 64 bits, as the calling convention of x86-64 passes both in a register or in 8 bytes of
 * the stack.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/mpi.h"

#define EXPORT	__attribute__((visibility("default")))

/* MPI_COMM_WORLD of MPICH. That of Open MPI is an object. */
#define MPICH_WORLD	0x44000000

/* Everything that is called of the library, by name. */
#define REAL(name, ...) \
	static int (*real)(__VA_ARGS__); \
	if (!real) \
		real = (__typeof__(real))dlsym(RTLD_NEXT, "P" name)

static struct mpi_told told;
static int *host_of, n_ranks, fd = -1;
static long world;	/* the group of all */

static int comm_group(long comm, long *group)
{
	REAL("MPI_Comm_group", long comm, long *group);
	return real(comm, group);
}

static int group_size(long group, int *n)
{
	REAL("MPI_Group_size", long group, int *n);
	return real(group, n);
}

static int group_translate(long from, int n, const int *ranks, long to, int *result)
{
	REAL("MPI_Group_translate_ranks", long from, int n, const int *ranks, long to,
	     int *result);
	return real(from, n, ranks, to, result);
}

static void group_free(long *group)
{
	REAL("MPI_Group_free", long *group);
	real(group);
}

static int comm_rank(long comm)
{
	REAL("MPI_Comm_rank", long comm, int *rank);
	int rank = -1;

	real(comm, &rank);
	return rank;
}

static int64_t bytes(int count, long type)
{
	REAL("MPI_Type_size", long type, int *size);
	int size = 0;

	return count > 0 && !real(type, &size) && size > 0 ? (int64_t)count * size : 0;
}

static int host(int rank)
{
	return rank >= 0 && rank < n_ranks ? host_of[rank] : -1;
}

static void count(int64_t sent, int64_t got)
{
	told.calls++;
	told.sent_bytes += sent;
	told.got_bytes += got;
}

/* A rank of a communicator on another host? */
static bool is_far(long comm, int rank)
{
	long group = 0;
	int there = -1;

	if (!host_of || rank < 0 || comm_group(comm, &group))
		return false;
	group_translate(group, 1, &rank, world, &there);
	group_free(&group);
	return host(there) >= 0 && host(there) != host(told.rank);
}

static void count_send(long comm, int to, int n, long type)
{
	if (is_far(comm, to))
		count(bytes(n, type), 0);
}

/* Of a communicator: ranks on this host, and on others. */
struct sides {
	int near, far;
	bool first;		/* this is the first rank of its host in it: it counts for all */
	bool has_root;
};

static bool sides_of(long comm, int root, struct sides *s)
{
	long group = 0;
	int n = 0, i, *in, *all, me = host(told.rank);

	*s = (struct sides){ .first = false };
	if (!host_of || comm_group(comm, &group))
		return false;
	if (group_size(group, &n) || n < 2) {
		group_free(&group);
		return false;
	}
	in = calloc(2 * n, sizeof(*in));
	if (in) {
		all = in + n;
		for (i = 0; i < n; i++)
			in[i] = i;
		group_translate(group, n, in, world, all);
		for (i = 0; i < n; i++) {
			if (host(all[i]) != me) {
				s->far++;
				continue;
			}
			s->first |= !s->near && all[i] == told.rank;
			s->has_root |= i == root;
			s->near++;
		}
	}
	free(in);
	group_free(&group);
	return s->first && s->far;
}

/* What all have put together, each gets: @n bytes of each rank are all the same for all. */
static void count_all(long comm, int64_t n)
{
	struct sides s;

	if (sides_of(comm, -1, &s))
		count(n, n);
}

static void count_allgather(long comm, int64_t n)
{
	struct sides s;

	if (sides_of(comm, -1, &s))
		count(s.near * n, s.far * n);
}

static void count_alltoall(long comm, int64_t n)
{
	struct sides s;

	if (sides_of(comm, -1, &s))
		count((int64_t)s.near * s.far * n, (int64_t)s.near * s.far * n);
}

/* From the root to all, @each for each rank or the same for all. */
static void count_from_root(long comm, int root, int64_t n, bool each)
{
	struct sides s;

	if (!sides_of(comm, root, &s))
		return;
	if (s.has_root)
		count(each ? s.far * n : n, 0);
	else
		count(0, each ? s.near * n : n);
}

static void count_to_root(long comm, int root, int64_t n, bool each)
{
	struct sides s;

	if (!sides_of(comm, root, &s))
		return;
	if (s.has_root)
		count(0, each ? s.far * n : n);
	else
		count(each ? s.near * n : n, 0);
}

/* Each rank gets a part of @n bytes of what all have put together. */
static void count_scattered(long comm, int64_t n)
{
	struct sides s;

	if (sides_of(comm, -1, &s))
		count(s.far * n, s.near * n);
}

static void begun(void)
{
	long *ompi = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world"), comm;
	const char *at = getenv(MPI_HOSTS), *to = getenv(MPI_TOLD_FD);
	int *hosts = NULL, *more;
	char *end;

	if (!at || !to)
		return;
	comm = ompi ? (long)ompi : MPICH_WORLD;
	for (; *at; at = *end ? end + 1 : end) {
		more = realloc(hosts, (n_ranks + 1) * sizeof(*hosts));
		if (!more)
			break;
		hosts = more;
		hosts[n_ranks++] = strtol(at, &end, 10);
	}
	fd = atoi(to);
	told.rank = comm_rank(comm);
	/* From here on calls are counted. */
	if (!comm_group(comm, &world))
		host_of = hosts;
}

EXPORT int MPI_Init(int *argc, char ***argv)
{
	REAL("MPI_Init", int *argc, char ***argv);
	int rc = real(argc, argv);

	if (!rc)
		begun();
	return rc;
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int wanted, int *got)
{
	REAL("MPI_Init_thread", int *argc, char ***argv, int wanted, int *got);
	int rc = real(argc, argv, wanted, got);

	if (!rc)
		begun();
	return rc;
}

EXPORT int MPI_Finalize(void)
{
	REAL("MPI_Finalize", void);
	ssize_t n;

	if (host_of) {
		group_free(&world);
		free(host_of);
		host_of = NULL;
		n = write(fd, &told, sizeof(told));
		(void)n;
	}
	return real();
}

/*
 * All arguments are integers or pointers, of which the calling convention of x86-64 passes each
 * in a register or in 8 bytes of the stack. So one wrapper with nine of them does for functions
 * that have fewer: they do not look at the rest. The relative of a function that does not wait has
 * one argument more.
 */
#define WRAP(name, what) \
	EXPORT int MPI_##name(long a0, long a1, long a2, long a3, long a4, long a5, \
			      long a6, long a7, long a8) \
	{ \
		REAL("MPI_" #name, long, long, long, long, long, long, long, long, \
		     long); \
		what; \
		return real(a0, a1, a2, a3, a4, a5, a6, a7, a8); \
	}

/* buffer, count, type, to, tag, communicator */
WRAP(Send, count_send(a5, a3, a1, a2))
WRAP(Isend, count_send(a5, a3, a1, a2))
WRAP(Ssend, count_send(a5, a3, a1, a2))
WRAP(Issend, count_send(a5, a3, a1, a2))
WRAP(Rsend, count_send(a5, a3, a1, a2))
WRAP(Irsend, count_send(a5, a3, a1, a2))
WRAP(Bsend, count_send(a5, a3, a1, a2))
WRAP(Ibsend, count_send(a5, a3, a1, a2))

/* buffer, count, type, root, communicator */
WRAP(Bcast, count_from_root(a4, a3, bytes(a1, a2), false))
WRAP(Ibcast, count_from_root(a4, a3, bytes(a1, a2), false))
/* from, to, count, type, operation, root, communicator */
WRAP(Reduce, count_to_root(a6, a5, bytes(a2, a3), false))
WRAP(Ireduce, count_to_root(a6, a5, bytes(a2, a3), false))
/* from, to, count, type, operation, communicator */
WRAP(Allreduce, count_all(a5, bytes(a2, a3)))
WRAP(Iallreduce, count_all(a5, bytes(a2, a3)))
WRAP(Reduce_scatter_block, count_scattered(a5, bytes(a2, a3)))
WRAP(Ireduce_scatter_block, count_scattered(a5, bytes(a2, a3)))

/* from, count, type, to, count, type, communicator. Of "in place" only the latter are told. */
WRAP(Allgather, count_allgather(a6, bytes(a4, a5)))
WRAP(Iallgather, count_allgather(a6, bytes(a4, a5)))
WRAP(Alltoall, count_alltoall(a6, bytes(a4, a5)))
WRAP(Ialltoall, count_alltoall(a6, bytes(a4, a5)))

/* The same with a root before the communicator, which alone tells of what is there for all. */
static int64_t of_each(bool at_root, int n, long type, int root_n, long root_type)
{
	return at_root ? bytes(root_n, root_type) : bytes(n, type);
}

WRAP(Gather, count_to_root(a7, a6, of_each(comm_rank(a7) == (int)a6, a1, a2, a4, a5), true))
WRAP(Igather, count_to_root(a7, a6, of_each(comm_rank(a7) == (int)a6, a1, a2, a4, a5), true))
WRAP(Scatter, count_from_root(a7, a6, of_each(comm_rank(a7) == (int)a6, a4, a5, a1, a2), true))
WRAP(Iscatter, count_from_root(a7, a6, of_each(comm_rank(a7) == (int)a6, a4, a5, a1, a2), true))

EXPORT int MPI_Sendrecv(const void *buf, int n, long type, int to, int tag, void *rbuf, int rn,
			long rtype, int from, int rtag, long comm, void *status)
{
	REAL("MPI_Sendrecv", const void *, int, long, int, int, void *, int, long, int, int,
	     long, void *);
	count_send(comm, to, n, type);
	return real(buf, n, type, to, tag, rbuf, rn, rtype, from, rtag, comm, status);
}
