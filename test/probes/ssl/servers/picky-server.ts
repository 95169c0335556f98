import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { rawServer, type Opened } from '../../web/servers.ts';
import * as tls from './messages.ts';
import { realPause } from '../../../waiting.ts';

export type Ending = 'alert' | 'closes' | 'resets' | 'is silent';

/** A server that only responds to hellos, with suites in its own order of preference. */
export interface Picky {
  /** numbers of suites by version; other versions are refused */
  suites: Readonly<Partial<Record<number, readonly number[]>>>;
  /** how the server refuses hellos without a common suite */
  refusing?: Ending;
  /** Returns whether the server can't handle a hello, by its content or its message size. */
  chokesOn?: (hello: tls.ClientHello, bytes: number) => boolean;
  choking?: Ending | 'sends unrecognized_name';
  /** milliseconds before each response */
  pause?: number;
  /** number of hellos after which the server is silent */
  hellos?: number;
  /** by default a free port */
  port?: number;
}

const alert = (description: number): Buffer => tls.recordOf(tls.ALERT, 0x0301, Buffer.from([2, description]));

const end = (socket: Socket, how: Ending | 'sends unrecognized_name', description: number): void => {
  if (how === 'alert') socket.end(alert(description));
  if (how === 'sends unrecognized_name') socket.end(alert(112));
  if (how === 'closes') socket.end();
  if (how === 'resets') socket.resetAndDestroy();
};

const choose = (
  hello: tls.ClientHello,
  { suites }: Picky,
): { version: number; suite: number } | 'version' | 'suite' => {
  const offered = hello.extensions.get(43);
  const version = offered && suites[0x0304] ? 0x0304 : hello.version;
  const own = suites[version];
  if (!own) return 'version';
  const suite = own.find((id) => hello.suites.includes(id));
  return suite === undefined ? 'suite' : { version, suite };
};

const flight = (hello: tls.ClientHello, version: number, suite: number): Buffer => {
  const newest = version === 0x0304;
  const choice = tls.serverHelloOf({
    version: Math.min(version, 0x0303),
    random: randomBytes(32),
    sessionId: hello.sessionId,
    suite,
    compression: 0,
    extensions: newest ? [[43, tls.u16(0x0304)]] : [],
  });
  const messages = newest ? [choice] : [choice, tls.certificateOf([Buffer.from('certificate')]), tls.SERVER_HELLO_DONE];
  return Buffer.concat(messages.map((message) => tls.recordOf(tls.HANDSHAKE, Math.min(version, 0x0303), message)));
};

/** Starts the server. `most` returns the highest number of connections that waited for a response concurrently. */
export const pickyServer = (picky: Picky): Promise<Opened & { most: () => number }> => {
  const { refusing = 'alert', choking = 'closes', chokesOn = () => false, pause = 0 } = picky;
  let left = picky.hellos ?? Infinity;
  let waiting = 0;
  let most = 0;
  const answer = (socket: Socket, message: Buffer): void => {
    const hello = tls.clientHelloIn(message);
    if (chokesOn(hello, message.length)) {
      end(socket, choking, 50);
      return;
    }
    const choice = choose(hello, picky);
    if (typeof choice === 'string') end(socket, refusing, choice === 'version' ? 70 : 40);
    else if (left-- > 0) socket.write(flight(hello, choice.version, choice.suite));
  };
  return rawServer(
    (socket) => {
      most = Math.max(most, ++waiting);
      let answered = false;
      void (async () => {
        for await (const { type, fragment } of tls.recordsFrom(socket)) {
          if (type !== tls.HANDSHAKE) break;
          if (pause > 0) await realPause(pause, 'a slow server');
          waiting--;
          answered = true;
          answer(socket, fragment);
        }
        if (!answered) waiting--;
        socket.destroy();
      })();
    },
    '127.0.0.1',
    picky.port,
  ).then((opened) => ({ ...opened, most: () => most }));
};
