/**
 * Routes the connections of this process through the forwarder: those of `fetch`, `WebSocket` and `EventSource`, and of
 * `node:http` and `node:https` with any agent. Each connection is a separate tunnel (CONNECT) with end-to-end TLS, so a
 * script sees the real certificates, and the TLS options of the script work.
 */
const http = require('node:http') as typeof import('node:http');
const https = require('node:https') as typeof import('node:https');
const undici = require('undici') as typeof import('undici');
const { dial, Tunnel } = require('./tunnel.cjs') as import('./tunnel.cts').TunnelModule;

/** The exports of `network.cjs`. */
export interface NetworkModule {
  /** Changes the whole process, permanently. @param port of the forwarder */
  routeThrough: (port: number) => void;
}

const routeThrough = (port: number): void => {
  routeFetch(port);
  routeHttp(port);
};

type Connected = Parameters<ReturnType<typeof undici.buildConnector>>[1];

/**
 * Replaces the functions of Node.js by those of the undici package, because a dispatcher works only with functions of
 * the same undici release.
 */
const routeFetch = (port: number): void => {
  const secure = undici.buildConnector({});
  undici.setGlobalDispatcher(
    new undici.Agent({
      connect: (options: import('undici').buildConnector.Options, connected: Connected) => {
        const isSecure = options.protocol === 'https:';
        const target = { host: bare(options.hostname), port: Number(options.port || (isSecure ? 443 : 80)) };
        dial(port, target, (error, socket) => {
          if (error) connected(error, null);
          else if (isSecure) secure({ ...options, httpSocket: socket }, connected);
          else connected(null, socket);
        });
      },
    }).compose(asNode),
  );
  undici.install();
};

/** Sends the user agent `node`, as the fetch of Node.js does, because servers may depend on it. */
const asNode: import('undici').Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { headers } = options;
  if (headers === null || typeof headers !== 'object' || Array.isArray(headers)) return dispatch(options, handler);
  const given = headers as Record<string, string>;
  return dispatch(
    given['user-agent'] === 'undici' ? { ...options, headers: { ...given, 'user-agent': 'node' } } : options,
    handler,
  );
};

/** The options with which an agent creates a connection. */
interface Asked {
  host?: string | null;
  port?: number | string | null;
  socketPath?: string | null;
  timeout?: number;
}

type CreateConnection = (options: Asked & { socket?: unknown }, callback?: unknown) => import('node:net').Socket;

/** Replaces `createConnection`, which all agents inherit, including those of a script. */
const routeHttp = (port: number): void => {
  const plain = http.Agent.prototype as unknown as { createConnection: CreateConnection };
  const secure = https.Agent.prototype as unknown as { createConnection: CreateConnection };
  const overTls = secure.createConnection;

  plain.createConnection = (options) => tunnelFor(port, options, 80, false);
  secure.createConnection = function (this: unknown, options, callback) {
    const tunnel = tunnelFor(port, options, 443, true);
    const socket = overTls.call(this, { ...options, socket: tunnel }, callback);
    socket.once('close', () => tunnel.destroy());
    // Whoever creates the connection must apply these options, because Node.js does not.
    if (options.timeout) socket.setTimeout(options.timeout);
    for (const way of ['ref', 'unref'] as const) {
      const own = socket[way].bind(socket);
      socket[way] = () => {
        tunnel[way]();
        return own();
      };
    }
    return socket;
  };
};

const tunnelFor = (port: number, { host, port: to, socketPath, timeout = 0 }: Asked, usual: number, stays: boolean) => {
  if (socketPath) throw new Error("A script can't connect to a socket of the file system.");
  return new Tunnel(port, { host: bare(host ?? 'localhost'), port: Number(to ?? usual) }, { timeout, stays });
};

/** Removes the brackets that IPv6 addresses have in URLs. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

module.exports = { routeThrough } satisfies NetworkModule;
