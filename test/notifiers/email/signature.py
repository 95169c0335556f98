"""Verifies the DKIM signature of the message on stdin. The exit code is 0 if the signature is valid. Arguments: the name
of the DNS record that the signature must refer to, and the content of that record."""

import sys

import dkim

name, record = sys.argv[1:]


def answer(asked, timeout=5):
    return record.encode() if asked.decode().rstrip(".") == name else None


sys.exit(0 if dkim.verify(sys.stdin.buffer.read(), dnsfunc=answer) else 1)
