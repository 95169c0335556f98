"""A mail server on a free port of this machine. It prints its port, and then each message that it receives, as a line
of JSON."""

import base64
import json
import socket
import sys

from aiosmtpd.controller import Controller


def say(value):
    print(json.dumps(value), flush=True)


class Mailbox:
    async def handle_DATA(self, server, session, envelope):
        content = base64.b64encode(envelope.original_content).decode()
        options = " ".join(envelope.mail_options)
        say({"from": envelope.mail_from, "to": envelope.rcpt_tos, "options": options, "content": content})
        return "250 2.0.0 Ok"


with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
controller = Controller(Mailbox(), hostname="127.0.0.1", port=port, enable_SMTPUTF8=True)
controller.start()
say({"port": port})
# Waits until standard input is closed, which happens when the parent process ends.
sys.stdin.read()
controller.stop()
