import type { Socket } from 'node:net';
import * as assert from 'uvu/assert';
import type { Reason } from '../../../probes/engine/check-type.ts';
import { verdictOf, ok, probe, type TestRunOptions } from './probing.ts';
import { saying, type Opened } from './servers.ts';

/* Helpers for tests of servers that misbehave, and of the error messages that a web check reports for them. */

export const down = (reason: Reason, error_message: string) => ({ status: 'down', reason, error_message });

/** Declares a test in a suite. */
type Test = (sentence: string, run: () => Promise<void>) => void;

/** Declares tests of misbehaving servers. `peer` in the expected sentence is the address of the server. */
export const hostileIn =
  (test: Test) =>
  (
    sentence: string,
    server: () => Promise<Opened>,
    reason: Reason,
    message: (peer: string) => string,
    given: TestRunOptions = {},
  ): void => {
    test(sentence, async () => {
      const { port, close } = await server();
      const peer = `127.0.0.1:${port}`;
      try {
        const outcome = await probe(`http://${peer}/`, given);
        assert.equal(verdictOf(outcome), down(reason, message(peer)));
        assert.is(outcome.response_time, null);
        assert.is(outcome.check_metadata['connected'], true);
        assert.is(outcome.check_metadata['address'], '127.0.0.1');
      } finally {
        await close();
      }
    });
  };

/** Declares tests of servers with an unusual but valid response, in which a check finds `ok`. */
export const oddIn =
  (test: Test) =>
  (sentence: string, answer: Parameters<typeof saying>[0], then: (socket: Socket) => void = closing): void => {
    test(sentence, async () => {
      const server = await saying(answer, then);
      const url = `http://127.0.0.1:${server.port}/`;
      const outcome = await probe(url, { parameters: { search_text: 'ok' } });
      await server.close();
      assert.equal(verdictOf(outcome), ok);
    });
  };

export const closing = (socket: Socket): void => {
  socket.end();
};
export const resetting = (socket: Socket): void => {
  socket.resetAndDestroy();
};
/** Resets the connection after the written bytes have probably been sent. */
export const resettingLater = (socket: Socket): void => {
  setTimeout(() => socket.resetAndDestroy(), 30);
};
/** Leaves the connection open. */
export const staying = (): void => undefined;
