/**
 * The way out of a sandbox. Chromium and Playwright know no proxy on a socket of the file system, and the network of a
 * sandbox has nothing but its own 127.0.0.1; so a port there leads to the proxy outside (probes/script/proxy/).
 */
const { connect, createServer } = require('node:net') as typeof import('node:net');

type Socket = import('node:net').Socket;

/** What `require('./forwarder.cjs')` gives. */
export interface ForwarderModule {
  /** Listens on a port of 127.0.0.1 until the process ends, and does not keep it from ending. */
  startForwarder: (proxySocket: string) => Promise<Forwarder>;
}

export interface Forwarder {
  port: number;
  /** Ends it with all its connections. */
  close: () => Promise<void>;
}

/** Connections that wait to be accepted: a page opens dozens at once. */
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

/** One direction. Each end is told of the other's, and a connection that broke breaks both. */
const join = (from: Socket, to: Socket): void => {
  from.pipe(to);
  from.on('error', () => undefined);
  from.once('close', () => {
    // What was received in full has been passed on by the pipe, which ends the other side.
    if (!from.readableEnded) to.destroy();
  });
};

module.exports = { startForwarder } satisfies ForwarderModule;
