import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTargetPolicy, type TargetRules } from '../../../../domain/target/policy.ts';
import { parsePorts } from '../../../../domain/target/ports.ts';
import { systemClock } from '../../../../network/clock.ts';
import type { Resolve } from '../../../../network/resolve.ts';
import type { ProxyLimits } from '../../../../probes/script/proxy/limits.ts';
import { startProxy, type Proxy, type ProxyOptions } from '../../../../probes/script/proxy/proxy.ts';
import { resolveIn } from '../../run-context.ts';
import { eventually } from '../../../waiting.ts';

/** Overrides of the defaults of a test proxy. */
export interface Proxying {
  rules?: TargetRules;
  /** addresses by name; other names are not resolved */
  hosts?: Record<string, readonly string[]>;
  resolve?: Resolve;
  ports?: string;
  limits?: Partial<ProxyLimits>;
  more?: Partial<ProxyOptions>;
}

export interface Proxied extends Proxy {
  path: string;
  /** the messages of the proxy's notes */
  notes: string[];
}

const running = new Set<() => Promise<void>>();

/** Closes what a test has opened. Must be called after each test. */
export const closeProxies = async (): Promise<void> => {
  for (const close of running) await close();
  running.clear();
};

/** Starts a proxy on its own socket. `name.test` resolves to this machine. */
export const proxied = async (given: Proxying = {}): Promise<Proxied> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-proxy-'));
  const path = join(folder, 'proxy.sock');
  const notes: string[] = [];
  let close = (): Promise<void> => Promise.resolve();
  running.add(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  const proxy = await startProxy({
    socketPath: path,
    owner: null,
    resolve: given.resolve ?? resolveIn({ 'name.test': ['127.0.0.1'], ...given.hosts }),
    policy: createTargetPolicy(given.rules ?? { policy: 'internal' }),
    ports: parsePorts(given.ports ?? '80,443,1024-65535'),
    clock: systemClock,
    limits: given.limits ?? {},
    onNote: ({ message }) => notes.push(message),
    ...given.more,
  });
  close = proxy.close;
  return { ...proxy, path, notes };
};

/** A connection to the proxy. It sends raw bytes and collects the response. */
export interface Client {
  socket: Socket;
  /** Returns what was received up to now. */
  received: () => string;
  /** Waits until a text was received, or the connection has ended. */
  until: (part: string | RegExp) => Promise<string>;
  /** everything that was received, when the connection has ended */
  whole: Promise<string>;
}

export const client = ({ path }: Pick<Proxied, 'path'>, output: string | Buffer = ''): Client => {
  const socket = connect({ path, allowHalfOpen: true });
  const pieces: Buffer[] = [];
  const received = (): string => Buffer.concat(pieces).toString('latin1');
  const whole = new Promise<string>((resolve) => {
    const end = (): void => {
      socket.destroy();
      resolve(received());
    };
    socket.once('end', end).once('close', end);
  });
  socket.on('error', () => undefined);
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  socket.write(output);
  return {
    socket,
    received: received,
    whole,
    until: async (part) => {
      const is = (): boolean => (typeof part === 'string' ? received().includes(part) : part.test(received()));
      await eventually(() => is() || socket.destroyed);
      return received();
    },
  };
};

/** Sends a request to the proxy. @returns the whole response as text */
export const responseTo = (proxy: Pick<Proxied, 'path'>, output: string | Buffer): Promise<string> =>
  client(proxy, output).whole;

/** Sends an ordinary request on a new connection. @returns the whole response as text */
export const got = (proxy: Pick<Proxied, 'path'>, url: string): Promise<string> =>
  responseTo(proxy, `GET ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`);

/** Returns the status and the body of a response. */
export const answerIn = (text: string): [status: number, body: string] => [
  Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? '0'),
  text.slice(text.indexOf('\r\n\r\n') + 4).trimEnd(),
];

/** Requests a tunnel, and waits for the response. @returns the connection */
export const tunnel = async (proxy: Pick<Proxied, 'path'>, authority: string, early = ''): Promise<Client> => {
  const opened = client(proxy, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n${early}`);
  await opened.until('\r\n\r\n');
  return opened;
};
