import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { decode, encode, type Packet } from 'dns-packet';
import type { Certificate } from '../../probes/web/certificates.ts';
import { listening, rawServer, rawTlsServer, type Opened } from '../../probes/web/servers.ts';

/** Encodes a response to a query with dns-packet, a library that is independent of our code. */
export const responseTo = (query: Buffer, response: Packet & { rcode?: number } = {}): Buffer => {
  const { id = 0, questions = [] } = decode(query);
  const { flags = 0, rcode = 0, ...rest } = response;
  return encode({ id, type: 'response', questions, ...rest, flags: flags | rcode });
};

export const address = (data: string, name = 'www.example.test') => ({ type: 'A' as const, name, ttl: 60, data });

export interface UdpServer {
  port: number;
  /** the queries that the server has received */
  queries: Buffer[];
  /** the sender of each query */
  from: RemoteInfo[];
  close: () => Promise<void>;
}

/** Returns the messages with which a server responds to a query. */
export type UdpResponder = (
  query: Buffer,
  from: RemoteInfo,
  socket: UdpSocket,
) => Buffer | readonly Buffer[] | undefined;

const open = new Set<UdpServer>();

/** Closes servers that a failed test left open, because they would keep the process alive. Call it after each test. */
export const closeUdpServers = async (): Promise<void> => {
  for (const server of open) await server.close();
};

export const udpServer = async (respond: UdpResponder, { host = '127.0.0.1', port = 0 } = {}): Promise<UdpServer> => {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.bind(port, host);
  try {
    await once(socket, 'listening');
  } catch (error) {
    socket.close();
    throw error;
  }
  const server: UdpServer = {
    port: socket.address().port,
    queries: [],
    from: [],
    close: () =>
      new Promise((closed) => {
        open.delete(server);
        socket.close(closed);
      }),
  };
  socket.on('error', () => undefined);
  socket.on('message', (query, from) => {
    server.queries.push(query);
    server.from.push(from);
    for (const message of [respond(query, from, socket) ?? []].flat()) socket.send(message, from.port, from.address);
  });
  open.add(server);
  return server;
};

/** Opens servers over TCP and UDP on the same port. Tries another port if a free TCP port is in use for UDP. */
export const onBoth = async (
  listen: () => Promise<Opened>,
  respond: UdpResponder,
): Promise<{ tcp: Opened; udp: UdpServer }> => {
  for (let tries = 1; ; tries++) {
    const tcp = await listen();
    try {
      return { tcp, udp: await udpServer(respond, { port: tcp.port }) };
    } catch (error) {
      await tcp.close();
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === 20) throw error;
    }
  }
};

/** Adds the length prefix that a message has over TCP. */
export const framed = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);

/** Calls `then` with the first query on a connection. */
const firstQuestion = (socket: Socket, then: (query: Buffer) => void): void => {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    const before = bytes.length;
    bytes = Buffer.concat([bytes, piece]);
    const length = bytes.length < 2 ? Infinity : 2 + bytes.readUInt16BE();
    if (before < length && bytes.length >= length) then(bytes.subarray(2, length));
  });
};

export type StreamResponder = (query: Buffer, socket: Socket) => Buffer | undefined;

const talkOf =
  (respond: StreamResponder) =>
  (socket: Socket): void => {
    firstQuestion(socket, (query) => {
      const bytes = respond(query, socket);
      if (bytes) socket.write(bytes);
    });
    socket.once('end', () => socket.end());
  };

export const tcpServer = (respond: StreamResponder): Promise<Opened> => rawServer(talkOf(respond));

export const tlsServer = (certificate: Certificate, respond: StreamResponder): Promise<Opened> =>
  rawTlsServer(certificate, talkOf(respond));

/**
 * Handles a request to a server. `cut` closes all connections without sending more data. Before that, the server reads
 * all data from the client, because closing a connection with unread data would reset the connection.
 */
export type HttpsResponder = (
  body: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
  cut: () => void,
) => void;

/** Opens a server over HTTPS that speaks HTTP/2, HTTP/1.1 or both. */
export const httpsServer = (
  certificate: Certificate,
  handle: HttpsResponder,
  speaks: 'h2' | 'http/1.1' | 'both' = 'both',
): Promise<Opened> => {
  const server =
    speaks === 'http/1.1'
      ? createHttpsServer(certificate)
      : createSecureServer({ ...certificate, allowHTTP1: speaks === 'both' });
  const sockets = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.end();
  };
  server.on('connection', (socket: Socket) => sockets.add(socket));
  for (const event of ['sessionError', 'tlsClientError']) server.on(event, () => undefined);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      handle(Buffer.concat(pieces), request, response, cut);
    });
  });
  return listening(server);
};
