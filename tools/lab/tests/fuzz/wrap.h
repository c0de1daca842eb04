/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prototypes of the functions that the linker puts in the place of libraries' (--wrap), and of
 * those that libFuzzer calls.
 */
#ifndef LAB_TESTS_FUZZ_WRAP_H
#define LAB_TESTS_FUZZ_WRAP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct mnl_socket;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* fuzz_results.c: not asked of git each time */
char *__wrap_build_commit(const char *kdir);
/* fuzz_report.c: no gnuplot */
pid_t __wrap_fork(void);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
/* fuzz_job.c: no namespaces, no kernel */
int __wrap_setns(int fd, int type);
int __wrap_unshare(int flags);
struct mnl_socket *__wrap_nl_socket(int protocol);
int __wrap_mnl_socket_close(struct mnl_socket *nl);
unsigned int __wrap_mnl_socket_get_portid(const struct mnl_socket *nl);
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *nl, const void *req, size_t size);
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t size);

#endif /* LAB_TESTS_FUZZ_WRAP_H */
