"""A link with delay for one network namespace, as a TUN device: `slow-link.py DEVICE MILLISECONDS ADDRESS...`.

A packet to one of the addresses comes back after half of the milliseconds with source and destination exchanged, so that a connection to the
address ends at this machine, one round trip later. Checksums stay as they are, because they are sums. Other packets are lost.
"""

import fcntl
import heapq
import ipaddress
import os
import select
import struct
import sys
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000

device, delay = sys.argv[1], float(sys.argv[2]) / 2000
known = {ipaddress.ip_address(text).packed for text in sys.argv[3:]}

tun = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))

queue, count = [], 0
while True:
    wait = max(0, queue[0][0] - time.monotonic()) if queue else None
    if select.select([tun], [], [], wait)[0]:
        packet = os.read(tun, 65536)
        start, size = (12, 4) if packet[0] >> 4 == 4 else (8, 16)
        source, target = packet[start : start + size], packet[start + size : start + 2 * size]
        if target in known:
            count += 1
            turned = packet[:start] + target + source + packet[start + 2 * size :]
            heapq.heappush(queue, (time.monotonic() + delay, count, turned))
    while queue and queue[0][0] <= time.monotonic():
        os.write(tun, heapq.heappop(queue)[2])
