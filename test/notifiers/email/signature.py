"""Says by its exit code whether the signature of the message on stdin is good. Arguments: the name of the record in the
DNS that it must ask for, and what stands there."""

import sys

import dkim

name, record = sys.argv[1:]


def answer(asked, timeout=5):
    return record.encode() if asked.decode().rstrip(".") == name else None


sys.exit(0 if dkim.verify(sys.stdin.buffer.read(), dnsfunc=answer) else 1)
