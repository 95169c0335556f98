import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { decode, encode, type Answer } from 'dns-packet';
import { freePort } from '../../servers/ports.ts';

/** Local servers that monitors watch. */
export interface KumaTargets {
  /** `http://127.0.0.1:…` */
  http: string;
  /** a port that accepts connections */
  open: number;
  /** a port on which nothing listens */
  closed: number;
  /** a name server for `shop.example` */
  dns: number;
  /** a server that answers PING with +PONG */
  redis: number;
  /** a server that greets with 220 */
  smtp: number;
  close: () => Promise<void>;
}

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  const [, kind = '', value = ''] = pathname.split('/');
  const end = (status: number, body: string, headers = {}): void => {
    response.writeHead(status, headers);
    response.end(body);
  };
  if (kind === 'status') end(Number(value), `status ${value}`);
  else if (kind === 'text') end(200, decodeURIComponent(value));
  else if (kind === 'json') end(200, decodeURIComponent(value), { 'Content-Type': 'application/json' });
  else if (kind === 'redirect') end(302, '', { Location: `/${value}` });
  else if (kind === 'auth') {
    const expected = `Basic ${Buffer.from('kuma:bear').toString('base64')}`;
    end(request.headers.authorization === expected ? 200 : 401, '');
  } else if (kind === 'header') end(request.headers['x-key'] === value ? 200 : 403, '');
  else if (kind === 'post') {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const isRight = request.method === 'POST' && request.headers['content-type'] === 'application/json';
      end(isRight && body === '{"ping":1}' ? 201 : 400, '');
    });
  } else end(200, 'ok');
};

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

export const startKumaTargets = async (): Promise<KumaTargets> => {
  const sockets = new Set<Socket>();
  const tcp = (greet: (socket: Socket) => void): Server =>
    createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      greet(socket);
    });
  const http = createHttpServer(answer);
  const servers = [
    http,
    tcp(() => undefined),
    tcp((socket) => socket.on('data', (data) => data.toString().startsWith('PING') && socket.write('+PONG\r\n'))),
    tcp((socket) => socket.write('220 mail.example ready\r\n')),
  ];
  const [httpPort = 0, open = 0, redis = 0, smtp = 0] = await Promise.all(servers.map(listening));
  const dns = createSocket('udp4');
  dns.on('message', (message, { port }) => {
    const { id = 0, questions = [] } = decode(message);
    const [question] = questions;
    const isKnown = question?.name.toLowerCase() === 'shop.example' && question.type === 'A';
    const answers: Answer[] = isKnown ? [{ name: 'shop.example', type: 'A', ttl: 1, data: '127.0.0.10' }] : [];
    // 3 is NXDOMAIN.
    const flags = 0x0400 | (question?.name.toLowerCase() === 'shop.example' ? 0 : 3);
    dns.send(encode({ type: 'response', id, flags, questions, answers }), port, '127.0.0.1');
  });
  dns.bind(0, '127.0.0.1');
  await once(dns, 'listening');
  return {
    http: `http://127.0.0.1:${httpPort}`,
    open,
    closed: await freePort(),
    dns: dns.address().port,
    redis,
    smtp,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      http.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      dns.close();
      await once(dns, 'close');
    },
  };
};
