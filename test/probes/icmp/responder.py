"""Answers echo requests in a network of its own, as oddly as it is told to.

Usage: responder.py '{"10.99.0.2": {"delay": 20}, ...}'

The network is 10.99.0.0/24 and fd99::/64 behind the device uptrail0 of the present namespace. Per address:
  delay        milliseconds before each answer
  lose         every n-th request gets no answer; 1: none gets one
  twice        each answer is sent twice
  backwards    the answers to two requests are sent together, the second one first
  from         another address answers
  unreachable  a router answers that the host is unreachable
"""
import fcntl
import heapq
import ipaddress
import json
import os
import select
import struct
import subprocess
import sys
import time

DEVICE = 'uptrail0'
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def checksum(data):
    if len(data) % 2:
        data += b'\0'
    total = sum(struct.unpack(f'!{len(data) // 2}H', data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def packet(source, target, body):
    """An ICMP message (its checksum still 0) in an IP packet."""
    if source.version == 4:
        body = body[:2] + struct.pack('!H', checksum(body)) + body[4:]
        head = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 20 + len(body), 0, 0, 64, 1, 0, source.packed, target.packed)
        return head[:10] + struct.pack('!H', checksum(head)) + head[12:] + body
    pseudo = source.packed + target.packed + struct.pack('!II', len(body), 58)
    body = body[:2] + struct.pack('!H', checksum(pseudo + body)) + body[4:]
    return struct.pack('!IHBB', 6 << 28, len(body), 58, 64) + source.packed + target.packed + body


def read(data):
    """Version, source, target and ICMP message of an echo request; None for anything else."""
    if data[0] >> 4 == 4:
        size = (data[0] & 0x0F) * 4
        if data[9] != 1 or data[size] != 8:
            return None
        return 4, ipaddress.ip_address(data[12:16]), ipaddress.ip_address(data[16:20]), data[size:]
    if data[6] != 58 or data[40] != 128:
        return None
    return 6, ipaddress.ip_address(data[8:24]), ipaddress.ip_address(data[24:40]), data[40:]


def main():
    behaviours = {ipaddress.ip_address(address): how for address, how in json.loads(sys.argv[1]).items()}
    tun = os.open('/dev/net/tun', os.O_RDWR)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack('16sH', DEVICE.encode(), IFF_TUN | IFF_NO_PI))
    for words in (
        f'link set {DEVICE} up',
        f'address add 10.99.0.1/24 dev {DEVICE}',
        f'address add fd99::1/64 dev {DEVICE} nodad',
    ):
        subprocess.run(['ip', *words.split()], check=True)
    print('ready', flush=True)

    counts, held, due, order = {}, {}, [], 0
    while True:
        wait = max(0, due[0][0] - time.monotonic()) if due else None
        # The end of stdin is the end of the test.
        readable = select.select([tun, 0], [], [], wait)[0]
        if 0 in readable and not os.read(0, 1000):
            return
        while due and due[0][0] <= time.monotonic():
            os.write(tun, heapq.heappop(due)[2])
        if tun not in readable:
            continue
        data = os.read(tun, 65536)
        request = read(data)
        if request is None:
            continue
        version, source, target, message = request
        how = behaviours.get(target)
        if how is None:
            continue
        counts[target] = counts.get(target, 0) + 1
        if how.get('lose') and counts[target] % how['lose'] == 0:
            continue
        if how.get('unreachable'):
            router = ipaddress.ip_address('10.99.0.254' if version == 4 else 'fd99::fe')
            kind, code = (3, 1) if version == 4 else (1, 3)
            answers = [packet(router, source, struct.pack('!BBHI', kind, code, 0, 0) + data[:128])]
        else:
            body = bytes([0 if version == 4 else 129, 0, 0, 0]) + message[4:]
            answerer = ipaddress.ip_address(how['from']) if 'from' in how else target
            answers = [packet(answerer, source, body)] * (2 if how.get('twice') else 1)
        if how.get('backwards'):
            first = held.pop(target, None)
            if first is None:
                held[target] = answers
                continue
            answers = answers + first
        for answer in answers:
            order += 1
            heapq.heappush(due, (time.monotonic() + how.get('delay', 0) / 1000, order, answer))


main()
