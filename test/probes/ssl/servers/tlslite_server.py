"""A TLS server of tlslite-ng on a free loopback port, which it prints.

Usage: tlslite_server.py <key> <certificate> <settings as JSON>; `anonymous` among the settings makes it a server
without a certificate. It ends with its standard input.
"""

import json
import os
import socketserver
import sys
import threading

from tlslite.api import HandshakeSettings, TLSConnection, X509, X509CertChain, parsePEMKey

key_file, certificate_file, wanted = sys.argv[1:]
options = json.loads(wanted)
anonymous = options.pop("anonymous", False)
settings = HandshakeSettings()
for name, value in options.items():
    setattr(settings, name, tuple(value) if name.endswith("Version") else value)
with open(certificate_file) as file:
    chain = X509CertChain([X509().parse(file.read())])
with open(key_file) as file:
    key = parsePEMKey(file.read(), private=True)


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        connection = TLSConnection(self.request)
        try:
            if anonymous:
                connection.handshakeServer(anon=True, settings=settings)
            else:
                connection.handshakeServer(certChain=chain, privateKey=key, settings=settings)
            connection.close()
        except Exception:
            # Clients that only look hang up in the middle.
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64


server = Server(("127.0.0.1", 0), Handler)
print("PORT", server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
