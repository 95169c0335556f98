"""
Links between network namespaces. Each link is a pair of tun devices with delay and packet loss between them.

    python3 links.py '[{"near": "10.77.1.1", "far": "10.77.1.2", "pid": 4711, "delay": 0.04, "loss": 0.01}]'

The near end of each link is in the namespace of this process, the far end in that of `pid`. `delay` is the one-way delay
in seconds; `loss` is the fraction of packets lost in each direction. Prints a line when all links are up, and ends when
its standard input closes.
"""
import ctypes
import fcntl
import heapq
import json
import os
import random
import selectors
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
CLONE_NEWNET = 0x40000000
PACKET = 65536

libc = ctypes.CDLL(None, use_errno=True)


def enter(path):
    """Moves this process into the network namespace at a path."""
    with open(path) as namespace:
        if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")


def open_end(name, address, peer):
    """Creates a tun device in the namespace of this process, with an address, and brings it up."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    subprocess.run(["ip", "address", "add", address, "peer", peer, "dev", name], check=True)
    subprocess.run(["ip", "link", "set", name, "up"], check=True)
    return device


def main():
    here = "/proc/self/ns/net"
    own = os.open(here, os.O_RDONLY)
    chance = random.Random(7)
    waiting = []
    order = 0
    selector = selectors.DefaultSelector()
    for number, link in enumerate(json.loads(sys.argv[1])):
        near = open_end(f"near{number}", link["near"], link["far"])
        enter(f"/proc/{link['pid']}/ns/net")
        far = open_end(f"far{number}", link["far"], link["near"])
        libc.setns(own, CLONE_NEWNET)
        for source, target in ((near, far), (far, near)):
            selector.register(source, selectors.EVENT_READ, (target, link["delay"], link["loss"]))
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    print("up", flush=True)
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, target, packet = heapq.heappop(waiting)
            try:
                os.write(target, packet)
            except BlockingIOError:
                pass  # dropped, like on a full link
        pause = max(0, waiting[0][0] - now) if waiting else None
        for key, _ in selector.select(pause):
            if key.data is None:
                if not os.read(key.fd, 1):
                    return
                continue
            target, delay, loss = key.data
            for _ in range(64):
                try:
                    packet = os.read(key.fd, PACKET)
                except BlockingIOError:
                    break
                if chance.random() >= loss:
                    order += 1
                    heapq.heappush(waiting, (time.monotonic() + delay, order, target, packet))


main()
