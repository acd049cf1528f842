#!/bin/sh
# The first process of a test host, in namespaces of its own: host.sh FOLDER NAME. Ends with them.
set -e
folder=$1 name=$2
hostname "$name"
mount -t proc proc /proc
# Which machine this is, for UCX; shared memory, sockets and files of sessions are those of one machine.
mount --bind "$folder/$name/boot_id" /proc/sys/kernel/random/boot_id
mount --bind "$folder/etc-hosts" /etc/hosts
for each in /dev/shm /tmp /run; do mount -t tmpfs -o mode=1777 tmpfs "$each"; done
mkdir -m 755 /run/sshd
ip link set lo up
exec /usr/sbin/sshd -D -e -f "$folder/sshd_config"
