/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labmpi: starts the ranks of an MPI program on the hosts of a lab, see start_ranks.c.
 */
#ifndef LAB_MPI_MPI_H
#define LAB_MPI_MPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a rank tells of itself when it has called MPI_Finalize(), by one write() to a pipe. */
struct mpi_told {
	int32_t rank;
	int32_t calls;		/* that sent something to another host */
	int64_t sent_bytes;	/* that have gone to other hosts, at least */
	int64_t got_bytes;	/* that have come from there, at least */
};

/* In the environment of a rank: descriptor of that pipe; host of each rank, numbers with commas. */
#define MPI_TOLD_FD	"LAB_MPI_TOLD_FD"
#define MPI_HOSTS	"LAB_MPI_HOSTS"

/* PMI 1.1: lines of at most so many bytes, which Open MPI and MPICH take apart themselves. */
#define PMI_LINE_MAX	1024
#define PMI_KVSNAME	"lab"
#define PMI_KVSNAME_MAX	256
#define PMI_KEY_MAX	64
#define PMI_VALUE_MAX	800

struct rank {
	pid_t pid;		/* 0: has ended */
	int fd;			/* of its PMI connection; -1: closed */
	size_t len;		/* of the line that is being read */
	char line[PMI_LINE_MAX];
	bool begun, in_barrier, finalized;
	struct mpi_told told;
};

struct pair {
	char *key, *value;
};

struct pmi {
	struct rank *ranks;
	int n, n_in_barrier;
	const char *mapping;	/* of ranks to hosts, as PMI has it */
	struct pair *pairs;
	size_t n_pairs;
	int abort_status;	/* of the rank that has asked for the end of all; -1: none has */
};

int pmi_take(struct pmi *p, int rank);
void pmi_free(struct pmi *p);

#endif /* LAB_MPI_MPI_H */
