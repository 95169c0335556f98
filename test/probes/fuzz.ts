import type { Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { Value } from '@sinclair/typebox/value';
import type { TSchema } from '@sinclair/typebox';
import type { Outcome } from '../../probes/engine/check-type.ts';
import { randomFrom, type Random as Choices } from '../contracts/random.ts';
import { handles, noMoreThan } from './handles.ts';
import { gatherUnhandled } from './unhandled.ts';

/*
 * Runs checks against servers that send random responses. `FUZZ_SEED` repeats the cases of an earlier test run, and
 * `FUZZ_CASE` only one of these. After `FUZZ_SECONDS` no new cases start.
 */

const LANES = 8;
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 5);
const only = process.env['FUZZ_CASE'];

export interface Random extends Choices {
  bytes: (length: number) => Buffer;
}

const createRandom = (start: number): Random => {
  const choices = randomFrom(start);
  return { ...choices, bytes: (length) => Buffer.from(Array.from({ length }, () => choices.below(256))) };
};

/** Cuts, replaces, repeats, removes or inserts bytes at random. */
export const spoiled = (bytes: Buffer, random: Random): Buffer => {
  const at = random.below(bytes.length + 1);
  const until = Math.min(bytes.length, at + random.below(40));
  switch (random.below(6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), random.bytes(until - at), bytes.subarray(until)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(until)]);
    case 4:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(random.pick(['\0', '\r', '\n', '\r\n', '\r\n\r\n', ':', ' ', '\x7f', '\xff'.repeat(5_000)])),
        bytes.subarray(at),
      ]);
    default:
      return random.bytes(random.below(3_000));
  }
};

export type Ending = 'end' | 'destroy' | 'reset' | 'stay';
export const ENDINGS: readonly Ending[] = ['end', 'end', 'destroy', 'reset', 'stay'];

/** How a server sends its bytes. */
export interface Delivery {
  /** the pieces; each one is sent after the previous one was written */
  pieces: readonly Buffer[];
  /** milliseconds before each piece except the first */
  pause: number;
  ending: Ending;
}

/** Chooses a random way to send these bytes. */
export const delivery = (bytes: Buffer, random: Random, endings = ENDINGS): Delivery => {
  const count = random.pick([1, 1, 2, 3, 10]);
  const cuts = Array.from({ length: count - 1 }, () => random.below(bytes.length + 1)).sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
  return { pieces, pause: random.pick([0, 0, 0, 1, 5]), ending: random.pick(endings) };
};

/** Sends the bytes over a socket. @param wire the TCP connection below TLS, if the socket uses TLS */
export const deliver = ({ pieces, pause, ending }: Delivery, socket: Socket, wire = socket): void => {
  const [piece, ...rest] = pieces;
  if (piece) {
    socket.write(piece, () => {
      const next = (): void => {
        if (!socket.destroyed) deliver({ pieces: rest, pause, ending }, socket, wire);
      };
      if (pause > 0 && rest.length > 0) setTimeout(next, pause);
      else next();
    });
    return;
  }
  if (ending === 'end') socket.end();
  if (ending === 'destroy') wire.destroy();
  if (ending === 'reset') wire.resetAndDestroy();
};

/** Matches words from libraries and code, which must not appear in error messages. */
const FOREIGN = /assert|undici|llhttp|Response does not match|\bERR_|\bUND_|\bHPE_|\[object|undefined|at .*:\d+:\d+/;

/** Asserts that an outcome has valid metadata, and that a failure is explained in a sentence for users. */
export const assertOutcome = (outcome: Outcome, metadata: TSchema): void => {
  assert.ok(Value.Check(metadata, outcome.check_metadata), JSON.stringify(outcome.check_metadata));
  assertExplained(outcome);
};

/** Asserts that a failure in an outcome is explained in a sentence for users. */
export const assertExplained = ({ status, reason, error_message: sentence }: Outcome): void => {
  if (status === 'ok') assert.equal([reason, sentence], [null, null]);
  else {
    assert.ok(reason !== null);
    assert.match(sentence ?? '', /^[^\r\n\0]{5,400}\.$/, sentence ?? '');
    assert.not.match(sentence ?? '', FOREIGN);
  }
};

/**
 * Runs generated cases, several at a time, until the time limit, and prints the seed. Asserts that there are no
 * uncaught errors and no open handles.
 *
 * @param run creates and runs one case; if it throws, the error names the seed and the number of the case
 * @param most maximum number of cases
 */
export const fuzz = async (
  name: string,
  most: number,
  run: (random: Random, note: (what: string) => void) => Promise<void>,
): Promise<void> => {
  const from = Number(only ?? 0);
  const until = only === undefined ? most : from + 1;
  const unhandled = gatherUnhandled();
  const started = performance.now();
  const before = handles();
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < until && performance.now() - started < seconds * 1_000) {
      const index = next++;
      const notes: string[] = [];
      try {
        await run(createRandom((seed + Math.imul(index, 0x9e3779b1)) >>> 0), (what) => notes.push(what));
        if (unhandled.errors.length > 0) throw unhandled.errors[0] as Error;
      } catch (error) {
        const repeat = `FUZZ_SEED=${seed} FUZZ_CASE=${index}`;
        throw new Error(`${name}: ${repeat}: ${notes.join('; ')}: ${String(error)}`, { cause: error });
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
    await noMoreThan(before);
    assert.equal(unhandled.errors, []);
  } finally {
    unhandled.stop();
    console.log(`  ${name}: ${next - from} cases, FUZZ_SEED=${seed}`);
  }
};
