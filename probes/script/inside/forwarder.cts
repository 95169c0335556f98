/**
 * Connects a sandbox to the proxy outside (probes/script/proxy/), which listens on a Unix socket. Chromium and
 * Playwright don't support Unix sockets, and the only network in a sandbox is its own 127.0.0.1. So a port of 127.0.0.1
 * forwards to the Unix socket.
 */
const { connect, createServer } = require('node:net') as typeof import('node:net');

type Socket = import('node:net').Socket;

/** The exports of `forwarder.cjs`. */
export interface ForwarderModule {
  /** Listens on a port of 127.0.0.1 until the process ends. Does not keep the process alive. */
  startForwarder: (proxySocket: string) => Promise<Forwarder>;
}

export interface Forwarder {
  port: number;
  /** Closes the port and all its connections. */
  close: () => Promise<void>;
}

/** Backlog of the listening socket. It is large, because a page opens dozens of connections simultaneously. */
const BACKLOG = 511;

const startForwarder = (proxySocket: string): Promise<Forwarder> =>
  new Promise((resolve, reject) => {
    const open = new Set<Socket>();
    const keep = (socket: Socket): void => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    };
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      const far = connect({ path: proxySocket, allowHalfOpen: true });
      keep(near);
      keep(far);
      join(near, far);
      join(far, near);
    });
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG }, () => {
      server.unref();
      const address = server.address();
      if (address === null || typeof address === 'string') return;
      resolve({
        port: address.port,
        close: () =>
          new Promise((done) => {
            server.close(() => {
              done();
            });
            for (const socket of open) socket.destroy();
          }),
      });
    });
  });

/** Forwards data from one socket to the other. Forwards the end too. If `from` breaks, destroys `to`. */
const join = (from: Socket, to: Socket): void => {
  from.pipe(to);
  from.on('error', () => undefined);
  from.once('close', () => {
    // After a complete transfer, the pipe ends `to`.
    if (!from.readableEnded) to.destroy();
  });
};

module.exports = { startForwarder } satisfies ForwarderModule;
