import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 in front of a server. It lets connections fail without affecting the server. */
export interface Proxy {
  port: number;
  /** returns the number of connections */
  connections: () => number;
  /** Cuts all connections with a reset. New connections are accepted. */
  drop: () => void;
  /** Cuts all connections after `chunks` more chunks have passed, in either direction. */
  dropAfter: (chunks: number) => void;
  /** Cuts all connections and refuses new connections, like a server that is down. */
  refuse: () => void;
  /** Leaves connections open and accepts new ones, but passes no byte in either direction until `restore`. */
  freeze: () => void;
  /** Passes what clients send, and discards the server's responses. */
  loseResponses: () => void;
  /** Delays each byte by `milliseconds`, in both directions. */
  delay: (milliseconds: number) => void;
  /** Closes the server's side of all connections without notifying the clients (half-open). */
  halfOpen: () => void;
  /** Passes all bytes again, including the bytes that arrived while the proxy was frozen. */
  restore: () => void;
  close: () => Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  /** functions that each pass on one chunk that arrived while the proxy was frozen */
  waiting: (() => void)[];
}

/** Opens a proxy in front of the server on `host` and `port`. */
export const openProxy = async ({ host = '127.0.0.1', port }: { host?: string; port: number }): Promise<Proxy> => {
  const links = new Set<Link>();
  /** client sockets whose connection to the server was closed without notifying the client */
  const forsaken = new Set<Socket>();
  let mode: 'open' | 'frozen' | 'answers lost' | 'refusing' = 'open';
  let lag = 0;
  let chunksLeft = Infinity;

  const carry = (link: Link, from: Socket, to: Socket, responses: boolean): void => {
    const pass = (chunk: Buffer): void => {
      if (mode === 'frozen') link.waiting.push(() => void to.write(chunk));
      else if (!(mode === 'answers lost' && responses)) to.write(chunk);
    };
    from.on('data', (chunk: Buffer) => {
      if (--chunksLeft <= 0) {
        chunksLeft = Infinity;
        cutAll();
        return;
      }
      if (lag > 0) setTimeout(pass, lag, chunk);
      else pass(chunk);
    });
  };

  const cut = (link: Link): void => {
    links.delete(link);
    link.client.resetAndDestroy();
    link.server.destroy();
  };

  const listener = createServer((client) => {
    if (mode === 'refusing') {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host, port });
    const link: Link = { client, server, waiting: [] };
    links.add(link);
    carry(link, client, server, false);
    carry(link, server, client, true);
    for (const socket of [client, server]) {
      // The error itself does not matter. The following `close` event is handled.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (links.has(link)) cut(link);
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');

  const cutAll = (): void => {
    for (const link of links) cut(link);
  };

  return {
    port: address.port,
    connections: () => links.size,
    drop: cutAll,
    dropAfter: (chunks) => {
      chunksLeft = chunks;
    },
    refuse: () => {
      mode = 'refusing';
      cutAll();
    },
    freeze: () => {
      mode = 'frozen';
    },
    loseResponses: () => {
      mode = 'answers lost';
    },
    delay: (milliseconds) => {
      lag = milliseconds;
    },
    halfOpen: () => {
      for (const link of links) {
        links.delete(link);
        link.client.removeAllListeners('data').pause();
        link.server.removeAllListeners('data').destroy();
        forsaken.add(link.client);
      }
    },
    restore: () => {
      mode = 'open';
      lag = 0;
      chunksLeft = Infinity;
      for (const { waiting } of links) for (const move of waiting.splice(0)) move();
    },
    close: async () => {
      cutAll();
      for (const client of forsaken) client.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
};
