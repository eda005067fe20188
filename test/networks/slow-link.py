"""Delay for one network namespace, as a TUN device: `slow-link.py DEVICE MILLISECONDS`.

A packet from loopback to loopback comes back unchanged after half of the milliseconds. Other packets are lost.
"""

import fcntl
import heapq
import os
import select
import struct
import sys
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
LOOPBACK = 127

device, delay = sys.argv[1], float(sys.argv[2]) / 2000

tun = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))

queue, count = [], 0
while True:
    wait = max(0, queue[0][0] - time.monotonic()) if queue else None
    if select.select([tun], [], [], wait)[0]:
        packet = os.read(tun, 65536)
        if packet[0] >> 4 == 4 and packet[12] == packet[16] == LOOPBACK:
            count += 1
            heapq.heappush(queue, (time.monotonic() + delay, count, packet))
    while queue and queue[0][0] <= time.monotonic():
        os.write(tun, heapq.heappop(queue)[2])
