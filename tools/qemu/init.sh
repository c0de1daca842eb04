#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# First process of the guest: mount, run /guest/script, hand its exit code to
# QEMU's debug-exit device. The script's output goes to the second serial port,
# kernel messages to the first, so the two never mix.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ LC_ALL=C
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/shm /run /tmp /var
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /dev/shm
mount -t debugfs debugfs /sys/kernel/debug
mount -t tracefs tracefs /sys/kernel/tracing
ln -sf /run /var/run
ip link set lo up
stty raw -echo </dev/ttyS1

# shellcheck source=/dev/null # written by run.sh
. /guest/env
eval "/guest/script $GUEST_ARGS" </dev/null >/dev/ttyS1 2>&1
code=$?
[ "$code" -gt 126 ] && code=126

# Octal, one byte; QEMU leaves with (code << 1) | 1 the moment it is written.
# shellcheck disable=SC2059 # an escape of printf is what is wanted
printf "\\$(printf %o "$code")" | dd of=/dev/port bs=1 seek=244 2>/dev/null
poweroff -f
