import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 before a server, so that connections fail while the server keeps its data. */
export interface Proxy {
  port: number;
  /** how many connections there are */
  connections: () => number;
  /** Cuts all connections with a reset; new ones are taken. */
  drop: () => void;
  /** Cuts all connections as soon as so many more chunks have come, in either direction. */
  dropAfter: (chunks: number) => void;
  /** Cuts all connections and refuses new ones, as a server does that is down. */
  refuse: () => void;
  /** Connections stay, and are taken, but no byte moves, in either direction, until `restore`. */
  freeze: () => void;
  /** What clients send arrives, what the server answers does not: its answers are lost for good. */
  loseAnswers: () => void;
  /** Each byte arrives so many milliseconds later, in both directions. */
  delay: (milliseconds: number) => void;
  /** The server's side of all connections is gone and clients hear nothing of it (half-open). */
  halfOpen: () => void;
  /** All goes through again; what was frozen moves on. */
  restore: () => void;
  close: () => Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  /** what waits to move on */
  held: (() => void)[];
}

/** @param port of the server */
export const openProxy = async ({ host = '127.0.0.1', port }: { host?: string; port: number }): Promise<Proxy> => {
  const links = new Set<Link>();
  /** clients whose server is gone without their knowing */
  const forsaken = new Set<Socket>();
  let mode: 'open' | 'frozen' | 'answers lost' | 'refusing' = 'open';
  let lag = 0;
  let chunksLeft = Infinity;

  const carry = (link: Link, from: Socket, to: Socket, answers: boolean): void => {
    const pass = (chunk: Buffer): void => {
      if (mode === 'frozen') link.held.push(() => void to.write(chunk));
      else if (!(mode === 'answers lost' && answers)) to.write(chunk);
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
    const link: Link = { client, server, held: [] };
    links.add(link);
    carry(link, client, server, false);
    carry(link, server, client, true);
    for (const socket of [client, server]) {
      // Its end is what counts.
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
    loseAnswers: () => {
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
      for (const { held } of links) for (const move of held.splice(0)) move();
    },
    close: async () => {
      cutAll();
      for (const client of forsaken) client.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
};
