#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# nvme_target.sh ADDRESS: the kernel's target for NVMe over RDMA, with a disk that has no medium.
set -e
mount -t configfs none /sys/kernel/config
cd /sys/kernel/config/nvmet
mkdir -p subsystems/lab/namespaces/1 ports/1
echo 1 >subsystems/lab/attr_allow_any_host
echo /dev/nullb0 >subsystems/lab/namespaces/1/device_path
echo 1 >subsystems/lab/namespaces/1/enable
echo rdma >ports/1/addr_trtype
echo ipv4 >ports/1/addr_adrfam
echo "$1" >ports/1/addr_traddr
echo 4420 >ports/1/addr_trsvcid
# From here on it listens, in the network namespace of this process.
ln -s /sys/kernel/config/nvmet/subsystems/lab ports/1/subsystems/lab
