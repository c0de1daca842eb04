#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# nvme_reads.sh N: fio reads 4 KiB from the disk of nvme_target.sh, N times, one after the other, as soon as
# somebody writes to the FIFO /run/go; prints fio's JSON.
set -e
cd /run
# When fio starts it measures the cycle counter. It must be told which clock to use: else it compares the
# counters of processors for ever, in a loop that in virtual time takes longer each time.
fio --name=reads --number_ios="$1" --rw=randread --bs=4k --size=1g --filename=/dev/nvme0n1 --direct=1 \
	--ioengine=libaio --thread --clocksource=clock_gettime --exec_prerun='cat go' \
	--percentile_list=50:99 --output-format=json --output=reads.json
tail -n +2 reads.json # the first line is about exec_prerun
