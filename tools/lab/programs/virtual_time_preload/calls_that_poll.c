// SPDX-License-Identifier: GPL-2.0
/*
 * System calls that are polls when they do not wait: poll(), select(), epoll_wait(), recv(),
 * read(), accept(), send(), write() and their relatives, sched_yield().
 */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#include "preload.h"

#define REAL(function) \
	static __typeof__(&(function)) real; \
	if (!real) \
		real = (__typeof__(real))dlsym(RTLD_NEXT, #function)

static bool zero(const struct timespec *t)
{
	return t && !t->tv_sec && !t->tv_nsec;
}

/* @waits: it was allowed to */
static void after(int rc, bool waits, const struct pollfd *fds, size_t n)
{
	if (!vtime_on)
		return;
	if (rc || waits)
		poll_found();
	else
		poll_empty_fds(fds, n);
}

EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	REAL(poll);
	int rc = real(fds, n, timeout);

	after(rc, timeout != 0, fds, n);
	return rc;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		 const sigset_t *mask)
{
	REAL(ppoll);
	int rc = real(fds, n, timeout, mask);

	after(rc, !zero(timeout), fds, n);
	return rc;
}

static int epoll_done(int rc, int epfd, int timeout)
{
	struct pollfd fd = { .fd = epfd, .events = POLLIN };

	after(rc, timeout != 0, &fd, 1);
	return rc;
}

EXPORT int epoll_wait(int epfd, struct epoll_event *events, int max, int timeout)
{
	REAL(epoll_wait);
	return epoll_done(real(epfd, events, max, timeout), epfd, timeout);
}

EXPORT int epoll_pwait(int epfd, struct epoll_event *events, int max, int timeout,
		       const sigset_t *mask)
{
	REAL(epoll_pwait);
	return epoll_done(real(epfd, events, max, timeout, mask), epfd, timeout);
}

/* The sets as they were before the call. */
static size_t fds_of(int n, const fd_set *in, const fd_set *out, const fd_set *except,
		     struct pollfd *fds)
{
	size_t count = 0;
	int i;

	for (i = 0; i < n && i < FD_SETSIZE; i++) {
		short events = (in && FD_ISSET(i, in) ? POLLIN : 0) |
			       (out && FD_ISSET(i, out) ? POLLOUT : 0) |
			       (except && FD_ISSET(i, except) ? POLLPRI : 0);

		if (events)
			fds[count++] = (struct pollfd){ .fd = i, .events = events };
	}
	return count;
}

EXPORT int select(int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
	REAL(select);
	bool waits = !timeout || timeout->tv_sec || timeout->tv_usec;
	struct pollfd fds[FD_SETSIZE];
	size_t count = waits ? 0 : fds_of(n, in, out, except, fds);
	int rc = real(n, in, out, except, timeout);

	after(rc, waits, fds, count);
	return rc;
}

EXPORT int pselect(int n, fd_set *in, fd_set *out, fd_set *except,
		   const struct timespec *timeout, const sigset_t *mask)
{
	REAL(pselect);
	struct pollfd fds[FD_SETSIZE];
	size_t count = zero(timeout) ? fds_of(n, in, out, except, fds) : 0;
	int rc = real(n, in, out, except, timeout, mask);

	after(rc, !zero(timeout), fds, count);
	return rc;
}

EXPORT int sched_yield(void)
{
	REAL(sched_yield);
	int rc = real();

	after(rc, false, NULL, 0);
	return rc;
}

static ssize_t received(ssize_t n, int fd)
{
	struct pollfd from = { .fd = fd, .events = POLLIN };
	bool empty = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);

	after(!empty, false, &from, 1);
	return n;
}

EXPORT ssize_t recv(int fd, void *buf, size_t len, int flags)
{
	REAL(recv);
	return received(real(fd, buf, len, flags), fd);
}

EXPORT ssize_t recvfrom(int fd, void *buf, size_t len, int flags, struct sockaddr *addr,
			socklen_t *addr_len)
{
	REAL(recvfrom);
	return received(real(fd, buf, len, flags, addr, addr_len), fd);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	REAL(recvmsg);
	return received(real(fd, msg, flags), fd);
}

EXPORT ssize_t read(int fd, void *buf, size_t len)
{
	REAL(read);
	return received(real(fd, buf, len), fd);
}

EXPORT int accept(int fd, struct sockaddr *addr, socklen_t *addr_len)
{
	REAL(accept);
	return (int)received(real(fd, addr, addr_len), fd);
}

EXPORT int accept4(int fd, struct sockaddr *addr, socklen_t *addr_len, int flags)
{
	REAL(accept4);
	return (int)received(real(fd, addr, addr_len, flags), fd);
}

/*
 * One that has written something is no poll. What answers by a write, as the RDMA connection
 * manager's device does, may be waiting for something to read.
 */
static ssize_t sent(ssize_t n, int fd)
{
	struct pollfd to = { .fd = fd, .events = POLLIN | POLLOUT };

	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		after(false, false, &to, 1);
	return n;
}

EXPORT ssize_t write(int fd, const void *buf, size_t len)
{
	REAL(write);
	return sent(real(fd, buf, len), fd);
}

EXPORT ssize_t writev(int fd, const struct iovec *iov, int n)
{
	REAL(writev);
	return sent(real(fd, iov, n), fd);
}

EXPORT ssize_t send(int fd, const void *buf, size_t len, int flags)
{
	REAL(send);
	return sent(real(fd, buf, len, flags), fd);
}

EXPORT ssize_t sendto(int fd, const void *buf, size_t len, int flags, const struct sockaddr *addr,
		      socklen_t addr_len)
{
	REAL(sendto);
	return sent(real(fd, buf, len, flags, addr, addr_len), fd);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	REAL(sendmsg);
	return sent(real(fd, msg, flags), fd);
}
